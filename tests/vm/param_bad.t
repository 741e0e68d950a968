#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Boot parameters that make no sense are reported, in the kernel's messages and in the static
# buffer, and LKST starts with its defaults.
# kernel: base
# append: lkst.buffer_size=huge lkst.maskset=nosuch lkst.memory=150%

. "$(dirname "$0")/../tap.sh"

messages=$(dmesg)
contains "the size is named" "$messages" 'lkst: lkst.buffer_size=huge: want a size from 4K to 1024M; using 1024K'
contains "the bound is named" "$messages" 'lkst: lkst.memory=150%: want a size, or 1% to 100% of the memory; using 25%'
contains "the maskset is named" "$messages" 'lkst: lkst.maskset=nosuch: there is no such maskset'
is "the buffers have the configured size" \
	"$(lkstbuf list | awk 'NR > 1 { print $3 }' | sort -u)" 1048576
contains "the default maskset is selected" "$(lkst status)" '^maskset +2 default'
errors=$(lkstbuf read -S | grep lkst_error)
is "three errors are in the static buffer" "$(printf '%s\n' "$errors" | grep -c lkst_error)" 3
done_testing
