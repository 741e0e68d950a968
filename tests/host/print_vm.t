#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A trace from a VM is printed in the same way on this machine. It contains a command to a disk. The
# kernel does not know how long this command waited in the queue.
# kernel: base

. "$(dirname "$0")/host.sh"
export TZ=UTC
lkstbuf=$top/build/bin/lkstbuf

truncate -s 1M "$work/disk"
"$top/scripts/lkst-vm" --take-turns --share "$work" --disk "$work/disk" -- sh -ec '
	cd /share
	lkstm config block_issue,block_complete on
	cat /sys/block/vda/serial
	dd if=/dev/vda of=/dev/null bs=4k count=1 iflag=direct
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
# issue_of OPERATION: print the queue time of a request to the disk
issue_of() {
	"$lkstbuf" print -f "$work/trace" -e block_issue |
		sed -n "s/.* device=vda .* operation=$1 queue_ns=\([0-9]*\)$/\1/p" | head -n 1
}
is 'the queue time of a command to a disk is unknown' "$(issue_of DRV_IN)" 0
ok 'that of a read is known' test "$(issue_of READ)" -gt 0
block=$("$top/build/bin/lkstla" block -f "$work/trace" --any --csv 2>/dev/null)
contains 'lkstla block shows it as unknown' "$block" '^vda,DRV_IN,1,.*,,,,$'
lacks 'but not that of the read' "$block" '^vda,READ,.*,,,,$'
# The events of each CPU are in the order of their recids.
for cpu in 0 1; do
	ok "CPU $cpu: events are in order" sh -c "$lkstbuf print -f $work/trace -r -V -c $cpu |
		sed -n 's/.* recid=\\([0-9]*\\) .*/\\1/p' | sort -n -c -u"
done
lacks 'every thread has a name' "$(cut -c 1-60 "$work/newest")" '\] <[0-9]+>'
done_testing
