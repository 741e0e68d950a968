#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# lkstlogger records numbers and strings in all forms, and records nothing if the input is bad.
# kernel: base
# kernel-all: base debug
# append: lkst.buffer_size=4M

. "$(dirname "$0")/rows.sh"

# recorded EVENTS: print the name and arguments of each of these events that lkstlogger has
# recorded, oldest first
recorded() { lkstbuf print -e "$1" -r | sed -n 's/.* lkstlogger-[0-9]* *[^ ]* *//p' | tr -s ' '; }
number_of() { recorded "$1" | wc -l | tr -d ' '; }
last() { recorded "$1" | tail -n 1; }

# A maskset that records marks and the names of processes, and nothing else that could overwrite
# marks.
printf '%s entry_log\n' class:mark process_fork process_exec process_rename process_exit | lkstm write -n marks -S >/dev/null

# --- numbers

while IFS='|' read -r words want; do
	# shellcheck disable=SC2086 # unquoted, to split it into words
	ok "lkstlogger $words" lkstlogger $words
	is "lkstlogger $words: recorded" "$(last user_mark)" "user_mark $want"
done <<-'END'
	-ev user_mark|arg1=0x0 arg2=0x0 arg3=0x0 arg4=0x0
	-ev 224 -a3 -9223372036854775808|arg1=0x0 arg2=0x0 arg3=0x8000000000000000 arg4=0x0
	-a2 0x10 -ev user_mark -a1 18446744073709551615|arg1=0xffffffffffffffff arg2=0x10 arg3=0x0 arg4=0x0
	--ev user_mark --a1 3|arg1=0x3 arg2=0x0 arg3=0x0 arg4=0x0
END

# Every maskset that records marks also records the user event types, including types that no module
# has registered.
while IFS='|' read -r number name; do
	ok "lkstlogger -ev $number" lkstlogger -ev "$number" -a1 -1 -a4 5
	is "lkstlogger -ev $number: recorded" "$(last "$number")" "$name arg1=0xffffffffffffffff arg2=0x0 arg3=0x0 arg4=0x5"
	ok "lkstlogger -ev $name" lkstlogger -ev "$name"
	is "lkstlogger -ev $name: recorded" "$(number_of "$name")" 2
done <<-'END'
	0x180|user_0x180
	511|user_0x1ff
END
while read -r maskset number count; do
	lkstm set -n "$maskset"
	ok "a number for users: maskset $maskset" lkstlogger -ev "$number"
	lkstm set -n marks
	is "a number for users: recorded by maskset $maskset" "$(number_of "$number")" "$count"
done <<-'END'
	all 0x1fe 1
	default 0x1fd 1
	nothing 0x1fc 0
END

# --- strings

texts=user_text,user_long_text
before=0	# number of records of texts so far
text() {	# NAME WANTED ARG...: test that lkstlogger ARG... records the lines WANTED
	text_name=$1 text_want=$2
	shift 2
	ok "text: $text_name" lkstlogger "$@"
	is "text: $text_name: recorded" "$(recorded $texts | tail -n +$((before + 1)))" "$text_want"
	before=$(number_of $texts)
}
bytes() { printf "%0$1d" 0 | sed 's/0\{16\}/0123456789abcdef/g'; }	# LENGTH
text 'a line' 'user_text text="what begins now"' -s 'what begins now'
text 'empty text' 'user_text text=""' -s ''
text '32 bytes' 'user_text text=12345678901234567890123456789012' -s 12345678901234567890123456789012
text '33 bytes' 'user_long_text text=123456789012345678901234567890123' -s 123456789012345678901234567890123
text 'a number is text' 'user_text text=17' -s 17
text 'an option is text' 'user_text text=-a1' -s -a1
text 'with -ev user_text' 'user_text text=named' -ev user_text -s named
text 'with -ev user_text, 33 bytes' 'user_long_text text=123456789012345678901234567890123' -ev user_text \
	-s 123456789012345678901234567890123
text 'with -ev user_long_text' 'user_long_text text=named' -ev user_long_text -s named
text 'a long text ends with a character of two bytes' 'user_long_text text=0123456789012345678901234567890ü' \
	-s '0123456789012345678901234567890ü'
text '6144 bytes' "user_long_text text=$(bytes 6144)" -s "$(bytes 6144)"
text 'a character is not cut' "user_long_text text=$(bytes 6128)000000000000000
user_long_text text=üx" -s "$(bytes 6128)000000000000000üx"
text '60000 bytes' "$(bytes 60000 | fold -w 6144 | sed 's/^/user_long_text text=/')" -s "$(bytes 60000)"
refused 'an argument of a chain' 2 '^lkstlogger: -a1 is part of the text "x" of event "user_long_text"' \
	lkstlogger -ev user_long_text -s x -a1 2

# --- strings in other events

lkstm config process_wakeup,process_contextswitch entry_log
ok 'text among the arguments of an event' lkstlogger -ev process_wakeup -a1 0x100000002 -s 'not a thread'
ok 'two texts' lkstlogger -ev process_contextswitch -s first -s second
lkstm config process_wakeup,process_contextswitch none
contains 'text among the arguments: recorded' "$(recorded process_wakeup)" ' name="not a thread"$'
contains 'two texts: recorded' "$(recorded process_contextswitch)" 'prev_name=first next_name=second'
insmod "$modules/lkst_sample.ko" || exit
lkstm config 'sample write' entry_log
ok 'text in an event of a module' lkstlogger -ev 'sample write' -a1 5 -s '16 bytes of text'
is 'text in an event of a module: recorded' "$(last 'sample write')" 'sample write bytes=5 text="16 bytes of text"'
refused 'text that is too long for the event' 2 'the text "17 bytes of text!" has 17 bytes; event "sample write" has room for 16' \
	lkstlogger -ev 0x100 -s '17 bytes of text!'
refused 'an argument that is part of the text' 2 '^lkstlogger: -a2 is part of the text "x" of event "sample write"' \
	lkstlogger -ev 'sample write' -s x -a2 1
refused 'more texts than the event has' 2 'event "sample write" has no argument left for the text "y": 1 of its arguments are texts' \
	lkstlogger -ev 'sample write' -s x -s y
rmmod lkst_sample

# --- bad input

marks=$(number_of user_mark)
refused 'text for an event that has no text' 2 'event "user_mark" has no argument left for the text "x": 0 of' lkstlogger -ev user_mark -s x
refused 'text for a number' 2 '^lkstlogger: -a1 "x" is not a number .* \(use -s for text\)' lkstlogger -ev user_mark -a1 x
refused 'an unknown number of an event' 1 'event type 0x0ff: the kernel refuses it; take one of 0x100 to 0x1ff' lkstlogger -ev 0x0ff
refused 'an absent event' 1 "event \"$absent\" \($absent_number\) cannot be recorded" lkstlogger -ev "$absent"
refused 'an event of LKST itself' 1 'event type 0xf00: the kernel refuses it' lkstlogger -ev lkst_init
refused 'neither an event nor text' 2 '-ev TYPE or -s TEXT is missing' lkstlogger -a1 1
refused 'text without -s' 2 'unexpected argument "hello" \(use -s for text\)' lkstlogger hello
refused 'a mistyped command' 2 'unexpected argument "verison".* did you mean "version"' lkstlogger verison
is 'bad input: nothing is recorded' "$(number_of user_mark)" "$marks"
fails 'without arguments' 2 lkstlogger
is 'without arguments: help' "$tap_output" "$(lkstlogger help)"

# --- masked

lkstm config class:mark none
ok 'a masked event' lkstlogger -ev user_mark
ok 'a masked text' lkstlogger -s masked
ok 'a masked text of 33 bytes' lkstlogger -s 123456789012345678901234567890123
is 'a masked event: not recorded' "$(number_of user_mark) $(number_of $texts)" "$marks $before"
lkstm set -n default
ok 'the maskset can be deleted' lkstm delete -n marks
done_testing
