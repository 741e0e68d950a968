#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# The compressed history survives a reset and a panic: the records that lkstbuf read while the
# machine was alive are in reserved memory and in an image of the memory, each of them once. Damage
# to the image loses only the records that it hits.
# timeout: 300
# kernel: base
# modules: yes
# form: builtin module headers stock

. "$(dirname "$0")/death/common.sh"
ring_size=1M slots=16384
history=$top/tests/host/death/history.py
damage=$top/tests/host/death/damage.py

guest <<'END'
# Whether the history of each CPU has more events than three buffers
filled() { [ "$(lkstbuf list | awk '$5 ~ /^[0-9]+[.]/ && $4 > 3 * 16384' | wc -l)" -eq 2 ]; }
# Make each CPU record events, with pauses in which the history is compressed.
work() {
	until filled; do
		for cpu in 1 2; do
			taskset $cpu sh -c 'for i in 1 2 3 4 5 6 7 8; do ls / /bin >/dev/null; done'
		done
		sleep 0.05
	done
}
cd /share || exit
case $LKST_VM_BOOT in
2)
	lkstbuf read --previous -f after-1 || exit
	lkstbuf list >list-2
	lkst status >status-2
	;;
esac
lkstm set -m 1 || exit
work
lkstbuf list >list
lkstbuf read -f before-$LKST_VM_BOOT || exit
sync
case $LKST_VM_BOOT in
1) echo b >/proc/sysrq-trigger ;;
2) echo c >/proc/sysrq-trigger ;;
esac
sleep 1000
END
# shellcheck disable=SC2016 # memmap= has a literal $
parameters=$(append 'memmap=64M$0x10000000' lkst.reserved=64M@0x10000000 lkst.history_size=4M lkst.history_share=100)
vm 126 --mem "$(mem 448)" --reboots 1 --append "$parameters"

# compared NAME BEFORE AFTER: test that the trace or image AFTER has the records of the trace BEFORE
compared() {
	local out
	records "$work/before" -f "$2"
	records "$work/records" -f "$3"
	out=$("$history" after "$work/before" "$work/records" $((3 * slots)) 2>&1)
	is "$1" $? 0
	diag "$out
$(cat "$work/records.errors")"
}

compared 'after a reset: reserved memory' "$share/before-1" "$share/after-1"
compared 'after a panic: memory' "$share/before-2" "$memory"
mv "$work/records" "$work/whole"
mv "$work/records.errors" "$work/whole.errors"
lacks 'nothing is damaged' "$(cat "$work/whole.errors")" damaged
ok 'a trace of the memory' "$lkstbuf" read --image "$memory" -f "$work/trace"
records "$work/records" -f "$work/trace"
ok 'the trace has the same records' cmp "$work/whole" "$work/records"
ok 'lkstla reads the history' "$top/build/bin/lkstla" cpu -f "$work/trace"

found() { "$lkstbuf" find "$memory" --json 2>/dev/null | python3 -c "import json, sys; boot = json.load(sys.stdin)['boots'][0]; print($1)"; }
# The static buffer is not printed.
is 'lkstbuf find: each event counts once' \
	"$(found 'boot["events"] - sum(b["events"] for b in boot["buffers"] if b["cpu"] is None)')" "$(wc -l <"$work/whole")"
is 'lkstbuf find: the history of each CPU is intact' \
	"$(found '[(b["cpu"], b["damaged"]) for b in boot["buffers"] if b["history"]]')" '[(0, 0), (1, 0)]'

contains 'lkstbuf list: the history' "$(cat "$share/list")" '^   0 +4194304 +[0-9]+ +[0-9]+ +[0-9]+\.[0-9]{2} +[0-9]+  20[-0-9]+ [:0-9]+$'
contains 'lkst status: the history' "$(cat "$share/status-2")" '^history +2 of 4194304 bytes, .*[0-9] events lost, [0-9.]+ s of CPU time'

# The loss of a page of the history costs a chunk of at most 4096 records.
for kind in zero noise; do
	for seed in 1 2 3; do
		cp --sparse=always "$memory" "$work/image"
		"$damage" pages "$work/image" $kind 1 $seed || bail_out 'damage.py'
		records "$work/records" -f "$work/image"
		out=$("$history" damage "$work/whole" "$work/records" 70 2>&1)
		is "1 % of the pages $kind, $seed: the other records are found" $? 0
		diag "$out
$(cat "$work/records.errors")"
		is "1 % of the pages $kind, $seed: no crash" "$(grep 'lkstbuf: status' "$work/records.errors" | grep -v ' 1$')" ''
	done
done
done_testing
