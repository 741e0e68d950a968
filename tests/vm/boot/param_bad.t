#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# LKST reports invalid boot parameters in the kernel log and in the static buffer, and starts with
# the defaults.
# kernel: base
# append: lkst.buffer_size=huge lkst.maskset=nosuch lkst.memory=150% lkst.dump=513 lkst.dump_events=lock,nosuch lkst.reserved=16M@0x7f00000000 lkst.snapshots=1 lkst.user_events_dropped=1 lkst.history_size=1023K lkst.history_share=0

. "$(dirname "$0")/../tap.sh"

messages=$(dmesg)
contains "the kernel log names the bad buffer size" "$messages" 'lkst: lkst.buffer_size=huge: not a size from 4K to 1024M; using 1024K'
contains "the kernel log names the bad memory bound" "$messages" 'lkst: lkst.memory=150%: not a size, or 1% to 100% of the memory; using 25%'
contains "the kernel log names the bad maskset" "$messages" 'lkst: lkst.maskset=nosuch: unknown maskset'
contains "the kernel log names the bad number of events to show" "$messages" \
	'lkst: lkst.dump=513: not a number from 0 to 512; keeping 20'
contains "the kernel log names the bad events to show" "$messages" 'lkst: lkst.dump_events: "nosuch": unknown event \(a name of '
contains "the kernel log names the reserved memory that does not exist" "$messages" \
	'lkst: lkst.reserved=16M@0x7f00000000: there is no memory at this address; recording in ordinary memory'
contains "the kernel log names the bad size of the history" "$messages" \
	'lkst: lkst.history_size=1023K: neither 0 nor a size from 1M to 1024M; using 0K'
contains "the kernel log names the bad share" "$messages" 'lkst: lkst.history_share: not a percentage from 1 to 100; keeping 5'
for name in snapshots user_events_dropped; do
	contains "a parameter that can only be read: $name" "$messages" \
		"lkst: lkst.$name=1: this parameter can only be read; ignoring the value"
done
is "LKST does not use that memory" "$(grep -c LKST /proc/iomem)" 0
is "the defaults apply to the console dump" "$(cat /sys/module/lkst/parameters/dump /sys/module/lkst/parameters/dump_events)" \
	'20
!oops_regs,!oops_stack'
is "the buffers have the configured size" \
	"$(lkstbuf list | sed '/^$/,$d' | awk 'NR > 1 { print $3 }' | sort -u)" 1048576
contains "the default maskset is selected" "$(lkst status)" '^maskset +2 default'
errors=$(lkstbuf read -S | grep lkst_error)
is "the static buffer has eight errors" "$(printf '%s\n' "$errors" | grep -c lkst_error)" 8
done_testing
