#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Setting the clock changes the times of later events, but not the times of earlier events. The
# change is recorded as LKST_SYNC_TIME. This test does not share its boot with other tests, since
# they do not expect the clock to be set.
# kernel: base
# kernel-all: base debug
# append: lkst.buffer_size=12M

. "$(dirname "$0")/../tap.sh"

# mark_time ARG: print the time of the mark whose first argument is 0xARG, in seconds since the
# epoch
mark_time() { lkstbuf print -e user_mark -C -S | grep ",arg1,0x00000$1," | cut -d, -f4 | head -1; }
syncs() { lkstbuf read | grep -c lkst_sync_time; }

now=$(date +%s)
lkstlogger -ev user_mark -a1 0x101
syncs_before=$(syncs)
date -s "@$((now + 100000))" >/dev/null
sleep 1
lkstlogger -ev user_mark -a1 0x102
ok "setting the clock records LKST_SYNC_TIME" test "$(syncs)" -gt "$syncs_before"
first=$(mark_time 101) second=$(mark_time 102)
ok "an earlier event keeps its time" test "$((first - now))" -ge 0 -a "$((first - now))" -lt 1000
ok "a later event has the new time" test "$((second - now))" -ge 100000 -a "$((second - now))" -lt 101000
date -s "@$((now + 5))" >/dev/null
sleep 1
lkstlogger -ev user_mark -a1 0x103
third=$(mark_time 103)
ok "after the clock is set back, events have the old time" test "$((third - now))" -ge 5 -a "$((third - now))" -lt 1000
is "the times of the first two have not changed" "$(mark_time 101) $(mark_time 102)" "$first $second"
done_testing
