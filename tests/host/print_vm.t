#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A trace from a VM is printed in the same way on this machine.
# kernel: base

. "$(dirname "$0")/host.sh"
export TZ=UTC
lkstbuf=$top/build/bin/lkstbuf

"$top/scripts/lkst-vm" --take-turns --share "$work" -- sh -ec '
	cd /share
	(sleep 0.1; ls -l / | sort) >/dev/null
	lkst stop
	lkstbuf read -f trace
	lkstbuf print -f trace >newest
	lkstbuf print -f trace -r -V >oldest
	lkstbuf print -f trace -C >csv
	lkstbuf print -f trace --summary >summary' >"$work/log" 2>&1 ||
	bail_out "recording in a VM: $(cat "$work/log")"

ok 'something was recorded' test "$(grep -vc '^#' "$work/newest")" -gt 1000
ok 'newest first' sh -c "$lkstbuf print -f $work/trace | cmp - $work/newest"
ok 'oldest first, all arguments' sh -c "$lkstbuf print -f $work/trace -r -V | cmp - $work/oldest"
ok 'CSV' sh -c "$lkstbuf print -f $work/trace -C | cmp - $work/csv"
ok 'summary' sh -c "$lkstbuf print -f $work/trace --summary | cmp - $work/summary"
ok 'through a pipe' sh -c "cat $work/trace | $lkstbuf print -f - | cmp - $work/newest"
is 'no damage of the file is reported' "$($lkstbuf print -f "$work/trace" 2>&1 >/dev/null)" ''
why_agrees 'the trace' "$work/trace"
# The events of each CPU are in the order of their recids.
for cpu in 0 1; do
	ok "CPU $cpu: events are in order" sh -c "$lkstbuf print -f $work/trace -r -V -c $cpu |
		sed -n 's/.* recid=\\([0-9]*\\) .*/\\1/p' | sort -n -c -u"
done
lacks 'every thread has a name' "$(cut -c 1-60 "$work/newest")" '\] <[0-9]+>'
done_testing
