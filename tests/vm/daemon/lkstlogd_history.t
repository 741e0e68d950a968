#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# lkstlogd begins with all records that the kernel holds, which may be many more than fit into
# lkstlogd's own ring. While lkstlogd writes them, no new record is lost.
# kernel: base
# mem: 2048
# append: lkst.buffer_size=16M
# suite: all
# timeout: 400

# shellcheck disable=SC2046,SC2317
. "$(dirname "$0")/lkstlogd.sh"

# caught_up NUMBER: whether the records in the files, the overwritten ones and the lost ones add up
# to at least NUMBER
caught_up() { lkst status | awk -v want="$1" '/events in files/ { table = 1 } table { sum += $2 + $3 + $4 } END { exit !(sum >= want) }'; }
recorded() { echo $(($(recid 0 next) + $(recid 1 next))); }

# Fill the buffers of both CPUs.

# full: whether the buffers of both CPUs have overwritten their oldest records
full() { [ "$(recid 0 oldest)" -gt 0 ] && [ "$(recid 1 oldest)" -gt 0 ]; }
load 3000 1 >/dev/null &
load=$!
ok 'the buffers are full' within 100 full
kill $load
wait $load 2>/dev/null

load 200 3 300 >made &
load=$!
begin 'a long history' -z -L 500M -l 100M
began=$(recorded)
ok 'lkstlogd catches up' within 150 caught_up "$began"
ok 'the load continues meanwhile' test "$(($(recorded) - began))" -gt 0
lacks 'lkst status: no record is lost' "$(lkst status | sed -n 's/^lost  *//p')" '[1-9]'
kill -TERM $load
wait $load
mark 0x109a0
ok 'TERM' stop
whole 'no record is missing' $(files 0) $(files 1)
nothing_lost 'a long history'
is 'the last mark is in the files' "$(marked 0x109a0 $logs/sebuf*)" 1

rm -rf $logs made
done_testing
