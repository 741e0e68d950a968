#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A hundred times: as unload.t.
# form: module headers stock
# cpus: 1
# append: lkst.buffer_size=4M
# timeout: 1800
# suite: all

TIMES=100 exec "$(dirname "$0")/unload.t"
