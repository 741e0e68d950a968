#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A machine with little free memory gets its buffers in the memory that was reserved for LKST.
# kernel: base
# form: builtin module headers
# arch: x86_64
# mem: 512
# append: lkst.buffer_size=8M maxcpus=1 memmap=128M$0x10000000 lkst.reserved=128M@0x10000000 lkst.boots=2

exec ./memory_short.sh full
