#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# lkstla offcpu shows where in the kernel a program slept, and for how long, and lkstla syscall and
# lkstla thread show the paths of its longest system calls.
# kernel: base
# append: lkst.buffer_size=16M
# timeout: 300

. "$(dirname "$0")/measure.sh"

record system_call_entry,system_call_exit,system_call_path,process_contextswitch,process_waking,process_wakeup,process_state,process_fork,process_block
ok 'the load runs' sh -c 'stacks_load >load'
lkst stop
read_trace
sed 's/^/# /' load
pid=$(sed -n 's/^pid=//p' load)
# column COLUMN: add up a column of the table on standard input
column() { awk -F , -v column="$1" '{ sum += $column } END { printf "%.0f\n", sum }'; }
# The program executes itself at its end, which changes its name. The name in the trace depends on
# whether the thread was switched after that. It may be cut to 8 characters, as in an event.
sleeper="(sleeper|stacks_l(oad)?)-$pid"
of_sleeper() { grep -E "^$sleeper,"; }

# --- stacks

ok 'lkstla offcpu' sh -c "lkstla offcpu -f trace --any -p $pid --csv >offcpu.csv 2>header"
contains 'nothing was lost' "$(cat header)" 'nothing lost'
rows_of thread,cause,sleeps,blocked_ns,p50_ns offcpu.csv >causes
rows_of thread,cause,sleeps,blocked_ns,max_ns offcpu.csv >stacks
lkstla thread "$pid" -f trace --any --csv >thread.csv 2>/dev/null
sed 's/^/# /' causes stacks
grep -E ',S in read,.*,(anon_)?pipe_read<-' stacks >reads
is 'sleeps in pipe_read()' "$(column 3 <reads)" "$(sed -n 's/^reads=//p' load)"
slept=$(column 4 <reads)
at_least=$(sed -n 's/^at_least=\([0-9]*\) .*/\1/p' load) at_most=$(sed -n 's/.* at_most=//p' load)
ok "pipe_read(): the program slept $slept ns, and measured at least $at_least ns" test "$slept" -ge "$at_least"
ok "pipe_read(): the program measured at most $at_most ns" test "$slept" -le "$at_most"
contains 'a sleep in open() of a FIFO' "$(grep ',S in openat,' stacks)" ',(wait_for_partner|fifo_open)<-'
lacks 'no function of the scheduler is in a stack' "$(cat stacks)" '[,-]_*schedule(<-|$)'
for number in 3 4; do
	is "both tables have the same sum of column $number" "$(column $number <stacks)" "$(column $number <causes)"
	is "as lkstla thread, column $number" "$(column $number <stacks)" \
		"$(rows_of thread,state thread.csv | grep ',blocked' | column $((number + 1)))"
done
lkstla offcpu -f trace --any -p "$pid" --folded >folded 2>/dev/null
contains '--folded' "$(cat folded)" "^$sleeper;[^ ]*;vfs_read;(anon_)?pipe_read;S in read [0-9]+\$"
# Each line is rounded to microseconds.
difference=$(($(awk '{ sum += $NF } END { printf "%.0f\n", sum }' folded) - $(column 4 <causes) / 1000))
ok "--folded: the sum differs by $difference us from that of the table" \
	test "${difference#-}" -le "$(wc -l <folded)"

# --- paths

lkstla syscall -f trace --any -p "$pid" --csv 2>/dev/null | rows_of call,max_ns /dev/stdin >files
rows_of thread,call,max_ns thread.csv | of_sleeper >thread_files
sed 's/^/# /' files thread_files
sed -n 's/^file //p' load >wanted
while read -r call path; do
	is "syscall: the path of $call" "$(sed -n "s/^$call,[0-9]*,\(.*[^,]\),*\$/\1/p" files)" "$path"
	is "thread: the path of $call" \
		"$(sed -n "s/^[^,]*,$call,[0-9]*,[0-9]*,\(.*[^,]\),*\$/\1/p" thread_files)" "$path"
done <wanted
# The program slept for 100 ms before the other end of the FIFO was opened.
# Each row ends with as many empty columns as the longest list of paths in the same output needs.
is 'syscall --over' "$(lkstla syscall -f trace --any -p "$pid" --over 90ms --csv 2>/dev/null |
	grep '^openat,[0-9]*,\./' | sed 's/,*$//')" "$(grep '^openat,' files | sed 's/,*$//')"
lkst start
done_testing
