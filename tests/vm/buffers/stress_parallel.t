#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Programs record on both CPUs as fast as they can, while another program reads.
# take-turns: no
# kernel: debug base
# append: tsc=nowatchdog
# timeout: 150

exec ./stress 20 steady
