#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Decodes with protoc what lkstbuf export writes for Perfetto, and tests that the events are those
# that lkstbuf print shows. lkstla_recompute.lkst was recorded in a VM with two CPUs; the other
# traces are synthetic.

. "$(dirname "$0")/host.sh"
use_tools mktrace
proto=$top/tools/lkst/lkstbuf/export/perfetto/perfetto.proto

# same NAME [--count | --cut] TRACE [OPTION...]: test that all events are exported
same() {
	local name=$1 how=()
	shift
	[[ $1 != --* ]] || { how=("$1") && shift; }
	contains "$name" "$("$top/tests/host/export_perfetto.py" "${how[@]}" "$proto" "$@" 2>&1)" \
		'^[1-9][0-9]* events, 0 problems, '
}

real=$top/tests/host/lkstla_recompute.lkst
same 'a real trace' "$real"
same 'a real trace: system calls' "$real" -e 'class:syscall'
same 'a real trace: a process' "$real" -p sh
same 'a real trace: without most switches' "$real" -p init --only
same 'a real trace: a part' "$real" --since +500ms --until +1s

for plan in '' files sleeps 'waits 1' 'waits 2' 'load irq 1' late user; do
	# shellcheck disable=SC2086 # a plan and its arguments
	mktrace trace $plan || bail_out "no trace: $plan"
	same "a trace: ${plan:-sample}" trace
done

# A trace has no losses if its seed is a multiple of 3.
for seed in {1..6}; do
	mktrace system system "$seed" || bail_out 'no trace of a simulated system'
	same "simulated system $seed" system
done
lkstbuf read --trace system -e 'process_*' -f part || bail_out 'no part of a trace'
same 'a part of a trace' part

for part in 3 6 9; do
	head -c $(($(stat -c %s system) * part / 10)) system >short
	same "$part tenths of a file" --cut short
done
loss='name: "the last events may be missing"'
# short OPTION...: print the export of the truncated trace as text
short() {
	lkstbuf export --format perfetto -f short -o - "$@" 2>/dev/null |
		protoc --proto_path="${proto%/*}" --decode=pf.Trace "${proto##*/}"
}
lacks 'the time before the end lacks no events' "$(short --until +2ms)" "$loss"
lacks 'nor do the first events' "$(short -n 50)" "$loss"
contains 'the loss of one CPU' "$(short -c 1)" "$loss"

mkdir gap
{ mktrace gap/early 2 100 0 && mktrace gap/late 1 50 1100; } || bail_out 'no files with a gap'
same 'two files with a gap' gap

# Arguments that no kernel records, names that are not text, and times that jump
mktrace hostile hostile
same 'hostile names' --count hostile
for seed in {1..4}; do
	mktrace random random "$seed" || bail_out 'no random trace'
	for cpu in 0 1 2; do
		same "random events $seed, CPU $cpu" --count random -c $cpu
	done
done
refused 'a CPU that Perfetto does not accept' 1 'an event is from CPU [0-9]+ \(Perfetto accepts CPUs 0 to 1023; -c selects a CPU\)' \
	lkstbuf export --format perfetto -f random -o out

# decode TRACE: print the export of a trace as text
decode() {
	lkstbuf export --format perfetto -f "$1" -o - 2>/dev/null |
		protoc --proto_path="${proto%/*}" --decode=pf.Trace "${proto##*/}" 2>&1
}

# --- processes

mktrace files files
decode files >text
contains 'a process has its command line' "$(grep -A 3 'processes {' text | tr -d '\n' | tr -s ' ')" 'cmdline: "[^"]+" cmdline: '
lacks 'strings are valid UTF-8' "$(decode hostile)" 'invalid UTF-8'

done_testing
