#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# lkstbuf print --follow: events come while they happen, in order, whatever happens to the buffers.
# kernel: base
# kernel-all: base debug
# append: lkst.buffer_size=4M
# timeout: 400

# shellcheck disable=SC2317 # functions are called by until_true and ok
. "$(dirname "$0")/../tap.sh"
export TZ=UTC
as_user=$(cd "$(dirname "$0")" && pwd)/as_user
work=/tmp/follow
mkdir -p $work
cd $work || exit

plain() { grep -v '^#' | tr -s ' '; }
mark() { lkstlogger -ev user_mark -a1 "$1" -a2 "${2-0}"; }
# The marks that a follower printed: their first argument, on one line.
marks() { sed -n 's/.* user_mark .*arg1=0x\([0-9a-f]*\).*/\1/p' "$1" | tr '\n' ' '; }

# until_true COMMAND...: it is, within a time that is far too long
until_true() {
	for _ in $(seq 600); do
		"$@" && return
		sleep 0.1
	done
	return 1
}
has_mark() { grep -q "user_mark .*arg1=0x$2 " "$1"; }

# follow NAME OPTION...: in the background, as $pid; NAME.out shows that it is there
follow() {
	follow_name=$1
	shift
	lkstbuf print -F -V "$@" >"$follow_name.out" 2>"$follow_name.err" &
	pid=$!
	until_true there
}
there() {
	mark 0xbeef
	has_mark "$follow_name.out" beef || ! kill -0 "$pid" 2>/dev/null
}
# interrupt SIGNAL: it ends; $status
interrupt() {
	kill "-$1" $pid
	status=0
	wait $pid || status=$?
}
# Those after the marks that there() made.
numbered() { marks "$1" | sed 's/^\(beef \)*//'; }

want=$(seq 1 60 | while read -r i; do printf '%x ' "$i"; done)

lkstm set -n default
sleep 1 # the marks of other tests are of an earlier second
start=$(date +%s)
follow all -e user_mark
for i in $(seq 1 60); do
	taskset $((i % 2 + 1)) lkstlogger -ev user_mark -a1 "$i"
done
ok 'marks come while they are made' until_true has_mark all.out 3c
interrupt INT
is 'SIGINT ends it well' $status 0
is 'in order, across CPUs' "$(numbered all.out)" "$want"
is 'nothing is said' "$(cat all.err)" ''
contains 'both CPUs' "$(plain <all.out)" '\[000\]'
contains 'both CPUs, the other' "$(plain <all.out)" '\[001\]'
contains 'names of processes that came later' "$(plain <all.out)" ' lkstlogger-[0-9]+ '
ok 'times rise' sh -c "grep -v '^#' all.out | cut -c 1-18 | sort -c"
numbered_events() { grep -v '^#' "$1" | grep -v 'arg1=0xbeef' | sed 's/.* recid=\([0-9]*\) .*/\1/'; }
lkst stop
lkstbuf print -V -r -e user_mark --since "@$start" >print.out
lkst start --no-state-dump
# Its own events may have overwritten the first ones since, on each CPU.
numbered_events all.out >all.recids
numbered_events print.out >print.recids
ok 'print has the last events, too' test "$(wc -l <print.recids)" -ge 5
is 'and none that did not come' "$(grep -vxF -f all.recids print.recids)" ''

# --- what is wanted

follow one -e user_mark -c 1 -n 3
taskset 2 lkstlogger -ev user_mark -a1 0xa1
taskset 1 lkstlogger -ev user_mark -a1 0xa2
until_true sh -c "taskset 2 lkstlogger -ev user_mark -a1 0xa3; ! kill -0 $pid 2>/dev/null"
status=0
wait $pid || status=$?
is '-n: it ends' $status 0
is '-n: after so many' "$(plain <one.out | wc -l)" 3
lacks '-c: of that CPU only' "$(plain <one.out)" '\[000\]'

follow these -e user_mark -p lkstlogger
until_true has_mark these.out beef
sh -c 'exec lkstlogger -ev user_mark -a1 0xb1'
ok '-p: a name that is given while it follows' until_true has_mark these.out b1
interrupt TERM
is 'SIGTERM ends it well' $status 0
# Who forks has another name.
lkstbuf print -F -V -e user_mark,process_fork -p 'all,!lkstlogger' >others.out &
pid=$!
forks() { mark 0xb2 && [ "$(grep -c process_fork others.out)" -gt "$1" ]; }
until_true forks 0
before=$(grep -c 'arg1=0xb2 ' others.out)
until_true forks "$(($(grep -c process_fork others.out) + 5))"
is '-p: a name that is left out' "$(grep -c 'arg1=0xb2 ' others.out)" "$before"
interrupt INT

mark 0xc1
follow old -e user_mark --since -5m
is '--since begins with what the buffers hold' "$(marks old.out | grep -ow c1)" c1
mark 0xc2
ok '--since goes on with what comes' until_true has_mark old.out c2
is '--since: every event once' "$(grep -c 'arg1=0xc1 ' old.out)" 1
interrupt HUP
is 'SIGHUP ends it well' $status 0

lkstbuf print -F --json -e user_mark -n 1 >json.out &
pid=$!
until_true sh -c "lkstlogger -ev user_mark -a1 0xd1; ! kill -0 $pid 2>/dev/null"
contains '--json' "$(cat json.out)" '^\{"time":".*"event_name":"user_mark",.*"arg":\[209,0,0,0\].*\}$'

# A reader that goes away, without an event to print
(lkstbuf print -F -e oops_die; echo "$?" >gone.status) | true
ok 'it does not outlive its reader' until_true test -s gone.status
is 'a reader that has seen enough is no failure' "$(cat gone.status)" 0

# --- what happens to buffers and CPUs

more_buffers() { lkstbuf create -s 1M -n 0 && lkstbuf link -b 0 -n 1; }
there_and_back() {
	for i in 1 2 3 4 5 6; do
		lkstbuf shift && mark "0xf$i" && until_true has_mark buffers.out "f$i" || return
	done
}
fewer_buffers() { lkstbuf link -b 0 && lkstbuf delete -b 1; }
cpu_off_and_on() {
	mark 0xe7
	echo 0 >/sys/devices/system/cpu/cpu1/online
	mark 0xe8
	echo 1 >/sys/devices/system/cpu/cpu1/online
	taskset 2 lkstlogger -ev user_mark -a1 0xe9
}
ring() { more_buffers && there_and_back && fewer_buffers; }
follow buffers -e user_mark
ok 'buffers come, are shifted to and go' ring
mark 0xff
until_true has_mark buffers.out ff
interrupt INT
is 'buffers come and go: nothing is missed' "$(numbered buffers.out)" 'f1 f2 f3 f4 f5 f6 ff '
is 'buffers come and go: nothing is lost' "$(cat buffers.err)" ''

follow hotplug -e user_mark
ok 'a CPU goes and comes' cpu_off_and_on
mark 0xff
until_true has_mark hotplug.out ff
interrupt INT
is 'a CPU goes and comes: nothing is missed' "$(numbered hotplug.out)" 'e7 e8 e9 ff '

# --- losses: it is kept from running while its buffer goes round

follow slow -e user_mark
kill -STOP $pid
mark 0xa8
gone() {
	dd if=/dev/zero of=/dev/null bs=1 count=20000 2>/dev/null
	! lkstbuf print -e user_mark | grep -q 'arg1=0xa8'
}
ok 'a buffer goes round' until_true gone
mark 0xaa
kill -CONT $pid
ok 'losses: it goes on' until_true has_mark slow.out aa
interrupt INT
is 'losses: it ends well' $status 0
contains 'losses are told' "$(cat slow.err)" '^lkstbuf: [0-9]+ events were overwritten before they could be read$'

# --- all events, which it causes, too: what it prints and what it says it missed is all there was

follow everything --own
dd if=/dev/zero of=/dev/null bs=1 count=20000 2>/dev/null
mark 0xab
until_true has_mark everything.out ab
interrupt INT
missed() {
	sed -n 's/.*\[\([0-9]*\)\] .* | recid=\([0-9]*\) .*/\1 \2/p' everything.out |
		awk '$1 in last { if ($2 <= last[$1]) back++; missed += $2 - last[$1] - 1 }
			{ last[$1] = $2; n++ } END { print (n > 1000), back + 0, missed + 0 }'
}
told=$(sed -n 's/^lkstbuf: \([0-9]*\) events were .*/\1/p' everything.err | awk '{ sum += $1 } END { print sum + 0 }')
is 'each event once, in the order of its CPU, or told as missed' "$(missed)" "1 0 $told"

# --- what makes no sense

refused 'no such CPU' 1 'no CPU 99 here, only CPUs 0-1' lkstbuf print -F -c 99
refused 'no such event' 1 'no event is called "usr_mark"; did you mean "user_mark"' lkstbuf print -F -e usr_mark
refused 'nobody but root' 1 'CAP_SYS_ADMIN|[Pp]ermi' "$as_user" lkstbuf print -F
done_testing
