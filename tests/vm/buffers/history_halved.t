#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# LKST halves the size of the history until the histories of all CPUs take at most half of its
# memory.
# append: lkst.memory=24M lkst.buffer_size=256K lkst.history_size=20M
# kernel: base
# kernel-all: debug base
# mem: 512

. "$(dirname "$0")/../tap.sh"

# Two CPUs with 5 MB each take 10 MB of the 24 MB. With 10 MB each, they would take 20 MB.
is 'the size is halved twice' "$(cat /sys/module/lkst/parameters/history_size)" $((5 << 20))
contains 'the kernel log says so' "$(dmesg)" \
	'lkst: each of 2 CPUs gets 5120K of history instead of 20480K \(together, they may take at most half of lkst\.memory\)'
is 'each CPU has a history of this size' "$(lkstbuf list | awk '$5 ~ /[.]/ { print $2 }' | sort -u)" $((5 << 20))
lacks 'no CPU lacks a history' "$(dmesg)" 'has no history'
done_testing
