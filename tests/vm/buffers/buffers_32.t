#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# read() and the buffer ioctls (specification 4.7.1.3) work in a 32-bit program.
# arch: x86_64
# kernel: base
# append: lkst.buffer_size=64K

exec ./buffers-32
