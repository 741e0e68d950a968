#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# What happens to lkstlogd: a full disk, a directory that goes away, SIGKILL, CPUs and clocks that change, others who
# work on masksets and buffers. It goes on, what LKST still held is in the files, and what is lost is told.
# kernel: base
# kernel-all: base debug
# append: lkst.buffer_size=3M
# timeout: 500

# Names of files have no blanks here; functions are called by "ok" and "within".
# shellcheck disable=SC2046,SC2317

cd "$(dirname "$0")" || exit
. ../tap.sh
. ./lkstlogd.sh
rm -rf $logs
cd /tmp || exit
surroundings >before

# started ARG...: it runs and writes a file for both CPUs, SERIAL.
started() {
	lkstlogd -a "$@" && within 20 both 0
}
both() { writes 0 "$1" && writes 1 "$1"; }
# The newest file of each CPU is being written.
goes_on() {
	for goes_cpu in 0 1; do
		goes_serial=$(files "$goes_cpu" | tail -n 1 | sed 's/.*\.//')
		[ -n "$goes_serial" ] && writes "$goes_cpu" "$goes_serial" || return 1
	done
}
# sound NAME [nothing_missing]: after TERM all files are whole, and all is as before.
sound() {
	ok "$1: TERM" stop
	${2:-whole} "$1: what is in no file is told" $(files 0) $(files 1)
	surroundings >after
	is "$1: all is as before" "$(cat after)" "$(cat before)"
}
nothing_lost() { is "$1: nothing is lost" "$(of cpu=0 lost) $(of cpu=1 lost)" '0 0'; }
# In the order in which they are printed, from the files.
marks() {
	lkstbuf print "$@" -e user_mark $(printf ' -f %s' $logs/sebuf*) | sed -n 's/.* arg1=0x\(109[0-9a-f][0-9a-f]\) .*/\1/p' | tr '\n' ' '
}

# --- a full disk

mkdir -p $logs
mount -t tmpfs -o size=3m tmpfs $logs
ok 'full disk: it starts' started -l 60M
pid=$(cat $pid_file)
load 3 1 >/dev/null
ok 'full disk: it is full' test "$(df -k $logs | awk 'END { print $4 }')" -lt 300
ok 'full disk: the daemon lives' kill -0 "$pid"
full=$(recid 0 next)
# The ring, and the buffer that the CPU recorded in before, hold 114,688 events together.
overflows() { load 1 1; [ "$(recid 0 next)" -gt $((full + 120000)) ]; }
ok 'full disk: more comes than LKST holds' within 120 overflows
ok 'full disk: lkst status tells' within 10 says '^trouble .*No space left on device'
mount -o remount,size=100m $logs
no_trouble() { ! says '^trouble'; }
ok 'there is space again: no trouble any more' within 20 no_trouble
mark 0x10920
load 1 20 60 >/dev/null
mark 0x10921
ok 'it goes on' within 20 goes_on
lost_0() { [ "$(lkst status | awk '/events in files/ { table = 1 } table && $1 == 0 { print $4 }')" -gt 0 ]; }
ok 'what was lost is counted' within 20 lost_0
sound 'full disk'
ok 'full disk: something was lost' test "$(($(of cpu=0 lost) + $(of cpu=1 lost)))" -gt 0
is 'full disk: what came when there was space again' "$(marks -r)" '10920 10921 '
lkstbuf print -r $(printf ' -f %s' $logs/sebuf*) >printed 2>told
lacks 'full disk: the files are not damaged' "$(cat told)" '(are there, of|follow|damaged|cut)'
contains 'full disk: print tells of the loss' "$(cat told)" 'events were lost'
umount $logs

# Not even the first file has space.
rm -rf $logs
mkdir $logs
mount -t tmpfs -o size=16k tmpfs $logs
ok 'no space from the start: it waits' lkstlogd -a
ok 'no space from the start: lkst status tells' within 10 says '^trouble .*No space left on device'
mark 0x10923
mount -o remount,size=20m $logs
ok 'no space from the start: then it writes' within 20 goes_on
sound 'no space from the start'
is 'no space from the start: the mark' "$(marks)" '10923 '
umount $logs

# --- the directory goes away

rm -rf $logs
ok 'directory: it starts' started
rm -rf $logs
load 1 30 1000 >/dev/null
ok 'removed directory: it makes it anew' within 30 goes_on
mark 0x10922
sound 'removed directory'
is 'removed directory: the mark' "$(marks)" '10922 '

# --- SIGKILL

rm -rf $logs
ok 'SIGKILL: it starts' started -n 8
load 5 12 60 >made &
for round in 1 2; do
	usleep 700000
	pid=$(cat $pid_file)
	kill -KILL "$pid"
	ok "SIGKILL: it has ended ($round)" within 20 gone "$pid"
	contains "SIGKILL: lkst status does not say that it runs ($round)" "$(lkst status)" '^state'
	lacks "SIGKILL: nor what it does ($round)" "$(lkst status)" "\\b$pid\\b"
	usleep 300000
	ok "another one starts, with a stale pid file ($round)" lkstlogd -a -n 8
	ok "and goes on ($round)" within 20 goes_on
done
wait $!
sound 'SIGKILL'
nothing_lost 'SIGKILL'
is 'SIGKILL: all marks' "$(of writer=12 marks) $(of writer=13 marks)" "$(sort made | sed -n 's/.*marks=//p' | tr '\n' ' ' | sed 's/ $//')"
lkstbuf print -r $(printf ' -f %s' $logs/sebuf*) >printed
ok 'SIGKILL: what was not closed can be printed, in the order of time' in_order printed
is 'SIGKILL: all of it' "$(grep -vc '^#' printed)" "$(($(of cpu=0 records) + $(of cpu=1 records)))"

# --- CPUs

rm -rf $logs
cpu1=/sys/devices/system/cpu/cpu1/online
ok 'CPUs: it starts' started -n 8
load 4 14 60 >/dev/null &
for round in 1 2 3; do
	taskset -c 1 lkstlogger -ev user_mark -a1 0x10930
	echo 0 >$cpu1
	usleep 300000
	echo 1 >$cpu1
	taskset -c 1 lkstlogger -ev user_mark -a1 0x10931
done
wait $!
sound 'CPUs'
nothing_lost 'CPUs'
is 'CPUs: all marks' "$(marks -r)" '10930 10931 10930 10931 10930 10931 '

rm -rf $logs
echo 0 >$cpu1
ok 'a CPU that is offline: it starts' lkstlogd -a
ok 'a file for the one that is there' within 20 writes 0 0
echo 1 >$cpu1
taskset -c 1 lkstlogger -ev user_mark -a1 0x10932
ok 'the CPU comes online: a file for it' within 20 goes_on
echo 0 >$cpu1
sound 'TERM while it is offline' 
echo 1 >$cpu1
surroundings >after
is 'when it is back, all is as before, too' "$(cat after)" "$(cat before)"
is 'its mark' "$(marks)" '10932 '

# --- the clock is set

rm -rf $logs
ok 'clock: it starts' started
now=$(date +%s)
for step in 0 3600 -7200 86400; do
	[ $step = 0 ] || date -s "@$(($(date +%s) + step))" >/dev/null
	taskset -c 0 lkstlogger -ev user_mark -a1 0x10940
	taskset -c 1 lkstlogger -ev user_mark -a1 0x10941
	lkstbuf shift >/dev/null
done
date -s "@$((now + 5))" >/dev/null
taskset -c 0 lkstlogger -ev user_mark -a1 0x10942
sound 'clock'
nothing_lost 'clock'
is 'clock: the order is that in which it happened' "$(marks -r)" '10940 10941 10940 10941 10940 10941 10940 10941 10942 '
is 'clock: and the other way round' "$(marks)" '10942 10941 10940 10941 10940 10941 10940 10941 10940 '

# --- others work on masksets and buffers

rm -rf $logs
ok 'others: it starts' started
lkst stop
mark 0x10950
lkst start
mark 0x10951
lkstm set -n default
mark 0x10952
lkstm set -n lkstlogd
mark 0x10953
lkstbuf jump -b 0 >/dev/null
mark 0x10954
lkstbuf shift >/dev/null 2>&1
load 1 31 1000 >/dev/null
mark 0x10955
ok 'others: it goes on' goes_on
sound 'others'
is 'others: all that was recorded' "$(marks -r)" '10951 10952 10953 10954 10955 '

# --- many signals, and many daemons

rm -rf $logs
ok 'signals: it starts' started
fds() { find "/proc/$(cat $pid_file)/fd" -type l | wc -l; }
before_fds=$(fds)
for signal in USR1 USR1 HUP USR2 USR1 USR2 HUP USR1 HUP HUP USR2 USR2 USR1 USR1 WINCH CONT PIPE; do
	mark 0x10960
	tell $signal
	[ $signal = PIPE ] || usleep 20000
done
# Two that are alike may have become one.
sleep 1
settled() { says '^lkstlogd +(idle|writing)'; }
within 20 settled
! says '^lkstlogd +idle' || tell USR1
ok 'signals: it writes' within 20 goes_on
is 'signals: no descriptor is left open' "$(fds)" "$before_fds"
is 'signals: no other process' "$(children)" ''
is 'signals: no zombies' "$(ps -o stat,comm | awk '/^Z.*lkstlogd/ { n++ } END { print n + 0 }')" 0
sound 'signals'
nothing_lost 'signals'
is 'signals: all marks' "$(marks | wc -w)" 17

rm -f status.*
for n in 1 2 3 4 5 6; do
	(lkstlogd >/dev/null 2>&1; echo $? >status.$n) &
done
wait
is 'six at a time: one of them' "$(cat status.* | sort | tr '\n' ' ')" '0 1 1 1 1 1 '
sound_pid=$(cat $pid_file)
kill -TERM "$sound_pid"
kill -TERM "$sound_pid" 2>/dev/null
ok 'TERM twice' within 20 gone "$sound_pid"
lkstlogd -a && tell TERM
ok 'TERM at once' within 20 test ! -e $pid_file
surroundings >after
is 'all is as before' "$(cat after)" "$(cat before)"

rm -rf $logs made printed told status.*
done_testing
