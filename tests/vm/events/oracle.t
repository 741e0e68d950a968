#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# LKST and ftrace record the same workload at the same time, and must record the same events. Each
# group of event types is recorded in a separate run. The workloads request NMI backtraces and run
# out of memory, so the kernel log has call traces.
# kernel: base
# kernel-all: base debug
# append: lkst.buffer_size=64M tsc=nowatchdog
# mem: 1536
# timeout: 600
# log-allow: Call [Tt]race

dir=$(mktemp -d ./oracle.XXXXXX) || exit
trap 'rm -rf "$dir"' EXIT
status=0
for group in processes memory network devices; do
	./oracle $group ./oracle_workload $group "$dir" || status=1
done
exit $status
