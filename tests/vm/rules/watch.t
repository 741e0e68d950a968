#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# lkst watch: which events make a pair, what is measured, what happens when a span is late, and how
# watches are listed, reset and deleted.
# kernel: base
# kernel-all: base debug
# append: lkst.buffer_size=4M
# timeout: 300

# shellcheck source=../commands/rows.sh
. "$(dirname "$0")/rows.sh"

selected=$(field maskset | cut -d ' ' -f 1)
lkstm read -d -m 0 | grep -v '^#' | lkstm write -n watching >/dev/null
lkstm config -n watching lkst_watch entry_log
lkstm set -n watching
watch() { lkst watch "$@"; }
# of NAME MEMBER: print a member of the JSON of a watch
of() { watch --list --json "$1" | json "0.$2"; }
mark() { lkstlogger -ev user_mark -a1 "$1" -a2 "${2:-0}" -a3 "${3:-0}"; }
rules() { lkstm rule -n watching --list; }

# --- a period: the same event begins and ends spans

is 'a watch is created' "$(watch user_mark user_mark by arg1,arg2 --name beat --over 100ms)" 'watch beat'
is 'the event has a rule' "$(rules)" 'user_mark do record, watch(beat)'
mark 7 1
mark 8 1
mark 7 2
is 'other keys do not match' "$(of beat count) $(of beat open) $(of beat unmatched)" '0 3 3'
sleep 0.3
mark 7 1
is 'a span' "$(of beat count) $(of beat late) $(of beat worst.0.key.0.value) $(of beat worst.0.key.1.value)" '1 1 7 1'
ok 'its length' [ "$(of beat max)" -ge 300000000 ]
is 'the sum of one span' "$(of beat sum) $(of beat worst.0.ns)" "$(of beat min) $(of beat max)"
now=$(date +%s)
ok 'when it ended' [ "$(of beat worst.0.time | cut -c 1-10)" -ge $((now - 100)) ]
contains 'the late span is recorded' "$(lkstbuf print --own -r -e lkst_watch)" ' lkst_watch  *ns=[0-9]{9,} key=7 key2=1 name=beat$'
contains 'the list' "$(watch --list)" '^beat: user_mark to user_mark by arg1,arg2, over 100 ms$'
contains 'the list has the figures' "$(watch --list)" '^  1 spans, 1 late, 3 open, 3 ends unmatched, 0 begins abandoned, 0 missed$'
contains 'the list has the histogram' "$(watch --list)" '^  [0-9.]+ m?s +[0-9.]+ m?s +1  #{40}$'
contains 'the list has the longest spans' "$(watch --list beat)" '^  [0-9.]+ m?s +[0-9:.]{15} +[0-9]+ +[0-9]+  arg1=7 arg2=1$'
watch --reset beat
is 'reset' "$(of beat count) $(of beat max) $(of beat open)" '0 0 3'
lkstm rule -n watching user_mark if 'arg3 == 0' do 'watch(beat)'
mark 7 2 1
is 'a rule limits a watch to its condition' "$(of beat count)" 0

# --- deleting

lkstm rule -n watching user_mark if 'arg3 == 0' do 'drop, watch(beat)'
watch --delete beat
is 'the rule no longer contains the watch' "$(rules)" 'user_mark if arg3 == 0 do drop'
is 'no watch' "$(watch --list)" ''
lkstm rule -n watching '!user_mark'
watch user_mark user_mark by arg1 --over 100ms >/dev/null
is 'the default name' "$(of user_mark name)" user_mark
watch --delete user_mark
is 'a rule of which nothing remains' "$(rules)" ''
mark 7 3
contains 'an event that was recorded before the watch is still recorded' \
	"$(lkstbuf print --own -r -e user_mark)" ' arg1=0x7 arg2=0x3 '

# --- two events, with conditions, and fields of the thread

watch 'system_call_entry if number == clock_nanosleep' system_call_exit by tid --name naps --over 200ms >/dev/null
is 'both events have rules' "$(rules | sort | tr '\n' ';')" 'system_call_entry do record, watch(naps) if number == clock_nanosleep;system_call_exit do record, watch(naps);'
sleep 0.25 &
nap=$!
sleep 0.05
wait $nap
# A CPU of the VM may pause, so another thread may have slept longer.
contains 'the spans of two threads' "$(watch --list --json naps)" "\"value\": *\"?$nap([^0-9]|\$)"
ok 'the longer one is late' [ "$(of naps late)" -ge 1 ]
ok 'their lengths' [ "$(of naps max)" -ge 250000000 ]
watch --delete naps
is 'events that were masked before the watch are masked again' \
	"$(rules)$(lkstm read -d -n watching | grep -c ' 0x001 .*system_call_\(entry\|exit\)(')" 0

# --- simple rules take a fast path, but must have the same results as the rules that do not

lkstm config -n watching user_mark,user_text on
# The key is an argument of both events. umask 022 begins and ends a span, umask 077 only ends one.
umasks() { for _ in 1 2 3 4 5; do umask 022; umask 077; done; umask 022; }
# once: call umask(), and print the number of spans, of ends without a begin, of late spans and of
# records
once() {
	watch --reset masks
	lkstlogger -s begin
	umasks
	echo "$(of masks count) $(of masks unmatched) $(of masks late)" \
		"$(lkstbuf print --own -r -e user_text,system_call_entry,system_call_exit,lkst_watch |
			awk '/ user_text / { num = 0 } / lkst_watch |umask/ { num++ } END { print num }')"
}
# measured: print what once prints. Another process may call umask() at the same time, so try again
# until two results are equal.
measured() {
	result=$(once) before=
	for _ in 1 2 3 4 5 6 7 8; do
		[ "$result" != "$before" ] || break
		before=$result result=$(once)
	done
	echo "$result"
}
# begins ACTIONS: how the event that begins a span is handled
begins() { lkstm rule -n watching system_call_entry if 'arg1 == 18' do "watch(masks)$1"; }
for over in 1ns 100s; do
	watch system_call_entry system_call_exit by number --name masks --over "$over" >/dev/null
	begins ''
	lkstm rule -n watching system_call_exit if 'number == umask' do 'watch(masks)'
	fast=$(measured)
	contains "over $over: spans, and ends without a begin" "$fast" '^[1-9][0-9]* [1-9]'
	lkstm limit -n watching --uid 0
	is "over $over: the same with a limit" "$(measured)" "$fast"
	lkstm limit -n watching --clear
	lkstm rule -n watching user_mark do 'enable(system_call_entry), enable(system_call_exit)'
	is "over $over: the same with rules that turn the events on" "$(measured)" "$fast"
	lkstm rule -n watching '!user_mark'
	begins ', off if number == 9999'
	is "over $over: the same with a second action" "$(measured)" "$fast"
	watch --delete masks
	lkstm rule -n watching '!system_call_entry' 2>/dev/null
	lkstm rule -n watching '!system_call_exit' 2>/dev/null
done
lkstm config -n watching system_call_entry,system_call_exit off

# --- actions

watch user_mark user_mark by arg1 --name twice --over 50ms --do 'off if arg2 == 3, stop(1000000)' --count 1 >/dev/null
is 'the count of each action' "$(of twice text)" 'arg1 do off:1 if arg2 == 3, stop(1000000):1'
mark 1
sleep 0.1
mark 1 2
contains 'the condition of an action' "$(lkst status)" '^state +running'
sleep 0.1
mark 1 3
contains 'the action takes place' "$(lkst status)" '^state +stopped'
lkst start
sleep 0.1
mark 1 3
sleep 0.1
mark 1 3
contains 'but not more often than its count' "$(lkst status)" '^state +running'
is 'late spans are counted' "$(of twice late)" 4
watch --delete twice

# No rule reads strings of programs, so the watch itself has to allocate memory for them.
watch 'system_call_entry if number == openat' 'system_call_entry if number == openat' by tid --name named \
	--over 1ns --do 'off:1 if arg2.ustring == "named"' >/dev/null
sh -c ': >other; : >other'
contains 'an action reads a string of the program' "$(lkst status)" '^state +running'
sh -c ': >named; : >named'
contains 'the action takes place if the string is equal' "$(lkst status)" '^state +stopped'
lkst start
watch --delete named

# --- errors

rows <<'END'
no such field | lkst watch user_mark user_mark by thread | 2 | user_mark: character [0-9]+: the event has no field "thread" of the key | lkst watch --list | -
a string | lkst watch process_waking process_waking by name | 2 | "name" of the key is not a number
a condition | lkst watch 'user_mark if foo == 1' user_mark by arg1 | 2 | unknown field "foo" | lkstm rule -n watching --list | -
an action | lkst watch user_mark user_mark by arg1 --over 1ms --do 'off, foo' | 2 | character 14: unknown action "foo"
record | lkst watch user_mark user_mark by arg1 --over 1ms --do drop | 2 | a watch cannot have the actions record, drop and watch
five fields | lkst watch user_mark user_mark by arg1,arg2,arg3,arg4,tid | 2 | the key has more than 4 fields
an empty field | lkst watch user_mark user_mark by arg1,,arg2 | 2 | character 6: the name of a field is missing
no event | lkst watch user_mrk user_mark by arg1 | 1 | did you mean "user_mark"
an event of LKST | lkst watch lkst_init user_mark by arg1 | 1 | one of the events is absent in this kernel, or has no rules
a name | lkst watch user_mark user_mark by arg1 --name 'a b' | 2 | the kernel refuses the watch
no power of two | lkst watch user_mark user_mark by arg1 --spans 100 | 2 | --spans: 100 is not a power of two
a maskset | lkst watch -n all user_mark user_mark by arg1 | 1 | maskset 1 is built in
no watch | lkst watch --delete none | 1 | none: no such watch
no watch to reset | lkst watch --reset none | 1 | none: no such watch
no watch to list | lkst watch --list none | 1 | none: no such watch
a rule without a watch | lkstm rule -n watching user_mark do 'watch(none)' | 2 | there is no watch "none"
the name is used | lkst watch user_mark user_mark by arg1 --name a && lkst watch user_mark user_mark by arg1 --name a | 2 | there is a watch with this name
another event | lkstm rule -n watching user_text do 'watch(a)' | 2 | the watch "a" is about other events
END
watch --delete a
lkstm set -m "$selected"
lkstm delete -n watching
done_testing
