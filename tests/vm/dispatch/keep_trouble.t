#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The handlers stop_after and buffer_jump preserve the records from before a warning, a hung task, a
# CPU that locks up, an oops, and an event that a user records. stop_after stops LKST soon after the
# event, and "lkst start" arms it again. buffer_jump preserves the previous buffer while recording
# continues. No other test runs in the same boot, since the kernel is damaged afterwards.
# kernel: base
# kernel-all: base debug
# append: lkst.buffer_size=2M
# timeout: 300
# log-allow: WARNING: .* warn\+.*\[provoke\]|NULL pointer dereference, address: 0000000000000018$|Oops: 0002 \[#1\]|Internal error: Oops|Call [Tt]race:$|INFO: task keep_trouble.t:|soft lockup - CPU#[0-9]+ .*\[keep_trouble.t:|rcu: INFO: rcu_\w+ .*detected stall|divide error: 0000 \[#2\]|INFO: lockdep is turned off

# shellcheck source=../commands/rows.sh disable=SC2317
. "$(dirname "$0")/rows.sh"
# shellcheck source=why/why_agrees.sh
. "$here/why_agrees.sh"
insmod "$modules/provoke.ko" || exit
lkstm read -n default -d | lkstm write -n armed >/dev/null
lkstm set -n armed

# provoke WHAT: make the module tests/modules/provoke.c do WHAT once
provoke() { echo "$1 1" 2>/dev/null >/proc/lkst_provoke; }

has_logged() { dmesg | grep -q "$1"; }

# hangs WHAT MESSAGE: make the module hang until the kernel prints MESSAGE
hangs() {
	dmesg -c >/dev/null
	provoke "$1" &
	wait_for has_logged "$2"
	provoke release
	wait $!
}

# One function for each kind of TROUBLE. The function causes the event that know() sets for the
# kind.
warning() { provoke warn; }
hung_task() {
	echo 1 >/proc/sys/kernel/hung_task_timeout_secs
	hangs hang 'blocked for more than'
	echo 120 >/proc/sys/kernel/hung_task_timeout_secs
}
# The kernel reports a soft lockup after twice the threshold. This time must be longer than any
# pause of an emulated CPU, because a pause looks like a lockup of the thread that the CPU runs.
soft_lockup() {
	thresh=$(cat /proc/sys/kernel/watchdog_thresh)
	echo 5 >/proc/sys/kernel/watchdog_thresh
	hangs soft-lockup 'soft lockup'
	echo "$thresh" >/proc/sys/kernel/watchdog_thresh
}
by_hand() { lkstlogger -ev user_mark; }
oops() { (provoke oops); }
divide() { (provoke divide); }

# know TROUBLE: set $event to the name of the event that TROUBLE causes, and $looks to a pattern for
# the line that lkstbuf prints for the event. Only x86 has names for traps.
know() {
	fault='[0-9]+' zero='[0-9]+'
	[ "$(uname -m)" != x86_64 ] || fault='#PF' zero='#DE'
	case $1 in
	warning) event=oops_warn looks=$event ;;
	hung_task) event=oops_lockup looks='oops_lockup +thread=.* kind=task$' ;;
	soft_lockup) event=oops_lockup looks='oops_lockup +thread=.* kind=soft$' ;;
	by_hand) event=user_mark looks=$event ;;
	oops) event=oops_die looks="oops_die +trap=$fault " ;;
	divide) event=oops_die looks="oops_die +trap=$zero " ;;
	esac
}

# These functions read the file "got", in which the newest event comes first.
# after: print the events that followed $event
# led: print the events that preceded $event
after() { sed "/ $event /q" got | sed '$d' | grep -v '^#'; }
led() { sed "1,/ $event /d" got; }

# stops TROUBLE: test that the handler stop_after stops LKST
stops() {
	know "$1"
	lkstm config -n armed "$event" stop_after
	is "stop_after, $1: armed, LKST runs" "$(field state)" running
	$1
	cat /proc/self/status /proc/self/status >/dev/null
	is "stop_after, $1: LKST stops" "$(field state)" stopped
	lkstbuf print --own >got
	contains "stop_after, $1: the event is recorded" "$(cat got)" " $looks"
	num=$(after | grep -cvE ' lkst_(sync_time|buff_ovflow|buff_shift|trc_stop) ')
	# The other CPU and interrupts may record more events until the countdown has begun.
	ok "stop_after, $1: $num of 100 events follow it" test "$num" -ge 100 -a "$num" -le 300
	ok "stop_after, $1: the events before it are kept" test "$(led | wc -l)" -gt 1000
	lkst start --no-state-dump
	is "stop_after, $1: LKST starts again" "$(field state)" running
}

# both_write BUFFER: whether CPUs 0 and 1 record to BUFFER. The CPU on which the handler does not
# run switches when it takes an interrupt.
both_write() { lkstbuf list --json >buffers && [ "$(json 0.write_buf <buffers) $(json 1.write_buf <buffers)" = "$1 $1" ]; }

# jumps TROUBLE: test that the handler buffer_jump makes both CPUs switch buffers
jumps() {
	know "$1"
	lkstm config -n armed "$event" buffer_jump
	$1
	ok "buffer_jump, $1: both CPUs switch buffers" wait_for both_write 9
	lkstm config -n armed "$event" entry_log
	number=$((number + 1))
	mark="user_mark +arg1=$(printf 0x%x $number) "
	lkstlogger -ev user_mark -a1 $number
	contains "buffer_jump, $1: recording continues" "$(lkstbuf print -e user_mark -n 1)" "$mark"
	lkstbuf read -b 0 -f kept >/dev/null
	lkstbuf print -f kept >got
	why_agrees_if_any kept
	contains "buffer_jump, $1: the previous buffer has the event" "$(cat got)" " $looks"
	ok "buffer_jump, $1: the previous buffer has the events before it" test "$(led | wc -l)" -gt 1000
	is "buffer_jump, $1: the previous buffer has no later mark" "$(grep -cE "$mark" got)" 0
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
	is "start arms stop_after again ($round)" "$(field state)" stopped
	lkst start --no-state-dump
done
# After an oops, the kernel no longer looks for hung tasks, so the oops comes last.
stops oops
jumps divide
lksteh control -e buffer_jump -v none >/dev/null
lkstm set -n default
done_testing
