#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Buffers can have sizes from 4 KB to 1 GB.
# kernel: base
# mem: 3072
# append: lkst.buffer_size=64K lkst.memory=60%

exec ./limits sizes
