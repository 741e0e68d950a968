#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The same as stream.t, but emulated CPUs run in parallel, and masksets are not switched.
# take-turns: no
# kernel: base
# kernel-all: base debug
# append: lkst.buffer_size=64K
# timeout: 150

exec ./stream 10 steady
