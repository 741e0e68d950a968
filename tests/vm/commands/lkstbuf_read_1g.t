#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The same test as lkstbuf_read_big.t, with the largest possible buffer.
# kernel: base
# mem: 2048
# append: lkst.buffer_size=4M lkst.memory=1200M
# timeout: 1800
# suite: all

SIZE=1024 exec "$(dirname "$0")/lkstbuf_read_big.t"
