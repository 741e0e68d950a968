#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# lkstla irq counts interrupts and softirqs exactly as /proc/interrupts and /proc/softirqs do.
# kernel: base
# arch: x86_64
# append: lkst.buffer_size=16M
# timeout: 300

# shellcheck source=analysis/measure.sh
. "$(dirname "$0")/measure.sh"

# shellcheck source=analysis/windows.sh
. "$here/windows.sh"

# Cause softirqs, and interrupts from a device (by access to files of the host), from the timer and
# from another CPU.
work() {
	for turn in 1 2 3; do
		cat "$here"/*.t >copy
		sync
		echo "$turn" >/proc/sys/vm/drop_caches
	done
	i=0
	while [ $i -lt 50 ]; do
		taskset $((i % 2 + 1)) true
		i=$((i + 1))
	done
	spin 300 >/dev/null
}

# delta KIND NAME: print by how much the sum of a line of /proc/KIND over all CPUs has grown
delta() {
	awk -v name="$2:" '
		FNR == 1 { cpus = NF; file++; next }
		$1 == name { for (i = 2; i <= cpus + 1; i++) sum[file] += $i }
		END { printf "%.0f\n", sum[2] - sum[1] }' "${1}1" "${1}2"
}

# count WINDOW TABLE COLUMN NAMES: print the sum of the counts of the rows that have one of NAMES, a
# regular expression, in COLUMN. The handlers of a shared interrupt run equally often, and /proc counts
# them once, so take the maximum of the rows with the same number.
count() {
	awk -F , -v table="$2" -v column="$3" -v names="^($4)\$" '
		$1 == "number" || $1 == "name" || $1 == "kind" {
			now = $1 == "number" ? "irq" : $1 == "name" && $2 == "count" && !seen++ ? "softirq" : ""
			next
		}
		now == table && $column ~ names {
			n = table == "irq" ? $3 : $2
			if (n > max[$1]) max[$1] = n
		}
		END { for (i in max) sum += max[i]; printf "%.0f\n", sum }' "$1.irq"
}

# between NAME DELTA TABLE COLUMN NAMES: test that DELTA, which /proc counted, lies between the
# counts of the two windows
between() {
	bounded "$1" "$(count inner "$3" "$4" "$5")" "$2" "$(count outer "$3" "$4" "$5")"
}

printf '%s entry_log\n' class:interrupt class:timer class:mark work_entry work_exit process_contextswitch \
	process_fork process_exec process_rename process_exit | lkstm write -n irq -S >/dev/null
lkstm set -n irq
record_windows interrupts softirqs
in_windows irq irq

# --- hard interrupts

devices=0
# shellcheck disable=SC2013 # one word per line
for number in $(sed -n 's/^ *\([0-9]*\):.*/\1/p' interrupts2); do
	grown=$(delta interrupts "$number")
	between "interrupt $number" "$grown" irq 1 "$number"
	devices=$((devices + grown))
done
ok "devices caused interrupts ($devices)" test "$devices" -ge 10
while read -r line names; do
	between "$line" "$(delta interrupts "$line")" irq 2 "$names"
done <<-'END'
	LOC LOCAL_TIMER
	RES RESCHEDULE
	CAL CALL_FUNCTION|CALL_FUNCTION_SINGLE
	IWI IRQ_WORK
END
ok 'the timer caused interrupts' test "$(delta interrupts LOC)" -ge 50
ok 'CPUs caused interrupts' test $(($(delta interrupts RES) + $(delta interrupts CAL))) -ge 1
# If most interrupts were outside of the inner window, the comparison would prove little.
ok 'most interrupts of the timer are in the inner window' \
	test $(($(count inner irq 2 LOCAL_TIMER) * 2)) -ge "$(count outer irq 2 LOCAL_TIMER)"

# --- softirqs

# shellcheck disable=SC2013 # one word per line
for name in $(sed -n 's/^ *\([A-Z_]*\):.*/\1/p' softirqs2); do
	between "softirq $name" "$(delta softirqs "$name")" softirq 1 "$name"
done
ok 'there were softirqs' test "$(delta softirqs TIMER)" -ge 5

# --- the other tables, and the options

text=$(lkstla irq -f trace --any --since "$(mark_time 2)" --until "$(mark_time 3)")
contains 'text: interrupts' "$text" '^number +interrupt +count +total ms +p50 us +p99 us +max us +at +hit$'
contains 'text: the vector' "$text" '^vec [0-9]+ +LOCAL_TIMER +[0-9]+ '
contains 'text: softirqs' "$text" '^TIMER +[0-9]+ '
contains 'text: functions have symbols' "$text" '^hrtimer +[a-z_]+ +[0-9]+ '
contains 'the interrupts of the timer hit spin' "$(lkstla irq -f trace -p spin --csv 2>/dev/null)" \
	',LOCAL_TIMER,[0-9]+,.*,spin-[0-9]+$'
refused 'no such process' 1 'no thread matches' lkstla irq -f trace -p spim
lkstm set -n default
lkstm delete -n irq
done_testing
