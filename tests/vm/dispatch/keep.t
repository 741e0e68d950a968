#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Tests the handlers that preserve the records from before an event: stop_after stops LKST a number
# of events later, and buffer_jump makes all CPUs switch to another buffer. They work in any
# context, and the events that they cause do not make them run endlessly.
# kernel: base
# kernel-all: base debug
# append: lkst.buffer_size=4M
# timeout: 400

# shellcheck source=../commands/rows.sh disable=SC2317
. "$(dirname "$0")/rows.sh"

mark() { lkstlogger -ev user_mark -a1 "0x$1"; }
load() { for _ in $(seq "$1"); do cat /proc/self/status; done >/dev/null; }
stop_after() { lksteh control -e stop_after -v "$1" >/dev/null; }
# after ARG1: print the events that were recorded after the mark ARG1, without lkst_sync_time and
# without events about full buffers and switches of buffers
after() {
	lkstbuf print --own -r | sed "1,/user_mark *arg1=0x$1 /d" | grep -vE ' lkst_(sync_time|buff_ovflow|buff_shift) '
}
maskset() {
	lkstm read -n "$1" -d | lkstm write -n "$2" >/dev/null
	lkstm set -n "$2"
}
begin() { lkst start --no-state-dump; }
# enough NAME ARG1 WANTED: test that at least WANTED events followed the mark ARG1. Up to 200 more
# events are allowed, because the other CPU and interrupts record until the countdown has begun.
enough() {
	got=$(after "$2" | grep -vc lkst_trc_stop)
	ok "$1: $got of $3" test "$got" -ge "$3" -a "$got" -le $(($3 + 200))
}

maskset default keep

# --- stop_after

lkstm config -n keep user_mark stop_after
is 'armed: LKST still runs' "$(field state)" running
stop_after 300
mark 1
load 8
is 'after enough events LKST is stopped' "$(field state)" stopped
enough 'the number of events is right' 1 300
# When lkst_trc_stop is recorded, the other CPU may still be recording events, one in each of a few
# nested contexts. So up to three events may follow lkst_trc_stop.
contains 'the last event is lkst_trc_stop' "$(after 1 | tail -n 4)" ' lkst_trc_stop +maskset='

begin
is 'start: LKST runs again' "$(field state)" running
load 8
is 'start: no countdown is running' "$(field state)" running
load 20 &
load 20 &
mark 2
wait
is 'LKST stops again' "$(field state)" stopped
enough 'the number is right with both CPUs busy' 2 300

begin
mark 3
mark 4
load 8
enough 'a second event does not restart the countdown' 3 300
begin
stop_after 1000000
mark 5
lkst stop
begin
stop_after 10
load 5
is 'stop and start cancel a countdown' "$(field state)" running
mark 6
load 5
is 'the next event starts another countdown' "$(field state)" stopped
enough 'the other countdown has the right number' 6 10
begin
stop_after 200000
mark 7
lkstm read -n default -d | lkstm write -n other >/dev/null
lkstm set -n other
stop_after 5
lkstm set -n keep
mark 8
load 5
is 'selecting masksets does not end a countdown' "$(field state)" running
lkst stop
begin
stop_after 0
mark 9
is 'countdown of 0: LKST is stopped' "$(field state)" stopped
enough 'countdown of 0: no further events are recorded' 9 0
begin

# Select a maskset from a file, as a service does at boot.
stop_after 10
lkstm read -n keep >file
lkstm set -n default
lkstm delete -n keep >/dev/null
ok 'a maskset can be read from a file' lkstm write -n keep -S -f file
mark a
load 5
is 'a maskset from a file: stop_after is armed' "$(field state)" stopped
enough 'a maskset from a file: the countdown has the right number' a 10
begin

stopped() { [ "$(field state)" = stopped ]; }
# Check stop_after with events that occur in all kinds of contexts.
stop_after 20
lkstm config -n keep user_mark entry_log
for event in int_timer_entry process_contextswitch cpu_idle_entry exception_entry exception_pgfault int_softirq_entry \
	system_call_exit; do
	is_present $event || continue
	lkstm config -n keep $event stop_after
	load 5
	# Wait, because some of the events are rare.
	ok "stopped by $event" wait_for stopped
	lkstm config -n keep $event entry_log
	begin
done
if grep -q '^0x082 .* present' /proc/lkst_etypes; then
	maskset all locks
	also=,int_ipi_entry
	is_present int_ipi_entry || also=
	lkstm config -n locks spin_lock,spin_unlock$also stop_after
	load 5
	is 'stopped by locks' "$(field state)" stopped
	lkstm config -n locks spin_lock,spin_unlock$also entry_log
	begin
	lkstm set -n keep
fi
lkstm config -n keep lkst_buff_ovflow stop_after
stop_after 0
lkstbuf create -s 4K -b 5 -c 0 >/dev/null
lkstbuf jump -b 5 -c 0 >/dev/null
taskset 1 sh -c 'for _ in 1 2 3 4 5; do cat /proc/self/status; done' >/dev/null
is 'stopped by a full buffer' "$(field state)" stopped
lkstm config -n keep lkst_buff_ovflow entry_log
begin
lkstbuf jump -b 0 -c 0 >/dev/null
lkstbuf delete -b 5 -c 0 >/dev/null
stop_after 1000

# --- buffer_jump

to() { lksteh control -e buffer_jump -v "$1" >/dev/null; }
both() { lkstbuf list --json >buffers && echo "$(json 0.write_buf <buffers) $(json 1.write_buf <buffers)"; }
both_are() { [ "$(both)" = "$1" ]; }
# both_become BUFFERS: wait until CPUs 0 and 1 record to these buffers. The CPU on which the
# handler runs asks the other CPU to switch. The other CPU switches when it takes an interrupt.
both_become() { wait_for both_are "$1" || ! both; }
# Record only the events that are needed, so that the commands below overwrite nothing.
printf '%s entry_log\n' class:mark lkst_buff_shift | lkstm write -n quiet >/dev/null
lkstm set -n quiet
lkstm config -n quiet user_mark buffer_jump
mark a1
is 'without a buffer id no CPU switches' "$(both)" '0 0'
to 9
mark a2
is 'if the buffer does not exist, no CPU switches' "$(both)" '0 0'
contains 'if the buffer does not exist, the event is recorded' "$(lkstbuf print -e user_mark -n 1)" 'user_mark +arg1=0xa2 '
for cpu in 0 1; do lkstbuf create -s 1M -b 9 -c $cpu >/dev/null; done
mark a3
ok 'every CPU switches to the buffer' both_become '9 9'
contains 'the previous buffer is queued' "$(lkstbuf list)" '^   0 +0 +[0-9]+ +- +queued$'
lkstbuf read -b 0 -f before >/dev/null
contains 'the event is the last one in the previous buffer' "$(lkstbuf print -f before -e user_mark -n 1)" 'user_mark +arg1=0xa3 '
shifts=$(lkstbuf print -e lkst_buff_shift | grep -c buff_shift)
mark a4
mark a5
is 'already in that buffer: no switch' "$(both) $(lkstbuf print -e lkst_buff_shift | grep -c buff_shift)" "9 9 $shifts"
contains 'already in that buffer: the event is recorded' "$(lkstbuf print -e user_mark -n 1)" 'user_mark +arg1=0xa5 '
lkstbuf jump -b 0 >/dev/null
mark a6
ok 'the CPUs return and switch again' both_become '9 9'
lkstbuf jump -b 0 >/dev/null
lkstbuf delete -b 9 -c 1 >/dev/null
mark a7
ok 'only CPUs that have the buffer switch' both_become '9 0'
lkstbuf jump -b 0 >/dev/null
lkstbuf create -s 1M -b 9 -c 1 >/dev/null
lkstm set -n keep
lkstm config -n keep user_mark entry_log
for event in int_timer_entry process_contextswitch cpu_idle_entry process_wakeup int_softirq_entry lkst_buff_shift; do
	is_present $event || continue
	lkstbuf jump -b 0 >/dev/null
	lkstm config -n keep $event buffer_jump
	load 5
	[ $event != lkst_buff_shift ] || { lkstbuf create -s 64K -b 10 -c 0 && lkstbuf jump -b 10 -c 0; } >/dev/null
	ok "switched by $event" both_become '9 9'
	lkstm config -n keep $event entry_log
done
to none
lkstm set -n default
# Restore the buffers for the tests that run next.
lkstbuf jump -b 0 >/dev/null
for cpu in 0 1; do lkstbuf delete -b 9 -c $cpu >/dev/null; done
lkstbuf delete -b 10 -c 0 >/dev/null
is 'the buffers are restored' "$(both) $(lkstbuf list | grep -cE '^ +[01] +(9|10) ')" '0 0 0'
done_testing
