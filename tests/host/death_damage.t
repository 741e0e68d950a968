#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# In a damaged image of a dead machine lkstbuf finds all undamaged records and no others, and counts
# the missing ones.
# suite: all
# timeout: 900
# kernel: base
# modules: yes

. "$(dirname "$0")/death/common.sh"
ring_size=1M slots=16384
damage=$top/tests/host/death/damage.py

guest <<'END'
record 3
die panic
END
vm 126 --mem 448 --append "$(append)" --dump "elf:$work/elf" --dump "kdump-zlib:$work/kdump"
image_is_whole 'undamaged' "$memory"
mv "$work/records" "$work/all"
mv "$work/records.errors" "$work/all.errors"

for copy in first second; do
	cp --sparse=always "$memory" "$work/image"
	"$damage" headers "$work/image" $copy || bail_out 'damage.py'
	records "$work/records" -f "$work/image"
	ok "without the $copy copy of each header: all records are found" cmp "$work/all" "$work/records"
done
"$damage" headers "$work/image" first
refused 'without any header' 1 'no LKST data in it' "$lkstbuf" print -f "$work/image"

# kept NAME: test that lkstbuf prints the undamaged records of the damaged image, and no others, and
# that lkstla why agrees with lkstla sched
kept() {
	local out
	records "$work/records" -f "$work/image"
	out=$("$damage" kept "$work/image" "$work/all" "$work/records" 2>&1)
	is "$1: all undamaged records are found, and the others are counted" $? 0
	diag "$out
$(cat "$work/records.errors")"
	is "$1: no crash" "$(grep 'lkstbuf: status' "$work/records.errors" | grep -v ' 1$')" ''
	[ ! -s "$work/records" ] || image_agrees "$1" "$work/image"
}

# of PERCENT FILE: use the first PERCENT of FILE as the damaged image
of() { head -c $(($1 * $(stat -c %s "$2") / 100)) "$2" >"$work/image"; }

for kind in zero noise; do
	for seed in 1 2 3; do
		cp --sparse=always "$memory" "$work/image"
		"$damage" pages "$work/image" $kind 1 $seed || bail_out 'damage.py'
		kept "1 % of the pages $kind, $seed"
	done
done
cp --sparse=always "$memory" "$work/image"
"$damage" cut "$work/image" || bail_out 'damage.py'
kept 'cut off in the middle of a buffer'
for percent in 99 60 35 1; do
	for form in memory elf kdump; do
		of $percent "$work/$form"
		kept "$form cut off at $percent %"
	done
done
done_testing
