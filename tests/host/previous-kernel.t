#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# Memory set aside, through resets, kexecs and a panic of one VM: each boot finds what those before it have
# left, whole, and records where it destroys none of it.
# timeout: 400
# kernel: base

set -u
. "$(dirname "$0")/../tap.sh"
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. "$here/kernel.sh"
kernel_of base
share=$work/share
mkdir "$share"
${CC:-cc} -std=gnu11 -D_GNU_SOURCE -O2 -Wall -Wextra -Werror -static -I "$top/include/uapi" \
	-o "$share/previous" "$here/previous/previous.c" || bail_out 'previous.c does not compile'
cp "$here/previous/guest" "$share/"
touch "$share/ids"

# shellcheck disable=SC2016 # the $ is the kernel's
"$top/scripts/lkst-vm" --take-turns --timeout 1500 --kernel "$image" --share "$share" --reboots 9 --log "$work/log" \
	--append 'memmap=24M$0x10000000 lkst.reserved=24M@0x10000000 crashkernel=160M' -- /share/guest >"$work/out" 2>&1
status=$?
[ $status -eq 0 ] || diag "$(cat "$work/out")"
is 'all boots come to their end' $status 0

# said BOOT FILE: what the guest has put there
said() { cat "$share/$1.$2" 2>/dev/null; }
# listed BOOT...: their numbers and states; 2 is unread, 2r is read
listed() {
	local boot number
	for boot; do
		number=${boot%r}
		echo "$number $([ "$boot" = "$number" ] && echo unread || echo read)"
	done
}
# list_of BOOT FILE: the same, as "previous list" had it there
list_of() {
	said "$1" "$2" | sed -n '2,$s/ .* / /p' | while read -r id state; do
		echo "$(grep -n "^$id" "$share/ids" | cut -d : -f 1) $state"
	done
}
# whole NAME BOOT OF [CPU...]: BOOT finds all that OF has left; these CPUs had another buffer
whole() {
	local text name=$1 boot=$2 of=$3
	shift 3
	text=$(said "$boot" "look.$of")
	is "$name: the header of the part, twice" "$(grep -c '^kind 4 ' <<<"$text")" 2
	is "$name: the buffers of both CPUs, with headers before and behind" \
		"$(sed -n 's/^kind 1 \(copy . cpu .\) .*/\1/p' <<<"$text" | sort)" \
		"$(for copy in 0 1; do printf "copy $copy cpu %s\n" 0 1 "$@"; done)"
	is "$name: what it recorded last" "$(grep '^mark' <<<"$text")" "mark $((1000 + of))"
}

size=$((24 * 1024 * 1024 / 3))
is 'memory that nobody had: the first part' "$(said 1 before)" "parts 3 size $size own 0 boots 0"

is 'lkstbuf previous: none' "$(said 1 list)" 'Nothing is there of a boot before this one.'
is 'lkstbuf print --previous: none' "$(said 1 print)" 'lkstbuf: nothing is there of a boot before this one'

is 'after a reset: another part' "$(said 2 before | head -n 1)" "parts 3 size $size own 1 boots 1"
is 'and the boot before' "$(list_of 2 before)" "$(listed 1)"
whole 'after a reset' 2 1
contains 'the messages tell' "$(said 2 dmesg)" 'lkst: memory set aside: 24576 KB, 3 parts, this boot in part 1, unread previous boots: 1$'
is 'so does lkst status' "$(said 2 status | sed -n 's/^set aside  *//p')" \
	"$((3 * size)) bytes, 3 parts, this boot in part 1, 1 unread previous boot"
contains 'and /proc/iomem' "$(said 2 iomem)" '^ *10000000-117fffff : LKST'

is 'after a kexec: the boots before' "$(list_of 3 before)" "$(listed 1 2)"
contains 'the third part' "$(said 3 before)" 'own 2 boots 2'
whole 'after a kexec' 3 2
whole 'after a reset and a kexec' 3 1
contains 'what the requests refuse: all was tried' "$(said 3 errors)" '^1\.\.'
is 'what the requests refuse' "$(said 3 errors | grep -A 1 '^not ok')" ''

is 'no part is free: all stay' "$(list_of 4 before)" "$(listed 1 2 3)"
contains 'and none is for this boot' "$(said 4 before)" 'own -1 boots 3'
contains 'which is told' "$(said 4 dmesg)" 'lkst: all 3 parts of the memory set aside have boots that nobody has read; recording in ordinary memory$'
is 'also by lkst status' "$(said 4 status | sed -n 's/^set aside  *//p')" \
	"$((3 * size)) bytes, 3 parts, none of them for this boot, 3 unread previous boots"
is 'and as JSON' "$(said 4 json | python3 -c 'import json, sys; print(json.load(sys.stdin)["set_aside"])')" \
	"{'part_num': 3, 'part_size': $size, 'own': None, 'boot_num': 3, 'unread': 3}"
is 'it records nevertheless' "$(said 4 records)" yes
is 'what was read is marked' "$(list_of 4 after)" "$(listed 1r 2 3)"
whole 'and is still there' 4 1
contains 'another id: none is meant' "$(said 4 zz)" 'no previous boot "zz" is there: "lkstbuf previous" shows which are'

is 'the next boot takes it' "$(said 5 before | head -n 1)" "parts 3 size $size own 0 boots 2"
is 'and no other' "$(list_of 5 before)" "$(listed 2 3)"
contains 'parts stay as long as one is unread' "$(said 5 dmesg)" \
	"lkst: the memory set aside stays divided into 3 parts of $((size / 1024)) KB until all boots there are read$"
whole 'the others are left alone' 5 3

contains 'lkst.overwrite: the oldest goes' "$(said 6 before)" 'own 1 boots 2'
is 'lkst.overwrite: and only that' "$(list_of 6 before)" "$(listed 3 5)"
whole 'lkst.overwrite' 6 5
is 'a part that is full is told once' "$(said 6 full | grep -c 'part of the memory set aside is full')" 1
is 'and what more is wanted is in ordinary memory' "$(said 6 create)" \
	"$(printf 'CPU 1: buffer %d created, 3145728 bytes\n' 1 2 3)"

contains 'a capture kernel takes no part' "$(said 7 before)" 'own -1 boots 3'
is 'a capture kernel has them all' "$(list_of 7 before)" "$(listed 3 5 6)"
contains 'a capture kernel says so' "$(said 7 dmesg)" 'lkst: recording in ordinary memory: this kernel saves a dump$'
whole 'after a panic, with a buffer that was made' 7 6 1

contains 'a capture kernel that does not know the parts says so' "$(said 9 dmesg)" \
	'parts that do not fit hold unread boots; want them, or lkst.overwrite; recording in ordinary memory$'
is 'and gives none up, whatever it is told' "$(list_of 10 before)" "$(listed 3 5 6)"
whole 'after that' 10 6 1
done_testing
