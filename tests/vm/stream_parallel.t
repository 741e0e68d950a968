#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# As stream.t, with the CPUs side by side, and without maskset switches.
# take-turns: no
# kernel: base
# kernel-all: base debug
# append: lkst.buffer_size=64K
# timeout: 150

exec ./stream 10 steady
