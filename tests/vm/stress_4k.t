#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# As stress_parallel.t, with the smallest buffer there is, which goes round all the time.
# take-turns: no
# kernel: base
# kernel-all: debug base
# append: lkst.buffer_size=4K tsc=nowatchdog
# timeout: 130

exec ./stress 20 steady
