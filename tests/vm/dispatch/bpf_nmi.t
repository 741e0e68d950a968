#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A BPF program runs in NMIs, unless it uses an LRU map or the NMI interrupts the same program.
# Events that a program cannot handle are recorded and counted. Emulated CPUs run in parallel.
# arch: x86_64
# take-turns: no
# kernel: base
# kernel-all: base debug
# append: lkst.buffer_size=4M tsc=nowatchdog
# timeout: 600

# shellcheck source=../commands/rows.sh
. "$(dirname "$0")/rows.sh"
# shellcheck source=../rules/nmi_load.sh
. "$here/nmi_load.sh"

if [ ! -e "$here/counting.bpf.o" ]; then
	skip 'BPF programs in NMIs' 'they were not built: clang is missing'
	done_testing
	exit
fi
finish() {
	touch finished
	wait
	lkstm set -m "$selected"
	lkstm delete -n bpfnmi
	lksteh bpf --delete counting
	rmmod nmi
}
trap finish EXIT
rm -f finished
selected=$(field maskset | cut -d ' ' -f 1)
insmod "$modules/nmi.ko" || bail_out 'insmod nmi'
lkstm read -d -m 0 | grep -v '^#' | lkstm write -n bpfnmi >/dev/null || bail_out 'lkstm write'
load() { lksteh bpf "$here/counting.bpf.o" -p "$1" -n counting >/dev/null; }
# value WHAT: print a value of the BPF program
value() { lksteh list --json | sed -n '/"name": "counting"/,/}/s/.*"'"$1"'": "*\([0-9]*\).*/\1/p'; }
# counted MAP KEY: print what the program has counted. The keys are 0 and 0x1.
counted() { bpf_tool map "$(value program)" "$1" | sed -n "s/^$2 : //p"; }
# recorded EVENT: print the number of events that were recorded since $start
recorded() { lkstbuf print -r -e "$1" --since "$start" 2>/dev/null | grep -c ' nmi[_ ]'; }

# bpf_tool finds no map in a map, so the counts of "inner" are not checked.
while read -r program map; do
	ok "$program: the program is loaded" load "$program"
	lkstm config -n bpfnmi 0x1d0,0x1d1 counting
	start=$(new_second)
	lkstm set -n bpfnmi
	tasks=$(recorded_by_tasks) nmis=$(recorded_by_nmis)
	for cpus in 1 2; do
		for _ in $(seq 40); do request $cpus || echo $cpus; done >failed.$cpus 2>&1 &
		echo $! >load.$cpus
	done
	wait "$(cat load.1)" "$(cat load.2)"
	sleep 0.5
	lkstm set -n nothing
	tasks=$(($(recorded_by_tasks) - tasks)) nmis=$(($(recorded_by_nmis) - nmis))
	runs=$(value runs) nested=$(value nested) unsafe=$(value unsafe) in_nmi=
	[ "$map" = - ] || in_nmi=$(counted "$map" 0x1)
	diag "$program: $tasks events of tasks, $nmis of NMIs; $runs runs, $in_nmi in NMIs, $nested nested, $unsafe unsafe"
	ok "$program: there were NMIs" [ "$nmis" -gt 200 ]
	is "$program: no error" "$(cat failed.1 failed.2)" ''
	is "$program: each event is counted" $((runs + nested + unsafe)) $((tasks + nmis))
	is "$program: each run drops its event" "$(value drops)" "$runs"
	is "$program: the others are recorded" "$(recorded 0x1d0,0x1d1)" $((nested + unsafe))
	[ "$map" = - ] || is "$program: the program counts events of tasks" "$(counted "$map" 0)" "$tasks"
	if [ "$program" = array ]; then
		ok "$program: it runs in NMIs" [ "${in_nmi:-0}" -gt 0 ]
		is "$program: it counts all of them except nested ones" "$((in_nmi + nested)) $unsafe" "$nmis 0"
	else
		is "$program: it does not run in NMIs" "$in_nmi $unsafe" " $nmis"
	fi
done <<END
array in_array
lru in_lru
inner -
END

# --- the program is replaced meanwhile, by programs that may run in NMIs and by others

lkstm set -n bpfnmi
for cpus in 1 2; do requests_until finished $cpus & done
for i in $(seq 8); do
	for program in array lru inner; do load $program || echo "$i"; done
done >failed 2>&1
touch finished
wait
is 'programs are replaced while NMIs arrive' "$(cat failed)" ''
lacks 'the kernel reports no trouble' "$(dmesg)" 'WARNING:|BUG:|RCU used illegally|suspicious RCU'
done_testing
