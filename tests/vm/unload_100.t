#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A hundred times: as unload.t, but on one CPU. With two that QEMU emulates in turns a load takes 20 s under full load, as
# each interrupt from one to the other waits for its turn.
# form: module headers stock
# cpus: 1
# append: lkst.buffer_size=4M
# timeout: 1800
# suite: all

TIMES=100 exec "$(dirname "$0")/unload.t"
