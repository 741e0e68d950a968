#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The directory lkst/ of debugfs: hist triggers, and the files "hist".
# append: lkst.buffer_size=4M lkst.user_events_tree=1

# shellcheck source=../commands/rows.sh
. "$(dirname "$0")/rows.sh"
# shellcheck source=tree.sh
. "$here/tree.sh"

fork=$tree/events/sched/sched_process_fork
keys='hist:keys=parent_pid,child_comm:vals=child_pid'
finish() {
	for trigger in "$keys" hist:keys=common_pid.hex hist:keys=parent_comm traceon; do
		echo "!$trigger" >$fork/trigger
	done
	tree_finish
} >/dev/null 2>&1
trap finish EXIT

# to FILE TEXT: write a line to a file of the event
to() { echo "$2" >"$fork/$1"; }
# count: print how many forks of this shell the first histogram has counted
count() {
	awk -v tid=$$ '$2 == "parent_pid:" && $3 + 0 == tid {
		sub(/.*hitcount: */, ""); num += $1 } END { print num + 0 }' $fork/hist
}
forks() { for i in 1 2 3; do /bin/true; done; }
# counts NAME WANTED: test whether the histogram counts forks of this shell. WANTED is 1 if it must
# count them, and 0 if not. The forks must not occur in a subshell.
counts() {
	old=$(count)
	forks
	is "$1" "$(($(count) > old))" "$2"
}

lkstm set -n nothing
is 'no histogram' "$(cat $fork/hist)" ''
ok 'a histogram' to trigger "$keys"
is 'the trigger' "$(cat $fork/trigger)" "$keys [active]"
contains 'the rule' "$(lkstm rule -n events --list)" 'do drop, hist\(keys=tid,name:vals=child:cont\)$'
counts 'forks are counted' 1
contains 'what it counts' "$(cat $fork/hist)" "^# trigger info: $keys \\[active\\]$"
contains 'an entry' "$(cat $fork/hist)" \
	"^\\{ parent_pid: +$$, child_comm: tree_his[^ ]* +\\} hitcount: +[0-9]+  child_pid: +[0-9]+$"
contains 'the totals' "$(cat $fork/hist)" '^    Dropped: 0$'
is 'the event is off' "$(cat $fork/enable)" 0
old=$(count)
to enable 1
ok 'turning the event on does not clear it' [ "$(count)" -ge "$old" ]
counts 'and events are still counted' 1
to trigger traceon
ok 'another trigger does not clear it' [ "$(count)" -ge "$old" ]

# States
ok 'pause' to trigger "$keys:pause"
is 'it is paused' "$(sed -n 1p $fork/trigger)" "$keys [paused]"
counts 'forks are not counted' 0
to enable 0
counts 'nor after another change' 0
ok 'continue' to trigger "$keys:cont"
counts 'forks are counted again' 1
old=$(count)
ok 'clear' to trigger "$keys:clear"
ok 'it has been cleared' [ "$(count)" -lt "$old" ]
counts 'it still counts' 1
fails 'the same again' any to trigger "$keys"
fails 'no such histogram' any to trigger hist:keys=child_pid:clear

# Errors
echo >$tree/error_log
fails 'a wrong definition' any to trigger 'hist:keys=child_pid,parent_pid:sort=parent_pid,junk if child_pid > 1'
contains 'error_log: what is wrong' "$(cat $tree/error_log)" \
	'^\[ *[0-9.]+\] hist:sched:sched_process_fork: error: "junk" is neither a key nor a sum'
is 'error_log: where, with the names of the kernel' "$(tail -n 1 $tree/error_log)" "$(printf '%58s^' '')"
fails 'no field to sort by' any to trigger hist:keys=child_pid:sort=
is 'error_log: where the part begins' "$(tail -n 1 $tree/error_log)" "$(printf '%31s^' '')"
fails 'a wrong condition' any to trigger 'hist:keys=child_pid if nosuch'
is 'error_log: where in the line' "$(tail -n 1 $tree/error_log)" "$(printf '%34s^' '')"

# Several histograms
ok 'a second histogram' to trigger hist:keys=common_pid.hex
ok 'a third one, with a condition' to trigger 'hist:keys=parent_comm if child_pid == 1'
forks
is 'all are shown' "$(grep -c '^# trigger info:' $fork/hist)" 3
contains 'the second one' "$(cat $fork/hist)" "^\\{ common_pid: $(printf %x $$) \\} hitcount: +[0-9]+$"
is 'the third one has no entry' "$(grep -c '^{ parent_comm:' $fork/hist)" 0
ok 'one is removed' to trigger "!$keys"
is 'the others are left' "$(grep -c '^# trigger info:' $fork/hist)" 2
contains 'they still count' "$(cat $fork/hist)" '^\{ common_pid: '

# Histograms with the same keys and sums
by=hist:keys=parent_pid
to trigger $by
forks
ok 'the same keys and sums, sorted in another way' to trigger $by:sort=parent_pid
forks
# older: whether the first of the two histograms has counted more forks of this shell
older() {
	awk -v tid=$$ -v first="$by" -v second="$by:sort=parent_pid" '/^# trigger info:/ { of = $4 }
		$2 == "parent_pid:" && $3 + 0 == tid { sub(/.*hitcount: */, ""); hits[of] = $1 + 0 }
		END { exit !(hits[second] > 0 && hits[first] > hits[second]) }' $fork/hist
}
newer() { ! older; }
ok 'each counts its own events' older
to enable 1
to enable 0
ok 'each continues after another change' older
to trigger $by:clear
ok 'only the first one is cleared' newer
ok 'the other one is removed' to trigger "!$by:sort=parent_pid"
to trigger "!$by"

# The kernel's names
to trigger 'hist:keys=common_pid:size=512 if parent_pid > 0'
forks
contains 'the name of a key is that of the definition' "$(cat $fork/hist)" "^\{ common_pid: +$$ \} hitcount:"
to trigger '!hist:keys=common_pid:size=512'
names=hist:keys=parent_pid,common_pid:vals=hitcount,child_pid.hex,common_pid
ok 'two names of a field' to trigger $names
forks
contains 'each is shown' "$(cat $fork/hist)" \
	"^\{ parent_pid: +$$, common_pid: +$$ \} hitcount: +[0-9]+  child_pid: +[0-9a-f]+  common_pid: +[0-9]+$"
to trigger "!$names"
to trigger hist:name=parent_pid:keys=child_pid
contains 'the name of a histogram is not translated' "$(lkstm rule -n events --list)" \
	'hist\(name=parent_pid:keys=child:cont\)'
to trigger '!hist:name=parent_pid:keys=child_pid'

# Modifiers
to trigger hist:keys=common_pid.buckets=1048576:vals=hitcount.percent
to trigger hist:keys=common_pid.buckets=1048576:vals=hitcount.graph
forks
contains 'buckets and percent' "$(cat $fork/hist)" '^\{ common_pid: ~ 0-1048575 \} hitcount \(%\): 100\.00$'
contains 'graph' "$(cat $fork/hist)" '^\{ common_pid: ~ 0-1048575 \} hitcount: #{20}$'
to trigger '!hist:keys=common_pid.buckets=1048576:vals=hitcount.percent'
to trigger '!hist:keys=common_pid.buckets=1048576:vals=hitcount.graph'

# Names of system calls
exit=$tree/events/raw_syscalls/sys_exit
echo hist:keys=id.syscall >$exit/trigger
contains 'a system call' "$(cat $exit/hist)" '^\{ id: unknown_syscall +\[ *[0-9]+\] \} hitcount: +[0-9]+$'
ok 'its histogram is removed' sh -c "echo '!hist:keys=id.syscall' >$exit/trigger"

# Errors
for wrong in hist hist: hist:keys hist:keys=nosuch 'hist:keys=child_pid:vals=child_comm' hist:keys=child_pid.nosuch \
	'hist:keys=child_pid:nosuch=1'; do
	fails "$wrong" any to trigger "$wrong"
done
is 'an error changes nothing' "$(grep -c '^# trigger info:' $fork/hist)" 2
fails 'a histogram that does not exist is removed' any to trigger "!$keys"
done_testing
