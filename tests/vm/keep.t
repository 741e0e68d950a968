#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The handlers that keep what led to an event: stop_after stops LKST so many events later, buffer_jump sends all CPUs
# to another buffer. In any context, and never without an end.
# kernel: base
# kernel-all: base debug
# append: lkst.buffer_size=4M
# timeout: 400

. "$(dirname "$0")/../tap.sh"
here=$(cd "$(dirname "$0")" && pwd)
. ./form.sh
work=/tmp/keep
mkdir -p $work
cd $work || exit

state() { lkst status | sed -n 's/^state *//p'; }
mark() { lkstlogger -ev user_mark -a1 "0x$1"; }
load() { for _ in $(seq "$1"); do cat /proc/self/status; done >/dev/null; }
stop_after() { lksteh control -e stop_after -v "$1" >/dev/null; }
# What was recorded after the mark $1, but what LKST notes by itself.
after() {
	lkstbuf print --own -r | sed "1,/user_mark *arg1=0x$1 /d" | grep -vE ' lkst_(sync_time|buff_ovflow|buff_shift) '
}
maskset() {
	lkstm read -n "$1" -d | lkstm write -n "$2" >/dev/null
	lkstm set -n "$2"
	shift 2
}
begin() { lkst start --no-state-dump; }
# enough NAME GOT WANTED: until the event has begun to count, the other CPU goes on recording, and what interrupts.
enough() { ok "$1: $2 of $3" test "$2" -ge "$3" -a "$2" -le $(($3 + 200)); }

maskset default keep

# --- stop_after

lkstm config -n keep user_mark stop_after
is 'it is armed, and nothing has stopped' "$(state)" running
stop_after 300
mark 1
load 8
is 'some events later LKST is stopped' "$(state)" stopped
after 1 >got
enough 'so many' "$(grep -vc lkst_trc_stop got)" 300
# Another CPU may have been in the middle of an event, in a few nested contexts.
contains 'and that it was stopped is the last' "$(tail -n 4 got)" ' lkst_trc_stop +maskset='

begin
is 'start: it runs again' "$(state)" running
load 8
is 'without a countdown' "$(state)" running
load 20 &
load 20 &
mark 2
wait
is 'armed again' "$(state)" stopped
# Others may have been in the middle of an event each, in a few nested contexts.
got=$(after 2 | grep -vc lkst_trc_stop)
enough 'with both CPUs at work' "$got" 300

begin
mark 3
mark 4
load 8
enough 'a second event does not begin anew' "$(after 3 | grep -vc lkst_trc_stop)" 300
begin
stop_after 1000000
mark 5
lkst stop
begin
stop_after 10
load 5
is 'stop and start end a countdown' "$(state)" running
mark 6
load 5
is 'and the next event begins another' "$(state)" stopped
enough 'of so many' "$(after 6 | grep -vc lkst_trc_stop)" 10
begin
stop_after 200000
mark 7
lkstm read -n default -d | lkstm write -n other >/dev/null
lkstm set -n other
stop_after 5
lkstm set -n keep
mark 8
load 5
is 'it goes on with another maskset' "$(state)" running
lkst stop
begin
stop_after 0
mark 9
is '0: it stops' "$(state)" stopped
enough '0: at once' "$(after 9 | grep -vc lkst_trc_stop)" 0
begin

# As a service does it at boot, with what it finds in a file.
stop_after 10
lkstm read -n keep >file
lkstm set -n default
lkstm delete -n keep >/dev/null
ok 'a file has the maskset' lkstm write -n keep -S -f file
mark a
load 5
is 'and with it, what is armed' "$(state)" stopped
enough 'and how many events' "$(after a | grep -vc lkst_trc_stop)" 10
begin

# What comes now and then may be a while in coming.
stops() {
	for _ in $(seq 1000); do
		[ "$(state)" != stopped ] || break
		sleep 0.1
	done
}
# In contexts of all kinds.
stop_after 20
lkstm config -n keep user_mark entry_log
for event in int_timer_entry process_contextswitch cpu_idle_entry exception_entry exception_pgfault int_softirq_entry \
	system_call_exit; do
	is_present $event || continue
	lkstm config -n keep $event stop_after
	load 5
	stops
	is "by $event" "$(state)" stopped
	lkstm config -n keep $event entry_log
	begin
done
if grep -q '^0x082 .* present' /proc/lkst_etypes; then
	maskset all locks
	also=,int_ipi_entry
	is_present int_ipi_entry || also=
	lkstm config -n locks spin_lock,spin_unlock$also stop_after
	load 5
	is 'by locks' "$(state)" stopped
	lkstm config -n locks spin_lock,spin_unlock$also entry_log
	begin
	lkstm set -n keep
fi
lkstm config -n keep lkst_buff_ovflow stop_after
stop_after 0
lkstbuf create -s 4K -b 5 -c 0 >/dev/null
lkstbuf jump -b 5 -c 0 >/dev/null
taskset 1 sh -c 'for _ in 1 2 3 4 5; do cat /proc/self/status; done' >/dev/null
is 'when a buffer is full' "$(state)" stopped
lkstm config -n keep lkst_buff_ovflow entry_log
begin
lkstbuf jump -b 0 -c 0 >/dev/null
lkstbuf delete -b 5 -c 0 >/dev/null
stop_after 1000

# --- buffer_jump

to() { lksteh control -e buffer_jump -v "$1" >/dev/null; }
written() { lkstbuf list --json | "$here/json" "$1.write_buf"; }

both() { echo "$(written 0) $(written 1)"; }
# The other CPU does so when it takes an interrupt.
both_become() {
	for _ in $(seq 1000); do
		[ "$(both)" != "$1" ] || return 0
		sleep 0.1
	done
	both
	return 1
}
# No more than is looked for, so that looking overwrites nothing.
printf '%s entry_log\n' class:mark lkst_buff_shift | lkstm write -n quiet >/dev/null
lkstm set -n quiet
lkstm config -n quiet user_mark buffer_jump
mark a1
is 'without a buffer nothing happens' "$(both)" '0 0'
to 9
mark a2
is 'nor without that buffer' "$(both)" '0 0'
contains 'the event is recorded' "$(lkstbuf print -e user_mark -n 1)" 'user_mark +arg1=0xa2 '
for cpu in 0 1; do lkstbuf create -s 1M -b 9 -c $cpu >/dev/null; done
mark a3
ok 'every CPU goes there' both_become '9 9'
contains 'the span before stays' "$(lkstbuf list)" '^   0 +0 +[0-9]+ +- +queued$'
lkstbuf read -b 0 -f before >/dev/null
contains 'with the event at its end' "$(lkstbuf print -f before -e user_mark -n 1)" 'user_mark +arg1=0xa3 '
shifts=$(lkstbuf print -e lkst_buff_shift | grep -c buff_shift)
mark a4
mark a5
is 'there already: nothing' "$(both) $(lkstbuf print -e lkst_buff_shift | grep -c buff_shift)" "9 9 $shifts"
contains 'but recorded' "$(lkstbuf print -e user_mark -n 1)" 'user_mark +arg1=0xa5 '
lkstbuf jump -b 0 >/dev/null
mark a6
ok 'back, and again' both_become '9 9'
lkstbuf jump -b 0 >/dev/null
lkstbuf delete -b 9 -c 1 >/dev/null
mark a7
ok 'only the CPUs that have the buffer' both_become '9 0'
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
	ok "by $event" both_become '9 9'
	lkstm config -n keep $event entry_log
done
lkstm read -n keep >now
for event in spin_lock read_unlock int_ipi_entry int_ipi_exit; do
	grep -q " $event(" now || continue
	fails "refused for $event" 1 lkstm config -n keep $event buffer_jump
done
to none
lkstm set -n default
# Tests that come after it find the buffers as they were.
lkstbuf jump -b 0 >/dev/null
for cpu in 0 1; do lkstbuf delete -b 9 -c $cpu >/dev/null; done
lkstbuf delete -b 10 -c 0 >/dev/null
is 'all is as it was' "$(both) $(lkstbuf list | grep -cE '^ +[01] +(9|10) ')" '0 0 0'
done_testing
