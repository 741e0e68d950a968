#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# guest.sh NAME:SEED:PLAN...: runs in a VM. For each argument, run load with this seed and plan, and
# write a trace of it to NAME.lkst. If the clock of the VM counts instructions, it runs ahead while
# the VM waits for the host, so all programs and traces are in memory until the end.
set -e
mkdir /tmp/share
cp /share/load /share/fresh.sh /tmp/share
cd /tmp/share
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
