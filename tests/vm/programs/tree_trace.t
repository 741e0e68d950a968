#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The directory lkst/ of debugfs: the file "trace_pipe".
# append: lkst.buffer_size=4M lkst.user_events_tree=1

# shellcheck source=../commands/rows.sh
. "$(dirname "$0")/rows.sh"
# shellcheck source=tree.sh
. "$here/tree.sh"

print=$tree/events/ftrace/print
finish() {
	kill "$reader"
	rm -f tree_trace.out
	tree_finish
} >/dev/null 2>&1
trap finish EXIT

mark() { echo "$1" | taskset 1 tee $tree/trace_marker >/dev/null; }
# shows FILE TEXT: whether the file contains exactly one event with this text
shows() { [ "$(grep -c ": print: buf=$2\$" "$1")" = 1 ]; }

lkstm set -n nothing
echo >$tree/trace
echo 1 >$print/enable

mark tree_1
cat $tree/trace_pipe >tree_trace.out &
reader=$!
ok 'trace_pipe: an event that was in the buffer' wait_for shows tree_trace.out tree_1
mark tree_2
ok 'trace_pipe: a new one' wait_for shows tree_trace.out tree_2
mark tree_3
ok 'trace_pipe: another one' wait_for shows tree_trace.out tree_3
ok 'trace_pipe: each event is shown once' shows tree_trace.out tree_1
ok 'trace_pipe: a read that waits can be interrupted' kill $reader
wait $reader
ok 'trace_pipe: it does not remove events' shows $tree/trace tree_1
done_testing
