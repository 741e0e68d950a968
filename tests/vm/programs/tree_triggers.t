#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Triggers have the same effects whether they are written to the directory lkst/ of debugfs or to
# the kernel's own tracing directory, and take place as often as their counts say. The tests
# rules_hist.t and synth.t compare histograms and synthetic events.
# kernel: base
# kernel-all: base debug
# append: lkst.buffer_size=4M lkst.user_events_tree=1

# shellcheck source=../commands/rows.sh
. "$(dirname "$0")/rows.sh"
# shellcheck source=tree.sh
. "$here/tree.sh"

finish() {
	echo 1 >$tree/tracing_on
	tree_finish
} >/dev/null 2>&1
trap finish EXIT
base=''
tracing=/sys/kernel/tracing
[ -d $tracing/events ] || mount -t tracefs nodev $tracing
lkstm set -n nothing

# in_load COMMANDS: run commands of a shell with the name that the conditions of the triggers expect
in_load() { sh -c "printf triggers >/proc/self/comm; $1; :"; }
# The shell runs a program six times. After the second and fourth time, it turns tracing on again.
load() {
	for _ in 1 2 3; do
		in_load '/bin/true; /bin/true'
		echo 1 >"$base/tracing_on"
	done
}

# numbers TRIGGERS: write the triggers to the directory $base, run the load, and print how many
# events and stacks were recorded. TRIGGERS are pairs EVENT/TRIGGER, separated by ";".
numbers() {
	: >"$base/trace"
	echo 'COMM == "triggers"' >"$base/events/sched/sched_process_fork/filter"
	echo 1 >"$base/events/sched/sched_process_fork/enable"
	echo "$1" | tr ';' '\n' | grep / >triggers
	while IFS=/ read -r event trigger; do
		echo "$trigger" >"$base/events/sched/sched_process_$event/trigger" || echo "refused: $trigger"
	done <triggers
	load
	for pattern in sched_process_fork: sched_process_exec: '<stack trace>'; do
		echo "$pattern $(grep -c "$pattern" "$base/trace")"
	done
	while IFS=/ read -r event trigger; do
		echo "!$trigger" >"$base/events/sched/sched_process_$event/trigger"
	done <triggers
	echo 0 >"$base/events/sched/sched_process_fork/enable"
	echo 0 >"$base/events/sched/sched_process_fork/filter"
}

# Without a condition, a trigger also applies to the fork of the shell that runs the load.
ours='COMM == "triggers"'
exec=sched:sched_process_exec
while IFS='|' read -r name triggers want; do
	base=$tracing numbers "$triggers" >theirs 2>&1
	base=$tree numbers "$triggers" >own 2>&1
	is "$name" "$(cat own)" "$(cat theirs)"
	is "$name: the numbers" "$(sed 's/.* //' own | tr '\n' ' ')" "$want "
done <<END
no trigger||6 0 0
traceoff|fork/traceoff if $ours|3 0 0
traceoff:2|fork/traceoff:2 if $ours|4 0 0
stacktrace|fork/stacktrace if $ours|6 0 6
stacktrace:4|fork/stacktrace:4 if $ours|6 0 4
traceoff:1 and stacktrace:3|fork/traceoff:1 if $ours;fork/stacktrace:3 if $ours|5 0 2
enable_event|fork/enable_event:$exec if $ours;exit/disable_event:$exec|6 6 0
enable_event:4|fork/enable_event:$exec:4 if $ours;exit/disable_event:$exec|6 4 0
stacktrace:3, without a condition|fork/stacktrace:3|6 0 3
traceoff:1, without a condition|fork/traceoff:1|4 0 0
a condition that is false|fork/traceoff:1 if $ours && child_pid == 1|6 0 0
END
lacks 'the kernel reports no trouble' "$(dmesg)" 'WARNING:|BUG:|RCU used illegally|suspicious RCU'
done_testing
