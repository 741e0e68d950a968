#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# lkstm changes masksets: config, write, delete, by all the words there are for events; and bad input changes
# nothing. lkst dump, which a maskset can prevent.
# kernel: base
# kernel-all: base debug
# append: lkst.buffer_size=4M
# timeout: 600

. "$(dirname "$0")/../tap.sh"
. ./form.sh
here=$(cd "$(dirname "$0")" && pwd)
. "$here/absent.sh"
work=/tmp/lkstm
mkdir -p $work
cd $work || exit

field() { lkst status | sed -n "s/^$1  *//p"; }
state() { lkstm list; lkstm read -A; }
entries() { lkstm read -d "$@" | grep -v '^#'; }
# What a maskset records, in the order of numbers: "name=handler name=handler".
recorded() { lkstm read -n "$1" | awk '/^0x/ && $2 != "0x000" { sub(/\(.*/, "", $4); printf "%s%s=%d", sep, $4, $2; sep = " " }'; }
numbers() { lkstm read -d -n "$1" | awk '/^0x/ && $2 != "0x000" { printf "%s%s", sep, $1; sep = " " }'; }
# Event types FIRST to LAST of this kernel that are in STATE.
types() { awk -v first="$1" -v last="$2" -v state="$3" '/^0x/ && $1 >= first && $1 <= last && $5 == state { printf "%s%s", sep, $1; sep = " " }' /proc/lkst_etypes; }
# A maskset of that name, its id in $id, that records nothing.
empty() { id=$(lkstm write -n "$1" <nothing | cut -d ' ' -f 2); }

entries -m 0 >nothing
masksets=$(lkstm list | awk 'NR > 1 { print $1, $2, $NF }')
make_absent || exit
contains 'an event that this kernel has not got' "$(cat /proc/lkst_etypes)" "^$absent_number .* absent \"$absent\""

# --- config: the words

empty one
is 'a new maskset that records nothing' "$(recorded one)" ''
while IFS='|' read -r words want; do
	lkstm config -m "$id" all 0
	ok "config $words" lkstm config -m "$id" "$words" entry_log
	is "config $words: these and no others" "$(numbers one)" "$want"
done <<-END
	system_call_entry|0x030
	SYSCALL_ENTRY|0x030
	LKST_ETYPE_SYSCALL_ENTRY|0x030
	0x30|0x030
	49|0x031
	0x010-0x013|0x010 0x011 0x012 0x013
	system_call_*|0x030 0x031
	SYSTEM_CALL_E????|0x030
	system_call_e[!n]*|0x031
	class:syscall|0x030 0x031
	class:interrupt|$(types 0x010 0x01f present)
	class:memory|$(types 0x040 0x05f present)
	0x040-0x05f|$(types 0x040 0x05f present)
	all|$(types 0x000 0xfff present)
	system_call_entry, 0x010,  user_mark|0x010 0x030 0x0e0
	class:syscall,class:mark|0x030 0x031 0x0e0 0x0e1
END
lkstm config -m "$id" '*' none
is 'config with handler none' "$(recorded one)" ''
ok 'conf -n, handlers by name and number' sh -c 'lkstm conf -n one user_mark static_log &&
	lkstm conf -n one class:syscall 0x002 && lkstm config -n one SYSCALL_EXIT 1'
is 'conf: the handlers' "$(recorded one)" 'system_call_entry=2 system_call_exit=1 user_mark=4'
lkstm config system_call_entry 0 -m "$id"
is 'config: options may follow; the others stay' "$(recorded one)" 'system_call_exit=1 user_mark=4'

lkstm config -n one all off
ok 'conf: on and off' sh -c 'lkstm conf -n one class:syscall on && lkstm conf -n one system_call_exit off'
is 'conf on: entry_log' "$(recorded one)" 'system_call_entry=1'
# What the kernel calls them: each tracepoint that /proc/lkst_etypes names means those event types.
sed -n 's/^\(0x[0-9a-f]*\) [^ ]* [^ ]* \([^ ]*\) present .*/\1 \2/p' /proc/lkst_etypes | grep tp: >sources
points=$(sed 's/.* //; s/^/,/; s/,[^t][^,]*//g' sources | tr ',' '\n' | sed -n 's/^tp://p' | sort -u | tr '\n' ',')
contains 'tracepoints' "$points" '(^|,)sched_switch,(.*,)?sys_enter,'
lkstm config -n one all off
ok 'config: tracepoints' lkstm config -n one "${points%,}" on
is 'config: tracepoints: their events and no others' "$(numbers one)" \
	"$(awk '{ printf "%s%s", sep, $1; sep = " " }' sources)"

# --- config: what is absent

lkstm config -n one all 0
ok 'a range with an absent event' sh -c 'lkstm config -n one 0x0e0-0x100 1 2>told'
is 'takes those that are present' "$(numbers one)" "$(types 0x0e0 0x100 present)"
contains 'and tells the one that is not' "$(cat told)" "^lkstm: not recorded, as they are absent in this kernel: $absent\$"
ok 'masking them tells nothing' sh -c 'lkstm config -n one 0x0e0-0x100 0 2>told'
is 'nothing told' "$(cat told)" ''
ok 'an absent event can be masked' lkstm config -n one "$absent" 0
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
	2|0x1000|^lkstm config: event type "0x1000" is out of range: 0x000 to 0xfff
	2|0xff0-0x1000|"0xff0-0x1000" is out of range: 0x000 to 0xfff
	2|0x20-0x10|"0x20-0x10": the first number is greater than the last
	2|12x|event type "12x" is not a number
	2||empty event name in "user_mark,"
	1|xyzzy*|no event name matches "xyzzy\*"
	1|system_call_enter|no event is called "system_call_enter"; did you mean "system_call_entry"
	1|class:memry|no class of events is called "memry"; did you mean "memory"
	1|class:x|The classes are process, interrupt, .*, lkst\.
	1|!user_mark|no event is called "!user_mark"
	1|0x1ff|"0x1ff" means no event that is registered in this kernel
	1|class:reserved|"class:reserved" means no event that is registered in this kernel
END
refused 'bad handler' 1 'no event handler is called "entry_lgo"; did you mean "entry_log"' lkstm config -n one user_mark entry_lgo
refused 'handler there is not' 1 'no event handler is called "0x999": "lksteh list" shows' lkstm config -n one user_mark 0x999
refused 'handler out of range' 2 '"0x1000" is out of range' lkstm config -n one user_mark 0x1000
refused 'no handler' 2 'it takes event types and their event handler' lkstm config -n one user_mark
refused 'too many words' 2 'what is "x" for' lkstm config -n one user_mark 1 x
refused 'both -m and -n' 2 'only one of -m and -n' lkstm config -m 3 -n one user_mark 1
refused 'no such maskset' 1 'no maskset 77' lkstm config -m 77 user_mark 1
refused 'no maskset of that name' 1 'no maskset is called "onee"; did you mean "one"' lkstm config -n onee user_mark 1
refused 'maskset nothing' 1 'maskset 0 "nothing" cannot be changed' lkstm config -m 0 user_mark 1
refused 'maskset all' 1 'maskset 1 "all" cannot be changed' lkstm config -n all user_mark 0
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
		! is_present $event || refused "$event with $handler" 1 "event \"$event\" does not go with the event handler $handler," \
			lkstm config -n one $event $handler
	done
done
is 'what wakes itself: nothing has changed' "$(state)" "$(cat before2)"
lkstm config -n one lkst_buff_ovflow 0
is 'as before' "$(state)" "$(cat before)"

# --- config: several at once

# Each changes one event; none of the changes gets lost.
together() {
	for number in $(seq 16 31); do
		lkstm config -n one "$number" "$1" 2>>failed &
	done
	wait
}
lkstm config -n one all 0
# Absent ones are among them, in no kernel that this runs on.
: >failed
together 1
is 'config: 16 at once' "$(numbers one)" "$(types 0x010 0x01f present)"
together 0
is 'config: 16 at once, and back' "$(numbers one)" ''
for number in 1 2 3 4; do
	lkstm write -f nothing >>written &
done
wait
is 'write: 4 at once: each has a name of its own' "$(sort -u written | grep -c '^maskset [0-9]* new_maskset[0-3]$')" 4
cut -d ' ' -f 3 written | while read -r name; do lkstm delete -n "$name"; done
is 'as before' "$(state)" "$(cat before)"

# --- config of the selected maskset takes effect at once

ok 'config of the selected maskset' lkstm config user_mark 0
lkstlogger -ev user_mark -a1 0x10e1
lkstm config user_mark 1
lkstlogger -ev user_mark -a1 0x10e2
lkstbuf print -e user_mark >marks
contains 'is in force from then on' "$(grep -v '^#' marks | head -n 1)" 'arg1=0x10e2 '
lacks 'is in force from then on: the mark before' "$(cat marks)" 'arg1=0x10e1 '

# --- write

entries -m 1 >all
ok 'read | write' sh -c 'lkstm read -m 1 | lkstm write >said'
is 'write: an automatic name' "$(cut -d ' ' -f 3 said)" new_maskset0
is 'write: prints id and name' "$(cat said)" "maskset $(lkstm find -n new_maskset0) new_maskset0"
is 'read | write: the same' "$(entries -n new_maskset0)" "$(cat all)"
lkstm read -n new_maskset0 -a | lkstm write -n again >/dev/null
is 'read -a | write -n: the same' "$(lkstm read -n again | grep -v '^# maskset')" "$(lkstm read -n new_maskset0 | grep -v '^# maskset')"
lkstm read -d -n default >default.text
ok 'write -f' lkstm write -f default.text -m 30
is 'write: the next automatic name, and the id of -m' "$(lkstm list | awk '$1 == 30 { print $2 }')" new_maskset1
is 'write -f: the same' "$(entries -m 30)" "$(entries -n default)"
lkstm delete -n new_maskset0
is 'write: the first automatic name that is free' "$(lkstm write <nothing | cut -d ' ' -f 3)" new_maskset0
ok 'write over a maskset' sh -c 'lkstm write -m 30 <nothing >said'
is 'keeps its name' "$(cat said)" 'maskset 30 new_maskset1'
is 'has its new contents' "$(entries -m 30)" "$(cat nothing)"
ok 'write over a maskset with a name' sh -c 'lkstm write -m 30 -n other -f - <all >/dev/null'
is 'renames it' "$(lkstm find -n other)" 30
ok 'write over maskset 2' sh -c 'lkstm read -m 2 | lkstm write -m 2'
is 'which keeps its name' "$(lkstm find -n default)" 2
cat >text <<-'END'
	# by hand

	  user_mark	entry_log # names
	0x030 0x002
	SYSCALL_EXIT none
END
printf 'spin_lock 0' >>text
ok 'write -S' sh -c 'lkstm write -S -n hand -f text >/dev/null'
is 'write -S selects' "$(field maskset)" "$(lkstm find -n hand) hand"
is 'what no line names is masked' "$(recorded hand)" 'system_call_entry=2 user_mark=1'
lkstm set -n default

# --- write: the round trip is the identity, for every maskset, in every style

styles() {	# NAME: of a maskset that stays as it is when it is read and written
	want=$(entries -n "$1")
	for style in '' -a -d '-a -E /proc/lkst_etypes' '-E few' '-a -E few' '-d -E few'; do
		# shellcheck disable=SC2086 # words
		lkstm read -n "$1" $style | lkstm write -m 200 -n copy >/dev/null || echo "read $style | write fails"
		[ "$(entries -m 200)" = "$want" ] || echo "read $style | write changes it"
	done
	lkstm delete -n copy
}
sed -n '1,5p' /proc/lkst_etypes >few
insmod "$here/modules/lkst_sample.ko" || exit
lkstm config -n other all none
lkstm config -n other class:syscall,class:user sample_every
lkstm config -n other class:memory static_log
lkstm config -n other lkst_buff_ovflow buffer_shift_dw
for name in nothing all default other; do
	is "round trip of $name" "$(styles "$name")" ''
done
lkstm read -A -d >every
for name in nothing all default other; do
	is "round trip of $name, as one part of read -A" "$(awk -v name="$name" '/^# maskset/ { on = $4 == name } on' every |
		lkstm write -n copy)" "maskset $(lkstm find -n copy) copy"
	is "round trip of $name, as one part of read -A: the same" "$(entries -n copy)" "$(entries -n "$name")"
	lkstm delete -n copy
done
lkstm config -n other all none
rmmod lkst_sample
is 'read -a: all numbers' "$(lkstm read -a -m 1 | grep -c '^0x')" 4096
is 'read -a: not registered' "$(lkstm read -a -m 1 | grep '^0xeff')" '0xeff 0x000  # not registered'
is 'read -a -d: -a is ignored' "$(lkstm read -a -d -m 1)" "$(lkstm read -d -m 1)"
contains 'read -E: what the list has' "$(lkstm read -m 1 -E few)" '^0x001 0x001  # process_contextswitch'
contains 'read -E: what it has not, but is recorded' "$(lkstm read -m 1 -E few)" '^0x030 0x001  # not registered$'
lacks 'read -E: what it has not, and is masked' "$(lkstm read -m 0 -E few)" '^0x030'
refused 'read -E: no list' 1 'every: not a list of event types' lkstm read -E every
refused 'read -E: no such file' 1 'nowhere: open: No such file' lkstm read -E nowhere
refused 'read: one of them' 2 'only one of -m, -n and -A' lkstm read -A -m 1

# --- write: words for several events

while IFS='|' read -r text want; do
	ok "write: $text" sh -c "printf '%b' '$text' | lkstm write -n several >/dev/null 2>told"
	is "write: $text: these and no others" "$(numbers several)" "$want"
	lkstm delete -n several
done <<-END
	class:syscall 1|0x030 0x031
	0x010-0x013 1\\n|0x010 0x011 0x012 0x013
	system_call_* 1\\nsystem_call_exit 0|0x030
	system_call_exit 1\\nsystem_call_* 0\\nuser_mark 1|0x0e0
	all entry_log\\n* none\\nCLASS:mark 4|0x0e0 0x0e1
	all 1|$(types 0x000 0xfff present)
END
contains 'write: what is left out is told' "$(cat told)" "^lkstm: not recorded, as they are absent in this kernel: (.*, )?$absent(, .*)?\$"

# --- copy

is 'copy -n' "$(lkstm copy -n default twin)" "maskset $(lkstm find -n twin) twin"
is 'copy -n: the same' "$(entries -n twin)" "$(entries -n default)"
is 'copy: another one is selected as before' "$(field maskset)" '2 default'
ok 'cp -m -S' sh -c 'lkstm cp -m 1 -S every >/dev/null'
is 'cp -S selects' "$(field maskset)" "$(lkstm find -n every) every"
is 'cp -m: the same' "$(entries -n every)" "$(entries -n all)"
lkstm set -n default
state >before
refused 'copy: a name that is taken' 1 'is called "every" already: "lkstm write -m [0-9]*" overwrites it' lkstm copy -n default every
refused 'copy: of none' 1 'no maskset is called "twn"; did you mean "twin"' lkstm copy -n twn more
refused 'copy: no such id' 1 'no maskset 77' lkstm copy -m 77 more
refused 'copy: which?' 2 'one of -m and -n says which maskset' lkstm copy more
refused 'copy: both' 2 'one of -m and -n says which maskset' lkstm copy -m 2 -n default more
refused 'copy: no name' 2 'it takes the name of the copy' lkstm copy -n default
refused 'copy: two names' 2 'what is "more" for' lkstm copy -n default much more
refused 'copy: an empty name' 2 '1 to 31 bytes' lkstm copy -n default ''
lkst stop
refused 'copy -S while stopped' 1 'LKST is stopped' lkstm copy -S -n default more
lkst start --no-state-dump
is 'copy: nothing has changed' "$(state)" "$(cat before)"
lkstm delete -n twin
lkstm delete -n every

# --- write: bad input

state >before
bad_text() {	# NAME TEXT PLACE-AND-MESSAGE
	printf '%b' "$2" >bad
	refused "write: $1" 1 "^lkstm: bad:$3" lkstm write -f bad
}
bad_text 'a number above 0xfff' 'user_mark 1\n\n  0x1000 1\n' \
	'3:3: event type "0x1000" is out of range: 0x000 to 0xfff'
bad_text 'an absent event' "user_mark 1\n\"$absent\" entry_log # no\n" \
	"2:2: event \"$absent\" \($absent_number\) cannot be recorded: it is absent in this kernel"
bad_text 'an event that is not registered' '0x1ff 1\n' '1:1: event type 0x1ff cannot be recorded'
bad_text 'a wrong name' 'user_mrak 1\n' '1:1: no event is called "user_mrak"; did you mean "user_mark"'
bad_text 'a wrong handler' '0x0e0 entry_lgo\n' '1:7: no event handler is called "entry_lgo"; did you mean "entry_log"'
bad_text 'a third word' '0x0e0 0x1 what # ever\n' '1:11: what is "what" for'
bad_text 'a missing handler' '0x0e0\n' '1:6: event handler expected after "0x0e0"'
bad_text 'an event that comes twice' 'user_mark 1\n0x030 1\n\n0x0e0 0\n' \
	'4:1: event type "0x0e0" again: line 1 has it already'
bad_text 'a pattern that nothing matches' 'user_mark 1\nint_?_* 1\n' '2:1: no event name matches "int_\?_\*"'
bad_text 'a class there is not' ' class:memry 1\n' '1:2: no class of events is called "memry"; did you mean "memory"'
bad_text 'a range that goes backwards' '0x20-0x10 1\n' '1:1: event types "0x20-0x10": the first number is greater'
bad_text 'a range without events' '0xe00-0xeff 1\n' '1:1: "0xe00-0xeff" means no event that is registered'
bad_text 'a pattern, all absent' "\"${absent%e}*\" 1\n" \
	"1:2: event \"$absent\" \($absent_number\) cannot be recorded: it is absent in this kernel"
bad_text 'an event that has a line, after a class' 'user_mark 1\nclass:mark 0\nUSER_MARK 1\nuser_mark 2\n' \
	'4:1: event type "user_mark" again: line 3 has it already'
bad_text 'locks with the handler that wakes' 'class:lock 1\nlkst_buff_ovflow buffer_shift_dw\n' \
	'1:1: lock events \("[a-z_]*"\) are not recorded while lkst_buff_ovflow'
! is_present int_ipi_exit || bad_text 'locks that wake' 'user_mark 1\n  int_ipi_exit buffer_shift_dw\n' '2:3: event "int_ipi_exit" does not go with'
bad_text 'no text' 'user_mark 1\n0x030 \00001\n' '2:7: byte 0: this is no text'
bad_text 'no closing quote' '"user_mark 1\n' '1:1: no closing quote: "user_mark 1'
refused 'write: no lines' 1 '^lkstm: standard input:1:1: byte 0: this is no text' sh -c 'lkstm write </dev/zero'
bad_text 'no entries' '# nothing\n' ' no entries'
refused 'write: several masksets' 1 '^lkstm: standard input:[0-9]*:1: event type "0x[0-9a-f]*" again' sh -c 'lkstm read -A | lkstm write'
refused 'write: no such file' 1 '^lkstm: none: open: No such file' lkstm write -f none
refused 'write: a directory' 1 '^lkstm: /: read: Is a directory' lkstm write -f /
refused 'write: maskset 0' 1 'maskset 0 "nothing" cannot be changed' lkstm write -m 0 -f text
refused 'write: maskset 1' 1 'maskset 1 "all" cannot be changed' lkstm write -m 1 -f text
refused 'write: id out of range' 2 '"255" is out of range: 0 to 254' lkstm write -m 255 -f text
refused 'write: a name that is taken' 1 'maskset 2 is called "default" already: "lkstm write -m 2" overwrites it' lkstm write -n default -f text
refused 'write: the name of one that cannot be changed' 1 'maskset 1 is called "all" already$' lkstm write -n all -f text
refused 'write: a name that another one has' 1 'maskset 2 is called "default" already$' lkstm write -m 30 -n default -f text
refused 'write: a long name' 2 '1 to 31 bytes' lkstm write -n 12345678901234567890123456789012 -f text
refused 'write: an empty name' 2 '1 to 31 bytes' lkstm write -n '' -f text
refused 'write: a name that is no line' 2 'without control characters' lkstm write -n 'a
b' -f text
lkst stop
refused 'write -S while stopped' 1 'LKST is stopped' lkstm write -S -f text
refused 'config of the selected one while stopped' 1 'LKST is stopped.*' lkstm config user_mark 1
lkst start --no-state-dump
is 'write: nothing has changed' "$(state)" "$(cat before)"

# --- delete

ok 'delete -n' lkstm delete -n hand
refused 'it is gone' 1 'no maskset is called "hand"' lkstm set -n hand
ok 'del -m' lkstm del -m 30
refused 'it is gone, too' 1 'no maskset 30' lkstm delete -m 30
lkstm set -n one
refused 'delete: the selected one' 1 "maskset $id is selected and cannot be deleted: select another one" lkstm delete -n one
lkstm set -n default
for special in 0 1 2; do
	refused "delete: maskset $special" 1 "maskset $special cannot be deleted: it is always there" lkstm delete -m $special
done
refused 'delete: which?' 2 'one of -m and -n' lkstm delete

# --- a state dump on request

# Since the last mark.
dumped() { lkstbuf print -e process_state,user_mark | awk '/ user_mark / { exit } !/^#/ { n++ } END { print n + 0 }'; }
lkstlogger -ev user_mark
is 'no state dump yet' "$(dumped)" 0
set -- /proc/[0-9]*/task/[0-9]*
ok 'lkst dump' lkst dump
ok 'lkst dump: every thread' test "$(dumped)" -ge $#
contains 'lkst dump: this shell' "$(lkstbuf print -e process_state)" "thread=[^ ]*-$$ "
# It must not push out what was recorded before: into a buffer of 64 records, with more threads than that.
marks=$(lkstm write -n marks <nothing | cut -d " " -f 2)
lkstm config -m "$marks" user_mark,process_state on
lkstm set -n marks
lkstbuf create -c 0 -b 5 -s 4K >/dev/null
lkstbuf jump -c 0 -b 5
taskset -c 0 lkstlogger -ev user_mark -a1 0x4321
set -- /proc/[0-9]*/task/[0-9]*
ok 'there are more threads than fit' test $# -gt 16
ok 'lkst dump: with a small buffer' taskset -c 0 lkst dump
contains 'it says how many threads it has left out' "$tap_said" '^lkst: state dump: [0-9]+ threads left out'
is 'it takes a quarter of the buffer' "$(dumped)" 16
left_out=$(echo "$tap_said" | tr -dc 0-9)
ok 'all others are left out' test $((left_out + 16)) -ge $#
contains 'what was recorded before is there' "$(lkstbuf print --own -e user_mark)" 0x4321
lkstbuf jump -c 0 -b 0
lkstbuf delete -c 0 -b 5
lkstm set -n default
lkstm delete -n marks
lkstm config process_state 0
refused 'lkst dump: masked' 1 'the selected maskset does not record process_state' lkst dump
lkstm config process_state 1
lkst stop
refused 'lkst dump: stopped' 1 'LKST is stopped and records nothing: "lkst start" first' lkst dump

lkst start --no-state-dump
for name in one again new_maskset0; do
	ok "delete $name" lkstm delete -n $name
done
is 'what is left is what was there' "$(lkstm list | awk 'NR > 1 { print $1, $2, $NF }')" "$masksets"
done_testing
