#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The calls of section 4.7.1.3 of the specification and read(), made by a 64-bit program.
# kernel: base debug
# append: lkst.buffer_size=64K

exec ./buffers
