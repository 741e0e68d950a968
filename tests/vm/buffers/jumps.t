#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# All CPUs switch buffers correctly when several CPUs run the handler buffer_jump at the same time.
# take-turns: no
# cpus: 4
# kernel: base
# kernel-all: debug base
# append: lkst.buffer_size=1M tsc=nowatchdog
# timeout: 150

exec ./jumps 40
