#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Events that take several records contain the paths, stacks and messages that the test program
# expects.
# kernel: base
# kernel-all: base debug
# append: lkst.buffer_size=1M

exec ./chains
