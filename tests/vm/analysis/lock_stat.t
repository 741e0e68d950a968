#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# lkstla lock agrees with the kernel's own lock statistics (/proc/lock_stat) on the number of waits
# for a lock and on their total time.
# kernel: debug

. "$(dirname "$0")/measure.sh"

[ -e /proc/lock_stat ] || { echo '1..0 # SKIP this kernel has no lock statistics'; exit 0; }
record lock_contention_begin,lock_contention_end,process_contextswitch
mark 0x715
echo 0 >/proc/lock_stat
# shellcheck disable=SC2154 # rows.sh sets it
ok 'threads wait for a lock' insmod "$modules/contending.ko"
grep -m 2 lkst_contended /proc/lock_stat >kernel
lock=$(printf '0x%x' "$(cat /sys/module/contending/parameters/lock)")
rmmod contending
mark 0x716
lkst stop
read_trace
between 715 716 lock >csv
cat kernel
grep "^$lock," csv

# lkstla_column NUMBER KIND: print a column of the lock's row in lkstla lock (3: waits, 6: wait_ns)
lkstla_column() {
	awk -F , -v lock="$lock" -v column="$1" -v kind="rwsem $2" '$1 == lock && $2 == kind { print $column }' csv
}
# kernel_column NUMBER LETTER: print a column of /proc/lock_stat. After the name, the columns are
# con-bounces, contentions, and the shortest, longest and total time of the waits in microseconds.
kernel_column() { awk -v class="lkst_contended-$2:" -v column="$1" '$1 == class { printf "%.0f\n", $column }' kernel; }
while read -r kind letter waits; do
	is "$kind: waits and contentions" "$(lkstla_column 3 "$kind")" "$(kernel_column 3 "$letter")"
	is "$kind: each wait of the module" "$(lkstla_column 3 "$kind")" "$waits"
	ours=$(lkstla_column 6 "$kind") kernel=$(kernel_column 6 "$letter")000
	# The kernel's times begin a little earlier, before the thread spins, and end later.
	ok "$kind: time of the waits ($ours ns, $kernel ns) differs by at most 5 %" \
		test "$ours" -le "$kernel" -a $((ours * 20)) -ge $((kernel * 19))
done <<'EOF'
write W 20
read R 10
EOF
lkst start
done_testing
