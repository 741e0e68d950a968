#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Programs record as fast as they can, while others read, switch masksets, and stop and start LKST.
# Emulated CPUs run one at a time, because every maskset switch changes kernel code that all of them
# run.
# kernel: debug
# kernel-all: debug base
# append: lkst.buffer_size=128K tsc=nowatchdog
# take-turns: yes
# timeout: 400

exec ./stress 60
