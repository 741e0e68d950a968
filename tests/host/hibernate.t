#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# A boot that records in memory set aside hibernates, once in a way that the memory survives and once with the power
# off. Each time it is restored by another boot, which takes a part of the same memory. When it dies later, its log is
# what the next boot finds. Of the kernels here only Debian's can hibernate.
# timeout: 900
# kernel: base
# form: stock

set -u
. "$(dirname "$0")/../tap.sh"
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. "$(dirname "$0")/kernel.sh"
kernel_of base
share=$work/share lkstbuf=$top/tools/lkst/lkstbuf
mkdir "$share"
cp "$(dirname "$0")/hibernate/guest" "$(dirname "$0")/steps_back" "$top/tests/vm/form.sh" "$share/"
share_lkst "$share"
truncate -s 1G "$work/disk"

# vm NAME STATUS: two boots. What they tell is in $work/told
vm() {
	local status=0
	# shellcheck disable=SC2016 # the $ is the kernel's
	run_vm --take-turns --timeout 400 --mem "$(mem 448)" --kernel "$image" --share "$share" --disk "$work/disk" --reboots 1 \
		--append 'memmap=48M$0x10000000 lkst.reserved=48M@0x10000000 lkst.buffer_size=2M no_console_suspend' \
		--log "$work/$1.log" -- /share/guest >"$work/$1.out" 2>&1 || status=$?
	is "the $1 machine comes to its end" $status "$2" || diag "$(cat "$work/$1.out")"
	tr -d '\r' <"$work/$1.log" | sed -n 's/^.*hibernate-test: //p' >>"$work/told"
}
told() { sed -n "s/^$1: //p" "$work/told"; }

vm first 123
vm second 0

is 'restored, and the memory has survived: the log is there' "$(told 'marks after reboot')" '0x100 0x200 '
contains 'the boot that has restored it waits for no reader' "$(told 'set aside after reboot')" 'this boot in part 0, 0 unread previous boots$'
is 'restored after the power was off: the log is there' "$(told 'marks after shutdown')" '0x100 0x200 0x300 '
contains 'also then nothing waits for a reader' "$(told 'set aside after shutdown')" 'this boot in part 0, 0 unread previous boots$'
is 'and no other boot is there' "$(told previous)" 'Nothing is there of a boot before this one.'

is 'the next boot finds one that nobody has read' "$(grep -c 'unread' "$share/list")" 1
is 'which has all that was recorded' "$("$lkstbuf" print -r -f "$share/of-first" -e user_mark 2>"$work/errors" |
	sed -n 's/.* arg1=\(0x[0-9a-f]*\).*/\1/p' | tr '\n' ' ')" '0x100 0x200 0x300 '
is 'in the order of time' "$("$lkstbuf" print -r -C -S -f "$share/of-first" 2>/dev/null | sh "$share/steps_back")" ''
is 'without a complaint' "$(grep -vE 'carry no checksum$' "$work/errors")" ''
for log in "$work"/*.log; do
	lacks "the kernel complains of nothing: $(basename "$log" .log)" "$(cat "$log")" 'WARNING:|BUG:|Oops|lkst: no memory|set aside is full'
done
done_testing
