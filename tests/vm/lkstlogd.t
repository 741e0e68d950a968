#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# lkstlogd does what its options and signals say, its files hold everything, and when it is gone LKST is as it was
# before.
# kernel: base
# kernel-all: base debug
# append: lkst.buffer_size=3M
# timeout: 450

# Names of files have no blanks here; functions are called by "ok" and "within".
# shellcheck disable=SC2046,SC2317

cd "$(dirname "$0")" || exit
. ../tap.sh
. ./lkstlogd.sh
rm -rf $logs

# --- USR1, USR2, HUP, TERM

own=$(lkstbuf create -s 1M | sed -n 's/.*buffer \([0-9]*\) created.*/\1/p')
lkstbuf jump -b "$own" >/dev/null
surroundings >before
mark 0x10900
oldest_0=$(recid 0 oldest) oldest_1=$(recid 1 oldest)
lkstlogd || bail_out 'lkstlogd does not start'
mark 0x10901
tell USR1
ok 'USR1: it writes' within 20 writes 0 0
ok 'USR1: of the other CPU, too' within 20 writes 1 0
ok 'lkst status: it writes' within 10 says '^lkstlogd +writing'
ok 'lkst status: the file' within 10 says "$logs/sebuf1\.0\$"
is 'modes' "$(stat -c %a $logs/sebuf0.0)" 600
is 'one process writes for all CPUs' "$(children)" ''
mark 0x10902
next_0=$(recid 0 next) next_1=$(recid 1 next)
tell USR1
ok 'USR1 again: the file is closed' within 20 closed 0 0
ok 'of the other CPU, too' within 20 closed 1 0
ok 'lkst status: it waits again' within 10 says '^lkstlogd +idle'
is 'no file is new' "$(serials 0)$(serials 1)" '0 0 '
whole 'what it has written is whole' $(files 0) $(files 1)
ok 'from the first that LKST held' test "$(of cpu=0 first)" -eq "$oldest_0" -a "$(of cpu=1 first)" -eq "$oldest_1"
ok 'to the last: the tail was in the buffer being written' test "$(of cpu=0 next)" -ge "$next_0" -a "$(of cpu=1 next)" -ge "$next_1"
is 'nothing is lost' "$(of cpu=0 lost) $(of cpu=1 lost)" '0 0'
for number in 0x10900 0x10901 0x10902; do
	is "mark $number, once" "$(marked $number $logs/sebuf*)" 1
done

mark 0x10903
tell USR1
ok 'USR1 for the third time: a file with the next serial' within 20 writes 1 1
ok 'of the other CPU, too' within 20 writes 0 1
tell USR2
ok 'USR2: the next file' within 20 writes 0 2
ok 'USR2: of the other CPU, too' within 20 writes 1 2
ok 'USR2: the one before is closed' within 20 closed 0 1
mark 0x10904
tell USR2
ok 'USR2 again' within 20 writes 1 3
pid=$(cat $pid_file)
mark 0x10905
tell HUP
ok 'HUP: it goes on writing, to a new file' within 20 writes 0 4
ok 'HUP: of the other CPU, too' within 20 writes 1 4
ok 'HUP: the one before is closed' within 20 closed 1 3
is 'HUP: the same process' "$(cat $pid_file)" "$pid"
is 'HUP: and no other' "$(children)" ''
mark 0x10906
next_0=$(recid 0 next) next_1=$(recid 1 next)
ok 'TERM while it writes' stop
surroundings >after
is 'all is as before' "$(cat after)" "$(cat before)"
is 'the files' "$(serials 0)$(serials 1)" '0 1 2 3 4 0 1 2 3 4 '
whole 'the files follow one another' $(files 0) $(files 1)
ok 'to the last' test "$(of cpu=0 next)" -ge "$next_0" -a "$(of cpu=1 next)" -ge "$next_1"
is 'nothing is lost at all' "$(of cpu=0 lost) $(of cpu=1 lost)" '0 0'
for number in 0x10903 0x10904 0x10905 0x10906; do
	is "mark $number, once" "$(marked $number $logs/sebuf*)" 1
done
ok 'lkstbuf print: all files together' sh -c "lkstbuf print -r \$(printf ' -f %s' $logs/sebuf*) >all 2>told"
is 'nothing is wrong with them' "$(cat told)" ''
is 'as many lines as there are records' "$(grep -vc '^#' all)" "$(($(of cpu=0 records) + $(of cpu=1 records)))"
ok 'in the order of time' in_order all

# --- files that are moved away do not give their numbers to others

rm -rf $logs
ok 'moved files: it starts' lkstlogd -a
ok 'moved files: it writes' within 20 writes 0 0
tell USR1
ok 'moved files: it is idle' within 20 says '^lkstlogd +idle'
rm $logs/sebuf*
tell USR1
ok 'moved files: the next ones have the next number' within 20 writes 0 1
ok 'TERM' stop

# --- lkstbuf print says what is missing between two files

rm -rf $logs
ok 'between two files: it starts' lkstlogd -a
ok 'between two files: the first' within 20 writes 0 0
tell USR1
ok 'between two files: it is closed' within 20 closed 0 0
whole 'between two files: the first is whole' $logs/sebuf0.0
next_0=$(of cpu=0 next)
# More than its two buffers of 2 MB hold
overwritten() { [ "$(recid 0 next)" -gt $((next_0 + 70000)) ]; }
load 3000 >/dev/null &
load=$!
ok 'between two files: what comes next is overwritten' within 60 overwritten
kill $load
wait $load
tell USR1
ok 'between two files: the second' within 20 writes 0 1
tell USR1
ok 'between two files: it is closed, too' within 20 closed 0 1
whole 'between two files: the second is whole' $logs/sebuf0.1
missing=$(($(of cpu=0 first) - next_0))
lkstbuf print -r -n 1 -f $logs/sebuf0.0 -f $logs/sebuf0.1 >/dev/null 2>told
contains 'between two files: print says how many are missing' "$(cat told)" "CPU 0: $missing events between"
lkstbuf print -f $logs/sebuf0.0 -f $logs/sebuf0.1 --summary --json >summary.json 2>/dev/null
contains 'between two files: and the summary' "$(tr -d ' \n' <summary.json)" "\"cpu\":0,\"missing\":$missing,\"gaps\":1\b"
ok 'between two files: TERM' stop

# --- without files: it waits

rm -rf $logs
ok 'it starts' lkstlogd
ok 'the pid file is of a process that runs' kill -0 "$(cat $pid_file)"
is 'which is lkstlogd' "$(cat "/proc/$(cat $pid_file)/comm")" lkstlogd
is 'it has left the terminal' "$(awk '{ print ($6 == $1 || $7 == 0) }' "/proc/$(cat $pid_file)/stat")" 1
is 'its directory' "$(readlink "/proc/$(cat $pid_file)/cwd")" /
is 'the maskset' "$(lkst status | sed -n 's/^maskset  *[0-9]* //p')" lkstlogd
lacks 'which records no locks' "$(lkstm read -n lkstlogd | grep -E '^0x08')" '^0x[0-9a-f]+ 0x0*[1-9]'
contains 'which shifts and wakes' "$(lkstm read -n lkstlogd)" '^0xf01 0x0*3'
is 'two buffers of 2 MB for each CPU, in a ring' \
	"$(lkstbuf list | awk '$2 != 0 && $3 == 2097152 { n[$1]++; to[$1, $4] = 1; id[$1, $2] = 1 }
		END { for (i in id) if (!(i in to)) exit; print n[0], n[1] }')" '2 2'
is 'it records there' "$(lkstbuf list | grep -c 'writing')" 2
is 'no file' "$(ls -A $logs 2>/dev/null)" ''
ok 'lkst status: it waits' within 10 says '^lkstlogd +idle'
fails 'another one does not start' 1 lkstlogd
contains 'another one: says who runs' "$tap_output" "^lkstlogd: .*$(cat $pid_file)"
pid=$(cat $pid_file)
ok 'the first one goes on' kill -0 "$pid"
ok 'TERM ends it' stop
surroundings >after
is 'without files: all is as before' "$(cat after)" "$(cat before)"
is 'still no file' "$(ls -A $logs 2>/dev/null)" ''

# --- other options

rm -rf $logs
mkdir -p /tmp/logd
: >/tmp/logd/trace0.7
: >/tmp/logd/trace1.2
: >/tmp/logd/trace1.x
mark 0x10907
ok '-a -b -n -f' lkstlogd -a -b 256K -n 3 -f /tmp/logd/trace
is '-b -n: three buffers of 256 KB for each CPU' "$(lkstbuf list | awk '$3 == 262144 { n[$1]++ } END { print n[0], n[1] }')" '3 3'
ok '-a: it writes; the serial is above the highest' within 20 sh -c 'logfiles check /tmp/logd/trace0.8 | grep -q growing=1'
ok 'there is one serial for all CPUs' within 20 sh -c 'logfiles check /tmp/logd/trace1.8 | grep -q growing=1'
mark 0x10908
lkstbuf print -r -e user_mark -f /tmp/logd/trace0.8 -f /tmp/logd/trace1.8 >growing 2>told
is 'a file that grows is not damaged' "$(cat told)" ''
ok 'TERM' stop
whole '-f: whole' /tmp/logd/trace0.8 /tmp/logd/trace1.8
for number in 0x10907 0x10908; do
	is "mark $number, once" "$(marked $number /tmp/logd/trace0.8 /tmp/logd/trace1.8)" 1
done
is 'others are left alone' "$(stat -c %s /tmp/logd/trace0.7 /tmp/logd/trace1.x | tr '\n' ' ')" '0 0 '
is 'nothing in the default directory' "$(ls -A $logs 2>/dev/null)" ''

# --- in the foreground, for a manager of services

notified /tmp/notify >told 2>&1 &
listener=$!
within 20 test -S /tmp/notify
NOTIFY_SOCKET=/tmp/notify WATCHDOG_USEC=1000000 lkstlogd -F -a -f /tmp/logd/fore >fore 2>&1 &
daemon=$!
ok 'READY=1' within 20 grep -qx READY=1 told
ok '-F: the pid file' within 5 test -e $pid_file
is '-F: it is the process that was started' "$(cat $pid_file)" $daemon
ok 'WATCHDOG=1' within 20 grep -qx WATCHDOG=1 told
: >told
ok 'WATCHDOG=1, again and again' within 20 grep -qx WATCHDOG=1 told
tell HUP
ok 'HUP: RELOADING=1' within 20 grep -qx RELOADING=1 told
ok 'HUP: with the time' within 20 grep -q '^MONOTONIC_USEC=' told
ok 'HUP: READY=1' within 20 grep -qx READY=1 told
kill -TERM $daemon
wait $daemon
is 'TERM: its status' $? 0
contains 'STOPPING=1' "$(cat told)" '^STOPPING=1$'
kill $listener
wait $listener 2>/dev/null

# A daemon that hangs does not say that it is well.
notified @lkst-notify >told 2>&1 &
listener=$!
NOTIFY_SOCKET=@lkst-notify WATCHDOG_USEC=500000 lkstlogd -F -a -f /tmp/logd/hang >fore 2>&1 &
daemon=$!
ok 'a socket that is no file' within 20 grep -qx WATCHDOG=1 told
kill -STOP $daemon
silent() { : >told; sleep 2; ! grep -q WATCHDOG=1 told; }
ok 'no WATCHDOG=1 while it hangs' within 30 silent
kill -CONT $daemon
ok 'when it goes on, there is' within 20 grep -qx WATCHDOG=1 told
kill -INT $daemon
wait $daemon
is 'INT ends it in the foreground' $? 0
kill $listener
wait $listener 2>/dev/null

# --- pid files

sleep 1000 &
echo $! >$pid_file
ok 'a pid file with the number of another program' lkstlogd
ok 'TERM' stop
echo 999999 >$pid_file
ok 'a pid file of a process that is gone' lkstlogd
ok 'TERM' stop
echo garbage >$pid_file
ok 'a pid file with no number' lkstlogd
ok 'TERM' stop
kill %2 2>/dev/null || kill $!

# --- wrong

while IFS='|' read -r says arguments; do
	# shellcheck disable=SC2086
	fails "wrong: $arguments" 2 lkstlogd $arguments
	contains "wrong: $arguments: says so" "$tap_output" "^lkstlogd: .*$says"
	ok "wrong: $arguments: nothing runs" test ! -e $pid_file
done <<-'END'
	"-x"|-x
	"-b"|-b
	12x|-b 12x
	"1K"|-b 1K
	"2G"|-b 2G
	"0"|-n 0
	"1".*range|-n 1
	"255"|-n 255
	"1K"|-l 1K
	"many"|-l many
	"1K"|-L 1K
	"word"|word
END
fails 'a directory that cannot be made' 1 lkstlogd -a -f /proc/none/sebuf
contains 'a directory that cannot be made: says so' "$tap_output" '^lkstlogd: /proc/none: '
ok 'nothing runs' test ! -e $pid_file
fails 'more memory than LKST may take' 1 lkstlogd -b 512M -n 8
contains 'more memory: says so' "$tap_output" '^lkstlogd: .*(memory|lkst\.memory)'
ok 'nothing runs' test ! -e $pid_file
surroundings >after
is 'after what went wrong, all is as before' "$(cat after)" "$(cat before)"
fails 'not root' 1 ./as_user lkstlogd
contains 'not root: says so' "$tap_output" '^lkstlogd: .*(ermi|root|CAP_SYS_ADMIN)'
mv /dev/lkst /dev/lkst.away
fails 'no LKST' 1 lkstlogd
contains 'no LKST: says so' "$tap_output" '^lkstlogd: /dev/lkst'
mv /dev/lkst.away /dev/lkst
contains '-h' "$(lkstlogd -h)" '^Usage: lkstlogd '
ok '--help fits a screen' test "$(lkstlogd --help | wc -l)" -le 24 -a "$(lkstlogd --help | wc -L)" -le 80
contains '-v' "$(lkstlogd -v)" '^lkstlogd .*[0-9]\.[0-9]'

lkstbuf jump -b 0
lkstbuf delete -b "$own"
rm -rf /tmp/logd $logs
done_testing
