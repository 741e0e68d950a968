# shellcheck shell=bash
# shellcheck disable=SC2154 # common.sh and its caller set these variables
# SPDX-License-Identifier: GPL-2.0
# Functions that count the instructions needed to record an event, for bench/record and
# tests/host/record_cost.t. Sourced after common.sh. They build programs in $work. The caller writes
# the output of record-guest to $work/counts.

# record_programs KBUILD [ARG...]: builds record-hook.ko for the kernel that was built in KBUILD,
# and record-guest. ARG are additional sources and compiler options for record-guest.
record_programs() {
	module "$1" "$top"/bench/record-hook.[ch]
	gcc -std=gnu11 -O2 -Wall -Wextra -Wno-missing-field-initializers -static -D_GNU_SOURCE \
		-I"$top/include/uapi" -I"$top/tests/vm" -I"$top"/bench -I"$top/bench/tracers" -o "$work/record-guest" \
		"$top"/bench/{record-guest,loads}.c "$top"/bench/tracers/{lkst,tracefs,ftrace,perf}.c "${@:2}"
}

# Prints the number of instructions of one iteration of the loop with the hook.
of_hook() { awk '$1 == "hook" && $2 == "hook" { printf "%.1f", $5 }' "$work/counts"; }

# Prints the number of instructions that a rule with one comparison adds to a record.
of_rule() {
	awk '$2 == "hook" { none = $5 } $2 == "rule-1" { printf "%.1f", $5 - none }' "$work/counts"
}

# Prints the number of instructions of a further comparison in a rule: the difference between a rule
# with three comparisons and a rule with two.
of_comparison() {
	awk '$2 == "rule-2" { two = $5 } $2 == "rule-3" { printf "%.1f", $5 - two }' "$work/counts"
}

# Prints the number of instructions that a watch takes for two events that it pairs.
of_watch() {
	awk '$3 == "lkst" && $2 == "getppid" { records = $5 } $3 == "lkst" && $2 == "watch" { printf "%.1f", $5 - records }' "$work/counts"
}

# more LOAD EVENTS TRACER NUM: prints how many instructions the tracer adds to an iteration, divided
# by NUM, the number of events in an iteration.
more() {
	awk -v what="$1 $2 $3" -v num="$4" '$1 " " $2 " " $3 == what { printf "%.1f", ($5 - $4) / num }' "$work/counts"
}
