#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A CPU that comes online after LKST has started gets its history when its first records are read.
# append: lkst.history_size=1M lkst.buffer_size=256K lkst.history_share=100 maxcpus=1
# kernel: base
# kernel-all: debug base
# mem: 512

exec ./history late
