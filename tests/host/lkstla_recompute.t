#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Tests that lkstla prints the right numbers: lkstla_recompute.py computes them from the events that
# lkstbuf prints. lkstla_recompute.lkst was recorded in a VM with two CPUs: 1.7 s of its boot and of
# a shell, with the events of threads, system calls and interrupts. The other traces are from a
# simulation.

. "$(dirname "$0")/host.sh"
use_tools mktrace

# same NAME TRACE [OPTION...]: test that lkstla_recompute.py finds no difference
same() {
	local name=$1
	shift
	contains "$name" "$("$top/tests/host/lkstla_recompute.py" "$@" 2>&1)" '^[0-9]{3,} numbers compared, 0 differ$'
}

real=$top/tests/host/lkstla_recompute.lkst
same 'a real trace' "$real" --any
same 'a real trace: the time of both CPUs' "$real"
same 'a real trace: a window before the maskset changed' "$real" --since +100ms --until +600ms
same 'a real trace: a window in which the maskset changed' "$real" --since +300ms --until +1s
same 'a real trace: its end' "$real" --last 500ms

# A trace has no losses if its seed is a multiple of 3.
for seed in {1..12}; do
	mktrace system "system" "$seed" || bail_out 'no trace of a simulated system'
	same "simulated system $seed" system --any
	same "simulated system $seed: a window" system --since "+$((seed * 3))ms" --until "+$((seed * 3 + 30))ms"
done

done_testing
