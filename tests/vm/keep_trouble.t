#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# What led to real trouble is kept: after a warning, a task that hangs, a CPU that locks up, an oops, and what a
# user does by hand, stop_after stops LKST, and start arms it again; buffer_jump leaves the span before aside,
# while recording goes on. In a boot of its own: the kernel is not the same afterwards.
# kernel: base
# kernel-all: base debug
# append: lkst.buffer_size=2M
# timeout: 300
# log-allow: WARNING: .* warn\+.*\[provoke\]|NULL pointer dereference, address: 0000000000000018$|Oops: 0002 \[#1\]|Internal error: Oops|Call [Tt]race:$|INFO: task keep_trouble.t:|soft lockup - CPU#[0-9]+ .*\[keep_trouble.t:|rcu: INFO: rcu_\w+ .*detected stall|divide error: 0000 \[#2\]|INFO: lockdep is turned off

. "$(dirname "$0")/../tap.sh"
here=$(cd "$(dirname "$0")" && pwd)
work=/tmp/trouble
mkdir -p $work
cd $work || exit
insmod "$here/modules/provoke.ko" || exit
lkstm read -n default -d | lkstm write -n armed >/dev/null
lkstm set -n armed

# provoke WHAT: of tests/modules/provoke.c
provoke() { echo "$1 1" 2>/dev/null >/proc/lkst_provoke; }

# hangs WHAT COMPLAINT: until the kernel complains
hangs() {
	dmesg -c >/dev/null
	provoke "$1" &
	for _ in $(seq 600); do
		! dmesg | grep -q "$2" || break
		sleep 0.1
	done
	provoke release
	wait $!
}

# The troubles: each causes an event of its own.
warning() { provoke warn; }
hung_task() {
	echo 1 >/proc/sys/kernel/hung_task_timeout_secs
	hangs hang 'blocked for more than'
	echo 120 >/proc/sys/kernel/hung_task_timeout_secs
}
soft_lockup() {
	echo 1 >/proc/sys/kernel/watchdog_thresh
	hangs soft-lockup 'soft lockup'
	echo 10 >/proc/sys/kernel/watchdog_thresh
}
by_hand() { lkstlogger -ev user_mark; }
oops() { (provoke oops); }
divide() { (provoke divide); }

# event TROUBLE: what it causes
event() {
	case $1 in
	warning) echo oops_warn ;;
	hung_task | soft_lockup) echo oops_lockup ;;
	by_hand) echo user_mark ;;
	oops | divide) echo oops_die ;;
	esac
}

# x86 says which exception it was.
trap_here() {
	case $(uname -m) in
	x86_64) echo "$1" ;;
	*) echo '[0-9]+' ;;
	esac
}

# How the trace says that it was this one.
looks() {
	case $1 in
	hung_task) echo 'oops_lockup +thread=.* kind=task$' ;;
	soft_lockup) echo 'oops_lockup +thread=.* kind=soft$' ;;
	oops) echo "oops_die +trap=$(trap_here '#PF') " ;;
	divide) echo "oops_die +trap=$(trap_here '#DE') " ;;
	*) event "$1" ;;
	esac
}

state() { lkst status | sed -n 's/^state *//p'; }

# Newest first, "lkstbuf print" shows what came after the event, the event, and what led to it.
after() { sed "/ $(event "$1") /q" got | sed '$d' | grep -v '^#'; }
led() { sed "1,/ $(event "$1") /d" got; }

# stop_after, by TROUBLE
stops() {
	lkstm config -n armed "$(event "$1")" stop_after
	is "stop_after, $1: armed, LKST runs" "$(state)" running
	$1
	cat /proc/self/status /proc/self/status >/dev/null
	is "stop_after, $1: it stops" "$(state)" stopped
	lkstbuf print --own >got
	contains "stop_after, $1: the event is there" "$(cat got)" " $(looks "$1")"
	num=$(after "$1" | grep -cvE ' lkst_(sync_time|buff_ovflow|buff_shift|trc_stop) ')
	# Until the event has begun to count, the other CPU goes on recording, and what interrupts.
	ok "stop_after, $1: $num of 100 events come after it" test "$num" -ge 100 -a "$num" -le 300
	ok "stop_after, $1: what led to it is there" test "$(led "$1" | wc -l)" -gt 1000
	lkst start --no-state-dump
	is "stop_after, $1: it starts again" "$(state)" running
}

written() { lkstbuf list --json | "$here/json" "$1.write_buf"; }

# The other CPU goes there when it takes an interrupt.
both_write() {
	for _ in $(seq 1000); do
		[ "$(written 0) $(written 1)" != "$1 $1" ] || return 0
		sleep 0.1
	done
	lkstbuf list
	return 1
}

# buffer_jump, by TROUBLE
jumps() {
	lkstm config -n armed "$(event "$1")" buffer_jump
	$1
	ok "buffer_jump, $1: both CPUs go to the other buffer" both_write 9
	lkstm config -n armed "$(event "$1")" entry_log
	number=$((number + 1))
	mark="user_mark +arg1=$(printf 0x%x $number) "
	lkstlogger -ev user_mark -a1 $number
	contains "buffer_jump, $1: recording goes on" "$(lkstbuf print -e user_mark -n 1)" "$mark"
	lkstbuf read -b 0 -f kept >/dev/null
	lkstbuf print -f kept >got
	contains "buffer_jump, $1: what is kept has the event" "$(cat got)" " $(looks "$1")"
	ok "buffer_jump, $1: and what led to it" test "$(led "$1" | wc -l)" -gt 1000
	is "buffer_jump, $1: and not what came later" "$(grep -cE "$mark" got)" 0
	lkstbuf jump -b 0 >/dev/null
}

lksteh control -e stop_after -v 100 >/dev/null
for cpu in 0 1; do lkstbuf create -s 2M -b 9 -c $cpu >/dev/null; done
lksteh control -e buffer_jump -v 9 >/dev/null
number=100
for trouble in warning hung_task soft_lockup by_hand; do
	stops $trouble
	jumps $trouble
done
lkstm config -n armed oops_warn stop_after
for round in 1 2; do
	warning
	cat /proc/self/status /proc/self/status >/dev/null
	is "start arms stop_after again ($round)" "$(state)" stopped
	lkst start --no-state-dump
done
# After an oops the kernel looks for tasks that hang no more.
stops oops
jumps divide
lksteh control -e buffer_jump -v none >/dev/null
lkstm set -n default
done_testing
