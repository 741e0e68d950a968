#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# Reserved memory survives resets, kexecs and a panic of a VM. Each boot finds all events that the
# previous boots left behind, and records in a slot where it destroys none of them.
# timeout: 400
# kernel: base

. "$(dirname "$0")/host.sh"
. "$(dirname "$0")/kernel.sh"
kernel_of base
make_share "$top/tests/host/previous/guest"
compile "$share/previous" "$top/tests/host/previous/previous.c" "$top/tools/lkst/lib/base/crc32c.c" \
	-I"$top/include/uapi" -iquote "$top/tools/lkst" -Wno-missing-field-initializers
touch "$share/ids"

# shellcheck disable=SC2016 # the $ is part of the parameter memmap
"$top/scripts/lkst-vm" --take-turns --timeout 1500 --kernel "$image" --share "$share" --reboots 9 --log "$work/log" \
	--append 'memmap=24M$0x10000000 lkst.reserved=24M@0x10000000 crashkernel=160M' -- /share/guest >"$work/out" 2>&1
status=$?
[ $status -eq 0 ] || diag "$(cat "$work/out")"
is 'all boots run to their end' $status 0

# result_of BOOT FILE: print a file that this boot of the guest has written
result_of() { cat "$share/$1.$2" 2>/dev/null; }
# listed BOOT...: print the numbers and states of boots. The argument 2 means that boot 2 is unread,
# and 2r that boot 2 has been read.
listed() {
	local boot number
	for boot; do
		number=${boot%r}
		echo "$number $([ "$boot" = "$number" ] && echo unread || echo read)"
	done
}
# list_of BOOT FILE: print numbers and states in the same form as listed() does, from FILE, the
# output of "previous list" in that boot
list_of() {
	result_of "$1" "$2" | sed -n '2,$s/ .* / /p' | while read -r id state; do
		echo "$(grep -n "^$id" "$share/ids" | cut -d : -f 1) $state"
	done
}
# whole NAME BOOT OF [CPU...]: test that boot BOOT finds everything that the earlier boot OF left
# behind. Each listed CPU had a second buffer in boot OF.
whole() {
	local text name=$1 boot=$2 of=$3
	shift 3
	text=$(result_of "$boot" "look.$of")
	is "$name: both headers of the slot are there" "$(grep -c '^kind 4 ' <<<"$text")" 2
	is "$name: the buffers of both CPUs have headers before and after them" \
		"$(sed -n 's/^kind 1 \(copy . cpu .\) .*/\1/p' <<<"$text" | sort)" \
		"$(for copy in 0 1; do printf "copy $copy cpu %s\n" 0 1 "$@"; done)"
	is "$name: the last mark is found" "$(grep '^mark' <<<"$text")" "mark $((1000 + of))"
}

size=$((24 * 1024 * 1024 / 3))
is 'fresh memory: this boot has the first slot' "$(result_of 1 before)" "parts 3 size $size own 0 boots 0"

is 'lkstbuf previous: no earlier boot' "$(result_of 1 list)" 'There is no previous boot.'
is 'lkstbuf print --previous: no earlier boot' "$(result_of 1 print)" 'lkstbuf: there is no previous boot'

is 'after a reset: this boot has another slot' "$(result_of 2 before | head -n 1)" "parts 3 size $size own 1 boots 1"
is 'after a reset: the previous boot is found' "$(list_of 2 before)" "$(listed 1)"
whole 'after a reset' 2 1
contains 'after a reset: the kernel log reports the previous boot' "$(result_of 2 dmesg)" 'lkst: reserved memory: 24576 KB, 3 slots, this boot in slot 1, unread previous boots: 1$'
is 'after a reset: lkst status reports the previous boot' "$(result_of 2 status | sed -n 's/^reserved  *//p')" \
	"$((3 * size)) bytes, 3 slots, this boot in slot 1, 1 unread previous boot"
contains 'reserved memory is in /proc/iomem' "$(result_of 2 iomem)" '^ *10000000-117fffff : LKST'

is 'after a kexec: both earlier boots are found' "$(list_of 3 before)" "$(listed 1 2)"
contains 'after a kexec: this boot has the third slot' "$(result_of 3 before)" 'own 2 boots 2'
whole 'after a kexec' 3 2
whole 'after a reset and a kexec' 3 1
contains 'errors: all requests were tried' "$(result_of 3 errors)" '^1\.\.'
is 'errors: all requests were refused as expected' "$(result_of 3 errors | grep -A 1 '^not ok')" ''

is 'no slot is free: all earlier boots stay' "$(list_of 4 before)" "$(listed 1 2 3)"
contains 'no slot is free: this boot has none' "$(result_of 4 before)" 'own -1 boots 3'
contains 'no slot is free: the kernel log reports it' "$(result_of 4 dmesg)" 'lkst: all 3 slots of the reserved memory hold unread boots; recording in ordinary memory$'
is 'no slot is free: lkst status reports it' "$(result_of 4 status | sed -n 's/^reserved  *//p')" \
	"$((3 * size)) bytes, 3 slots, none of them for this boot, 3 unread previous boots"
is 'no slot is free: lkst status --json reports it' "$(result_of 4 json | python3 -c 'import json, sys; print(json.load(sys.stdin)["set_aside"])')" \
	"{'part_num': 3, 'part_size': $size, 'own': None, 'boot_num': 3, 'unread': 3}"
is 'no slot is free: this boot records nevertheless' "$(result_of 4 records)" yes
is 'the boot that was read is marked as read' "$(list_of 4 after)" "$(listed 1r 2 3)"
whole 'its records are still there' 4 1
contains 'an unknown id is refused' "$(result_of 4 zz)" 'no previous boot "zz": "lkstbuf previous" lists them'

is 'the next boot takes the slot of the boot that was read' "$(result_of 5 before | head -n 1)" "parts 3 size $size own 0 boots 2"
is 'the unread boots are listed' "$(list_of 5 before)" "$(listed 2 3)"
contains 'slots keep their size while a boot in them is unread' "$(result_of 5 dmesg)" \
	"lkst: the reserved memory stays divided into 3 slots of $((size / 1024)) KB until all boots there are read$"
whole 'the unread boots have not changed' 5 3

contains 'lkst.overwrite: the oldest boot is overwritten' "$(result_of 6 before)" 'own 1 boots 2'
is 'lkst.overwrite: no other boot is overwritten' "$(list_of 6 before)" "$(listed 3 5)"
whole 'lkst.overwrite' 6 5
is 'a full slot is reported once' "$(result_of 6 full | grep -c 'slot of the reserved memory is full')" 1
is 'further buffers are in ordinary memory' "$(result_of 6 create)" \
	"$(printf 'CPU 1: buffer %d created, 3145728 bytes\n' 1 2 3)"

contains 'a capture kernel takes no slot' "$(result_of 7 before)" 'own -1 boots 3'
is 'a capture kernel finds all boots' "$(list_of 7 before)" "$(listed 3 5 6)"
contains 'a capture kernel says so in its log' "$(result_of 7 dmesg)" 'lkst: recording in ordinary memory: this kernel saves a dump$'
whole 'after a panic, with a buffer that was created' 7 6 1

contains 'slots that do not fit are reported in the kernel log' "$(result_of 9 dmesg)" \
	'unread boots are in slots that do not fit \(use the old size, or lkst.overwrite\); recording in ordinary memory$'
is 'slots that do not fit are not overwritten, even by a capture kernel with lkst.overwrite' "$(list_of 10 before)" "$(listed 3 5 6)"
whole 'afterwards the boot is still there' 10 6 1
done_testing
