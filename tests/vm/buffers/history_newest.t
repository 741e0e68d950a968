#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# lkstbuf print -n reads the history only if the buffers lack some of the newest events. It prints
# the same events as if it had read the history.
# append: lkst.history_size=4M lkst.buffer_size=256K lkst.history_share=100
# kernel: base
# mem: 512

. "$(dirname "$0")/../tap.sh"

trap 'lkstm set -m "$selected"; lkstm delete -n newest; true' EXIT
selected=$(lkst status | awk '$1 == "maskset" { print $2 }')
printf 'user_mark on\nsystem_call_entry on\nprocess_contextswitch on\n' | lkstm write -n newest >/dev/null || bail_out 'lkstm write'

# compressed NUMBER: whether the history of CPU 0 has at least NUMBER events
compressed() { [ "$(lkstbuf list | awk '$1 == 0 && $5 ~ /[.]/ { print $4 }')" -ge "$1" ]; }
lkstm set -n newest
for i in 1 2 3; do lkstlogger -ev user_mark -a1 $((0xab00 + i)); done
until compressed 20000; do taskset 1 cat /proc/*/status >/dev/null 2>&1; done
lkstm set -n nothing

# same NAME OPTION...: test that lkstbuf print -n 30 with the options prints the same events as the
# first 30 without -n
same() {
	name=$1
	shift
	lkstbuf print -C -n 30 "$@" >newest 2>/dev/null
	lkstbuf print -C "$@" 2>/dev/null | head -n "$(wc -l <newest)" >all
	ok "$name: there are events" test "$(wc -l <newest)" -gt 2
	is "$name: they are the newest ones" "$(cmp newest all 2>&1)" ''
}
same 'no other option'
same 'a CPU' -c 0
same 'with LKST'\''s own commands' --own
same 'an event that is in the buffers' -e system_call_entry
same 'an event that is in the history only' -e user_mark
is 'all of these events are printed' "$(lkstbuf print -n 30 -e user_mark | grep -c ' arg1=0xab0[123] ')" 3
is 'more events than the buffers have' "$(lkstbuf print --json -n 15000 | wc -l)" 15000
is 'with -r, the oldest events come from the history' \
	"$(lkstbuf print -r -n 3 -e user_mark | grep -c ' arg1=0xab0[123] ')" 3
is 'a message is printed once' "$(lkstbuf print -n 3 -e user_mark -e no_such 2>&1 | grep -c no_such)" 1

# reads OPTION...: print how many times lkstbuf print reads chunks of the history
# 0xc030bb2d is LKST_IOC_HISTORY_READ.
reads() {
	lkstm set -n newest
	lkstbuf print "$@" >/dev/null 2>&1
	lkstm set -n nothing
	lkstbuf print --own -e ioctl --where 'arg2 == 0xc030bb2d' | grep -c ' number=ioctl '
}
first=$(reads -n 20)
is 'the history is not read if the buffers have enough events' "$first" 0
ok 'it is read otherwise' test "$(reads -n 20 -e user_mark)" -gt 0
done_testing
