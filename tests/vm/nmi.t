#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# NMIs interrupt CPUs that record as fast as they can, and record, too. Emulated CPUs run side by side: an NMI
# from another CPU must come at any moment.
# arch: x86_64
# take-turns: no
# kernel: debug
# kernel-all: debug base
# append: tsc=nowatchdog
# timeout: 400

exec ./nmi
