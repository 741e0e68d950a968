#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# lkstlogd begins with all that the kernel holds, which can be much more than its ring: while it writes that, nothing
# is lost of what comes meanwhile.
# kernel: base
# mem: 2048
# append: lkst.buffer_size=16M
# timeout: 400

# Names of files have no blanks here; functions are called by "ok" and "within".
# shellcheck disable=SC2046,SC2317

cd "$(dirname "$0")" || exit
. ../tap.sh
. ./lkstlogd.sh
rm -rf $logs
cd /tmp || exit

both() { writes 0 "$1" && writes 1 "$1"; }
# All that was recorded until now is in files, or lost.
caught_up() { lkst status | awk -v want="$1" '/events in files/ { table = 1 } table { sum += $2 + $3 + $4 } END { exit !(sum >= want) }'; }
recorded() { echo $(($(recid 0 next) + $(recid 1 next))); }

# Fill both buffers.
full() { [ "$(recid 0 oldest)" -gt 0 ] && [ "$(recid 1 oldest)" -gt 0 ]; }
load 100 1 >/dev/null &
load=$!
ok 'the buffers are full' within 100 full
kill $load
wait $load 2>/dev/null

load 200 3 300 >made &
load=$!
lkstlogd -a -z -L 500M -l 100M
ok 'it writes' within 60 both 0
began=$(recorded)
ok 'it catches up' within 150 caught_up "$began"
ok 'the load goes on meanwhile' test "$(($(recorded) - began))" -gt 0
lacks 'lkst status: nothing is lost' "$(lkst status | sed -n 's/^lost  *//p')" '[1-9]'
kill -TERM $load
wait $load
mark 0x109a0
ok 'TERM' stop
whole 'nothing is missing' $(files 0) $(files 1)
is 'nothing is lost' "$(of cpu=0 lost) $(of cpu=1 lost)" '0 0'
is 'the last mark' "$(marked 0x109a0 $logs/sebuf*)" 1

rm -rf $logs made
done_testing
