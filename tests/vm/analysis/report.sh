# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0
# Tests of lkstla report source this file first. They write rows to the file "rows". A row has four
# fields: a finding or "quiet", thresholds, a pattern that the sentence of the finding matches, and
# a command that provokes the finding. A test may define lacks_support() and clean_up().

. "$(dirname "$0")/measure.sh"

# Each row sets the threshold of its finding. All other thresholds are so high that delays by a busy
# host do not reach them.
high='cpu-wait=200s irqs-off=200s irq-long=200s softirq-long=200s timer-late=200s block-slow=200s
	lock-wait=200s d-wait=200s call-slow=200s errors=1000000 drops=1000000 mem-grew=1G irq-busy=100%
	idle-queued=100%'

# lacks_support FINDING: return whether this kernel cannot provoke the finding
lacks_support() { false; }

# clean_up: undo what the commands of the rows have done, after the trace has been read
clean_up() { :; }

# split_row: split $row into its fields, and choose the numbers of its marks
split_row() {
	finding=${row%% :: *}
	command=${row##* :: }
	sentence=${row#* :: }
	thresholds=${sentence%% :: *}
	sentence=${sentence#* :: }
	sentence=${sentence%% :: *}
	wanted=$finding
	[ "$finding" != quiet ] || wanted=
	number=$((number + 2))
	first=$(printf '%x' $number) last=$(printf '%x' $((number + 1)))
}

# provoke_rows: run the command of each row between two marks, and read the trace
provoke_rows() {
	number=0
	lkst start 2>/dev/null
	while read -r row; do
		split_row
		lacks_support "$finding" && continue
		sleep 0.2
		mark $number
		eval "$command" >/dev/null 2>"$finding.errors" </dev/null || diag "$finding: status $?"
		mark $((number + 1))
	done <rows
	lkst stop
	read_trace
	clean_up
}

# examine_row: set $found to the findings between the marks of a row, and $text to the sentence of
# the first finding
examine_row() {
	set --
	for threshold in $high $thresholds; do
		case $threshold in *=*) set -- "$@" --threshold "$threshold" ;; esac
	done
	between "$first" "$last" report "$@" >csv
	found=$(rows_of finding,count csv | sed -n 's/^\([a-z-]*\),[0-9].*/\1/p' | sort -u | paste -sd ' ')
	[ -s csv ] || found='no report'
	text=$(lkstla report -f trace --since "$(mark_time "$first")" --until "$(mark_time "$last")" "$@" |
		sed -n 's/^ *1  //p')
}

# is_provoked: return whether the report has the finding of the current row and no other finding
is_provoked() {
	[ "$found" = "$wanted" ] || return 1
	[ -z "$wanted" ] || printf '%s\n' "$text" | grep -qE -e "$sentence"
}

# check_rows TRY: for each row, test that the report has the finding of this row and no other. The
# last TRY is number 3. In earlier tries, a row that fails is not reported as a failure, but written
# to the file "again".
check_rows() {
	number=0
	: >again
	while read -r row; do
		split_row
		if lacks_support "$finding"; then
			skip "$finding" 'this kernel lacks what it needs'
			continue
		fi
		examine_row
		if [ "$1" != 3 ] && ! is_provoked; then
			echo "#| repeated: ${0##*/}, row $finding ($1 of 2): found \"$found\", \"$text\""
			printf '%s\n' "$row" >>again
			continue
		fi
		is "$finding: alone" "$found" "$wanted"
		[ -z "$wanted" ] || contains "$finding: the sentence" "$text" "$sentence"
	done <rows
}

# test_rows: provoke the finding of each row, and test that lkstla report shows it. A busy host may
# delay an emulated CPU, which causes a worse delay or makes another thread wait. Then the row is
# run again, up to two times. Only a few rows may be run again.
test_rows() {
	for try in 1 2 3; do
		provoke_rows
		check_rows $try
		[ -s again ] || break
		mv again rows
		[ $try != 1 ] || ok 'at most 3 rows run again' test "$(wc -l <rows)" -le 3
	done
}
