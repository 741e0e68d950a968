#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# What a CPU recorded before it grew quiet comes into lkstlogd's files though its buffer is not full, and an idle machine
# is left alone.
# kernel: base
# append: lkst.buffer_size=3M
# timeout: 300

# Names of files have no blanks here; functions are called by "ok" and "within".
# shellcheck disable=SC2046,SC2086,SC2317

cd "$(dirname "$0")" || exit
. ../tap.sh
. ./lkstlogd.sh
rm -rf $logs
cd /tmp || exit

has_mark() { [ "$(marked "$1" $logs/sebuf0.0 $logs/sebuf1.0)" = 1 ]; }
# What was written until now, piece by piece.
chunks() { logfiles check $logs/sebuf0.0 $logs/sebuf1.0 | sed -n 's/^file=.* chunks=\([0-9]*\) .*/\1/p' | awk '{ n += $1 } END { print n }'; }

# A buffer that this machine does not fill in an hour.
ok 'it starts' lkstlogd -a -b 16M
ok 'it writes' within 20 writes 0 0
ok 'it writes for the other CPU, too' within 20 writes 1 0
mark 0x10990
ok 'what happened is written before long' within 120 has_mark 0x10990
mark 0x10991
lkst stop
ok 'lkst stop: what came before is written, too' within 120 has_mark 0x10991
lkst start
mark 0x10992
ok 'lkst start: and what comes then' within 120 has_mark 0x10992
is 'no signal was needed' "$(serials 0)$(serials 1)" '0 0 '

# Nobody does anything for forty seconds, but who looks before that. If what the daemon and the kernel do were a reason
# to write, there would be a write every five seconds on each CPU: sixteen, beside up to seven of what came before and of
# counting. A busy machine takes longer to count.
# The timeout(1) that this test runs under wakes up once a second, which lkstlogd would write: stop it during the sleep.
uptime() { cut -d . -f 1 /proc/uptime; }
since=$(uptime) before=$(chunks)
ok 'timeout(1) is stopped' killall -STOP timeout
sleep 40
ok 'timeout(1) continues' killall -CONT timeout
after=$(chunks) seconds=$(($(uptime) - since))
ok "an idle machine is left alone ($before, $seconds s later $after)" test $((after - before)) -le $((seconds * 3 / 10))
ok 'TERM' stop
whole 'nothing is missing' $(files 0) $(files 1)
is 'nothing is lost' "$(of cpu=0 lost) $(of cpu=1 lost)" '0 0'
rm -rf $logs
done_testing
