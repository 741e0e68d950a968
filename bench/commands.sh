# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # common.sh and its caller set and use these variables
# SPDX-License-Identifier: GPL-2.0
# Functions that measure commands on the host, for bench/print, bench/export, bench/lkstla,
# bench/html and bench/death. Sourced after common.sh. The time of a command is the CPU time of its
# process in user space and in the kernel.

# Builds the tools of LKST, and in $work the programs run-command and make-trace.
build_commands() {
	local cflags=(-std=gnu11 -O2 -g -Wall -Wextra -Wno-missing-field-initializers -D_GNU_SOURCE
		-I"$top/include/uapi" -I"$top/tools/lkst/lib/include" -iquote "$top/include" -iquote "$top/tools/lkst")
	lkstbuf=$top/build/bin/lkstbuf lkstla=$top/build/bin/lkstla
	make -C "$top/tools/lkst" >/dev/null
	gcc "${cflags[@]}" -o "$work/run-command" "$top/bench/run-command.c"
	gcc "${cflags[@]}" -o "$work/make-trace" "$top/bench/make-trace.c" "$top/build/obj/liblkst.a" -lzstd -lz
}

# run COMMAND...: runs COMMAND. Sets $cpu to its CPU time in seconds, $memory to its maximum memory
# in KB, and $lines to the number of lines in its output.
run() {
	local result
	result=$("$work/run-command" "$@" 2>"$work/errors") || die "$*: $(cat "$work/errors")"
	read -r cpu memory lines <<<"$result"
}

least() { awk -v a="$1" -v b="$2" 'BEGIN { print a == "" || b < a ? b : a }'; }

# run_often NUMBER COMMAND...: runs COMMAND NUMBER times. Sets $least_cpu to the minimum of $cpu.
# $lines and $memory are from the last run.
run_often() {
	local n=$1 i
	shift
	least_cpu=''
	for ((i = 0; i < n; i++)); do
		run "$@"
		least_cpu=$(least "$least_cpu" "$cpu")
	done
}

millions_a_second() { awk -v n="$1" -v s="$2" 'BEGIN { printf "%.2f", n / s / 1e6 }'; }
bytes_each() { awk -v b="$(stat -c %s "$1")" -v n="$2" 'BEGIN { printf "%.2f", b / n }'; }
mb() { awk -v kb="$1" 'BEGIN { printf "%.1f", kb / 1024 }'; }
ns_each() { awk -v s="$1" -v n="$2" 'BEGIN { printf "%.1f", s * 1e9 / n }'; }

events_in() { "$lkstbuf" print --summary -f "$1" | awk '$1 == "events" { print $2; exit }'; }
