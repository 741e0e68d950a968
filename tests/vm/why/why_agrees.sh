# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0
# Tests that record a trace with wake-ups source this file. They must have sourced tap.sh and set
# $here to the directory with the scripts of the tests.
#
# Do not call these functions for a trace that the test damages on purpose, or for a trace without
# context switches.

# why_agrees FILE...: test lkstla why on a trace in these files: the segments divide each of the ten
# longest delays without a gap (why_tree.awk), and lkstla sched finds the same run and wait times for
# these delays
why_agrees() {
	why_nothing='' why_cut=''
	why_compare "$@"
}
# why_agrees_if_any FILE...: run the same test on a trace that may be too short for a whole delay, or
# that may lack wake-ups. Skip the test if the trace has nothing that lkstla why could explain.
why_agrees_if_any() {
	why_cut=''
	why_allow_nothing
	why_compare "$@"
}
# why_agrees_cut FILE...: run the same test as why_agrees_if_any on files that may end in the middle of
# a chunk, because their writer was killed. lkstla then exits with status 1 although its answer is
# complete.
why_agrees_cut() {
	why_cut=yes
	why_allow_nothing
	why_compare "$@"
}
# why_agrees_each: run the same test on each trace file in the working directory. Report nothing about
# traces that have nothing that lkstla why could explain: many contain only a few kinds of events.
why_agrees_each() {
	why_cut=''
	why_allow_nothing
	why_skip=:
	for why_each in *; do
		[ ! -f "$why_each" ] || [ "$(head -c 7 "$why_each")" != LKSTTRC ] || why_compare "$why_each"
	done
	why_skip=skip
}
why_allow_nothing() { why_nothing='the trace lacks events that this analysis needs|no delay began and ended in the window|the window is empty'; }

why_skip=skip
why_compare() {
	why_files=$(printf ' -f %s' "$@")
	why_status=0
	# shellcheck disable=SC2086 # unquoted, to split it into words: file names have no blanks
	lkstla why $why_files --any --slowest 10 --segments 1000 --depth 8 --json >why.json 2>why.err || why_status=$?
	[ -z "$why_cut" ] || ! grep -q ': truncated' why.err || why_status=0
	if [ $why_status -ne 0 ]; then
		if [ -n "$why_nothing" ] && grep -qE "$why_nothing" why.err; then
			$why_skip 'why: the longest delays' "$(tail -n 1 why.err)"
		else
			fail 'why: the longest delays' "$(cat why.err)"
		fi
		return
	fi
	# shellcheck disable=SC2154 # the test sets $here
	ok 'why: the segments have no gaps' sh -c "awk -f $here/why_tree.awk why.json >why.tree"
	grep '^[0-9]' why.tree >why.rows
	[ -n "$why_nothing" ] || ok 'why: a delay can be compared with sched' test -s why.rows
	while read -r tid since until run wait; do
		# shellcheck disable=SC2086
		row=$(lkstla sched $why_files --any --csv -p "$tid" --since "$since" --until "$until" 2>why.err |
			awk -F , -v tid="$tid" '{ sub(/.*-/, "", $1) } $1 == tid { rows++; times = $4 " " $5 }
				END { print (rows > 1 ? "-" : rows ? times : "0 0") }')
		# If several threads have this ID, or sched finds no such thread, there is nothing
		# to compare with, so accept the row.
		[ "$row" != - ] && ! grep -q 'no thread matches' why.err || row="$run $wait"
		echo "$tid $since $until $row"
	done <why.rows >why.sched
	is 'why: run and wait times are those of sched' "$(cat why.sched)" "$(cat why.rows)"
}
