#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# lkstla why gives the known chain of causes of each scenario of why_load (why.table), as text and as
# JSON. A chain is a list of patterns, separated by " > ". Each pattern must match a line of the
# report that follows the line of the previous pattern. If the machine is busy, QEMU may delay the
# interrupts of an emulated CPU for so long that another cause dominates. Then the scenario is run
# again, up to two times. The trace of such a run has no other scenario, which may hide an error
# that depends on the other scenarios. So only a few scenarios may be run again.
# kernel: base
# append: lkst.buffer_size=16M
# timeout: 300

# shellcheck source=analysis/measure.sh
. "$(dirname "$0")/measure.sh"

# follows FILE CHAIN: return whether lines of the file match the chain
follows() {
	rest="$2 > "
	line=0
	while [ -n "$rest" ]; do
		pattern=${rest%% > *} rest=${rest#* > }
		line=$(grep -nE -e "$pattern" "$1" | sed 's/:.*//' | awk -v after="$line" '$1 > after { print; exit }')
		[ -n "$line" ] || { lacking=$pattern; return 1; }
	done
}

# With LKST as a module for another kernel, exceptions cannot be recorded.
lacks_exceptions() { grep -q ' absent "exception_entry"' /proc/lkst_etypes; }

# lacks_support SCENARIO: return whether this kernel cannot run the scenario, or LKST cannot record
# it
lacks_support() {
	case $1 in
	throttle) [ ! -f "$cgroup/cpu.max" ] ;;
	irqs | softirqs | work) [ ! -f "$modules/delaying.ko" ] ;;
	fault | userfault) lacks_exceptions ;;
	*) false ;;
	esac
}

# The scenarios that need a block device use a loop device.
make_loop
make_cgroup cpu
[ ! -f "$cgroup/cpu.max" ] || echo '20000 100000' >"$cgroup/cpu.max"

# play FILE NAME...: record scenarios, and write the trace to the file
play() {
	file=$1
	shift
	lkst start 2>/dev/null
	for name; do
		case $name in
		irqs | softirqs | work) argument=$modules/delaying.ko ;;
		*) argument=$loop ;;
		esac
		echo 3 >/proc/sys/vm/drop_caches
		if [ "$name" = marks ]; then
			lkstlogger -s go
			sh -c 'sleep 0.3; lkstlogger -s done; true'
		elif ! lacks_support "$name"; then
			timeout 20 why_load "$name" "$argument" || diag "$name: status $?"
		fi
	done
	lkst stop
	lkstbuf read -f "$file"
	[ ! -d /sys/module/delaying ] || rmmod delaying
}

# explain TRACE [OPTION...]: write the files report and report.json for a row of the table
explain() {
	file=$1
	shift
	set -f
	# shellcheck disable=SC2086 # unquoted, to split it into words
	lkstla why -f "$file" --any "$@" $arguments >report 2>&1
	# shellcheck disable=SC2086
	lkstla why -f "$file" --any "$@" $arguments --json >report.json
	set +f
}

# shows_chain SCENARIO: return whether lkstla why shows the chain of causes. $repeated is the number
# of scenarios that were run again.
repeated=0
shows_chain() {
	explain trace
	for try in 1 2; do
		! follows report "$chain" || return 0
		echo "#| repeated: why.t, scenario $1 ($try of 2)"
		diag "no line matches $lacking in:
$(cat report)"
		[ "$try" = 2 ] || repeated=$((repeated + 1))
		sleep 1
		since=$(date +%s)
		play again "$1" </dev/null
		explain again --since "@$since"
	done
	follows report "$chain"
}

record class:process,class:interrupt,class:syscall,class:timer,class:block,class:exception,class:cpu,class:module,class:network,class:mark
# shellcheck disable=SC2046 # a word for each scenario
play trace $(why_load) marks

why_agrees trace
# Make the first segment end 1 ns later, which makes the tree wrong. If this segment has children,
# or is the only one, the error is at the end of the segment. Otherwise it is at the start of the
# next segment.
awk '
	/"segments"/ { tree = 1 }
	tree && /"end_ns"/ && !done && match($0, /[0-8]9*,?$/) {
		nines = substr($0, RSTART + 1)
		gsub(/9/, "0", nines)
		$0 = substr($0, 1, RSTART - 1) substr($0, RSTART, 1) + 1 nines
		done = 1
	}
	{ print }' why.json >gap.json
is 'why_tree.awk finds a gap' "$(awk -f "$here/why_tree.awk" gap.json | cut -c 1-12)" 'wrong: a gap'
head -n "$(($(wc -l <why.json) / 2))" why.json >cut.json
ok 'why_tree.awk finds that the output is cut' sh -c "! awk -f $here/why_tree.awk cut.json >/dev/null"

# Without -f, lkstla sql reads the buffers. Times then differ slightly, because each run compares
# the clocks again.
for query in 'SELECT type, cpu, count(*), total(arg1) FROM event GROUP BY type, cpu' \
	'SELECT thread, call, count(*), sum(result) FROM syscall GROUP BY thread, call'; do
	lkstla sql "$query" -f trace --any --csv 2>/dev/null >wanted
	ok "sql: $query" test "$(wc -l <wanted)" -ge 10
	is "sql: the buffers: $query" "$(lkstla sql "$query" --any --csv 2>/dev/null)" "$(cat wanted)"
done
is 'why: the buffers' "$(lkstla why 'pipe-a*' --any --csv 2>/dev/null | cut -d , -f 2,5-8)" \
	"$(lkstla why 'pipe-a*' -f trace --any --csv 2>/dev/null | cut -d , -f 2,5-8)"

grep -v '^#' "$here/why.table" >rows
while read -r row; do
	scenario=${row%% :: *} row=${row#* :: }
	arguments=${row%% :: *} chain=${row#* :: }
	if lacks_support "$scenario"; then
		skip "$scenario" 'this kernel lacks what it needs'
		continue
	fi
	if shows_chain "$scenario"; then
		pass "$scenario: the chain"
	else
		fail "$scenario: the chain" "no line matches $lacking in:
$(cat report)"
	fi
	sed -n '/ explained [0-9.]* %$/,$p' report | grep -vE '^$| explained [0-9.]* %$' |
		sed -E 's/^ *[0-9.]+ ms +([0-9.]+ %)? *//; s/([^.]) \.\.\.$/\1/' >texts
	sed -n 's/^.*"text" *: *"\(.*\)",*$/\1/p' report.json | sed 's,\\/,/,g' >texts.json
	ok "$scenario: the same in JSON" cmp texts texts.json
	explained=$(sed -n 's/^.* explained \([0-9.]*\) %$/\1/p' report | sort -u)
	if [ "$scenario" = offline ]; then
		# In Linux 7.2, a CPU that is already offline may wake the thread. Tracepoints have
		# no effect on that CPU, so nothing can then explain the end of this wait.
		ok "$scenario: nearly all is explained ($explained %)" test "${explained%.*}" -ge 95
	else
		is "$scenario: all is explained" "$explained" 100
	fi
done <rows
ok 'at most 3 scenarios have run again' test "$repeated" -le 3
losetup -d "$loop"
lkst start
done_testing
