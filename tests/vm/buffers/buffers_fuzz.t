#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Several processes make all calls of section 4.7.1.3 of the specification at random, on the same
# buffers.
# kernel: base debug
# append: lkst.buffer_size=64K

exec ./buffers_fuzz 15
