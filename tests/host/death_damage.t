#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# An image of a dead machine that is damaged: what is not damaged is there, nothing else is, and what is
# missing is counted.
# suite: all
# timeout: 900

set -u
. "$(dirname "$0")/death/common.sh"
prepare
ring_size=4M slots=65536
damage=$top/tests/host/death/damage.py

guest <<'END'
record 5
die panic
END
vm 126 --mem 448 --append "$(append)" --dump "elf:$work/elf" --dump "kdump-zlib:$work/kdump"
image_is_whole 'undamaged' "$memory"
mv "$work/records" "$work/all"

for copy in first second; do
	cp --sparse=always "$memory" "$work/image"
	"$damage" headers "$work/image" $copy || bail_out 'damage.py'
	records "$work/records" -f "$work/image"
	ok "the $copy copy of each header gone: all there" cmp "$work/all" "$work/records"
done
"$damage" headers "$work/image" first
fails 'both copies of all headers gone' 1 "$lkstbuf" print -f "$work/image"
contains 'it is said that there is nothing' "$tap_output" 'no LKST'

# kept WHAT: of the damaged image
kept() {
	records "$work/records" -f "$work/image"
	ok "$1: every undamaged record, and no other" "$damage" kept "$work/image" "$work/all" "$work/records"
	"$lkstbuf" print --summary -f "$work/image" >"$work/summary" 2>&1
	is "$1: no crash" $? 0
	diag "$(cat "$work/records.errors")"
}

for kind in zero noise; do
	for seed in 1 2 3; do
		cp --sparse=always "$memory" "$work/image"
		"$damage" pages "$work/image" $kind 1 $seed || bail_out 'damage.py'
		kept "1 % of the pages $kind, $seed"
	done
done
for percent in 95 80 50; do
	head -c $((percent * $(stat -c %s "$memory") / 100)) "$memory" >"$work/image"
	kept "cut off at $percent %"
done
for form in elf kdump; do
	for percent in 99 90 60 30 1; do
		head -c $((percent * $(stat -c %s "$work/$form") / 100)) "$work/$form" >"$work/image"
		records "$work/records" -f "$work/image"
		ok "$form cut off at $percent %: no crash" sh -c "! grep -qE 'status (12[4-9]|1[3-9][0-9])' '$work/records.errors'"
		ok "$form cut off at $percent %: nothing that was not" "$damage" subset "$work/all" "$work/records"
	done
done
done_testing
