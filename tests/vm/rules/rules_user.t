#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Rules for the events of programs: their fields, which may be strings that __rel_loc locates. A rule
# is kept when its event ends. numbers.t tests what happens when another event gets its number.
# kernel: base
# kernel-all: base debug
# append: lkst.buffer_size=4M
# timeout: 400

# shellcheck source=../commands/rows.sh
. "$(dirname "$0")/rows.sh"

trap 'exec 9>&-; kill $load 2>/dev/null; wait; lkstm set -m "$selected"; lkstm delete -n rules_user; true' EXIT
load=
selected=$(field maskset | cut -d ' ' -f 1)
echo user_events_new on | lkstm write -n rules_user -S >/dev/null || bail_out 'lkstm write'
rule() { lkstm rule -n rules_user "$@"; }
list() { rule --list; }

# begin [other]: start a program, and wait until it has registered its events
begin() {
	rm -f go load
	mkfifo go
	readers_load "$@" <go >load 2>&1 &
	load=$!
	exec 9>go
	wait_for grep -qs registered load || fail 'the program registers its events' "$(cat load)"
}

# finish: let the program record its events, and wait until it has ended
finish() {
	echo go >&9
	exec 9>&-
	wait "$load"
}

# recorded EVENT: print the first values of the recorded events of the last program, on one line
recorded() {
	lkstbuf print -r -e "$1" -p "$load" 2>/dev/null | sed -n 's/.*user_events:[a-z_]*  *id=\([0-9]*\).*/\1/p' |
		sort -n | tr '\n' ' '
}

# check NAME EVENT CONDITION IDS: write a rule, record, and compare the ids of the recorded events
check() {
	begin
	rule "$2" if "$3" || fail "$1" "$3"
	finish
	is "$1" "$(recorded "$2")" "$4"
}

begin
finish
is 'without rules, every event is recorded' "$(recorded rd_start)$(recorded rd_stop)" '1 2 3 1 2 3 '

# --- fields

check 'an unsigned number' rd_start 'id >= 2' '2 3 '
check 'a signed number, in 64 bits' rd_start 'size < -1 && size > -3' '2 '
check 'a signed number, in 32 bits' rd_stop 'result == -1 || result == -3' '1 3 '
check 'an array of characters' rd_start 'kind == read && id != 1' '2 3 '
check 'an array of characters, of which only the beginning is equal' rd_start 'kind == rea' ''
check 'a pattern' rd_start 'kind ~ "r?a[a-d]" && id == 1' '1 '
check 'a string with a location' rd_stop 'msg == "the request has been answered: a long text" && id < 3' '1 2 '
check 'a pattern for a string with a location' rd_stop 'msg ~ "*answered: a long*" && id == 3' '3 '
check 'a string with a location that differs' rd_stop 'msg != "the request has been answered: a long text"' ''
check 'the program and its name' rd_stop "pid != 1 && comm == readers_load && id == 2" '2 '

# If an event is left out, all parts of its chain are left out.
check 'no event meets the condition' rd_stop 'id > 3' ''
is 'no part of a chain is recorded without the event' "$(lkstbuf print -r -e lkst_more -p "$load" 2>&1 | grep -c lkst_more)" 0

begin
refused 'an unknown field' 2 \
	'^lkstm rule: user_events:rd_stop: character 1: unknown field "kind" \(want id, result, msg, pid, tid, comm, uid, gid, cpu or flags\)$' \
	lkstm rule -n rules_user rd_stop if 'kind == read'
refused 'a number for a string' 2 '^lkstm rule: user_events:rd_start: character 6: "kind" is a string' lkstm rule -n rules_user rd_start if 'kind > 1'
refused 'a number that is too big' 2 '^lkstm rule: user_events:rd_start: character 7: "4294967296": "id" has only 32 bits' \
	lkstm rule -n rules_user rd_start if 'id == 4294967296'
is 'JSON' "$(rule --list --json | json rules.0.event_name)" user_events:rd_start

# --- the end of an event

rule rd_start if 'id == 2'
rule rd_stop if 'id == 3'
finish
begin
is 'an event that continues keeps its rule' "$(list)" 'user_events:rd_start if id == 2
user_events:rd_stop if id == 3'
finish
is 'the rule is still in force' "$(recorded rd_start)$(recorded rd_stop)" '2 3 '
begin other
is 'other events of the same kind have no rule' "$(list | grep -c other_)" 0
finish
is 'all of its events are recorded' "$(recorded other_start)$(recorded other_stop)" '1 2 3 1 2 3 '

# Programs register events while rules are written. A rule either stays with its event or is gone.
registers again 8 &
again=$!
for i in $(seq 12); do
	lkstm rule -n rules_user user_events:registers_again if "a == $i" 2>errors || grep -qE 'unknown event|does not occur|cannot occur' errors ||
		cat errors
done >failed
wait "$again"
is 'rules for events that end and continue' "$(cat failed)" ''
done_testing
