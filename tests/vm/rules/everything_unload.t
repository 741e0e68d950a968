#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# LKST as a module can be unloaded while all of these handle events at the same time: a watch, rules
# with hist() and trace(), triggers that were written to debugfs, added kprobes, a BPF program, and
# the compressed history. Afterwards it can be loaded again, and nothing is left.
# form: module headers stock
# append: lkst.buffer_size=256K lkst.history_size=1M lkst.history_share=100 lkst.user_events_tree=1
# timeout: 600

# shellcheck disable=SC2016,SC2086,SC2317
# shellcheck source=../commands/rows.sh
. "$(dirname "$0")/rows.sh"
# shellcheck source=../programs/tree.sh
. "$here/tree.sh"

# unload: unload LKST as soon as no program uses it
unload() { wait_for rmmod lkst 2>/dev/null; }
# hits: print how many events the histogram on standard input has counted. It is the output of
# "lkstm hist" or a file of debugfs.
hits() { awk '$1 == "Hits:" { print $2 }'; }
# more_than NUMBER COMMAND...: whether the number that the command prints is greater
more_than() {
	more_min=$1
	shift
	[ "$("$@" 2>/dev/null)" -gt "$more_min" ] 2>/dev/null
}
spans() { lkst watch --list --json waits | json 0.count; }
opened() { lkstm hist -n events system_call_entry | hits; }
switched() { hits <$tree/events/sched/sched_switch/hist; }
recorded() { lkstbuf print -r -e "$1" | grep -c " $1 "; }
runs() { lksteh list --json | sed -n '/"name": "bpf_all"/,/}/s/.*"runs": *\([0-9]*\).*/\1/p'; }
compressed() { lkstbuf list --json | sed -n '/"history/,$s/.*"events": *\([0-9]*\).*/\1/p' | sort -n | tail -n 1; }

history=true
[ "$(cat /sys/module/lkst/parameters/history_size)" != 0 ] || history=false
bpf=true
bpf_tool load record bpf_all >/dev/null 2>&1 || bpf=false

(while :; do cat /proc/self/status; done >/dev/null) &
load=$!
(while :; do sleep 0.01; done) &
more=$!
for i in 1 2 3; do
	# --- all of them begin

	ok "triggers are written: $i" eval "
		echo 'hist:keys=next_comm' >$tree/events/sched/sched_switch/trigger &&
		echo 'stacktrace:1000 if child_pid > 1' >$tree/events/sched/sched_process_fork/trigger &&
		echo 'enable_event:sched:sched_process_exit' >$tree/events/sched/sched_process_fork/trigger"
	ok "a synthetic event is added: $i" eval "
		lkstm event add 's:waited u64 ns; pid_t who; char name[16]' && lkstm config -n events synthetic:waited on"
	ok "kprobes are added: $i" eval "
		added_control 'p:reads vfs_read count=\$arg3:u64 c=\$comm' 'r:results vfs_read \$retval:s64' &&
		lkstm config -n events kprobes:reads,kprobes:results on"
	ok "rules are written: $i" eval "
		lkstm rule -n events system_call_entry if 'number == openat && arg2.ustring ~ \"/proc/*\"' \
			do 'hist(keys=comm:vals=tid), trace(waited,arg1,tid,comm), stack:100'"
	ok "a watch is created: $i" eval "
		lkst watch -n events process_waking process_contextswitch by thread=next --name waits \
			--do 'trace(waited,span,next,comm)'"
	if $bpf; then
		ok "a BPF program handles events: $i" eval "
			bpf_tool load record bpf_all && lkstm config -n events class:interrupt bpf_all"
	fi

	# --- all of them handle events

	while read -r name min command; do
		ok "$name: $i" wait_for more_than "$min" $command
	done <<-'END'
		watch 100 spans
		rule 10 opened
		trigger 100 switched
		synthetic 100 recorded synthetic:waited
		kprobe 10 recorded kprobes:reads
		kretprobe 10 recorded kprobes:results
		stack 5 recorded rule_stack
	END
	! $bpf || ok "bpf: $i" wait_for more_than 10 runs
	! $history || ok "history: $i" wait_for more_than 1000 compressed

	# --- LKST is unloaded meanwhile

	ok "LKST can be unloaded: $i" unload
	ok "LKST can be loaded again: $i" load_lkst
	is "no watch is left: $i" "$(lkst watch --list)" ''
	is "no added event is left: $i" "$(added_control --list)" ''
	lacks "no BPF program is left: $i" "$(lksteh list)" BPF
	lacks "the maskset is gone: $i" "$(lkstm list)" '^ *[0-9]+ +events '
	is "no trigger is left: $i" "$(grep -v '^#' $tree/events/sched/sched_switch/trigger)" ''
done
kill $load $more
wait
lacks 'the kernel reports no trouble' "$(dmesg)" 'WARNING:|BUG:|bad address|RCU used illegally|suspicious RCU'
done_testing
