#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A consumer of read() on each of two CPUs, under load, with maskset switches, shifts and jumps in the
# way: what it does not get, LKST_BUFF_OVFLOW tells. Emulated CPUs take turns: see stress.t.
# kernel: debug
# kernel-all: base debug
# append: lkst.buffer_size=64K
# timeout: 200

exec ./stream 20
