#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# On two CPUs, lkstla cpu counts the same context switches, and lkstla irq the same interrupts, as
# /proc/stat ("ctxt" and "intr"). This test does not compare the times in /proc/stat: the kernel
# samples them, and misses the samples of the time in which an emulated CPU pauses.
# tests/host/lkstla_cpu_vm.t compares the times, in a VM whose clock counts instructions.
# kernel: base
# arch: x86_64
# append: lkst.buffer_size=16M
# timeout: 300

# shellcheck source=analysis/measure.sh
. "$(dirname "$0")/measure.sh"
# shellcheck source=analysis/windows.sh
. "$here/windows.sh"

# Cause context switches and interrupts: two processes take turns on one CPU, then on the other CPU,
# and then wake each other across the two CPUs.
work() {
	for cpus in '1 1' '2 2' '1 2' '2 1'; do
		taskset "${cpus% *}" dd if=/dev/zero bs=64K count=20 2>/dev/null |
			taskset "${cpus#* }" dd of=/dev/null bs=4K 2>/dev/null
	done
	visit_cpus
	spin 1000 >/dev/null
	sleep 0.3
}

record class:interrupt,class:timer,process_contextswitch,process_fork,process_exec,process_rename,process_exit
record_windows stat interrupts
in_windows cpu cpu
in_windows irq irq

# grown FILE PATTERN: add up the numbers in the lines whose first word matches PATTERN, and print by
# how much this sum has grown
grown() {
	awk -v pattern="^($2)\$" '
		$1 ~ pattern { for (i = 2; i <= NF && $i ~ /^[0-9]+$/; i++) sum[FILENAME] += $i }
		END { printf "%.0f\n", sum[ARGV[2]] - sum[ARGV[1]] }' "${1}1" "${1}2"
}
# first FILE WORD: print by how much the first number has grown in the line that begins with WORD
first() { awk -v word="$2" '$1 == word { n[FILENAME] = $2 } END { printf "%.0f\n", n[ARGV[2]] - n[ARGV[1]] }' "${1}1" "${1}2"; }

# switches WINDOW: print the number of context switches
switches() { rows_of cpu "$1.cpu" | awk -F , '$1 != "" { sum += $9 } END { printf "%.0f\n", sum }'; }
ctxt=$(first stat ctxt)
bounded 'context switches' "$(switches inner)" "$ctxt" "$(switches outer)"
ok "there were context switches ($ctxt)" test "$ctxt" -ge 100
for cpu in 0 1; do
	ok "CPU $cpu switched threads" test "$(rows_of cpu inner.cpu | awk -F , -v cpu=$cpu '$1 == cpu { print $9 }')" -ge 20
done

# interrupts WINDOW: print the number of interrupts. The handlers of a shared interrupt run equally
# often, and /proc counts them once.
interrupts() {
	rows_of number "$1.irq" | awk -F , '
		$3 > max[$1] { max[$1] = $3 }
		END { for (i in max) sum += max[i]; printf "%.0f\n", sum }'
}
# "intr" also counts non-maskable interrupts, which LKST does not count as interrupts, and the polls
# for machine checks, which a timer makes.
intr=$(($(first stat intr) - $(grown interrupts 'NMI:|MCP:')))
bounded 'interrupts' "$(interrupts inner)" "$intr" "$(interrupts outer)"
ok "there were interrupts ($intr)" test "$intr" -ge 100
# If nearly all interrupts or context switches were outside of the inner window, the comparison
# would prove little. On a slow machine, the programs that read /proc cause many of the interrupts.
ok 'the inner window has many of the interrupts' test $(($(interrupts inner) * 4)) -ge "$(interrupts outer)"
ok 'the inner window has many of the context switches' test $(($(switches inner) * 4)) -ge "$(switches outer)"

text=$(lkstla cpu -f trace)
contains 'text: heading' "$text" '^CPU +user % +kernel % .* +switches +migrations +wake-ups '
lkst start
done_testing
