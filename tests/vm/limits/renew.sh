# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0
# Functions that renew_*.t share. In these tests the kernel stops trusting the TSC, so each CPU
# needs a new buffer, which uses another clock.

# shellcheck source=../tap.sh
. "$(dirname "$0")/../tap.sh"
# shellcheck source=../form.sh
. ./form.sh

# Create a maskset that records only marks, while there is still memory for a maskset. Other events
# would soon overwrite a mark in a new buffer, which may hold only 64 records.
lkstm copy -n default marks >/dev/null
lkstm config -n marks all off
lkstm config -n marks user_mark on

# written CPU: print the id and the clock of the CPU's current buffer
written() { lkstbuf list -c "$1" --json | awk '/"id"/ { id = $2 } /"state": "writing"/ { got = 1 } /"clock"/ && got { print id, $2; exit }' | tr -d '",'; }
is_written() { [ "$(written "$1")" = "$2" ]; }

# distrust: make the kernel distrust the TSC, and set the clock, which makes LKST check whether the
# kernel trusts the TSC
distrust() {
	insmod modules/unstable.ko
	date -s "@$(date +%s)" >/dev/null
}

has_logged() { dmesg | grep -q "$1"; }

# lost_until COMMAND...: test that CPU 1 cannot record until COMMAND makes memory available
lost_until() {
	ok 'CPU 1 has no buffer' wait_for is_written 1 ''
	# CPU 1 logs this message after it has stopped recording to its old buffer.
	ok 'the kernel log says so' wait_for has_logged 'lkst: no memory for a buffer of CPU 1: its events are lost until it gets one'
	lacks 'the kernel log names no other CPU' "$(dmesg)" 'lkst: no memory for a buffer of CPU 0'
	taskset 2 true
	"$@"
	ok 'CPU 1 gets a buffer by itself when there is memory' wait_for is_written 1 '1 ns'
	lkstm set -n marks
	taskset 2 lkstlogger -ev user_mark -a1 0x78
	contains 'events of CPU 1 are recorded' "$(lkstbuf print -c 1 -n 1 -e user_mark)" 'user_mark +arg1=0x78 '
	ok 'earlier events are lost' test "$(lkst status | sed -n 's/^lost *//p')" -gt 0
}
