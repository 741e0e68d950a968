#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The actions of watches: stacks and snapshots of late spans, events that are recorded only after a
# late span, and a late span that starts LKST again.
# kernel: base
# kernel-all: base debug
# append: lkst.buffer_size=4M
# timeout: 300

# shellcheck source=../commands/rows.sh
. "$(dirname "$0")/rows.sh"

trap 'lkst watch --delete beat 2>/dev/null; lkst start 2>/dev/null; lkstm set -m "$selected"; lkstm delete -n acting; lkstbuf print >/dev/null; lkstbuf jump -b 0; lkstbuf delete -b 1' EXIT
selected=$(field maskset | cut -d ' ' -f 1)
lkstm read -d -m 0 | grep -v '^#' | lkstm write -n acting >/dev/null || bail_out 'lkstm write'
lkstm config -n acting user_mark,lkst_buff_shift,lkst_sync_time on
lkstm set -n acting
watch() { lkst watch user_mark user_mark by arg1 --name beat --over 50ms "$@" >/dev/null; }
mark() { taskset 1 lkstlogger -ev user_mark -a1 "$1" -a2 "${2:-0}"; }
# late: record two marks with more than 50 ms between them
late() { mark 1 && sleep 0.1 && mark 1 2; }
entry() { lkstm read -n acting -d | sed -n "s/^$1 //p"; }
# names FILE: print the names of the events in a file on one line
names() { lkstbuf print -r -f "$1" | awk '!/^#/ { print $5 }' | grep -vE 'lkst_(sync|clock|buff)' | tr '\n' ' '; }
both_are() { lkstbuf list --json >buffers && [ "$(json 0.write_buf <buffers) $(json 1.write_buf <buffers)" = "$1" ]; }

rows <<'END'
a snapshot needs two buffers | lkst watch user_mark user_mark by arg1 --name beat --over 50ms --do stack,snapshot | 2 | character [0-9]+: a snapshot needs two buffers on each CPU
an event that does not exist | lkst watch user_mark user_mark by arg1 --name beat --over 50ms --do 'enable(no_event)' | 2 | character [0-9]+: "no_event": unknown event | lkst watch --list | -
END

# --- a stack and a snapshot

lkstbuf create -s 1M >/dev/null
lkstbuf link -b 1 -n 0 >/dev/null
watch --do 'stack, snapshot' --count 1
is 'the rule unmasks what the watch records' "$(entry 0x0f1) $(entry 0xf0b) $(entry 0xf0c)" '0x001 0x001 0x001'
mark 7
late
ok 'both CPUs have shifted' wait_for both_are '1 1'
mark 8
lkstbuf read -c 0 -b 0 -f old
lkstbuf read -c 0 -b 1 -f new
contains 'the old buffer ends with the late span and its stack' "$(names old)" \
	'user_mark user_mark user_mark lkst_watch rule_stack $'
contains 'the new one begins with the snapshot' "$(names new)" '^lkst_snapshot user_mark $'
late
ok 'not more often than the count' both_are '1 1'
lkst watch --delete beat

# --- the recording of another event

watch --do 'enable(user_text)' --count 1
text() { lkstlogger -s "$1"; }
texts() { lkstbuf print -r -e user_text --since "$start" 2>/dev/null | sed -n 's/.* user_text *text=//p' | tr '\n' ' '; }
start=$(new_second)
text before
late
text after
is 'an event is recorded after the late span' "$(texts)" 'after '
is 'the maskset masks it' "$(entry 0x0e1)" 0x000
lkst watch --delete beat
text later
is 'until the watch is deleted' "$(texts)" 'after '

# --- on

watch --do on
lkstm rule -n acting user_mark do 'watch(beat), off if arg2 == 9'
mark 1
mark 3 9
is 'a rule pauses LKST' "$(field state)" stopped
sleep 0.1
mark 1 2
is 'a late span ends the pause' "$(field state)" running
lacks 'the kernel reports no trouble' "$(dmesg)" 'WARNING:|BUG:|RCU used illegally|suspicious RCU'
done_testing
