#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# What the commands do beyond commands.table: the state of the kernel as they show it, files that are whole or not
# there, interrupts, times, privileges, CPUs that are off.
# kernel: base
# kernel-all: base debug
# append: lkst.buffer_size=1M
# timeout: 400

. "$(dirname "$0")/../tap.sh"
. "$(dirname "$0")/absent.sh"
export TZ=UTC
as_user=$(cd "$(dirname "$0")" && pwd)/as_user
work=/tmp/commands_work
mkdir -p $work
cd $work || exit

plain() { grep -v '^#' | tr -s ' '; }
# Without times: the kernel converts its clock the better, the later it is asked.
timeless() { plain | cut -d ' ' -f 2- | md5sum; }
lines() { wc -l | tr -d ' '; }
field() { lkst status | sed -n "s/^$1  *//p"; }

# --- lkst

is 'status: running' "$(field state)" running
is 'status: the maskset' "$(field maskset)" '2 default'
contains 'status: the clock' "$(field clock)" '^(tsc|ns)$'
is 'status: CPUs' "$(field online)" 'CPUs 0-1'
is 'status: nothing lost' "$(field lost)" 0
contains 'status: the memory' "$(field memory)" '^[0-9]{7,} bytes, at most [0-9]{8,}$'
contains 'status: buffers of CPU 1' "$(lkst stat)" '^ *1 +online +0 +-$'
ok 'all' sh -c 'lkst all >all'
for title in Buffers Masksets 'Event handlers'; do
	contains "all: $title" "$(cat all)" "^$title:\$"
done
ok 'stop' lkst stop
is 'stopped' "$(field state)" stopped
is 'stopped: the maskset to go back to' "$(field 'saved maskset')" '2 default'
refused 'stopped: no other maskset' 1 'stopped.*lkst start' lkstm set -m 1
ok 'start without a state dump' lkst start --no-state-dump
is 'running again' "$(field state) $(field maskset)" 'running 2 default'
lkst stop
is 'no state dump' "$(lkstbuf print -e process_state | plain | lines)" 0
ok 'start' lkst start
lkst stop
contains 'the state dump tells of this shell' "$(lkstbuf print -e process_state)" \
	" process_state +thread=[a-z._]+-$$ tgid=$$ parent=.* state=[A-Z]\+? name="
contains 'the state dump tells of kernel threads' "$(lkstbuf print -e process_state)" 'thread=kthreadd-2 '
lkst start --no-state-dump

# --- lkstm

is 'list' "$(lkstm list | awk 'NR <= 4 { print $1, $2, $NF }')" 'id name state
0 nothing -
1 all -
2 default selected'
recorded() { lkstm read -n "$1" -a -d | grep -vc -e '^#' -e ' 0x000$'; }
is 'list: how many events are recorded' "$(lkstm list | awk 'NR > 1 && NR <= 4 { print $2, $4 }')" \
	"nothing 0
all $(recorded all)
default $(recorded default)"
refused 'set: unknown id' 1 'no maskset 77.*lkstm list' lkstm set -m 77
refused 'set: impossible id' 2 '"255" is out of range' lkstm set -m 255
refused 'set: no number' 2 '^lkstm set: maskset id "x" is not a number' lkstm set -m x
contains 'set: no number: where to read on' "$tap_output" '^Try "lkstm set --help"\.$'
refused 'set: unknown name' 1 'no maskset is called "x": "lkstm list" shows which there are' lkstm set -n x
is 'a failing set changes nothing' "$(field maskset)" '2 default'
is 'read -n' "$(lkstm read -n nothing)" "$(lkstm read -m 0)"
refused 'read: unknown id' 1 'no maskset 9' lkstm read -m 9

# --- lkstbuf list

lacks 'buffers: list: no blanks at the end' "$(lkstbuf list)" ' $'
contains 'buffers: list -v' "$(lkstbuf list -v)" \
	'^ *0 +0 +1048576 +- +writing +[0-9]+ +[0-9]+ +-?[0-9]+ +[0-9]+ +[0-9]+ +0 +- +- +(tsc|ns)$'
contains 'buffers: list -v: nobody reads' "$(lkstbuf list -v)" '^ *1 +reader: owner -, position 0, queue from - to -$'
# --- lkstlogger, and reading out

lkst start --no-state-dump
ok 'lkstlogger' lkstlogger -ev user_mark -a1 0x1234 -a2 -1 -a3 5
ok 'lkstlogger: by number' lkstlogger -ev 0x0e0 -a1 2
refused 'lkstlogger: a type of LKST itself' 1 'event type 0xf00: the kernel refuses it' lkstlogger -ev lkst_init
make_absent || exit
refused 'lkstlogger: an absent event' 1 "event \"$absent\" \($absent_number\) cannot be recorded" \
	lkstlogger -ev "$absent"
refused 'lkstlogger: a type that is not registered' 1 'event type 0x0ff: the kernel refuses it' lkstlogger -ev 0x0ff
ok 'lkstlogger: a number for users' lkstlogger -ev 0x1ff -a2 7
lkst stop
is 'the mark' "$(lkstbuf print -e user_mark -r -n 1 | plain | cut -d ' ' -f 5-)" \
	'user_mark arg1=0x1234 arg2=0xffffffffffffffff arg3=0x5 arg4=0x0'
is 'the number for users' "$(lkstbuf print -e user_0x1ff -r -n 1 | plain | cut -d ' ' -f 5-)" \
	'user_0x1ff arg1=0x0 arg2=0x7 arg3=0x0 arg4=0x0'
contains 'the mark: who set it' "$(lkstbuf print -e user_mark -n 1 | plain)" ' lkstlogger-[0-9]+ '

ok 'read -f' lkstbuf read -f trace
is 'a file and the kernel print the same' "$(lkstbuf print -f trace | timeless)" "$(lkstbuf print --own | timeless)"
is 'read without -f prints' "$(lkstbuf read | timeless)" "$(lkstbuf print --own | timeless)"
is 'read -f - gives the same trace' "$(lkstbuf read -f - | lkstbuf print -f - | timeless)" "$(lkstbuf print --own | timeless)"
is 'only root can read the file' "$(stat -c %a trace)" 600
all=$(lkstbuf print -f trace | plain | lines)
of_cpu0=$(lkstbuf print -f trace -c 0 | plain | lines)
of_cpu1=$(lkstbuf print -f trace -c 1 | plain | lines)
is 'the CPUs add up' $((of_cpu0 + of_cpu1)) "$all"
lkstbuf read -c 1 -f cpu1
is 'read -c' "$(lkstbuf print -f cpu1 | plain | lines)" "$of_cpu1"
lkstbuf read -b 0 -f buffer0
is 'read -b' "$(lkstbuf print -f buffer0 | plain | lines)" "$all"
lkstbuf read -n 10 -f ten
is 'read -n: of each buffer' "$(lkstbuf print -f ten | plain | lines)" 20
recids() { lkstbuf print -f "$1" -V -r -c 0 | sed -n 's/.* recid=\([0-9]*\) .*/\1/p' | head -n 10; }
is 'read -n: the oldest' "$(recids ten)" "$(recids trace)"
is 'every record is in the file, or was counted as gone' \
	"$(lkstbuf print -f trace --summary | awk '/overwritten/ { buffers = 1; next } buffers { lost += $3 - $4 - $5 - $6 } END { print lost + 0 }')" 0
contains 'the static buffer' "$(lkstbuf read -S)" ' lkst_init '
lkstbuf read -S -f static
is 'the static buffer in a file' "$(lkstbuf print -f static)" "$(lkstbuf read -S)"

# --- times: the marks lie between the clock's readings before and after

lkst start --no-state-dump
before=$(date +%s)
lkstlogger -ev user_mark -a1 7
after=$(date +%s)
lkst stop
mark=$(lkstbuf print -C -S -e user_mark -n 1 | cut -d , -f 4)
ok 'time of an event' test "$mark" -ge "$before" -a "$mark" -le "$after"

# --- a program, from fork to exit

lkst start --no-state-dump
sh -c 'lkst no_such_command; sh -c "exit 3"; kill -9 $$' 2>/dev/null
lkst stop
contains 'exit status' "$(lkstbuf print -e process_exit)" 'process_exit .* status=exit\(3\)'
contains 'exit status of a program' "$(lkstbuf print --own -e process_exit)" 'process_exit +thread=lkst-[0-9]+ prio=120 status=exit\(2\) name=lkst$'
contains 'killed' "$(lkstbuf print -e process_exit)" 'status=killed\(SIGKILL\)'
contains 'exec' "$(lkstbuf print --own -e process_exec)" ' lkst-[0-9]+ .* process_exec +thread=lkst-[0-9]+ old=[0-9]+ path=/[a-z/]*/lkst$'
contains 'a system call' "$(lkstbuf print -e system_call_entry)" 'number=execve arg1=0x'
# Since then: of a thread that ended long ago one CPU may have events still, and the other its name no more.
lacks 'every thread has a name' "$(lkstbuf print --own | plain | sed '/ lkst_trc_start /q')" '[ =]<[0-9]+>'

# --- bad input changes nothing

echo old >old
refused 'no such CPU' 1 'no CPU 99 here, only CPUs 0-1' lkstbuf read -c 99 -f old
refused 'no such buffer' 1 'no buffer 7 on any CPU' lkstbuf read -b 7 -f old
refused 'no such buffer on that CPU' 1 'no buffer 7 on CPU 1' lkstbuf read -b 7 -c 1 -f old
refused 'no such directory' 1 'none/trace' lkstbuf read -f none/trace
ln -s none dangling
refused 'a link to nothing' 1 'dangling: is a symbolic link to a file that is not there' lkstbuf read -f dangling
ok 'a link to nothing stays' test -L dangling
refused 'a full device' 1 'No space left' lkstbuf read -f /dev/full
refused 'bad list of event types' 1 'not a list of event types' lkstbuf read -E old -f old
is 'the old file stays' "$(cat old)" old
mkdir small
mount -t tmpfs -o size=64k none small
echo old >small/trace
refused 'a full disk' 1 'small/trace: cannot write the trace: No space left' lkstbuf read -f small/trace
is 'a full disk: the old file stays' "$(cat small/trace)" old
is 'a full disk: nothing is left behind' "$(ls -A small)" trace
refused 'a full disk, a new file' 1 'small/new: cannot write the trace: No space left on device; nothing was left behind' \
	lkstbuf read -f small/new
refused 'a full disk: print' 1 'temporary file in small: cannot write.*No space left.*TMPDIR' \
	env TMPDIR=small lkstbuf print
umount small
is 'nothing is left behind' "$(find . -name '*.??????' | lines)" 0

# --- interrupted: the file is the old one or the new one, and nothing else is there

for delay in 0.02 0.03 0.04 0.05 0.06 0.07 0.08 0.1 0.15; do
	echo old >interrupted
	lkstbuf read -f interrupted 2>>interrupts &
	sleep $delay
	kill $! 2>/dev/null
	wait $!
	[ "$(cat interrupted)" = old ] || lkstbuf print -f interrupted -n 1 >/dev/null 2>damage
	[ ! -s damage ] || break
done
is 'interrupted: a whole trace or none' "$(cat damage 2>/dev/null)" ''
is 'interrupted: nothing is left behind' "$(find . -name 'interrupted.*' | lines)" 0

# --- privileges

refused 'another user' 1 '^lkst: /dev/lkst: not permitted.*CAP_SYS_ADMIN.*root' \
	"$as_user" lkst status
lacks 'another user: every line says who tells' "$tap_output" '^[^l]'
chmod 666 /dev/lkst
for command in 'lkst status' 'lkst stop' 'lkst start' 'lkstm list' 'lkstm set -m 1' 'lkstm read' 'lkstbuf list' \
	'lkstbuf read' 'lkstbuf print' 'lkstlogger -ev user_mark'; do
	# shellcheck disable=SC2086 # words
	refused "without CAP_SYS_ADMIN: $command" 1 'not permitted.*CAP_SYS_ADMIN' "$as_user" $command
done
chmod 600 /dev/lkst

# --- a CPU that is off keeps its buffer

lkst start --no-state-dump
echo 0 >/sys/devices/system/cpu/cpu1/online
contains 'a CPU that is off' "$(lkst status)" '^ *1 +offline '
is 'a CPU that is off is still read' "$(lkstbuf print -c 1 -n 1 | plain | lines)" 1
echo 1 >/sys/devices/system/cpu/cpu1/online
done_testing
