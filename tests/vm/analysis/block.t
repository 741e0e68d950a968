#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# lkstla block agrees with /proc/diskstats in requests, sectors and time, for a loop device that only
# this test uses, and with iostat in kilobytes and in the time of a request.
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

# Requests that wait: each write of 1 MB is split into requests of 4 KB, which wait in the plug of dd
# and, if there is a scheduler, in the scheduler.
queue=/sys/block/$device/queue
scheduler=$(sed 's/.*\[\(.*\)\].*/\1/' "$queue/scheduler") sectors=$(cat "$queue/max_sectors_kb")
cat "$queue/scheduler"
! grep -q mq-deadline "$queue/scheduler" || echo mq-deadline >"$queue/scheduler"
echo 4 >"$queue/max_sectors_kb"
lkst start
settle cat /proc/diskstats
cat /proc/diskstats >before
[ ! -f iostat_before ] || iostat -d -x "$device" >iostat_before
mark 3
ok 'direct writes that wait' dd if=/dev/zero of="$loop" bs=1M count=4 oflag=direct conv=notrunc
ok 'direct reads that wait' dd if="$loop" of=/dev/null bs=1M count=4 iflag=direct
settle cat /proc/diskstats
mark 4
cat /proc/diskstats >after
[ ! -f iostat_after ] || iostat -d -x "$device" >iostat_after
lkst stop
read_trace
between 3 4 block >csv
contains 'waiting: nothing was lost' "$(cat header)" 'nothing lost'
rows_of device,operation,requests csv >rows
between 3 4 sql "SELECT operation, count(*), sum(queue_ns IS NULL), sum(queue_ns) / 1000,
	sum(duration_ns) / 1000, max(queue_ns) FROM block
	WHERE device = '$device' AND end_ns IS NOT NULL GROUP BY 1" >sums
cat rows sums
# sum_of OPERATION COLUMN: print a column of the query
sum_of() { awk -F , -v op="$1" -v column="$2" '$1 == op { print $column }' sums; }
# await_of r|w FILE: print the time of a request in the output of iostat, in microseconds
await_of() {
	awk -v name="$device" -v column="$1_await" '$1 ~ /^Device/ { for (i = 1; i <= NF; i++) n[$i] = i }
		$1 == name { printf "%.0f\n", $n[column] * 1000 }' "$2"
}

# The kernel counts the time of a request from its allocation until a moment after block_complete, and
# prints milliseconds. The clocks of the kernel and of LKST may differ slightly.
for op in READ WRITE; do
	case $op in READ) requests=4 ms=7 short=r ;; *) requests=8 ms=11 short=w ;; esac
	is "$op: requests that waited" "$(value $op 3)" "$(grown $requests)"
	is "$op: the time in the queue is always known" "$(sum_of $op 3)" 0
	ok "$op: 4 MB are at least 1024 requests" test "$(value $op 3)" -ge 1024
	ok "$op: the percentiles of the queue rise" test "$(value $op 15)" -le "$(value $op 16)" -a \
		"$(value $op 16)" -le "$(value $op 17)"
	is "$op: the longest time in the queue" "$(value $op 17)" "$(sum_of $op 6)"
	total=$(($(sum_of $op 4) + $(sum_of $op 5)))
	counted=$(($(grown $ms) * 1000))
	echo "# $op: queue and device $total us, /proc/diskstats $counted us"
	ok "$op: queue and device are at most 101 % of the time in /proc/diskstats" \
		test $((total * 100)) -le $(((counted + 2000) * 101))
	ok "$op: and at least 90 % of it" test $((total * 10)) -ge $(((counted - 2000) * 9))
	[ -f iostat_before ] || continue
	before=$(stat_of "$requests" before) after=$(stat_of "$requests" after)
	waited=$((($(await_of $short iostat_after) * after - $(await_of $short iostat_before) * before) /
		(after - before)))
	mean=$((total / (after - before)))
	echo "# $op: queue and device $mean us for each request, await of iostat $waited us"
	ok "$op: the await of iostat" test $((mean * 10)) -ge $(((waited - 20) * 9)) -a \
		$((mean * 100)) -le $(((waited + 20) * 101))
done

# If queue/iostats is 0, the kernel notes only for flushes when a request was allocated.
counting=$(cat "$queue/iostats")
echo 0 >"$queue/iostats"
lkst start
mark 5
ok 'direct reads that the kernel does not count' dd if="$loop" of=/dev/null bs=4k count=20 iflag=direct
ok 'a write and a flush that it does not count' \
	dd if=/dev/zero of="$loop" bs=4k count=1 oflag=direct conv=notrunc,fsync
mark 6
lkst stop
echo "$counting" >"$queue/iostats"
read_trace
between 5 6 block >csv
rows_of device,operation,requests csv >rows
cat rows
is 'not counted: reads' "$(value READ 3)" 20
is 'not counted: the times of reads in the queue are unknown' "$(value READ 15),$(value READ 17)" ,
is 'not counted: the time of the write, too' "$(value WRITE 15),$(value WRITE 17)" ,
ok 'not counted: the time of the flush is known' test "$(value FLUSH 17)" -gt 0

echo "$sectors" >"$queue/max_sectors_kb"
echo "$scheduler" >"$queue/scheduler"
losetup -d "$loop"
lkst start
done_testing
