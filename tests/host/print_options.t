#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# lkstbuf print: which events (processes, times), how (styles of time, JSON), and where to (pager, colour).

# shellcheck disable=SC2016 # what perl and sh expand
set -u
. "$(dirname "$0")/../tap.sh"
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export TZ=UTC LC_ALL=C
unset PAGER LKST_PAGER LESS NO_COLOR
PATH=$top/tools/lkst:$PATH
cd "$work" || exit

{ make -s -C "$top/tools/lkst" && make -s -C "$top/tests/unit" build/mktrace; } >make.log 2>&1 ||
	bail_out "the tools do not build: $(tail -n 5 make.log)"
"$top/tests/unit/build/mktrace" trace || bail_out 'no sample trace'

plain() { grep -v '^#' | tr -s ' '; }
print() { lkstbuf print -f trace "$@"; }
# The times that are printed, one column
times() { print "$@" | grep -v '^#' | cut -c 1-18; }
lines() { print "$@" | plain | wc -l | tr -d ' '; }

# --- processes

is '-p: a name' "$(print -p cat | plain)" "$(print | plain | grep -F '] cat-')"
is '-p: a number' "$(print -p 101 | plain)" "$(print | plain | grep -F '] bash-101')"
is '-p: a pattern' "$(lines -p '?a[st]*')" 24
is '-p: several' "$(print --only -p 100,201 | plain)" "$(print | plain | grep -E '\] (bash-100|cat-201) ')"
is '-p: several options' "$(print -p 100 -p 201 | plain)" "$(print -p 100,201 | plain)"
is '-p: not' "$(print -p '!cat' | plain)" "$(print | plain | grep -vF '] cat-')"
is '-p: all but' "$(print -p 'all,!cat' | plain)" "$(print -p '!cat' | plain)"
is '-p: what is about them, too' "$(print -p 201 | plain)" "$(print | plain | grep -E '\] [a-z]+-201 |=[a-z]+-201 ')"
is '--only: what they do themselves' "$(print -p 201 --only | plain)" "$(print | plain | grep -E '\] [a-z]+-201 ')"
refused '--only without -p' 2 '^lkstbuf print: --only is for -p' print --only
is '-p with -e and -n' "$(print -p cat -e process_exec -n 1 -r | plain | cut -d ' ' -f 3,5)" 'cat-200 process_exec'
is '-p: none there' "$(lines -p nobody)" 0
refused 'nothing matches: -p' 1 '^lkstbuf: no thread is called "cta" in it; did you mean "cat"\?$' print -p cta
refused 'nothing matches: when the trace is' 1 \
	'^lkstbuf: no event matches; the trace is from 2026-01-02 03:04:05.000000 to ' print --until 2026-01-01
refused 'nothing matches: --summary' 1 'no event matches' print --summary -e oops_die
contains '-p with --summary' "$(print -p cat --summary)" '^events +14$'
refused '-p: an empty word' 2 'empty name of a process in "a,,b"' print -p a,,b
refused '-p: a number that is none' 2 'process "4294967296" is out of range' print -p 4294967296

# --- system calls

is '-e: a system call' "$(print -e clone | plain)" "$(print | plain | grep -F ' number=clone ')"
is '-e: not a system call' "$(print -e 'system_call_*,!clone' | plain)" "$(print | plain | grep -F ' number=read ')"
is '-e: a pattern of system calls' "$(print -e 'clon?' | plain)" "$(print -e clone | plain)"

# --- what took long: an interrupt took 1 us; two system calls have not returned by the end

is '--longer' "$(print --longer 1us -e 'int_*' | plain)" "$(print -e int_hardware_entry,int_hardware_exit | plain)"
is '--longer: longer' "$(print --longer 1.001us | plain)" "$(print -e clone | plain)"
is '--longer: and what did not end' "$(lines --longer 1us)" 6
is '--longer with -p' "$(lines --longer 1us -p cat)" 4
contains '--longer with --summary' "$(print --longer 1us --summary)" '^events +6$'
refused '--longer: no span' 2 '^lkstbuf print: --longer "1x" is not a span of time: 1ms' print --longer 1x
refused '--longer: nothing' 2 '"0" is not a span of time' print --longer 0
refused '--longer: into the past' 2 '"-1ms" is not a span of time' print --longer -1ms
refused '--longer with --follow' 2 '--follow does not go with it' lkstbuf print -F --longer 1ms

# --- times: from the first to the last event it is 03:04:05.000000000 to 03:04:05.000011100

is '--since: time of day' "$(times --since 03:04:05.000011)" "03:04:05.000011100
03:04:05.000011000"
is '--until: time of day' "$(times --until 03:04:05.0000001)" "03:04:05.000000100
03:04:05.000000000"
is '--since: date' "$(times --since '2026-01-02 03:04:05.000011')" "$(times --since 03:04:05.000011)"
is '--since: epoch' "$(times --since @1767323045.000011)" "$(times --since 03:04:05.000011)"
is '--since: before the newest' "$(times --since -100ns)" "$(times --since 03:04:05.000011)"
is '--until: after the oldest' "$(times --until +100ns)" "$(times --until 03:04:05.0000001)"
is '--since and --until' "$(times --since +5us --until +5100ns -r)" "03:04:05.000005000
03:04:05.000005100"
is '--since: all' "$(lines --since -1d)" 24
is '--since: nothing' "$(lines --since '2026-01-02 03:04:06')" 0
is '--since: local time' "$(TZ=XYZ-2 times --since 05:04:05.000011 -n 1)" 05:04:05.000011100
is '--since: in UTC with --time utc' "$(TZ=XYZ-2 times --time utc --since 03:04:05.000011 -n 1)" 03:04:05.000011100
is '--since: another day' "$(TZ=XYZ4 times --since 23:04:05.000011 -n 1)" 23:04:05.000011100
contains '--since with --summary' "$(print --since -100ns --summary)" '^events +2$'
refused '--since: no time' 2 '--since "yesterday" is no time: HH:MM:SS' print --since yesterday
contains '--since: no time: what would be one' "$tap_output" '@SECONDS of the epoch'
refused '--until: no time' 2 '--until "25:00:00" is no time' print --until 25:00:00
refused '--since after --until' 2 'nothing is between --since "03:04:06" and --until "03:04:05"' \
	print --since 03:04:06 --until 03:04:05

# --- styles of time

is '--time local' "$(TZ=XYZ-2:30 print --time local -n 1)" "$(TZ=XYZ-2:30 print -n 1)"
is '--time utc' "$(TZ=XYZ-2:30 print --time utc)" "$(TZ=UTC print)"
is '--time relative' "$(times --time relative -r -n 3)" "       0.000000000
       0.000000100
       0.000001000"
is '--time relative: to the beginning of the trace, whatever is shown' \
	"$(times --time relative -n 1)$(times --time relative -c 1 -e process_exec)" "       0.000011100       0.000005100"
is '--time delta' "$(times --time delta -r -n 3)" "       0.000000000
       0.000000100
       0.000000900"
is '--time delta: newest first' "$(times --time delta -n 2)" "       0.000000000
      -0.000000100"
is '--time delta: to what is shown' "$(times --time delta -r -e process_exec)" "       0.000000000
       0.000000100"
is '--time raw' "$(print --time raw -r -n 1)" \
"# time              cpu   process-thread            flg event                 arguments
1767323045000000000 [000] bash-100                  ... lkst_trc_start        maskset=2"
for style in relative delta raw; do
	lacks "--time $style: no date" "$(print --time $style)" '^# Fri'
done
is '--time utc with -C' "$(TZ=XYZ-2:30 print --time utc -C)" "$(TZ=UTC print -C)"
refused '--time: none of them' 2 '--time "x" is none of local, utc, relative, delta, raw' print --time x
refused '--time raw with -C' 2 '--time with -C or --json: local or utc' print --time raw -C
refused '--time with -S' 2 '-S prints seconds of the epoch' print --time utc -C -S

# --- JSON

print --json >json
is '--json: the first line' "$(print --json -r -n 1)" \
'{"time":"2026-01-02T03:04:05.000000000+00:00","time_ns":1767323045000000000,"cpu":0,"buffer":0,"recid":7,"event_type":3844,"event_name":"lkst_trc_start","thread":100,"name":"bash","pid":100,"pgrp":100,"uid":1000,"gid":100,"flags":[],"arg":[2,0,0,0],"fields":{"maskset":2}}'
contains '--json: flags' "$(print --json -e int_hardware_entry -n 1)" '"flags":\["hardirq"\]'
contains '--json: an event without a description' "$(print --json -e 0x123 -n 1)" \
	'"event_type":291,"event_name":"user_0x123",.*"arg":\[1,2,3,4\]\}$'
contains '--json: local time' "$(TZ=XYZ3:30 print --json -r -n 1)" '"time":"2026-01-01T23:34:05.000000000-03:30"'
contains '--json: UTC' "$(TZ=XYZ3:30 print --json --time utc -r -n 1)" '"time":"2026-01-02T03:04:05.000000000\+00:00"'
lacks '--json: a decimal number is no string' "$(cat json)" '"fields":.*:"-?[0-9]+"'
is '--json: an object for each event' "$(wc -l <json | tr -d ' ')" 24
if command -v perl >/dev/null && perl -MJSON::PP -e 1 2>/dev/null; then
	is '--json: every line is JSON, with the words of the text' "$(perl -MJSON::PP -ne '
		my $e = JSON::PP->new->allow_bignum->decode($_);
		my $f = $e->{fields} // {};
		print join(" ", $e->{thread}, $e->{event_name},
			map { "$_=$f->{$_}" } sort keys %$f), "\n"' json)" \
		"$(print | grep -v '^#' | perl -ne '
		my ($tid, $rest) = /\] \S+-(\d+) +\S+ (.*)/;
		my ($name, @f) = split " ", $rest;
		@f = () if $name eq "user_0x123";
		print join(" ", $tid, $name, sort @f), "\n"')"
	ok '--summary --json' sh -c 'lkstbuf print -f trace --summary --json |
		perl -MJSON::PP -0777 -ne "my \$s = decode_json(\$_);
			exit !(\$s->{events} == 24 && \$s->{buffers}[1]{overwritten} == 7 &&
			       \$s->{first_ns} == 1767323045000000000)"'
else
	skip '--json is JSON' 'no JSON::PP'
fi
refused '--json with -C' 2 '-C and --json: one of them' print --json -C

# --- several files

"$top/tests/unit/build/mktrace" big 2 300 || fail 'a bigger trace'
is 'two files: all events of both' "$(lkstbuf print -f trace -f big | plain | wc -l | tr -d ' ')" 624
ok 'two files: merged by time' sh -c 'lkstbuf print -f trace -f big -r | grep -v "^#" | cut -c 1-18 | sort -c'
is 'two files: the order that they are named in does not matter' \
	"$(lkstbuf print -f trace -f big | grep -v '^#' | sort)" "$(lkstbuf print -f big -f trace | grep -v '^#' | sort)"
is 'two files: names of processes are those of each' "$(lkstbuf print -f trace -f big -p cat | plain)" "$(print -p cat | plain)"
contains 'two files: --summary' "$(lkstbuf print -f trace -f big --summary)" '^events +624$'
refused 'two files, one is not there' 1 'none: open: No such file' lkstbuf print -f trace -f none
head -c 13000 trace >cut_off
fails 'two files, one is cut off' 1 sh -c 'lkstbuf print -f cut_off -f big >out 2>err'
contains 'two files, one is cut off: says which' "$(cat err)" '^lkstbuf: cut_off: cut off after 13000 bytes'
refused 'two files: no such CPU' 1 'the files: no CPU 9 here, only CPUs 0-1' lkstbuf print -f trace -f big -c 9

refused 'a file that is an operand: no such CPU' 1 '^lkstbuf: trace: no CPU 9 here, only CPUs 0-1' lkstbuf print trace -c 9

# --- what is missing between files of one boot

{ "$top/tests/unit/build/mktrace" early 2 100 0 && "$top/tests/unit/build/mktrace" late 1 50 1100; } || fail 'files with a gap'
ok 'a gap: no failure' sh -c 'lkstbuf print late early >out 2>err'
is 'a gap: says how many events' "$(cat err)" 'lkstbuf: late: CPU 0: 1000 events between the end of early and this file are in neither'
is 'a gap: prints what is there' "$(plain <out | wc -l | tr -d ' ')" 250
contains 'a gap: --summary' "$(lkstbuf print early late --summary 2>/dev/null | tail -n 2)" '^between files, CPU .*
0 +1000 +1$'
is 'a gap: JSON' "$(lkstbuf print early late --summary --json 2>/dev/null | tr -d ' \n' | sed -E 's/.*("missing":[0-9]+),"first.*("gaps":\[.*)/\1 \2/')" \
	'"missing":1000 "gaps":[{"boot":"one","cpu":0,"missing":1000,"gaps":1}]}'
lacks 'a gap: of another CPU' "$(lkstbuf print early late --summary -c 1 2>/dev/null)" 'between files'
is 'no gap: JSON' "$(lkstbuf print early --summary --json | tr -d ' \n' | sed -E 's/.*("missing":[0-9]+),"first.*("gaps":\[.*)/\1 \2/')" \
	'"missing":0 "gaps":[]}'
"$top/tests/unit/build/mktrace" later 1 50 1160 || fail 'a third file'
is 'two gaps' "$(lkstbuf print early late later 2>&1 >/dev/null)" \
	'lkstbuf: later: CPU 0: 1010 events in 2 gaps between the files are in none of them'

# --- what does not go together

refused '--follow with --until' 2 '--until does not go with it' lkstbuf print -F --until -5s
refused '--follow with --summary' 2 '--follow does not go with it' lkstbuf print -F --summary
refused '--follow with standard input' 2 '-f does not go with it' lkstbuf print -F -f -
refused '--follow since the oldest' 2 '--since "\+5s": what is followed has no oldest event' lkstbuf print -F --since +5s
refused '--summary with --time' 2 'summary prints no events' print --summary --time raw
refused 'standard input and a file' 2 'standard input does not go with other files' lkstbuf print -f trace -f -
[ -e /dev/lkst ] || refused '--follow without a device' 1 'no LKST in this kernel' lkstbuf print --follow

# --- a terminal: colour and a pager, and only there

if ! command -v script >/dev/null; then
	skip 'on a terminal' 'no script (bsdutils)'
	done_testing
fi
# terminal COMMAND: as on a terminal; $status
terminal() {
	status=0
	TERM=xterm script -qec "$1" /dev/null </dev/null >screen || status=$?
	tr -d '\r' <screen >seen
}
escape=$(printf '\033')
printf '#!/bin/sh\necho PAGER "LESS=$LESS"\ncat\n' >page
printf '#!/bin/sh\nread -r line; echo "only: $line"\n' >early
chmod +x page early

terminal 'stty cols 500; LKST_PAGER=./page lkstbuf print -f trace -rV'
is 'pager: status' $status 0
is 'pager: LKST_PAGER' "$(head -n 1 seen)" 'PAGER LESS=FRX'
contains 'pager: it gets colours' "$(cat seen)" "$escape\\[32mprocess_exec"
is 'pager: it gets all' "$(sed "s/$escape\\[[0-9;]*m//g" seen | tail -n +2)" "$(print -rV)"
terminal 'PAGER=./page lkstbuf print -f trace'
is 'pager: PAGER' "$(head -n 1 seen)" 'PAGER LESS=FRX'
terminal 'PAGER=./none LKST_PAGER=./page lkstbuf print -f trace'
is 'pager: LKST_PAGER is preferred' "$(head -n 1 seen)" 'PAGER LESS=FRX'
terminal 'LESS=-X PAGER=./page lkstbuf print -f trace'
is 'pager: LESS is left alone' "$(head -n 1 seen)" 'PAGER LESS=-X'
terminal 'PAGER=./page lkstbuf print -f trace --summary'
is 'pager: --summary' "$(head -n 1 seen)" 'PAGER LESS=FRX'
terminal 'PAGER=./page lkstbuf print -f trace -h'
is 'pager: -h' "$(head -n 1 seen)" 'PAGER LESS=FRX'
for option in --no-pager -C --json; do
	terminal "PAGER=./page lkstbuf print -f trace $option"
	lacks "no pager with $option" "$(cat seen)" PAGER
done
for value in '' cat; do
	terminal "LKST_PAGER=$value PAGER=./page lkstbuf print -f trace"
	lacks "no pager with LKST_PAGER=$value" "$(cat seen)" PAGER
done
for option in -C --json; do
	terminal "lkstbuf print -f trace $option"
	lacks "no colour with $option" "$(cat seen)" "$escape"
done
terminal 'NO_COLOR=1 lkstbuf print -f trace --no-pager'
lacks 'no colour with NO_COLOR' "$(cat seen)" "$escape"
PAGER=./page lkstbuf print -f trace >seen
lacks 'no pager where there is no terminal' "$(cat seen)" "PAGER|$escape"

"$top/tests/unit/build/mktrace" big 2 20000 || fail 'a bigger trace'
terminal 'PAGER=./early lkstbuf print -f big'
is 'a pager that is left early is no failure' "$status $(cat seen)" \
	"0 only: # time          cpu process-thread  flg event arguments"
terminal 'PAGER=./none lkstbuf print -f trace'
is 'a pager that is not there is one' $status 1
contains 'a pager that is not there: says so' "$(cat seen)" '^lkstbuf: the pager "./none" \(LKST_PAGER, PAGER\) cannot be run'
head -c 13000 trace >cut_off
terminal 'PAGER=./page lkstbuf print -f cut_off'
is 'the exit status is that of print' $status 1
terminal 'PAGER=./page lkstbuf print -f trace -e xyzzy'
lacks 'an error needs no pager' "$(cat seen)" PAGER
is 'an error needs no pager: status' $status 1
# What a terminal of 80 columns shows, and one of 150.
terminal 'stty cols 80; NO_COLOR=1 lkstbuf print -f trace -r -n 10 --no-pager'
is '80 columns: no line is longer' "$(grep -E '.{81}' seen)" ''
is '80 columns: the arguments go on below, a name that a thread has stands once' \
	"$(grep -A 1 -m 1 process_contextswitch seen)" \
"03:04:05.000004   0 bash-100        ... process_contextswitch prev=bash-100
                                        prev_state=S next=bash-200 next_prio=120"
terminal 'stty cols 80; NO_COLOR=1 lkstbuf print -f trace --no-pager -V'
contains '80 columns: all of it with -V' "$(cat seen)" ' next_name='
terminal 'stty cols 150; NO_COLOR=1 lkstbuf print -f trace --no-pager'
is '150 columns: the columns of a file' "$(head -n 2 seen)" "$(print | head -n 2)"
lacks '150 columns: a name that a thread has stands once' "$(cat seen)" ' next_name='
terminal 'stty cols 0; COLUMNS=150 NO_COLOR=1 lkstbuf print -f trace --no-pager'
is 'a terminal that does not know its width: COLUMNS' "$(head -n 1 seen)" "$(print | head -n 1)"
is 'no terminal: a line for each event, with all names' "$(COLUMNS=80 print | grep -c ' next_name=')" \
	"$(print -e process_contextswitch | grep -vc '^#')"
if command -v less >/dev/null; then
	terminal "stty rows 24 cols 80; NO_COLOR=1 lkstbuf print -f trace -n 3"
	is 'less: 80 columns' "$(grep -E '.{81}' seen)" ''
	terminal 'stty rows 24 cols 250; lkstbuf print -f trace -n 3'
	contains 'less, where nothing else is named' "$(cat seen)" "$escape\\[0m .*process_contextswitch"
	is 'less: status' $status 0
fi
done_testing
