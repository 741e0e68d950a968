#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The tools read the events of a program from the kernel, a trace file, the files of lkstlogd and
# memory. lkstm config selects these events by class, name and pattern. A program that uses the
# kernel's user_events records events with lkst run-user-events.
# kernel: base
# append: lkst.buffer_size=16M
# timeout: 300

. "$(dirname "$0")/rows.sh"

lkstm copy -n default readers >/dev/null || bail_out 'lkstm copy'
trap 'exec 9>&-; kill $load $logd $follow 2>/dev/null; wait; lkstm set -n default; lkstm delete -n readers; true' EXIT
handlers() { lkstm read -n readers | sed -n 's/^\(0x[0-9a-f]*\) \(0x[0-9a-f]*\)  # \(user_events[a-z_:]*\).*/\3 \2/p'; }

# begin [COMMAND...]: start the program, by means of COMMAND if there is one, and wait until the
# program has registered its events
begin() {
	rm -f go load
	mkfifo go
	"$@" readers_load $fd <go >load 2>&1 &
	load=$!
	exec 9>go
	wait_for grep -qs registered load || fail 'the program registers its events' "$(cat load)"
}

# finish: let the program record its events, and wait until it has ended
finish() {
	echo go >&9
	exec 9>&-
	wait "$load"
}

events() { lkstbuf print -r "$@" 2>&1 | sed -n 's/.*\(user_events:rd_\)/\1/p'; }
fd=''
wanted=$(for id in 1 2 3; do
	echo "user_events:rd_start  id=$id kind=read size=-$id"
	echo "user_events:rd_stop   id=$id result=-$id msg=\"the request has been answered: a long text\""
done)
texts() { sed 's/  */ /g'; }

# --- masksets

is 'by default, they are not recorded' "$(handlers)" 'user_events_new 0x000'
ok 'the class' lkstm config -n readers class:user_events on
is 'the class includes events to come' "$(handlers)" 'user_events_new 0x001'
lkstm set -n readers >/dev/null
begin
is 'an event that is registered later' "$(handlers)" 'user_events:rd_start 0x001
user_events:rd_stop 0x001
user_events_new 0x001'
ok 'by name' lkstm config -n readers user_events:rd_start off
ok 'by name, without the system' lkstm config -n readers rd_stop off
is 'both are off' "$(handlers)" 'user_events:rd_start 0x000
user_events:rd_stop 0x000
user_events_new 0x001'
ok 'by a pattern' lkstm config -n readers 'user_events:rd_*' on
ok 'by a pattern, without the system' lkstm config -n readers 'rd_star*' off
ok 'events to come' lkstm config -n readers user_events_new off
is 'one of them is on' "$(handlers)" 'user_events:rd_start 0x000
user_events:rd_stop 0x001
user_events_new 0x000'
lkstm set -n readers >/dev/null
lkstm read -n readers >saved
finish
id=$(lkstm find -n readers)
is 'a maskset with an event that has ended can be written back' "$(lkstm write -m "$id" -f saved 2>&1)" "maskset $id readers"
is 'the program sees which one is on' "$(grep stop load)" 'start 0 stop 1'
is 'only this one is recorded' "$(events -e 'user_events:*' | grep -c rd_stop),$(events -e 'user_events:*' | grep -c rd_start)" 3,0

# --- reading. lkstlogd and a follower begin before the program registers its events

lkstm config -n readers class:user_events on 2>/dev/null
lkstm set -n readers >/dev/null
rm -rf logs
mkdir logs
lkstlogd -F -a --no-compress -f "$PWD/logs/log" -c /dev/null >daemon 2>&1 &
logd=$!
wait_for test -e logs/log1.0
lkstbuf print -F -e user_mark,class:user_events >followed 2>&1 &
follow=$!
for _ in $(seq 1000); do
	lkstlogger -ev user_mark -a1 1
	grep -q user_mark followed && break
	sleep 0.1
done
begin
finish
has_all() { [ "$(grep -c user_events: followed)" -ge 6 ]; }
wait_for has_all
kill $follow
# The buffers of lkstlogd are small: the commands below could fill them with their own events.
lkst stop
all=$(echo "$wanted" | texts)
is 'the kernel' "$(events -e 'rd_*' -p "$load" | texts)" "$all"
is 'the follower' "$(sed -n 's/.*\(user_events:rd_\)/\1/p' followed | texts)" "$all"
is 'a condition' "$(events -p "$load" --where 'id == 2 && result < 0' | texts)" \
	"$(echo "$all" | sed -n 4p)"
contains 'JSON' "$(lkstbuf print --json -e rd_start -p "$load" -n 1)" \
	'"event_name":"user_events:rd_start",.*"fields":\{"id":3,"kind":"read","size":-3\}'
lkstbuf read -f trace
is 'a file' "$(events -f trace -e 'rd_*' -p "$load" | texts)" "$all"
contains 'lkstla pair' "$(lkstla pair -f trace rd_start rd_stop by id -p "$load")" '^ +3 '
is 'memory' "$(events -f /proc/kcore -e 'rd_*' -p "$load" | texts)" "$all"
lkst start
kill $logd
wait $logd
is 'the files of lkstlogd' "$(events -f logs/log* -e 'rd_*' -p "$load" | texts)" "$all"

# --- a program that uses the kernel's user_events. The shell opens the file for it

fd=3
begin lkst run-user-events -- bash -c 'exec 3<>/sys/kernel/tracing/user_events_data && exec "$@"' bash
finish
is 'lkst run-user-events' "$(events -e 'rd_*' -p "$load" | texts)" "$all"
contains 'lkst run-user-events: the status' "$(lkst run-user-events -- bash -c 'cat </anywhere/user_events_status')" '^Active: '
is 'lkst run-user-events: the status of the program' "$(lkst run-user-events -- bash -c 'exit 7'; echo $?)" 7
contains 'lkst run-user-events: no permission' "$(readers_load nobody lkst run-user-events -- echo ran 2>&1 | paste -sd ' ')" \
	'/dev/lkst_user_events: no permission to read and write it: .*root and the group (root|0) may; .*user_events_gid.* ran$'
done_testing
