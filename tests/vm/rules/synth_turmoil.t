#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The actions trace() and hist() count each event once, while the events arrive in tasks and NMIs,
# the histograms are read, the rules are replaced, a CPU goes offline and comes online again, and
# other synthetic events are added and removed. Emulated CPUs run in parallel.
# arch: x86_64
# take-turns: no
# kernel: base
# kernel-all: base debug
# append: lkst.buffer_size=4M lkst.memory=64M tsc=nowatchdog
# timeout: 600

# shellcheck source=../commands/rows.sh
. "$(dirname "$0")/rows.sh"
# shellcheck source=nmi_load.sh
. "$here/nmi_load.sh"

finish() {
	touch finished
	wait
	lkstm set -m "$selected"
	lkstm delete -n synthnmi
	lkstm event list | awk 'NR > 1 { print $2 }' | xargs -r lkstm event remove
	echo 1 >/sys/devices/system/cpu/cpu1/online
	rmmod nmi
}
trap finish EXIT
rm -f finished
selected=$(field maskset | cut -d ' ' -f 1)
insmod "$modules/nmi.ko" || bail_out 'insmod nmi'
lkstm read -d -m 0 | grep -v '^#' | lkstm write -n synthnmi >/dev/null || bail_out 'lkstm write'
rule() { lkstm rule -n synthnmi "$@"; }
# hits EVENT: print how many events the histogram of this event has counted
hits() { lkstm hist -n synthnmi "$1" | awk '$1 == "Hits:" || $1 == "Dropped:" { sum += $2 } END { print sum + 0 }'; }

lkstm event add 's:short u64 serial; u32 cpu' >/dev/null
lkstm event add 's:long u64 serial; u32 cpu; char name[16]' >/dev/null
lkstm config -n synthnmi synthetic:short,synthetic:long on
rule synthetic:short do 'hist(keys=cpu,flags), drop'
rule synthetic:long do 'hist(keys=name,cpu), drop'
# rules ROUND: write the rules of the events. The histograms keep their entries.
rules() {
	rule 0x1d0 if "check != $1" do 'hist(keys=cpu,tid:size=16384:cont), trace(short,serial,cpu), drop'
	rule 0x1d1 if "check != $1" do 'hist(keys=cpu:cont), trace(long,serial,cpu,comm), drop'
}
rules 0
lkstm set -n synthnmi
tasks=$(recorded_by_tasks) nmis=$(recorded_by_nmis)
for cpus in 1 2 3; do requests_until finished $cpus & done
while [ ! -e finished ]; do hits synthetic:long; done >counts &
switch_cpu1 10 >switched &
switching=$!
i=0
while kill -0 $switching 2>/dev/null || [ $i -lt 8 ]; do
	i=$((i + 1))
	lkstm event add "s:churn$i u64 a; char b[16]" >/dev/null &&
		rule user_mark do "trace(churn$i,arg1,comm)" && rules $i &&
		rule -d user_mark && lkstm event remove churn$i || echo $i
done >churned 2>&1
touch finished
wait
sleep 0.5
lkstm set -n nothing
tasks=$(($(recorded_by_tasks) - tasks)) nmis=$(($(recorded_by_nmis) - nmis))
is 'a CPU goes offline and comes online' "$(cat switched)" ''
is 'rules and synthetic events change' "$(cat churned)" ''
ok 'the histogram is read meanwhile' test "$(grep -c . counts)" -gt 5
ok 'the number of events never decreases' sort -n -c counts
diag "$tasks events of tasks, $nmis of NMIs, $i changes"
ok 'there were many events' [ "$tasks" -gt 2000 -a "$nmis" -gt 500 ]
is 'hist() counts each event of tasks' "$(hits 0x1d0)" "$tasks"
is 'hist() counts each event of NMIs' "$(hits 0x1d1)" "$nmis"
is 'trace() makes an event of each event of tasks' "$(hits synthetic:short)" "$tasks"
is 'trace() makes an event of each event of NMIs' "$(hits synthetic:long)" "$nmis"
is 'none is missed' "$(lkstm event list | awk 'NR > 1 { print $4 }' | tr '\n' ' ')" '0 0 '
lacks 'the kernel reports no trouble' "$(dmesg)" 'WARNING:|BUG:|RCU used illegally|suspicious RCU'
done_testing
