#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The directory lkst/ of debugfs: the file "synthetic_events", and synthetic events in "dynamic_events".
# append: lkst.buffer_size=4M lkst.user_events_tree=1

# shellcheck source=../commands/rows.sh
. "$(dirname "$0")/rows.sh"
# shellcheck source=tree.sh
. "$here/tree.sh"

synthetic=$tree/synthetic_events dynamic=$tree/dynamic_events
fork=$tree/events/sched/sched_process_fork
finish() {
	tree_finish
	: >$synthetic
} >/dev/null 2>&1
trap finish EXIT

# add FILE LINE: append a line
add() { printf '%s\n' "$2" >>"$1"; }
# list FILE: print its lines, with a blank instead of a tab
list() { tr '\t' ' ' <"$1"; }

lkstm set -n nothing
is 'no event' "$(list $synthetic)" ''
ok 'an event' add $synthetic 'tree_lat u64 lat; char comm[16];'
is 'as it is listed' "$(list $synthetic)" 'tree_lat u64 lat; char[16] comm'
is 'dynamic_events: as it is listed' "$(list $dynamic)" 's:synthetic/tree_lat u64 lat; char comm[16]'
ok 'it has a directory' test -e $tree/events/synthetic/tree_lat/trigger
fails 'the name exists' any add $synthetic 'tree_lat u64 lat'
ok 'without ";"' add $synthetic 'tree_old  u64 lat pid_t pid unsigned  int x char comm[16]'
is 'without ";": as it is listed' "$(sed -n 2p $synthetic | tr '\t' ' ')" \
	'tree_old u64 lat; pid_t pid; unsigned int x; char[16] comm'
ok 'blanks around ";"' add $synthetic 'tree_blanks u64 a ;u64 b ; u64 c'
is 'blanks around ";": as it is listed' "$(sed -n 3p $synthetic | tr '\t' ' ')" 'tree_blanks u64 a; u64 b; u64 c'
ok 'removed without its fields' add $synthetic '!tree_blanks'
ok 'with a group' add $dynamic 's:tree_group/tree_own s32 code'
is 'with a group: as it is listed' "$(sed -n 3p $synthetic | tr '\t' ' ')" 'tree_group/tree_own s32 code'
ok 'with a group: removed by its definition' add $dynamic '!s:tree_group/tree_own s32 code;'
ok 'with a group: its directory has been removed' test ! -e $tree/events/tree_group

# Errors
for wrong in tree_x 'tree_x u64' 'tree_x nosuch a' 'tree_x u64 a[3]' 'tree_x u64 a b' 'tree_x u64 a;;' '!tree_x' ! \; ; do
	fails "wrong: $wrong" any add $synthetic "$wrong"
done
is 'an error changes nothing' "$(wc -l <$synthetic)" 2
echo >$tree/error_log
fails 'a wrong type' any add $dynamic 's:tree_x nosuch a'
contains 'error_log: what is wrong' "$(cat $tree/error_log)" '^\[ *[0-9.]+\] synthetic_events: error: unknown type "nosuch"'
is 'error_log: where' "$(tail -n 1 $tree/error_log)" '                    ^'

# Making events
echo 1 >$tree/events/synthetic/tree_old/enable
echo 1 >$fork/enable
lkstm rule -n events process_fork do 'record, trace(tree_old,child,child,child,name)'
/bin/true
contains 'the trace' "$(cat $tree/trace)" ': tree_old: lat=[0-9]+ pid=[0-9]+ x=[0-9]+ comm="tree_'
fails 'an event that is on is not removed' any sh -c ": >$synthetic"
echo 0 >$tree/events/synthetic/enable
fails 'an event that a rule makes is not removed' any sh -c ": >$synthetic"
fails 'nor by its name' any add $synthetic '!tree_old'
fails 'nor with all added events' any sh -c ": >$dynamic"
is 'none has been removed' "$(wc -l <$synthetic)" 2
ok 'a rule can make the other one' lkstm rule -n events process_fork do 'record, trace(tree_lat,child,name)'
lkstm rule -n events '!process_fork'
ok 'opening with O_TRUNC' sh -c ": >$synthetic"
is 'all have been removed' "$(cat $dynamic)" ''
ok 'and their directory' test ! -e $tree/events/synthetic
done_testing
