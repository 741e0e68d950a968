#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# As oracle.t, with the CPUs side by side. So many switches of sources are where QEMU 7.2 hangs most.
# take-turns: no
# suite: all
# kernel: base
# append: lkst.buffer_size=64M tsc=nowatchdog
# mem: 1536
# timeout: 600
# log-allow: Call [Tt]race

exec ./oracle.t
