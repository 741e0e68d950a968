#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# lkstla diff: two recordings of the same load do not differ, and what is planted in another recording
# comes first: a slower system call, an extra wake-up, a lock that is held longer. The speed of a VM
# varies so much on a busy host that this test needs an idle one. tests/host/lkstla_diff.t has traces
# in which the times are known.
# suite: all
# kernel: base
# append: lkst.buffer_size=16M
# timeout: 300

. "$(dirname "$0")/measure.sh"

record system_call_entry,system_call_exit,process_contextswitch,process_waking,process_wakeup,process_state,lock_contention_begin,lock_contention_end,int_timer_entry,int_timer_exit,int_softirq_entry,int_softirq_exit

# All loads are recorded in one trace, between marks, and each gets a file of its own.
number=0
for plan in '' '' call wake lock; do
	number=$((number + 1))
	mark $number
	# shellcheck disable=SC2086 # unquoted, so that there may be no argument
	ok "the load $number runs: ${plan:-nothing planted}" diff_load $plan
done
mark 6
lkst stop
read_trace
begin=$(mark_time 1)
for plan in first again call wake lock; do
	number=$((number % 5 + 1))
	end=$(mark_time $((number + 1)))
	ok "the load $plan" lkstbuf read --trace trace -f "trace.$plan" --since "$begin" --until "$end"
	begin=$end
done

# changed FILE OPTION...: what is above the line, compared with the first trace: what, name, figure
changed() {
	file=$1
	shift
	lkstla diff trace.first "trace.$file" --csv "$@" 2>header | sed 1d | cut -d , -f 1-3
}
is 'a trace does not differ from itself' "$(changed first)" ''
contains 'figures were compared' "$(cat header)" '^compared: [1-9][0-9]* figures, of which 0 changed'
lkstla diff trace.first trace.again | sed 's/^/# /'
for plan in call wake lock; do
	lkstla diff trace.first "trace.$plan" | sed 's/^/# /'
done
# How fast a VM is varies from minute to minute: only a factor of more than 4 counts here.
is 'the same load does not differ' "$(changed again --change 300)" ''
contains 'a slower system call comes first' "$(changed call | head -n 1)" '^call,caller: read,'
contains 'an extra wake-up comes first' "$(changed wake -p waker,woken | head -n 1)" '^wake-up,woken by waker,per s$'
contains 'a lock that is held longer comes first' "$(changed lock | head -n 1)" '^lock,rwsem write in pwrite64,'
lkst start
done_testing
