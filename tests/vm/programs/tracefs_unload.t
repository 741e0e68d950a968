#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The files of user_events in tracefs belong to the group that the parameter names. They disappear
# when LKST is unloaded, and a program cannot open them through a descriptor with O_PATH.
# form: module headers stock
# append: lkst.buffer_size=4M

. "$(dirname "$0")/../tap.sh"
. ./form.sh

tracefs=/sys/kernel/tracing
[ -e $tracefs/events ] || mount -t tracefs tracefs $tracefs
rmmod lkst
load_lkst user_events_gid=12 || exit
is "the group and the mode" "$(stat -c '%g %a' $tracefs/user_events_data)" '12 660'
is "the mode of the status" "$(stat -c '%g %a' $tracefs/user_events_status)" '12 440'
: >hold.out
./tracefs hold >>hold.out &
holder=$!
wait_for grep -q ready hold.out
ok "LKST can be unloaded" timeout 100 rmmod lkst
is "the files have disappeared" "$(find $tracefs -maxdepth 1 -name 'user_events*')" ''
kill -USR1 $holder
wait $holder
is "the file cannot be opened afterwards" "$? $(cat hold.out)" '0 ready'
rm hold.out
load_lkst || exit
is "the default mode" "$(stat -c '%g %a' $tracefs/user_events_data)" '0 600'
is "the default mode of the status" "$(stat -c '%g %a' $tracefs/user_events_status)" '0 440'
lacks "the kernel log has no errors" "$(dmesg)" 'WARNING:|BUG:|INFO: task'
done_testing
