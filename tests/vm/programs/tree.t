#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The directory lkst/ of debugfs: which user events the file "set_event" turns on and off, and what the
# files show for names that contain control characters.
# kernel: base
# kernel-all: base debug
# append: lkst.buffer_size=4M lkst.user_events_tree=1

# shellcheck source=../commands/rows.sh
. "$(dirname "$0")/rows.sh"
# shellcheck source=tree.sh
. "$here/tree.sh"

events='tree_a tree_b tree_c'
finish() {
	kill "$keeper" 2>/dev/null
	tree_finish
	for event in $events; do echo "-:$event" >>$tree/dynamic_events; done
	lkstm delete -n tree_mine
} >/dev/null 2>&1
trap finish EXIT

# turn WORD...: append to set_event
turn() { echo "$*" >>$tree/set_event; }
# on: print the user events that are on, in one line
on() { sed -n 's/^user_events://p' $tree/set_event | tr '\n' ' ' | sed 's/ $//'; }
enabled() { cat $tree/events/user_events/"$1"/enable; }

lkstm set -n nothing
for event in $events; do echo "u:$event u32 code" >>$tree/dynamic_events; done
is 'no event is on' "$(on)" ''
ok 'by name' turn tree_a
is 'one is on' "$(on)" tree_a
is 'enable: one is on' "$(enabled tree_a),$(enabled tree_b)" 1,0
ok 'with the system' turn user_events:tree_c
is 'a second one' "$(on)" 'tree_a tree_c'
is 'as the maskset says' "$(lkstm read -n events | grep -c '^0x[0-9a-f]* 0x001 .*user_events:tree_[ac]')" 2
ok 'off' turn '!tree_a'
is 'only the other one' "$(on)" tree_c
ok 'several words' turn 'tree_a !tree_c tree_b'
is 'in their order' "$(on)" 'tree_a tree_b'
for word in user_events 'user_events:*' user_events: '*:*' :; do
	ok "$word" turn "!$word"
	is "$word: all are off" "$(on)" ''
	ok "$word: on" turn "$word"
	is "$word: all are on" "$(on)" "$events"
done
ok 'by name, in any system' turn '!*:tree_b' '!:tree_c'
is 'both are off' "$(on)" tree_a
for word in tree_nosuch user_events_multi:tree_a 'nosuch:*' tree_ '*'; do
	fails "$word: no such event" any turn "$word"
done
is 'an error changes nothing' "$(on)" tree_a
ok 'an event that is off can be turned off' turn '!tree_b'
is 'that changes nothing' "$(on)" tree_a
echo tree_b >$tree/set_event
is 'opening with O_TRUNC turns off the others' "$(on)" tree_b
: >$tree/set_event
is 'and all if nothing is written' "$(on)" ''
is 'modes' "$(stat -c '%a %n' $tree/set_event $tree/available_events $tree/user_events_status | sed "s|$tree/||" | tr '\n' ' ')" \
	'640 set_event 440 available_events 440 user_events_status '

# An event that is on persists.
echo '!tree_a' >>$tree/set_event
fails 'an event that is on cannot be deleted' any sh -c "echo tree_a >>$tree/set_event; echo -:tree_a >>$tree/dynamic_events"
turn '!tree_a'
ok 'an event that is off can be deleted' sh -c "echo -:tree_a >>$tree/dynamic_events"

# A line that deletes events may have a system and fields.
dynamic() { echo "$*" >>$tree/dynamic_events; }
dynamic u:tree_delete u32 a
fails 'delete: another system' any dynamic -:nosuch/tree_delete
fails 'delete: the system of events with several formats' any dynamic '!u:user_events_multi/tree_delete'
fails 'delete: other fields' any dynamic '!u:tree_delete u64 a'
fails 'delete: more fields' any dynamic '!u:tree_delete u32 a; u32 b'
contains 'delete: the event is left' "$(cat $tree/dynamic_events)" '^u:tree_delete u32 a$'
ok 'delete: its system and its fields' dynamic '-:user_events/tree_delete u32 a'
lacks 'delete: the event has ended' "$(cat $tree/dynamic_events)" tree_delete
dynamic u:tree_delete
ok 'delete: no fields' dynamic '!u:tree_delete'

# The directory has a maskset of its own, "events". If this maskset is deleted and another maskset
# gets its id, the other maskset is not overwritten.
lkstm set -n nothing
lkstm delete -n events
lkstm copy -n nothing tree_mine >/dev/null
ok 'the maskset of the tree has been deleted' turn tree_b
ok 'another one with its id is kept' lkstm read -n tree_mine
turn '!tree_b'

# A name must not look like another line.
registers keep "$(printf 'tree_\nforged\t\\n u32 co\nde; struct st\nruct x 4')" >keep.out &
keeper=$!
wait_for grep -q registered keep.out
name='user_events:tree_\\012forged\\011\\134n'
contains 'available_events: escapes' "$(cat $tree/available_events)" "^$name$"
contains 'dynamic_events: escapes' "$(cat $tree/dynamic_events)" \
	'^u:tree_\\012forged\\011\\134n u32 co\\012de; struct st\\012ruct x 4$'
contains 'user_events_status: escapes' "$(cat $tree/user_events_status)" '^tree_\\012forged\\011\\134n$'
turn '*:*'
contains 'set_event: escapes' "$(cat $tree/set_event)" "^$name$"
format=$(cat $tree/events/user_events/tree_*forged*/format)
contains 'format: the name' "$format" '^name: tree_\\012forged\\011\\134n$'
contains 'format: a field' "$format" '	field:u32 co\\012de;	offset:8;	size:4;	signed:0;$'
contains 'format: a type' "$format" '	field:struct st\\012ruct x;	offset:12;	size:4;'
contains 'format: the text' "$format" '^print fmt: "co\\012de=%u x=%llu", REC->co\\012de, REC->x$'
done_testing
