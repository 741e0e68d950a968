#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Part of bench/memory, inside the VM: memory-guest.sh SIZE NUMBER FTRACE_EVENT... makes NUMBER buffers of SIZE bytes, and
# prints, in bytes: what one of them took of the machine's memory, and the records that a full one holds. Then the same
# of ftrace's buffer of that size.

set -eu
size=$1 number=$2
shift 2
tracing=/sys/kernel/tracing

# Pages of 4 KB; with those that a CPU has put aside for the next one who wants any, but without caches, and without what is
# still to be freed.
free() {
	echo 3 >/proc/sys/vm/drop_caches
	sleep 1
	awk '$1 == "nr_free_pages" || $1 == "count:" { pages += $2 } END { print pages }' /proc/zoneinfo
}

# System calls, context switches and what comes with them: more of each than there is room for.
load() { dd if=/dev/zero bs=1k count=$((size / 64)) 2>/dev/null | dd of=/dev/null bs=1k 2>/dev/null; }

lkst_buffers() {
	before=$(free)
	for id in $(seq "$number"); do
		lkstbuf create -c 0 -b "$id" -s "$size" >&2
	done
	took=$(((before - $(free)) * 4096 / number))
	lkstbuf jump -c 0 -b 1 >&2
	load
	lkstbuf jump -c 0 -b 0 >&2
	lkstbuf read -c 0 -b 1 -f /tmp/trace >&2
	echo "$took $(lkstbuf print --summary -f /tmp/trace | awk '$1 == "events" { print $2 }')"
	rm /tmp/trace
	for id in $(seq "$number"); do
		lkstbuf delete -c 0 -b "$id" >&2
	done
}

ftrace_buffer() {
	lkstm set -n nothing >&2
	echo 4 >$tracing/buffer_size_kb
	before=$(free)
	echo $((size / 1024)) >$tracing/buffer_size_kb
	took=$(((before - $(free)) * 4096))
	for event; do
		echo "$event" >>$tracing/set_event
	done
	load
	echo >$tracing/set_event
	echo "$took $(awk '$1 == "entries:" { print $2 }' $tracing/per_cpu/cpu0/stats)"
}

lkst_buffers
ftrace_buffer "$@"
