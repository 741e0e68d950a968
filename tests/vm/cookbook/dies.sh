#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# dies.sh: start "dd", which keeps a CPU busy, and make the kernel panic half a second later
dd if=/dev/zero of=/dev/null bs=64k 2>/dev/null &
sleep 0.5
sync
echo c >/proc/sysrq-trigger
