#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Calls with random arguments do not harm the kernel.
# kernel: debug
# append: lkst.buffer_size=12M

exec ./misuse 20
