# shellcheck shell=bash
# shellcheck disable=SC2154 # what common.sh and its caller set
# SPDX-License-Identifier: GPL-2.0
# What counts the instructions of a record, for bench/record and tests/host/record_cost.t. Source it after common.sh;
# what it builds goes to $work, and $work/counts is what record-guest has printed.

# record_programs KBUILD [ARG...]: record-hook.ko for that kernel, and record-guest, with these sources and options for
# the compiler on top.
record_programs() {
	module "$1" "$top"/bench/record-hook.[ch]
	gcc -std=gnu11 -O2 -Wall -Wextra -Wno-missing-field-initializers -static -D_GNU_SOURCE \
		-I"$top/include/uapi" -I"$top/tests/vm" -I"$top"/bench -I"$top/bench/tracers" -o "$work/record-guest" \
		"$top"/bench/{record-guest,loads}.c "$top"/bench/tracers/{lkst,tracefs,ftrace,perf}.c "${@:2}"
}

# The instructions of the loop with the hook, once round.
of_hook() { awk '$1 == "hook" { printf "%.1f", $5 }' "$work/counts"; }

# more LOAD EVENTS TRACER NUM: the instructions that an iteration takes more with the tracer on, for each of NUM events.
more() {
	awk -v what="$1 $2 $3" -v num="$4" '$1 " " $2 " " $3 == what { printf "%.1f", ($5 - $4) / num }' "$work/counts"
}
