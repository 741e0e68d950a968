#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# lkstlogd when things happen at once, or when what it relies on is taken away: signals that come while others are being
# dealt with, processes killed together, names that are taken, directories, buffers and descriptors that are missing.
# kernel: base
# kernel-all: base debug
# append: lkst.buffer_size=3M
# timeout: 400

# Names of files have no blanks here; functions are called by "ok" and "within".
# shellcheck disable=SC2046,SC2317

cd "$(dirname "$0")" || exit
. ../tap.sh
. ./lkstlogd.sh
rm -rf $logs
cd /tmp || exit
surroundings >before

both() { writes 0 "$1" && writes 1 "$1"; }
as_before() {
	surroundings >after
	is "$1: all is as before" "$(cat after)" "$(cat before)"
}
# begin ARG...: it writes from now on, to empty directories.
begin() {
	rm -rf $logs
	lkstlogd -a "$@" && within 20 both 0
}

# --- signals while HUP is being dealt with: what is to be written until then is written by nobody at that time

ok 'HUP, TERM: it starts' begin
mark 0x10970
pid=$(cat $pid_file)
kill -HUP "$pid"
kill -TERM "$pid"
ok 'HUP, TERM: it ends' within 20 gone "$pid"
whole 'HUP, TERM: nothing is lost' $(files 0) $(files 1)
is 'HUP, TERM: what was recorded until then' "$(marked 0x10970 $logs/sebuf*)" 1
as_before 'HUP, TERM'

ok 'HUP, USR1: it starts' begin
mark 0x10971
pid=$(cat $pid_file)
kill -HUP "$pid"
kill -USR1 "$pid"
ok 'HUP, USR1: it is idle' within 20 says '^lkstlogd +idle'
is 'HUP, USR1: what was recorded until then' "$(marked 0x10971 $logs/sebuf*)" 1
tell USR1
ok 'HUP, USR1, USR1: it writes' within 20 says '^lkstlogd +writing'
ok 'TERM' stop

# Killed when TERM has come and it has not dealt with it yet.
ok 'killed while it ends: it starts' begin
pid=$(cat $pid_file)
kill -STOP "$pid"
mark 0x10975
kill -TERM "$pid"
kill -KILL "$pid"
ok 'killed while it ends: the next one starts' lkstlogd -a
ok 'killed while it ends: it writes' within 20 both 1
ok 'killed while it ends: TERM' stop
nothing_missing 'killed while it ends: nothing is missing' $(files 0) $(files 1)
is 'killed while it ends: nothing is lost' "$(of cpu=0 lost) $(of cpu=1 lost)" '0 0'
is 'killed while it ends: what was recorded until then' "$(marked 0x10975 $logs/sebuf*)" 1

# Killed at any moment of its beginning: no buffer and no maskset is left that the next one does not know of.
for n in $(seq 20); do
	lkstlogd -F -n 20 -b 64K >/dev/null 2>&1 &
	early=$!
	usleep $((n * 5000))
	kill -KILL $early
	wait $early 2>/dev/null
done
ok 'killed while it begins: the next one starts' lkstlogd
ok 'killed while it begins: TERM' stop
as_before 'killed while it begins'

# --- killed: what the ring could not hold until the next one came is reported

ok 'killed: it starts' begin -b 256K
kill -KILL "$(cat $pid_file)"
load 1 40 1000 >/dev/null
ok 'killed: the next one starts' lkstlogd -a -b 256K
ok 'killed: it writes' within 20 both 1
ok 'killed: TERM' stop
nothing_missing 'killed: what was lost is in the files' $(files 0) $(files 1)
ok 'killed: there was something' test "$(of cpu=0 lost)" -gt 0 -a "$(of cpu=1 lost)" -gt 0
as_before 'killed'

# What is in files is written once, also by the next daemon, though the kernel still has it.
ok 'again: it starts' begin
mark 0x10976
ok 'again: TERM' stop
ok 'again: the next one starts' lkstlogd -a
ok 'again: it writes' within 20 both 1
mark 0x10977
ok 'again: TERM once more' stop
# What came in between nobody wanted.
checked=$(logfiles check $(files 0) $(files 1) 2>/dev/null)
is 'again: no event is in two files' "$(of cpu=0 twice) $(of cpu=1 twice)" '0 0'
is 'again: what came before' "$(marked 0x10976 $logs/sebuf*)" 1
is 'again: what came then' "$(marked 0x10977 $logs/sebuf*)" 1

# --- TERM while writing did not succeed, but would now

rm -rf $logs
mkdir -p $logs
mount -t tmpfs -o size=1m tmpfs $logs
lkstlogd -a -l 60M -b 256K
load 2 41 >/dev/null
ok 'full disk: it is told' within 20 says '^trouble .*No space left on device'
pid=$(cat $pid_file)
kill -STOP "$pid"
mark 0x10973
mount -o remount,size=100m $logs
kill -TERM "$pid"
kill -CONT "$pid"
ok 'full disk, TERM: it ends' within 20 gone "$pid"
is 'full disk, TERM: there is space again, so the last events are written' "$(marked 0x10973 $logs/sebuf*)" 1
umount $logs

# --- names that are taken

rm -rf $logs
mkdir -p $logs/sebuf0.0
ln -s /nowhere $logs/sebuf1.0
mkfifo $logs/sebuf1.1
ok 'taken names: it starts' lkstlogd -a
ok 'taken names: it takes the next ones' within 20 both 2
ok 'TERM' stop
ok 'taken names: they are left alone' test -d $logs/sebuf0.0 -a -L $logs/sebuf1.0 -a -p $logs/sebuf1.1

rm -rf $logs
mkdir -p $logs
: >$logs/sebuf0.4294967295
fails 'no higher serial number' 1 lkstlogd -a
contains 'no higher serial number: says so' "$tap_output" '^lkstlogd: .*sebuf0\.4294967295: .*higher'
ok 'nothing runs' test ! -e $pid_file
mv $logs/sebuf0.4294967295 $logs/sebuf0.4294967293
ok 'the highest serial number' lkstlogd -a
ok 'the highest serial number: it writes' within 20 both 4294967294
ok 'TERM' stop

# In a directory for everybody others can make files with these names: they are not counted, and not deleted.
rm -rf $logs
mkdir -p $logs
chmod 1777 $logs
dd if=/dev/zero of=$logs/sebuf1.7 bs=1M count=3 2>/dev/null
chown 1234 $logs/sebuf1.7
ok 'files of others: it starts' lkstlogd -a -l 1M -L 2M
ok 'files of others: they do not count' within 20 both 0
tell USR2
ok 'files of others: new files' within 20 both 1
ok 'TERM' stop
ok 'files of others: they stay' test -e $logs/sebuf1.7

# --- the limit on all files when there is room for none but those that are written

rm -rf $logs
lkstlogd -F -a -b 256K -l 256K -L 512K 2>messages &
daemon=$!
within 20 both 0
for serial in $(seq 1 25); do
	tell USR2
	within 20 both "$serial"
done
kill -TERM $daemon
wait $daemon
lacks 'files that have just begun are not deleted' "$(cat messages)" 'was removed'
contains 'those before are, and their events counted' "$(cat messages)" 'sebuf0\.3: deleted, with [1-9]'

# A file that its writer could not end is gone through, by another process.
ok 'unfinished file: it starts' begin -l 1M -L 2M
load 1 42 1000 >/dev/null
kill -KILL "$(cat $pid_file)"
ok 'unfinished file: the next one starts' lkstlogd -a -l 1M -L 2M
ok 'unfinished file: it writes' within 20 both 1
written_over() { lkst status | awk '/events in files/ { table = 1 } table && $1 == 0 { exit $3 < 1000 }'; }
ok 'unfinished file: its events are counted' within 20 written_over
ok 'TERM' stop

# --- what is taken away

rm -rf $logs
lkstlogd -a <&- >&- 2>&-
is 'no standard input and output: it starts' $? 0
within 20 both 0
ok 'no standard input and output: the pid file' kill -0 "$(cat $pid_file)"
fails 'no standard input and output: it holds its lock' 1 lkstlogd
lacks 'no standard input and output: no trouble' "$(lkst status)" '^trouble'
ok 'TERM' stop

ok 'deleted buffers: it starts' begin
pid=$(cat $pid_file)
kill -STOP "$pid"
lkstbuf jump -b 0 >/dev/null
for buffer in $(lkstbuf list | awk '$3 == 2097152 { print $2 }' | sort -u); do
	lkstbuf delete -b "$buffer" >/dev/null
done
is 'deleted buffers: the ring is gone' "$(lkstbuf list | grep -c 2097152)" 0
kill -CONT "$pid"
ring() { [ "$(lkstbuf list | grep -c '2097152.*writing')" -eq 2 ]; }
ok 'deleted buffers: it makes a ring anew' within 20 ring
sleep 2
ok 'and keeps it' ring
is 'deleted buffers: all of it' "$(lkstbuf list | grep -c 2097152)" 4
mark 0x10974
ok 'TERM' stop
is 'deleted buffers: it goes on' "$(marked 0x10974 $logs/sebuf*)" 1
as_before 'deleted buffers'

rm -rf $logs
ok 'removed /run/lkst: it starts' lkstlogd
rm -rf /run/lkst
tell USR1
ok 'removed /run/lkst: it writes' within 20 both 0
ok 'removed /run/lkst: lkst status tells' within 20 says '^lkstlogd +writing'
ok 'TERM' stop
as_before 'removed /run/lkst'

rm -rf $logs before after messages
done_testing
