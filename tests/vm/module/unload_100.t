#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A hundred loads: the same test as unload.t, but on one CPU. On two CPUs that QEMU emulates in
# turn, loading LKST takes 20 s while both are busy, as each interrupt from one CPU to the other
# waits for the other's turn.
# form: module headers stock
# cpus: 1
# append: lkst.buffer_size=4M
# timeout: 1800
# suite: all

TIMES=100 exec "$(dirname "$0")/unload.t"
