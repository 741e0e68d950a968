#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The kernel stops trusting the TSC when LKST has taken all the memory that it may take. A CPU that has a spare buffer
# continues there; the other one records nowhere, and the kernel log says so, until a buffer is deleted.
# kernel: base debug
# arch: x86_64
# append: lkst.buffer_size=64K lkst.memory=1M
# timeout: 600

. ./renew.sh

spare=0
while lkstbuf create -c 0 -b $((spare + 1)) -s 4K >/dev/null 2>&1; do spare=$((spare + 1)); done
ok 'all the memory is taken' test $spare -gt 1
distrust
ok 'CPU 0 continues in a spare buffer' wait_for is_written 0 '1 ns'
lost_until lkstbuf delete -c 0 -b $spare
is 'CPU 0 stays where it is' "$(written 0)" '1 ns'
done_testing
