#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# BPF programs are event handlers: what they return, their context, replacing and deleting them, wrong
# programs, and the counts of what they have done.
# kernel: base
# kernel-all: base debug
# append: lkst.buffer_size=4M
# timeout: 400

# shellcheck source=../commands/rows.sh
. "$(dirname "$0")/rows.sh"

# handler NAME: print the line of the handler in the list
handler() { lksteh list | grep -E "^0x[0-9a-f]+  $1( |\$)"; }
# value NAME WHAT: print a value of the BPF program
value() { lksteh list --json | sed -n "/\"name\": \"$1\"/,/}/s/.*\"$2\": \"*\([0-9a-f]*\).*/\1/p"; }
# recorded ARG1: print the number of marks with this first argument
recorded() { lkstbuf print --own -r -e user_mark | grep -c "arg1=$1 "; }
load() { bpf_tool load "$@"; }
marks() { bpf_tool marks "$@"; }
# since_begin EVENTS: print the number of events since the last call of begin
begin() { lkstlogger -ev user_text -a1 0xbe61; }
since_begin() {
	lkstbuf print --own -r -e "user_text,$1" | awk '/ user_text / { num = -1 } !/^#/ { num++ } END { print num + 0 }'
}

before=$(lksteh list | wc -l)
selected=$(field maskset | cut -d ' ' -f 1)
if ! load drop bpf_a >loaded 2>&1; then
	contains 'without BPF in the kernel, the call is refused' "$(cat loaded)" 'not implemented|not supported'
	done_testing
fi
lkstm read -d -m 0 | grep -v '^#' | lkstm write -n bpf -S >/dev/null || bail_out 'lkstm write'

# --- what a program returns

ok 'the program is an event handler' test "$(cat loaded)" = "$(handler bpf_a | cut -d ' ' -f 1)"
contains 'the list shows the BPF program' "$(handler bpf_a)" 'BPF program [0-9]+, tag [0-9a-f]{16}: 0 runs, 0 drops, 0 acts, 0 nested, 0 unsafe\)$'
lkstm config -n bpf user_mark bpf_a
marks 20 0xa1
is 'a program that returns 0 drops events' "$(recorded 0xa1)" 0
is 'the counts: it has run' "$(value bpf_a runs)" 20
is 'the counts: it has dropped events' "$(value bpf_a drops)" 20
id=$(value bpf_a program)
ok 'another program replaces it, with the same id' test "$(load record bpf_a)" = "$(cat loaded)"
ok 'the id of the BPF program is another' test "$(value bpf_a program)" != "$id"
is 'the counts begin with 0' "$(value bpf_a runs)" 0
marks 20 0xa2
is 'a program that returns 1 records events' "$(recorded 0xa2)" 20
is 'the counts: it has dropped none' "$(value bpf_a runs) $(value bpf_a drops)" '20 0'
load context bpf_a >/dev/null
marks 7 0x11
marks 7 0x12
is 'the context has the values of the event' "$(recorded 0x11) $(recorded 0x12)" '7 0'
load act bpf_a >/dev/null
marks 2 0xa3
is 'a program that returns 2 records the event, and has no actions' "$(recorded 0xa3) $(value bpf_a acts)" '2 2'

# --- two programs decide about an event

first=$(cat loaded)
load drop bpf_a >/dev/null
second=$(load act+"$first" bpf_b)
contains 'the list shows the other event handler' "$(handler bpf_b)" "unsafe\) also $first$"
contains 'JSON: the same' "$(lksteh list --json)" "\"also\": *$((first))"
lkstm config -n bpf user_mark bpf_b
marks 20 0xd4
is 'the other program drops events' "$(recorded 0xd4)" 0
is 'both programs have run' "$(value bpf_b runs) $(value bpf_a runs)" '20 20'
load record bpf_a >/dev/null
marks 20 0xd5
is 'a program replaces the other one' "$(recorded 0xd5) $(value bpf_a runs)" '20 20'
load drop+"$first" bpf_b >/dev/null
marks 20 0xd6
is 'the other program does not run for events that are dropped anyway' \
	"$(recorded 0xd6) $(value bpf_b runs) $(value bpf_a runs)" '0 20 20'
is 'an event handler cannot refer to itself' "$(load record+"$second" bpf_b 2>&1)" 'LKST_IOC_EVHANDLER_BPF: No such file or directory'
is 'nor to one that is not a BPF program' "$(load record+0x001 bpf_b 2>&1)" 'LKST_IOC_EVHANDLER_BPF: No such file or directory'
load act+"$second" bpf_a >/dev/null
load act+"$first" bpf_b >/dev/null
marks 20 0xd7
is 'two event handlers refer to each other' "$(recorded 0xd7) $(value bpf_b runs) $(value bpf_a runs)" '20 20 20'
load drop bpf_a >/dev/null
lksteh bpf --delete bpf_a
marks 20 0xd8
is 'the other event handler has been deleted' "$(recorded 0xd8) $(handler bpf_b | grep -c also)" '20 0'
lksteh bpf --delete bpf_b
load act bpf_a >loaded
lkstm config -n bpf user_mark bpf_a

# --- a BPF program stays when its owner is killed. When it is deleted, the default handler takes
# --- over

bpf_tool load-keep drop bpf_a >keeping &
owner=$!
ok 'a program replaces the program' wait_for grep -q 0x keeping
kill -9 $owner
wait $owner
marks 5 0xa4
is 'the program stays when its owner is killed' "$(recorded 0xa4) $(value bpf_a drops)" '0 5'
ok 'the event handler is deleted' lksteh bpf --delete bpf_a
is 'it is no longer listed' "$(handler bpf_a)" ''
is 'its events get the default handler' "$(lkstm read -n bpf | sed -n 's/^\(0x0e0 0x001\).*/\1/p')" '0x0e0 0x001'
marks 5 0xa5
is 'the default handler records' "$(recorded 0xa5)" 5

# --- a rule and a BPF program

load drop bpf_b >/dev/null
lkstm config -n bpf user_mark bpf_b
lkstm rule -n bpf user_mark if 'arg1 == 0xb2'
marks 3 0xb1
marks 4 0xb2
is 'the program gets the events that meet the rule' "$(value bpf_b runs)" 4
lkstm rule -n bpf '!user_mark'

# --- events in all contexts

load drop bpf_c >/dev/null
lkstm config -n bpf user_text on
begin
all=$(lkstm read -d -m 1 | awk '$2 == "0x001" && ($1 < "0x080" || $1 > "0x08f") && $1 < "0xf00" && $1 != "0x0e1" { printf "%s%s", sep, $1; sep = "," }')
lkstm config -n bpf "$all" bpf_c || fail 'all events'
for i in $(seq 30); do cat /proc/self/status; done >/dev/null
# Only events that the program cannot handle are recorded.
lkstm config -n bpf all off
num=$(since_begin "$all")
ok 'the program handles many events' test "$(value bpf_c runs)" -gt 1000
is 'it has dropped all of them' "$(value bpf_c drops)" "$(value bpf_c runs)"
is 'the events that it could not handle are recorded and counted' "$num" $(($(value bpf_c nested) + $(value bpf_c unsafe)))

# --- replacing under load: each event is handled by one of two programs

load record bpf_d >/dev/null
lkstm config -n bpf user_mark bpf_d
# marks_slowly ARG: record 20000 marks in some seconds
marks_slowly() {
	for _ in $(seq 100); do
		marks 200 "$1"
		sleep 0.05
	done
}
marks_slowly 0xd1 &
load1=$!
marks_slowly 0xd2 &
load2=$!
runs=0
while kill -0 $load1 2>/dev/null; do load record bpf_d >/dev/null; runs=$((runs + 1)); done
wait $load1 $load2
is 'no event is lost while programs are replaced' "$(recorded 0xd1) $(recorded 0xd2)" '20000 20000'
ok 'the program was replaced often' test $runs -ge 3

# --- what is refused

refused 'a program of another type' 1 'Protocol wrong type' load socket bpf_e
refused 'a program of another type: kprobe' 1 'Protocol wrong type' load kprobe bpf_e
refused 'the name of another handler' 1 'File exists' load drop entry_log
refused 'an empty name' 1 'Invalid argument' load drop ''
refused 'a name with a slash' 1 'Invalid argument' load drop a/b
refused 'a name without an end' 1 'Invalid argument' load drop 0123456789012345678901234567890123456789
refused 'lock events' 1 'refuses the maskset' lkstm config -n bpf lock_contention_begin bpf_d
refused 'deleting another handler' 2 'event handler "stop_after" is not a BPF program' lksteh bpf --delete stop_after
refused 'deleting an unknown handler' 1 'bpf_e' lksteh bpf -d bpf_e
refused 'a file that does not exist' 1 'no_such.o' lksteh bpf no_such.o

for i in b c d; do lksteh bpf --delete bpf_$i || fail "deleting bpf_$i"; done
is 'no event handler is left' "$(lksteh list | wc -l)" "$before"
lkstm set -m "$selected"
lkstm delete -n bpf
lacks 'the kernel reports no trouble' "$(dmesg)" 'WARNING:|BUG:|RCU used illegally|suspicious RCU'
done_testing
