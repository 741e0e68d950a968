#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The same as stress_parallel.t, with the smallest possible buffer, which wraps all the time.
# take-turns: no
# kernel: base
# kernel-all: debug base
# append: lkst.buffer_size=4K tsc=nowatchdog
# timeout: 130

exec ./stress 20 steady
