#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Part of bench/death, runs in the VM: death-guest.sh ROUNDS
#
# Records ROUNDS runs of the demo's workload. Then the kernel panics.

set -eu
cd "$(dirname "$0")"
# The workload without the command that reads the trace.
sed -e '/^lkstbuf read/d' -e 's,^cd .*,cd /share,' workload >/tmp/workload

for _ in $(seq "$1"); do
	rm -rf /tmp/demo
	sh /tmp/workload
done
echo c >/proc/sysrq-trigger
