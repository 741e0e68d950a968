#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# On a machine with 64 CPUs, of which the kernel brings only two online, the others have no buffers.
# kernel: base
# cpus: 64
# append: lkst.buffer_size=1M maxcpus=2

exec ./limits cpus
