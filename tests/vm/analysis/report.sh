# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0
# Tests of lkstla report source this file first. They write rows to the file "rows": a finding, or
# "quiet"; thresholds; a pattern that the sentence of the finding matches; and a command that
# provokes the finding. A test may define lacks_support().

. "$(dirname "$0")/measure.sh"

# The rows set the threshold of what they provoke. All other thresholds are so high that a busy host
# does not reach them.
high='cpu-wait=200s irqs-off=200s irq-long=200s softirq-long=200s timer-late=200s block-slow=200s
	lock-wait=200s d-wait=200s call-slow=200s errors=1000000 drops=1000000 mem-grew=1G irq-busy=100%
	idle-queued=100%'

# lacks_support FINDING: whether this kernel cannot provoke it
lacks_support() { false; }

# provoke_rows: run the command of each row between two marks
provoke_rows() {
	number=0
	while read -r row; do
		finding=${row%% :: *}
		number=$((number + 2))
		lacks_support "$finding" && continue
		sleep 0.2
		mark $number
		eval "${row##* :: }" >/dev/null 2>"$finding.errors" || diag "$finding: status $?"
		mark $((number + 1))
	done <rows
}

# check_rows: of each row, test that the trace shows the finding, and no other one
check_rows() {
	number=0
	while read -r row; do
		finding=${row%% :: *} row=${row#* :: }
		thresholds=${row%% :: *} row=${row#* :: }
		number=$((number + 2))
		if lacks_support "$finding"; then
			skip "$finding" 'this kernel lacks what it needs'
			continue
		fi
		set --
		for threshold in $high $thresholds; do
			case $threshold in *=*) set -- "$@" --threshold "$threshold" ;; esac
		done
		between "$(printf '%x' $number)" "$(printf '%x' $((number + 1)))" report "$@" >csv
		rows_of finding,count csv | sed -n '/^[a-z-]*,[0-9]/p' >findings
		wanted=$finding
		[ "$finding" != quiet ] || wanted=
		is "$finding: alone" "$(cut -d , -f 1 findings | sort -u | paste -sd ' ')" "$wanted"
		if [ -n "$wanted" ]; then
			contains "$finding: the sentence" "$(lkstla report -f trace --since "$(mark_time "$(printf '%x' $number)")" \
				--until "$(mark_time "$(printf '%x' $((number + 1)))")" "$@" | sed -n 's/^ *1  //p')" "${row%% :: *}"
		fi
	done <rows
}
