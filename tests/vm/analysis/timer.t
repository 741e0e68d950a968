#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# lkstla timer agrees with timer_naps on how late timers and threads are. timer_naps measures this
# in user mode, as cyclictest does.
# kernel: base
# append: lkst.buffer_size=16M
# timeout: 300

# shellcheck source=analysis/measure.sh
. "$(dirname "$0")/measure.sh"

naps=500

# column TABLE NUMBER: print a column of the row of hrtimer_wakeup in a table. TABLE consists of
# columns 1 and 4 of the heading of the table
column() {
	awk -F , -v table="$1" -v column="$2" '
		$1 == "name" || $1 == "thread" { now = $1 "," $4; next }
		now == table && /hrtimer_wakeup/ { print $column; exit }' timer.csv
}
late() { column name,late_p50_ns "$1"; }
worst() { column name,late_ns "$1"; }
wait_of() { column thread,wait_p50_ns "$1"; }
until_run() { column thread,late_p50_ns "$1"; }

printf '%s entry_log\n' class:interrupt class:timer class:process class:cpu | lkstm write -n timer -S >/dev/null
lkstm set -n timer
timer_naps $naps >measured
lkst stop
read_trace
lkst start
read -r slept low high max <measured
ok 'timer_naps measured' test "$max" -gt 0
ok 'lkstla timer' sh -c 'lkstla timer -f trace --any -p timer_naps --csv >timer.csv'
cat timer.csv

# --- every sleep is found

# A timer that expires before the thread has gone to sleep wakes no thread. If emulated CPUs take
# turns, this can happen when the other CPU has its turn at that moment. The kernel counts the sleeps.
wakes=$(wait_of 3)
ok "nearly each sleep has a wake-up ($wakes of $slept, $naps calls)" \
	test "$wakes" -le $naps -a "$wakes" -ge $((slept - slept / 20)) -a "$slept" -gt 0
is 'each wake-up has an expiration' "$(late 2)" "$wakes"
is 'the lateness of each expiration is known' "$(late 3) $(until_run 3)" "0 $wakes"

# --- how late the thread ran

# The program reads the clock after the switch to its thread, so it measures at least as much as
# LKST. LKST converts the time stamps of records to the monotonic clock with an error of up to 2 us,
# and a p50 is up to 1.6 % too high. The program also measures calls in which the thread did not
# sleep.
ok "median: LKST $(until_run 4), program $low to $high" \
	test "$(until_run 4)" -le $((high + high * 16 / 1000 + 2000))
ok "maximum: LKST $(until_run 6), program $max" test "$(until_run 6)" -le $((max + 2000))
# The program also measures the return from the system call, which takes much less than 1 ms.
ok "median: the program measures at most 1 ms more" test $((low - $(until_run 4))) -le 1000000

# --- the parts add up

is 'the worst wait: timer and rest add up' $(($(until_run 8) + $(until_run 9))) "$(until_run 6)"
is 'the worst timer: what the CPU did adds up' \
	$(($(worst 5) + $(worst 6) + $(worst 7) + $(worst 8) + $(worst 9))) "$(worst 4)"
is 'the worst timer is the maximum' "$(worst 4)" "$(late 6)"
is 'the worst timer ran on CPU 1' "$(worst 2)" 1
is 'hrtimer_wakeup runs in an interrupt' "$(worst 3)" irq

text=$(lkstla timer -f trace --any)
contains 'text: heading' "$text" '^hrtimer function +count +unknown +late p50 us +p99 us +max us +at +CPU meanwhile$'
contains 'text: the thread' "$text" '^timer_naps-[0-9]+ +hrtimer_wakeup +[0-9]+ '
refused 'no such process' 1 'no thread matches' lkstla timer -f trace -p timer_maps
lkstm set -n default
lkstm delete -n timer
done_testing
