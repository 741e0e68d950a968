#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The same as stress_parallel.t, with a number of slots that is not a power of two.
# take-turns: no
# kernel: base
# kernel-all: debug base
# append: lkst.buffer_size=12K tsc=nowatchdog
# timeout: 130

exec ./stress 20 steady
