#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Tests what lkstbuf export --format chrome writes: export_chrome.py checks the form of the file,
# that slices nest, and that states, calls, arrows, losses and values agree with lkstla and lkstbuf
# print. lkstla_recompute.lkst was recorded in a VM. The other traces are from a simulation.

. "$(dirname "$0")/host.sh"
use_tools mktrace

# same NAME [--damaged | --cut] TRACE [OPTION...]: test that export_chrome.py finds no difference
same() {
	local name=$1
	shift
	contains "$name" "$("$top/tests/host/export_chrome.py" "$@" 2>&1)" '^[0-9]{2,} numbers compared, 0 differ$'
}
chrome() { lkstbuf export --format chrome "$@"; }

real=$top/tests/host/lkstla_recompute.lkst
same 'a real trace' "$real"
same 'a real trace: a window' "$real" --since +300ms --until +1s
same 'a real trace: a process' "$real" -p 70
same 'a real trace: two processes, some time' "$real" -p 70 -p 1 --since +300ms
same 'a real trace: only events of a process' "$real" -p 70 --only
same 'a real trace: a CPU' "$real" -c 1
same 'a real trace: chosen events' "$real" -e 'process_*' -e openat
# A trace has no losses if its seed is a multiple of 3.
for seed in {1..9}; do
	mktrace system "system" "$seed" || bail_out 'no trace of a simulated system'
	same "simulated system $seed" system
	same "simulated system $seed: a window" system --since "+$((seed * 3))ms" --until "+$((seed * 3 + 30))ms"
done
# An unknown number of records is missing at the end.
for part in 3 6 9; do
	head -c $(($(stat -c %s system) * part / 10)) system >short
	same "$part tenths of a file" --cut short
	same "$part tenths of a file: a window" --cut short --since +5ms
done
mktrace sample || bail_out 'no sample trace'
for kind in files sleeps hostile late user; do mktrace $kind $kind || bail_out "no trace of the kind $kind"; done
same 'descriptors and their files' files
same 'stacks and paths' sleeps
same 'user events' user
same 'hostile strings' --damaged hostile -e all
same 'records that are out of order' --damaged late
same 'events without a description' --damaged sample
for seed in {1..6}; do
	mktrace random random "$seed" || bail_out 'no random trace'
	same "a damaged trace $seed" --damaged random
done

# --- lines

chrome -f "$real" -o all.json
is 'the suffix selects the format' "$(lkstbuf export -f "$real" -o named.json && cmp all.json named.json && echo same)" same
is 'standard output' "$(chrome -f "$real" -o - | cmp - all.json && echo same)" same
has() { contains "$1" "$(cat all.json)" "$2"; }
has 'a CPU' '"ph":"M","pid":1073741824,"tid":1073741825,.*"name":"thread_name","args":\{"name":"CPU 1"\}'
has 'a process' '"ph":"M","pid":70,"tid":70,.*"name":"process_name","args":\{"name":"sh"\}'
has 'an interrupt' '"ph":"B","pid":1073741824,.*"name":"irq virtio1-requests","args":\{"entry":\{"irq":27,"name":"virtio1-requests"\}'
has 'a call' '"ph":"B","pid":70,"tid":70,.*"name":"wait4","args":\{"entry":\{"number":"wait4","arg1":.*"exit":\{"number":"wait4","result":7[0-9]\}'
has 'a wait' '"name":"runnable","args":\{"cpu":[01],"woken_by":"sh-70"'
is 'at most some events: the times of the others are not drawn' \
	"$(chrome -f "$real" -n 1000 -o - | python3 -c 'import json, sys
print(max(e["ts"] for e in json.load(sys.stdin)["traceEvents"] if e["ph"] != "M") < 600000)')" True

# If a thread has the ID of an earlier thread, it gets a new track. In the last random trace, IDs
# are used again.
contains 'a thread ID that is used again' "$(chrome -f random -o - 2>/dev/null)" '"tid":4194[0-9]{3},.*"name":"thread_name"'

contains 'a window without events' "$(chrome -f "$real" --since 2030-01-01 -o - 2>&1 >/dev/null)" '^lkstbuf: no event matches; '
done_testing
