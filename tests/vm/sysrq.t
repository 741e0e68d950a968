#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# SysRq-L: the newest events come on the console, merged, in words, as many and of such kinds as the parameters say,
# and never with a kernel address. Also while buffers come and go, and when two want it at once.
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

# What the kernel says from here on.
mark_log() { dmesg -c >/dev/null; }
said() { dmesg | sed 's/^\[ *[0-9.]*\] //'; }

# Prints the lines of events, without "lkst: ".
newest() {
	mark_log
	echo L >/proc/sysrq-trigger
	said >log
	sed -n '/newest events/,/end of events/s/^lkst: *\([0-9]*\.[0-9]* \[.*\)/\1/p' log
}
mark() { taskset "$1" lkstlogger -ev user_mark -a1 "$2"; }
numbers() { sed -n 's/.*user_mark  *arg1=0x\([0-9a-f]*\) .*/\1/p' | tr '\n' ' '; }

# --- the parameters

is 'dump: 20' "$(cat $params/dump)" 20
is 'dump_events: what the kernel prints itself is left out' "$(cat $params/dump_events)" \
	'!oops_regs,!oops_stack,!oops_printk'
for value in 513 -1 many '' 1x; do
	mark_log
	fails "dump: \"$value\" is refused" any sh -c "echo '$value' >$params/dump"
	contains "dump: \"$value\" is named" "$(said)" "lkst\.dump=$value: want a number from 0 to 512; it stays 20\$"
done
for value in nonsense '' 'lock,' 'user_mark,nonsense' 0x1000 5-3 class:nonsense '!'; do
	mark_log
	fails "dump_events: \"$value\" is refused" any sh -c "echo '$value' >$params/dump_events"
	contains "dump_events: \"$value\": why" "$(said)" 'lkst\.dump_events: no event or class is called ".*"; want '
done
mark_log
fails 'dump_events: too long' any sh -c "echo $(printf 'user_mark,%.0s' $(seq 30))all >$params/dump_events"
contains 'dump_events: too long: why' "$(said)" 'lkst\.dump_events: 303 characters are too many; want at most 255'
is 'the value stays' "$(cat $params/dump) $(cat $params/dump_events)" '20 !oops_regs,!oops_stack,!oops_printk'

# --- what is printed

newest >all
contains 'it says how many' "$(cat log)" '^lkst: 40 newest events, at most 20 of each CPU, oldest first(; times are CLOCK_MONOTONIC)?$'
is 'as many lines' "$(wc -l <all)" 40
is '20 of CPU 1' "$(grep -c '^[0-9.]* \[001\]' all)" 20
contains 'and ends' "$(cat log)" '^lkst: end of events$'
# A record that an interrupt delays between taking its place and reading the clock is later than those of the interrupt,
# which come after it. To read the TSC is but an instruction.
slack=0
[ "$(clock_here)" = tsc ] || slack=0.001
# shellcheck disable=SC2016 # awk's
ok 'the oldest first' awk -v slack=$slack '$1 + slack < last { exit 1 } $1 > last { last = $1 }' all
is 'each line is an event in words' \
	"$(grep -vcE '^[0-9]+\.[0-9]{6} \[00[01]\] ([^ ].*-|<)[0-9]+>?(/[0-9]+)? +[.hHsz][.p][.N] [a-z0-9_]+ ' all)" 0
echo process,syscall >$params/dump_events
newest >some
is 'classes' "$(grep -vcE ' (process_[a-z_]+|system_call_(entry|exit)) ' some)" 0
contains 'a system call by its name' "$(cat some)" ' system_call_entry +number=write arg1=0x1 '
contains 'the time is that of messages' "$(awk -v now="$(cut -d ' ' -f 1 /proc/uptime)" 'END {
	print ($1 > now - 600 && $1 < now + 600 ? "near" : "far: " $1 ", not " now) }' some)" near

echo user_mark,user_text >$params/dump_events
for i in 1 2 3 4 5 6; do mark $((1 + i % 2)) "$i"; done
lkstlogger -s 'a text, too'
# Those of a test before this one may still be there.
is 'merged by time over the CPUs' "$(newest | numbers | sed 's/.*\(1 2 .*\)/\1/')" '1 2 3 4 5 6 '
contains 'each on its CPU' "$(newest | grep 'arg1=0x5 ')" '^[0-9.]+ \[001\] .*user_mark +arg1=0x5 arg2=0x0 arg3=0x0 arg4=0x0$'
contains 'a text' "$(newest)" 'user_text +text="a text, too"$'
echo '0x0e0' >$params/dump_events
echo 2 >$params/dump
is 'the two newest of each' "$(newest | numbers)" '3 4 5 6 '
contains 'as the first line says' "$(cat log)" '^lkst: 4 newest events, at most 2 of each CPU'
printf '%s\n' '!user_mark,!syscall' >$params/dump_events
newest >some
is 'left out' "$(grep -cE 'user_mark|system_call' some)" 0
is 'and not more than two of each' "$(wc -l <some)" 4
echo 0 >$params/dump
is 'none' "$(newest)" ''
contains 'and says so' "$(cat log)" '^lkst: lkst\.dump is 0: no events are printed$'
echo 20 >$params/dump

# --- from buffer to buffer

echo user_mark >$params/dump_events
for i in 0 1; do lkstbuf create -s 1M -b 7 -c $i >/dev/null; done
for i in 1 2; do mark $i 0x5$i; done
lkstbuf jump -b 7 >/dev/null
for i in 1 2; do mark $i 0x6$i; done
is 'what is in the buffer before' "$(newest | numbers | sed 's/.*\(51.*\)/\1/')" '51 52 61 62 '
lkst stop
is 'while LKST is stopped' "$(newest | numbers | sed 's/.*\(51.*\)/\1/')" '51 52 61 62 '
lkst start --no-state-dump
lkstbuf jump -b 0 >/dev/null
lkstbuf delete -b 7 >/dev/null
is 'what was deleted is gone' "$(newest | numbers | grep -c 6)" 0

# --- rare ones, after many records

echo lkst_init >$params/dump_events
newest >/dev/null
contains 'it ends where there is nothing' "$(cat log)" '^lkst: [01] newest events'

# --- addresses

printf '%s\n' all >$params/dump_events
echo 200 >$params/dump
mark 1 0xffff888012345678
newest >all
# The last page has none: those are errors, and small negative numbers.
is 'no address of the kernel is shown' \
	"$(grep -E '=(0x)?ffff[0-9a-f]{12}( |$)' all | grep -vE '=(0x)?f{13}[0-9a-f]{3}( |$)')" ''
# Such events as occur wherever LKST came from.
echo timer_hr_run_entry entry_log | lkstm write -n timers >/dev/null && lkstm set -n timers
for _ in $(seq 100); do
	sleep 0.2
	newest >all
	! grep -q ' timer_hr_run_entry ' all || break
done
lkstm set -n default && lkstm delete -n timers
contains 'code by its symbol' "$(cat all)" ' timer_hr_run_entry .*function=[a-z_0-9.]+\+0x[0-9a-f]+/0x[0-9a-f]+'

# --- two at once, and buffers that come and go

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
said >log
is 'buffers come and go meanwhile' "$(cat trouble)" ''
is 'each key gets its answer' "$(grep -cE 'newest events|being printed already$' log)" 90
is 'one at a time' "$(awk '/newest events/ { if (inside) bad++; inside = 1 } /end of events/ { if (!inside) bad++; inside = 0 }
	END { print bad + inside }' log)" 0

mark_log
echo ? >/proc/sysrq-trigger
contains 'the help names it' "$(said)" 'show-newest-lkst-events\(L\)'
echo 20 >$params/dump
printf '%s\n' '!oops_regs,!oops_stack,!oops_printk' >$params/dump_events
done_testing
