#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A watch counts each event once, while its events arrive in tasks and NMIs, its histogram is read,
# a CPU goes offline and comes online again, and other watches of the same events are created and
# deleted. Emulated CPUs run in parallel.
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

trap 'touch finished; wait; lkstm set -m "$selected"; for i in whole near beat $(lkst watch --list | sed -n "s/^\(churn[0-9]*\): .*/\1/p"); do lkst watch --delete "$i"; done; lkstm delete -n watchnmi; echo 1 >/sys/devices/system/cpu/cpu1/online; rmmod nmi; true' EXIT
rm -f finished
selected=$(field maskset | cut -d ' ' -f 1)
insmod "$modules/nmi.ko" || bail_out 'insmod nmi'
lkstm read -d -m 0 | grep -v '^#' | lkstm write -n watchnmi >/dev/null || bail_out 'lkstm write'
rule() { lkstm rule -n watchnmi "$@"; }
# of NAME MEMBER: print a member of the JSON of a watch
of() { lkst watch --list --json "$1" | json "0.$2"; }

# The events of each CPU are numbered. NMIs cause fewer events than tasks, so many spans stay open.
lkst watch -n watchnmi 0x1d0 0x1d1 by serial --name whole --spans 131072 --over 1s >/dev/null
# All spans of a CPU have the same key, so tasks and NMIs of all CPUs use the same few buckets.
lkst watch -n watchnmi 0x1d0 0x1d1 by cpu --name near --spans 64 --over 1us >/dev/null
lkst watch -n watchnmi 0x1d0 0x1d0 by cpu --name beat --spans 64 >/dev/null
# Because of this rule, which never applies, the action off only pauses LKST: rules still apply.
rule user_long_text do 'drop, on'
lkstm set -n watchnmi
begins=$(recorded_by_tasks) ends=$(recorded_by_nmis)
for cpus in 1 2 3; do requests_until finished $cpus & done
while [ ! -e finished ]; do of whole count; done >counts &
switch_cpu1 10 >switched &
switching=$!
i=0
while kill -0 $switching 2>/dev/null || [ $i -lt 8 ]; do
	i=$((i + 1))
	lkst watch -n watchnmi 0x1d0 0x1d1 by serial,cpu --name churn$i --spans 64 --over 1ns \
		--do 'stack if cpu == 0, enable(user_mark)' --count 5 &&
		lkst watch -n watchnmi 0x1d1 0x1d1 by cpu --name churn$((i + 1000)) --do off:1 &&
		lkst watch --delete churn$i && lkst start && lkst watch --delete churn$((i + 1000)) || echo $i
done >churned 2>&1
touch finished
wait
sleep 0.5
lkstm set -n nothing
begins=$(($(recorded_by_tasks) - begins)) ends=$(($(recorded_by_nmis) - ends))
is 'a CPU goes offline and comes online' "$(cat switched)" ''
is 'watches are created and deleted' "$(grep -vE '^watch churn' churned)" ''
ok 'the histogram is read meanwhile' test "$(grep -c . counts)" -gt 5
ok 'the number of spans never decreases' sort -n -c counts
diag "$begins begins, $ends ends, $i pairs of other watches"
ok 'there were many events' [ "$begins" -gt 2000 -a "$ends" -gt 500 ]
# spans NAME: print the number of spans in the histogram of a watch
spans() { lkst watch --list "$1" | awk '/^  longest  / { exit } on { num += $5 } /^  from  / { on = 1 } END { print num }'; }
while read -r name second; do
	events=$((begins + $second))
	lkst watch --list --json "$name" >listed
	count=$(json 0.count <listed) missed=$(json 0.missed <listed)
	open=$(json 0.open <listed) abandoned=$(json 0.abandoned <listed) unmatched=$(json 0.unmatched <listed)
	diag "$name: $count spans, $open open, $abandoned abandoned, $unmatched unmatched, $missed missed"
	ok "$name: spans have ended" [ "$count" -gt 50 ]
	# The missed events are some of the begins and ends.
	is "$name: each event is counted" $((2 * count + open + abandoned + unmatched + missed)) "$events"
	ok "$name: few events are missed" [ "$missed" -le $((events / 100)) ]
	is "$name: the histogram contains each span" "$(spans "$name")" "$count"
done <<END
whole ends
near ends
beat begins
END
ok 'spans are abandoned' [ "$(of near abandoned)" -gt 50 ]
ok 'spans remain open' [ "$(of whole open)" -gt 50 ]
lacks 'the kernel reports no trouble' "$(dmesg)" 'WARNING:|BUG:|RCU used illegally|suspicious RCU'
done_testing
