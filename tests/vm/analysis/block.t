#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# lkstla block agrees with /proc/diskstats in requests and sectors, for a loop device that only this
# test uses, and with iostat in kilobytes.
# kernel: base
# programs: iostat
# append: lkst.buffer_size=16M
# timeout: 300

. "$(dirname "$0")/measure.sh"

# stat_of COLUMN FILE: print a number of the device in a copy of /proc/diskstats
stat_of() { awk -v name="$device" -v column="$1" '$3 == name { print $column }' "$2"; }
# grown COLUMN: print by how much a number has grown from the file "before" to the file "after"
grown() { echo $(($(stat_of "$1" after) - $(stat_of "$1" before))); }
# iostat_of COLUMN FILE: print a number of the device in the output of iostat
iostat_of() { awk -v name="$device" -v column="$1" '$1 == name { print $column }' "$2"; }
# value OPERATION COLUMN: print a column of lkstla block
value() { awk -F , -v name="$device" -v op="$1" -v column="$2" '$1 == name && $2 == op { print $column }' rows; }

truncate -s 16M disk
loop=$(losetup -f)
device=${loop#/dev/}
ok 'a loop device' losetup "$loop" disk
record block_issue,block_complete,process_state
# The kernel reads the device when it appears, and counts a request only after it has woken up the
# program that waits for it. Wait until these reads and their counting are over.
settle cat /proc/diskstats
cat /proc/diskstats >before
if brought iostat iostat; then
	iostat -d -k "$device" >iostat_before
fi
mark 1
ok 'direct reads' dd if="$loop" of=/dev/null bs=4k count=200 iflag=direct
ok 'direct writes' dd if=/dev/zero of="$loop" bs=64k count=30 oflag=direct conv=notrunc
settle cat /proc/diskstats
mark 2
cat /proc/diskstats >after
[ ! -f iostat_before ] || iostat -d -k "$device" >iostat_after
lkst stop
read_trace
between 1 2 block >csv
contains 'nothing was lost' "$(cat header)" 'nothing lost'
rows_of device,operation,requests csv >rows
cat rows

is 'reads' "$(value READ 3)" "$(grown 4)"
is 'sectors read' $(($(value READ 4) / 512)) "$(grown 6)"
is 'writes' "$(value WRITE 3)" "$(grown 8)"
is 'sectors written' $(($(value WRITE 4) / 512)) "$(grown 10)"
# Compare only kB_read and kB_wrtn, which iostat counts since boot. It prints requests only as
# rates.
if [ -f iostat_before ]; then
	cat iostat_after
	is 'iostat: kB read' $(($(value READ 4) / 1024)) \
		$(($(iostat_of 6 iostat_after) - $(iostat_of 6 iostat_before)))
	is 'iostat: kB written' $(($(value WRITE 4) / 1024)) \
		$(($(iostat_of 7 iostat_after) - $(iostat_of 7 iostat_before)))
fi
ok 'there were at least 200 reads' test "$(value READ 3)" -ge 200
ok 'there were at least 30 writes' test "$(value WRITE 3)" -ge 30
for op in READ WRITE; do
	is "$op: errors and cut" "$(value $op 6),$(value $op 7)" 0,0
	ok "$op: at least one in progress" test "$(value $op 8)" -ge 1
	ok "$op: the percentiles rise" test "$(value $op 9)" -le "$(value $op 10)" -a \
		"$(value $op 10)" -le "$(value $op 11)"
	ok "$op: the sector of the longest request is on the device" \
		test "$(value $op 13)" -lt $((16 * 2048))
	ok "$op: the longest request took time" test "$(value $op 11)" -gt 0
done
is 'no request is left' "$(rows_of device,operation,sector csv | grep -c "^$device,")" 0

# Find the longest read in the events. The reads of dd do not overlap, because dd waits for each of
# them. But the kernel's own reads of the new device may still be in progress after the first mark.
longest=$(lkstbuf print -f trace --time raw -r -e block_issue,block_complete \
	--since "$(mark_time 1)" --until "$(mark_time 2)" | awk -v device="device=$device" '
		!index($0, device " ") || !/operation=READ/ { next }
		/ block_issue / { issued = substr($1, 6) }
		/ block_complete / && issued && substr($1, 6) - issued > most { most = substr($1, 6) - issued }
		END { printf "%.0f\n", most }')
if [ "$(value READ 8)" = 1 ]; then
	is 'the longest read' "$(value READ 11)" "$longest"
else
	skip 'the longest read' 'reads were in progress at once'
fi

losetup -d "$loop"
lkst start
done_testing
