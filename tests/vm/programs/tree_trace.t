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
	kill "$reader" "$second"
	lkstbuf jump -b 0 -c 0
	lkstbuf delete -b 77 -c 0
	rm -f tree_trace.out
	tree_finish
} >/dev/null 2>&1
trap finish EXIT

mark() { echo "$1" | taskset 1 tee $tree/trace_marker >/dev/null; }
# shows FILE TEXT: whether the file contains exactly one event with this text
shows() { [ "$(grep -c ": print: buf=$2\$" "$1")" = 1 ]; }
# state PID: print the state of a process, or nothing if it has ended
state() { sed 's/.*) //; s/ .*//' "/proc/$1/stat" 2>/dev/null; }
# blocks PID: whether the process "cat" waits
blocks() { grep -q '(cat) [SD]' "/proc/$1/stat"; }
ended() { case $(state "$1") in '' | Z) ;; *) return 1 ;; esac }

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

# Short reads, and reads that do not wait
while IFS= read -r line; do echo "$line"; done <$tree/trace_pipe >tree_trace.out &
reader=$!
ok 'trace_pipe: a line that is read byte by byte does not wait for the next event' \
	wait_for shows tree_trace.out tree_3
kill $reader
wait $reader
tree_pipe $tree/trace_pipe "echo tree_4 >$tree/trace_marker" >tree_trace.out
is 'trace_pipe: with O_NONBLOCK, a read at the end fails with EAGAIN' $? 0
ok 'trace_pipe: with O_NONBLOCK, an event that was in the buffer' shows tree_trace.out tree_3
ok 'trace_pipe: with O_NONBLOCK, a new one' shows tree_trace.out tree_4

# A buffer is created again. Its positions start again, too.
create='lkstbuf create -s 64K -c 0 -b 77 && lkstbuf jump -b 77 -c 0'
again="lkstbuf jump -b 0 -c 0 && lkstbuf delete -b 77 -c 0 && $create
for i in \$(seq 30); do echo tree_new_\$i | taskset 1 tee $tree/trace_marker; done"
sh -c "$create" >/dev/null
for i in 1 2 3 4 5; do mark "tree_old_$i"; done
ok 'trace_pipe: a buffer is deleted and created again' \
	sh -c "tree_pipe $tree/trace_pipe '($again) >/dev/null' >tree_trace.out"
is 'trace_pipe: the events in the former buffer' "$(grep -c ': print: buf=tree_old_' tree_trace.out)" 5
is 'trace_pipe: the events in the new one' "$(grep -c ': print: buf=tree_new_' tree_trace.out)" 30
lkstbuf jump -b 0 -c 0 >/dev/null
lkstbuf delete -b 77 -c 0 >/dev/null

# Two processes read the same open file.
echo 0 >$print/enable
echo >$tree/trace
exec 3<$tree/trace_pipe
cat <&3 >tree_trace.out &
reader=$!
wait_for blocks $reader
cat <&3 >/dev/null &
second=$!
wait_for blocks $second
kill $second
ok 'trace_pipe: a second reader of the same open file can be interrupted' wait_for ended $second
ok 'trace_pipe: the first one still waits' wait_for blocks $reader
kill $reader
exec 3<&-
done_testing
