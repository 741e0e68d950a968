#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The same as handlers.t, with a 32-bit program.
# arch: x86_64
# kernel: base
# append: lkst.buffer_size=8M

exec ./handlers-32
