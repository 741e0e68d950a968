#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Handlers that send all CPUs to another buffer, on several CPUs at the same moment.
# take-turns: no
# cpus: 4
# kernel: base
# kernel-all: debug base
# append: lkst.buffer_size=1M tsc=nowatchdog
# timeout: 150

exec ./jumps 40
