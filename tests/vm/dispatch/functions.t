#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The functions that LKST offers to kernel code (specification 4.7.2) work in each context that may
# call them, and return the errors that programs cannot cause.
# kernel: base debug
# append: lkst.memory=64M
# timeout: 600

debug=/sys/kernel/debug
if [ -d $debug/failslab ]; then
	for fault in failslab fail_page_alloc; do
		echo N >$debug/$fault/ignore-gfp-wait
		echo 0 >$debug/$fault/verbose
	done
	echo N >$debug/fail_page_alloc/ignore-gfp-highmem
	echo 0 >$debug/fail_page_alloc/min-order
fi
exec ./functions
