#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A machine that could have 64 CPUs.
# kernel: base
# append: lkst.buffer_size=1M possible_cpus=64

exec ./limits cpus
