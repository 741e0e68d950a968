#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The directory lkst/ of debugfs: texts that programs write to "trace_marker".
# append: lkst.buffer_size=4M lkst.user_events_tree=1

# shellcheck source=../commands/rows.sh
. "$(dirname "$0")/rows.sh"
# shellcheck source=tree.sh
. "$here/tree.sh"

print=$tree/events/ftrace/print
finish() {
	echo '!hist:keys=common_pid' >$print/trigger
	rm -f tree_marker.text
	tree_finish
} >/dev/null 2>&1
trap finish EXIT

mark() { echo "$1" >$tree/trace_marker; }
# marks PATTERN: print how many events have a text that matches PATTERN
marks() { grep -cE ": print: buf=$1\$" $tree/trace; }

lkstm set -n nothing
is 'the mode' "$(stat -c %a $tree/trace_marker)" 220
fails 'it cannot be read' any cat $tree/trace_marker
echo >$tree/trace
ok 'while the event is off' mark tree_off
is 'nothing is recorded' "$(marks tree_off)" 0
echo 1 >$print/enable
ok 'while the event is on' mark tree_on
is 'the text is recorded' "$(marks tree_on)" 1
is 'as user_long_text' "$(lkstbuf print --own -r -e user_long_text | grep -c 'text=tree_on$')" 1
printf 'tree no newline' >$tree/trace_marker
is 'without a newline' "$(marks 'tree no newline')" 1
head -c 7000 /dev/zero | tr '\0' y >tree_marker.text
ok 'a text for which one event is too short' sh -c "cat tree_marker.text >$tree/trace_marker"
is 'two events' "$(marks 'yyy*')" 2
is 'they contain the whole text' "$(grep -E ': print: buf=y+$' $tree/trace | sed 's/.*=//' | tr -cd y | wc -c)" 7000
echo 'buf == tree_wanted' >$print/filter
mark tree_other
mark tree_wanted
is 'a filter: does not pass' "$(marks tree_other)" 0
is 'a filter: passes' "$(marks tree_wanted)" 1
echo 0 >$print/filter
ok 'a histogram' sh -c "echo hist:keys=common_pid >$print/trigger"
mark tree_1
mark tree_2
contains 'it counts' "$(cat $print/hist)" "^\\{ common_pid: +$$ \\} hitcount: +2$"
done_testing
