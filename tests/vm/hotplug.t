#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A CPU goes offline and comes back: its buffer stays readable, and it goes on in it.
# kernel: base debug
# cpus: 2
# append: lkst.buffer_size=4M

. "$(dirname "$0")/../tap.sh"

cpu1=/sys/devices/system/cpu/cpu1/online
count() { lkstbuf read -c 1 | grep -vc '^#'; }
# The newest record tells whether there are more than before: in a full buffer there are as many. Its
# recid: its time becomes more exact by a few ns when the clocks are compared again.
newest() { lkstbuf print --own -c 1 -n 1 -V | sed -n 's/.* recid=\([0-9]*\) .*/\1/p'; }

ok "CPU 1 has records" test "$(count)" -gt 10
ok "with recids" test "$(newest)" -gt 10
echo 0 >$cpu1
contains "it is offline" "$(lkst status)" '^ +1 +offline'
ok "its buffer can be read" test "$(count)" -gt 10
offline=$(newest)
sleep 1
is "and gets no more records" "$(newest)" "$offline"
contains "it is listed" "$(lkstbuf list)" '^ +1 +0 '
echo 1 >$cpu1
taskset -c 1 true
ok "back online, it goes on" test "$(newest)" -gt "$offline"
for _ in 1 2 3 4 5; do
	echo 0 >$cpu1
	echo 1 >$cpu1
done
is "it still has one buffer" "$(lkstbuf list -c 1 | grep -c '^ *1 ')" 1
contains "no event found no buffer" "$(lkst status)" '^lost +0$'
done_testing
