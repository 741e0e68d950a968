#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Tests the data of the page that lkstla html writes: lkstla_html.py compares them with the tables of
# the other analyses. It also tests the output file and errors.

. "$(dirname "$0")/host.sh"
use_tools mktrace mkmemory
real=$top/tests/host/lkstla_recompute.lkst
mktrace trace || bail_out 'no sample trace'

# --- the data

# same NAME TRACE [OPTION...]: test that lkstla_html.py finds no difference
same() {
	local name=$1
	shift
	contains "$name" "$("$top/tests/host/lkstla_html.py" "$@" 2>&1)" '^[0-9]{2,} values compared, 0 differ$'
}

same 'a real trace' "$real"
same 'a real trace: a window' "$real" --since +300ms --until +1s
same 'a real trace: a very short window' "$real" --since +300ms --until +300.001ms
same 'a real trace: some threads' "$real" -p 'sh,cat'
for seed in 1 2 3; do
	mktrace system "system" "$seed" && mktrace waits waits "$seed" && mktrace random random "$seed" ||
		bail_out 'no traces'
	same "simulated system $seed" system --any
	same "requests and locks $seed" waits --any
	same "random events $seed" random --any
done
mktrace back back || bail_out 'no trace with a clock that was set back'
same 'the clock was set back' back --last 1s

# data PAGE EXPRESSION: print the value of a JavaScript expression, in which "meta" is the metadata
# of the page
data() { node "$top/tests/host/html_data.js" "$1" | node -e 'const { meta } = JSON.parse(require("fs").readFileSync(0, "utf8")); console.log(JSON.stringify(eval(process.argv[1])));' "$2"; }

mkmemory image raw panic || bail_out 'no image of a dead machine'
lkstla report -f image --html death.html 2>/dev/null
contains 'a dead machine: how it died' "$(data death.html meta.report.death)" 'panic: Test of a page \(at [0-9:.]+, CPU 0, dying-42\)'
is 'the report of a live machine does not say so' "$(lkstla report -f "$real" --html live.html 2>/dev/null; data live.html meta.report.death)" null
mktrace history history || bail_out 'no trace with long rings'
lkstla report -f history --html history.html 2>/dev/null
is 'the history, with times since the start of the window' \
	"$(data history.html '(({ begin_ns, end_ns, left_out, rows, events_total, events }) => [begin_ns, end_ns, left_out, rows.length, events_total, events.map(({ time_ns, cpu, event_name, text }) => [time_ns, cpu, event_name, text])])(meta.report.history)')" \
	'[-3600000000100,-100,12,8,2,[[-2310000000100,0,"user_text","abcdefghijklmnopqrstuvwxyz\"01234"],[-1110000000100,0,"oops_printk","disk failure"]]]'
is 'a trace without long rings has no history' "$(data live.html meta.report.history)" null
mktrace marks marks 200102 || bail_out 'no trace of marks'
lkstla html -f marks -o marks.html 2>/dev/null
is 'all marks are counted, of which the page has the first' \
	"$(data marks.html '[meta.marks_total, meta.marks.length, meta.events.map(({ name, count, stored }) => [name, count, stored])]')" \
	'[200102,10000,[["user_mark",200101,200000],["user_text",1,1]]]'

# --- the output file

page() { lkstla html -f trace "$@"; }
ok 'a page' page -o page.html
is 'it begins like a page' "$(head -n 1 page.html)" '<!DOCTYPE html>'
is 'it ends like a page' "$(tail -n 1 page.html)" '</html>'
contains 'it has a title' "$(cat page.html)" '<title>trace( - LKST)?</title>'
cp trace '<&"x>'
lkstla html '<&"x>' -o odd.html 2>/dev/null
contains 'the title has the name of the file, as text' "$(cat odd.html)" '<title>&lt;&amp;&quot;x&gt;( - LKST)?</title>'
page -o - >piped.html 2>header
ok 'a pipe gets the same page' cmp page.html piped.html
is 'the header is on standard error' "$(cat header)" "$(page -o x.html 2>&1)"
is 'only its owner can read the page, as the trace' "$(umask 022; rm page.html; page -o page.html 2>/dev/null; stat -c %a page.html)" 600
contains 'the header' "$(cat header)" '^window .* 23 events, '

echo before >kept.html
refused 'the whole window must be in the trace' 1 'later than the trace' page -o kept.html --since +1h
is 'an existing file is kept if there is no page' "$(cat kept.html)" before
page -o kept.html 2>/dev/null
ok 'otherwise it is replaced' cmp kept.html page.html
refused 'a directory that does not exist' 1 'none/page.html: cannot be created: No such file' page -o none/page.html
refused 'a full disk' 1 '^lkstla: standard output: cannot be written: No space left' sh -c 'lkstla html -f trace -o - >/dev/full'
# stop SIGNAL COMMAND...: run the command, which replaces kept.html, and send it the signal while it
# is running. Sets $status. Fails if the command ended before the signal.
# shellcheck disable=SC2317 # until_true calls it
stop() {
	local signal=$1 pid
	shift
	echo before >kept.html
	"$@" 2>said &
	pid=$!
	stop_while "$pid" 'kept.html.*' || { wait "$pid"; return 1; }
	kill "-$signal" "$pid"
	kill -CONT "$pid"
	status=0
	wait "$pid" || status=$?
}
mktrace big 2 50000 || bail_out 'no big trace'
for signal in INT TERM HUP; do
	until_true stop $signal lkstla html -f big -o kept.html || fail "$signal is sent"
	is "$signal: no page is written" "$status $(cat said) $(cat kept.html)" '1 lkstla: stopped: no page is written before'
done
until_true stop HUP nohup lkstla html -f big -o kept.html || fail 'HUP is sent after nohup'
is 'with nohup, the page is written' "$status $(tail -n 1 kept.html)" '0 </html>'
is 'no temporary files are left' "$(ls -- *.html.* 2>/dev/null)" ''

head -c 13000 trace >damaged
fails 'a truncated trace fails' 1 lkstla html -f damaged -o damaged.html
ok 'what can be read is in the page' node "$top/tests/host/html_data.js" damaged.html

# --- errors

mktrace mark marks 2 || bail_out 'no trace without the necessary events'
lkstla html -f mark -o - >piped.html 2>said
is 'without the necessary events, nothing is written' "$? $(cat piped.html)" '1 '
contains 'the error says which are missing' "$(cat said)" '^lkstla: html: the trace lacks events that this analysis needs: '

refused 'no output' 2 '^lkstla html: -o is missing \(-o page.html, or -o - for a pipe\)$' page
refused 'neither an output nor a trace' 2 '^lkstla html: -o is missing' lkstla html
contains 'the help says that -o is required' "$(lkstla html --help | paste -sd ' ')" '^Usage: lkstla html \[-f FILE...\] -o FILE \[OPTION...\] .* -o, --output FILE  write the page to FILE \(required\); '
refused 'a terminal' 2 'refusing to write a page to a terminal' script -qec 'lkstla html -f trace -o -' /dev/null
cp trace same && ln same link
refused 'the trace cannot be the output' 2 'would replace the trace that is read' lkstla html -f same -o link
ok 'it is unchanged' cmp trace same
refused 'too many delays' 2 '"1001" is out of range' page -o page.html --slowest 1001
refused 'a window that is too long' 2 'longer than 52 days' lkstla html -f back -o back.html --since 2025-10-01
for option in --json --csv '-c 0' '--top 3' '--over 1ms'; do
	# shellcheck disable=SC2086 # the option and its value
	refused "$option" 2 "${option%% *} does not apply to this analysis" page -o page.html $option
done

# --- lkstla report --html

refused 'report: --json' 2 '--html cannot be combined with --json' lkstla report -f "$real" --html page.html --json
refused 'report: -c' 2 '--html cannot be combined with -c' lkstla report -f "$real" --html page.html -c 0
refused 'report: --thresholds' 2 '--html cannot be combined with --thresholds' lkstla report --html page.html --thresholds
lkstla report -f "$real" --html strict.html --threshold cpu-wait=1us 2>/dev/null
contains 'report: a threshold' "$(node "$top/tests/host/html_data.js" strict.html)" '"rule":"cpu-wait"'
lkstla report -f trace --html none.html --threshold crash=9 2>/dev/null
contains 'report: no findings' "$(node "$top/tests/host/html_data.js" none.html)" '"none":"No findings. Nothing reached a threshold: '

# The decoder detects a damaged page.
sed '/id="lkst-chunk-0"/ s/\(id="lkst-chunk-0">.\{100\}\)../\1zz/' page.html >broken.html
fails 'a damaged block is found' any node "$top/tests/host/html_data.js" broken.html
grep -v 'id="lkst-chunk-0"' page.html >broken.html
fails 'a missing block is found' 1 node "$top/tests/host/html_data.js" broken.html
done_testing
