#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# LKST stays within its memory limit when the limit is given as a size.
# kernel: base
# kernel-all: base debug
# append: lkst.buffer_size=64K lkst.memory=8M

exec ./limits memory 8388608 8388608
