#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# lkstla lock finds each of 30 waits for a lock that only this test uses, and agrees with the waiting
# threads on how long they waited. The threads measure the time of the calls that wait.
#
# The wait is a part of the call, so lkstla lock never shows a longer time than the thread. The rest
# of the call takes a few hundred instructions, and sometimes a timer interrupt. The clock of the VM
# counts instructions, one per ns, so allow a difference of 10 us for each wait. A wait is at least
# 20 ms long.
# timeout: 240
# kernel: base
# modules: yes

. "$(dirname "$0")/host.sh"
. "$(dirname "$0")/kernel.sh"
modules_of base
counting_share "$modules/contending.ko"
ok 'threads wait for a lock' run_counting_vm <<'END'
./fresh.sh
lkstm config lock_contention_begin,lock_contention_end on
insmod ./contending.ko
lkstbuf read -f trace
cd /sys/module/contending/parameters
cp lock write_ns read_ns /tmp/share/trace /share
END
cd "$share" || exit
ok 'lkstla lock' sh -c 'lkstla lock -f trace --csv >csv 2>header'
contains 'nothing was lost' "$(cat header)" 'nothing lost'
lock=$(printf '0x%x' "$(cat lock)")
grep "^$lock," csv

# column NUMBER KIND: print a column of the row of the lock (3: waits, 4: failed, 5: cut, 6:
# wait_ns)
column() {
	awk -F , -v lock="$lock" -v column="$1" -v kind="rwsem $2" \
		'$1 == lock && $2 == kind { print $column }' csv
}
while read -r kind waits; do
	is "$kind: waits" "$(column 3 "$kind")" "$waits"
	is "$kind: no wait failed" "$(column 4 "$kind")" 0
	is "$kind: no wait was cut" "$(column 5 "$kind")" 0
	lkstla=$(column 6 "$kind") calls=$(cat "${kind}_ns")
	ok "$kind: time, $lkstla ns, is at most that of the calls, $calls ns" test "$lkstla" -le "$calls"
	ok "$kind: time is at most 10 us per wait shorter" test "$lkstla" -ge $((calls - waits * 10000))
	ok "$kind: time is at least 20 ms per wait" test "$lkstla" -ge $((waits * 20000000))
done <<'END'
write 20
read 10
END
why_agrees 'the trace' trace
done_testing
