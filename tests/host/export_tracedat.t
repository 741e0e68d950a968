#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Reads with trace-cmd the trace.dat that lkstbuf export writes, and tests that the events are those
# that lkstbuf print shows. lkstla_recompute.lkst was recorded in a VM with two CPUs. The other
# traces are synthetic.

. "$(dirname "$0")/host.sh"
use_tools mktrace

# same NAME [--count] TRACE [OPTION...]: test that all events are exported
same() {
	local name=$1
	shift
	contains "$name" "$("$top/tests/host/export_tracedat.py" "$@" 2>&1)" '^[1-9][0-9]* events, [0-9]+ losses, 0 problems$'
}

real=$top/tests/host/lkstla_recompute.lkst
same 'a real trace' "$real"
same 'a real trace: system calls' "$real" -e 'class:syscall'
same 'a real trace: a process' "$real" -p sh
same 'a real trace: a CPU' "$real" -c 1
same 'a real trace: a part' "$real" --since +500ms --until +1s

for plan in '' files sleeps 'waits 1' 'waits 2' 'load irq 1' late user; do
	# shellcheck disable=SC2086 # a plan and its arguments
	mktrace trace $plan || bail_out "no trace: $plan"
	same "a trace: ${plan:-sample}" trace
done

# A trace has no losses if its seed is a multiple of 3.
for seed in {1..6}; do
	mktrace system system "$seed" || bail_out 'no trace of a simulated system'
	same "simulated system $seed" system
done
mktrace system system 1
lkstbuf read --trace system -e 'process_*' -f part || bail_out 'no part of a trace'
same 'a part of a trace' part
contains 'losses are shown' "$(lkstbuf export -f system -o out.dat && trace-cmd report out.dat)" 'CPU:0 \[[0-9]+ EVENTS DROPPED\]'

mkdir gap
{ mktrace gap/early 2 100 0 && mktrace gap/late 1 50 1100; } || bail_out 'no files with a gap'
same 'two files with a gap' gap

# Arguments that no kernel records, names that are not text, and times that jump
mktrace hostile hostile
same 'hostile names' --count hostile
for seed in {1..4}; do
	mktrace random random "$seed" || bail_out 'no random trace'
	same "random events $seed" --count random
done

# --- what trace-cmd shows without options

lkstbuf export -f "$real" --format trace.dat -o out
trace-cmd report out >text 2>messages
is 'no messages' "$(cat messages)" ''
contains 'a context switch' "$(cat text)" ' rcu_sched-13 .* sched_switch: +rcu_sched:13 \[-99\] . ==> swapper/1:0 \[120\]'
contains 'a system call' "$(cat text)" 'sys_enter: +NR 262 \(ffffff9c, 555555575980, 7fffffffea50\) newfstatat'
contains 'an event that only LKST has' "$(cat text)" 'lkst_maskset_set: +from=2 to=3'
mktrace random random 1
lkstbuf export -f random -e int_tasklet_entry --format trace.dat -o tasklets 2>/dev/null
contains 'other events that the kernel also has' "$(trace-cmd report -N tasklets)" \
	' tasklet_entry: +tasklet=0x[0-9a-f]+ func=0x[0-9a-f]+$'
is 'without plug-ins, the states are right' "$(trace-cmd report -N out | grep -c 'prev_comm=rcu_sched .* prev_state=I ')" \
	"$(lkstbuf print -f "$real" | grep -c 'prev=rcu_sched-13 prev_state=I ')"
is 'the number of CPUs' "$(sed -n 1p text)" 'cpus=2'
is 'a pipe gets the same' "$(lkstbuf export -f "$real" --format trace.dat -o - | cmp - out)" ''

done_testing
