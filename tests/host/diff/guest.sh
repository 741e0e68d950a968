#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# guest.sh NAME:SEED:PLAN...: runs in a VM (run_counting_vm). For each argument, run load with this
# seed and plan, and write a trace of it to NAME.lkst.
set -e
lkstm config lock_contention_begin,lock_contention_end on
for run; do
	name=${run%%:*} rest=${run#*:}
	seed=${rest%%:*} plan=${rest#*:}
	./fresh.sh
	# shellcheck disable=SC2086 # no argument if there is no plan
	./load "$seed" $plan
	lkstbuf read -f "$name.lkst"
done >output 2>&1
cp ./*.lkst output /share
