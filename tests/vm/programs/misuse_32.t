#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Calls of 32-bit programs with random arguments do not harm the kernel.
# kernel: debug
# arch: x86_64
# append: lkst.buffer_size=12M

exec ./misuse-32 20
