#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# lkstm changes masksets with config, write, copy and delete, and accepts every way to name events.
# Bad input changes nothing. The test also covers lkst dump, which fails if the selected
# maskset does not record process_state.
# kernel: base
# kernel-all: base debug
# append: lkst.buffer_size=4M
# timeout: 600

. "$(dirname "$0")/rows.sh"

state() { lkstm list; lkstm read -A; }
entries() { lkstm read -d "$@" | grep -v '^#'; }
# recorded NAME: print the events that a maskset records as "event=handler" on one line, sorted by
# number
# numbers NAME: print only the numbers of these events
recorded() { lkstm read -n "$1" | awk '/^0x/ && $2 != "0x000" { sub(/\(.*/, "", $4); printf "%s%s=%d", sep, $4, $2; sep = " " }'; }
numbers() { lkstm read -d -n "$1" | awk '/^0x/ && $2 != "0x000" { printf "%s%s", sep, $1; sep = " " }'; }
# types FIRST LAST STATE: print the numbers of the event types from FIRST to LAST whose state in
# this kernel is STATE, without lkst_more, which has no entry in masksets
types() { awk -v first="$1" -v last="$2" -v state="$3" '/^0x/ && $1 >= first && $1 <= last && $5 == state && $1 != "0xf0a" { printf "%s%s", sep, $1; sep = " " }' /proc/lkst_etypes; }
# empty NAME: create a maskset that records nothing, and set $id to its id
empty() { id=$(lkstm write -n "$1" <nothing | cut -d ' ' -f 2); }

entries -m 0 >nothing
masksets=$(lkstm list | awk 'NR > 1 { print $1, $2, $NF }')
make_absent || exit
contains 'an event is absent in this kernel' "$(cat /proc/lkst_etypes)" "^$absent_number .* absent \"$absent\""

# --- config: words for events

empty one
is 'a new maskset that records nothing' "$(recorded one)" ''
while IFS='|' read -r words want; do
	lkstm config -m "$id" all 0
	is "config $words: exactly these events" "$(lkstm config -m "$id" "$words" entry_log && numbers one)" "$want"
done <<-END
	system_call_entry|0x030
	system_call_*|0x030 0x031 0x032
	class:memory|$(types 0x040 0x05f present)
	0x040-0x05f|$(types 0x040 0x05f present)
	all|$(types 0x000 0xfff present)
	system_call_entry, 0x010,  user_mark|0x010 0x030 0x0e0
END
lkstm config -m "$id" '*' none
is 'config with handler none' "$(recorded one)" ''
is 'conf -n, handlers by name and number' "$(lkstm conf -n one user_mark static_log &&
	lkstm conf -n one class:syscall 0x002 && lkstm config -n one SYSCALL_EXIT 1 && recorded one)" \
	'system_call_entry=2 system_call_exit=1 system_call_path=2 user_mark=4'

lkstm config -n one all off
is 'conf: on and off' "$(lkstm conf -n one class:syscall on && lkstm conf -n one system_call_exit off && recorded one)" \
	'system_call_entry=1 system_call_path=1'
# The name of a tracepoint in the kernel, as listed in /proc/lkst_etypes, selects the event types
# whose only source is that tracepoint. system_call_path has several sources, so no name of a
# tracepoint selects it.
sed -n 's/^\(0x[0-9a-f]*\) [^ ]* [^ ]* \([^ ]*\) present .*/\1 \2/p' /proc/lkst_etypes | grep -E '(tp|hook):' | grep -v '^0x032 ' >sources
points=$(sed 's/.* //' sources | tr ',' '\n' | sed -nE 's/^(tp|hook)://p' | sort -u | tr '\n' ',')
contains 'event types come from tracepoints' "$points" '(^|,)sched_switch,(.*,)?sys_enter,'
lkstm config -n one all off
is 'config: tracepoints: exactly their events' "$(lkstm config -n one "${points%,}" on && numbers one)" \
	"$(awk '{ printf "%s%s", sep, $1; sep = " " }' sources)"

# --- config: absent events

lkstm config -n one all 0
ok 'a range with an absent event' sh -c 'lkstm config -n one 0x0e0-0x100 1 2>stderr'
is 'a range with an absent event: the other events are recorded' "$(numbers one)" "$(types 0x0e0 0x100 present)"
contains 'a range with an absent event: the message names that event' "$(cat stderr)" "^lkstm: not recorded, because they are absent in this kernel: $absent\$"
rows <<-'END'
	masking a range with an absent event prints nothing | lkstm config -n one 0x0e0-0x100 0 | 0 | -
	an absent event can be masked | lkstm config -n one "$absent" 0 | 0 | -
END
state >before
for words in "$absent" "$absent_number" "$absent_mnemonic" "user_mark,$absent" "${absent%e}*" "$absent_number-$absent_number"; do
	refused "absent: $words" 1 "^lkstm: event \"$absent\" \($absent_number\) cannot be recorded: it is absent in this kernel" \
		lkstm config -n one "$words" 1
done
is 'absent: nothing has changed' "$(state)" "$(cat before)"

# --- config: bad words

while IFS='|' read -r status words says; do
	refused "bad word: $words" "$status" "$says" lkstm config -n one "user_mark,$words" 1
done <<-'END'
	2||empty event name in "user_mark,"
	1|system_call_enter|unknown event "system_call_enter"; did you mean "system_call_entry"
	1|!user_mark|unknown event "!user_mark"
	1|0x1ff|"0x1ff" matches no event that is registered in this kernel
END
rows <<-'END'
	bad handler | lkstm config -n one user_mark entry_lgo | 1 | unknown event handler "entry_lgo"; did you mean "entry_log"
	no handler | lkstm config -n one user_mark | 2 | want event types and their event handler
	both -m and -n | lkstm config -m 3 -n one user_mark 1 | 2 | only one of -m and -n
	no such maskset | lkstm config -m 77 user_mark 1 | 1 | no maskset 77
	no maskset of that name | lkstm config -n onee user_mark 1 | 1 | no maskset is named "onee"; did you mean "one"
	maskset nothing | lkstm config -m 0 user_mark 1 | 1 | maskset 0 "nothing" cannot be changed
	maskset all | lkstm config -n all user_mark 0 | 1 | maskset 1 "all" cannot be changed
END
for handler in buffer_jump buffer_shift_dw; do
	lkstm config -n one lkst_buff_ovflow $handler
	state >before2
	refused "locks with $handler for full buffers" 1 "lock events \("[a-z_]*"\) are not recorded while lkst_buff_ovflow has the event handler
$handler," \
		lkstm config -n one class:lock 1
done
is 'bad words: nothing has changed' "$(state)" "$(cat before2)"
lock=spin_lock
is_present $lock || lock=lock_contention_begin
for handler in buffer_shift_dw buffer_jump; do
	for event in $lock int_ipi_exit cpu_ipi_send; do
		! is_present $event || refused "$event with $handler" 1 "event \"$event\" cannot have the event handler $handler," \
			lkstm config -n one $event $handler
	done
done
is 'events that would cause themselves: nothing has changed' "$(state)" "$(cat before2)"
lkstm config -n one lkst_buff_ovflow 0
is 'bad words: the masksets are as before' "$(state)" "$(cat before)"

# --- config: several at once

# Concurrent calls change one event each. No change is lost.
together() {
	for number in $(seq 16 31); do
		lkstm config -n one "$number" "$1" 2>>failed &
	done
	wait
}
lkstm config -n one all 0
# Each kernel on which this test runs lacks some of these event types.
: >failed
together 1
is 'config: 16 processes at the same time' "$(numbers one)" "$(types 0x010 0x01f present)"
together 0
is 'config: 16 at once mask them again' "$(numbers one)" ''
for number in 1 2 3 4; do
	lkstm write -f nothing >>written &
done
wait
is 'write: 4 processes at the same time: each maskset has its own name' "$(sort -u written | grep -c '^maskset [0-9]* new_maskset[0-3]$')" 4
cut -d ' ' -f 3 written | while read -r name; do lkstm delete -n "$name"; done
is 'several at once: the masksets are as before' "$(state)" "$(cat before)"

# --- config of the selected maskset takes effect immediately

ok 'config of the selected maskset' lkstm config user_mark 0
lkstlogger -ev user_mark -a1 0x10e1
lkstm config user_mark 1
lkstlogger -ev user_mark -a1 0x10e2
lkstbuf print -e user_mark >marks
contains 'config of the selected maskset: the mark after it is recorded' "$(grep -v '^#' marks | head -n 1)" 'arg1=0x10e2 '
lacks 'config of the selected maskset: the masked mark is not recorded' "$(cat marks)" 'arg1=0x10e1 '

# --- write

entries -m 1 >all
is 'read | write: an automatic name' "$(lkstm read -m 1 | lkstm write)" "maskset $(lkstm find -n new_maskset0) new_maskset0"
is 'read | write: the same entries' "$(entries -n new_maskset0)" "$(cat all)"
lkstm read -n new_maskset0 -a | lkstm write -n again >/dev/null
is 'read -a | write -n: the same entries' "$(lkstm read -n again | grep -v '^# maskset')" "$(lkstm read -n new_maskset0 | grep -v '^# maskset')"
lkstm read -d -n default >default.text
rows <<-'END'
	write -f: the next automatic name, and the id of -m | lkstm write -f default.text -m 30 | 0 | ^maskset 30 new_maskset1$
	write: the first automatic name that is free | lkstm delete -n new_maskset0; lkstm write <nothing | 0 | ^maskset [0-9]+ new_maskset0$
END
is 'write -f: the same entries' "$(entries -m 30)" "$(entries -n default)"
is 'write over a maskset: keeps its name' "$(lkstm write -m 30 <nothing)" 'maskset 30 new_maskset1'
is 'write over a maskset: has its new contents' "$(entries -m 30)" "$(cat nothing)"
rows <<-'END'
	write over a maskset with a name: renames it | lkstm write -m 30 -n other -f - <all | 0 |  | lkstm find -n other | ^30$
	write over maskset 2, which keeps its name | lkstm read -m 2|lkstm write -m 2 | 0 |  | lkstm find -n default | ^2$
END
cat >text <<-'END'
	# written by hand

	  user_mark	entry_log # names
	0x030 0x002
	SYSCALL_EXIT none
END
printf 'spin_lock 0' >>text
is 'write -S selects' "$(lkstm write -S -n hand -f text)" "maskset $(field maskset)"
is 'write: events that no line names are masked' "$(recorded hand)" 'system_call_entry=2 user_mark=1'
lkstm set -n default

# --- write: the output of lkstm read can be written again, for every maskset, in every style

styles() {	# NAME: read and write the maskset in each style, and print the styles that change it
	want=$(entries -n "$1")
	for style in '' -a -d '-a -E /proc/lkst_etypes' '-E few' '-a -E few' '-d -E few'; do
		# shellcheck disable=SC2086 # unquoted, to split it into words
		lkstm read -n "$1" $style | lkstm write -m 200 -n copy >/dev/null || echo "read $style | write fails"
		[ "$(entries -m 200)" = "$want" ] || echo "read $style | write changes it"
	done
	lkstm delete -n copy
}
sed -n '1,5p' /proc/lkst_etypes >few
insmod "$modules/lkst_sample.ko" || exit
lkstm config -n other all none
lkstm config -n other class:syscall,class:user sample_every
lkstm config -n other class:memory static_log
lkstm config -n other lkst_buff_ovflow buffer_shift_dw
for name in nothing all default detailed other; do
	is "round trip of $name" "$(styles "$name")" ''
done
is 'read -A: the part of a maskset is the output of read' "$(lkstm read -A -d | awk '/^# maskset/ { on = $4 == "other" } on')" \
	"$(lkstm read -d -n other)"
lkstm config -n other all none
rmmod lkst_sample
is 'read -a: all numbers' "$(lkstm read -a -m 1 | grep -c '^0x')" 4096
is 'read -a: not registered' "$(lkstm read -a -m 1 | grep '^0x1ff')" '0x1ff 0x000  # not registered'
is 'read -a -d: -a is ignored' "$(lkstm read -a -d -m 1)" "$(lkstm read -d -m 1)"
contains 'read -E: an event in the list' "$(lkstm read -m 1 -E few)" '^0x001 0x001  # process_contextswitch'
refused 'read -E: no such file' 1 'nowhere: open: No such file' lkstm read -E nowhere
refused 'read: both -A and -m' 2 'only one of -m, -n and -A' lkstm read -A -m 1

# --- write: words for several events

while IFS='|' read -r text want; do
	printf '%b' "$text" | lkstm write -n several >/dev/null 2>stderr
	is "write: $text: exactly these events" "$(numbers several)" "$want"
	lkstm delete -n several
done <<-END
	class:syscall 1|0x030 0x031 0x032
	all 1|$(types 0x000 0xfff present)
END
contains 'write: dropped events are reported' "$(cat stderr)" "^lkstm: not recorded, because they are absent in this kernel: (.*, )?$absent(, .*)?\$"

# --- copy

is 'copy -n' "$(lkstm copy -n default twin)" "maskset $(lkstm find -n twin) twin"
is 'copy -n: the same entries' "$(entries -n twin)" "$(entries -n default)"
is 'copy: the selected maskset stays selected' "$(field maskset)" '2 default'
is 'cp -m -S selects' "$(lkstm cp -m 1 -S every)" "maskset $(field maskset)"
is 'cp -m: the same entries' "$(entries -n every)" "$(entries -n all)"
lkstm set -n default
state >before
refused 'copy: a name that is taken' 1 'is already named "every": "lkstm write -m [0-9]*" overwrites it' lkstm copy -n default every
refused 'copy: unknown maskset' 1 'no maskset is named "twn"; did you mean "twin"' lkstm copy -n twn more
refused 'copy: unknown id' 1 'no maskset 77' lkstm copy -m 77 more
refused 'copy: neither -m nor -n' 2 '-m ID or -n NAME is missing' lkstm copy more
refused 'copy: both -m and -n' 2 '-m ID or -n NAME is missing' lkstm copy -m 2 -n default more
refused 'copy: no name' 2 'the name of the copy is missing' lkstm copy -n default
refused 'copy: an empty name' 2 '1 to 31 bytes' lkstm copy -n default ''
lkst stop
refused 'copy -S while stopped' 1 'LKST is stopped' lkstm copy -S -n default more
lkst start --no-state-dump
is 'copy: nothing has changed' "$(state)" "$(cat before)"
lkstm delete -n twin
lkstm delete -n every

# --- write: bad input

state >before
while IFS='|' read -r name text says; do
	printf '%b' "$text" >bad
	refused "write: $name" 1 "^lkstm: bad:$says" lkstm write -f bad
done <<-END
	an absent event|user_mark 1\\n"$absent" entry_log # no\\n|2:2: event "$absent" \\($absent_number\\) cannot be recorded: it is absent in this kernel
	a wrong handler|0x0e0 entry_lgo\\n|1:7: unknown event handler "entry_lgo"; did you mean "entry_log"
	no entries|# nothing\\n| no entries
END
rows <<-'END'
	write: several masksets | lkstm read -A|lkstm write | 1 | ^lkstm: standard input:[0-9]*:1: event type "0x[0-9a-f]*" appears again
	write: no such file | lkstm write -f none | 1 | ^lkstm: none: open: No such file
	write: maskset 0 | lkstm write -m 0 -f text | 1 | maskset 0 "nothing" cannot be changed
	write: maskset 1 | lkstm write -m 1 -f text | 1 | maskset 1 "all" cannot be changed
	write: a name that is taken | lkstm write -n default -f text | 1 | maskset 2 is already named "default": "lkstm write -m 2" overwrites it
	write: the name of a maskset that cannot be changed | lkstm write -n all -f text | 1 | maskset 1 is already named "all"$
	write: a name that another maskset has | lkstm write -m 30 -n default -f text | 1 | maskset 2 is already named "default"$
	write: a long name | lkstm write -n 12345678901234567890123456789012 -f text | 2 | 1 to 31 bytes
	write: a name with a newline | lkstm write -n "$(printf 'a\nb')" -f text | 2 | without control characters
END
lkst stop
refused 'write -S while stopped' 1 'LKST is stopped' lkstm write -S -f text
refused 'config of the selected maskset while stopped' 1 'LKST is stopped.*' lkstm config user_mark 1
lkst start --no-state-dump
is 'write: nothing has changed' "$(state)" "$(cat before)"

# --- delete

lkstm delete -n hand
lkstm del -m 30
refused 'delete: unknown id' 1 'no maskset 30' lkstm delete -m 30
lkstm set -n one
refused 'delete: the selected maskset' 1 "maskset $id is selected and cannot be deleted: select another one" lkstm delete -n one
lkstm set -n default
for special in 0 1 2 254; do
	refused "delete: maskset $special" 1 "maskset $special cannot be deleted: it is built in" lkstm delete -m $special
done

# --- a state dump on request

# Print the number of process_state events since the last mark. lkstbuf prints the newest first.
dumped() { lkstbuf print -e process_state,user_mark | awk '/ user_mark / { exit } !/^#/ { n++ } END { print n + 0 }'; }
lkstlogger -ev user_mark
is 'no state dump yet' "$(dumped)" 0
set -- /proc/[0-9]*/task/[0-9]*
ok 'lkst dump' lkst dump
ok 'lkst dump: every thread is recorded' test "$(dumped)" -ge $#
contains 'lkst dump: this shell is recorded' "$(lkstbuf print -e process_state)" "thread=[^ ]*-$$ "
# A state dump must not overwrite earlier records. It takes at most a quarter of a buffer, which is
# 16 of 64 records here, and there are more threads than that.
marks=$(lkstm write -n marks <nothing | cut -d " " -f 2)
lkstm config -m "$marks" user_mark,process_state on
lkstm set -n marks
lkstbuf create -c 0 -b 5 -s 4K >/dev/null
lkstbuf jump -c 0 -b 5
taskset -c 0 lkstlogger -ev user_mark -a1 0x4321
set -- /proc/[0-9]*/task/[0-9]*
ok 'there are more threads than fit' test $# -gt 16
ok 'lkst dump: with a small buffer' taskset -c 0 lkst dump
contains 'lkst dump: the number of threads that were left out' "$tap_said" '^lkst: state dump: [0-9]+ threads left out'
is 'lkst dump: it takes a quarter of the buffer' "$(dumped)" 16
left_out=$(echo "$tap_said" | tr -dc 0-9)
ok 'lkst dump: all other threads are left out' test $((left_out + 16)) -ge $#
contains 'earlier records are still there' "$(lkstbuf print --own -e user_mark)" 0x4321
lkstbuf jump -c 0 -b 0
lkstbuf delete -c 0 -b 5
lkstm set -n default
lkstm delete -n marks
lkstm config process_state 0
refused 'lkst dump: masked' 1 'the selected maskset does not record process_state' lkst dump
lkstm config process_state 1
lkst stop
refused 'lkst dump: stopped' 1 'LKST is stopped, so it records nothing \(run "lkst start" first\)' lkst dump

lkst start --no-state-dump
for name in one again new_maskset0; do
	ok "delete $name" lkstm delete -n $name
done
is 'the masksets are as before' "$(lkstm list | awk 'NR > 1 { print $1, $2, $NF }')" "$masksets"
done_testing
