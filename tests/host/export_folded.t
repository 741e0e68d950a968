#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Tests what lkstbuf export --format folded writes: export_folded.py compares the sums with the sums
# of lkstla thread and lkstla offcpu --folded. lkstla_recompute.lkst was recorded in a VM. The other
# traces are from a simulation.

. "$(dirname "$0")/host.sh"
use_tools mktrace

# same NAME TRACE [OPTION...]: test that export_folded.py finds no difference
same() {
	local name=$1
	shift
	contains "$name" "$("$top/tests/host/export_folded.py" "$@" 2>&1)" '^[0-9]{2,} numbers compared, 0 differ$'
}
folded() { lkstbuf export --format folded "$@"; }

real=$top/tests/host/lkstla_recompute.lkst
same 'a real trace' "$real"
same 'a real trace: a window' "$real" --since +300ms --until +1s
same 'a real trace: a process' "$real" -p 70
for seed in {1..6}; do
	mktrace system "system" "$seed" || bail_out 'no trace of a simulated system'
	same "simulated system $seed" system
	same "simulated system $seed: a window" system --since "+$((seed * 3))ms" --until "+$((seed * 3 + 30))ms"
done
mktrace sleeps sleeps || bail_out 'no trace with stacks'
same 'stacks' sleeps

is 'stacks: the functions, outermost first, in the cause' "$(folded -f sleeps -o - | grep blocked)" \
'reader-100;blocked D;in exit 500
reader-100;blocked D;in openat;exception #PF;0xffffffff82000010;my_read_folio[my:fs];io_schedule 8000
reader-100;blocked S;in read;entry_SYSCALL_64;do_syscall_64;ksys_read;vfs_read;pipe_read 6001'
folded -f "$real" -o all.folded
is 'the suffix selects the format' "$(lkstbuf export -f "$real" -o named.folded && cmp all.folded named.folded && echo same)" same
is 'each line has frames and a number' "$(grep -vcE '^[^; ][^;]*(;[^;]+)* [0-9]+$' all.folded)" 0
has() { contains "$1" "$(cat all.folded)" "$2"; }
has 'a system call' '^sh-70;running;in the kernel;vfork [0-9]+$'
has 'a sleep in a system call' '^sh-70;blocked S;in wait4 1035[0-9]{3}$'
has 'behind whom a thread waited' '^cat-65;runnable;after preemption;behind init-1 762$'
# running [OPTION...]: print the time in which threads ran, in milliseconds
running() { folded -f "$real" "$@" -o - | awk -F '[; ]' '$2 == "running" || $2 == "interrupted" { us += $NF } END { printf "%.0f\n", us / 1000 }'; }
ok 'the times of both CPUs add up' test $(($(running -c 0) + $(running -c 1))) -eq "$(running)"
# blocked [OPTION...]: print the time in which threads were blocked, in microseconds
blocked() { folded -f system "$@" -o - | awk '/;blocked/ { us += $NF } END { print us + 0 }'; }
# slices [OPTION...]: print the time that blocked prints, but computed from the slices of the format
# chrome
slices() {
	lkstbuf export --format chrome -f system "$@" -o - | python3 -c 'import json, sys
begun, us = {}, 0
for event in json.load(sys.stdin)["traceEvents"]:
    if event["pid"] < 1 << 30 and event["ph"] in "BE":
        slices = begun.setdefault((event["pid"], event["tid"]), [])
        if event["ph"] == "B":
            slices.append(event["ts"])
        else:
            us += (event["ts"] - slices.pop()) * event["name"].startswith("blocked")
print(round(us))'
}
mktrace system system 1
for cpu in 0 1; do
	folded=$(blocked -c $cpu) slices=$(slices -c $cpu)
	# The time of each line is rounded.
	ok "CPU $cpu: blocked as long as in the format chrome (us: $folded, $slices)" \
		test "${slices:-0}" -gt 1000 -a $((folded - slices)) -lt 8 -a $((slices - folded)) -lt 8
done

# --- options that select events

for options in '-e sched*' '--where cpu==0' '--longer 1ms'; do
	# shellcheck disable=SC2086 # several words
	refused "${options% *} is refused" 2 \
		"^lkstbuf export: ${options% *}: format folded has no events \(want -p, -c, --since or --until\)\$" \
		lkstbuf export -f sleeps $options -o refused.folded
done
ok 'refused: nothing was written' test ! -e refused.folded

# Hostile names must not add frames or lines.
mktrace hostile hostile
is 'hostile strings' "$(folded -f hostile -o - | grep -vcE '^[ -~]+ [0-9]+$')" 0
for seed in 1 2 3; do
	mktrace random random "$seed"
	ok "a damaged trace $seed" sh -c 'lkstbuf export --format folded -f random -o out'
done
done_testing
