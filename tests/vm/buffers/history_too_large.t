#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# If the limit on LKST's memory leaves less than 1 MB for the history of each CPU, there is no
# history.
# append: lkst.memory=3M lkst.buffer_size=256K lkst.history_size=4M
# kernel: base
# kernel-all: debug base

. "$(dirname "$0")/../tap.sh"

contains 'the kernel log says so' "$(dmesg)" 'lkst: each of 2 CPUs gets 0K of history instead of 4096K'
is 'history_size shows 0' "$(cat /sys/module/lkst/parameters/history_size)" 0
lacks 'lkstbuf list: no history' "$(lkstbuf list)" history
contains 'lkst status: no history' "$(lkst status)" '^history +none$'
is 'there is no thread' "$(cat /proc/[0-9]*/comm 2>/dev/null | grep -c lkst_history)" 0
ok 'events are recorded' test "$(lkstbuf print -n 5 | wc -l)" -gt 4
done_testing
