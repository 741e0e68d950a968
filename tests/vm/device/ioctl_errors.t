#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# In a 64-bit program, the device's ioctls and read() return what each row of the tables of return
# values in section 4.7.1 of the specification describes. A 32-bit program gets the same results.
# kernel: base
# kernel-all: base debug
# append: lkst.memory=64M lkst.history_size=1M
# timeout: 600

. ./absent.sh
make_absent || exit

rows() { grep -E '^(not )?ok ' "$1"; }

./ioctl_errors >/tmp/64
status=$?
# If the compiler or the machine does not support 32-bit programs, there is only the 64-bit one.
[ -x ioctl_errors-32 ] || { cat /tmp/64; exit $status; }
./ioctl_errors-32 >/tmp/32
grep -v '^1\.\.' /tmp/64
count=$(($(rows /tmp/64 | wc -l) + 1))
rows /tmp/64 >/tmp/64.rows
rows /tmp/32 >/tmp/32.rows
if cmp -s /tmp/64.rows /tmp/32.rows; then
	echo "ok $count - a 32-bit program gets the same results"
else
	echo "not ok $count - a 32-bit program gets the same results"
	diff /tmp/64.rows /tmp/32.rows | sed 's/^/# /'
	sed 's/^/# /' /tmp/32 | tail -n 5
	status=1
fi
echo "1..$count"
exit $status
