#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Boot parameters that make no sense are reported, in the kernel's messages and in the static
# buffer, and LKST starts with its defaults.
# kernel: base
# append: lkst.buffer_size=huge lkst.maskset=nosuch lkst.memory=150% lkst.dump=513 lkst.dump_events=lock,nosuch lkst.reserved=16M@0x7f00000000

. "$(dirname "$0")/../tap.sh"

messages=$(dmesg)
contains "the size is named" "$messages" 'lkst: lkst.buffer_size=huge: want a size from 4K to 1024M; using 1024K'
contains "the bound is named" "$messages" 'lkst: lkst.memory=150%: want a size, or 1% to 100% of the memory; using 25%'
contains "the maskset is named" "$messages" 'lkst: lkst.maskset=nosuch: there is no such maskset'
contains "the number of events to be shown is named" "$messages" \
	'lkst: lkst.dump=513: want a number from 0 to 512; it stays 20'
contains "those events are named" "$messages" 'lkst: lkst.dump_events: no event or class is called "nosuch"; want '
contains "memory that is not there is named" "$messages" \
	'lkst: lkst.reserved=16M@0x7f00000000: there is no memory at this address; recording in ordinary memory'
is "and left to others" "$(grep -c LKST /proc/iomem)" 0
is "their defaults hold" "$(cat /sys/module/lkst/parameters/dump /sys/module/lkst/parameters/dump_events)" \
	'20
!oops_regs,!oops_stack,!oops_printk'
is "the buffers have the configured size" \
	"$(lkstbuf list | awk 'NR > 1 { print $3 }' | sort -u)" 1048576
contains "the default maskset is selected" "$(lkst status)" '^maskset +2 default'
errors=$(lkstbuf read -S | grep lkst_error)
is "six errors are in the static buffer" "$(printf '%s\n' "$errors" | grep -c lkst_error)" 6
done_testing
