#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Rules: only events that meet a condition are recorded. Wrong rules are refused with the position of
# the error, and the old rule stays. Changes of the maskset keep its rules.
# kernel: base
# kernel-all: base debug
# append: lkst.buffer_size=4M
# timeout: 600

# shellcheck source=../commands/rows.sh
. "$(dirname "$0")/rows.sh"

# empty NAME: create a maskset that records nothing, set $id to its id, and select it
empty() {
	id=$(lkstm read -d -m 0 | grep -v '^#' | lkstm write -n "$1" | cut -d ' ' -f 2)
	lkstm set -n "$1"
}
rule() { lkstm rule -n rules "$@"; }
list() { rule --list; }
mark() { lkstlogger -ev user_mark -a1 "$1" -a2 "${2:-0}"; }
# recorded: print the first arguments of the marks since the last call of begin, on one line
begin() { lkstlogger -ev user_mark -a1 0xbe61; }
# since EVENT: print the arguments of the events since the last call of begin
since() {
	lkstbuf print --own -r -e "user_mark,$1" >since
	tail -n +"$(grep -n ' arg1=0xbe61' since | tail -n 1 | cut -d : -f 1)" since |
		grep -v -e ' user_mark ' -e '^#' | sed "s/.* $1  *//"
}
recorded() {
	lkstbuf print --own -r -e user_mark | sed -n 's/.*user_mark *arg1=\(0x[0-9a-f]*\).*/\1/p' |
		awk '{ line = $1 == "0xbe61" ? "" : line sep $1; sep = " " } $1 == "0xbe61" { sep = "" } END { print line }'
}

before=$(lkstm list | awk 'NR > 1 { print $1, $2, $NF }')
selected=$(field maskset | cut -d ' ' -f 1)
empty rules

# --- a rule selects events

rule user_mark if 'arg1 == 0xbe61 || arg1 >= 2 && arg1 < 4'
is 'a rule unmasks the event' "$(lkstm read -n rules | sed -n 's/^\(0x0e0 0x001\).*/\1/p')" '0x0e0 0x001'
is 'the rule is listed' "$(list)" 'user_mark if arg1 == 0xbe61 || arg1 >= 2 && arg1 < 4'
begin
for i in 1 2 3 4 5; do mark "$i"; done
is 'only events that meet the condition' "$(recorded)" '0x2 0x3'
rule user_mark if 'arg1 == 0xbe61 || arg2 & 6'
begin
for i in 1 2 3 4 5; do mark "$i" "$i"; done
is 'a rule is replaced' "$(recorded)" '0x2 0x3 0x4 0x5'
rule user_mark if 'arg1 == 0xbe61 || comm ~ "lkstlog*" && arg1 == 7'
begin
mark 7
mark 8
is 'the name of the thread' "$(recorded)" '0x7'
rule user_mark if 'arg1 == 0xbe61 || uid == 0 && pid != 1 && flags < 32 && cpu & CPUS{0-63}'
begin
mark 9
is 'values of the thread and of the CPU' "$(recorded)" '0x9'
is 'JSON' "$(rule --list --json | json rules.0.event_name)" user_mark

# --- wrong rules

list >rules.before
while IFS='|' read -r condition want; do
	refused "refused: $condition" 2 "^lkstm rule: user_mark: character $want" lkstm rule -n rules user_mark if "$condition"
done <<-'END'
	arg1 = 1|6: unexpected "=" \(want ==, !=, <, <=, >, >=, & or ~\)$
	arg1 == 1 && agr2 == 1|14: unknown field "agr2" \(want arg1, arg2, arg3, arg4, pid, tid, comm, uid, gid, cpu or flags\)$
	arg1 == x|9: "x" is not a value of "arg1" \(want a number or a name\)$
	(arg1 == 1|11: the condition is incomplete \(want &&, \|\| or "\)"\)$
	comm < x|6: "comm" is a string \(want ==, != or ~\)$
	arg1.function == no_such_function|18: "no_such_function" is not a function of the kernel
	comm == "über" && x == 1|19: unknown field "x"
END
is 'after a wrong rule, the old one stays' "$(list)" "$(cat rules.before)"
begin
mark 10
is 'after a wrong rule, the old one is in force' "$(recorded)" '0xa'
refused 'the maskset "all" takes no rule' 1 'maskset 1 "all" cannot be changed' lkstm rule -n all user_mark if 'arg1 == 1'
refused "LKST's own events have no rules" 2 'lkst_sync_time: LKST.s own events have no rules$' lkstm rule -n rules lkst_sync_time if 'cpu == 0'
refused 'no such maskset' 1 'no maskset' lkstm rule -m 77 user_mark if 'arg1 == 1'
refused 'no such rule' 1 'process_fork: no rule in maskset' lkstm rule -n rules --delete process_fork

# --- events of the kernel, and names of values

rule 'system_call_exit' if 'number == openat && result == -ENOENT && comm == cat'
begin
cat /nonexistent /proc/version >/dev/null 2>&1
is 'names of system calls and errors' "$(since system_call_exit | sort -u)" \
	'number=openat result=-ENOENT'
rule '!system_call_exit'
rule system_call_entry if 'number == openat && arg2.ustring ~ "*/stat" && comm == cat'
begin
cat /proc/self/stat /proc/version >/dev/null
is 'strings of programs' "$(since system_call_entry | grep -c number=openat)" 1
is 'a rule is deleted with "!"; two rules are listed' "$(list | sed 's/ .*//' | tr '\n' ' ')" 'system_call_entry user_mark '
rule -d system_call_entry
lkstm config -n rules system_call_entry off
if grep -q '^0x032 .* present ' /proc/lkst_etypes; then
	rule system_call_path if 'path ~ "*/a/path/of/more/than/24/bytes/*end" && comm == cat'
	begin
	cat /proc/version /no/such/a/path/of/more/than/24/bytes/or/so/the/end >/dev/null 2>&1
	is 'the whole string of a chain' "$(since system_call_path | sed 's/.*path=//' | sort -u)" \
		'/no/such/a/path/of/more/than/24/bytes/or/so/the/end'
	rule --delete system_call_path
fi

# --- a maskset that is changed or copied keeps its rules

rule user_mark if 'arg1 == 0xbe61 || arg1 == 3'
lkstm config -n rules user_mark static_log
lkstm config -n rules user_mark entry_log
lkstm config -n rules process_fork on
begin
for i in 2 3; do mark "$i"; done
is 'config keeps the rule' "$(recorded)" '0x3'
lkstm read -n rules | lkstm write -m "$id" >/dev/null
begin
for i in 2 3; do mark "$i"; done
is 'write keeps the rule' "$(recorded)" '0x3'
lkstm config -n rules user_mark off
is 'a masked event has no rule' "$(list)" ''

# --- rules while events arrive

rule user_mark if 'arg1 == 0xbe61'
lkstm config -n rules class:process,class:interrupt,class:syscall on 2>/dev/null
for word in class:interrupt class:syscall; do
	rule "$word" if 'cpu >= 0 && comm != "no such thread" && tid >= 0'
done
(for _ in $(seq 200); do cat /proc/self/status; done >/dev/null) &
load=$!
for i in $(seq 40); do
	rule system_call_exit if "result < $i || comm ~ '*$i*'" || echo "$i"
	[ $((i % 4)) != 0 ] || rule '!system_call_exit' || echo "$i"
done >failed
wait "$load"
is 'rules change while events arrive' "$(cat failed)" ''

lkstm set -m "$selected"
lkstm delete -n rules
is 'no maskset is left' "$(lkstm list | awk 'NR > 1 { print $1, $2, $NF }')" "$before"
done_testing
