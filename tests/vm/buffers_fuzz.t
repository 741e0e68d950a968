#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# All calls of 4.7.1.3 at random, by several programs, on the same buffers.
# kernel: base debug
# append: lkst.buffer_size=64K

exec ./buffers_fuzz 15
