#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# lkstla noise finds what took a CPU away from a thread: /proc/PID/schedstat counts how long the thread
# waited, and /proc/PID/status how often it was preempted.
# kernel: base
# append: lkst.buffer_size=16M
# timeout: 300

# shellcheck source=measure.sh
. "$(dirname "$0")/measure.sh"

# kernel_count NAME COUNT: print the kernel's count for a process, or "-" if the kernel does not
# count
kernel_count() { sed -n "s/^pid=.* name=$1 .*$2=\([^ ]*\).*/\1/p" kernel; }
# sum FILE CAUSE COLUMN: print the sum of a column of all rows whose cause matches
sum() { awk -F , -v cause="^($2)\$" -v column="$3" '$1 ~ cause { sum += $column } END { printf "%.0f\n", sum }' "$1"; }

lkstm set -n default
mark 0x701
lkst stop
# sched_load runs hog1, hog2 and copier on CPU 1.
ok 'the load runs while LKST records' sh -c 'sched_load >kernel'
cat kernel
lkst start
mark 0x702
lkst stop
read_trace
for name in hog1 hog2; do
	between 701 702 noise -c 1 -p "$name" >"$name.csv"
	is "$name: lkstla noise" $? 0
	cat "$name.csv"
	# Each time that the thread is preempted, at least one other thread runs.
	runs=$(sum "$name.csv" thread 3) preempted=$(kernel_count "$name" involuntary)
	ok "$name: threads took the CPU at least as often as it was preempted ($runs, $preempted)" \
		test "$runs" -ge "$preempted"
	wait=$(kernel_count "$name" wait)
	if [ "$wait" = - ]; then
		skip "$name: the time it waited" 'this kernel does not count it'
		continue
	fi
	threads=$(sum "$name.csv" thread 4) all=$(sum "$name.csv" '[a-z]*' 4)
	# While a thread waits, other threads and interrupts have the CPU. At each switch, the event
	# and the kernel's count are some microseconds apart. If emulated CPUs take turns, the other
	# CPU may have its turn in between, so allow 1 % and 0.5 ms for each switch, as sched.t
	# does.
	ok "$name: threads took the CPU for at most the time it waited ($threads, $wait)" \
		test "$threads" -le $((wait + wait / 100 + preempted * 500000))
	# The part of $wait that threads and interrupts do not explain is time that the thread
	# waited after wake-ups. There are few wake-ups, because the hogs do not sleep.
	ok "$name: threads and interrupts explain at least 90 % of it ($all, $wait)" \
		test "$all" -ge $((wait - wait / 10))
done
contains 'hog2 takes the CPU from hog1' "$(cat hog1.csv)" '^thread,hog2-[0-9]+,'
contains 'hog1 takes the CPU from hog2' "$(cat hog2.csv)" '^thread,hog1-[0-9]+,'
ok 'hog2 took at least 100 ms' test "$(awk -F , '$2 ~ /^hog2-/ { print $4 }' hog1.csv)" -ge 100000000
lacks 'a thread takes nothing from itself' "$(cat hog1.csv)" '^thread,hog1-'
contains 'interrupts of the timer take the CPU away' "$(cat hog1.csv)" '^irq,'

text=$(lkstla noise -f trace -c 1 -p hog1)
contains 'text: heading' "$text" '^cause +name +count +total ms +max us +at +share %$'
contains 'text: total' "$text" '^total '
refused 'without a CPU' 2 'no CPU is given' lkstla noise
refused 'no such process' 1 'no thread matches' lkstla noise -f trace -c 1 -p hog3
lkst start
done_testing
