#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Part of bench/memory, runs in the VM: memory-guest.sh SIZE NUMBER FTRACE_EVENT... creates NUMBER
# buffers of SIZE bytes. Prints a line with the mean memory that a buffer uses, in bytes, and the
# number of records in a full buffer. Then prints the same for an ftrace buffer of this size.

set -eu
size=$1 number=$2
shift 2
tracing=/sys/kernel/tracing

# Prints the number of free 4 KB pages, including those on the per-CPU lists. Empties caches first,
# and waits for deferred frees.
free() {
	echo 3 >/proc/sys/vm/drop_caches
	sleep 1
	awk '$1 == "nr_free_pages" || $1 == "count:" { pages += $2 } END { print pages }' /proc/zoneinfo
}

# Causes system calls, context switches and related events, more than fit in the buffer.
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
