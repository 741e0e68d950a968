#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Boot parameters that make no sense are reported, in the kernel's messages and in the static
# buffer, and LKST starts with its defaults.
# kernel: base
# append: lkst.buffer_size=huge lkst.maskset=nosuch

. "$(dirname "$0")/../tap.sh"

messages=$(dmesg)
contains "the size is named" "$messages" 'lkst: lkst.buffer_size=huge: want a size from 4K to 1024M; using 1024K'
contains "the maskset is named" "$messages" 'lkst: lkst.maskset=nosuch: there is no such maskset'
is "the buffers have the configured size" \
	"$(lkstbuf list | awk 'NR > 1 { print $3 }' | sort -u)" 1048576
contains "the default maskset is selected" "$(lkst status)" '^maskset +2 default'
errors=$(lkstbuf read -S | grep lkst_error)
is "two errors are in the static buffer" "$(printf '%s\n' "$errors" | grep -c lkst_error)" 2
done_testing
