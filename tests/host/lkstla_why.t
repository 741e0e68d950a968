#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Tests the trees of lkstla why for all kinds of traces (with lkstla_why.py), and its command line.
# tests/unit/analysis/test_why.c tests the chains of causes.

. "$(dirname "$0")/host.sh"
use_tools mktrace
check=$top/tests/host/lkstla_why.py

# holds NAME PATTERN ARGUMENT...: test that the output of lkstla_why.py matches the pattern
holds() {
	local name=$1 pattern=$2
	shift 2
	contains "$name" "$("$check" "$@" 2>&1)" "$pattern"
}

real=$top/tests/host/lkstla_recompute.lkst
holds 'a real trace' '^10 delays, [0-9]+ segments, 10 compared' "$real" --any
holds 'a real trace: a window' '^[0-9]+ delays, .* compared' "$real" --since +300ms --until +1s

# A trace has no losses if its seed is a multiple of 3. All delays of a simulated system that begin
# and end within the trace are explained.
for seed in {1..12}; do
	mktrace system system "$seed" || bail_out 'no trace of a simulated system'
	holds "simulated system $seed" '^10 delays, [0-9]+ segments, 10 compared with sched, 100 % explained$' system --any
	holds "simulated system $seed: a window" '^10 delays, .* compared' system --since "+$((seed * 3))ms" --until "+$((seed * 3 + 30))ms"
done

# Random traces are complete, but their events contradict each other.
for seed in {1..12}; do
	mktrace random random "$seed" || bail_out 'no random trace'
	holds "random trace $seed" '^[1-9][0-9]* delays, [0-9]+ segments|^refused: lkstla: (no delay began|the window is empty)' tree random --any
done
# The traces that other tests on the host use
for plan in same call wake lock error disk irq gone nolock; do
	mktrace load load "$plan" 1 || bail_out "no trace of the load $plan"
	holds "load $plan" '^10 delays, [0-9]+ segments, 10 compared with sched, 100 % explained$' load --any
done
mktrace files files && mktrace sleeps sleeps || bail_out 'no traces of threads'
holds 'files of threads' '^7 delays, 7 segments, 7 compared with sched, 100 % explained$' files --any
holds 'stacks of a thread' '^6 delays, 15 segments, 6 compared with sched, ' sleeps --any
mktrace busy 3 4000 100 && mktrace sample && mktrace late late && mktrace hostile hostile && mktrace waits waits 3
for trace in busy sample late hostile waits; do
	holds "$trace: needs wake-ups" '^refused: lkstla: why: the trace lacks events .*process_wakeup' "$trace" --any
done

# --- the command line

mktrace system system 3
why() { lkstla why -f system --any "$@"; }
thread=$(why --csv 2>/dev/null | sed -n '2s/^[^,]*,[^,]*,[^,]*,[^,]*,[^,]*,\([^,]*\),.*/\1/p')
contains 'a thread as tables show it' "$thread" '^thread-[0-9]+$'
is 'the operand NAME-NUMBER' "$(why "$thread")" "$(why "${thread#thread-}")"
is 'the operand is the slowest of all' "$(why "$thread")" "$(why)"
is '-p' "$(why -p "${thread#thread-}")" "$(why)"
begin=$(why --json | perl -MJSON::PP -0777 -ne 'printf "@%d.%09d", int($_ / 1e9), $_ % 1e9 for decode_json($_)->{why}[0]{begin_ns}')
is 'the slowest: no call took longer' \
	"$(why --json | perl -MJSON::PP -0777 -ne 'printf "%d", $_->{end_ns} - $_->{begin_ns} for decode_json($_)->{why}[0]')" \
	"$(lkstla sql -f system --any --csv 'SELECT max(duration_ns) FROM syscall WHERE begin_known AND end_known' 2>/dev/null | tail -n 1)"
is '--at' "$(why "$thread" --at "$begin" | sed 1,3d)" "$(why | sed 1,3d)"
is '--slowest' "$(why --slowest 4 | grep -c ' explained ')" 4
is '--slowest: the longest first' "$(why --slowest 4 | sed -n '/ explained /p' | head -n 1)" "$(why | sed -n '/ explained /p')"
is '--slowest with --over' "$(why --slowest 1000 --over 20ms | sed -n 's/.* \([0-9]*\)\.[0-9]* ms, explained .*/\1/p' | awk '$1 < 20' | wc -l)" 0
is '--depth 1' "$(why --depth 1 | grep -c '^ \{10,\}[0-9].* ms  *[^ 0-9]')" 0
ok '--segments 1' test "$(why --depth 1 --segments 1 | grep -c '%  ')" -le 3
contains '--syscall' "$(why --syscall read --slowest 3 | grep -c '^thread-[0-9]* read(.* explained')" '^3$'
contains '--csv' "$(why --csv 2>/dev/null | head -n 1)" '^delay,depth,begin_ns,end_ns,kind,thread,cpu,by,explained,text$'
contains 'lines are not wrapped without a terminal' "$(why --depth 1)" 'running on CPU'

for line in '2|number of delays "0" is out of range|--slowest 0' \
	'2|number of delays "1001" is out of range|--slowest 1001' \
	'2|number of levels "33" is out of range|--depth 33' \
	'2|number of segments "0" is out of range|--segments 0' \
	'2|--syscall cannot be combined with --at|--syscall read --at 03:04:05' \
	'2|--syscall cannot be combined with --span|--syscall read --span a..b' \
	'2|-c does not apply|-c 1' \
	'2|--top does not apply|--top 1' \
	'2|--sort does not apply|--sort x' \
	'2|--at "yesterday"|--at yesterday' \
	'2|--span "a": want|--span a' \
	'2|--span "\.\.b": want|--span ..b' \
	'2|--span "a\.\.": want|--span a..' \
	'1|--span: no mark "a" in the window|--span a..b' \
	'1|--at \+1s is not in the window \(want a time from 03:04:05\.0000.. to 03:04:05\.09|--at +1s' \
	'1|--syscall "raed": no such system call in the window; did you mean "read"|--syscall raed' \
	'1|no thread in the trace is named "thraed"; did you mean "thread"|thraed' \
	'1|no thread matches|4711' \
	'1|no thread matches|thread-4711' \
	'1|no delay began and ended in the window and took as long as --over|--over 10s'; do
	IFS='|' read -r status says options <<<"$line"
	# shellcheck disable=SC2086 # unquoted, to split it into words
	refused "why $options" "$status" "$says" lkstla why -f system --any $options
done

done_testing
