#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# lkstla offcpu and lkstla wake agree with the context switches that the kernel counts and with
# lkstla sched and lkstla thread, and the times of lkstla map add up to the times of the CPUs.
# kernel: base
# append: lkst.buffer_size=16M
# timeout: 300

# shellcheck source=analysis/measure.sh
. "$(dirname "$0")/measure.sh"

# count PID NAME: print the value NAME of process PID from the file "kernel", which has the counts
# that the kernel itself keeps for each process
count() { sed -n "s/^pid=$1 .* $2=\([^ ]*\).*/\1/p" kernel; }
# total FILE PID FIELD COLUMN [PATTERN]: print the sum of a column over the rows in which field
# number FIELD names the process and the field after it matches PATTERN
total() {
	awk -F , -v pid="-$2" -v field="$3" -v column="$4" -v pattern="${5:-.}" '
		/^thread,(call|woken_by|wakes),/ { exit }
		substr($field, length($field) - length(pid) + 1) == pid && $(field + 1) ~ pattern {
			sum += $column
		}
		END { printf "%.0f\n", sum }' "$1"
}

lkstm set -n default
lkst stop
# The buffers contain events of earlier tests, so remember when this one began.
begun=$(date +%s)
ok 'the load runs while LKST records' sh -c 'sched_load -n napper >kernel'
cat kernel
read_trace
pids=$(sed -n 's/^pid=\([0-9]*\) .*/\1/p' kernel)
napper=$(sed -n 's/^pid=\([0-9]*\) name=napper .*/\1/p' kernel)
ok 'lkstla offcpu' sh -c 'lkstla offcpu -f trace --csv >offcpu.csv'
ok 'lkstla wake' sh -c 'lkstla wake -f trace --csv >wake.csv'
ok 'lkstla sched' sh -c 'lkstla sched -f trace --csv >sched.csv'
# shellcheck disable=SC2086 # a word for each process
lkstla thread $pids -f trace --csv >thread.csv
lkstla map -f trace --json >map.json
begin=$(sed -n 's/.*"begin_ns" *: *\([0-9]*\).*/\1/p' map.json | head -n 1)
end=$(sed -n 's/.*"end_ns" *: *\([0-9]*\).*/\1/p' map.json | head -n 1)
is 'nothing was lost' "$(sed -n 's/.*"lost" *: *\([0-9]*\).*/\1/p' map.json | head -n 1)" 0

for pid in $pids; do
	name=$(count "$pid" name)
	blocked=$(total offcpu.csv "$pid" 1 4)
	is "$name: offcpu: as many sleeps as voluntary switches" "$(total offcpu.csv "$pid" 1 3)" \
		"$(count "$pid" voluntary)"
	is "$name: offcpu: the time of thread" "$blocked" "$(total thread.csv "$pid" 1 5 '^blocked')"
	# The process exists for the whole window, and sleeps when the window begins and when it ends.
	# The time before the first event about the process is unknown.
	unknown=$(total thread.csv "$pid" 1 5 '^unknown')
	is "$name: offcpu: with the time of sched, it adds up to the window" \
		$((blocked + $(total sched.csv "$pid" 1 4) + $(total sched.csv "$pid" 1 5) + unknown)) \
		$((end - begin))
	# The first wake-up ends a sleep that began before the window, and the last sleep does not
	# end in it.
	is "$name: wake: a wake-up for each voluntary switch" "$(awk -F , -v pid="-$pid" '
		substr($2, length($2) - length(pid) + 1) == pid { sum += $3 }
		END { printf "%.0f\n", sum }' wake.csv)" "$(count "$pid" voluntary)"
done

# If emulated CPUs take turns, a timer may expire before the napper has gone to sleep. Then this nap
# is missing.
naps=$(total offcpu.csv "$napper" 1 3 '^S in (clock_)?nanosleep$')
ok "napper: offcpu: nearly all naps ($naps of 50)" test "$naps" -ge 40 -a "$naps" -le 50
contains 'napper: offcpu: a timer ends the naps' "$(grep -- "-$napper,S in .*nanosleep" offcpu.csv)" \
	',(hrtimer hrtimer_wakeup|local timer interrupt|irq [^,]+)$'
contains 'napper: wake: a timer ends the naps' "$(grep -- ",napper-$napper," wake.csv)" \
	'^(hrtimer hrtimer_wakeup|local timer interrupt|irq [^,]+),napper-[0-9]+,[45][0-9],'
contains 'napper: offcpu --folded' "$(lkstla offcpu -f trace -p napper --folded 2>header)" \
	"^napper-$napper;S in (clock_)?nanosleep;[^;]+ [0-9]+\$"
contains 'offcpu --folded: the header is on standard error' "$(cat header)" '^window '
contains 'wake --dot' "$(lkstla wake -f trace --dot 2>header | paste -s -d ' ' -)" \
	"^digraph wake \{.*-> \"napper-$napper\" \[label=[0-9]+\].* \}\$"

# --- map

lkstla map -f trace --csv --width 100 >map.csv
cpus=$(awk -F , '/^letter,/ { exit } NR > 1 { print $1 }' map.csv | sort -u | wc -l)
is 'map: the times of the letters are those of all CPUs' \
	"$(awk -F , 'in_letters { sum += $3 } /^letter,/ { in_letters = 1 } END { printf "%.0f\n", sum }' map.csv)" \
	$(((end - begin) * cpus))
is 'map: 91 cells for each CPU' "$(awk -F , '/^letter,/ { exit } NR > 1' map.csv | wc -l)" $((91 * cpus))
# The hogs share CPU 1 and are the only ones that run for more than some milliseconds at a time.
contains 'map: the hogs have CPU 1' "$(grep '^1,' map.csv)" ',[A-Z],hog[12]-[0-9]+,'
contains 'map: text' "$(lkstla map -f trace --width 100)" '^CPU 1    .*[A-Z]'
contains 'map -p: a row for each thread' "$(lkstla map -f trace --since "@$begun" -p hog1)" '^hog1-[0-9]+ .*A'
refused 'map with -p and -c' 2 '-c cannot be combined with -p' lkstla map -f trace -p hog1 -c 1
refused 'offcpu with -c' 2 '-c does not apply' lkstla offcpu -f trace -c 1
lkst start
done_testing
