#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# lkstla profile counts each interrupt of the local timer once, and at the right address. The
# program spin executes a loop and prints the addresses of this loop, and dd makes the kernel clear
# memory.
# kernel: base
# arch: x86_64
# append: lkst.buffer_size=16M

# shellcheck source=analysis/measure.sh
. "$(dirname "$0")/measure.sh"

# samples FILE CONDITION: print the number of samples in the rows of the profile for which the awk
# expression CONDITION is true. The columns of a row are samples, share, mode, program, symbol
samples() {
	awk -F , '$1 == "samples" { on = 1; next } on && ('"$2"') { sum += $1 } END { printf "%.0f\n", sum }' "$1"
}
# events PROCESS: print the number of timer interrupts in the trace that interrupted the process
events() { lkstbuf print -f trace -e int_timer_entry -p "$1" --only -r | grep -c ' int_timer_entry '; }

lkstm set -n default
range=$(spin 1000)
dd if=/dev/zero of=/dev/null bs=1M count=4000 2>/dev/null
lkst stop
read_trace
lkst start
for name in spin dd; do
	ok "$name: lkstla profile" sh -c "lkstla profile -f trace --any -p $name --csv >$name.csv"
	is "$name: each interrupt is a sample" "$(samples "$name.csv" 1)" "$(events "$name")"
done

# --- user mode: the addresses of the loop

inside=0 outside=0
while IFS=, read -r number _ mode _ address; do
	[ "$mode" = user ] || continue
	if [ $((address)) -ge $((${range% *})) ] && [ $((address)) -lt $((${range#* })) ]; then
		inside=$((inside + number))
	else
		outside=$((outside + number))
	fi
done <spin.csv
note="in the loop: $inside, elsewhere in user mode: $outside"
ok "spin is interrupted at least 20 times in 1 s of CPU time ($note)" test "$inside" -ge 20
# The program also executes clock() and other code of the C library, before and between the loops.
ok "at most a tenth of its samples are outside of its loop ($note)" test $((outside * 10)) -le "$inside"
# shellcheck disable=SC2016 # for awk
is 'the rows of a program have its name' "$(samples spin.csv '$3 == "user" && $4 != "spin"')" 0

# --- the kernel: symbols

contains 'dd: the kernel clears memory' "$(cat dd.csv)" ',kernel,,[a-z_]*(clear|zero|rep_stos)[a-z_]*'
lacks 'dd: a function has no offset' "$(cat dd.csv)" ',kernel,.*\+0x'
is 'the modes have all samples' \
	"$(awk -F , '$1 == "mode" { on = 1; next } $1 == "samples" { on = 0 } on { sum += $2 } END { print sum + 0 }' dd.csv)" \
	"$(samples dd.csv 1)"

# --- for flame graphs

lkstla profile -f trace --any -p dd --folded 2>/dev/null >folded
is 'folded: each sample once' "$(awk '{ sum += $NF } END { print sum + 0 }' folded)" "$(events dd)"
is 'folded: the form of the lines' "$(grep -cvE '^dd-[0-9]+;[^ ;]+ [0-9]+$' folded)" 0
refused '--over' 2 '--over does not apply' lkstla profile -f trace --over 1ms
done_testing
