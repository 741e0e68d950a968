#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# A boot that records in reserved memory hibernates twice: with a reboot, which the memory survives,
# and with the power off. Each time, another boot restores the first one. This other boot also takes
# a slot of the reserved memory. When the first boot dies later, the next boot finds the log of the
# first one. Among the kernels of the tests, only Debian's can hibernate.
# timeout: 900
# kernel: base
# form: stock

. "$(dirname "$0")/host.sh"
. "$(dirname "$0")/kernel.sh"
kernel_of base
make_share "$top"/tests/host/{hibernate/guest,steps_back}
lkstbuf=$top/build/bin/lkstbuf
truncate -s 1G "$work/disk"

# vm NAME STATUS: run two boots of a VM, and append their results to $work/output. lkst-vm must exit
# with STATUS.
vm() {
	local status=0
	# shellcheck disable=SC2016 # the $ is part of the parameter memmap
	run_vm --take-turns --timeout 400 --mem "$(mem 448)" --kernel "$image" --share "$share" --disk "$work/disk" --reboots 1 \
		--append 'memmap=48M$0x10000000 lkst.reserved=48M@0x10000000 lkst.buffer_size=2M no_console_suspend' \
		--log "$work/$1.log" -- /share/guest >"$work/$1.out" 2>&1 || status=$?
	is "the $1 machine ends as expected" $status "$2" || diag "$(cat "$work/$1.out")"
	tr -d '\r' <"$work/$1.log" | sed -n 's/^.*hibernate-test: //p' >>"$work/output"
}
reported() { sed -n "s/^$1: //p" "$work/output"; }

vm first 123
vm second 0

is 'restored after a reboot: the log has all marks' "$(reported 'marks after reboot')" '0x100 0x200 '
contains 'restored after a reboot: the restoring boot is not listed as unread' "$(reported 'reserved after reboot')" 'this boot in slot 0, 0 unread previous boots$'
is 'restored after a shutdown: the log has all marks' "$(reported 'marks after shutdown')" '0x100 0x200 0x300 '
contains 'restored after a shutdown: the restoring boot is not listed as unread' "$(reported 'reserved after shutdown')" 'this boot in slot 0, 0 unread previous boots$'
is 'restored after a shutdown: no previous boot is listed' "$(reported previous)" 'There is no previous boot.'

is 'the next boot finds one unread boot' "$(grep -c 'unread' "$share/list")" 1
is 'the unread boot has all marks' "$("$lkstbuf" print -r -f "$share/of-first" -e user_mark 2>"$work/errors" |
	sed -n 's/.* arg1=\(0x[0-9a-f]*\).*/\1/p' | tr '\n' ' ')" '0x100 0x200 0x300 '
why_agrees 'the unread boot' "$share/of-first"
is 'the events of the unread boot are in the order of time' "$("$lkstbuf" print -r -C -S -f "$share/of-first" 2>/dev/null | sh "$share/steps_back")" ''
is 'the unread boot is printed without error messages' "$(grep -vE 'carry no checksum$' "$work/errors")" ''
for log in "$work"/*.log; do
	lacks "the kernel log has no errors or warnings: $(basename "$log" .log)" "$(cat "$log")" 'WARNING:|BUG:|Oops|lkst: no memory|reserved memory is full'
done
done_testing
