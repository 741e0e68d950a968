#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# lkstla top on traces: the sums over all intervals are the figures of the other analyses, wherever
# the intervals begin and end. Also tests the output formats, the keys, and that the terminal is
# always restored.

. "$(dirname "$0")/host.sh"
use_tools mktrace

# --- sums. lkstla_top.py computes them

# sums NAME INTERVALS TRACE INTERVAL [OPTION...]: test that lkstla_top.py finds no difference, and
# that the trace has INTERVALS intervals
sums() {
	local name=$1 intervals=$2
	shift 2
	contains "$name" "$("$top/tests/host/lkstla_top.py" "$@" 2>&1)" "^$intervals intervals, [0-9]{2,} numbers compared, 0 differ$"
}

# The boot of a VM with two CPUs. The first system calls had begun before the trace.
real=$top/tests/host/lkstla_recompute.lkst
sums 'a real trace: one interval' 1 "$real" 1h --any
for interval in 500ms 50ms 1ms; do
	sums "a real trace: intervals of $interval" '[0-9]+' "$real" $interval --begun --any
done
sums 'a real trace: a part of it' 9 "$real" 50ms --begun --since +300ms --until +750ms

# A trace has no losses if its seed is a multiple of 3.
for seed in 3 6 9 12; do
	mktrace system "system" "$seed" || bail_out 'no trace of a simulated system'
	sums "simulated system $seed: one interval" 1 system 1h
	for interval in 20ms 1ms 70us; do
		sums "simulated system $seed: intervals of $interval" '[0-9]+' system $interval
	done
	sums "simulated system $seed: processes" '[0-9]+' system 3ms -p '100,101,!102'
done
sums 'one CPU, one interval' 1 system 1h -c 1

# --- intervals and forms

top() { lkstla top -f system "$@"; }
intervals() { sed -n 's/^window \([^ ]*\) .. \([^ ]*\) (.*/\1 \2/p'; }
is 'the intervals follow each other' "$(top -d 10ms | intervals | awk 'NR > 1 && $1 != last { print } { last = $2 }')" ''
is '-n' "$(top -d 1ms -n 3 | grep -c ^window)" 3
is '--interval' "$(top --interval 10ms -n 1 | sed -n 's/^window.*(\(.*\), 4 CPUs.*/\1/p')" '10.0 ms'
contains 'what the CPUs did' "$(top -n 1)" '^CPUs: user [0-9.]+ %, kernel [0-9.]+ %, irq [0-9.]+ %, softirq [0-9.]+ %, idle [0-9.]+ %$'
heads() { top -n 1 "$@" | grep -E '^(thread|call|number|softirq|CPU) ' | sed 's/ .*//' | paste -sd ' '; }
is 'threads' "$(heads)" thread
is '--view syscalls' "$(heads --view syscalls)" call
is '--view interrupts' "$(heads --view interrupts)" 'number softirq'
is '--view cpus' "$(heads --view cpus)" CPU
is '--top' "$(top -n 1 --top 2 | sed -n '/^thread /,$p' | wc -l)" 3
# ordered COLUMN: whether the numbers in a column of the first table descend
# shellcheck disable=SC2317 # ok calls it
ordered() { awk -v column="$1" '/^(thread|call) / { on = 1; next } on { if (n++ && $column > last) exit 1; last = $column }'; }
ok 'threads that ran longest come first' ordered 2 <<<"$(top -n 1)"
ok '--sort' ordered 3 <<<"$(top -n 1 --sort wait-%)"
ok '--sort of another view' ordered 2 <<<"$(top -n 1 --view syscalls --sort calls)"
top -d 10ms --json >json
is '--json: a line for each interval' "$(wc -l <json)" "$(top -d 10ms | grep -c ^window)"
# shellcheck disable=SC2016 # perl expands it
ok '--json is JSON' perl -MJSON::PP -ne 'decode_json($_)' json
is 'a closed pipe is not an error' "$( (set -o pipefail; top -d 70us | head -n 1 >/dev/null); echo $?)" 0

# If nothing is recorded for a long time, top does not print an endless series of empty intervals.
mktrace part1 1 100 0 || bail_out 'no trace before a gap'
mktrace part2 1 100 2000000 || bail_out 'no trace after a gap'
is 'a gap is one interval' "$(lkstla top -f part1 -f part2 -d 100us 2>/dev/null | grep -c ^window)" 3

mktrace random random 5 || bail_out 'no random trace'
ok 'a random trace' sh -c 'lkstla top -f random --any -d 1h >out'

for line in '2|--interval "x" is not a span of time|-d x' \
	'2|--interval "0" is not a span of time|-d 0' \
	'2|--csv does not apply to this analysis|--csv' \
	'2|--over does not apply to this analysis|--over 1ms' \
	'2|--batch cannot be combined with --json|-b --json' \
	'2|number of intervals "0" is out of range|-n 0' \
	'2|view "foo"|--view foo' \
	'1|--sort "foo": unknown key|--sort foo' \
	'1|no CPU 9, only CPUs 0-3|-c 9' \
	'1|no thread matches -p|-p nobody'; do
	IFS='|' read -r status says options <<<"$line"
	# shellcheck disable=SC2086 # unquoted, to split it into words
	refused "top $options" "$status" "$says" sh -c 'lkstla top -f system "$@" >/dev/null' top $options
done

# --- a terminal. tests/vm/analysis/top_screen.c shows what is on it

"${CC:-cc}" -std=gnu11 -D_GNU_SOURCE -o on_screen "$top/tests/vm/analysis/top_screen.c" -lutil ||
	bail_out 'top_screen.c does not compile'
restored='status 0
settings: as before
screen: normal, cursor: shown'
# on_screen STEP...: run top on a terminal, and write what it shows to the file "seen"
# shellcheck disable=SC2317 # ok calls it
on_screen() { ./on_screen "$@" -- lkstla top -f system -d 20ms >seen 2>&1; }
screen_row() { sed -n "s/^>//; ${1}p" seen; }

ok 'the end of a file' on_screen wait='has ended' show type=q exit
contains 'the title' "$(screen_row 1)" '^lkstla top - threads by run-% - h: help$'
contains 'the header' "$(screen_row 2)" '^window 03:04:05'
is 'no line is too long' "$(grep -cE '^>.{81}' seen)" 0
contains 'the last line' "$(screen_row 24)" '^The trace has ended \(q: quit\)\.$'
is 'q ends it, and restores the terminal' "$(tail -n 3 seen)" "$restored"

ok 'pause' on_screen type=' ' wait=PAUSED type=y wait='PAUSED' type=q exit
ok 'views' on_screen type=y wait='system calls by total-ms' type=i wait='Hard interrupts:' type=u wait='idle %' \
	type='\t' type=t wait='threads by' type=q exit
ok 'help' on_screen type=h wait='Keys:' type=x gone='Keys:' type=q exit
ok 'sort to the right and to the left' on_screen wait='has ended' type='>' wait='by wait-%' type='<<' wait='by thread' \
	type='<' wait='by behind' type='>' wait='by thread' type=q exit
ok 'sort by a column' on_screen wait='has ended' type='smax-us\r' wait='by max-us' type=q exit
ok 'sort by a wrong column' on_screen wait='has ended' type='sfoo\r' wait='unknown key' wait='by run-%' type=q exit
ok 'a CPU' on_screen type='c1\r' wait=', CPU 1' type='c\r' gone=', CPU 1' type=q exit
ok 'a wrong CPU' on_screen wait='has ended' type='c99\r' wait='CPU 99 has no events' type=q exit
ok 'processes' on_screen type='pthread-100\r' wait='selected processes' type='p\r' gone='selected processes' type=q exit
ok 'a wrong process' on_screen wait='has ended' type='p!\r' wait='empty process name' type=q exit
ok 'scroll' on_screen wait='has ended' type='\e[F ' wait=PAUSED show type='\e[H' type=q exit
is 'End: only the last row' "$(sed -n 's/^>\(thread-[0-9]*\) .*/\1/p' seen | wc -l)" 1
ok 'another size' on_screen wait='has ended' size=10x40 wait='lkstla top' show type=q exit
is 'a small terminal' "$(grep -c '^>' seen)/$(grep -cE '^>.{41}' seen)" 10/0

for signal in 1 2 3 15; do
	ok "signal $signal" on_screen wait='lkstla top' signal=$signal exit
	is "signal $signal: the terminal is restored" "$(tail -n 3 seen)" "$restored"
done
ok 'Ctrl-C' on_screen wait='has ended' type="$(printf '\003')" exit
is 'Ctrl-C: the terminal is restored' "$(tail -n 3 seen)" "$restored"
ok 'stop and continue' on_screen wait='has ended' signal=20 stopped wait='has ended' type=q exit
is 'stop and continue: the terminal is restored both times' "$(head -n 3 seen)/$(tail -n 3 seen)" "stopped
settings: as before
screen: normal, cursor: shown/$restored"
ok 'an error' sh -c './on_screen exit -- lkstla top -f system --sort foo >seen'
is 'an error: the terminal is restored' "$(sed -n '/^settings/,$p' seen)" 'settings: as before
screen: normal, cursor: shown'
ok '--batch on a terminal' sh -c './on_screen exit -- lkstla top -f system -b -n 1 >seen'
done_testing
