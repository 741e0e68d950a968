#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A CPU whose time stamp counter the kernel does not trust: records carry CLOCK_MONOTONIC, in
# a buffer of their own, and everything else is as ever.
# arch: x86_64
# kernel: base
# form: builtin
# cpus: 2,sockets=2
# cpu-model: qemu64
# append: lkst.buffer_size=16M

exec ./device ns
