#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Several processes make random calls to read() and the buffer ioctls (specification 4.7.1.3), on
# the same buffers.
# kernel: base debug
# append: lkst.buffer_size=64K

exec ./buffers_fuzz 15
