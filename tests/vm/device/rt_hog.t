#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A CPU is occupied, first by a real-time thread that never sleeps, then by kernel code with
# preemption off. Commands that only read LKST's state do not wait for that CPU. Other commands may
# wait for it, but SIGKILL ends them.
# kernel: base
# kernel-all: base debug
# suite: all
# timeout: 600

. "$(dirname "$0")/../tap.sh"
cd "$(dirname "$0")" || exit

field() { lkst status | sed -n "s/^$1  *//p"; }
masksets() { lkstm list | awk 'NR > 1 { print $2 }' | tr '\n' ' '; }
memory() { field memory | cut -d ' ' -f 1; }
buffers() { lkstbuf list -c 1 | sed '/^$/,$d' | awk '$1 == 1 { print $2 }' | tr '\n' ' '; }
# is_over TENTHS: whether the process $pid exits within TENTHS tenths of a second
is_over() {
	tries=0
	until is_dead $pid || [ $((tries += 1)) -gt "$1" ]; do sleep 0.1; done
	is_dead $pid
}
begin() {
	"$@" >/tmp/output 2>&1 </tmp/nothing &
	pid=$!
}
# ends NAME COMMAND...: checks that the command does not hang, but succeeds within 60 s
ends() {
	name=$1
	shift
	begin "$@"
	if is_over 600 && wait $pid; then
		pass "$name"
	else
		fail "$name" "$(cat /tmp/output)"
	fi
}
# gives_up NAME COMMAND...: checks that the command exits by itself within 5 s, or that SIGKILL then
# ends it. On a busy host, the command may take longer than that to call LKST. SIGKILL must come
# after the call has begun, because later tests rely on the effect of the call.
gives_up() {
	name=$1
	shift
	begin "$@"
	if ! is_over 50; then
		tries=0
		until is_dead $pid || grep -qs ' lkst_' /proc/$pid/stack || [ $((tries += 1)) -gt 300 ]; do sleep 0.1; done
		kill -KILL $pid 2>/dev/null
	fi
	ok "$name" is_over 300
}
is_dead() {
	read -r stat 2>/dev/null </proc/"$1"/stat || return 0
	stat=${stat##*) }
	[ "${stat%% *}" = Z ]
}
looks() {
	for command in 'lkst status' 'lkstm list' 'lkstm read -n default' 'lkstbuf list' 'lksteh list' 'cat /proc/lkst_etypes'; do
		# shellcheck disable=SC2086 # unquoted, to split it into words
		ends "$1: $command" $command
	done
}
# killed NAME COMMAND...: checks that the command waits for the occupied CPU to respond, that
# commands that only read state succeed during this wait, and that SIGKILL ends the wait
killed() {
	name=$1
	shift
	begin "$@"
	tries=0
	until grep -qs 'lkst_[a-z]*_wait' /proc/$pid/stack || is_dead $pid || [ $((tries += 1)) -gt 300 ]; do sleep 0.1; done
	contains "$name: it waits" "$(cat /proc/$pid/stack)" 'lkst_[a-z]*_wait'
	waiting=$pid title=$name
	looks "$title"
	name=$title
	kill -KILL $waiting
	pid=$waiting
	ok "$name: SIGKILL ends it" is_over 300
}

# Prints the recid of the newest LKST_SYNC_TIME of CPU 0.
synced() { lkstbuf print -c 0 -e lkst_sync_time -n 1 -V | sed -n 's/.* recid=\([0-9]*\) .*/\1/p'; }

lkstm read -d -m 0 | grep -v '^#' >/tmp/nothing
runtime=/proc/sys/kernel/sched_rt_runtime_us runtime_before=$(cat /proc/sys/kernel/sched_rt_runtime_us)
stall=/sys/module/rcupdate/parameters/rcu_cpu_stall_suppress stall_before=$(cat /sys/module/rcupdate/parameters/rcu_cpu_stall_suppress)
echo -1 >$runtime
echo 1 >$stall
# Since Linux 6.12, threads that a real-time thread starves get a share of the CPU. Turn this off.
for share in /sys/kernel/debug/sched/fair_server/cpu*/runtime; do
	[ ! -f "$share" ] || echo 0 >"$share" || exit
done
lkst start

# --- A real-time thread that stays in user mode, so the timer tick does not interrupt kernel code

# LKST records a time pair (LKST_SYNC_TIME) each minute. Setting the clock on CPU 1 arms the timer
# for the next time pair on that CPU, so the timer expires while the real-time thread runs there.
# Record no other events, because a time pair is also recorded when a buffer wraps.
echo lkst_sync_time entry_log | lkstm write -n sync >/dev/null
lkstm set -n sync
# A time pair is also recorded when the kernel changes its clocksource. Wait until the kernel uses
# the TSC.
tries=0
until grep -qx tsc /sys/devices/system/clocksource/clocksource0/current_clocksource || [ $((tries += 1)) -gt 100 ]; do
	sleep 0.1
done
taskset 2 date -s "@$(date +%s)" >/dev/null
sleep 1
./hog 1 &
hog=$!
until [ "$(cut -d ' ' -f 41 /proc/$hog/stat)" = 1 ]; do sleep 0.1; done
looks 'real-time thread'
before=$(synced) tries=0
until [ "$(synced)" != "$before" ] || [ $((tries += 1)) -gt 200 ]; do sleep 1; done
ok 'the other CPU gets a new time pair' test "$(synced)" != "$before"
# These commands may wait for RCU, which needs a softirq on CPU 1. If ksoftirqd has to run the
# softirq, RCU waits until the real-time thread ends.
gives_up 'stop' lkst stop
is 'LKST is stopped' "$(field state)" stopped
gives_up 'start' lkst start --no-state-dump
gives_up 'write a maskset' lkstm write -m 40 -n one
gives_up 'overwrite it' lkstm write -m 40
gives_up 'select it' lkstm set -m 40
gives_up 'overwrite the current one' lkstm write -m 40
gives_up 'select another one' lkstm set -n default
gives_up 'delete a maskset' lkstm delete -m 40
gives_up 'create a buffer' lkstbuf create -c 1 -b 9 -s 64K
gives_up 'delete a buffer' lkstbuf delete -c 1 -b 9
looks 'the real-time thread still runs'
kill $hog
wait $hog 2>/dev/null
ends 'LKST can be started after the real-time thread has ended' lkst start --no-state-dump
is 'LKST is running' "$(field state)" running
ends 'the default maskset is selected' lkstm set -n default
lkstm delete -m 40 2>/dev/null
lkstm delete -n sync
lkstbuf delete -c 1 -b 9 2>/dev/null
is 'no buffer is left' "$(buffers)" '0 '

# --- A kernel thread that runs with preemption off, so that RCU has to wait for it

lkstm write -n one </tmp/nothing >/dev/null
lkstm write -n two </tmp/nothing >/dev/null
lkstbuf create -c 1 -b 9 -s 64K >/dev/null
memory=$(memory)
insmod modules/holding.ko cpu=1 || exit
looks 'preemption off'
killed 'stop' lkst stop
is 'LKST is stopped' "$(field state)" stopped
killed 'start' lkst start
is 'LKST is still stopped' "$(field state)" stopped
killed 'delete' lkstm delete -n one
lacks 'the maskset is deleted' "$(masksets)" one
killed 'delete a second time' lkstm delete -n two
contains 'the second delete has waited for the first one, so its maskset remains' "$(masksets)" two
killed 'delete a buffer' lkstbuf delete -c 1 -b 9
is 'the buffer is deleted' "$(buffers)" '0 '
ends 'the CPU is free again' rmmod holding

ends 'LKST can be started' lkst start
is 'LKST is running' "$(field state)" running
ends 'a maskset can be selected' lkstm set -n two
insmod modules/holding.ko cpu=1 || exit
killed 'set' lkstm set -n default
contains 'set: one of the two masksets is selected' "$(field maskset)" '(two|default)$'
ends 'the CPU is free again' rmmod holding
ends 'a maskset is selected' lkstm set -n default
ends 'a maskset is deleted' lkstm delete -n two
ends 'the memory is available again' lkstbuf create -c 1 -b 9 -s 64K
ok 'all memory has been freed' test "$(memory)" -lt "$memory"
ends 'a buffer is deleted' lkstbuf delete -c 1 -b 9
ok 'LKST records' sh -c 'lkstlogger -ev user_mark -a1 0x1234 && lkstbuf print --own -e user_mark | grep -q 0x1234'
echo "$runtime_before" >$runtime
echo "$stall_before" >$stall
done_testing
