#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The directory lkst/ of debugfs: the files "set_event_pid", "set_event_notrace_pid" and
# "options/event-fork", which limit events to threads.
# kernel: base
# kernel-all: base debug
# append: lkst.buffer_size=4M lkst.user_events_tree=1

# shellcheck source=../commands/rows.sh
. "$(dirname "$0")/rows.sh"
# shellcheck source=tree.sh
. "$here/tree.sh"

fork=$tree/events/sched/sched_process_fork
finish() {
	kill "$other"
	echo 0 >$tree/options/event-fork
	: >$tree/set_event_pid
	: >$tree/set_event_notrace_pid
	tree_finish
	lkstm delete -n tree_pids
} >/dev/null 2>&1
trap finish EXIT

# to FILE TEXT: write a line
to() { echo "$2" >"$tree/$1"; }
# list FILE: print its lines in one line
list() { tr '\n' ' ' <"$tree/$1" | sed 's/ $//'; }
# begin: forget the present events
begin() { to trace ''; }
# forks_of TID: print how many forks of a thread have been recorded
forks_of() { grep -c -- "-$1 .* sched_process_fork:" $tree/trace; }
# recorded TID: print "yes" if forks of a thread have been recorded, otherwise "no"
recorded() { [ "$(forks_of "$1")" -gt 0 ] && echo yes || echo no; }

# Another shell, which forks once for each line that it reads, and whose child forks as well.
mkfifo tree_pids.go
sh -c 'echo $$ >tree_pids.other
	while read -r line; do
		sh -c "echo \$\$ >tree_pids.child; /bin/true; /bin/true"
		echo "$line" >tree_pids.done
	done' <tree_pids.go &
exec 3>tree_pids.go
wait_for test -s tree_pids.other
other=$(cat tree_pids.other)
round=0
# other_forks: let the other shell and its child fork. This shell forks, too
other_forks() {
	round=$((round + 1))
	echo $round >&3
	wait_for grep -sqx $round tree_pids.done
	child=$(cat tree_pids.child)
}

lkstm set -n nothing
is 'no list' "$(list set_event_pid)" ''
is 'event-fork is off' "$(cat $tree/options/event-fork)" 0
is 'modes' "$(stat -c %a $tree/set_event_pid $tree/set_event_notrace_pid $tree/options/event-fork | tr '\n' ' ')" \
	'640 640 640 '
ok 'a list before events are on' to set_event_pid "$other"
is 'it is shown' "$(list set_event_pid)" "$other"
is 'it is a limit' "$(lkstm limit -n events --list)" 'threads in set_event_pid'
to events/sched/sched_process_fork/enable 1
begin
other_forks
is 'a thread of the list' "$(recorded "$other")" yes
is 'its child' "$(recorded "$child")" no
is 'another thread' "$(recorded $$)" no

ok 'event-fork' to options/event-fork 1
is 'event-fork is on' "$(cat $tree/options/event-fork)" 1
begin
other_forks
is 'event-fork: a thread of the list' "$(recorded "$other")" yes
is 'event-fork: its child' "$(recorded "$child")" yes
is 'event-fork: another thread' "$(recorded $$)" no
lacks 'event-fork: a child that has ended is not in the list' "$(list set_event_pid)" "\\b$child\\b"
for value in 2 x -1; do fails "event-fork: $value" any to options/event-fork $value; done
ok 'event-fork: off' to options/event-fork 0

# Appending, and wrong lists
ok 'a number without a thread' sh -c "echo 4194303 ' ' 0x10 >>$tree/set_event_pid"
is 'the numbers are appended' "$(list set_event_pid)" "$(printf '%s\n' 16 "$other" 4194303 | sort -n | tr '\n' ' ' | sed 's/ $//')"
for wrong in x "$$ x" -1 4194304 99999999999999; do
	fails "wrong: $wrong" any sh -c "echo '$wrong' >>$tree/set_event_pid"
done
lacks 'a wrong list adds nothing' "$(list set_event_pid)" "\\b$$\\b"
ok 'an empty line' sh -c "echo >>$tree/set_event_pid"
contains 'an empty line adds nothing' "$(list set_event_pid)" "\\b$other\\b"
to set_event_pid $$
is 'opening with O_TRUNC removes the others' "$(list set_event_pid)" $$
begin
other_forks
/bin/true
is 'the other thread' "$(recorded "$other")" no
is 'the thread of the new list' "$(recorded $$)" yes
ok 'the list is kept when another maskset is selected' lkstm set -n nothing
lkstm delete -n events
to events/sched/sched_process_fork/enable 1
begin
other_forks
/bin/true
is 'after it: the other thread' "$(recorded "$other")" no
is 'after it: the thread of the list' "$(recorded $$)" yes

# Threads that are not recorded
ok 'set_event_pid: removed' sh -c ": >$tree/set_event_pid"
is 'set_event_pid: no list' "$(list set_event_pid)" ''
is 'set_event_pid: no limit' "$(lkstm limit -n events --list)" ''
ok 'set_event_notrace_pid' to set_event_notrace_pid "$other"
begin
other_forks
/bin/true
is 'notrace: a thread of the list' "$(recorded "$other")" no
is 'notrace: its child' "$(recorded "$child")" yes
is 'notrace: another thread' "$(recorded $$)" yes
to options/event-fork 1
begin
other_forks
is 'notrace, event-fork: the child' "$(recorded "$child")" no
to set_event_pid "$other $$"
begin
other_forks
/bin/true
is 'both lists: a thread of both' "$(recorded "$other")" no
is 'both lists: a thread of one' "$(recorded $$)" yes
: >$tree/set_event_notrace_pid
begin
other_forks
is 'both lists: one has been removed' "$(recorded "$other")" yes

# Emptying set_event_pid does not delete a limit that was set with "lkstm limit".
lkstm limit -n events --pid $$
: >$tree/set_event_pid
is 'a limit of lkstm limit is kept' "$(lkstm limit -n events --list)" "pid $$"
done_testing
