#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# lkstla report finds a deadlock of two mutexes in the bare memory of a machine that did not panic:
# the threads, the locks and the cycle. It finds the same in a file that was read from that memory.
# suite: all
# timeout: 500
# kernel: base
# modules: yes

# shellcheck source=host.sh
. "$(dirname "$0")/host.sh"
# shellcheck source=kernel.sh
. "$(dirname "$0")/kernel.sh"
memory=$work/memory
lkstla=$top/build/bin/lkstla

"$top/scripts/deps" vm tests || bail_out 'packages are missing'
modules_of base
make_share "$modules/deadlock.ko"
cat >"$share/guest" <<'END'
#!/bin/sh
. /share/form.sh
[ ! -f /share/lkst.ko ] || load_lkst || exit
lkstm config lock_contention_begin,lock_contention_end on || exit
insmod /share/deadlock.ko || exit
# Each thread records two events: first that it spins, then that it sleeps. Only the second one has
# flags=MUTEX without SPIN. Wait until all three threads sleep.
waiting() { [ "$(lkstbuf print -e lock_contention_begin -p deadlock-ab,deadlock-ba,deadlock-a | grep -c ' flags=MUTEX ')" -ge 3 ]; }
wait_for waiting || exit
for lock in a b; do
	cat "/sys/module/deadlock/parameters/$lock" >"/share/$lock"
done
sleep 1000
END
chmod +x "$share/guest"

status=0
run_vm --kernel "$image" --take-turns --memory "$memory" --share "$share" --log "$work/log" --timeout 60 \
	-- /share/guest >"$work/out" 2>&1 || status=$?
[ "$status" -eq 124 ] || bail_out "the VM ended with status $status: $(cat "$work/out")"
[ -s "$share/b" ] || bail_out "the threads do not wait: $(cat "$work/out")"
a=$(cat "$share/a") b=$(cat "$share/b")

# check NAME FILE: test the report about FILE
check() {
	local text json
	text=$("$lkstla" report -f "$2" 2>"$work/errors")
	is "$1: lkstla succeeds" "$?" 0
	contains "$1: no panic" "$text" '^    No panic was recorded: '
	contains "$1: there is one deadlock" "$text" '^    DEADLOCK: 2 threads wait for each other:$'
	contains "$1: the first thread" "$text" \
		"^        deadlock-ab-[0-9]+ has waited for [0-9.]+ m?s for the mutex $b, held by deadlock-ba-[0-9]+\$"
	contains "$1: the second thread" "$text" \
		"^        deadlock-ba-[0-9]+ has waited for [0-9.]+ m?s for the mutex $a, held by deadlock-ab-[0-9]+\$"
	contains "$1: a thread that waits, but is not in the cycle" "$text" \
		"^    deadlock-a-[0-9]+ has waited for [0-9.]+ m?s for the mutex $a, held by deadlock-ab-[0-9]+\$"
	json=$("$lkstla" report --json -f "$2" 2>"$work/errors" | python3 -c '
import json, sys
report = json.load(sys.stdin)["report"]
name = lambda thread: thread.rsplit("-", 1)[0]
print(report["panic"], report["deadlocks"])
for wait in sorted(report["waits"], key=lambda wait: wait["thread"]):
    print(name(wait["thread"]), wait["kind"], hex(wait["lock"]), name(wait["holder"]), wait["cycle"])')
	is "$1: JSON" "$json" "None 1
deadlock-a mutex $a deadlock-ab None
deadlock-ab mutex $b deadlock-ba 1
deadlock-ba mutex $a deadlock-ab 1"
}

check 'bare memory' "$memory"
ok 'the memory can be saved as a trace' "$top/build/bin/lkstbuf" read -f "$work/trace" --image "$memory"
why_agrees 'the saved trace' "$work/trace"
check 'a file' "$work/trace"

contains 'the waits began before the window' "$("$lkstla" report -f "$work/trace" --last 1ms 2>&1)" \
	'^    DEADLOCK: 2 threads wait for each other:$'
lacks 'a window that ends before the trace does not show how it ended' \
	"$("$lkstla" report -f "$work/trace" --until -1ms 2>&1)" 'DEADLOCK|HOW THE MACHINE DIED'
lacks 'nor does a report about a CPU' "$("$lkstla" report -f "$work/trace" -c 0 2>&1)" 'DEADLOCK|HOW THE MACHINE DIED'
done_testing
