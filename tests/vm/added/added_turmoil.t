#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Events are added, recorded and removed while they occur on all CPUs, the maskset "all" records
# everything, and their module is loaded and unloaded. Emulated CPUs run in parallel.
# arch: x86_64
# take-turns: no
# kernel: base
# kernel-all: base debug
# append: lkst.buffer_size=4M
# suite: all
# timeout: 900

# shellcheck disable=SC2016 # the dollars are part of definitions
# shellcheck source=../commands/rows.sh
. "$(dirname "$0")/rows.sh"

trap 'kill $load $more 2>/dev/null; wait; lkstm set -m "$selected"; rmmod probed 2>/dev/null; true' EXIT
selected=$(field maskset | cut -d ' ' -f 1)
insmod "$modules/probed.ko" || bail_out 'insmod probed'

while :; do cat /proc/self/status; done >/dev/null &
load=$!
while :; do echo 20 >/sys/module/probed/parameters/call; done 2>/dev/null &
more=$!
lkstm set -n all
for i in $(seq 12); do
	added_control 'p:reads vfs_read count=$arg3:u64 c=$comm' 'r:results vfs_read $retval:s64' \
		't:switches sched_switch next=$arg3' 't:enters sys_enter id=$arg2:s64' \
		'p:text probed_pointers s=+0(+16($arg1)):string s2=+0(+24($arg1)):string' \
		't:sizes probed_sizes a=$arg1:u8 s=+0($arg5):string' 'r:back probed_numbers $retval:s32' >/dev/null || echo "added: $i"
	[ $((i % 4)) -ne 0 ] || rmmod probed 2>/dev/null
	lkstm set -n nothing
	added_control -:reads -:results -:switches -:enters -:text -:sizes -:back >/dev/null || echo "removed: $i"
	lkstm set -n all
	[ -e /sys/module/probed ] || insmod "$modules/probed.ko"
done >failed 2>&1
is 'events are added and removed while they occur' "$(cat failed)" ''
is 'none is left' "$(added_control --list)" ''
kill $load $more
wait
added_control 't:sizes probed_sizes a=$arg1:u8 s=+0($arg5):string' 'r:back probed_numbers $retval:s32' >/dev/null
echo 30 >/sys/module/probed/parameters/call
lkstm set -n nothing
for event in tracepoints:sizes kprobes:back; do
	is "$event: no event is lost" "$(lkstbuf print --own -r -e "$event" | tail -n 30 | grep -c "$event")" 30
done
added_control -:sizes -:back >/dev/null
lacks 'the kernel reports no trouble' "$(dmesg)" 'WARNING:|BUG:|Oops'
done_testing
