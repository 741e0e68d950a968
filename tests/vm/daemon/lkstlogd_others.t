#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# lkstlogd keeps running, whatever other programs do to its files. Here they truncate or change log
# files that are being written, and unprivileged users hold locks on files or wait for locks.
# kernel: base
# append: lkst.buffer_size=3M
# timeout: 300

# shellcheck disable=SC2046,SC2317
. "$(dirname "$0")/lkstlogd.sh"
longer() { [ "$(stat -c %s "$1")" -gt "$2" ]; }
# changes: run $command until lkstlogd notices the change and begins the next file. lkstlogd looks
# at the length of the file, and then writes a chunk. If $command appends data in between, lkstlogd
# overwrites the data and does not notice the change.
changes() {
	for _ in 1 2 3 4 5; do
		sh -c "file=$file; $command"
		! within 4 writes 0 $((serial + 1)) || return 0
	done
	return 1
}

# --- a log file is truncated (as logrotate does with copytruncate), or changed

foreground -a -l 60M
ok 'lkstlogd starts' within 20 both 0
load 3000 1 400 >/dev/null &
load=$!
serial=0
while IFS='|' read -r name command; do
	file=$logs/sebuf0.$serial next=$logs/sebuf0.$((serial + 1))
	ok "$name: the file has contents" within 20 longer "$file" 100000
	ok "$name: a new file begins" changes
	contains "$name: lkstlogd reports the change" "$(cat messages)" "$file: was changed by another program"
	taskset -c 0 lkstlogger -ev user_mark -a1 0x10910
	serial=$((serial + 2))
	signal_daemon USR2
	ok "$name: lkstlogd continues" within 20 both $serial
	whole "$name: the new file is complete" "$next"
	is "$name: no record is lost" "$(of cpu=0 lost)" 0
	is "$name: later records are in the new file" "$(marked 0x10910 "$next")" 1
done <<-'END'
	emptied|: >$file
	copied and emptied|cp $file copy; : >$file
	cut off|truncate -s 5000 $file
	header overwritten|printf garbage | dd of=$file conv=notrunc 2>/dev/null
	something added|echo garbage >>$file
END
kill $load 2>/dev/null
is 'the other CPU has all other serials' "$(serials 1)" "$(seq -s ' ' 0 2 $serial) "
end_foreground TERM
whole 'the files of the other CPU are complete' $(files 1)
is 'no record of the other CPU is lost' "$(of cpu=1 lost)" 0

# --- locks

# An unprivileged user locks the files of lkstlogd that other users can open, or waits for their
# locks. lkstlogd must start nevertheless.
rm -rf $logs
ok 'locks: lkstlogd starts' lkstlogd -a
ok 'locks: other users can read the pid file' as_user cat $pid_file
contains 'locks: a user cannot open the state file' "$(as_user hold_locks /run/lkst/lkstlogd.state 2>&1)" \
	'lkstlogd\.state: Permission denied'
for path in $pid_file /run/lkst /run/lkst/lkstlogd.status; do
	as_user hold_locks "$path" >>held 2>&1 &
done
held() { [ "$(grep -c opened held)" -ge 3 ]; }
ok 'locks: a user holds locks' within 20 held
pid=$(cat $pid_file)
kill -KILL "$pid"
ok 'locks: the daemon is killed' within 20 gone "$pid"
sleep 1
starts 'locks: a second daemon' 1
refused 'locks: a third daemon does not start, and names the second one' 1 "^lkstlogd: .*$(cat $pid_file)" lkstlogd
ok 'TERM' stop
ok 'locks: lkstlogd starts again' lkstlogd
ok 'TERM' stop
killall hold_locks
why_agrees $logs/sebuf0.1 $logs/sebuf1.1

rm -rf $logs messages held copy
done_testing
