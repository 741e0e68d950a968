#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Nobody waits for a process that reads into memory which does not come. Of the kernels here only Debian's has
# userfaultfd().
# kernel: base
# form: stock
# append: lkst.buffer_size=64K
# timeout: 900

exec ./stalled
