#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The directory lkst/ of debugfs: the files "kprobe_events" and "dynamic_events", with which added events
# are added, listed and removed, and the directories of these events.
# kernel: base
# kernel-all: base debug
# append: lkst.buffer_size=4M lkst.user_events_tree=1

# shellcheck source=../commands/rows.sh
. "$(dirname "$0")/rows.sh"
# shellcheck source=tree.sh
. "$here/tree.sh"

kprobes=$tree/kprobe_events dynamic=$tree/dynamic_events
finish() {
	tree_finish
	: >$dynamic
	echo -:tree_user >>$dynamic
} >/dev/null 2>&1
trap finish EXIT

# add FILE LINE: append a line
add() { printf '%s\n' "$2" >>"$1"; }
# recorded PATTERN: whether the file "trace" contains an event of a new thread
recorded() { /bin/true && grep -qE "$1" $tree/trace; }
# to FILE TEXT: write a line
to() { echo "$2" >"$tree/$1"; }

lkstm set -n nothing
is 'no added event' "$(cat $kprobes)" ''
# shellcheck disable=SC2016
ok 'a kprobe' add $kprobes 'p:tree_p kernel_clone args=$arg1'
# shellcheck disable=SC2016
is 'it is listed' "$(cat $kprobes)" 'p:kprobes/tree_p kernel_clone args=$arg1'
is 'its directory' "$(ls $tree/events/kprobes/tree_p | tr '\n' ' ')" 'enable filter format hist id trigger '
contains 'available_events' "$(cat $tree/available_events)" '^kprobes:tree_p$'
contains 'format' "$(cat $tree/events/kprobes/tree_p/format)" '^	field:u64 args;	offset:8;	size:8;	signed:0;$'
contains 'format: how it is printed' "$(cat $tree/events/kprobes/tree_p/format)" '^print fmt: "args=0x%llx", REC->args$'
# shellcheck disable=SC2016
ok 'a kretprobe' add $kprobes 'r:tree_group/tree_r kernel_clone $retval:s64'
ok 'the group has a directory' test -d $tree/events/tree_group/tree_r
# shellcheck disable=SC2016
ok 'a tracepoint' add $dynamic 't:sched/tree_t sched_switch preempt=$arg1:u8'
ok 'its group is a system that exists' test -d $tree/events/sched/tree_t
lacks 'kprobe_events: no tracepoints' "$(cat $kprobes)" tree_t
# shellcheck disable=SC2016
contains 'dynamic_events: all' "$(cat $dynamic)" '^t:sched/tree_t sched_switch preempt=\$arg1:u8$'
ok 'an event of programs' add $dynamic 'u:tree_user u32 code'
contains 'dynamic_events: with the events of programs' "$(cat $dynamic)" '^u:tree_user u32 code$'

# Turning added events on
to events/kprobes/enable 1
is 'enable' "$(cat $tree/events/kprobes/tree_p/enable),$(cat $tree/events/tree_group/enable)" 1,0
to trace ''
ok 'the event is recorded' wait_for recorded ': tree_p: \(kernel_clone\) args=0x[0-9a-f]+$'
fails 'an event that is on is not removed' any add $kprobes -:tree_p
fails 'nor are all' any sh -c ": >$kprobes"
is 'none has been removed' "$(wc -l <$kprobes)" 2
is 'kprobe_profile: all probes' "$(awk '{ print $1 }' $tree/kprobe_profile | tr '\n' ' ')" 'tree_p tree_r '
contains 'kprobe_profile: calls of a probe that is on' "$(cat $tree/kprobe_profile)" '^  tree_p +[1-9][0-9]* +0$'
contains 'kprobe_profile: calls of a probe that is off' "$(cat $tree/kprobe_profile)" '^  tree_r +0 +0$'
ok 'a filter' to events/kprobes/tree_p/filter 'args == 1'
contains 'it is a rule' "$(lkstm rule -n events --list)" '^kprobes:tree_p .*args == 1$'
to events/kprobes/tree_p/filter 0
to events/enable 0

# Strings
version=$(sed -n 's/^Linux version [^ ]* \(.*\) #.*/\1/p' /proc/version)
# shellcheck disable=SC2016
add $kprobes 'p:tree_s kernel_clone wrong=+0(\16):string long=@linux_proc_banner:string number=\7:u8'
# shellcheck disable=SC2016
add $kprobes 'p:tree_f vfs_read $arg1:%pD'
# shellcheck disable=SC2016
add $kprobes 'p:tree_d vfs_unlink name=$arg3:%pd'
# shellcheck disable=SC2016
contains 'the name of a file: the listed definition' "$(cat $kprobes)" '^p:kprobes/tree_f vfs_read arg1=\$arg1:%pD$'
for event in s f d; do to events/kprobes/tree_$event/enable 1; done
: >tree_gone
rm tree_gone
cat $tree/README >/dev/null
/bin/true
to events/enable 0
contains 'a string that cannot be read' "$(cat $tree/trace)" ': tree_s: \(kernel_clone\) wrong=\(fault\) long="'
ok 'a string of several records' \
	sh -c "grep -F 'long=\"%s version %s $version' $tree/trace | grep -q '\" number=7\$'"
contains 'the name of a file' "$(cat $tree/trace)" ': tree_f: \(vfs_read\) arg1="README"$'
contains 'the name of a directory entry' "$(cat $tree/trace)" ': tree_d: \(vfs_unlink\) name="tree_gone"$'
for event in s f d; do add $kprobes "-:tree_$event"; done

# Arguments at the return
# shellcheck disable=SC2016
add $kprobes 'p:tree_in vfs_unlink name=$arg3'
# shellcheck disable=SC2016
add $kprobes 'r:tree_out vfs_unlink name=$arg3 $retval:s32'
# shellcheck disable=SC2016
ok 'a probe of a function' add $dynamic 'f:tree_f vfs_unlink%return name=$arg3:%pd old=$arg3'
contains 'it is listed in dynamic_events' "$(cat $dynamic)" \
	'^f:fprobes/tree_f vfs_unlink%return name=\$arg3:%pd old=\$arg3$'
lacks 'kprobe_events: no probes of functions' "$(cat $kprobes)" tree_f
echo 1 >$tree/events/kprobes/tree_in/enable
echo 1 >$tree/events/kprobes/tree_out/enable
echo 1 >$tree/events/fprobes/enable
: >tree_gone
rm tree_gone
to events/enable 0
name=$(sed -n 's/.*: tree_in: (vfs_unlink) name=//p' $tree/trace | tail -n 1)
contains 'the argument of a call' "$name" '^0x[0-9a-f]+$'
contains 'the same argument at the return' "$(cat $tree/trace)" ": tree_out: \\(<- vfs_unlink\\) name=$name arg2=0\$"
contains 'the probe of a function' "$(cat $tree/trace)" \
	": tree_f: \\(<- vfs_unlink\\) name=\"tree_gone\" old=$name\$"
for event in in out; do add $kprobes "-:tree_$event"; done
ok 'a probe of a function is removed' add $dynamic '!f:tree_f vfs_unlink%return'
ok 'the default name of a probe of a function' add $dynamic 'f vfs_unlink'
ok 'it has a directory' test -d $tree/events/fprobes/vfs_unlink__entry
fails 'kprobe_events does not remove it' any add $kprobes -:vfs_unlink__entry
add $dynamic -:vfs_unlink__entry

# Errors
fails 'a name that several functions have' any add $kprobes 'p:tree_x name_show'
contains 'error_log: a name that several functions have' "$(cat $tree/error_log)" 'there are several functions "name_show"$'
fails 'the name exists' any add $kprobes 'p:tree_p do_exit'
fails 'a tracepoint in kprobe_events' any add $kprobes 't:tree_x sched_switch'
fails 'kprobe_events does not remove a tracepoint' any add $kprobes -:tree_t
to error_log ''
# shellcheck disable=SC2016
fails 'a wrong definition' any add $kprobes 'p:tree_x kernel_clone $nosuch'
contains 'error_log: what is wrong' "$(cat $tree/error_log)" '^\[ *[0-9.]+\] trace_kprobe: error: '
is 'error_log: where' "$(tail -n 1 $tree/error_log)" '                                 ^'
fails 'an unknown kind' any add $dynamic 'x:tree_x kernel_clone'
for wrong in -: -:tree_nosuch -:nosuch/tree_p -:nosuch/ -:/ '!p' '!p:tree_p do_exit' '-:tree_p kernel_clon'; do
	fails "$wrong" any add $dynamic "$wrong"
done
is 'an error changes nothing' "$(wc -l <$kprobes)" 2

# Removing
ok 'with the place' add $kprobes '-:kprobes/tree_p kernel_clone'
ok 'its directory has been removed' test ! -e $tree/events/kprobes
ok 'by the definition' add $dynamic '!r:tree_group/tree_r kernel_clone'
ok 'in the system of the kernel' add $dynamic -:sched/tree_t
ok 'which stays' test -d $tree/events/sched/sched_switch
ok 'an event of the other kind' add $dynamic -:tree_user
is 'all have been removed' "$(cat $dynamic)" ''

add $kprobes 'p:tree_group/a vfs_read'
add $kprobes 'p:tree_group/b vfs_read'
ok 'a group' add $kprobes -:tree_group/
is 'all of its events have been removed' "$(cat $dynamic)" ''

ok 'without a name' add $kprobes 'p vfs_read'
ok 'it gets one' test -d $tree/events/kprobes/p_vfs_read_0
# shellcheck disable=SC2016
add $dynamic 't:tree_t sched_switch'
ok 'opening kprobe_events with O_TRUNC' sh -c ": >$kprobes"
is 'removes kprobes only' "$(cat $dynamic)" 't:tracepoints/tree_t sched_switch'
ok 'opening dynamic_events with O_TRUNC' sh -c ": >$dynamic"
is 'removes all' "$(cat $dynamic)" ''
lkstm event add 'p:tree_p kernel_clone' >/dev/null
wait_for test -d $tree/events/kprobes/tree_p
ok 'an event of lkstm has a directory' test -d $tree/events/kprobes/tree_p
lkstm event remove tree_p >/dev/null
wait_for test ! -e $tree/events/kprobes
ok 'it is removed' test ! -e $tree/events/kprobes
done_testing
