#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The kernel stops trusting the TSC while every slab allocation of its worker threads fails. Even
# then all CPUs stop using the TSC. A CPU with a spare buffer continues to record in that buffer.
# The other CPU cannot record until memory is available, and the kernel log says so.
# kernel: debug
# arch: x86_64
# append: lkst.buffer_size=512K
# timeout: 600

. ./renew.sh
fault=/sys/kernel/debug/failslab

[ -d $fault ] || mount -t debugfs none /sys/kernel/debug
lkstbuf create -c 0 -b 9 -s 64K >/dev/null
echo N >$fault/ignore-gfp-wait
echo Y >$fault/task-filter
echo 0 >$fault/verbose
echo -1 >$fault/times
# Make the allocations of all present worker threads fail.
fail_workers() {
	for comm in /proc/[0-9]*/comm; do
		case $(cat "$comm" 2>/dev/null) in
		kworker*) echo 1 >"${comm%comm}make-it-fail" ;;
		esac
	done
}
fail_workers
echo 100 >$fault/probability
distrust
ok 'CPU 0 continues in the spare buffer' wait_for is_written 0 '9 ns'
# The kernel may have started another worker thread, which LKST's next attempt, a second later, could
# use.
fail_workers
lost_until sh -c "echo 0 >$fault/probability"
is 'CPU 0 stays in that buffer' "$(written 0)" '9 ns'
done_testing
