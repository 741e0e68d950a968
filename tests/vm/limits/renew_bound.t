#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The kernel stops trusting the TSC when LKST already uses all the memory that it may use. A CPU
# with a spare buffer continues to record in that buffer. The other CPU cannot record until a buffer
# is deleted, and the kernel log says so.
# kernel: base
# kernel-all: base debug
# arch: x86_64
# append: lkst.buffer_size=64K lkst.memory=1M
# timeout: 600

. ./renew.sh

spare=0
while lkstbuf create -c 0 -b $((spare + 1)) -s 4K >/dev/null 2>&1; do spare=$((spare + 1)); done
ok 'all memory is used' test $spare -gt 1
distrust
ok 'CPU 0 continues in a spare buffer' wait_for is_written 0 '1 ns'
lost_until lkstbuf delete -c 0 -b $spare
is 'CPU 0 stays in that buffer' "$(written 0)" '1 ns'
done_testing
