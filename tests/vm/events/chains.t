#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Events that take several records hold what the program knows: paths, stacks and messages.
# kernel: base debug
# append: lkst.buffer_size=1M

exec ./chains
