#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The block headers count every record that a consumer misses. Consumers read blocks of two CPUs
# under load, while other processes switch masksets, shift and jump. Emulated CPUs run one at a
# time, as in stress.t.
# kernel: debug
# kernel-all: base debug
# append: lkst.buffer_size=64K
# timeout: 200

exec ./stream 20
