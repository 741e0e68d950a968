#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The kernel stops trusting the TSC while it can allocate nothing: no CPU continues to stamp with it. A CPU that has a
# spare buffer continues there; the other one records nowhere, and the kernel log says so, until there is memory.
# kernel: debug
# arch: x86_64
# append: lkst.buffer_size=512K
# timeout: 600

. "$(dirname "$0")/../tap.sh"
fault=/sys/kernel/debug/failslab

written() { lkstbuf list -c "$1" --json | awk '/"id"/ { id = $2 } /"state": "writing"/ { got = 1 } /"clock"/ && got { print id, $2; exit }' | tr -d '",'; }
wait_for() {
	for _ in $(seq 1000); do
		! "$@" || return 0
		sleep 0.1
	done
	return 1
}
is_written() { [ "$(written "$1")" = "$2" ]; }
# Setting the clock has LKST look at its own.
look() { date -s "@$(date +%s)" >/dev/null; }

[ -d $fault ] || mount -t debugfs none /sys/kernel/debug
lkstbuf create -c 0 -b 9 -s 64K >/dev/null
echo N >$fault/ignore-gfp-wait
echo Y >$fault/task-filter
echo 0 >$fault/verbose
echo -1 >$fault/times
for comm in /proc/[0-9]*/comm; do
	case $(cat "$comm") in
	kworker*) echo 1 >"${comm%comm}make-it-fail" ;;
	esac
done
echo 100 >$fault/probability
insmod modules/unstable.ko
look
ok 'CPU 0 continues in the spare buffer' wait_for is_written 0 '9 ns'
ok 'CPU 1 records nowhere' wait_for is_written 1 ''
echo 0 >$fault/probability
contains 'the kernel log says so' "$(dmesg)" 'lkst: no memory for a buffer of CPU 1: its events are lost until it gets one'
lacks 'of that CPU only' "$(dmesg)" 'lkst: no memory for a buffer of CPU 0'
lkstlogger -ev user_mark -a1 0x77
look
ok 'with memory, it records again' wait_for is_written 1 '1 ns'
taskset 2 lkstlogger -ev user_mark -a1 0x78
contains 'what happens there' "$(lkstbuf print -c 1 -n 1 -e user_mark)" 'user_mark +arg1=0x78 '
ok 'its events in between are lost' test "$(lkst status | sed -n 's/^lost *//p')" -gt 0
is 'CPU 0 stays where it is' "$(written 0)" '9 ns'
done_testing
