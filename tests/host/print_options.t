#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Tests options of lkstbuf print: selections (processes, times), forms (styles of time, JSON), and
# output (pager, colour).

# shellcheck disable=SC2016 # perl and sh expand the strings
. "$(dirname "$0")/host.sh"
unset PAGER LKST_PAGER LESS NO_COLOR
use_tools mktrace
mktrace trace || bail_out 'no sample trace'

plain() { grep -v '^#' | tr -s ' '; }
print() { lkstbuf print -f trace "$@"; }
# Print only the times of the printed events, one per line.
times() { print "$@" | grep -v '^#' | cut -c 1-18; }
lines() { print "$@" | plain | wc -l | tr -d ' '; }

# --- processes

is '-p: a name' "$(print -p cat | plain)" "$(print | plain | grep -F '] cat-')"
is '-p: a number' "$(print -p 101 | plain)" "$(print | plain | grep -F '] bash-101')"
is '-p: several options' "$(print --only -p 100 -p 201 | plain)" "$(print | plain | grep -E '\] (bash-100|cat-201) ')"
is '-p: all except a name' "$(print -p '!cat' | plain)" "$(print | plain | grep -vF '] cat-')"
is '-p: events about the thread, too' "$(print -p 201 | plain)" "$(print | plain | grep -E '\] [a-z]+-201 |=[a-z]+-201 ')"
is '--only: only events of the thread itself' "$(print -p 201 --only | plain)" "$(print | plain | grep -E '\] [a-z]+-201 ')"
refused '--only without -p' 2 '^lkstbuf print: --only requires -p' print --only
is '-p with -e and -n' "$(print -p cat -e process_exec -n 1 -r | plain | cut -d ' ' -f 3,5)" 'cat-200 process_exec'
refused 'nothing matches: -p' 1 '^lkstbuf: no thread in the trace is named "cta"; did you mean "cat"\?$' print -p cta
refused 'nothing matches: the message gives the time of the trace' 1 \
	'^lkstbuf: no event matches; the trace is from 2026-01-02 03:04:05.000000 to ' print --until 2026-01-01
refused 'nothing matches: --summary' 1 'no event matches' print --summary -e oops_die
contains '-p with --summary' "$(print -p cat --summary)" '^events +14$'
refused '-p: an empty word' 2 'empty process name in "a,,b"' print -p a,,b

# --- system calls

is '-e: a system call' "$(print -e clone | plain)" "$(print | plain | grep -F ' number=clone ')"
is '-e: a pattern except a system call' "$(print -e 'system_call_*,!clone' | plain)" "$(print | plain | grep -F ' number=read ')"
is '-e: a pattern of system calls' "$(print -e 'clon?' | plain)" "$(print -e clone | plain)"

# --- conditions

# where CONDITION PATTERN: the condition selects the events whose lines match the pattern
where() { is "--where: $1" "$(print --where "$1" | plain)" "$(print | plain | grep -E "$2")"; }
where 'irq >= 9' ' irq=9 '
where 'number == clone' ' number=clone '
where 'result < 0 && comm == cat' ' result=-ERESTARTSYS'
where 'result == -ERESTARTSYS' ' result=-ERESTARTSYS'
where 'status != 0' ' status='
where 'status == "killed(SIGSEGV)"' ' status='
where 'next ~ "swapper/*" || path ~ "*/cat"' ' next=swapper| path='
where 'event ~ "int_*" && !(cpu == 0)' '\[001\].* int_'
where 'flags & hardirq' ' h\.\. '
where 'flags & CLONE_CHILD_SETTID' ' flags=CLONE'
where 'tid == 200..201' '\] cat-'
where 'prev_state == S' ' prev_state=S '
where 'cpu & CPUS{1}' '\[001\]'
where 'event == 0x123' ' user_0x123 '
where 'event ~ "user_*"' ' user_0x123 '
is '--where: with -e and -p' "$(lines --where 'irq == 9' -e 'int_*' -p 200)" 2
is '--where: several options' "$(lines --where 'irq == 9' --where 'tid == 200')" 2
is '--where: with --summary' "$(print --where 'irq == 9' --summary | sed -n 's/^events *//p')" 4
refused '--where: no event matches' 1 'no event matches; the trace is from' print --where 'irq == 8'
refused '--where: a wrong operator' 2 '^lkstbuf print: --where, character 5: unexpected "=" \(want ==, !=' print --where 'irq = 9'
refused '--where: an unknown field' 2 'character 1: unknown field "irqs"; did you mean "irq"' print --where 'irqs == 9'
refused '--where: an unknown name' 2 'character 11: "clon" is not a value of "number".*did you mean "clone"' print --where 'number == clon'
refused '--where: a field of other events' 2 'no event that -e selects has the field "irq", but int_hardware_entry has' \
	print -e clone --where 'irq == 9'

# --- durations: an interrupt took 1 us. At the end, two system calls have not returned, and the
# --- threads that made these calls are asleep

is '--longer' "$(print --longer 1us -e 'int_*' | plain)" \
	"$(print -e int_hardware_entry,int_hardware_exit | plain | sed 's/$/ took=1.000us/')"
is '--longer: a longer time' "$(print --longer 1.001us -e 'system_*' | plain)" \
	"$(print -e clone | plain | sed '/\[001/ s/$/ took>9.000us/; /\[000/ s/$/ took>9.100us/')"
is '--longer: a sleep' "$(print --longer 1.001us -e 'process_*' -r -c 0 | plain | sed 's/.* //')" 'prev_sleep>7.100us'
is '--longer: operations that have not ended, too' "$(lines --longer 1us)" 8
is '--longer with -p' "$(lines --longer 1us -p cat --only)" 4
is '--longer: JSON' "$(print --longer 1us -e 'int_*' --json -n 1 | grep -o '"spans".*')" \
	'"spans":[{"name":"took","ns":1000,"ended":true}]}'
is '--longer: JSON, not ended' "$(print --longer 1us -e clone --json -n 1 | grep -o '"spans".*')" \
	'"spans":[{"name":"took","ns":9000,"ended":false}]}'
is '--longer: no durations in CSV' "$(print --longer 1us -e 'int_*' -C | plain)" "$(print -e 'int_*' -C | plain)"
refused '--longer: an invalid span' 2 '^lkstbuf print: --longer "1x" is not a span of time: 1ms' print --longer 1x
refused '--longer: zero' 2 '"0" is not a span of time' print --longer 0
refused '--longer: a negative span' 2 '"-1ms" is not a span of time' print --longer -1ms

# --- times: the trace is from 03:04:05.000000000 to 03:04:05.000011100

is '--since: time of day' "$(times --since 03:04:05.000011)" "03:04:05.000011100
03:04:05.000011000"
is '--until: time of day' "$(times --until 03:04:05.0000001)" "03:04:05.000000100
03:04:05.000000000"
is '--since and --until' "$(times --since +5us --until +5100ns -r)" "03:04:05.000005000
03:04:05.000005100"
is '--since: nothing' "$(lines --since '2026-01-02 03:04:06')" 0
is '--since: local time' "$(TZ=XYZ-2 times --since 05:04:05.000011 -n 1)" 05:04:05.000011100
is '--since: in UTC with --time utc' "$(TZ=XYZ-2 times --time utc --since 03:04:05.000011 -n 1)" 03:04:05.000011100
refused '--since: an invalid time' 2 '--since "yesterday" is not a valid time: HH:MM:SS' print --since yesterday
refused '--since after --until' 2 '--since "03:04:06" is later than --until "03:04:05"' \
	print --since 03:04:06 --until 03:04:05

# --- styles of time

is '--time local' "$(TZ=XYZ-2:30 print --time local -n 1)" "$(TZ=XYZ-2:30 print -n 1)"
is '--time utc' "$(TZ=XYZ-2:30 print --time utc)" "$(TZ=UTC print)"
is '--time relative' "$(times --time relative -r -n 3)" "       0.000000000
       0.000000100
       0.000001000"
is '--time relative: to the beginning of the trace, whichever events are shown' \
	"$(times --time relative -n 1)$(times --time relative -c 1 -e process_exec)" "       0.000011100       0.000005100"
is '--time delta' "$(times --time delta -r -n 3)" "       0.000000000
       0.000000100
       0.000000900"
is '--time delta: newest first' "$(times --time delta -n 2)" "       0.000000000
      -0.000000100"
is '--time delta: relative to the previous event that is shown' "$(times --time delta -r -e process_exec)" "       0.000000000
       0.000000100"
is '--time raw' "$(print --time raw -r -n 1)" \
"# time              cpu   process-thread            flg event                 arguments
1767323045000000000 [000] bash-100                  ... lkst_trc_start        maskset=2"
for style in relative delta raw; do
	lacks "--time $style: no date" "$(print --time $style)" '^# Fri'
done
is '--time utc with -C' "$(TZ=XYZ-2:30 print --time utc -C)" "$(TZ=UTC print -C)"
refused '--time: an unknown style' 2 '--time "x" is not one of local, utc, relative, delta, raw' print --time x
refused '--time raw with -C' 2 '--time with -C or --json: local or utc' print --time raw -C
refused '--time with -S' 2 '--time cannot be combined with -S' print --time utc -C -S

# --- JSON

print --json >json
is '--json: the first line' "$(print --json -r -n 1)" \
'{"time":"2026-01-02T03:04:05.000000000+00:00","time_ns":1767323045000000000,"cpu":0,"buffer":0,"recid":7,"event_type":3844,"event_name":"lkst_trc_start","thread":100,"name":"bash","pid":100,"pgrp":100,"uid":1000,"gid":100,"flags":[],"arg":[2,0,0,0],"fields":{"maskset":2}}'
contains '--json: flags' "$(print --json -e int_hardware_entry -n 1)" '"flags":\["hardirq"\]'
contains '--json: an event without a description' "$(print --json -e 0x123 -n 1)" \
	'"event_type":291,"event_name":"user_0x123",.*"arg":\[1,2,3,4\]\}$'
contains '--json: local time' "$(TZ=XYZ3:30 print --json -r -n 1)" '"time":"2026-01-01T23:34:05.000000000-03:30"'
contains '--json: UTC' "$(TZ=XYZ3:30 print --json --time utc -r -n 1)" '"time":"2026-01-02T03:04:05.000000000\+00:00"'
is '--json: an object for each event' "$(wc -l <json | tr -d ' ')" 24
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
is '--summary --json' "$(print --summary --json | perl -MJSON::PP -0777 -ne 'my $s = decode_json($_);
	print "$s->{events} $s->{buffers}[1]{overwritten} $s->{first_ns}"')" '24 7 1767323045000000000'
refused '--json with -C' 2 '-C and --json cannot be combined' print --json -C

# --- several files

mktrace big 2 300 || fail 'a bigger trace'
is 'two files: all events of both' "$(lkstbuf print -f trace -f big | plain | wc -l | tr -d ' ')" 624
ok 'two files: merged by time' sh -c 'lkstbuf print -f trace -f big -r | grep -v "^#" | cut -c 1-18 | sort -c'
is 'two files: their order does not matter' \
	"$(lkstbuf print -f trace -f big | grep -v '^#' | sort)" "$(lkstbuf print -f big -f trace | grep -v '^#' | sort)"
is 'two files: each has its own process names' "$(lkstbuf print -f trace -f big -p cat | plain)" "$(print -p cat | plain)"
contains 'two files: --summary' "$(lkstbuf print -f trace -f big --summary)" '^events +624$'
refused 'two files, one does not exist' 1 'none: open: No such file' lkstbuf print -f trace -f none
head -c 13000 trace >cut_off
fails 'two files, one is cut off' 1 sh -c 'lkstbuf print -f cut_off -f big >out 2>err'
contains 'two files, one is cut off: the message names it' "$(cat err)" '^lkstbuf: cut_off: truncated after 13000 bytes'
refused 'two files: no such CPU' 1 'the files: no CPU 9, only CPUs 0-1' lkstbuf print -f trace -f big -c 9

# --- gaps between files of one boot

{ mktrace early 2 100 0 && mktrace late 1 50 1100; } || fail 'files with a gap'
ok 'a gap: no failure' sh -c 'lkstbuf print late early >out 2>err'
is 'a gap: the message has the number of events' "$(cat err)" 'lkstbuf: late: CPU 0: 1000 events between the end of early and the start of this file are missing'
is 'a gap: all other events are printed' "$(plain <out | wc -l | tr -d ' ')" 250
contains 'a gap: --summary' "$(lkstbuf print early late --summary 2>/dev/null | tail -n 2)" '^between files, CPU .*
0 +1000 +1$'
is 'a gap: JSON' "$(lkstbuf print early late --summary --json 2>/dev/null | tr -d ' \n' | sed -E 's/.*("missing":[0-9]+),"parts_skipped":0,"first.*("gaps":\[.*)/\1 \2/')" \
	'"missing":1000 "gaps":[{"boot":"one","cpu":0,"missing":1000,"gaps":1}]}'
lacks 'a gap: of another CPU' "$(lkstbuf print early late --summary -c 1 2>/dev/null)" 'between files'
is 'no gap: JSON' "$(lkstbuf print early --summary --json | tr -d ' \n' | sed -E 's/.*("missing":[0-9]+),"parts_skipped":0,"first.*("gaps":\[.*)/\1 \2/')" \
	'"missing":0 "gaps":[]}'
mktrace later 1 50 1160 || fail 'a third file'
is 'two gaps' "$(lkstbuf print early late later 2>&1 >/dev/null)" \
	'lkstbuf: later: CPU 0: 1010 events in 2 gaps between the files are missing'

# --- options that exclude each other

refused '--follow with --until' 2 '--until cannot be combined with --follow' lkstbuf print -F --until -5s
refused '--follow with --summary' 2 '--summary cannot be combined with --follow' lkstbuf print -F --summary
refused '--follow with standard input' 2 '-f cannot be combined with --follow' lkstbuf print -F -f -
refused '--follow since the oldest' 2 '--since "\+5s": --follow has no oldest event' lkstbuf print -F --since +5s
refused 'standard input and a file' 2 'standard input cannot be combined with other files' lkstbuf print -f trace -f -
[ -e /dev/lkst ] || refused '--follow without a device' 1 'no LKST in this kernel' lkstbuf print --follow

# --- a terminal: colours and the pager are used only there

# terminal COMMAND: run COMMAND on a terminal. Sets $status to its exit status, and writes its
# output to the file "seen".
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
contains 'pager: it receives colours' "$(cat seen)" "$escape\\[32mprocess_exec"
is 'pager: it receives all events' "$(sed "s/$escape\\[[0-9;]*m//g" seen | tail -n +2)" "$(print -rV)"
while IFS='|' read -r name less command; do
	terminal "$command"
	is "pager: $name" "$(head -n 1 seen)" "PAGER LESS=$less"
done <<'END'
PAGER|FRX|PAGER=./page lkstbuf print -f trace
LKST_PAGER is preferred|FRX|PAGER=./none LKST_PAGER=./page lkstbuf print -f trace
LESS is left alone|-X|LESS=-X PAGER=./page lkstbuf print -f trace
--summary|FRX|PAGER=./page lkstbuf print -f trace --summary
-h|FRX|PAGER=./page lkstbuf print -f trace -h
END
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
lacks 'no pager without a terminal' "$(cat seen)" "PAGER|$escape"

mktrace big 2 20000 || fail 'a bigger trace'
terminal 'PAGER=./early lkstbuf print -f big'
is 'a pager that exits early is not an error' "$status $(cat seen)" \
	"0 only: # time          cpu process-thread  flg event arguments"
terminal 'PAGER=./none lkstbuf print -f trace'
is 'a pager that cannot be run is an error' $status 1
contains 'a pager that cannot be run: reported' "$(cat seen)" '^lkstbuf: the pager "./none" \(LKST_PAGER, PAGER\) cannot be run'
head -c 13000 trace >cut_off
terminal 'PAGER=./page lkstbuf print -f cut_off'
is 'the exit status is that of print' $status 1
terminal 'PAGER=./page lkstbuf print -f trace -e xyzzy'
lacks 'an error needs no pager' "$(cat seen)" PAGER
is 'an error needs no pager: status' $status 1
# Test the output on a terminal of 80 columns, and on one of 150.
terminal 'stty cols 80; NO_COLOR=1 lkstbuf print -f trace -r -n 10 --no-pager'
is '80 columns: no line is longer' "$(grep -E '.{81}' seen)" ''
is '80 columns: arguments are wrapped, and the name of a thread is printed once' \
	"$(grep -A 1 -m 1 process_contextswitch seen)" \
"03:04:05.000004   0 bash-100        ... process_contextswitch prev=bash-100
                                        prev_state=S next=bash-200 next_prio=120"
terminal 'stty cols 80; NO_COLOR=1 lkstbuf print -f trace --no-pager -V'
contains '80 columns: all arguments with -V' "$(cat seen)" ' next_name='
terminal 'stty cols 150; NO_COLOR=1 lkstbuf print -f trace --no-pager'
is '150 columns: the same columns as in a file' "$(head -n 2 seen)" "$(print | head -n 2)"
lacks '150 columns: the name of a thread is printed once' "$(cat seen)" ' next_name='
terminal 'stty cols 0; COLUMNS=150 NO_COLOR=1 lkstbuf print -f trace --no-pager'
is 'a terminal of unknown width: COLUMNS is used' "$(head -n 1 seen)" "$(print | head -n 1)"
is 'no terminal: a line for each event, with all names' "$(COLUMNS=80 print | grep -c ' next_name=')" \
	"$(print -e process_contextswitch | grep -vc '^#')"
terminal "stty rows 24 cols 80; NO_COLOR=1 lkstbuf print -f trace -n 3"
is 'less: 80 columns' "$(grep -E '.{81}' seen)" ''
terminal 'stty rows 24 cols 250; lkstbuf print -f trace -n 3'
contains 'less is the default pager' "$(cat seen)" "$escape\\[0m .*process_contextswitch"
is 'less: status' $status 0
done_testing
