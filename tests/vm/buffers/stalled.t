#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A reader that stalls on a missing page of its memory does not make other processes wait. Of the
# kernels that the tests use, only Debian's has userfaultfd().
# kernel: base
# form: stock
# append: lkst.buffer_size=64K
# timeout: 900

exec ./stalled
