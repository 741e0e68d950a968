#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Rules with the action hist count events by the values of fields. If the kernel has histograms of
# its own (CONFIG_HIST_TRIGGERS), LKST's histograms have the same entries.
# kernel: base
# kernel-all: base debug
# append: lkst.buffer_size=4M lkst.memory=64M
# timeout: 600

# shellcheck source=../commands/rows.sh
. "$(dirname "$0")/rows.sh"

selected=$(field maskset | cut -d ' ' -f 1)
trap 'lkstm set -m "$selected"; lkstm delete -n hists; rm -f histload' EXIT
lkstm read -d -m 0 | grep -v '^#' | lkstm write -n hists -S >/dev/null || bail_out 'lkstm write'
rule() { lkstm rule -n hists "$@"; }
hist() { lkstm hist -n hists "$@"; }
mark() { lkstlogger -ev user_mark -a1 "$1" -a2 "${2:-0}"; }
# entries [ARGS]: print the entries of a histogram, with single blanks
entries() { hist "$@" | sed -n 's/  */ /g; /^{/p'; }
totals() { hist "$@" | sed -n 's/^    //p' | tr '\n' ' '; }

# --- keys, sums, and sorting

start=$(new_second)
rule user_mark do 'hist(keys=arg1:vals=arg2:sort=arg2.descending), drop'
for i in 1 2 3 1 2 1; do mark "$i" $((i * 10)); done
is 'entries' "$(entries)" '{ arg1: 2 } hitcount: 2 arg2: 40
{ arg1: 1 } hitcount: 3 arg2: 30
{ arg1: 3 } hitcount: 1 arg2: 30'
is 'totals' "$(totals)" 'Hits: 6 Entries: 3 Dropped: 0 '
is 'the first line' "$(hist user_mark | head -n 1)" '# user_mark hist(keys=arg1:vals=arg2:sort=arg2.descending) [active]'
is 'no event is recorded' "$(lkstbuf print --own -r -e user_mark --since "$start" 2>/dev/null | grep -c user_mark)" 0
is 'JSON' "$(hist --json | json histograms.0.entries.0.sums.arg2)" 40
is 'JSON: the event' "$(hist --json | json histograms.0.event_name)" user_mark
is 'the histogram of another event' "$(hist process_fork)" ''
entries --reset >before
is 'entries that are deleted are printed' "$(wc -l <before)" 3
is 'after that, there are none' "$(totals)" 'Hits: 0 Entries: 0 Dropped: 0 '
mark 7
is 'and new ones are counted' "$(entries)" '{ arg1: 7 } hitcount: 1 arg2: 0'

rule user_mark do 'hist(keys=arg1.log2), hist(keys=arg1.buckets=10,comm:vals=hitcount.percent) if arg1 > 5, drop'
for i in 1 5 7 8 10 19; do mark "$i"; done
is 'log2, buckets, and a condition of the action' "$(entries)" '{ arg1: ~ 2^0 } hitcount: 1
{ arg1: ~ 2^4 } hitcount: 1
{ arg1: ~ 2^5 } hitcount: 1
{ arg1: ~ 2^3 } hitcount: 3
{ arg1: ~ 0-9, comm: lkstlogger } hitcount (%): 50.00
{ arg1: ~ 10-19, comm: lkstlogger } hitcount (%): 50.00'
is 'JSON: two histograms' "$(hist --json | json histograms.1.hits)" 4

rule user_mark do 'hist(keys=arg1:size=128), drop'
cpus=$(grep -c ^processor /proc/cpuinfo)
for i in $(seq 130); do taskset 1 lkstlogger -ev user_mark -a1 "$i"; done
is 'what does not fit is counted' "$(totals)" 'Hits: 128 Entries: 128 Dropped: 2 '

# --- pause, cont, clear, and names

rule user_mark do 'hist(keys=arg1:pause), drop'
mark 1
is 'paused from the start' "$(totals) $(hist | sed -n 's/^#.*\[/[/p')" 'Hits: 0 Entries: 0 Dropped: 0  [paused]'
rule user_mark do 'hist(keys=arg1:cont), drop'
mark 1
rule user_mark do 'hist(keys=arg1:pause), drop'
mark 1
is 'paused again, with its entries' "$(totals)" 'Hits: 1 Entries: 1 Dropped: 0 '
refused 'a wrong rule' 2 'unknown action "nothing"' lkstm rule -n hists user_mark do \
	'hist(keys=arg1:clear), hist(keys=arg1:cont), drop, nothing'
is 'a wrong rule changes no histogram' "$(totals) $(hist | sed -n 's/^#.*\[/[/p')" \
	'Hits: 1 Entries: 1 Dropped: 0  [paused]'
rule user_mark do 'hist(keys=arg1:clear), drop'
is 'cleared, and still paused' "$(totals) $(hist | sed -n 's/^#.*\[/[/p')" 'Hits: 0 Entries: 0 Dropped: 0  [paused]'
rule user_mark do 'hist(keys=arg1), drop'
mark 1
is 'a new histogram counts from 0' "$(totals)" 'Hits: 1 Entries: 1 Dropped: 0 '
rule user_mark do 'hist(keys=comm:name=both), drop'
rule user_text do 'hist(keys=comm:name=both), drop'
mark 1
lkstlogger -s text
is 'events share a histogram' "$(totals user_text)" 'Hits: 2 Entries: 1 Dropped: 0 '
refused 'a name with other keys' 2 'user_text: character 9: histogram "both" has other keys or sums' \
	lkstm rule -n hists user_text do 'hist(keys=tid:name=both)'
lkstm rule -n hists -d user_text,user_mark
is 'no histogram without a rule' "$(hist)" ''

# --- wrong definitions

while IFS='|' read -r args want; do
	refused "refused: $args" 2 "^lkstm rule: user_mark: character $want" lkstm rule -n hists user_mark do "hist($args)"
done <<-'END'
	vals=arg1|9: a histogram needs keys
	keys=arg5|14: unknown field "arg5" \(want arg1
	keys=arg1.dec|19: unknown modifier "dec" of a key
	keys=arg1:vals=comm|24: "comm" is a string
	keys=arg1:size=1|24: "1" is not a valid number of entries
END
used() { lkst status | sed -n 's/^memory  *\([^ ]*\).*/\1/p'; }
before=$(used)
rule user_mark do 'hist(keys=arg1:size=8192), drop'
ok 'its memory counts' test "$(used)" != "$before"
refused 'a histogram that is too large' 1 'not enough memory' lkstm rule -n hists user_text do \
	'hist(keys=text,comm:size=131072), hist(keys=text,tid:size=131072), hist(keys=tid,text:size=131072), hist(keys=text:size=131072), hist(keys=text,comm,tid:size=131072), hist(keys=comm,tid:size=131072), hist(keys=comm:size=131072), hist(keys=tid:size=131072)'
lkstm rule -n hists -d user_mark
is 'its memory is freed' "$(used)" "$before"

# --- the same numbers as the kernel's histograms

tracing=/sys/kernel/tracing
[ -d $tracing/events ] || mount -t tracefs nodev $tracing 2>/dev/null
cp "$(command -v dd)" histload
load() {
	for _ in 1 2 3 4 5; do
		./histload if=/dev/zero of=/dev/null bs=64k count=200 2>/dev/null
		./histload if=/proc/self/status of=/dev/null bs=1 2>/dev/null
		./histload if=/no/such/file 2>/dev/null
	done
}
# values: print the values of each entry of a histogram, sorted: "KEY[ KEY] HITCOUNT [SUM]"
values() { sed -n '/^{/ { s/[{},]//g; s/[a-z_]*: *//g; s/  */ /g; s/^ //; p }' | sort; }
# same NAME EVENT KEYS TRACEPOINT KEYS: test that a rule and a trigger of ftrace count the same
same() {
	if [ ! -e "$tracing/events/$4/hist" ]; then
		skip "$1" 'the kernel has no histograms'
		return
	fi
	lkstm set -n hists
	rule "$2" if 'COMM == histload' do "hist($3), drop"
	echo "hist:$5 if COMM == \"histload\"" >"$tracing/events/$4/trigger"
	load
	echo 0 >$tracing/tracing_on
	values <"$tracing/events/$4/hist" >theirs
	hist "$2" | values >ours
	echo "!hist:$5" >"$tracing/events/$4/trigger"
	rule -d "$2"
	ok "$1: there are entries" test -s theirs
	is "$1" "$(cat ours)" "$(cat theirs)"
}
same 'system calls by number' system_call_entry keys=number raw_syscalls/sys_enter keys=id
same 'kmalloc by requested size, with the sum of the allocated sizes' mem_kmalloc \
	keys=requested:vals=allocated kmem/kmalloc keys=bytes_req:vals=bytes_alloc
same 'kmalloc by powers of two' mem_kmalloc keys=requested.log2:vals=requested kmem/kmalloc \
	keys=bytes_req.log2:vals=bytes_req
same 'wakeups by priority and CPU' process_waking keys=prio,cpu:size=256 sched/sched_waking \
	keys=prio,target_cpu:size=256
same 'wakeups by the name of the waking thread' process_waking keys=tid.execname sched/sched_waking \
	keys=common_pid.execname

lkstm set -m "$selected"
done_testing
