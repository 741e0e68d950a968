#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# lkstla diff compares traces that were recorded in a VM. It finds no changes between recordings of
# the same load, although the order of the processes, the times and the sizes in the load are
# random, and one of the recordings was made after a reboot. If there is a known change, such as a
# slower system call, an extra wake-up or a lock that is held longer, lkstla diff shows it first.
# The clock of the VM counts instructions, so the load of the host does not matter.
# tests/host/lkstla_diff.t has traces in which the times are known.
# timeout: 240
# kernel: base

. "$(dirname "$0")/host.sh"
. "$(dirname "$0")/kernel.sh"
kernel_of base
# shellcheck disable=SC2119 # no files
counting_share
compile "$share/load" "$top/tests/host/diff/load.c"

# record NAME:SEED:PLAN...: record these loads in one boot (see guest.sh)
record() {
	run_counting_vm "$@" <"$top/tests/host/diff/guest.sh" >out 2>&1 || bail_out "the loads $*: $(cat out "$share/output" 2>/dev/null)"
}
record first:1: again:1: other:2: call:3:call wake:4:wake lock:5:lock
record reboot:6:
cd "$share" || exit
loads=(first again other reboot)
for load in "${loads[@]}" call wake lock; do
	why_agrees "the load $load" "$load.lkst"
done

# changed A B [OPTION...]: print the rows of changes. If A and B cannot be compared completely, the
# first line says so.
changed() {
	lkstla diff "$1.lkst" "$2.lkst" --csv "${@:3}" 2>headers | sed 1d >rows
	if [ "$(grep -c 'nothing lost' headers)" -ne 2 ] || grep -q '^not compared\|^note' headers ||
		! grep -q '^compared: [1-9][0-9][0-9] figures' headers; then
		tr '\n' ' ' <headers
		echo
	fi
	cat rows
}

# --- noise is not shown as a change

for a in "${loads[@]}"; do
	is "$a and itself, any change" "$(changed "$a" "$a" --change 1 --worth 1ns --confidence 50)" ''
	for b in "${loads[@]}"; do
		[ "$a" = "$b" ] || is "the same load: $a and $b" "$(changed "$a" "$b")" ''
	done
done

# --- a planted change is listed first, in both directions

# first_row: for the first row on standard input, print its kind, name and figure, and whether B
# takes more time
first_row() { awk -F , 'NR == 1 { print $1 "," $2 "," $3, ($9 > 0 ? "more" : "less") }'; }

while IFS=';' read -r plan first only; do
	for load in "${loads[@]}"; do
		changed "$load" "$plan" >found
		contains "$plan: first, compared with $load" "$(first_row <found)" "^$first more$"
		is "$plan: all else is a consequence, compared with $load" "$(cut -d , -f 1,2 found | grep -vxE "$only")" ''
		contains "$plan: first, compared with $load, reversed" "$(changed "$plan" "$load" | first_row)" "^$first less$"
	done
done <<'END'
call;call,caller: read,(p50 us|ms per s);call,caller: read|run,caller
wake;wake-up,woken by waker,per s;wake-up,woken by waker|call,(woken: read|waker: write)|(run|wait),(woken|waker)
lock;lock,rwsem write in pwrite64,ms per s;lock,rwsem write in pwrite64|.*(holder|waiter).*|wait,.*
END
done_testing
