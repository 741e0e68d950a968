#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A thread of low priority compresses older records. They can be read as long as the history has
# room for them, and each record that is missing is counted.
# append: lkst.history_size=1M lkst.buffer_size=256K lkst.history_share=100
# kernel: base
# kernel-all: debug base
# mem: 512
# timeout: 600

exec ./history
