#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A machine with little free memory still gets buffers.
# kernel: base
# form: builtin module headers
# arch: x86_64
# mem: 512
# append: lkst.buffer_size=8M maxcpus=1

exec ./memory_short.sh less
