#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A machine that could have 64 CPUs, and runs two.
# kernel: base
# cpus: 64
# append: lkst.buffer_size=1M maxcpus=2

exec ./limits cpus
