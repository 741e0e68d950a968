#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# lkstla sched and lkstla thread agree with the kernel's counts (/proc/PID/schedstat,
# /proc/PID/status, /proc/PID/io and the CPU time of a process) and with perf sched.
# kernel: base
# programs: perf
# append: lkst.buffer_size=16M
# timeout: 300

. "$(dirname "$0")/measure.sh"

# count PID NAME: print a count of the kernel, or "-" if the kernel does not count
count() { sed -n "s/^pid=$1 \(.* \)\{0,1\}$2=\([^ ]*\).*/\2/p" kernel; }
# column PID NUMBER: print a column of the row of a process in lkstla sched
column() { awk -F , -v pid="-$1" -v column="$2" 'substr($1, length($1) - length(pid) + 1) == pid { print $column }' sched.csv; }
# total PID PATTERN COLUMN: print the sum of a column of the rows of a process whose state and cause
# match, in the table "time" of lkstla thread
total() {
	awk -F , -v pid="-$1" -v pattern="$2" -v column="$3" '
		$1 == "thread" { table = $2 }
		table == "state" && substr($1, length($1) - length(pid) + 1) == pid &&
			($2 "," $3) ~ pattern { sum += $column }
		END { printf "%.0f\n", sum }' thread.csv
}
# latency PID: print the number of switches to a process according to perf sched latency
latency() { awk -F '|' -v pid=":$1 *$" '$1 ~ pid { print $3 + 0 }' by_latency; }
# timehist PID COLUMN: print a number of perf sched timehist: 3 switches to the process, 4 its run time
timehist() { awk -v pid="[[]$1[]]$" -v column="$2" '$1 ~ pid { print $column }' by_timehist; }
# call PID NAME: print the numbers of calls and of errors of a system call in lkstla thread
call() {
	awk -F , -v pid="-$1" -v name="$2" '
		$1 == "thread" { table = $2 }
		table == "call" && substr($1, length($1) - length(pid) + 1) == pid && $2 == name {
			print $3, $4
		}' thread.csv
}
# near A B PERCENT MORE: return whether A differs from B by at most PERCENT of B plus MORE
near() {
	awk -v a="$1" -v b="$2" -v percent="$3" -v more="$4" 'BEGIN {
		off = a - b
		exit !(a != "" && (off < 0 ? -off : off) <= b * percent / 100 + more)
	}'
}
# counted NAME VALUE WANT: test that a number is exact, unless the kernel does not count it
counted() {
	if [ "$3" = - ]; then
		skip "$1" 'this kernel does not count it'
	else
		is "$1" "$2" "$3"
	fi
}
# timed NAME NS WANT MORE: test that a time is right within 1 % and MORE ns, unless the kernel does
# not count it
timed() {
	if [ "$3" = - ]; then
		skip "$1" 'this kernel does not count it'
	else
		ok "$1 ($2 ns, want $3)" near "$2" "$3" 1 "$4"
	fi
}

lkstm set -n default
lkst stop
# perf records at the same time as LKST. The latencies of perf 6.1 need sched_wakeup, which "perf
# sched record" omits.
mkfifo control answer
if brought perf 'perf sched'; then
	with_perf=true
	set -- perf sched record -e sched:sched_wakeup -o perf.data -D -1 --control fifo:control,answer -- \
		sched_load 'echo enable >control && read -r _ <answer && lkst start' \
		'lkst stop && echo disable >control && read -r _ <answer'
else
	with_perf=false
	set -- sched_load
fi
ok 'the load runs while LKST records' sh -c '"$@" >kernel' sh "$@"
cat kernel
if $with_perf; then
	perf sched latency -p -i perf.data >by_latency
	perf sched timehist -s -i perf.data >by_timehist
	grep -E 'hog|copier' by_latency by_timehist
fi
read_trace
pids=$(sed -n 's/^pid=\([0-9]*\) .*/\1/p' kernel)
# shellcheck disable=SC2086 # a word for each process
set -- $pids
ok 'lkstla sched' sh -c "lkstla sched -f trace -p $1,$2 -p $3 --csv >sched.csv"
ok 'lkstla thread' sh -c "lkstla thread $1 $2 -f trace -p $3 --csv >thread.csv"
# shellcheck disable=SC2086 # a word for each process
lkstla thread $pids -f trace --json >thread.json
begin=$(sed -n 's/.*"begin_ns" *: *\([0-9]*\).*/\1/p' thread.json | head -n 1)
end=$(sed -n 's/.*"end_ns" *: *\([0-9]*\).*/\1/p' thread.json | head -n 1)
is 'nothing was lost' "$(sed -n 's/.*"lost" *: *\([0-9]*\).*/\1/p' thread.json | head -n 1)" 0
cat sched.csv

for pid in $pids; do
	name=$(count "$pid" name)
	# The kernel counts from the time at the start of its scheduling function, and the event is
	# recorded after the function has chosen the next thread. If emulated CPUs take turns, the
	# other CPU may have its turn in between, so allow 0.5 ms for each run.
	more=$(($(column "$pid" 2) * 500000))
	# The process sleeps when the window begins and ends, so the CPU switches to it as often as
	# away from it.
	is "$name: runs" "$(column "$pid" 2)" $(($(count "$pid" voluntary) + $(count "$pid" involuntary)))
	counted "$name: runs and slices of schedstat" "$(column "$pid" 2)" "$(count "$pid" slices)"
	is "$name: preempted" "$(column "$pid" 3)" "$(count "$pid" involuntary)"
	timed "$name: run time and CPU time" "$(column "$pid" 4)" "$(count "$pid" cpu)" "$more"
	timed "$name: run time and schedstat" "$(column "$pid" 4)" "$(count "$pid" run)" "$more"
	timed "$name: wait and schedstat" "$(column "$pid" 5)" "$(count "$pid" wait)" "$more"
	if $with_perf; then
		is "$name: runs and perf sched timehist" "$(column "$pid" 2)" "$(timehist "$pid" 3)"
		# "perf sched latency" may miss a run.
		if [ "$(latency "$pid")" = "$(timehist "$pid" 3)" ]; then
			is "$name: runs and perf sched latency" "$(column "$pid" 2)" "$(latency "$pid")"
		else
			skip "$name: runs and perf sched latency" 'perf counts different runs with "sched timehist"'
		fi
		timed "$name: run time and perf sched timehist" "$(column "$pid" 4)" \
			"$(timehist "$pid" 4 | tr -d .)000" "$more"
	fi

	is "$name: thread: the rows add up to the window" "$(total "$pid" . 5)" $((end - begin))
	is "$name: thread: blocked as often as it was switched out" "$(total "$pid" '^blocked' 4)" \
		"$(count "$pid" voluntary)"
	is "$name: thread: preempted" "$(total "$pid" '^runnable,after preemption$' 4)" \
		"$(count "$pid" involuntary)"
	is "$name: thread: running and interrupted is the run time of sched" \
		"$(total "$pid" '^(running|interrupted),' 5)" "$(column "$pid" 4)"
	is "$name: thread: runnable is the wait of sched" "$(total "$pid" '^runnable,' 5)" \
		"$(column "$pid" 5)"
done

# The hogs compete for the CPU, so each waits behind the other.
hogs=$(sed -n 's/^pid=\([0-9]*\) name=hog.*/\1/p' kernel | tr '\n' ' ')
# shellcheck disable=SC2086 # two words
set -- $hogs
for pair in "$1 $2" "$2 $1"; do
	ok "hog ${pair% *} was preempted" test "$(column "${pair% *}" 3)" -ge 5
	ok "hog ${pair% *} waited for at least 100 ms" test "$(column "${pair% *}" 5)" -ge 100000000
done

# When the window begins and when it ends, the copier sleeps in read() of a pipe. So its first read
# began before the window, and its last read does not end in the window. /proc counts a read at its
# end. Before each of these two reads, the copier writes to another pipe. Only the second of these
# writes is in the window.
copier=$(sed -n 's/^pid=\([0-9]*\) name=copier .*/\1/p' kernel)
is 'copier: read' "$(call "$copier" read)" '202 0'
is 'copier: write' "$(call "$copier" write)" '201 0'
is 'copier: close' "$(call "$copier" close)" '200 200'
is 'copier: open' "$(call "$copier" openat)$(call "$copier" open)" '2 0'
counted 'copier: reads of /proc/PID/io' $(($(call "$copier" read | cut -d ' ' -f 1) - 1)) \
	"$(count "$copier" syscr)"
counted 'copier: writes of /proc/PID/io' "$(call "$copier" write | cut -d ' ' -f 1)" \
	"$(count "$copier" syscw)"
# If emulated CPUs take turns, a timer may expire before the copier has gone to sleep. Then this nap
# is missing.
contains 'copier: blocked in nanosleep' "$(grep -- "-$copier,blocked S" thread.csv)" \
	',in (clock_)?nanosleep,(4[0-9]|50),'
contains 'copier: blocked in read' "$(grep -- "-$copier,blocked S" thread.csv)" ',in read,1,'
contains 'copier: a timer wakes it up' "$(grep -- "-$copier," thread.csv)" \
	"copier-$copier,(hrtimer hrtimer_wakeup|local timer interrupt|irq [^,]+),"

# --- the histogram has all waits

lkstla sched -f trace -p "$(printf '%s' "$pids" | tr '\n' ',')" --histogram --csv >histogram.csv
is 'the histogram has the waits of all threads' \
	"$(awk -F , '$1 == "from_ns" { in_waits = 1 } in_waits { sum += $5 } END { printf "%.0f\n", sum }' histogram.csv)" \
	"$(awk -F , '{ sum += $5 } END { printf "%.0f\n", sum }' sched.csv)"

# --- text, and bad usage

contains 'text: heading' "$(lkstla sched -f trace)" \
	'^thread +runs +preempted +run ms +wait ms +p50 us +p99 us +max us +at +behind$'
contains 'text: thread' "$(lkstla thread copier -f trace)" '^copier-[0-9]+ +blocked S +in (clock_)?nanosleep +(4[0-9]|50) '
refused 'thread without a process' 2 'no process is given' lkstla thread
refused 'thread with -c' 2 '-c does not apply' lkstla thread copier -c 0
refused 'no such process' 1 'no thread matches' lkstla thread coupier
lkst start
done_testing
