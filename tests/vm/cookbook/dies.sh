#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# dies.sh: make the kernel panic half a second after "dd" has started to keep a CPU busy
dd if=/dev/zero of=/dev/null bs=64k 2>/dev/null &
sleep 0.5
sync
echo c >/proc/sysrq-trigger
