#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# LKST and ftrace record the same workload at the same time, and must have recorded the same. The
# workload asks for NMI backtraces, so there are call traces in the log.
# take-turns: no
# kernel: base debug
# append: lkst.buffer_size=64M tsc=nowatchdog
# mem: 1536
# log-allow: Call Trace

dir=$(mktemp -d ./oracle.XXXXXX) || exit
trap 'rm -rf "$dir"' EXIT
./oracle ./oracle_workload "$dir"
