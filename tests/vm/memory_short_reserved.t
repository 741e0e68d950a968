#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A machine whose memory is nearly all taken, but for what was set aside for LKST, gets buffers there.
# kernel: base
# form: builtin module headers
# arch: x86_64
# mem: 512
# append: lkst.buffer_size=8M maxcpus=1 memmap=128M$0x10000000 lkst.reserved=128M@0x10000000 lkst.boots=2

exec ./memory_short.sh full
