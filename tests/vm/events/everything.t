#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Record all events for half a minute while programs use many parts of the kernel.
# kernel: debug
# kernel-all: debug base
# append: lkst.buffer_size=4M
# take-turns: yes
# timeout: 900

ip link set lo up 2>/dev/null
exec ./everything 30
