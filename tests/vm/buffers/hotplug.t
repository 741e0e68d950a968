#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A CPU goes offline and online again: its buffer stays readable, and the CPU continues in it.
# kernel: base debug
# cpus: 2
# append: lkst.buffer_size=4M

. "$(dirname "$0")/../tap.sh"

cpu1=/sys/devices/system/cpu/cpu1/online
count() { lkstbuf read -c 1 | grep -vc '^#'; }
# newest: print the recid of CPU 1's newest record. If it has grown, the CPU has recorded. The
# number of records does not show this once the buffer is full.
newest() { lkstbuf print --own -c 1 -n 1 -V | sed -n 's/.* recid=\([0-9]*\) .*/\1/p'; }

ok "CPU 1 has records" test "$(count)" -gt 10
ok "the records have recids" test "$(newest)" -gt 10
echo 0 >$cpu1
contains "CPU 1 is offline" "$(lkst status)" '^ +1 +offline'
ok "the buffer of CPU 1 can be read" test "$(count)" -gt 10
offline=$(newest)
sleep 1
is "no record is added" "$(newest)" "$offline"
contains "the buffer of CPU 1 is listed" "$(lkstbuf list)" '^ +1 +0 '
echo 1 >$cpu1
taskset -c 1 true
ok "online again, the CPU records" test "$(newest)" -gt "$offline"
for _ in 1 2 3 4 5; do
	echo 0 >$cpu1
	echo 1 >$cpu1
done
is "CPU 1 still has one buffer" "$(lkstbuf list -c 1 | grep -c '^ *1 ')" 1
contains "every event found a buffer" "$(lkst status)" '^lost +0$'
done_testing
