#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# What other programs do to the files of lkstlogd: log files that are emptied or changed while they are written, and locks
# that users without privileges take or wait for.
# kernel: base
# append: lkst.buffer_size=3M
# timeout: 300

# Names of files have no blanks here; functions are called by "ok" and "within".
# shellcheck disable=SC2046,SC2317

cd "$(dirname "$0")" || exit
. ../tap.sh
. ./lkstlogd.sh
rm -rf $logs
cd /tmp || exit
both() { writes 0 "$1" && writes 1 "$1"; }
longer() { [ "$(stat -c %s "$1")" -gt "$2" ]; }

# --- a log file that is emptied, as logrotate does with copytruncate, or changed

lkstlogd -F -a -l 60M 2>messages &
daemon=$!
ok 'it starts' within 20 both 0
load 3000 1 400 >/dev/null &
load=$!
serial=0
while IFS='|' read -r name command; do
	file=$logs/sebuf0.$serial next=$logs/sebuf0.$((serial + 1))
	ok "$name: there is something in it" within 20 longer "$file" 100000
	sh -c "file=$file; $command"
	ok "$name: a new file begins" within 20 writes 0 $((serial + 1))
	contains "$name: that is told" "$(cat messages)" "$file: was cut off or changed by another program"
	taskset -c 0 lkstlogger -ev user_mark -a1 0x10910
	serial=$((serial + 2))
	tell USR2
	ok "$name: it goes on" within 20 both $serial
	whole "$name: the new file is whole" "$next"
	is "$name: and nothing is lost" "$(of cpu=0 lost)" 0
	is "$name: what comes then is there" "$(marked 0x10910 "$next")" 1
done <<-'END'
	emptied|: >$file
	copied and emptied|cp $file copy; : >$file
	cut off|truncate -s 5000 $file
	header overwritten|printf garbage | dd of=$file conv=notrunc 2>/dev/null
	something added|echo garbage >>$file
END
kill $load 2>/dev/null
is 'the other CPU has all the others' "$(serials 1)" "$(seq -s ' ' 0 2 $serial) "
kill -TERM $daemon
wait $daemon
whole 'the files of the other CPU are whole' $(files 1)
is 'and nothing is lost' "$(of cpu=1 lost)" 0

# --- locks

# A user without privileges opens what it can, locks it, and waits for what is locked.
rm -rf $logs
ok 'locks: it starts' lkstlogd -a
ok 'locks: the pid file can be read by all' "$here/as_user" cat $pid_file
contains 'locks: a user cannot open the state' "$("$here/as_user" "$here/hold_locks" /run/lkst/lkstlogd.state 2>&1)" \
	'lkstlogd\.state: Permission denied'
for path in $pid_file /run/lkst /run/lkst/lkstlogd.status; do
	"$here/as_user" "$here/hold_locks" "$path" >>held 2>&1 &
done
held() { [ "$(grep -c opened held)" -ge 3 ]; }
ok 'locks: a user holds locks' within 20 held
pid=$(cat $pid_file)
kill -KILL "$pid"
ok 'locks: the daemon is killed' within 20 gone "$pid"
sleep 1
ok 'locks: the next one starts' lkstlogd -a
ok 'locks: and writes' within 20 both 1
fails 'locks: another one does not' 1 lkstlogd
contains 'locks: and says who runs' "$tap_output" "^lkstlogd: .*$(cat $pid_file)"
ok 'TERM' stop
ok 'locks: it starts once more' lkstlogd
ok 'TERM' stop
killall hold_locks

rm -rf $logs messages held copy
done_testing
