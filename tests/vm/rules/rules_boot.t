#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The parameter lkst.rules writes rules of the first maskset. A wrong rule is reported, and the others
# are written.
# kernel: base
# append: lkst.buffer_size=4M "lkst.rules=system_call_exit if result < 0 && comm ~ '*;*'; no_event if x == 1;process_exec if path ~ '/tmp/*';; mem_kmalloc if requested > x; user_mark; process_exit if (tid == 1"
# log-allow: lkst\.rules

# shellcheck source=../commands/rows.sh
. "$(dirname "$0")/rows.sh"

is 'rules are written' "$(lkstm rule --list -n default)" "process_exec if path ~ '/tmp/*'
system_call_exit if result < 0 && comm ~ '*;*'"
messages=$(dmesg)
contains 'an unknown event' "$messages" 'lkst: lkst.rules=no_event: no such event$'
contains 'a wrong condition' "$messages" \
	'lkst: lkst.rules=mem_kmalloc: requested > x: character 13: "x" is not a value of "requested" \(want a number or a name\)$'
contains 'no condition' "$messages" 'lkst: lkst.rules=user_mark: not a rule \(want EVENT if CONDITION do ACTIONS\)$'
contains 'an incomplete condition' "$messages" \
	'lkst: lkst.rules=process_exit: \(tid == 1: character 10: the condition is incomplete \(want &&, \|\| or "\)"\)$'
is 'a wrong parameter is an event' "$(lkstbuf read -S | grep -c 'lkst_error.*rules')" 1

cp /bin/busybox /tmp/true
/tmp/true
/bin/true
contains 'the rules are in force' "$(lkstbuf print -r -e process_exec)" 'path=/tmp/true'
lacks 'for each event' "$(lkstbuf print -r -e process_exec)" 'path=/bin/true'
rm /tmp/true
done_testing
