#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The directory lkst/ of debugfs: the kernel's events, with the names that the kernel's tracing gives
# to them and to their fields; their filters and triggers; the files "trace" and "tracing_on".
# kernel: base
# kernel-all: base debug
# append: lkst.buffer_size=4M lkst.user_events_tree=1

# shellcheck source=../commands/rows.sh
. "$(dirname "$0")/rows.sh"
# shellcheck source=tree.sh
. "$here/tree.sh"

fork=$tree/events/sched/sched_process_fork
switch=$tree/events/sched/sched_switch
finish() {
	echo 1 >$tree/tracing_on
	echo '!traceoff' >$fork/trigger
	echo 0 >$tree/events/sched/filter
	tree_finish
	lkstm delete -n pausing
	lkstm delete -n tree_rules
} >/dev/null 2>&1
trap finish EXIT

# to FILE TEXT: write a line
to() { echo "$2" >"$1"; }
rules() { lkstm rule -n events --list; }

lkstm set -n nothing
contains 'events have the names of the kernel' "$(cat $tree/available_events)" '^sched:sched_switch$'
contains 'other events have their own names' "$(cat $tree/available_events)" '^lkst:process_state$'
contains 'format: a string' "$(cat $switch/format)" '	field:char prev_comm\[8\];	offset:8;	size:8;	signed:0;$'
contains 'format: a number' "$(cat $switch/format)" '	field:u32 next_pid;	offset:[0-9]*;	size:4;	signed:0;$'
is 'id' "$(cat $switch/id)" 1

# Enabling
ok 'an event is turned on' to $switch/enable 1
is 'set_event' "$(cat $tree/set_event)" sched:sched_switch
is 'enable of its system' "$(cat $tree/events/sched/enable)" X
is 'enable of another system' "$(cat $tree/events/irq/enable)" 0
ok 'a system is turned on' to $tree/events/sched/enable 1
is 'all of its events are on' "$(cat $tree/events/sched/enable)" 1
to $tree/tracing_on 0
is 'LKST is stopped' "$(cat $tree/tracing_on)" 0
ok 'events are turned off during a stop' to $tree/events/enable 0
is 'no event is on' "$(cat $tree/set_event)" ''
ok 'an event is turned on during a stop' to $fork/enable 1
is 'it is on' "$(cat $tree/set_event)" sched:sched_process_fork
to $tree/trace ''
lacks 'trace: empty' "$(cat $tree/trace)" '^[^#]'
to $tree/tracing_on 1
/bin/true
contains 'trace: recorded after the start' "$(cat $tree/trace)" \
	'^ *tree_events\.t?-[0-9]+ +\[00[01]\] \.....? [0-9]+\.[0-9]{6}: sched_process_fork: child_comm=.* child_pid=[0-9]+$'
lacks 'trace: nothing else' "$(cat $tree/trace)" sched_switch

# Filters
is 'no filter' "$(cat $fork/filter)" none
ok 'a filter' to $fork/filter 'child_pid == 1 || parent_pid == 2'
is 'a filter: as it was written' "$(cat $fork/filter)" 'child_pid == 1 || parent_pid == 2'
contains 'a filter: as a rule' "$(rules)" 'child == 1 \|\| tid == 2'
fails 'a wrong filter' any to $fork/filter 'child_pid == 1 && child_pd > 1'
is 'a wrong filter: the position' "$(sed -n 2p $fork/filter)" '                  ^'
contains 'a wrong filter: why' "$(cat $fork/filter)" '^parse_error: unknown field "child_pd"'
contains 'a wrong filter: error_log' "$(cat $tree/error_log)" '^\[ *[0-9.]+\] event filter parse error: error: unknown field'
contains 'a wrong filter: the old one is kept' "$(rules)" 'child == 1 \|\| tid == 2'
to $tree/error_log ''
is 'error_log: cleared' "$(cat $tree/error_log)" ''
fails 'a filter with an action' any to $fork/filter 'child_pid == 1 do off'
to $tree/trace ''
/bin/true
lacks 'a filter: other events are not recorded' "$(cat $tree/trace)" sched_process_fork
to $fork/enable 0
to $fork/enable 1
contains 'a filter: kept when the event is turned off and on' "$(rules)" 'child == 1 \|\| tid == 2'
ok 'a filter of a system' to $tree/events/sched/filter 'comm == x'
is 'a filter of a system: an event' "$(cat $switch/filter)" 'comm == x'
fails 'a filter of a system: no event has the field' any to $tree/events/sched/filter 'nosuch == 1'
ok 'a filter is removed' to $tree/events/sched/filter 0
is 'a filter is removed: none' "$(cat $fork/filter)" none
is 'a filter is removed: no rule' "$(rules)" ''

# The tree copies another maskset with its rules and its limit
echo user_mark entry_log | lkstm write -n tree_rules -S >/dev/null
lkstm rule -n tree_rules user_mark if 'arg1 == 1'
lkstm limit -n tree_rules --cpu 0-1
lkstm set -n tree_rules
to $fork/enable 1
is 'a copy has the rules of the maskset' "$(rules)" 'user_mark if arg1 == 1'
contains 'a copy has the limit of the maskset' "$(lkstm limit -n events --list)" 'cpu 0-1'
lkstm rule -n tree_rules '!user_mark'
lkstm limit -n tree_rules --clear
lkstm set -n tree_rules
to $fork/enable 1
is 'a second copy does not have the rules of the first' "$(rules)" ''
lacks 'a second copy does not have the limit of the first' "$(lkstm limit -n events --list)" cpu
echo '!user_mark' >>$tree/set_event

# Triggers
contains 'triggers: the list' "$(cat $fork/trigger)" '^# traceon traceoff snapshot stacktrace enable_event disable_event hist$'
to $fork/enable 0
ok 'a trigger' to $fork/trigger 'traceoff:1 if child_pid == 1'
is 'a trigger: as it is shown' "$(cat $fork/trigger)" 'traceoff:count=1 if child_pid == 1'
contains 'a trigger: as a rule' "$(rules)" 'do drop, off:1 if child == 1'
is 'a trigger: the event is still off' "$(cat $fork/enable),$(cat $tree/set_event)" 0,
to $fork/enable 1
contains 'a trigger: the event is on' "$(rules)" 'do record, off:1 if child == 1'
to $fork/filter 'child_pid > 5'
contains 'a trigger: with a filter' "$(rules)" 'do record if child > 5, off:1 if child == 1'
fails 'a second trigger of the same kind' any to $fork/trigger traceoff
fails 'an unknown trigger' any to $fork/trigger trace
fails 'a wrong count' any to $fork/trigger traceoff:x
fails 'a wrong condition' any to $fork/trigger 'traceoff if child == 1 &&'
ok 'a trigger is removed' to $fork/trigger '!traceoff'
contains 'a trigger is removed: the filter is left' "$(rules)" 'child > 5'
lacks 'a trigger is removed: no action' "$(rules)" off
fails 'a trigger that does not exist is removed' any to $fork/trigger '!traceoff'
to $fork/trigger traceoff
/bin/true
is 'traceoff stops LKST' "$(cat $tree/tracing_on)" 0
to $fork/trigger '!traceoff'
to $tree/tracing_on 1

# Triggers while tracing_on is 0
to $tree/tracing_on 0
to $fork/trigger traceon
/bin/true
is 'traceon starts LKST' "$(cat $tree/tracing_on)" 1
lkst stop
/bin/true
is 'not after a stop' "$(cat $tree/tracing_on)" 0
to $tree/tracing_on 0
/bin/true
is 'but after 0 was written to tracing_on' "$(cat $tree/tracing_on)" 1
to $fork/trigger '!traceon'

# Triggers that turn an event on and off
to $switch/enable 0
to $fork/trigger 'enable_event:sched:sched_switch if child_pid == 1'
contains 'enable_event: as a rule' "$(rules)" 'do record if child > 5, enable\(process_contextswitch\) if child == 1$'
is 'enable_event: the event is off' "$(cat $switch/enable),$(cat $tree/set_event)" '0*,sched:sched_process_fork'
to $fork/trigger '!enable_event:sched:sched_switch'
to $fork/trigger 'enable_event:sched:sched_switch:1'
/bin/true
is 'enable_event: it is on' "$(cat $switch/enable)" '1*'
to $fork/trigger '!enable_event:sched:sched_switch'
is 'enable_event: without the trigger' "$(cat $switch/enable)" 0
to $switch/enable 1
to $fork/trigger 'disable_event:sched:sched_switch if child_pid == 1'
is 'disable_event: the event is on' "$(cat $switch/enable)" '1*'
to $fork/trigger '!disable_event:sched:sched_switch'
to $fork/trigger 'disable_event:sched:sched_switch'
/bin/true
is 'disable_event: it is off' "$(cat $switch/enable)" '0*'
to $fork/trigger '!disable_event:sched:sched_switch'
is 'disable_event: without the trigger' "$(cat $switch/enable)" 1
to $switch/enable 0

# Stacks
to $fork/trigger stacktrace
/bin/true
contains 'stacktrace: the trace' "$(cat $tree/trace)" ': <stack trace>$'
contains 'stacktrace: a function' "$(cat $tree/trace)" '^ => [a-z_0-9.]+\+0x'
lacks 'stacktrace: no function is missing' "$(cat $tree/trace)" '^ => \.\.\.$'
for value in 1 2 x; do fails "options/stacktrace: $value" any to $tree/options/stacktrace $value; done
ok 'options/stacktrace: 0' to $tree/options/stacktrace 0
to $fork/trigger '!stacktrace'

# With the third trigger, the rule would have 4099 bytes, but only 4095 fit. The first 4095 bytes
# would also be a valid rule, so LKST must not cut the rule off.
pad=$(printf '%1100s' '')
to $fork/trigger "traceon if child_pid ==${pad}1"
to $fork/trigger "stacktrace if child_pid ==${pad}1"
pad=$(printf '%1796s' '')
fails 'a trigger for which the rule has no room' any \
	to $fork/trigger "enable_event:sched:sched_waking if child_pid ==${pad}12345678"
lacks 'it is not added' "$(cat $fork/trigger)" enable_event
to $fork/trigger '!traceon'
to $fork/trigger '!stacktrace'

# A pause that a rule of another maskset has caused
lkstm read -d -m 0 | grep -v '^#' | lkstm write -n pausing >/dev/null
lkstm rule -n pausing user_mark do 'off if arg1 == 1, on if arg1 == 2'
lkstm set -n pausing
lkstlogger -ev user_mark -a1 1
is 'a pause counts as off' "$(cat $tree/tracing_on)" 0
ok 'an event is turned on during a pause' to $switch/enable 1
is 'it is on, and the pause continues' "$(cat $switch/enable),$(cat $tree/tracing_on)" 1,0
to $tree/tracing_on 1
is 'the end of the pause' "$(field maskset | cut -d ' ' -f 2),$(cat $tree/tracing_on)" events,1
done_testing
