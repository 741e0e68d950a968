#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Calls with random arguments do not harm the kernel, like misuse.t, but for ten minutes.
# kernel: debug
# suite: all
# append: lkst.buffer_size=12M
# timeout: 1200

exec ./misuse 600
