#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# The kernel dies fifty times while all CPUs are recording events of locks and timers. Each death is
# a panic in a process, in an interrupt, or while the panicking CPU holds a lock that every CPU
# wants. No record is lost, no matter when the panic happens.
# suite: all
# timeout: 1800
# kernel: base
# modules: yes

. "$(dirname "$0")/death/common.sh"

kinds=(panic timer lock)
for death in $(seq 50); do
	kind=${kinds[death % 3]}
	guest <<END
record 0.$((death % 10))$((death % 7))
die $kind
END
	vm 126 --mem 448 --cpus $((2 + death % 3)) --append "$(append)"
	image_is_whole "death $death, $kind" "$memory"
done
done_testing
