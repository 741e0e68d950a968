#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# read() and the buffer ioctls (specification 4.7.1.3) work in a 64-bit program.
# kernel: base debug
# append: lkst.buffer_size=64K

exec ./buffers
