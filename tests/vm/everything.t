#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# All events are recorded while the kernel does a bit of everything, for a minute; then masksets change meanwhile.
# kernel: debug
# kernel-all: debug base
# append: lkst.buffer_size=4M
# take-turns: yes
# timeout: 900

ip link set lo up 2>/dev/null
exec ./everything 60 30
