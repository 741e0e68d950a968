#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Tests the common parts of all analyses of lkstla: input, window, header, selection of threads,
# forms of the output, and errors. tests/unit/analysis tests the analyses themselves.

# shellcheck disable=SC2002,SC2016 # cat makes the pipe that is tested; sh expands the strings
. "$(dirname "$0")/host.sh"
unset PAGER LKST_PAGER LESS NO_COLOR
use_tools mktrace
mktrace trace || bail_out 'no sample trace'
mktrace busy 3 4000 100 || bail_out 'no busy trace'

cpu() { lkstla cpu -f trace "$@"; }
# header COMMAND...: print the header of a report
header() { "$@" | sed '/^$/,$d'; }

# --- the header. In the sample trace both CPUs begin with recid 7. CPU 1 begins 100 ns later than
# CPU 0

is 'the header' "$(header cpu)" \
'window 03:04:05.0000001 .. 03:04:05.0000111 (11.0 us, 2 CPUs, 23 events, nothing lost)
unmatched: 2 begins without an end, 2 ends without a begin'
is '--any' "$(header cpu --any | head -n 1)" \
	'window 03:04:05.0000000 .. 03:04:05.0000111 (11.1 us, 2 CPUs, 24 events, nothing lost)'
is 'a window of one CPU' "$(mktrace one 1 100 && header lkstla cpu -f one | head -n 1)" \
	'window 03:04:05.0000000 .. 03:04:05.0000792 (79.2 us, 1 CPU, 100 events, nothing lost)'
contains 'thousands are separated' "$(header lkstla cpu -f busy)" '3 CPUs, 11,998 events'
contains 'local time' "$(TZ=XYZ-2:30 lkstla cpu -f trace)" '^window 05:34:05\.0000001 \.\.'

# --- the window

first() { header "$@" | sed -n '1s/^window \(.*\) (.*/\1/p'; }
is '--since' "$(first cpu --since 03:04:05.000005)" '03:04:05.0000050 .. 03:04:05.0000111'
is '--since before all CPUs have records' "$(first cpu --since +50ns)" '03:04:05.0000001 .. 03:04:05.0000111'
is '--until' "$(first cpu --until +5us)" '03:04:05.0000001 .. 03:04:05.0000050'
is '--last' "$(first cpu --last 2us)" '03:04:05.0000091 .. 03:04:05.0000111'
is '--last with --until' "$(first cpu --last 2us --until +5us)" '03:04:05.0000030 .. 03:04:05.0000050'
contains 'events after --until do not count' "$(cpu --until +5us)" ', 10 events'
mktrace late late || bail_out 'no trace with a late record'
is '--until before a late record' "$(header lkstla cpu -f late --until +43us | head -n 1)" \
	'window 03:04:05.0000000 .. 03:04:05.0000430 (43.0 us, 1 CPU, 50 events, nothing lost)'
refused '--since after the trace' 1 '^lkstla: --since "03:05" is later than the trace; the trace is from 2026-01-02 03:04:05.000000 to ' \
	cpu --since 03:05
refused '--until before the trace' 1 '--until "2026-01-01" is earlier than the trace; the trace is from ' cpu --until 2026-01-01
refused 'an empty window' 1 '^lkstla: All CPUs have records from 2026-01-02 03:04:05.000000 on \(--any' cpu --until +50ns
refused '--since after --until' 2 '--since "\+2us" is later than --until "\+1us"' cpu --since +2us --until +1us

# --- input

gzip -c trace >trace.gz && mkdir dir && cp trace dir
want=$(cpu)
is 'an operand' "$(lkstla cpu trace)" "$want"
is 'a directory' "$(lkstla cpu -f dir)" "$want"
is 'standard input' "$(lkstla cpu <trace)" "$want"
is 'a pipe' "$(cat trace | lkstla cpu -f -)" "$want"
is 'a compressed trace' "$(lkstla cpu -f trace.gz)" "$want"
refused 'no such file' 1 '^lkstla: nothing: open: No such file' lkstla cpu -f nothing
refused 'not a trace' 1 'not an LKST trace file' lkstla cpu -f "$top/README.md"
refused 'the trace has no such CPU' 1 '^lkstla: trace: no CPU 5, only CPUs 0-1$' cpu -c 5
head -c 13000 trace >damaged
fails 'a truncated trace fails' 1 sh -c 'lkstla cpu -f damaged >out'
contains 'a truncated trace is analysed' "$(cat out)" '^window '
incomplete='^incomplete: the file is damaged or truncated; its last records may be missing: each CPU is unknown after its last record, and threads that were not running are unknown after the earliest of these records$'
contains 'a truncated trace: the header says so' "$(lkstla cpu -f damaged 2>/dev/null)" "$incomplete"
contains 'a truncated trace: so does JSON' "$(lkstla cpu -f damaged --json 2>/dev/null)" '^ *"incomplete": true,$'
contains 'a truncated trace: JSON says that its end is missing' "$(lkstla cpu -f damaged --json 2>/dev/null)" '^ *"lacks_end": true,$'
head -c $(($(stat -c %s busy) * 8 / 10)) busy >cut
is 'a truncated trace: a CPU is unknown after its last record, with an unknown loss' \
	"$(lkstla sql 'SELECT cpu, number IS NULL FROM loss WHERE begin_ns = (SELECT max(time_ns) FROM event WHERE event.cpu = loss.cpu) AND cpu = 2' --csv -f cut 2>/dev/null | tail -n 1)" '2,1'
contains 'a truncated trace: lkstla cpu shows the unknown time' "$(lkstla cpu -f cut 2>/dev/null)" '^ +2( +[0-9.]+){6} +[1-9][0-9.]+( +[0-9.]+){4}$'
is 'a whole trace has no loss at its end' "$(lkstla sql 'SELECT count(*) FROM loss' --csv -f busy 2>/dev/null | tail -n 1)" 0
lacks 'a whole trace is not called incomplete' "$(lkstla cpu -f trace; lkstla cpu -f trace --json)" 'incomplete'

# --- files of kmemtrace. tests/unit/trace/test_kmemtrace.c tests how they are read

kmemtrace=$top/tests/fuzz/corpus/kmemtrace
mkdir saved other
cp "$kmemtrace/little" saved/cpu0 && cp "$kmemtrace/little" saved/cpu1 && : >saved/cpu2
cp "$kmemtrace/big" big-cpu0 && cp "$kmemtrace/damaged" bad-cpu0
want=$(lkstla mem -f saved)
is 'kmemtrace: the header' "$(header lkstla mem -f saved)" \
'window 00:00:00.0000000 .. 00:00:00.0000058 (5.9 us, 2 CPUs, 24 events, losses unknown)
kmemtrace: times count from the oldest event, in steps of 256 ns; it has no processes, no names of caches, and no time of day
less detail: kmemtrace does not record mem_vmalloc, mem_vfree'
contains 'kmemtrace: a call site' "$want" '^0xffffffff81000200 +cache +6 '
is 'kmemtrace: files' "$(lkstla mem -f saved/cpu0 -f saved/cpu1 -f saved/cpu2)" "$want"
is 'kmemtrace: operands' "$(lkstla mem saved/cpu1 saved/cpu0)" "$want"
is 'kmemtrace: no time zone' "$(TZ=XYZ-2:30 lkstla mem -f saved)" "$want"
is 'kmemtrace: the other byte order' "$(lkstla mem -f big-cpu0)" "$(lkstla mem -f saved/cpu0)"
echo 0 >saved/total_overruns
contains 'kmemtrace: nothing lost' "$(lkstla mem -f saved)" '2 CPUs, 24 events, nothing lost\)$'
printf '%s T %s\n' ffffffff81000200 get_object ffffffff81000280 next >list
contains 'kmemtrace: --symbols' "$(lkstla mem -f saved --symbols list)" '^get_object +cache +6 '
contains 'kmemtrace: -c' "$(lkstla mem -f saved -c 1)" '^0xffffffff81000200 +cache +3 '
refused 'kmemtrace: another CPU' 1 '^lkstla: the files: no CPU 3, only CPUs 0-1$' lkstla mem -f saved -c 3
refused 'kmemtrace: -p' 2 '^lkstla mem: -p: kmemtrace does not record processes$' lkstla mem -f saved -p 1
refused 'kmemtrace: --boot' 2 '^lkstla mem: big-cpu0: is a file of kmemtrace \(--boot requires an image' \
	lkstla mem -f big-cpu0 --boot 1
refused 'kmemtrace: two byte orders' 1 '^lkstla: big-cpu0: has another byte order than saved/cpu1 ' \
	lkstla mem -f saved/cpu1 -f big-cpu0
refused 'kmemtrace: a CPU twice' 2 '^lkstla mem: bad-cpu0: like saved/cpu0, its name says that it is from CPU 0 ' \
	lkstla mem -f saved/cpu0 -f bad-cpu0
refused 'kmemtrace: with a trace' 2 '^lkstla mem: trace: is not a file of kmemtrace, and cannot be read' \
	lkstla mem -f saved -f trace
refused 'kmemtrace: another analysis' 1 \
	'^lkstla: saved/cpu0: not an LKST trace file: it looks like a file of kmemtrace \(only "lkstla mem -f FILE"' \
	lkstla cpu -f saved
refused 'kmemtrace: no symbols' 1 '^lkstla: nothing: open: No such file' lkstla mem -f saved --symbols nothing
refused 'kmemtrace: damaged' 1 '^lkstla: bad-cpu0: offset 48: 48 bytes are damaged, ' lkstla mem -f bad-cpu0
contains 'kmemtrace: damaged: the header' "$(lkstla mem -f bad-cpu0 2>/dev/null)" '9 events, 1 lost\)$'
contains 'kmemtrace: damaged: JSON' "$(lkstla mem -f bad-cpu0 --json 2>/dev/null)" '^ *"incomplete": true,$'
cp trace saved/cpu1 other
refused 'kmemtrace: a directory with a trace' 1 'mem: the trace lacks events that this analysis needs' lkstla mem -f other

# --- the history, which lkstla report reads from the long rings. The input is opened only once

mktrace history history || bail_out 'no trace with long rings'
past() { lkstla report "$@" 2>&1 | sed -n '/^HISTORY$/,/^$/p'; }
# shades SHADE COUNT [SHADE COUNT...]: print each SHADE COUNT times
shades() { while [ $# -gt 0 ]; do printf "%${2}s" '' | tr ' ' "$1"; shift 2; done; }
want=$(past -f history)
is 'the history: an hour' "$want" "HISTORY
    from 02:04:05.000000 to 03:04:05.000000, 60 s in each column
    CPUs busy             |$(shades = 30 % 30)| max 85 %
    in interrupts         |$(shades . 60)| max 10 %
    idle, waiting for I/O |$(shades '?' 49 @ 1 '?' 10)| max 100 %
    runnable threads      |$(shades + 31 @ 29)| max 4
    available memory      |$(shades @ 31 + 29)| min 512 MB
    pressure: memory      |$(shades ' ' 31 + 29)| max 50 %
    rare events           |$(shades ' ' 21 . 1 ' ' 18 @ 1 . 2 ' ' 17)| max 0.2/s
    12 rare events were left out of the long rings, to keep the hour
    02:25:35.000000 [000] user_text \"abcdefghijklmnopqrstuvwxyz\"01234\"
    02:45:35.000000 [000] oops_printk \"disk failure\""
is 'the history: a pipe' "$(cat history | past -f -)" "$want"
is 'the history: a compressed trace' "$(gzip -c history >history.gz; past -f history.gz)" "$want"
mkfifo fifo
cat history >fifo &
is 'the history: a FIFO' "$(past -f fifo)" "$want"
wait
is 'the history: a trace without long rings' "$(past -f trace)" ''
lkstla report -f history --json 2>/dev/null | python3 -c '
import json, sys
past = json.load(sys.stdin)["report"]["history"]
print(past["begin_ns"], past["end_ns"], past["left_out"], past["events_total"])
for row in past["rows"]:
    values = row["values"]
    print(row["name"], row["unit"], row["full"], *(round(row[key], 2) for key in ("min", "max")), len(values), values[0], values[-1])
for event in past["events"]:
    print(event["time_ns"], event["cpu"], event["event_name"], event["text"])' >out
is 'the history: JSON' "$(cat out)" '1767319445000000000 1767323045000000000 12 2
CPUs busy % 100 35 85.0 60 35 85
in interrupts % 100 10 10.0 60 10 10
idle, waiting for I/O % 100 100 100 60 -1 -1
runnable threads  4 2 4 60 2 4
available memory MB 1024 512 1024 60 1024 512
pressure: memory % 100 0 50 60 0 50
pressure: I/O % 100 0 0 60 0 0
rare events /s 0.2 0 0.2 60 0 0
1767320735000000000 0 user_text abcdefghijklmnopqrstuvwxyz"01234
1767321935000000000 0 oops_printk disk failure'
refused 'lkstbuf print --long-ring without long rings' 0 '^lkstbuf: there are no long rings to read$' lkstbuf print --long-ring -f trace
contains 'lkstbuf print --long-ring' "$(lkstbuf print --long-ring -f history -n 1 2>&1 | tail -n 1)" ' lkst_digest_system +running=4 '

# Two files of a boot are read as one trace. If recids between the two files are missing, these
# records count as lost.
mktrace part1 2 2000 0 && mktrace part2 2 2000 2000 && mktrace late 2 2000 2500 && mktrace whole 2 4000 0
is 'two files are read as one trace' "$(lkstla cpu -f part1 -f part2)" "$(lkstla cpu -f whole)"
is 'CPUs that lack nothing' "$(first lkstla cpu -f part1)" '03:04:05.0000 .. 03:04:05.0015'
lkstla cpu -f part1 -f late >out 2>err || fail 'files with a gap'
contains 'lost records: standard error' "$(cat err)" '^lkstla: late: CPU 0: 500 events between the end of part1 and'
is 'lost records' "$(sed -n '1p; 2p' out)" \
'window 03:04:05.0000 .. 03:04:05.0035 (3.6 ms, 2 CPUs, 8,000 events, 1,000 lost)
lost: CPU 0 500 (03:04:05.0015 .. 03:04:05.0020), CPU 1 500 (03:04:05.0015 .. 03:04:05.0020)'
is 'records that were lost before the window' "$(lkstla cpu -f part1 -f late --since +2500us 2>/dev/null | sed -n 1p)" \
	'window 03:04:05.0025 .. 03:04:05.0035 (1.1 ms, 2 CPUs, 2,750 events, nothing lost)'

# Recording was off from 16 us to 32 us, and from 48 us to 72 us.
mktrace stops stops || bail_out 'no trace of a recording that was stopped'
stopped() { lkstla cpu -f stops "$@" | sed -n '/^stopped: /p'; }
is 'stopped twice' "$(stopped)" \
	'stopped: recording was off 2 times, 40.0 us in total (last: 03:04:05.0000480 .. 03:04:05.0000720)'
is 'stopped once, up to the end of the window' "$(stopped --since +40us --until +58us)" \
	'stopped: recording was off for 10.0 us (03:04:05.0000480 .. 03:04:05.0000580)'
is 'stopped when the window began' "$(stopped --since +20us --until +40us)" \
	'stopped: recording was off for 12.0 us (03:04:05.0000200 .. 03:04:05.0000320)'
is 'a window after a stop' "$(stopped --since +33us --until +40us)" ''
contains 'stopped: JSON' "$(lkstla cpu -f stops --json | paste -sd ' ')" ' "stops": 2, +"stopped_ns": 40000,'
is 'stopped: the CPU is unknown' "$(lkstla cpu -f stops --since +20us --until +32us --csv 2>/dev/null | sed -n 2p | cut -d , -f 8)" 1

# The sample trace and the parts are from different boots.
contains 'several boots: a note' "$(lkstla cpu -f trace -f part1 2>&1 >out)" \
	'^lkstla: the files are from several boots: only the newest boot is analysed'
is 'several boots: the newest one is analysed' "$(cat out)" "$(lkstla cpu -f part1)"

# --- options

for line in '2|--json and --csv cannot be combined|--json --csv' \
	'2|--last cannot be combined with --since|--last 1s --since 12:00' \
	'2|--children requires -p|--children' \
	'2|-f cannot be combined with --previous|--previous' \
	'2|trace: is not an image of memory|--boot 1' \
	'2|--since "x"|--since x' \
	'2|--last "x" is not a span of time|--last x' \
	'2|number of rows "0" is out of range|--top 0' \
	'2|-p does not apply to this analysis \(lkstla thread shows|-p bash' \
	'2|unknown option "--jsno"; did you mean "--json"|--jsno' \
	'2|no such file "nothing"$|nothing' \
	'1|--sort "foo": unknown key|--sort foo'; do
	IFS='|' read -r status says options <<<"$line"
	# shellcheck disable=SC2086 # unquoted, to split it into words
	refused "cpu $options" "$status" "$says" lkstla cpu -f trace $options
done
refused 'a process without -p' 2 'no such file "bash" \(processes follow -p, ' lkstla sched -f trace bash
refused 'map --sort' 2 '--sort does not apply to this analysis \(the columns .* order of time\)' lkstla map -f trace --sort letter
refused 'an unknown analysis' 2 'unknown command "cup"; did you mean "cpu"' lkstla cup

is '-c' "$(cpu -c 1 --csv 2>/dev/null | sed 1d | cut -d , -f 1)" 1
is '--top' "$(lkstla cpu -f busy --top 2 --csv 2>/dev/null | sed 1d | cut -d , -f 1 | paste -sd ' ')" '0 1'
is '--sort' "$(lkstla cpu -f trace --sort idle-% --csv 2>/dev/null | sed 1d | cut -d , -f 1 | paste -sd ' ')" '0 1'

# A file name is given as an operand where only threads are allowed. (A thread may be named like a
# file.)
mktrace system system 1 || fail 'a trace with wake-ups'
for command in thread why; do
	refused "$command: a file, without -f" 1 '^lkstla: "busy" is a file \(want -f busy to read it\)$' lkstla $command busy
	refused "$command: a second file" 1 '^lkstla: "busy" is a file \(want -f busy to read it\)$' lkstla $command busy -f system
	refused "$command: no thread, and no file" 1 'no thread in the trace is named "busi"' lkstla $command busi -f system
	lacks "$command: no thread, and no file: no hint" "$tap_output" 'is a file'
done
contains 'why: a thread with another name' "$(lkstla why busi-102 -f system 2>&1 >out)" '^lkstla: "busi-102": the thread with this number is thread-102$'
cp trace thread
contains 'thread: a thread with the name of a file' "$(lkstla thread -f system thread)" '^thread-102 '

# --- events that the trace lacks

fails 'needed events: status' 1 sh -c 'lkstla sched -f trace >out 2>err'
contains 'needed events: the header' "$(cat out)" '^window '
is 'needed events: no table' "$(grep -c '^thread' out)" 0
is 'needed events: the message' "$(cat err)" \
	'lkstla: sched: the trace lacks events that this analysis needs: no process_wakeup in the trace (to record it: lkstm config process_wakeup entry_log)
lkstla: If they were recorded, they did not happen.'
contains 'helpful events' "$(lkstla syscall -f trace)" \
	'^less detail: no process_waking, process_wakeup, system_call_path in the trace \(to record them: lkstm config process_waking,process_wakeup,system_call_path entry_log\)$'

# --- threads

calls() { lkstla syscall -f trace --any --csv "$@" 2>/dev/null | sed '/^$/,$d; 1d' | cut -d , -f 1; }
is '-p: a name' "$(calls -p bash)" "$(calls -p 100,101)"
refused '-p: no such name' 1 '^lkstla: no thread in the trace is named "cta"; did you mean "cat"\?$' lkstla syscall -f trace -p cta
refused '-p: a thread as tables show it' 1 '^lkstla: no thread in the trace is named "cta-101"; did you mean "101"\?$' lkstla syscall -f trace -p cta-101
refused '-p: no such number' 1 '^lkstla: no thread or process in the trace has the number 999$' lkstla syscall -f trace -p 999
is '-p: words that match nothing' "$(lkstla syscall -f trace --any --csv -p 'bash,cta,999,!nobody' 2>&1 >out | head -n 3)/$(grep -c . out)" \
	"lkstla: not all processes were found
lkstla: no thread in the trace is named \"cta\"; did you mean \"cat\"?
lkstla: no thread or process in the trace has the number 999/$(lkstla syscall -f trace --any --csv -p bash 2>/dev/null | grep -c .)"
is '-p: all words match' "$(lkstla syscall -f trace --any --csv -p 'bash,!cat' 2>&1 >out)" "$(lkstla syscall -f trace --any --csv 2>&1 >out)"
refused '-p: an empty word' 2 'empty process name in "a,,b"' lkstla syscall -f trace -p a,,b
ok '-p: all but a name' lkstla syscall -f trace -p '!cat'
ok '-p: a name that a thread got later' lkstla syscall -f trace -p cat

# --- forms

cpu --json >json
ok '--json is JSON' perl -MJSON::PP -e 'local $/; decode_json(<STDIN>)' <json
field() { perl -MJSON::PP -e 'local $/; my $at = decode_json(<STDIN>); $at = ref $at eq "ARRAY" ? $at->[$_] : $at->{$_} for @ARGV; print $at' "$@"; }
is '--json: begin' "$(field window begin_ns <json)" 1767323045000000100
is '--json: end' "$(field window end_ns <json)" 1767323045000011100
is '--json: events' "$(field window events <json)" 23
is '--json: a table' "$(field cpus 1 switches <json)" 2
is '--json: losses' "$(lkstla cpu -f part1 -f late --json 2>/dev/null | field window losses 1 lost)" 500
is '--json: events that the trace lacks' "$(lkstla syscall -f trace --json | field window missing_events 0 event_name)" process_waking
fails '--json: needed events' 1 sh -c 'lkstla sched -f trace --json >out 2>/dev/null'
is '--json: needed events are listed' "$(field window missing_events 0 event_name <out)/$(field window missing_events 0 needed <out)" process_wakeup/1
is '--csv: the header goes to standard error' "$(cpu --csv 2>&1 >/dev/null)" "$(header cpu)"
is '--csv: the first line' "$(cpu --csv 2>/dev/null | sed -n '1s/,.*//p')" cpu
is 'no colour without a terminal' "$(cpu | grep -c "$(printf '\033')")" 0
ok 'a closed pipe is not an error' bash -c 'set -o pipefail; lkstla cpu -f busy | head -n 1 | cat >/dev/null; true'

# --- a terminal: colours and the pager are used only there. print_options.t tests the pager itself

# terminal COMMAND: run COMMAND on a terminal. Sets $status to its exit status, and writes its
# output to the file "seen".
terminal() {
	status=0
	TERM=xterm script -qec "$1" /dev/null </dev/null >screen || status=$?
	tr -d '\r' <screen >seen
}
printf '#!/bin/sh\necho PAGER\ncat\n' >page
chmod +x page
plain() { sed "s/$(printf '\033')\[[0-9;]*m//g" seen; }
terminal 'stty cols 500; LKST_PAGER=./page lkstla cpu -f trace'
is 'pager: status' $status 0
is 'pager: it receives the report' "$(plain)" "PAGER
$(cpu)"
mktrace random random 1 || bail_out 'no random trace'
terminal 'COLUMNS=100 lkstla sched -f random --any --histogram --no-pager'
ok 'bars on a terminal' test "$(plain | grep -c '  ##*$')" -ge 2
is 'no bars without a terminal' "$(lkstla sched -f random --any --histogram | grep -c '#')" 0
# Pauses make the analysis take longer than the half second for which no progress is shown.
cat >pauses <<'END'
lkstla cpu -f long --no-pager >table &
for _ in 1 2 3 4 5 6; do
	sleep 0.1
	kill -STOP $! 2>/dev/null || break
	sleep 0.6
	kill -CONT $!
done
wait $!
END
mktrace long 4 500000 || bail_out 'no long trace'
terminal 'bash pauses'
ok 'progress is shown on a terminal' grep -q '^lkstla: analysing  *[0-9]*%' <(tr '\r' '\n' <screen)
ok 'progress is erased at the end' grep -q "%$(printf '\033\[K.*\r\033\[K')\$" screen
bash pauses 2>err
is 'no progress without a terminal' "$(cat err)" ''
rm long
for option in --no-pager --csv --json; do
	terminal "LKST_PAGER=./page lkstla cpu -f trace $option"
	lacks "no pager with $option" "$(cat seen)" PAGER
done
terminal "LKST_PAGER=./page lkstla cpu -f damaged"
is 'pager: the status is that of the analysis' $status 1
terminal 'LKST_PAGER=./page lkstla sched -f trace'
is 'pager: needed events' "$(plain | head -n 2 | cut -d ' ' -f 1 | paste -sd ' ')/$(tail -n 2 seen | sed -n '1p' | cut -d : -f 2)" 'PAGER window/ sched'
terminal 'NO_COLOR=1 lkstla cpu -f trace --no-pager'
lacks 'no colour with NO_COLOR' "$(cat seen)" "$(printf '\033')"

# --- no crash, whatever is in a trace

analyses=$(lkstla help | sed -n '/^  version/q; s/^  \([a-z]*\(, [a-z]*\)*\)  *[a-z].*/\1/p' | tr -d ,)
# Print the operands and options that an analysis requires, or without which it does less.
own() {
	case $1 in
	thread) echo all ;;
	pair) echo process_contextswitch process_wakeup by cpu ;;
	noise) echo -c 0 ;;
	net) echo --slowest 100 ;;
	mem) echo --grew-since +1us ;;
	sql) echo @all.sql ;;
	diff) echo --all trace ;;
	html) echo -o page.html ;;
	esac
}
echo 'SELECT count(args), (SELECT count(waker) FROM state), (SELECT count(name) FROM irq),
	(SELECT count(operation) FROM block), (SELECT count(kind) FROM lock), (SELECT count(error) FROM syscall),
	(SELECT count(command) FROM thread), (SELECT sum(number) FROM loss) FROM event' >all.sql
crashed=''
for seed in 1 2 3; do
	mktrace random random $seed || fail "random trace $seed"
	for analysis in $analyses; do
		for form in '' --json; do
			[ "$analysis $form" != 'html --json' ] || continue # it writes a page only
			status=0
			# shellcheck disable=SC2046 # unquoted, to split it into words
			lkstla "$analysis" $(own "$analysis") -f random --any $form >out 2>&1 || status=$?
			[ $status -le 1 ] || crashed="$crashed
$analysis $form, seed $seed: status $status: $(tail -n 1 out)"
		done
	done
done
is 'random traces: every analysis ends with status 0 or 1' "$crashed" ''
is 'random traces: the shares of the time of a CPU add up to 1' \
	"$(lkstla cpu -f random --any --csv 2>/dev/null | awk -F , 'NR > 1 { printf "%.6f\n", $2 + $3 + $4 + $5 + $6 + $7 + $8 }' | sort -u)" 1.000000

# --- command lines and files

mktrace files files || fail 'a trace with files'
contains 'syscall: the files of the longest calls' "$(lkstla syscall -f files 2>&1)" \
	'^write  300000\.0  /srv/newä.012$'
is 'syscall: the files of the longest calls, CSV' "$(lkstla syscall -f files --csv 2>/dev/null | sed -n '/^call,max_ns,file$/,$p')" \
'call,max_ns,file
write,300000000,/srv/newä\012
read,100000000,/srv/my file'
is 'thread: the command line' "$(lkstla thread -f files --csv worker 2>/dev/null | head -n 2)" \
'process,command
100,worker --input=my\040file ä'
contains 'thread: the files of the longest calls' "$(lkstla thread -f files worker 2>&1)" \
	'^worker-100  read   100000\.0  03:04:06\.100000  /srv/my file$'
is '-p: an argument of a process' "$(lkstla syscall -f files -p 'my file' 2>&1 >/dev/null | tail -n 2)" \
'lkstla: no thread in the trace is named "my file"
lkstla: process 100 has "--input=my file" in its command line; did you mean -p 100?'
contains '-p: similar to an argument' "$(lkstla syscall -f files -p 'input=my flie' 2>&1 >/dev/null)" \
	'process 100 has "--input=my file" in its command line; did you mean -p 100\?$'
contains 'thread: an argument of a process' "$(lkstla thread -f files 'my file' 2>&1 >/dev/null)" \
	'process 100 has "--input=my file" in its command line; did you mean -p 100\?$'
contains 'lkstbuf print -p: an argument of a process' "$(lkstbuf print -f files -p 'my file' 2>&1)" \
	'process 100 has "--input=my file" in its command line; did you mean -p 100\?$'
lkstbuf read --trace files -f without --no-files || fail 'without files'
is 'thread without command lines' "$(lkstla thread -f without --csv worker 2>/dev/null | head -n 1 | cut -d , -f 1-3)" 'thread,state,cause'

# --- stacks and paths

mktrace sleeps sleeps || fail 'a trace with stacks and paths'
# from HEADING: print the table with this first line
from() { sed -n "/^$1/,/^\$/p"; }
is 'offcpu: stacks, CSV' "$(lkstla offcpu -f sleeps --csv 2>/dev/null | from 'thread,.*,stack$')" \
'thread,cause,sleeps,blocked_ns,max_ns,at_ns,stack
reader-100,D page fault in openat,1,8000000,8000000,1767323045014491000,io_schedule<-my_read_folio[my;fs]<-0xffffffff82000010
reader-100,S in read,2,6001000,3001000,1767323045006246000,pipe_read<-vfs_read<-ksys_read<-do_syscall_64<-entry_SYSCALL_64
reader-100,D in exit,1,500000,500000,1767323045015346000,'
contains 'offcpu: stacks, text' "$(lkstla offcpu -f sleeps)" \
	'^reader-100  S in read  .*  pipe_read<-vfs_read<-ksys_read<-do_syscall_64<-\.\.\.$'
is 'offcpu: stacks, JSON' "$(lkstla offcpu -f sleeps --json | field stacks 1 stack)" \
	'pipe_read<-vfs_read<-ksys_read<-do_syscall_64<-entry_SYSCALL_64'
is 'offcpu --folded with stacks' "$(lkstla offcpu -f sleeps --folded 2>/dev/null)" \
'reader-100;0xffffffff82000010;my_read_folio[my:fs];io_schedule;D page fault in openat 8000
reader-100;entry_SYSCALL_64;do_syscall_64;ksys_read;vfs_read;pipe_read;S in read 6001
reader-100;-;D in exit 500'
# Output for other programs must be empty if the trace lacks the events for it.
for command in 'offcpu --folded' 'profile --folded' 'wake --dot'; do
	# shellcheck disable=SC2086 # a subcommand and an option
	lkstla $command -f trace >out 2>err
	is "$command without the events: standard output" "$? $(cat out)" '1 '
	contains "$command without the events: standard error" "$(paste -sd ' ' err)" '^window .* lkstla: .*: the trace lacks events'
done
is 'offcpu --folded --over' "$(lkstla offcpu -f sleeps --folded --over 3001us 2>/dev/null | wc -l)" 2
lkstbuf read --trace sleeps -e '!process_block' -f without || fail 'without stacks'
contains 'offcpu: how to record stacks' "$(lkstla offcpu -f without)" \
	'^less detail: .*\(to record them: lkstm config .*,process_block entry_log\)$'
is 'offcpu without stacks: one table' "$(lkstla offcpu -f without --csv 2>/dev/null | grep -c ^thread,)" 1
is 'offcpu --folded without stacks' "$(lkstla offcpu -f without --folded 2>/dev/null | tail -n 1)" 'reader-100;D in exit;- 500'
is 'syscall: paths, CSV' "$(lkstla syscall -f sleeps --csv 2>/dev/null | from 'call,max_ns,file')" \
'call,max_ns,file,new_path
openat,8035000,/a/path/that/takes/more/than/one/record/and/continues/in/others,
read,3036000,/srv,
rename,10000,/a,/b
renameat2,10000,/srv/old\012,new'
is 'thread: paths, CSV' "$(lkstla thread reader -f sleeps --csv 2>/dev/null | from 'thread,call,max_ns' | head -n 5)" \
'thread,call,max_ns,at_ns,file,new_path
reader-100,openat,8035000,1767323045014516000,/a/path/that/takes/more/than/one/record/and/continues/in/others,
reader-100,read,3036000,1767323045006271000,/srv,
reader-100,rename,10000,1767323045014736000,/a,/b
reader-100,renameat2,10000,1767323045014626000,/srv/old\012,new'
is 'syscall --over: a path' "$(lkstla syscall -f sleeps --over 8ms --csv 2>/dev/null | from 'call,max_ns,file')" \
'call,max_ns,file
openat,8035000,/a/path/that/takes/more/than/one/record/and/continues/in/others'

# --- report. tests/unit/analysis/test_report.c tests the findings themselves

findings=$(lkstla report --thresholds | sed 's/ .*//')
is 'report: lkstla-findings(7) has a section for each finding' \
	"$(sed -n 's/^\.Ss //p' "$top/Documentation/man/lkstla-findings.7")" "$findings"
is 'report: lkstla-findings(7) has the thresholds' \
	"$(sed -n 's/^Threshold: \(.*\)\.$/\1/p' "$top/Documentation/man/lkstla-findings.7")" \
	"$(lkstla report --thresholds | sed 's|^[^ ]* *||; s/  .*//; s|/s$| per second|; s/\.0 / /; s/^1000 ms/1 s/')"
is 'report --thresholds --csv' "$(lkstla report --thresholds --csv | sed -n '1p; /^oops,/p; /^cpu-wait,/p; /^irq-busy,/p')" \
'finding,threshold,unit,what
oops,1,count,oopses and panics of the kernel
cpu-wait,100000000,ns,wait of a runnable thread for a CPU
irq-busy,0.3,share,share of a CPU for interrupts and softirqs'
is 'report --thresholds --json: all of them' \
	"$(lkstla report --thresholds --json | perl -MJSON::PP -0777 -ne 'print "$_->{finding}\n" for @{decode_json($_)->{thresholds}}')" "$findings"
for line in 'cpu-wait=|want cpu-wait=VALUE, which is a time' 'irq-busy=101|percent' 'errors=0|at least 1' \
	'mem-grew=x|K, M or G' 'x|unknown name' 'cpu-wiat=1s|did you mean "cpu-wait"'; do
	refused "report --threshold ${line%%|*}" 2 "${line#*|}" lkstla report -f trace --threshold "${line%%|*}"
done
mktrace random random 2 || fail 'random trace 2'
low=()
for finding in $findings; do
	case $finding in
	irq-busy | idle-queued) low+=(--threshold "$finding=0.0001%") ;;
	errors | drops | mem-grew) low+=(--threshold "$finding=1") ;;
	*-wait | *-long | *-late | *-slow | irqs-off) low+=(--threshold "$finding=1ns") ;;
	esac
done
report() { lkstla report -f random --any "${low[@]}" "$@" 2>/dev/null; }
report >page
report --json >json
ok 'report: findings' test "$(grep -c '^    lkst' page)" -ge 5
broken=''
while read -r command; do
	status=0
	# shellcheck disable=SC2086 # unquoted, to split it into words
	$command >/dev/null 2>out || status=$?
	[ $status -le 1 ] || broken="$broken
$command: $(tail -n 1 out)"
done < <(sed -n 's/^    \(lkst.*\)/\1/p' page)
is 'report: the commands that it shows can be run' "$broken" ''
is 'report --json: the same findings' "$(perl -MJSON::PP -0777 -ne 'print "$_->{more}\n" for @{decode_json($_)->{findings}}' json)" \
	"$(sed -n 's/^    \(lkst.*\)/\1/p' page)"
is 'report --csv: the tables' "$(report --csv | grep -o '^[a-z_]*,[a-z_]*,[a-z_]*' | grep -E '^(finding,count|cpu,user|thread,runs|finding,worst)' | paste -sd ' ')" \
	'finding,count,worst cpu,user,kernel thread,runs,preempted finding,worst_ns,at_ns'
is 'report -p: no findings about CPUs' "$(report -p 100 | grep -cE ' (irq-busy|idle-queued|timer-late)$')" 0
contains 'report: what was not looked for' "$(lkstla report -f trace)" \
	'^    not looked for: .*, cpu-wait, .*no .*process_wakeup.*\(to record them: lkstm config .*process_wakeup.* entry_log; lock events cannot be recorded while lkstlogd is running\)$'
mktrace whole 2 4000 0 && mktrace part1 2 2000 0 && mktrace late 2 2000 2500
contains 'report: lost records' "$(lkstla report -f part1 -f late 2>/dev/null)" 'records are missing: 1000, the largest gap on CPU'
contains 'report: no findings' "$(lkstla report -f whole)" '^    No findings. Nothing reached a threshold: oops 1, '

mktrace hostile hostile || fail 'a hostile trace'
is 'hostile: only printable characters' \
	"$(for form in '' --json --csv; do
		lkstla cpu -f hostile --any $form 2>&1
		lkstla report -f hostile --any $form "${low[@]}" 2>&1
	done | LC_ALL=C grep -caP '[\x00-\x09\x0b-\x1f\x7f]|\x9b|\xe2\x80\xae')" 0
done_testing
