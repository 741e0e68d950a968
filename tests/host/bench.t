#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Tests bench/run: its table, its verdicts and its JSON, and what it does if a part fails or a
# signal interrupts it. The parts here are fakes, because their measurements do not matter.

set -m	# so that processes in the background can be interrupted
. "$(dirname "$0")/host.sh"
mkdir -p "$work/tree/bench" "$work/tree/scripts" "$work/tmp"
cp "$top/scripts/common.sh" "$work/tree/scripts"
cp "$top"/bench/{run,common.sh,table.awk} "$work/tree/bench"
bench=$work/tree/bench
json=$work/tree/results/bench.json
export TMPDIR=$work/tmp

# part NAME: create bench/NAME, a part of the benchmark. It runs the commands that this function
# reads from standard input.
part() {
	{
		# shellcheck disable=SC2016 # the part expands them
		printf '#!/usr/bin/env bash\n# usage: bench/%s\n\nset -eu\nprog=%s\n. "$(dirname "$0")/common.sh"\nbegin "$@"\n' "$1" "$1"
		cat
		echo finish
	} >"$bench/$1"
	chmod +x "$bench/$1"
}

# line TABLE TEXT: print the rows that contain the text
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
contains "text instead of a value: no verdict" "$(line "$table" 'peer/lkst >= 6 ')" 'LTTng +not built +peer/lkst >= 6  +- +2$'
contains "no limit: a ratio, but no verdict" "$(line "$table" 'for information')" 'perf +150 +3.00 +-$'
contains "a difference" "$(line "$table" 'per cent, above')" ' 0.200 %  .*met$'
contains "a negative difference" "$(line "$table" 'per cent, below')" ' 0.200 %  .*met$'
contains "per cent" "$(line "$table" 'part of')" ' 70.000 %  lkst/peer >= 70 %  +met$'
contains "the notes" "$table" '^ *2  no "sources" \\ here$'
contains "the summary line" "$table" '^5 met, 0 missed, 0 failed$'

part native <<-'END'
	echo 'a line of output'
	row 'too many' instructions 64.001 '' '' 'lkst<=64'
	row 'too few' instructions 10 ftrace 64 'peer/lkst>=6.5'
	row 'not measured' instructions 'not measured' ftrace 64 'peer/lkst>=6.5'
	row 'too far off' instructions 99 nothing 100 '|lkst-peer|<=0.3%'
END
part masked <<<'row "before it failed" instructions 1 "" "" "lkst<=2"; exit 3'
part print <<<'row "after it failed" events/s 6 trace-cmd 0.5 "lkst/peer>=10"'
fails "missed limits and a part that fails: status 1" 1 "$bench/run" record native masked print
table=$("$bench/run" record native masked print 2>"$work/output")
for what in 'too many' 'too few' 'not measured' 'too far off'; do
	contains "$what: the limit is missed" "$(line "$table" "  $what")" ' missed$'
done
contains "a part that fails is in the table" "$table" '^  all of it .*status 3 .* failed +[0-9]+$'
contains "rows from before the failure are in the table" "$table" '^  before it failed .* met$'
contains "the other parts still run" "$table" '^  after it failed .* 12.00 .* met$'
contains "the summary line counts all parts" "$table" '^7 met, 4 missed, 1 failed$'
contains "the output of a part is shown" "$(cat "$work/output")" '^a line of output$'
lacks "the output of a part is not in the table" "$table" 'a line of output'
lacks "a part of bench/run prints no table of its own" "$(cat "$work/output")" 'verdict'
contains "JSON: a row" "$(cat "$json")" '^    \{"part": "record", "what": "times fewer", "unit": "instructions", "lkst": 100.5, "peer": "ftrace", "peers_value": 653.25, "ratio": 6.50, "limit": "peer/lkst>=6.5", "verdict": "met", "note": "a note"\},$'
contains "JSON: text, with quotes and backslashes escaped" "$(cat "$json")" '"peers_value": "not built", "ratio": null, .*"note": "no \\"sources\\" \\\\ here"'
contains "JSON: the summary" "$(tr -d '\n' <"$json")" '  "met": 7,  "missed": 4,  "failed": 1\}$'
"$bench/run" --json "$work/mine.json" print >/dev/null 2>&1
is "all limits are met: status 0" $? 0
contains "--json" "$(cat "$work/mine.json")" '"after it failed"'

refused "an unknown part" 1 "unknown part 'nosuch' \(want one of: record " "$bench/run" nosuch
refused "an unknown option" 1 'unknown option --nosuch' "$bench/run" --nosuch
refused "a file that cannot be written" 1 "$bench/run/such.json: cannot be written" "$bench/run" --json "$bench/run/such.json" print
part print <<<'row what unit 1 peer 2 "lkst=3"'
refused "an invalid limit is refused" 1 "'lkst=3' is not a valid limit" "$bench/print"
for limit in 'lkst>=5' 'lkst-peer<=5' '|lkst-peer|<=5'; do
	part print <<<"row what million/s 6 peer 2 '$limit'"
	refused "a limit on a value that depends on the machine, $limit" 1 "what: '.*' is not a valid limit for million/s, which .* machine" "$bench/print"
done
part print <<<'row what million/s 6 peer 5 "lkst-peer<=30%"'
ok "a ratio of such values may have a limit" "$bench/print"
part print <<<'row what unit'
refused "a row with too few arguments" 1 'want six or seven arguments' "$bench/print"

# A part that waits for two children, one of them in another process group. No other process has
# the number $$ in its command line.
part print <<-END
	sleep 1000.$$ &
	timeout 1000 sleep 1000.$$ &
	wait
END
# Print how many of the three processes that the part starts are running.
left() { pgrep -fc "sleep 1000\\.$$\$"; }
# shellcheck disable=SC2317 # until_true calls it
all_run() { [ "$(left)" = 3 ]; }
for signal in INT TERM HUP; do
	"$bench/run" print >"$work/out" 2>&1 &
	run=$!
	ok "before SIG$signal: all processes run" until_true all_run
	kill -s "$signal" "$run"
	wait "$run"
	is "ended by SIG$signal: status" $? $((128 + $(kill -l "$signal")))
	is "ended by SIG$signal: no process is left" "$(left)" 0
	is "ended by SIG$signal: nothing is left in TMPDIR" "$(ls "$TMPDIR")" ''
done
done_testing
