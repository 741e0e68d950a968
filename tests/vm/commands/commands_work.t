#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Tests what commands.table does not cover: the kernel's state in the output, times, a full disk,
# privileges, offline CPUs.
# kernel: base
# kernel-all: base debug
# append: lkst.buffer_size=1M
# timeout: 400

. "$(dirname "$0")/rows.sh"
# shellcheck source=why/why_agrees.sh
. "$here/why_agrees.sh"

plain() { grep -v '^#' | tr -s ' '; }
# Print a checksum of the events without their times. The same event can be printed with slightly
# different times, because the conversion of the clock becomes more exact with time.
timeless() { plain | cut -d ' ' -f 2- | md5sum; }
lines() { wc -l | tr -d ' '; }

# --- lkst

rows <<-'END'
	status: the clock | field clock | 0 | ^(tsc|ns)$
	status: CPUs | field online | 0 | ^CPUs 0-1$
	status: nothing lost | field lost | 0 | ^0$
	status: the memory | field memory | 0 | ^[0-9]{7,} bytes, at most [0-9]{8,}$
	status: buffers of CPU 1 | lkst stat | 0 | ^ *1 +online +0 +-$
	all: shows Masksets | lkst all | 0 | ^Masksets:$
END
lkst stop
is 'stopped: shows the saved maskset' "$(field 'saved maskset')" '2 default'
refused 'stopped: no maskset can be selected' 1 'stopped.*lkst start' lkstm set -m 1
lkst start --no-state-dump
is 'running again after the start' "$(field state) $(field maskset)" 'running 2 default'
lkst stop
# Check only events since the start: an earlier test may have made a state dump.
is 'no state dump is recorded' "$(lkstbuf print -e process_state,lkst_trc_start | plain | sed '/ lkst_trc_start /q' |
	grep -c ' process_state ')" 0
ok 'start' lkst start
lkst stop
contains 'the state dump has this shell' "$(lkstbuf print -e process_state)" \
	" process_state +thread=[a-z._]+-$$ tgid=$$ parent=.* state=[A-Z]\+? name="
lkst start --no-state-dump

# --- lkstm

recorded() { lkstm read -n "$1" -a -d | grep -vc -e '^#' -e ' 0x000$'; }
is 'list: how many events are recorded' "$(lkstm list | awk 'NR > 1 && NR <= 4 { print $2, $4 }')" \
	"nothing 0
all $(recorded all)
default $(recorded default)"
rows <<-'END'
	set: unknown id | lkstm set -m 77 | 1 | no maskset 77.*lkstm list
	set: not a number: points to the help | lkstm set -m x | 2 | ^Try "lkstm set --help"\.$
	set: unknown name | lkstm set -n x | 1 | no maskset is named "x": "lkstm list" lists the masksets | field maskset | ^2 default$
	read: unknown id | lkstm read -m 9 | 1 | no maskset 9
END
is 'read -n' "$(lkstm read -n nothing)" "$(lkstm read -m 0)"

# --- reading. lkstbuf_read.t tests which records are read

lkst stop
ok 'read -f' lkstbuf read -f trace
why_agrees trace
is 'a file and the kernel print the same' "$(lkstbuf print -f trace | timeless)" "$(lkstbuf print --own | timeless)"
is 'the static buffer can be read into a file' "$(lkstbuf read -S -f static; lkstbuf print -f static)" "$(lkstbuf read -S)"

# --- times: a mark lies between two readings of the clock

lkst start --no-state-dump
before=$(date +%s)
lkstlogger -ev user_mark -a1 7
# The clock of date(1) advances only with an interrupt of the timer.
sleep 0.1
after=$(date +%s)
lkst stop
mark=$(lkstbuf print -C -S -e user_mark -n 1 | cut -d , -f 4)
ok 'the time of the mark is right' test "$mark" -ge "$before" -a "$mark" -le "$after"

# --- a program, from fork to exit

lkst start --no-state-dump
sh -c 'lkst no_such_command; sh -c "exit 3"' 2>/dev/null
lkst stop
contains 'process_exit: the exit status of a shell' "$(lkstbuf print -e process_exit)" 'process_exit .* status=exit\(3\)'
contains 'process_exit: the exit status of lkst' "$(lkstbuf print --own -e process_exit)" 'process_exit +thread=lkst-[0-9]+ prio=120 status=exit\(2\) name=lkst$'
contains 'process_exec: the path of lkst' "$(lkstbuf print --own -e process_exec)" ' lkst-[0-9]+ .* process_exec +thread=lkst-[0-9]+ old=[0-9]+ path=/[a-z/]*/lkst$'
# Check only events since the last lkst_trc_start. One CPU may still have older events of a thread
# that exited long ago, while on the other CPU the event with the thread's name was overwritten.
lacks 'every thread has a name' "$(lkstbuf print --own | plain | sed '/ lkst_trc_start /q')" '[ =]<[0-9]+>'

# --- bad input changes nothing

ln -s none dangling
refused 'a dangling link' 1 'dangling: is a symbolic link to a file that does not exist' lkstbuf read -f dangling
ok 'a dangling link stays' test -L dangling
mkdir small
mount -t tmpfs -o size=64k none small
echo old >small/trace
refused 'a full disk' 1 'small/trace: cannot write the trace: No space left' lkstbuf read -f small/trace
is 'a full disk: the old file is kept' "$(cat small/trace)" old
is 'a full disk: no file is left behind' "$(ls -A small)" trace
refused 'a full disk, a new file' 1 'small/new: cannot write the trace: No space left on device; no file was created' \
	lkstbuf read -f small/new
refused 'a full disk: print' 1 'temporary file in small: cannot write.*No space left.*TMPDIR' \
	env TMPDIR=small lkstbuf print
umount small
is 'no file is left behind' "$(find . -name '*.??????' | lines)" 0

# --- privileges

refused 'another user is refused' 1 '^lkst: /dev/lkst: not permitted.*CAP_SYS_ADMIN.*root' \
	as_user lkst status
lacks 'another user: every line begins with the name of the program' "$tap_output" '^[^l]'
chmod 666 /dev/lkst
for command in 'lkst status' 'lkst stop' 'lkst start' 'lkstm list' 'lkstm set -m 1' 'lkstm read' 'lkstbuf list' \
	'lkstbuf read' 'lkstbuf print' 'lkstlogger -ev user_mark'; do
	# shellcheck disable=SC2086 # unquoted, to split it into words
	refused "without CAP_SYS_ADMIN: $command" 1 'not permitted.*CAP_SYS_ADMIN' as_user $command
done
chmod 600 /dev/lkst

# --- an offline CPU keeps its buffer

lkst start --no-state-dump
echo 0 >/sys/devices/system/cpu/cpu1/online
contains 'a CPU goes offline' "$(lkst status)" '^ *1 +offline '
contains 'the buffer of a CPU that is offline is listed' "$(lkstbuf list)" '^ *1 +0 '
is 'a CPU that is offline can be read' "$(lkstbuf print -c 1 -n 1 | plain | lines)" 1
echo 1 >/sys/devices/system/cpu/cpu1/online
done_testing
