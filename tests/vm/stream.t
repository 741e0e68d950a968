#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Consumers of read() in blocks on two CPUs, under load, with maskset switches, shifts and jumps in the
# way: what they do not get, the headers of the blocks count. Emulated CPUs take turns: see stress.t.
# kernel: debug
# kernel-all: base debug
# append: lkst.buffer_size=64K
# timeout: 200

exec ./stream 20
