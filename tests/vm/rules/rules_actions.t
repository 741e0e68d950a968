#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Actions of rules: how often each of them takes place for known series of events, in combination
# with conditions and counts.
# kernel: base
# kernel-all: base debug
# append: lkst.buffer_size=4M
# timeout: 600

# shellcheck source=../commands/rows.sh
. "$(dirname "$0")/rows.sh"

trap 'lkst start >/dev/null 2>&1; lkstm set -m "$selected"; lkstm delete -n actions' EXIT
rule() { lkstm rule -n actions "$@"; }
mark() { lkstlogger -ev user_mark -a1 "$1" -a2 "${2:-0}"; }
begin() { lkstlogger -s begin; }
# marks FROM TO: record a mark with each of these numbers as its first argument
marks() { for i in $(seq "$1" "$2"); do mark "$i" $((i % 2)); done; }
# recorded: print the first arguments of the marks since the last call of begin, on one line
recorded() {
	lkstbuf print --own -r -e user_mark,user_text |
		awk '/ user_text /{ line = sep = ""; next }
			match($0, /arg1=0x[0-9a-f]+/) { line = line sep substr($0, RSTART + 7, RLENGTH - 7); sep = " " }
			END { print line }'
}

selected=$(field maskset | cut -d ' ' -f 1)
lkstm read -d -m 0 | grep -v '^#' | lkstm write -n actions >/dev/null || bail_out 'lkstm write'
lkstm config -n actions user_text on
lkstm set -n actions

# --- record, drop and counts

# expect RULE WANT: record marks from 1 to 6 with this rule; WANT are those that are in the trace
expect() {
	eval "rule user_mark $1"
	begin
	marks 1 6
	is "$1" "$(recorded)" "$2"
}
expect "if 'arg1 > 4'" '5 6'
expect "if 'arg1 > 4' do record" '5 6'
expect 'do record' '1 2 3 4 5 6'
expect 'do record:2' '1 2'
expect "if 'arg1 > 2' do record:3" '3 4 5'
expect "do 'record:1 if arg1 > 2, record:2 if arg1 > 3'" '3 4 5'
expect 'do drop' ''
expect 'do drop:4' '5 6'
expect "do 'drop if arg2 == 1'" '2 4 6'
expect "if 'arg1 < 3' do drop" '3 4 5 6'
expect "do 'record if arg1 > 2, drop if arg1 & 1'" '4 6'
expect "if 'arg1 < 5' do 'drop if arg1 == 2, record'" '1 3 4'
is 'the rule is listed as it was written' "$(rule --list)" \
	'user_mark if arg1 < 5 do drop if arg1 == 2, record'
is 'JSON: the condition' "$(rule --list --json | json rules.0.condition)" 'arg1 < 5'
is 'JSON: the actions' "$(rule --list --json | json rules.0.actions)" 'drop if arg1 == 2, record'

# --- counts belong to the rule

rule user_mark do record:3
begin
marks 1 2
lkstm config -n actions user_mark static_log
lkstm config -n actions user_mark entry_log
lkstm config -n actions process_fork on
lkstm config -n actions process_fork off
marks 3 5
is 'a count goes on when the maskset changes' "$(recorded)" '1 2 3'
rule user_mark do record:3
begin
marks 6 9
is 'it starts again when the rule is written' "$(recorded)" '6 7 8'
refused 'a wrong rule' 2 'character 14: unknown action "of" \(want record, drop, ' rule user_mark do 'record:1, of, drop'
is 'it leaves the old one, with its count' "$(begin; marks 1 2; recorded)" ''

# --- off and stop

rule user_mark do 'off if arg1 == 3'
begin
marks 1 5
is 'off stops LKST after the event' "$(recorded)" '1 2 3'
is 'LKST is stopped' "$(field state)" stopped
lkst start
rule user_mark do 'drop, off if arg1 == 3'
begin
marks 1 5
is 'off without a record' "$(recorded)/$(field state)" /stopped
lkst start
rule user_mark do 'stop(2) if arg1 == 2'
begin
marks 1 6
is 'stop after two further events' "$(recorded)" '1 2 3 4'
lkst start
rule user_mark do 'stop(0):1 if arg1 == 2'
begin
marks 1 3
lkst start
marks 1 3
is 'stop(0) stops at once; the count' "$(recorded)/$(field state)" '1 2 1 2 3/running'

# --- on: rules still apply while LKST is off

rule user_mark do 'off if arg1 == 2, on if arg1 == 5'
begin
marks 1 6
is 'off and on' "$(recorded)/$(field state)" '1 2 5 6/running'
marks 1 3
is 'LKST counts as stopped' "$(field state)" stopped
refused 'no other maskset can be selected' 1 'stopped' lkstm set -n default
lkst start
begin
mark 1
is 'lkst start ends the pause' "$(recorded)/$(field state)" 1/running
begin
marks 2 3
lkst stop
marks 5 6
is 'lkst stop ends it, too: then, no rule applies' "$(recorded)/$(field state)" 2/stopped
lkst start
rule user_mark do 'drop, off if arg1 == 1, on:1 if arg1 == 2, off:1 if arg1 == 3'
begin
marks 1 4
lkst start
is 'off and on without records' "$(recorded)/$(field state)" /running
rule '!user_mark'

# --- enable and disable

long() { lkstlogger -s "a text of more than 32 bytes, number $1"; }
# longs FROM TO: a mark with each of these numbers, each followed by a long text
longs() { for i in $(seq "$1" "$2"); do mark "$i" && long "$i"; done; }
texts() {
	lkstbuf print --own -r -e user_long_text,user_text |
		awk '/ user_text /{ line = sep = ""; next }
			match($0, /number [0-9]+/) { line = line sep substr($0, RSTART + 7, RLENGTH - 7); sep = " " }
			END { print line }'
}
entry() { lkstm read -n actions -d | sed -n 's/^0x0e2 //p'; }
window="enable(user_long_text) if arg1 == 2, disable(user_long_text) if arg1 == 4"
rule user_mark do "$window"
begin
longs 1 6
is 'an event is recorded in a window' "$(texts)" '2 3'
is 'the maskset masks it' "$(entry)" 0x000
is 'it has no rule' "$(rule --list)" "user_mark do $window"
begin
longs 2 2
lkstm config -n actions process_fork on
lkstm config -n actions process_fork off
rule process_exit do 'disable(user_long_text):1 if comm == none'
long 3
lkstm set -n nothing
long 4
lkstm set -n actions
long 5
is 'changes and selections of masksets leave it enabled' "$(texts)" '2 3 5'
rule '!user_mark'
long 6
is 'so does the end of one of two rules for it' "$(texts)" '2 3 5 6'
rule '!process_exit'
long 7
is 'after the last rule, the entry of the maskset is in force' "$(texts)" '2 3 5 6'
lkstm config -n actions user_long_text on
rule user_mark do "$window"
begin
longs 1 6
is 'an event that the maskset records, until it is disabled' "$(texts)" '1 2 3'
is 'its event handler' "$(entry)" 0x001
rule user_long_text if 'text ~ "*[2468]"'
begin
longs 1 6
longs 2 3
is 'an event with a rule of its own' "$(texts)" '2 2'
rule '!user_long_text'
rule '!user_mark'
begin
longs 4 5
is 'without rules, it is recorded' "$(texts)" '4 5'
lkstm config -n actions user_long_text off
for event in no_such_event lkst_init user_events_new; do
	refused "enable($event)" 2 "character 11: \"$event\": " rule user_mark do "enable($event)"
done
refused 'enable without an event' 2 'character 4: "enable" needs arguments \(want enable\(EVENT\)\)' rule user_mark do enable

# --- stack

if grep -q '^0x0f1 .* present ' /proc/lkst_etypes; then
	stacks() { lkstbuf print --own -r -e rule_stack 2>/dev/null | grep 'rule_stack '; }
	rule user_mark do 'drop, stack:3 if arg1 > 1'
	begin
	marks 1 6
	is 'the number of stacks' "$(stacks | grep -c .) $(recorded)" '3 '
	lacks 'each stack leads to the system call' "$(stacks | grep -vE 'ioctl.*<-(do_syscall_64|el0_svc)')" .
	rule '!user_mark'
	rule int_softirq_entry do 'drop, stack:20'
	rule process_contextswitch do 'drop, stack:20'
	ok 'stacks of interrupts and of the scheduler' wait_for eval 'test "$(stacks | grep -c .)" = 43'
	contains 'a stack of the scheduler' "$(stacks)" '(=|<-)__schedule<-'
	rule '!int_softirq_entry,process_contextswitch'
	lkstm config -n actions int_softirq_entry,process_contextswitch off
fi

# --- stopping LKST while events cause the action "on"

rule system_call_entry do on
lkstm config -n actions system_call_entry on
while :; do cat /proc/self/status; done >/dev/null 2>&1 &
load=$!
for _ in $(seq 100); do
	lkst stop
	lkst status | sed -n 's/^state *//p'
	lkst start
done >states
kill $load
wait $load
is 'LKST stays stopped' "$(sort states | uniq -c | sed 's/^ *//')" '100 stopped'
rule '!system_call_entry'
lkstm config -n actions system_call_entry off

lacks 'the kernel reports no trouble' "$(dmesg)" 'WARNING:|BUG:|RCU used illegally|suspicious RCU'
done_testing
