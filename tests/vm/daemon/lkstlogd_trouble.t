#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# lkstlogd continues after trouble: a full disk, a directory that is removed, SIGKILL, CPUs that go
# offline and online, a clock that is set, other programs that change masksets and buffers. The
# log files then hold all records that LKST's buffers still held, and report the others as lost.
# kernel: base
# kernel-all: base debug
# append: lkst.buffer_size=3M
# timeout: 500

# shellcheck disable=SC2046,SC2317
. "$(dirname "$0")/lkstlogd.sh"
surroundings >before

# goes_on: whether the newest file of each CPU is being written
goes_on() {
	for goes_cpu in 0 1; do
		goes_serial=$(files "$goes_cpu" | tail -n 1 | sed 's/.*\.//')
		[ -n "$goes_serial" ] && writes "$goes_cpu" "$goes_serial" || return 1
	done
}
# end_complete NAME [HOW]: end lkstlogd with TERM, and test that all files are complete and that LKST is
# in the same state as before lkstlogd started. HOW is "whole" or "nothing_missing".
end_complete() {
	ok "$1: TERM" stop
	${2:-whole} "$1: each record is in the files or reported as lost" $(files 0) $(files 1)
	unchanged "$1: LKST is in its old state"
}
# Print the marks in the files, in the order in which lkstbuf prints them.
marks() {
	lkstbuf print "$@" -e user_mark $(printf ' -f %s' $logs/sebuf*) | sed -n 's/.* arg1=0x\(109[0-9a-f][0-9a-f]\) .*/\1/p' | tr '\n' ' '
}

# --- a full disk

mkdir -p $logs
mount -t tmpfs -o size=3m tmpfs $logs
starts 'full disk' 0 -l 60M
pid=$(cat $pid_file)
load 3 1 >/dev/null
ok 'full disk: no space is left' test "$(df -k $logs | awk 'END { print $4 }')" -lt 300
ok 'full disk: lkstlogd still runs' kill -0 "$pid"
full=$(recid 0 next)
# lkstlogd's ring, and the buffer that CPU 0 wrote before lkstlogd started, hold 114,688 events
# together.
overflows() { load 1 1; [ "$(recid 0 next)" -gt $((full + 120000)) ]; }
ok 'full disk: more events than LKST can hold' within 120 overflows
ok 'full disk: lkst status reports it' within 10 says '^trouble .*No space left on device'
mount -o remount,size=100m $logs
no_trouble() { ! says '^trouble'; }
ok 'full disk: no trouble once space is available' within 20 no_trouble
mark 0x10920
load 1 20 60 >/dev/null
mark 0x10921
ok 'full disk: lkstlogd continues' within 20 goes_on
lost_0() { [ "$(lkst status | awk '/events in files/ { table = 1 } table && $1 == 0 { print $4 }')" -gt 0 ]; }
ok 'full disk: lost events are counted' within 20 lost_0
end_complete 'full disk'
ok 'full disk: events were lost' test "$(($(of cpu=0 lost) + $(of cpu=1 lost)))" -gt 0
is 'full disk: marks from after the loss are in the files' "$(marks -r)" '10920 10921 '
lkstbuf print -r $(printf ' -f %s' $logs/sebuf*) >printed 2>stderr
lacks 'full disk: the files are not damaged' "$(cat stderr)" '(are in the file, of|after the end|damaged|truncated)'
contains 'full disk: lkstbuf print reports the loss' "$(cat stderr)" 'events were lost'
umount $logs

# There is not even enough space for the first file.
rm -rf $logs
mkdir $logs
mount -t tmpfs -o size=16k tmpfs $logs
ok 'no space from the start: lkstlogd waits' lkstlogd -a
ok 'no space from the start: lkst status reports it' within 10 says '^trouble .*No space left on device'
mark 0x10923
mount -o remount,size=20m $logs
ok 'no space from the start: it writes once space is available' within 20 goes_on
end_complete 'no space from the start'
is 'no space from the start: the mark is in the file' "$(marks)" '10923 '
umount $logs

# --- the directory is removed

begin 'directory'
rm -rf $logs
load 1 30 1000 >/dev/null
ok 'removed directory: lkstlogd creates it again' within 30 goes_on
mark 0x10922
end_complete 'removed directory'
is 'removed directory: the mark is in the file' "$(marks)" '10922 '

# --- SIGKILL

begin 'SIGKILL' -n 8
load 5 12 60 >made &
for round in 1 2; do
	usleep 700000
	pid=$(cat $pid_file)
	kill -KILL "$pid"
	ok "SIGKILL: lkstlogd is gone ($round)" within 20 gone "$pid"
	contains "SIGKILL: lkst status still works ($round)" "$(lkst status)" '^state'
	lacks "SIGKILL: lkst status does not show its process id ($round)" "$(lkst status)" "\\b$pid\\b"
	usleep 300000
	ok "SIGKILL: another lkstlogd starts despite the old pid file ($round)" lkstlogd -a -n 8
	ok "SIGKILL: it writes ($round)" within 20 goes_on
done
wait $!
end_complete 'SIGKILL' nothing_missing
nothing_lost 'SIGKILL'
is 'SIGKILL: all marks are in the files' "$(of writer=12 marks) $(of writer=13 marks)" "$(sort made | sed -n 's/.*marks=//p' | tr '\n' ' ' | sed 's/ $//')"
lkstbuf print -r $(printf ' -f %s' $logs/sebuf*) >printed
ok 'SIGKILL: unclosed files can be printed in order of time' in_order printed
is 'SIGKILL: every record is printed' "$(grep -vc '^#' printed)" "$(($(of cpu=0 records) + $(of cpu=1 records)))"

# --- CPUs

cpu1=/sys/devices/system/cpu/cpu1/online
begin CPUs -n 8
load 4 14 60 >/dev/null &
for round in 1 2 3; do
	taskset -c 1 lkstlogger -ev user_mark -a1 0x10930
	echo 0 >$cpu1
	usleep 300000
	echo 1 >$cpu1
	taskset -c 1 lkstlogger -ev user_mark -a1 0x10931
done
wait $!
end_complete 'CPUs'
nothing_lost 'CPUs'
is 'CPUs: all marks are in the files' "$(marks -r)" '10930 10931 10930 10931 10930 10931 '

rm -rf $logs
echo 0 >$cpu1
ok 'a CPU is offline: lkstlogd starts' lkstlogd -a
ok 'a CPU is offline: the other one has a file' within 20 writes 0 0
echo 1 >$cpu1
taskset -c 1 lkstlogger -ev user_mark -a1 0x10932
ok 'a CPU is offline: it gets a file when it comes online' within 20 goes_on
echo 0 >$cpu1
end_complete 'TERM while it is offline'
echo 1 >$cpu1
unchanged 'TERM while it is offline: LKST is in its old state when it is online again'
is 'TERM while it is offline: the mark is in the file' "$(marks)" '10932 '
# The kernel's buffers had records of the CPU, so it may have had a file before it came online.
lacks 'a CPU is offline: every file is complete' "$(printf '%s\n' "$checked" | grep '^file=')" 'closed=0'

# --- the clock is set

begin 'clock'
now=$(date +%s)
for step in 0 3600 -7200 86400; do
	[ $step = 0 ] || date -s "@$(($(date +%s) + step))" >/dev/null
	taskset -c 0 lkstlogger -ev user_mark -a1 0x10940
	taskset -c 1 lkstlogger -ev user_mark -a1 0x10941
	lkstbuf shift >/dev/null
done
date -s "@$((now + 5))" >/dev/null
taskset -c 0 lkstlogger -ev user_mark -a1 0x10942
end_complete 'clock'
nothing_lost 'clock'
is 'clock: oldest first, events are printed in the order in which they happened' "$(marks -r)" '10940 10941 10940 10941 10940 10941 10940 10941 10942 '
is 'clock: newest first, events are printed in reverse order' "$(marks)" '10942 10941 10940 10941 10940 10941 10940 10941 10940 '

# --- other programs change masksets and buffers

begin 'others'
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
ok 'others: lkstlogd continues' goes_on
end_complete 'others'
is 'others: all marks are in the files' "$(marks -r)" '10951 10952 10953 10954 10955 '

# --- many signals, and many daemons

begin 'signals'
fds() { find "/proc/$(cat $pid_file)/fd" -type l | wc -l; }
# lkstlogd opens a file for a moment when it updates its status, so take the lowest of some counts.
before_fds=$(for _ in 1 2 3 4 5; do fds; done | sort -n | head -n 1)
for signal in USR1 USR1 HUP USR2 USR1 USR2 HUP USR1 HUP HUP USR2 USR2 USR1 USR1 WINCH CONT PIPE; do
	mark 0x10960
	signal_daemon $signal
	[ $signal = PIPE ] || usleep 20000
done
# Several pending instances of the same signal are delivered as one, so we do not know whether
# lkstlogd writes or is idle after the last of them.
sleep 1
resumes() { ! says '^lkstlogd +idle' || signal_daemon USR1; goes_on; }
ok 'signals: it writes' within 20 resumes
same_fds() { [ "$(fds)" -eq "$before_fds" ]; }
ok 'signals: no descriptor was left open' within 20 same_fds
is 'signals: no other process is left' "$(children)" ''
is 'signals: no zombies are left' "$(ps -o stat,comm | awk '/^Z.*lkstlogd/ { n++ } END { print n + 0 }')" 0
end_complete 'signals'
nothing_lost 'signals'
is 'signals: all marks are in the files' "$(marks | wc -w)" 17

rm -f status.*
for n in 1 2 3 4 5 6; do
	(lkstlogd >/dev/null 2>&1; echo $? >status.$n) &
done
wait
is 'six daemons at a time: one of them starts' "$(cat status.* | sort | tr '\n' ' ')" '0 1 1 1 1 1 '
sound_pid=$(cat $pid_file)
kill -TERM "$sound_pid"
kill -TERM "$sound_pid" 2>/dev/null
ok 'TERM twice' within 20 gone "$sound_pid"
lkstlogd -a && signal_daemon TERM
ok 'TERM just after the start' within 20 test ! -e $pid_file
unchanged 'many daemons: LKST is in its old state'

rm -rf $logs made printed status.*
done_testing
