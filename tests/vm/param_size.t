#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The boot parameter lkst.buffer_size: what is no multiple of 4 KB is rounded down.
# kernel: base
# append: lkst.buffer_size=14K

. "$(dirname "$0")/../tap.sh"

# buffers COLUMN: of lkstbuf list, without its headline.
buffers() { lkstbuf list | awk -v c="$1" 'NR > 1 { print $c }'; }

is "each CPU has a buffer of 12 KB" "$(buffers 3 | tr '\n' ' ')" "12288 12288 "
lkst stop
is "which holds 192 records" "$(lkstbuf read -c 0 -f - | lkstbuf print -f - | grep -vc '^#')" 192
ok "and wraps" test "$(lkstbuf list -v | grep -c -i overwritten)" -ge 1
lkst start
done_testing
