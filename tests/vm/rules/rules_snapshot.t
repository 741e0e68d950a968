#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The action "snapshot": every CPU continues in another buffer. The events before the snapshot stay
# in the old buffers, and no shift takes these buffers before they have been read or deleted.
# kernel: base
# kernel-all: base debug
# append: lkst.buffer_size=4M
# timeout: 600

# shellcheck source=../commands/rows.sh
. "$(dirname "$0")/rows.sh"

trap 'lkstbuf print >/dev/null; lkstm set -m "$selected"; lkstm delete -n snapshots; lkstbuf jump -b 0; lkstbuf delete -b 1; lkstbuf delete -b 2' EXIT
rule() { lkstm rule -n snapshots "$@"; }
mark() { taskset 1 lkstlogger -ev user_mark -a1 "$1"; }
marks() { for i in $(seq "$1" "$2"); do mark "$i"; done; }
# in_buffer ID: print the marks in this buffer of CPU 0 after the mark 0xbe61, on one line
in_buffer() {
	rm -f one
	lkstbuf read -c 0 -b "$1" -f one >/dev/null
	lkstbuf print -f one -r -e user_mark | sed -n 's/.*user_mark *arg1=0x\([0-9a-f]*\) .*/\1/p' |
		awk '$1 == "be61" { line = ""; next } { line = line $1 " " } END { print line }'
}
both() { lkstbuf list --json >buffers && echo "$(json 0.write_buf <buffers) $(json 1.write_buf <buffers)"; }
both_are() { [ "$(both)" = "$1" ]; }
# snapshots: print the arguments of the snapshots. This reads all buffers.
snapshots() { lkstbuf print --own -r -e lkst_snapshot | sed -n 's/.*lkst_snapshot *//p'; }
number() { snapshots | tail -n 1 | sed 's/.*number=\([0-9]*\).*/\1/'; }

selected=$(field maskset | cut -d ' ' -f 1)
lkstm read -d -m 0 | grep -v '^#' | lkstm write -n snapshots >/dev/null || bail_out 'lkstm write'
lkstm config -n snapshots user_mark,lkst_buff_shift,lkst_sync_time on
lkstm set -n snapshots
refused 'a CPU with one buffer' 2 \
	'character 11: a snapshot needs two buffers on each CPU \(want "lkstbuf create"\)' \
	rule user_mark do 'stack, snapshot'
lkstbuf create -s 1M >/dev/null
lkstbuf link -b 1 -n 0 >/dev/null

# --- the CPUs shift, and keep the old buffers

rule user_mark do 'snapshot if arg1 == 3'
is 'the rule unmasks lkst_snapshot' "$(lkstm read -n snapshots -d | sed -n 's/^0xf0c //p')" 0x001
mark 0xbe61
marks 1 2
mark 3
is 'the CPU has shifted at once' "$(both | cut -d ' ' -f 1)" 1
ok 'the other CPU shifts, too' wait_for both_are '1 1'
refused 'no shift takes the old buffer' 1 . lkstbuf shift -c 0
refused 'no jump takes the old buffer' 1 . lkstbuf jump -c 0 -b 0
mark 3
mark 3
marks 4 5
is 'without a free buffer, snapshots are missed' "$(both)" '1 1'
is 'the old buffer contains the events before the first one' "$(in_buffer 0)" '1 2 3 '
is 'the new one contains those after it' "$(in_buffer 1)" '3 3 4 5 '
is 'the CPUs record it, and one of them the first miss' "$(snapshots | sort | uniq -c | sed 's/^ *//')" \
	'2 cause=0xe0 buffer=0 number=1 missed=0
1 cause=0xe0 buffer=none number=2 missed=1'

# --- buffers that have been read or deleted are free

mark 3
ok 'after the records have been read' wait_for both_are '0 0'
lkstbuf delete -b 1 >/dev/null
lkstbuf create -s 1M >/dev/null
rule user_mark do 'snapshot:1, drop'
mark 8
ok 'after the buffers have been deleted' wait_for both_are '1 1'
mark 9
is 'the count' "$(both)" '1 1'
is 'an event that is not recorded causes a snapshot' "$(in_buffer 1)" ''
is 'the number of misses' "$(snapshots | tail -n 1)" 'cause=0xe0 buffer=0 number=5 missed=2'
is 'the parameter snapshots_missed is the number of misses' "$(cat /sys/module/lkst/parameters/snapshots_missed)" 2

# --- the oldest records make room, but not those of a snapshot

lkstbuf create -s 1M >/dev/null
rule user_mark do 'snapshot if arg1 == 3'
lkstbuf jump -b 2
mark 0xbe61
lkstbuf jump -b 0
mark 3
ok 'the buffer with the oldest records' wait_for both_are '1 1'
mark 3
ok 'then the other one' wait_for both_are '2 2'
mark 3
is 'then none' "$(both)" '2 2'
lkstbuf print >/dev/null
lkstbuf jump -b 0
lkstbuf delete -b 2 >/dev/null

# --- events of interrupts cause snapshots

for event in int_timer_entry process_contextswitch; do
	is_present $event || continue
	before=$(number)
	rule "$event" do 'drop, snapshot:1'
	ok "a snapshot by $event" wait_for eval 'test "$(number)" -gt "$before"'
	rule "!$event"
	lkstm config -n snapshots "$event" off
done
for event in int_ipi_entry cpu_ipi_send; do
	is_present $event || continue
	refused "not for $event" 2 'a snapshot causes this event itself' rule "$event" do snapshot
done
lacks 'the kernel reports no trouble' "$(dmesg)" 'WARNING:|BUG:|RCU used illegally|suspicious RCU'
done_testing
