#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# lkstlogd obeys its options and signals, and its files are complete. After it has exited, LKST is
# in the same state as before.
# kernel: base
# kernel-all: base debug
# append: lkst.buffer_size=3M
# timeout: 450

# shellcheck disable=SC2046,SC2317
. "$(dirname "$0")/lkstlogd.sh"

# marks_once NAME NUMBER...: test that each of these marks occurs once in the log files
marks_once() {
	once_name=$1
	shift
	for number; do
		is "$once_name mark $number once" "$(marked "$number" $logs/sebuf*)" 1
	done
}
# remember_next: set $next_0 and $next_1 to the recids of the next records
# have_next NAME: test that the files have all records before these
remember_next() { next_0=$(recid 0 next) next_1=$(recid 1 next); }
have_next() { ok "$1" test "$(of cpu=0 next)" -ge "$next_0" -a "$(of cpu=1 next)" -ge "$next_1"; }

# --- USR1, USR2, HUP, TERM

# The commands before lkstlogd starts record more than ten thousand events in this buffer, perhaps all
# on one CPU. It must not wrap.
own=$(lkstbuf create -s 4M | sed -n 's/.*buffer \([0-9]*\) created.*/\1/p')
lkstbuf jump -b "$own" >/dev/null
surroundings >before
mark 0x10900
oldest_0=$(recid 0 oldest) oldest_1=$(recid 1 oldest)
lkstlogd || bail_out 'lkstlogd does not start'
mark 0x10901
signal_daemon USR1
ok 'USR1: it writes files' within 20 both 0
ok 'lkst status: lkstlogd is writing' within 10 says '^lkstlogd +writing'
ok 'lkst status: shows the file' within 10 says "$logs/sebuf1\.0\$"
is 'the mode of a file' "$(stat -c %a $logs/sebuf0.0)" 600
is 'one process writes the files of all CPUs' "$(children)" ''
mark 0x10902
remember_next
signal_daemon USR1
ok 'USR1 again: the files are closed' within 20 both_closed 0
ok 'lkst status: lkstlogd is idle again' within 10 says '^lkstlogd +idle'
is 'no new file was begun' "$(serials 0)$(serials 1)" '0 0 '
# Do not test lkstla why here. While it runs, LKST records so many events that they overwrite records
# which lkstlogd has not read yet.
whole_as check 'the files are complete' $(files 0) $(files 1)
is_of 'the files begin with the first record that LKST held' first "$oldest_0 $oldest_1"
have_next 'the files end with the last record, which was in the current buffer'
nothing_lost 'USR1'
marks_once 'the file has' 0x10900 0x10901 0x10902

mark 0x10903
signal_daemon USR1
ok 'USR1 for the third time: the next files have the next serial' within 20 both 1
signal_daemon USR2
ok 'USR2: the next files begin' within 20 both 2
ok 'USR2: the previous files are closed' within 20 both_closed 1
mark 0x10904
signal_daemon USR2
ok 'USR2 again: the next files begin' within 20 both 3
pid=$(cat $pid_file)
mark 0x10905
signal_daemon HUP
ok 'HUP: it continues in new files' within 20 both 4
ok 'HUP: the previous files are closed' within 20 both_closed 3
is 'HUP: the process stays the same' "$(cat $pid_file)" "$pid"
is 'HUP: no second process is left' "$(children)" ''
mark 0x10906
remember_next
ok 'TERM while it is writing' stop
unchanged 'afterwards LKST is in its old state'
is 'each serial has one file' "$(serials 0)$(serials 1)" '0 1 2 3 4 0 1 2 3 4 '
whole 'each file continues the one before' $(files 0) $(files 1)
have_next 'the files end with the last record'
nothing_lost 'all files'
marks_once 'the files have' 0x10903 0x10904 0x10905 0x10906
ok 'lkstbuf print: prints all files together' sh -c "lkstbuf print -r \$(printf ' -f %s' $logs/sebuf*) >all 2>stderr"
is 'lkstbuf print: finds no errors' "$(cat stderr)" ''
is 'lkstbuf print: prints as many lines as there are records' "$(grep -vc '^#' all)" "$(($(of cpu=0 records) + $(of cpu=1 records)))"
ok 'lkstbuf print: keeps the order of time' in_order all

# --- serials of files that were moved away are not used again

begin 'moved files'
signal_daemon USR1
ok 'moved files: it is idle' within 20 says '^lkstlogd +idle'
rm $logs/sebuf*
signal_daemon USR1
ok 'moved files: the next file has the next serial' within 20 writes 0 1
ok 'TERM' stop

# --- lkstbuf print reports what is missing between two files

begin 'between two files'
signal_daemon USR1
ok 'between two files: the first file is closed' within 20 closed 0 0
whole 'between two files: the first file is complete' $logs/sebuf0.0
next_0=$(of cpu=0 next)
# Record more than the two buffers of 2 MB hold.
overwritten() { [ "$(recid 0 next)" -gt $((next_0 + 70000)) ]; }
load 3000 >/dev/null &
load=$!
ok 'between two files: later records are overwritten' within 60 overwritten
kill $load
wait $load
signal_daemon USR1
ok 'between two files: the second file begins' within 20 writes 0 1
signal_daemon USR1
ok 'between two files: the second file is closed' within 20 closed 0 1
whole 'between two files: the second file is complete' $logs/sebuf0.1
missing=$(($(of cpu=0 first) - next_0))
lkstbuf print -r -n 1 -f $logs/sebuf0.0 -f $logs/sebuf0.1 >/dev/null 2>stderr
contains 'between two files: lkstbuf print reports the number of missing events' "$(cat stderr)" "CPU 0: $missing events between"
ok 'between two files: TERM' stop

# --- without -a lkstlogd waits, and writes no files

rm -rf $logs
ok 'lkstlogd starts' lkstlogd
ok 'the process in the pid file exists' kill -0 "$(cat $pid_file)"
is 'this process is lkstlogd' "$(cat "/proc/$(cat $pid_file)/comm")" lkstlogd
is 'lkstlogd has left the terminal' "$(awk '{ print ($6 == $1 || $7 == 0) }' "/proc/$(cat $pid_file)/stat")" 1
is 'the working directory of lkstlogd is /' "$(readlink "/proc/$(cat $pid_file)/cwd")" /
is 'the maskset of lkstlogd is selected' "$(lkst status | sed -n 's/^maskset  *[0-9]* //p')" lkstlogd
lacks 'the maskset records no locks' "$(lkstm read -n lkstlogd | grep -E '^0x08')" '^0x[0-9a-f]+ 0x0*[1-9]'
contains 'the handler for a full buffer is buffer_shift_dw' "$(lkstm read -n lkstlogd)" '^0xf01 0x0*3'
is 'each CPU has two buffers of 2 MB in a ring' \
	"$(lkstbuf list | awk '$2 != 0 && $3 == 2097152 { n[$1]++; to[$1, $4] = 1; id[$1, $2] = 1 }
		END { for (i in id) if (!(i in to)) exit; print n[0], n[1] }')" '2 2'
is 'both CPUs record in the ring' "$(lkstbuf list | grep -c 'writing')" 2
is 'no file was created' "$(ls -A $logs 2>/dev/null)" ''
ok 'lkst status: lkstlogd is idle' within 10 says '^lkstlogd +idle'
refused 'a second lkstlogd does not start, and names the first' 1 "^lkstlogd: .*$(cat $pid_file)" lkstlogd
pid=$(cat $pid_file)
ok 'the first lkstlogd still runs' kill -0 "$pid"
ok 'TERM ends lkstlogd' stop
unchanged 'without files: afterwards LKST is in its old state'
is 'still no file exists' "$(ls -A $logs 2>/dev/null)" ''

# --- other options

rm -rf $logs
mkdir -p /tmp/logd
: >/tmp/logd/trace0.7
: >/tmp/logd/trace1.2
: >/tmp/logd/trace1.x
mark 0x10907
ok '-a -b -n -f' lkstlogd -a -b 256K -n 3 -f /tmp/logd/trace
is '-b -n: each CPU has three buffers of 256 KB' "$(lkstbuf list | awk '$3 == 262144 { n[$1]++ } END { print n[0], n[1] }')" '3 3'
ok '-a: lkstlogd writes, with a serial above the highest one in use' within 20 sh -c 'logfiles check /tmp/logd/trace0.8 | grep -q growing=1'
ok 'all CPUs have the same serial' within 20 sh -c 'logfiles check /tmp/logd/trace1.8 | grep -q growing=1'
mark 0x10908
lkstbuf print -r -e user_mark -f /tmp/logd/trace0.8 -f /tmp/logd/trace1.8 >growing 2>stderr
is 'a growing file does not count as damaged' "$(cat stderr)" ''
ok 'TERM' stop
whole '-f: the files are complete' /tmp/logd/trace0.8 /tmp/logd/trace1.8
for number in 0x10907 0x10908; do
	is "-f: mark $number once" "$(marked $number /tmp/logd/trace0.8 /tmp/logd/trace1.8)" 1
done
is 'other files are unchanged' "$(stat -c %s /tmp/logd/trace0.7 /tmp/logd/trace1.x | tr '\n' ' ')" '0 0 '
is 'no file was created in the default directory' "$(ls -A $logs 2>/dev/null)" ''

# --- in the foreground, for a service manager

# with_manager SOCKET WATCHDOG_USEC: start lkstlogd and set $daemon to its process id. Also start a
# service manager that writes the reports of lkstlogd to the file "notifications".
with_manager() {
	notified "$1" >notifications 2>&1 &
	listener=$!
	within 20 grep -q "$1" /proc/net/unix
	NOTIFY_SOCKET=$1 WATCHDOG_USEC=$2 lkstlogd -F -a -f /tmp/logd/fore >fore 2>&1 &
	daemon=$!
}
# reports NAME PATTERN: test that the daemon sends a report that matches PATTERN
reports() { ok "$1" within 20 grep -qx "$2" notifications; }
# end_manager NAME SIGNAL: test that the signal ends the daemon with status 0, and end the manager
end_manager() {
	end_foreground "$2"
	is "$1" $? 0
	kill $listener
	wait $listener 2>/dev/null
}

with_manager /tmp/notify 1000000
reports 'READY=1' READY=1
ok '-F: there is a pid file' within 5 test -e $pid_file
is '-F: the pid file names the process that was started' "$(cat $pid_file)" $daemon
reports 'WATCHDOG=1' WATCHDOG=1
: >notifications
reports 'WATCHDOG=1 is sent again and again' WATCHDOG=1
signal_daemon HUP
reports 'HUP: RELOADING=1 is sent' RELOADING=1
reports 'HUP: MONOTONIC_USEC is sent' 'MONOTONIC_USEC=.*'
reports 'HUP: READY=1 is sent' READY=1
end_manager 'TERM: the exit status is 0' TERM
contains 'STOPPING=1' "$(cat notifications)" '^STOPPING=1$'

# A daemon that hangs must not notify the watchdog.
with_manager @lkst-notify 500000
reports 'an abstract socket: WATCHDOG=1 is sent' WATCHDOG=1
kill -STOP $daemon
silent() { : >notifications; sleep 2; ! grep -q WATCHDOG=1 notifications; }
ok 'WATCHDOG=1 is not sent while the daemon hangs' within 30 silent
kill -CONT $daemon
reports 'WATCHDOG=1 is sent when the daemon continues' WATCHDOG=1
end_manager 'INT ends lkstlogd in the foreground' INT

# --- pid files

sleep 1000 &
while IFS='|' read -r name text; do
	echo "$text" >$pid_file
	ok "$name is ignored" lkstlogd
	ok "$name is ignored: TERM" stop
done <<-END
	a pid file that names another program|$!
	a pid file that names a process that has exited|999999
	a pid file without a number|garbage
END
kill $!

# --- bad usage

while IFS='|' read -r status says arguments; do
	# shellcheck disable=SC2086
	refused "bad usage: $arguments" "$status" "^lkstlogd: .*$says" lkstlogd $arguments
	ok "bad usage: $arguments: lkstlogd does not run" test ! -e $pid_file
done <<-'END'
	2|"1K"|-b 1K
	2|"1".*range|-n 1
	2|"1K"|-L 1K
	2|"word"|word
	1|/proc/none: |-a -f /proc/none/sebuf
	1|memory|-b 512M -n 8
END
unchanged 'after these errors LKST is in its old state'
refused 'lkstlogd fails without root' 1 '^lkstlogd: .*(ermi|root|CAP_SYS_ADMIN)' as_user lkstlogd
mv /dev/lkst /dev/lkst.away
refused 'lkstlogd fails without LKST' 1 '^lkstlogd: /dev/lkst' lkstlogd
mv /dev/lkst.away /dev/lkst

lkstbuf jump -b 0
lkstbuf delete -b "$own"
rm -rf /tmp/logd $logs
done_testing
