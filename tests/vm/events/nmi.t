#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# NMIs interrupt CPUs that record as fast as they can, and the NMI handler records events itself.
# Emulated CPUs run in parallel, so that an NMI from another CPU can arrive at any time.
# arch: x86_64
# take-turns: no
# kernel: debug
# kernel-all: debug base
# append: tsc=nowatchdog
# timeout: 400

exec ./nmi
