#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A reader that stalls on a missing page of its memory does not make other processes wait.
# kernel: base
# append: lkst.buffer_size=64K
# timeout: 900

exec ./stalled
