#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# lkstlogd works when several events coincide, and when lkstlogd lacks a resource that it needs:
# signals that arrive while others are handled, SIGKILL at any time, file names that are in use, and
# missing directories, buffers and descriptors.
# kernel: base
# kernel-all: base debug
# append: lkst.buffer_size=3M
# suite: all
# timeout: 400

# shellcheck disable=SC2046,SC2317
. "$(dirname "$0")/lkstlogd.sh"
surroundings >before

as_before() { unchanged "$1: LKST is in its old state"; }
# has_mark NAME NUMBER: test that the log files contain the mark exactly once
has_mark() { is "$1" "$(marked "$2" $logs/sebuf*)" 1; }

# --- signals that arrive while lkstlogd handles HUP: it writes no files at that moment

begin 'HUP, TERM'
mark 0x10970
pid=$(cat $pid_file)
kill -HUP "$pid"
kill -TERM "$pid"
ok 'HUP, TERM: it exits' within 20 gone "$pid"
whole 'HUP, TERM: no record is lost' $(files 0) $(files 1)
has_mark 'HUP, TERM: the last records are in the files' 0x10970
as_before 'HUP, TERM'

begin 'HUP, USR1'
mark 0x10971
pid=$(cat $pid_file)
kill -HUP "$pid"
kill -USR1 "$pid"
ok 'HUP, USR1: it is idle' within 20 says '^lkstlogd +idle'
has_mark 'HUP, USR1: the last records are in the files' 0x10971
signal_daemon USR1
ok 'HUP, USR1, USR1: it writes' within 20 says '^lkstlogd +writing'
ok 'TERM' stop
explained

# lkstlogd is killed after TERM has arrived and before TERM has been handled.
begin 'killed while it exits'
pid=$(cat $pid_file)
kill -STOP "$pid"
mark 0x10975
kill -TERM "$pid"
kill -KILL "$pid"
starts 'killed while it exits: the next daemon' 1
ok 'killed while it exits: TERM' stop
nothing_missing 'killed while it exits: no record is missing' $(files 0) $(files 1)
nothing_lost 'killed while it exits'
has_mark 'killed while it exits: the last records are in the files' 0x10975

# lkstlogd is killed at various points while it starts. The next lkstlogd recognizes all buffers and
# masksets that were left behind.
for n in $(seq 20); do
	lkstlogd -F -n 20 -b 64K >/dev/null 2>&1 &
	early=$!
	usleep $((n * 5000))
	kill -KILL $early
	wait $early 2>/dev/null
done
ok 'killed while it starts: the next daemon starts' lkstlogd
ok 'killed while it starts: TERM' stop
as_before 'killed while it starts'

# --- killed: the next daemon reports the events that the ring could not hold in the meantime

begin killed -b 256K
kill -KILL "$(cat $pid_file)"
# Record more than the two buffers of 256 KB hold.
next_0=$(recid 0 next) next_1=$(recid 1 next)
overwritten() { [ "$(recid 0 next)" -gt $((next_0 + 20000)) ] && [ "$(recid 1 next)" -gt $((next_1 + 20000)) ]; }
load 3000 40 1000 >/dev/null &
load=$!
ok 'killed: later events are overwritten' within 60 overwritten
kill $load
wait $load
starts 'killed: the next daemon' 1 -b 256K
ok 'killed: TERM' stop
nothing_missing 'killed: lost events are reported in the files' $(files 0) $(files 1)
ok 'killed: events were lost' test "$(of cpu=0 lost)" -gt 0 -a "$(of cpu=1 lost)" -gt 0
as_before 'killed'

# An event is written to one file only. The next daemon does not write it again, although it is
# still in a buffer of the kernel.
begin again
mark 0x10976
ok 'again: TERM' stop
starts 'again: the next daemon' 1
mark 0x10977
ok 'again: TERM once more' stop
# Events recorded after one daemon exited and before the next one started are in no file, so check
# only for events that are in two files.
checked=$(logfiles check $(files 0) $(files 1) 2>/dev/null)
is_of 'again: no event is in two files' twice '0 0'
has_mark 'again: earlier events are in the files' 0x10976
has_mark 'again: later events are in the files, too' 0x10977
explained

# --- TERM, when the disk was full but has room again

rm -rf $logs
mkdir -p $logs
mount -t tmpfs -o size=1m tmpfs $logs
lkstlogd -a -l 60M -b 256K
load 2 41 >/dev/null
ok 'full disk: lkst status reports it' within 20 says '^trouble .*No space left on device'
pid=$(cat $pid_file)
kill -STOP "$pid"
mark 0x10973
mount -o remount,size=100m $logs
kill -TERM "$pid"
kill -CONT "$pid"
ok 'full disk, TERM: it exits' within 20 gone "$pid"
has_mark 'full disk, TERM: there is space again, so the last events are written' 0x10973
explained
umount $logs

# --- names that are in use

rm -rf $logs
mkdir -p $logs/sebuf0.0
ln -s /nowhere $logs/sebuf1.0
mkfifo $logs/sebuf1.1
starts 'names in use: the next free serial is used' 2
ok 'TERM' stop
ok 'names in use: what has these names is left alone' test -d $logs/sebuf0.0 -a -L $logs/sebuf1.0 -a -p $logs/sebuf1.1
why_agrees_if_any $logs/sebuf0.2 $logs/sebuf1.2

rm -rf $logs
mkdir -p $logs
: >$logs/sebuf0.4294967295
refused 'no higher serial is possible' 1 '^lkstlogd: .*sebuf0\.4294967295: .*higher' lkstlogd -a
ok 'no higher serial is possible: lkstlogd does not run' test ! -e $pid_file
mv $logs/sebuf0.4294967295 $logs/sebuf0.4294967293
starts 'the highest serial can be used' 4294967294
ok 'TERM' stop
why_agrees_if_any $logs/sebuf0.4294967294 $logs/sebuf1.4294967294

# In a world-writable directory, other users can create files with the names of log files. Such
# files affect neither serials nor limits, and are not deleted.
rm -rf $logs
mkdir -p $logs
chmod 1777 $logs
dd if=/dev/zero of=$logs/sebuf1.7 bs=1M count=3 2>/dev/null
chown 1234 $logs/sebuf1.7
starts 'files of other users do not count' 0 -l 1M -L 2M
signal_daemon USR2
ok 'files of other users: new files begin' within 20 both 1
ok 'TERM' stop
ok 'files of other users: not deleted' test -e $logs/sebuf1.7
rm $logs/sebuf1.7
explained

# --- a limit for all files that leaves room only for the files being written

rm -rf $logs
foreground -a -b 256K -l 256K -L 512K
within 20 both 0
for serial in $(seq 1 25); do
	signal_daemon USR2
	within 20 both "$serial"
done
end_foreground TERM
lacks 'files that have just begun are not deleted' "$(cat messages)" 'was removed'
contains 'earlier files are deleted, and their events are counted' "$(cat messages)" 'sebuf0\.3: deleted, with [1-9]'
explained

# If a daemon was killed before it could finish a file, the next daemon counts the events in that
# file.
begin 'unfinished file' -l 1M -L 2M
load 1 42 1000 >/dev/null
kill -KILL "$(cat $pid_file)"
starts 'unfinished file: the next daemon' 1 -l 1M -L 2M
written_over() { lkst status | awk '/events in files/ { table = 1 } table && $1 == 0 { exit $3 < 1000 }'; }
ok 'unfinished file: its events are counted' within 20 written_over
ok 'TERM' stop
why_agrees_cut $(files 0) $(files 1)

# --- things that are missing

rm -rf $logs
lkstlogd -a <&- >&- 2>&-
is 'no standard input and output: lkstlogd starts' $? 0
within 20 both 0
ok 'no standard input and output: it has a pid file' kill -0 "$(cat $pid_file)"
fails 'no standard input and output: it keeps a second lkstlogd from starting' 1 lkstlogd
lacks 'no standard input and output: no trouble' "$(lkst status)" '^trouble'
ok 'TERM' stop
explained

begin 'deleted buffers'
pid=$(cat $pid_file)
kill -STOP "$pid"
lkstbuf jump -b 0 >/dev/null
for buffer in $(lkstbuf list | awk '$3 == 2097152 { print $2 }' | sort -u); do
	lkstbuf delete -b "$buffer" >/dev/null
done
is 'deleted buffers: the ring is gone' "$(lkstbuf list | grep -c 2097152)" 0
kill -CONT "$pid"
ring() { [ "$(lkstbuf list | grep -c '2097152.*writing')" -eq 2 ]; }
ok 'deleted buffers: it creates a new ring' within 20 ring
sleep 2
ok 'deleted buffers: it keeps that ring' ring
is 'deleted buffers: the ring is complete' "$(lkstbuf list | grep -c 2097152)" 4
mark 0x10974
ok 'TERM' stop
has_mark 'deleted buffers: later events are in the files' 0x10974
explained
as_before 'deleted buffers'

rm -rf $logs
ok 'removed /run/lkst: lkstlogd starts' lkstlogd
rm -rf /run/lkst
signal_daemon USR1
ok 'removed /run/lkst: it writes' within 20 both 0
ok 'removed /run/lkst: lkst status shows it' within 20 says '^lkstlogd +writing'
ok 'TERM' stop
explained
as_before 'removed /run/lkst'

rm -rf $logs before after messages
done_testing
