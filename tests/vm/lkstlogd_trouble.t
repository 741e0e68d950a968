#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# What happens to lkstlogd: a full disk, a directory that goes away, SIGKILL, CPUs and clocks that change, others who
# work on masksets and buffers. It goes on, what LKST still held is in the files, and what is lost is told.
# kernel: base debug
# append: lkst.buffer_size=4M
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
# sound NAME: after TERM all files are whole, and all is as before.
sound() {
	ok "$1: TERM" stop
	whole "$1: what is in no file is told" $(files 0) $(files 1)
	surroundings >after
	is "$1: all is as before" "$(cat after)" "$(cat before)"
}
nothing_lost() { is "$1: nothing is lost" "$(of cpu=0 lost) $(of cpu=1 lost)" '0 0'; }
# In the order in which they are printed, from the files.
marks() {
	lkstbuf print "$@" -e user_mark $(printf ' -f %s' $logs/sebuf*) | sed -n 's/.* arg1=0x\(109[0-9a-f]*\) .*/\1/p' | tr '\n' ' '
}

# --- a full disk

mkdir -p $logs
mount -t tmpfs -o size=3m tmpfs $logs
ok 'full disk: it starts' started
pid=$(cat $pid_file)
load 4 >/dev/null
ok 'full disk: it is full' test "$(df -k $logs | awk 'END { print $4 }')" -lt 200
ok 'full disk: the daemon lives' kill -0 "$pid"
contains 'full disk: lkst status tells' "$(lkst status)" '[Nn]o space left on device'
lost() { lkst status | grep -qE '[1-9][0-9]{3}'; }
ok 'full disk: and counts' within 20 lost
mount -o remount,size=40m $logs
mark 0x10920
load 1 20 >/dev/null
mark 0x10921
ok 'there is space again: it goes on' within 30 goes_on
lacks 'which lkst status tells' "$(lkst status)" '[Nn]o space left on device'
sound 'full disk'
ok 'full disk: something was lost' test "$(($(of cpu=0 lost) + $(of cpu=1 lost)))" -gt 0
is 'full disk: what came when there was space again' "$(marks -r)" '10920 10921 '
lkstbuf print -r $(printf ' -f %s' $logs/sebuf*) >printed 2>told
is 'full disk: the files are not damaged' "$(cat told)" ''
umount $logs

# Not even the first file has space.
mount -t tmpfs -o size=16k tmpfs $logs
fails 'no space from the start' 1 lkstlogd -a
contains 'no space from the start: says so' "$tap_output" '^lkstlogd: .*No space left on device'
umount $logs

# --- the directory goes away

rm -rf $logs
ok 'directory: it starts' started
rm -rf $logs
load 1 >/dev/null
ok 'removed directory: it makes it anew' within 30 goes_on
mark 0x10922
sound 'removed directory'
is 'removed directory: the mark' "$(marks)" '10922 '

# --- SIGKILL

rm -rf $logs
ok 'SIGKILL: it starts' started -n 8
load 8 10 200 >made &
for round in 1 2 3 4; do
	usleep 700000
	victim=$(children | cut -d ' ' -f $((round % 2 + 1)))
	kill -KILL "$victim"
	within 20 gone "$victim"
	ok "SIGKILL of a child: another one goes on ($round)" within 20 goes_on
done
wait $!
is 'SIGKILL of children: there are two' "$(children | wc -w)" 2
sound 'SIGKILL of children'
nothing_lost 'SIGKILL of children'
is 'SIGKILL of children: all marks' "$(of writer=10 marks) $(of writer=11 marks)" "$(sort made | sed -n 's/.*marks=//p' | tr '\n' ' ' | sed 's/ $//')"

rm -rf $logs
ok 'SIGKILL of the parent: it starts' started -n 8
load 6 12 200 >made &
for round in 1 2; do
	usleep 700000
	pid=$(cat $pid_file)
	offspring=$(children)
	kill -KILL "$pid"
	for child in $offspring; do
		ok "SIGKILL of the parent: its children end ($round)" within 20 gone "$child"
	done
	contains "SIGKILL of the parent: lkst status does not say that it runs ($round)" "$(lkst status)" '^state'
	lacks "SIGKILL of the parent: nor what it does ($round)" "$(lkst status)" "\\b$pid\\b"
	usleep 300000
	ok "another one starts, with a stale pid file ($round)" lkstlogd -a -n 8
	ok "and goes on ($round)" within 20 goes_on
done
wait $!
sound 'SIGKILL of the parent'
nothing_lost 'SIGKILL of the parent'
is 'SIGKILL of the parent: all marks' "$(of writer=12 marks) $(of writer=13 marks)" "$(sort made | sed -n 's/.*marks=//p' | tr '\n' ' ' | sed 's/ $//')"
lkstbuf print -r $(printf ' -f %s' $logs/sebuf*) >printed
ok 'SIGKILL: what was not closed can be printed, in the order of time' sh -c "grep -v '^#' printed | cut -d ' ' -f 1 | sort -c"
is 'SIGKILL: all of it' "$(grep -vc '^#' printed)" "$(($(of cpu=0 records) + $(of cpu=1 records)))"

# --- CPUs

rm -rf $logs
cpu1=/sys/devices/system/cpu/cpu1/online
ok 'CPUs: it starts' started -n 8
load 6 14 100 >/dev/null &
for round in 1 2 3; do
	taskset -c 1 lkstlogger -ev user_mark -a1 0x10930
	echo 0 >$cpu1
	usleep 300000
	echo 1 >$cpu1
	taskset -c 1 lkstlogger -ev user_mark -a1 0x10931
done
wait $!
is 'CPUs: there are two children' "$(children | wc -w)" 2
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
	lkstbuf shift
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
lkstbuf jump -b 0
mark 0x10954
lkstbuf shift 2>/dev/null
load 1 >/dev/null
mark 0x10955
ok 'others: it goes on' goes_on
sound 'others'
is 'others: all that was recorded' "$(marks -r)" '10951 10952 10953 10954 10955 '

# --- many signals, and many daemons

rm -rf $logs
ok 'signals: it starts' started
fds() { for fds_pid in $(cat $pid_file) $(children); do find "/proc/$fds_pid/fd" -type l 2>/dev/null; done | wc -l; }
before_fds=$(fds)
for signal in USR1 USR1 HUP USR2 USR1 USR2 HUP USR1 HUP HUP USR2 USR2 USR1 USR1 WINCH CONT PIPE; do
	mark 0x10960
	tell $signal
	[ $signal = PIPE ] || usleep 20000
done
ok 'signals: it writes' within 30 goes_on
is 'signals: no descriptor is left open' "$(fds)" "$before_fds"
is 'signals: two children' "$(children | wc -w)" 2
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
tell TERM
tell TERM
sound_pid=$(cat $pid_file)
ok 'TERM twice' within 20 gone "$sound_pid"
lkstlogd -a && tell TERM
ok 'TERM at once' within 20 test ! -e $pid_file
surroundings >after
is 'all is as before' "$(cat after)" "$(cat before)"

rm -rf $logs made printed told status.*
done_testing
