#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# If the boot parameter lkst.buffer_size is not a multiple of 4 KB, it is rounded down.
# kernel: base
# append: lkst.buffer_size=14K

. "$(dirname "$0")/../tap.sh"

# buffers COLUMN: print that column of the list of buffers, without the heading, and without the
# long rings that follow an empty line
buffers() { lkstbuf list | sed '/^$/,$d' | awk -v c="$1" 'NR > 1 { print $c }'; }

is "each CPU has a buffer of 12 KB" "$(buffers 3 | tr '\n' ' ')" "12288 12288 "
lkst stop
is "the buffer holds 192 records" "$(lkstbuf read -c 0 -f - | lkstbuf print -f - | grep -vc '^#')" 192
ok "the buffer wraps" test "$(lkstbuf list -v | grep -c -i overwritten)" -ge 1
lkst start
done_testing
