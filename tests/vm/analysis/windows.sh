# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0
# Sourced by the tests that compare lkstla with counts in /proc, after measure.sh.
#
# Events may also occur between a mark and the reading of /proc. So there are two windows: the outer
# one begins before the first reading and ends after the second, and the inner one begins after the
# first and ends before the second. The difference of the readings must lie between the counts of
# the two windows, without any tolerance.

# Run a program on each CPU. Once a program runs on a CPU, all interrupts and softirqs that were
# counted or recorded on this CPU before have ended.
visit_cpus() {
	for cpu in $(seq 0 $(($(nproc) - 1))); do
		taskset $((1 << cpu)) true
	done
}

# read_proc NUMBER NAME...: copy the files /proc/NAME to NAME1 or NAME2
read_proc() {
	reading=$1
	shift
	visit_cpus
	for name; do
		cat "/proc/$name" >"$name$reading"
	done
	visit_cpus
}

# record_windows NAME...: run work(), and read the trace. Before and after work(), copy the files
# /proc/NAME, with a mark before and after each of the two readings.
record_windows() {
	mark 1
	read_proc 1 "$@"
	mark 2
	work
	mark 3
	read_proc 2 "$@"
	mark 4
	lkst stop
	read_trace
	lkst start
}

# in_windows ANALYSIS NAME: run an analysis on both windows, with the results in outer.NAME and
# inner.NAME
in_windows() {
	ok "lkstla $1, outer window" sh -c "lkstla $1 -f trace --any --since $(mark_time 1) --until $(mark_time 4) --csv >outer.$2"
	ok "lkstla $1, inner window" sh -c "lkstla $1 -f trace --any --since $(mark_time 2) --until $(mark_time 3) --csv >inner.$2"
	is "lkstla $1: nothing was lost" "$(lkstla "$1" -f trace --any --since "$(mark_time 1)" \
		--until "$(mark_time 4)" --json | sed -n 's/.*"lost" *: *\([0-9]*\).*/\1/p' | head -n 1)" 0
}

# bounded NAME INNER COUNT OUTER: test that COUNT, which is from /proc, is at least INNER, the count
# of the inner window, and at most OUTER, the count of the outer window
bounded() { ok "$1: $2 <= $3 <= $4" test "$2" -le "$3" -a "$3" -le "$4"; }
