#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# lkstlogd saves each snapshot that a rule takes to a separate file, whether or not lkstlogd is
# writing log files.
# kernel: base
# append: lkst.buffer_size=3M
# timeout: 300

# shellcheck disable=SC2046,SC2317
. "$(dirname "$0")/lkstlogd.sh"

snapshots() { find $logs -name 'sebufsnapshot.*' 2>/dev/null | sort -t . -k 2n; }
# saved NUMBER: whether there are that many files, and all of them are complete
saved() { [ "$(snapshots | wc -l)" = "$1" ] && ! snapshots | grep -q '\..*\.'; }
latest() { cat /sys/module/lkst/parameters/snapshots; }
is_idle() { says '^lkstlogd +idle'; }
begin_idle() { # NAME OPTION...
	idle_name=$1
	shift
	ok "$idle_name: lkstlogd starts" lkstlogd "$@"
	ok "$idle_name: it is idle" within 20 is_idle
	lkstm config user_mark on
	lkstm rule user_mark do 'snapshot if arg1 == 0x5eed5eed'
}

# --- without the option

begin_idle 'without the option'
before=$(latest)
mark 0x5eed5eed
is 'the number of the latest snapshot' "$(latest)" $((before + 1))
sleep 3
is 'no file is written' "$(snapshots)" ''
lkstbuf print >/dev/null
ok 'TERM' stop

# --- while the daemon is not writing

begin_idle 'idle' --snapshots
is 'no file before the first snapshot' "$(snapshots)" ''
mark 0x20
mark 0x5eed5eed
ok 'a snapshot is saved' within 20 saved 1
first=$(snapshots)
is 'the file has the events before the snapshot' "$(marked 0x20 "$first") $(marked 0x5eed5eed "$first")" '1 1'
ok 'and the snapshot' test "$(lkstbuf print -r -f "$first" -e lkst_snapshot | grep -c .)" -ge 1
is 'its mode' "$(stat -c %a "$first")" 600
load 2 >/dev/null
mark 0x21
mark 0x5eed5eed
ok 'another one, after the ring has wrapped' within 20 saved 2
is 'the second file has the events before it' "$(marked 0x21 "$(snapshots | tail -n 1)")" 1
is 'no log file is written' "$(files 0)$(files 1)" ''
ok 'TERM' stop
lkstlogd --snapshots
sleep 3
ok 'the next daemon does not save them again' saved 2
ok 'TERM' stop

# --- while the daemon is writing, within the limit on all files

rm -rf $logs
starts 'writing' 0 --snapshots
lkstm config user_mark on
lkstm rule user_mark do 'snapshot if arg1 == 0x5eed5eed'
mark 0x30
mark 0x5eed5eed
ok 'a snapshot is saved' within 20 saved 1
is 'its serial number is that of the next files' "$(snapshots)" $logs/sebufsnapshot.1
is 'the file has the snapshot' "$(marked 0x5eed5eed $logs/sebufsnapshot.1)" 1
ok 'TERM' stop
is 'the log files have the same events' "$(marked 0x30 $logs/sebuf?.*) $(marked 0x5eed5eed $logs/sebuf?.*)" '1 1'
whole 'no event is missing in the log files' $(files 0) $(files 1)
# With these limits, 1 MB is left for files that are not open.
head -c 2000000 /dev/zero >$logs/sebufsnapshot.2
foreground -a --snapshots -l 1M -L 3M
ok 'snapshots count toward the limit on all files' within 20 saved 0
load 2 >/dev/null
lkstm config user_mark on
lkstm rule user_mark do 'snapshot if arg1 == 0x5eed5eed'
mark 0x5eed5eed
ok 'a snapshot that does not fit within the limit is not saved' within 20 grep -qE \
	'snapshot [0-9]+: its file needs [0-9]+ bytes, but the limit on all files \(-L\) leaves 1048576; it was deleted' messages
is 'no file is left' "$(snapshots)" ''
end_foreground TERM
is 'TERM' $? 0
rm -rf $logs
done_testing
