#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# SysRq-L prints the newest events on the console, merged and decoded. The parameters dump and
# dump_events select how many events are printed, and which. The events of the long rings follow. No
# line shows a kernel address. Messages of the kernel take no lines from other events. SysRq-L also
# works while buffers are created and deleted, and when it is used on two CPUs at the same time.
# kernel: base
# kernel-all: base debug
# append: lkst.buffer_size=1M
# timeout: 400

. "$(dirname "$0")/../tap.sh"
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=form.sh
. "$here/form.sh"
params=/sys/module/lkst/parameters
work=/tmp/sysrq
mkdir -p $work
cd $work || exit
lkstm set -n default

# mark_log: clear the kernel log
# new_messages: print the kernel messages since the last mark_log
mark_log() { dmesg -c >/dev/null; }
new_messages() { dmesg | sed 's/^\[ *[0-9.]*\] //'; }

# newest: trigger SysRq-L, and print the lines that show events, without the prefix "lkst: ". Write
# all lines to the file "log".
newest() {
	mark_log
	echo L >/proc/sysrq-trigger
	new_messages >log
	sed -n '/newest events/,/end of events/s/^lkst: *\([0-9]*\.[0-9]* \[.*\)/\1/p' log
}
mark() { taskset "$1" lkstlogger -ev user_mark -a1 "$2"; }
numbers() { sed -n 's/.*user_mark  *arg1=0x\([0-9a-f]*\) .*/\1/p' | tr '\n' ' '; }

# --- the parameters

is 'dump: the default is 20' "$(cat $params/dump)" 20
is 'dump_events: leaves out what the kernel prints itself' "$(cat $params/dump_events)" \
	'!oops_regs,!oops_stack'
for value in 513 -1 many '' 1x; do
	mark_log
	fails "dump: \"$value\" is refused" any sh -c "echo '$value' >$params/dump"
	contains "dump: \"$value\" is named in the kernel log" "$(new_messages)" "lkst\.dump=$value: not a number from 0 to 512; keeping 20\$"
done
for value in nonsense '' 'lock,' 'user_mark,nonsense' 0x1000 5-3 class:nonsense '!'; do
	mark_log
	fails "dump_events: \"$value\" is refused" any sh -c "echo '$value' >$params/dump_events"
	contains "dump_events: \"$value\" is explained in the kernel log" "$(new_messages)" 'lkst\.dump_events: ".*": unknown event \(a name of '
done
mark_log
fails 'dump_events: too long' any sh -c "echo $(printf 'user_mark,%.0s' $(seq 30))all >$params/dump_events"
contains 'dump_events: too long, explained in the kernel log' "$(new_messages)" 'lkst\.dump_events: 303 characters are too many \(at most 255\)'
is 'refused values change nothing' "$(cat $params/dump) $(cat $params/dump_events)" '20 !oops_regs,!oops_stack'

# --- the output

newest >all
contains 'the first line says how many events follow' "$(cat log)" '^lkst: 40 newest events, at most 20 of each CPU, oldest first(; times are CLOCK_MONOTONIC)?$'
is '40 lines of events are printed' "$(wc -l <all)" 40
is '20 of them are from CPU 1' "$(grep -c '^[0-9.]* \[001\]' all)" 20
contains 'the last line marks the end' "$(cat log)" '^lkst: end of events$'
contains 'events of the long rings follow' "$(cat log)" \
	'^lkst: [12]?[0-9] events of the long rings, at most 10 of each CPU, oldest first; times are CLOCK_MONOTONIC$'
is 'the first line says how many there are' "$(sed -n 's/^lkst: \([0-9]*\) events of the long.*/\1/p' log)" \
	"$(sed -n '/of the long rings,/,/end of the long/p' log | grep -cE '^lkst: +[0-9]+\.[0-9]{6} \[00[01]\] ')"
contains 'the last line marks the end of the long rings' "$(cat log)" '^lkst: end of the long rings$'
# An interrupt may arrive after a record has its slot and before the clock is read. Then the record
# has a later time than the records of the interrupt, which follow it. With the TSC, the difference
# is too small to be seen, because reading the TSC takes one instruction.
slack=0
[ "$(clock_here)" = tsc ] || slack=0.001
# shellcheck disable=SC2016 # $1 is a field of awk, not a parameter of the shell
ok 'the oldest event comes first' awk -v slack=$slack '$1 + slack < last { exit 1 } $1 > last { last = $1 }' all
is 'each line is a decoded event' \
	"$(grep -vcE '^[0-9]+\.[0-9]{6} \[00[01]\] ([^ ].*-|<)[0-9]+>?(/[0-9]+)? +[.hHsz][.p][.N] [a-z0-9_]+ ' all)" 0
echo process,syscall >$params/dump_events
newest >some
is 'dump_events: only events of the listed classes are printed' "$(grep -vcE ' (process_[a-z_]+|system_call_(entry|exit)) ' some)" 0
contains 'a system call is printed by name' "$(cat some)" ' system_call_entry +number=write arg1=0x1 '
contains 'times are on the clock of the kernel messages' "$(awk -v now="$(cut -d ' ' -f 1 /proc/uptime)" 'END {
	print ($1 > now - 600 && $1 < now + 600 ? "near" : "far: " $1 ", not " now) }' some)" near

echo user_mark,user_text >$params/dump_events
for i in 1 2 3 4 5 6; do mark $((1 + i % 2)) "$i"; done
lkstlogger -s 'a text, too'
# Ignore marks of an earlier test, which may come first.
is 'the CPUs are merged by time' "$(newest | numbers | sed 's/.*\(1 2 .*\)/\1/')" '1 2 3 4 5 6 '
contains 'each event has its CPU' "$(newest | grep 'arg1=0x5 ')" '^[0-9.]+ \[001\] .*user_mark +arg1=0x5 arg2=0x0 arg3=0x0 arg4=0x0$'
contains 'a text is printed' "$(newest)" 'user_text +text="a text, too"$'
echo '0x0e0' >$params/dump_events
echo 2 >$params/dump
is 'dump=2: the two newest events of each CPU' "$(newest | numbers)" '3 4 5 6 '
contains 'dump=2: the first line says at most 2 of each CPU' "$(cat log)" '^lkst: 4 newest events, at most 2 of each CPU'
echo lkst_digest >$params/dump_events
newest >/dev/null
contains 'dump and dump_events apply to the long rings' "$(sed '1,/end of events/d' log)" '^lkst: [1-4] events of the long rings, at most 2 of each CPU'
is 'only the selected events of the long rings are printed' "$(sed '1,/end of events/d' log | grep -E '\[00[01]\]' | grep -vc ' lkst_digest ')" 0
printf '%s\n' '!user_mark,!syscall' >$params/dump_events
newest >some
is 'dump_events: events are left out' "$(grep -cE 'user_mark|system_call' some)" 0
is 'dump_events: at most two other events of each CPU are printed' "$(wc -l <some)" 4
echo 0 >$params/dump
is 'dump=0: no event is printed' "$(newest)" ''
contains 'dump=0: the kernel says that no events are printed' "$(cat log)" '^lkst: lkst\.dump is 0: no events are printed$'
echo 20 >$params/dump

# --- several buffers

echo user_mark >$params/dump_events
for i in 0 1; do lkstbuf create -s 1M -b 7 -c $i >/dev/null; done
for i in 1 2; do mark $i 0x5$i; done
lkstbuf jump -b 7 >/dev/null
for i in 1 2; do mark $i 0x6$i; done
is 'events of the previous buffer are printed' "$(newest | numbers | sed 's/.*\(51.*\)/\1/')" '51 52 61 62 '
lkst stop
is 'events are printed while LKST is stopped' "$(newest | numbers | sed 's/.*\(51.*\)/\1/')" '51 52 61 62 '
lkst start --no-state-dump
lkstbuf jump -b 0 >/dev/null
lkstbuf delete -b 7 >/dev/null
is 'events of a deleted buffer are not printed' "$(newest | numbers | grep -c 6)" 0

# --- rare events among many others

echo lkst_init >$params/dump_events
newest >/dev/null
contains 'the dump ends even if no event matches' "$(cat log)" '^lkst: [01] newest events'

# --- addresses

printf '%s\n' all >$params/dump_events
echo 200 >$params/dump
mark 1 0xffff888012345678
newest >all
# Numbers in the last page of the address space are not addresses: they are error codes and small
# negative numbers.
is 'no kernel address is printed' \
	"$(grep -E '=(0x)?ffff[0-9a-f]{12}( |$)' all | grep -vE '=(0x)?f{13}[0-9a-f]{3}( |$)')" ''
# Record timer events, which all forms of LKST have (see scripts/check), and wait for the first one.
echo timer_hr_run_entry entry_log | lkstm write -n timers >/dev/null && lkstm set -n timers
for _ in $(seq 100); do
	sleep 0.2
	newest >all
	! grep -q ' timer_hr_run_entry ' all || break
done
lkstm set -n default && lkstm delete -n timers
contains 'code addresses are printed as symbols' "$(cat all)" ' timer_hr_run_entry .*function=[a-z_0-9.]+\+0x[0-9a-f]+/0x[0-9a-f]+'

# --- messages of the kernel: each takes two or more records

# Record only what these tests look for, because a CPU may record many other events.
printf '%s entry_log\n' user_mark oops_printk oops_message | lkstm write -n messages >/dev/null &&
	lkstm set -n messages
echo 'all,!lkst' >$params/dump_events
echo 3 >$params/dump
message=$(printf '%0200d' 0)
for i in 1 2 3; do mark 1 0x7$i; done
for i in 1 2 3; do taskset 1 sh -c "echo 'sysrq-test: $i $message' >/dev/kmsg"; done
newest >some
is 'messages do not push out other events' "$(grep '\[000\]' some | numbers)" '71 72 73 '
lacks 'no line shows a message' "$(cat some)" ' (oops_printk|oops_message|lkst_more) '
# The lines that the previous dump has printed are messages as well, up to 19 of them.
echo oops_message,lkst_more >$params/dump_events
echo 40 >$params/dump
newest >some
is 'messages are printed if they are named, one line for each' \
	"$(grep -cE ' oops_message +level=[0-9]+ length=2[0-9]+ text="sysrq-test: [123] .*" \[cut\]$' some)" 3
lacks 'no line shows a part of a message' "$(cat some)" ' lkst_more '
echo 20 >$params/dump
lkstm set -n default && lkstm delete -n messages

# --- several requests for a dump at the same time, while buffers are created and deleted

echo user_mark >$params/dump_events
echo 5 >$params/dump
mark_log
trigger() { for i in $(seq 30); do echo L >/proc/sysrq-trigger; done; }
trigger & trigger & trigger &
for i in $(seq 10); do
	lkstbuf create -s 64K -b 8 -c 0 && lkstbuf jump -b 8 -c 0 && mark 1 1 && lkstbuf jump -b 0 -c 0 &&
		lkstbuf delete -b 8 -c 0
done >/dev/null 2>trouble
wait
new_messages >log
is 'buffers can be created and deleted during the dumps' "$(cat trouble)" ''
is 'every key press is answered' "$(grep -cE 'newest events|already being printed$' log)" 90
is 'only one dump runs at a time' "$(awk '/newest events/ { if (inside) bad++; inside = 1 } /end of events/ { if (!inside) bad++; inside = 0 }
	END { print bad + inside }' log)" 0

mark_log
echo ? >/proc/sysrq-trigger
contains 'the SysRq help names the key' "$(new_messages)" 'show-newest-lkst-events\(L\)'
echo 20 >$params/dump
printf '%s\n' '!oops_regs,!oops_stack' >$params/dump_events
done_testing
