#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The same test as misuse.t, but for ten minutes: calls with random arguments do not harm the
# kernel.
# kernel: debug
# suite: all
# append: lkst.buffer_size=12M
# timeout: 1200

exec ./misuse 600
