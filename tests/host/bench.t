#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# bench/run: the table, the verdicts, the JSON; parts that fail, and being ended. The parts here are made up: what
# the real ones measure is no matter of a test.

set -um	# -m: what is started here in the background can be interrupted
. "$(dirname "$0")/../tap.sh"
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/tree/bench" "$work/tree/scripts" "$work/tmp"
cp "$top/scripts/common.sh" "$work/tree/scripts"
cp "$top"/bench/{run,common.sh,table.awk} "$work/tree/bench"
bench=$work/tree/bench
json=$work/tree/results/bench.json
export TMPDIR=$work/tmp

# part NAME: a part that does what stands on the input.
part() {
	{
		# shellcheck disable=SC2016 # the part expands them
		printf '#!/usr/bin/env bash\n# usage: bench/%s\n\nset -eu\nprog=%s\n. "$(dirname "$0")/common.sh"\nbegin "$@"\n' "$1" "$1"
		cat
		echo finish
	} >"$bench/$1"
	chmod +x "$bench/$1"
}

# line TABLE TEXT: the rows that have it.
line() { printf '%s\n' "$1" | grep -F -- "$2"; }

part record <<-'END'
	row 'at most' instructions 64 '' '' 'lkst<=64' 'a note'
	row 'times fewer' instructions 100.5 ftrace 653.25 'peer/lkst>=6.5' 'a note'
	row 'no figure' instructions 100.5 LTTng 'not built' 'peer/lkst>=6' 'no "sources" \ here'
	row 'for information' instructions 50 perf 150 ''
	row 'per cent, above' instructions 100.2 nothing 100 '|lkst-peer|<=0.3%'
	row 'per cent, below' instructions 99.8 nothing 100 '|lkst-peer|<=0.3%'
	row 'part of' GB/s 7 memcpy 10 'lkst/peer>=70%'
END
table=$("$bench/record")
is "a part on its own: all limits are met" $? 0
contains "a limit of LKST's own" "$(line "$table" 'at most')" ' 64  instructions  .*lkst <= 64  +met +1$'
contains "a ratio" "$(line "$table" 'times fewer')" 'ftrace +653.25 +6.50  peer/lkst >= 6.5  +met +1$'
contains "words instead of a figure: no verdict" "$(line "$table" 'peer/lkst >= 6 ')" 'LTTng +not built +peer/lkst >= 6  +- +2$'
contains "no limit: the ratio, no verdict" "$(line "$table" 'for information')" 'perf +150 +3.00 +-$'
contains "a difference" "$(line "$table" 'per cent, above')" ' 0.200 %  .*met$'
contains "a difference, whatever its sign" "$(line "$table" 'per cent, below')" ' 0.200 %  .*met$'
contains "per cent" "$(line "$table" 'part of')" ' 70.000 %  lkst/peer >= 70 %  +met$'
contains "the notes" "$table" '^ *2  no "sources" \\ here$'
contains "the sum" "$table" '^5 met, 0 missed, 0 failed$'

part native <<-'END'
	echo 'said on the way'
	row 'too many' instructions 64.001 '' '' 'lkst<=64'
	row 'too few' instructions 10 ftrace 64 'peer/lkst>=6.5'
	row 'not measured' instructions 'not measured' ftrace 64 'peer/lkst>=6.5'
	row 'too far off' instructions 99 nothing 100 '|lkst-peer|<=0.3%'
END
part masked <<<'row "before it failed" instructions 1 "" "" "lkst<=2"; exit 3'
part print <<<'row "after it failed" events/s 6 trace-cmd 0.5 "lkst/peer>=10"'
fails "limits that are missed, a part that fails" 1 "$bench/run" record native masked print
table=$("$bench/run" record native masked print 2>"$work/said")
for what in 'too many' 'too few' 'not measured' 'too far off'; do
	contains "$what: missed" "$(line "$table" "  $what")" ' missed$'
done
contains "a part that fails is in the table" "$table" '^  all of it .*status 3 .* failed +[0-9]+$'
contains "with what it had measured" "$table" '^  before it failed .* met$'
contains "and the others run" "$table" '^  after it failed .* 12.00 .* met$'
contains "the sum" "$table" '^7 met, 4 missed, 1 failed$'
contains "what a part prints is shown" "$(cat "$work/said")" '^said on the way$'
lacks "and not in the table" "$table" 'said on the way'
lacks "there is one table" "$(cat "$work/said")" 'verdict'
contains "JSON: a row" "$(cat "$json")" '^    \{"part": "record", "what": "times fewer", "unit": "instructions", "lkst": 100.5, "peer": "ftrace", "peers_value": 653.25, "ratio": 6.50, "limit": "peer/lkst>=6.5", "verdict": "met", "note": "a note"\},$'
contains "JSON: words, and what must be quoted" "$(cat "$json")" '"peers_value": "not built", "ratio": null, .*"note": "no \\"sources\\" \\\\ here"'
contains "JSON: the sum" "$(tr -d '\n' <"$json")" '  "met": 7,  "missed": 4,  "failed": 1\}$'
"$bench/run" --json "$work/mine.json" print >/dev/null 2>&1
is "all is well: status 0" $? 0
contains "--json" "$(cat "$work/mine.json")" '"after it failed"'

refused "a part that there is not" 1 "no such part: 'nosuch' \(there are: record " "$bench/run" nosuch
refused "an option that there is not" 1 'unknown option --nosuch' "$bench/run" --nosuch
refused "a file that cannot be written" 1 "$bench/run/such.json: cannot be written" "$bench/run" --json "$bench/run/such.json" print
part print <<<'row what unit 1 peer 2 "lkst=3"'
refused "a limit that is none" 1 "'lkst=3' is no limit" "$bench/print"
for limit in 'lkst>=5' 'lkst-peer<=5' '|lkst-peer|<=5'; do
	part print <<<"row what million/s 6 peer 2 '$limit'"
	refused "a limit that depends on the machine, $limit" 1 "what: '.*' is no limit of million/s, which .* machine" "$bench/print"
done
part print <<<'row what million/s 6 peer 5 "lkst-peer<=30%"'
ok "a ratio does not" "$bench/print"
part print <<<'row what unit'
refused "a row that lacks something" 1 'want six or seven arguments' "$bench/print"

# A part that waits, with a process of its own and one that has a process group of its own.
part print <<-END
	sleep 1000 &
	timeout 1000 sleep 1000 &
	wait
END
# How many of them there are still.
left() {
	local file num=0
	# shellcheck disable=SC2013 # they are words
	for file in $(grep -lsz "^TMPDIR=$TMPDIR\$" /proc/[0-9]*/environ); do
		case $({ tr '\0' ' ' <"${file%environ}cmdline"; } 2>/dev/null) in
		*'sleep 1000 ') num=$((num + 1)) ;;
		esac
	done
	echo $num
}
for signal in INT TERM HUP; do
	"$bench/run" print >"$work/out" 2>&1 &
	run=$!
	for ((i = 0; i < 300; i++)); do
		[ "$(left)" -lt 3 ] || break
		sleep 0.1
	done
	is "before SIG$signal: it runs" "$(left)" 3
	kill -s "$signal" "$run"
	wait "$run"
	is "ended by SIG$signal: status" $? $((128 + $(kill -l "$signal")))
	is "ended by SIG$signal: nothing is left that runs" "$(left)" 0
	is "ended by SIG$signal: nothing is left in TMPDIR" "$(ls "$TMPDIR")" ''
done
done_testing
