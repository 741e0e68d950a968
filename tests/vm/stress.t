#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Programs record as fast as they can, while others read, switch masksets, stop and start. Emulated CPUs
# take turns: with every switch kernel code changes that all of them run.
# kernel: debug
# kernel-all: debug base
# append: lkst.buffer_size=128K tsc=nowatchdog
# take-turns: yes
# timeout: 400

exec ./stress 60
