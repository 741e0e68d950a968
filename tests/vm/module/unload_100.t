#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The test of unload.t with a hundred loads, and on one CPU. If QEMU lets two emulated CPUs take
# turns and both are busy, one load takes more than ten seconds (see unload.t).
# form: module headers stock
# cpus: 1
# append: lkst.buffer_size=4M
# timeout: 1800
# suite: all

TIMES=100 exec "$(dirname "$0")/unload.t"
