#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# lkstla cpu agrees with /proc/stat on how long a CPU was in user mode, in system calls, in
# interrupts, in softirqs, and idle. The load spends half a second in each of these modes without a
# break.
#
# The kernel measures only idle time. It samples the other times: 250 times a second, the timer
# interrupt checks what it has interrupted (CONFIG_TICK_CPU_ACCOUNTING). The time of the timer
# interrupt itself counts as time of what it interrupted. If the CPU does the same thing for half a
# second, the samples are right to 4 ms. If it alternated quickly, they could be wrong by any
# amount. The kernel prints the times in ticks of 10 ms, rounded down, so the difference of two
# readings is wrong by less than one tick. Altogether, the results may differ by two ticks: one for
# rounding, and one for the samples and the timer interrupts.
#
# The clock of the VM counts instructions. If it followed the time of the host, LKST would count
# pauses of the emulated CPU, but the kernel would not sample them. A VM whose clock counts
# instructions has only one CPU. tests/vm/analysis/cpu.t compares the counts of /proc/stat, which do
# not depend on the time, on two CPUs.
# timeout: 240
# kernel: base
# modules: yes

. "$(dirname "$0")/host.sh"
. "$(dirname "$0")/kernel.sh"
modules_of base
counting_share "$modules/spending.ko"
compile "$share/load" "$top/tests/host/cpu/load.c" -I"$top/include/uapi"
ok 'the load runs' run_counting_vm <<'END'
insmod ./spending.ko
./fresh.sh
./load 500
lkstbuf read -f trace
cp stat1 stat2 trace /share
END
cd "$share" || exit

# time_of MARK: print the time of a mark as --since accepts it
time_of() {
	lkstbuf print -f trace -r -e user_mark --time raw |
		sed -n "s/^\([0-9]*\)\([0-9]\{9\}\) .* arg1=0x$1 .*/@\1.\2/p"
}
window=(-f trace --since "$(time_of 1)" --until "$(time_of 2)")
ok 'lkstla cpu' sh -c 'lkstla cpu "$@" --json >json && lkstla cpu "$@" --csv >csv' sh "${window[@]}"
# number KEY: print the first number with this name in the JSON document
number() { sed -n "s/.*\"$1\" *: *\([0-9]*\).*/\1/p" json | head -n 1; }
is 'nothing was lost' "$(number lost)" 0

# lkstla_ns COLUMN: print a time of the CPU in ns
lkstla_ns() {
	awk -F , -v ns=$(($(number end_ns) - $(number begin_ns))) -v column="$1" '
		$1 == "cpu" { for (i = 1; i <= NF; i++) number[$i] = i }
		$1 == 0 && column in number { printf "%.0f\n", ns * $number[column] }' csv
}
# kernel_ms FIELD...: print by how much the sum of these fields of the CPU has grown
kernel_ms() {
	awk -v fields="$*" '
		$1 == "cpu0" {
			num = split(fields, field, " ")
			for (i = 1; i <= num; i++) sum[FILENAME] += $(field[i] + 1)
		}
		END { print (sum["stat2"] - sum["stat1"]) * 10 }' stat1 stat2
}

while read -r name key fields; do
	# shellcheck disable=SC2086 # a word for each field
	lkstla=$(lkstla_ns "$key") kernel=$(kernel_ms $fields)
	off=$((lkstla - kernel * 1000000))
	ok "$name: lkstla cpu $lkstla ns, /proc/stat $kernel ms" test "${off#-}" -le 20000000
	ok "$name: at least 490 ms" test "$kernel" -ge 490
done <<'END'
user user 1 2
system kernel 3
irq irq 6
softirq softirq 7
idle idle 4 5
END
for key in thread unknown; do
	is "nothing is $key" "$(lkstla_ns $key)" 0
done
why_agrees 'the trace' trace
done_testing
