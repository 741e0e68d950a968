#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# lkstbuf print --follow prints events as they happen, in order, whatever happens to the buffers.
# kernel: base
# kernel-all: base debug
# append: lkst.buffer_size=4M
# timeout: 400

# shellcheck disable=SC2317 # functions are called by wait_for and ok
. "$(dirname "$0")/rows.sh"

plain() { grep -v '^#' | tr -s ' '; }
mark() { lkstlogger -ev user_mark -a1 "$1"; }
# marks FILE: print the first arguments of the marks that a follower has printed, on one line
marks() { sed -n 's/.* user_mark .*arg1=0x\([0-9a-f]*\).*/\1/p' "$1" | tr '\n' ' '; }

has_mark() { grep -q "user_mark .*arg1=0x$2 " "$1"; }

# follow NAME OPTION...: start a follower in the background, set $pid to its process id, and wait
# until NAME.out shows that it works
follow() {
	follow_name=$1
	shift
	lkstbuf print -F -V "$@" >"$follow_name.out" 2>"$follow_name.err" &
	pid=$!
	wait_for ready
}
# ready: record a mark, and test whether the follower has printed it or has exited
ready() {
	mark 0xbeef
	has_mark "$follow_name.out" beef || ! kill -0 "$pid" 2>/dev/null
}
# interrupt SIGNAL: end the follower with the signal, and set $status to its exit status
interrupt() {
	kill "-$1" $pid
	status=0
	wait $pid || status=$?
}
# numbered FILE: the same as marks, but without the leading marks "beef", which ready() records
numbered() { marks "$1" | sed 's/^\(beef \)*//'; }

lkstm set -n default
follow all -e user_mark --time raw
for i in $(seq 1 60); do
	taskset $((i % 2 + 1)) lkstlogger -ev user_mark -a1 "$i"
done
ok 'marks are printed while lkstbuf follows' wait_for has_mark all.out 3c
interrupt INT
is 'SIGINT ends lkstbuf with success' $status 0
is 'all marks are printed in order, across CPUs' "$(numbered all.out)" "$(printf '%x ' $(seq 60))"
is 'no error messages' "$(cat all.err)" ''
contains 'processes that started later have names' "$(plain <all.out)" ' lkstlogger-[0-9]+ '
ok 'times increase' sh -c "grep -v '^#' all.out | cut -c 1-19 | sort -c"

# --- selections

follow where --where 'event == user_mark && (arg1 & 1 || arg1 > 5)'
for i in 1 2 3 4 5 6; do mark $i; done
wait_for has_mark where.out 6
interrupt INT
is '--where: only marks that meet the condition' "$(numbered where.out)" '1 3 5 6 '
refused '--where: an unknown field' 2 '--where, character 1: unknown field "arg9"' lkstbuf print -F --where 'arg9 == 1'

follow one -e user_mark -c 1 -n 3
taskset 2 lkstlogger -ev user_mark -a1 0xa1
taskset 1 lkstlogger -ev user_mark -a1 0xa2
wait_for sh -c "taskset 2 lkstlogger -ev user_mark -a1 0xa3; ! kill -0 $pid 2>/dev/null"
status=0
wait $pid || status=$?
is '-n: lkstbuf exits with success' $status 0
is '-n: it prints that number of events' "$(plain <one.out | wc -l)" 3
lacks '-c: only that CPU is printed' "$(plain <one.out)" '\[000\]'

follow these -e user_mark -p lkstlogger
wait_for has_mark these.out beef
sh -c 'exec lkstlogger -ev user_mark -a1 0xb1'
ok '-p: a name that a process gets while lkstbuf follows' wait_for has_mark these.out b1
interrupt TERM
is 'SIGTERM ends lkstbuf with success' $status 0
# A child of this shell records each mark. The child has the name lkstlogger only after it has
# executed lkstlogger.
lkstbuf print -F -V -e user_mark,process_fork -p 'all,!lkstlogger' >others.out &
pid=$!
forks() { mark 0xb2 && [ "$(grep -c process_fork others.out)" -gt "$1" ]; }
wait_for forks 0
before=$(grep -c 'arg1=0xb2 ' others.out)
wait_for forks "$(($(grep -c process_fork others.out) + 5))"
is '-p: a name that is excluded' "$(grep -c 'arg1=0xb2 ' others.out)" "$before"
interrupt INT

# --longer with -c: a call of a thread may begin on one CPU and end on another one.
lkstbuf print -F -p sleep --only --longer 300ms -c 1 >long.out 2>long.err &
pid=$!
slept() {
	taskset 1 sleep 0.1
	taskset 2 sleep 0.5
	grep -q ' system_call_exit  *number=clock_nanosleep .* took=' long.out
}
wait_for slept
interrupt INT
is '--longer: success' $status 0
contains '--longer: the end of a call' "$(plain <long.out)" \
	'\[001\] sleep-[0-9]+ .* system_call_exit number=clock_nanosleep result=0 took=([5-9][0-9][0-9](\.[0-9]+)?ms|[0-9.]+s)'
is '--longer: nothing else, and no other CPU' \
	"$(plain <long.out | grep -v '\[001\] .* \(took\|sleep\|wait\|next_sleep\|next_wait\)=')" ''
is '--longer: no error messages' "$(cat long.err)" ''

mark 0xc1
follow old -e user_mark --since -5m
is '--since begins with events in the buffers' "$(marks old.out | grep -ow c1)" c1
mark 0xc2
ok '--since continues with new events' wait_for has_mark old.out c2
is '--since: every event is printed once' "$(grep -c 'arg1=0xc1 ' old.out)" 1
interrupt HUP
is 'SIGHUP ends lkstbuf with success' $status 0

lkstbuf print -F --json -e user_mark -n 1 >json.out &
pid=$!
wait_for sh -c "lkstlogger -ev user_mark -a1 0xd1; ! kill -0 $pid 2>/dev/null"
contains '--json' "$(cat json.out)" '^\{"time":".*"event_name":"user_mark",.*"arg":\[209,0,0,0\].*\}$'

# The reader closes the pipe before an event is printed.
(lkstbuf print -F -e oops_die; echo "$?" >gone.status) | true
ok 'lkstbuf exits when the reader of its output exits' wait_for test -s gone.status
is 'when its reader exits, lkstbuf exits with success' "$(cat gone.status)" 0

# --- buffers are created and deleted, and a CPU goes offline and online

ring() {
	lkstbuf create -s 1M -n 0 && lkstbuf link -b 0 -n 1 || return
	for i in 1 2 3 4 5 6; do
		lkstbuf shift && mark "0xf$i" && wait_for has_mark buffers.out "f$i" || return
	done
	lkstbuf link -b 0 && lkstbuf delete -b 1
}
cpu_off_and_on() {
	mark 0xe7
	echo 0 >/sys/devices/system/cpu/cpu1/online
	mark 0xe8
	echo 1 >/sys/devices/system/cpu/cpu1/online
	taskset 2 lkstlogger -ev user_mark -a1 0xe9
}
follow buffers -e user_mark
ok 'buffers can be created, shifted to and deleted while the follower runs' ring
mark 0xff
wait_for has_mark buffers.out ff
interrupt INT
is 'changing buffers: no event is missed' "$(numbered buffers.out)" 'f1 f2 f3 f4 f5 f6 ff '
is 'changing buffers: no event is reported as lost' "$(cat buffers.err)" ''

follow hotplug -e user_mark
ok 'a CPU can go offline and online while the follower runs' cpu_off_and_on
mark 0xff
wait_for has_mark hotplug.out ff
interrupt INT
is 'a CPU that goes offline: no event is missed' "$(numbered hotplug.out)" 'e7 e8 e9 ff '

# --- losses: the follower is stopped while the buffer with the last mark wraps

follow slow -e user_mark
kill -STOP $pid
mark 0xa8
gone() {
	dd if=/dev/zero of=/dev/null bs=1 count=20000 2>/dev/null
	! lkstbuf print -e user_mark | grep -q 'arg1=0xa8'
}
ok 'the buffer wraps' wait_for gone
mark 0xaa
kill -CONT $pid
ok 'losses: lkstbuf continues' wait_for has_mark slow.out aa
interrupt INT
is 'losses: lkstbuf exits with success' $status 0
contains 'losses are reported' "$(cat slow.err)" '^lkstbuf: [0-9]+ events were overwritten before they could be read$'

# --- all events, including the follower's own: each event is either printed or reported as missed

follow everything --own
dd if=/dev/zero of=/dev/null bs=1 count=20000 2>/dev/null
mark 0xab
wait_for has_mark everything.out ab
interrupt INT
missed() {
	sed -n 's/.*\[\([0-9]*\)\] .* | recid=\([0-9]*\) .*/\1 \2/p' everything.out |
		awk '$1 in last { if ($2 <= last[$1]) back++; missed += $2 - last[$1] - 1 }
			{ last[$1] = $2; n++ } END { print (n > 1000), back + 0, missed + 0 }'
}
reported=$(sed -n 's/^lkstbuf: \([0-9]*\) events were .*/\1/p' everything.err | awk '{ sum += $1 } END { print sum + 0 }')
is 'each event is printed once in the order of its CPU, or reported as missed' "$(missed)" "1 0 $reported"

# --- bad usage

refused 'no such CPU' 1 'no CPU 99, only CPUs 0-1' lkstbuf print -F -c 99
refused 'no such CPU, with --longer' 1 'no CPU 99, only CPUs 0-1' lkstbuf print -F -c 99 --longer 1ms
refused 'only root can follow' 1 'CAP_SYS_ADMIN|[Pp]ermi' as_user lkstbuf print -F
done_testing
