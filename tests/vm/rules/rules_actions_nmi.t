#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Actions of events that occur in NMIs, which interrupt a task, interrupts, and LKST itself while it
# records an event with actions. The module counts the events. Emulated CPUs run in parallel.
# arch: x86_64
# take-turns: no
# kernel: base
# kernel-all: base debug
# append: lkst.buffer_size=4M tsc=nowatchdog
# timeout: 600

# shellcheck source=../commands/rows.sh
. "$(dirname "$0")/rows.sh"
# shellcheck source=nmi_load.sh
. "$here/nmi_load.sh"

trap 'kill $load 2>/dev/null; wait; lkst start >/dev/null 2>&1; lkstm set -m "$selected"; lkstm delete -n nmis; lkstbuf jump -b 0; lkstbuf delete -b 1; rmmod nmi; true' EXIT
load=''
selected=$(field maskset | cut -d ' ' -f 1)
insmod "$modules/nmi.ko" || bail_out 'insmod nmi'
lkstm read -d -m 0 | grep -v '^#' | lkstm write -n nmis -S >/dev/null || bail_out 'lkstm write'
rule() { lkstm rule -n nmis "$@"; }
# requests NUMBER: send requests until NMIs have caused that many further events. Emulated CPUs may
# merge NMIs.
requests() {
	requests_end=$(($(recorded_by_nmis) + $1))
	until [ "$(recorded_by_nmis)" -ge $requests_end ]; do request 2; done
}
# Earlier tests in this boot may have recorded such events.
start=$(new_second)
events() { lkstbuf print --own -r -e "$1" --since "$start" 2>/dev/null | grep -cE "$2"; }

# --- records and stacks

before=$(recorded_by_nmis)
rule 0x1d1 do 'record if serial & 1, stack:30 if flags & nmi'
requests 80
after=$(recorded_by_nmis)
is 'records of every second event' "$(events 0x1d1 'nmi[_ ]handler')" $(((after + 1) / 2 - (before + 1) / 2))
is 'the number of stacks' "$(events rule_stack 'rule_stack ')" 30
is 'all of them are stacks of the NMI' "$(events rule_stack 'rule_stack .*[=-](handle_nmi|nmi_handle)')" 30
# An NMI also interrupts the actions of the task.
rule 0x1d0 do 'drop, stack:100 if serial & 1'
rule 0x1d1 do 'drop, stack:200'
request 1
requests 250
is 'stacks of tasks and NMIs, each of them counted' "$(events rule_stack 'rule_stack ')" 330

# --- enable

rule '!0x1d0'
lkstm config -n nmis 0x1d0 off
rule 0x1d1 do 'drop, enable(user_mark):1'
lkstlogger -ev user_mark -a1 1
request 2
lkstlogger -ev user_mark -a1 2
is 'an NMI enables an event' "$(events user_mark 'arg1=0x1 ') $(events user_mark 'arg1=0x2 ')" '0 1'

# --- snapshot

both() { lkstbuf list --json >buffers && echo "$(json 0.write_buf <buffers) $(json 1.write_buf <buffers)"; }
both_are() { [ "$(both)" = "$1" ]; }
lkstbuf create -s 4M >/dev/null
rule 0x1d1 do 'drop, snapshot:1'
request 2
ok 'an NMI causes a snapshot on both CPUs' wait_for both_are '1 1'
is 'they record it' "$(events lkst_snapshot 'cause=0x1d1 buffer=0 number=[0-9]+ missed=')" 2

# --- on and off

rule 0x1d1 do 'record:8, off:1'
request 2
is 'an NMI stops LKST' "$(field state)" stopped
lkst start
rule '!0x1d1'
while :; do request 2; done &
load=$!
for i in $(seq 10); do
	rule 0x1d1 do "record if serial & 1, off if cpu < 64, on, enable(0x1d0), disable(0x1d0), stop($i) if serial == 1" || echo "$i"
	rule 0x1d0 do "drop, stack, enable(0x1d1):$i" || echo "$i"
	rule '!0x1d0' || echo "$i"
done >failed
kill $load
wait
is 'rules change while NMIs cause actions' "$(cat failed)" ''
lacks 'the kernel reports no trouble' "$(dmesg)" 'WARNING:|BUG:|RCU used illegally|suspicious RCU'
done_testing
