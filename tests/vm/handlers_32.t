#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# As handlers.t, asked for by a 32-bit program.
# arch: x86_64
# kernel: base
# append: lkst.buffer_size=8M

exec ./handlers-32
