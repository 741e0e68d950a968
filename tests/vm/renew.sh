# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0
# For tests/vm/renew_*.t: CPUs that need another buffer, as the kernel stops trusting the TSC.

# shellcheck source=../tap.sh
. "$(dirname "$0")/../tap.sh"

# A maskset of marks only: other events would soon overwrite a mark in a new buffer, which may have 64 records. It is
# made here, while there is memory for it.
lkstm copy -n default marks >/dev/null
lkstm config -n marks all off
lkstm config -n marks user_mark on

# The buffer that CPU $1 writes: its id, and its clock.
written() { lkstbuf list -c "$1" --json | awk '/"id"/ { id = $2 } /"state": "writing"/ { got = 1 } /"clock"/ && got { print id, $2; exit }' | tr -d '",'; }
wait_for() {
	for _ in $(seq 1000); do
		! "$@" || return 0
		sleep 0.1
	done
	return 1
}
is_written() { [ "$(written "$1")" = "$2" ]; }

# distrust: the TSC. Setting the clock has LKST look at its own.
distrust() {
	insmod modules/unstable.ko
	date -s "@$(date +%s)" >/dev/null
}

# lost_until COMMAND...: CPU 1 records nowhere, until COMMAND lets there be memory
lost_until() {
	ok 'CPU 1 records nowhere' wait_for is_written 1 ''
	contains 'the kernel log says so' "$(dmesg)" 'lkst: no memory for a buffer of CPU 1: its events are lost until it gets one'
	lacks 'of that CPU only' "$(dmesg)" 'lkst: no memory for a buffer of CPU 0'
	taskset 2 true
	"$@"
	ok 'with memory, it soon records again, and nobody has to ask for it' wait_for is_written 1 '1 ns'
	lkstm set -n marks
	taskset 2 lkstlogger -ev user_mark -a1 0x78
	contains 'what happens there' "$(lkstbuf print -c 1 -n 1 -e user_mark)" 'user_mark +arg1=0x78 '
	ok 'its events in between are lost' test "$(lkst status | sed -n 's/^lost *//p')" -gt 0
}
