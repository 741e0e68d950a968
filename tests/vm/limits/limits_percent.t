#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# LKST stays within its memory limit when the limit is given as a percentage of the machine's
# memory, which is 512 MB minus the memory of the kernel itself.
# kernel: base
# form: builtin module headers
# mem: 512
# append: lkst.buffer_size=64K lkst.memory=3%

exec ./limits memory 9000000 16100000
