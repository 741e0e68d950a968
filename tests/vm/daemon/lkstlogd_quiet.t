#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Records of a CPU that has become quiet reach the files although its buffer is not full, and an
# idle machine stays idle.
# kernel: base
# append: lkst.buffer_size=3M
# timeout: 300

# shellcheck disable=SC2046,SC2086,SC2317
. "$(dirname "$0")/lkstlogd.sh"

has_mark() { [ "$(marked "$1" $logs/sebuf0.0 $logs/sebuf1.0)" = 1 ]; }
# Print the number of chunks that lkstlogd has written so far.
chunks() { logfiles check $logs/sebuf0.0 $logs/sebuf1.0 | sed -n 's/^file=.* chunks=\([0-9]*\) .*/\1/p' | awk '{ n += $1 } END { print n }'; }

# While this machine is idle, its events do not fill a buffer of 16 MB within an hour.
begin 'a large buffer' -b 16M
mark 0x10990
ok 'events are written before long' within 120 has_mark 0x10990
mark 0x10991
lkst stop
ok 'lkst stop: earlier events are written, too' within 120 has_mark 0x10991
lkst start
mark 0x10992
ok 'lkst start: later events are written, too' within 120 has_mark 0x10992
is 'no signal was needed' "$(serials 0)$(serials 1)" '0 0 '

# The machine is idle for forty seconds between two calls to chunks(). In this time, earlier events
# and chunks() itself may cause up to seven writes. If the work of the daemon and of the kernel
# caused writes, there would be sixteen more, one every five seconds on each CPU. On a busy host
# chunks() takes longer, so the allowed number of writes depends on the time that has passed.
# timeout(1), which runs this test, wakes up once a second, and lkstlogd would write the events of
# each wakeup. So timeout(1) is stopped during the sleep.
uptime() { cut -d . -f 1 /proc/uptime; }
since=$(uptime) before=$(chunks)
ok 'timeout(1) is stopped' killall -STOP timeout
sleep 40
ok 'timeout(1) continues' killall -CONT timeout
after=$(chunks) seconds=$(($(uptime) - since))
ok "an idle machine stays idle ($before writes, $seconds s later $after)" test $((after - before)) -le $((seconds * 3 / 10))
ok 'TERM' stop
whole 'no record is missing' $(files 0) $(files 1)
nothing_lost 'an idle machine'
rm -rf $logs
done_testing
