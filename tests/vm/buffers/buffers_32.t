#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The calls of section 4.7.1.3 of the specification and read(), made by a 32-bit program.
# arch: x86_64
# kernel: base
# append: lkst.buffer_size=64K

exec ./buffers-32
