#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The bound of the memory that LKST takes, as a share: of 512 MB, less what the kernel itself takes.
# kernel: base
# form: builtin module headers
# mem: 512
# append: lkst.buffer_size=64K lkst.memory=3%

exec ./limits memory 9000000 16100000
