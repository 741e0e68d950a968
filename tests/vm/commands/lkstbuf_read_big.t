#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# lkstbuf read shows its progress on a terminal, can be interrupted at any time, and needs little
# memory, however large the buffer is. SIZE in the environment is the size of the buffer in MB. By
# default the buffer is so large that reading it takes at least 3 s, up to a maximum of 1 GB.
# kernel: base
# mem: 2048
# append: lkst.buffer_size=4M lkst.memory=1200M
# timeout: 600

. "$(dirname "$0")/rows.sh"

held() { lkstbuf list -v -c 0 | awk '$2 == 1 { print $7 - $6 - $10 }'; }
overwritten() { lkstbuf list -v -c 0 | awk '$2 == 1 { print $10 }'; }

# --- a full buffer on CPU 0, after recording has ended

lkstm read -d | awk '/^0x/ { print $1, ($1 ~ /^0x03/ ? "0x001" : "0x000") }' >syscalls
lkstm write -n syscalls -f syscalls >/dev/null || bail_out 'lkstm write'
now() { cut -d ' ' -f 1 /proc/uptime | tr -d .; }
# read_time: set $took to the time that reading buffer 1 takes, in hundredths of a second
read_time() {
	took=$(now)
	lkstbuf read -c 0 -b 1 -f /dev/null
	took=$(($(now) - took))
}
# fill MB: create and fill buffer 1 of CPU 0. Sets $held to the number of records in it, and $took
# to the time that it takes to read these records. If reading takes long, the emulated CPUs may have
# paused, so fill reads the records again.
fill() {
	lkstbuf jump -b 0 >/dev/null
	lkstbuf del -b 1 >/dev/null 2>&1
	lkstbuf create -c 0 -b 1 -s "$1M" >/dev/null || bail_out "a buffer of $1 MB"
	lkstm set -n syscalls >/dev/null || bail_out 'lkstm set'
	lkstbuf jump -c 0 -b 1 >/dev/null
	until [ "$(overwritten)" -gt 0 ]; do
		taskset 1 dd if=/dev/zero of=/dev/null bs=1 count=100000 2>/dev/null
	done
	lkstm set -m 0 >/dev/null
	held=$(held)
	read_time
	[ $took -lt 300 ] || read_time
}
size=${SIZE:-16}
fill "$size"
while [ -z "$SIZE" ] && [ $took -lt 300 ] && [ "$size" -lt 1024 ]; do
	size=$((size * 2))
	fill $size
done
diag "$size MB, $held records, read in $took s/100"
ok 'a large buffer is full' [ "$held" -ge $((size * 1024 * 1024 / 64 - 1)) ]

# --- reading the whole buffer

ok 'read, with 64 MB of address space' sh -c 'ulimit -v 65536 && lkstbuf read -c 0 -b 1 -f /dev/null 2>messages'
is 'read: without a terminal no progress is shown' "$(cat messages)" ''
on_terminal lkstbuf read -c 0 -b 1 -f /dev/null >messages
is 'read on a terminal' $? 0
tr '\r' '\n' <messages | sed -n 's/^lkstbuf: reading *\([0-9]*\)%.*/\1/p' | uniq >percents
sort -n -u percents >sorted
ok 'read on a terminal: progress goes up' cmp sorted percents
ok 'read on a terminal: progress is shown within the buffer' [ "$(wc -l <percents)" -ge 3 ]
ok 'read on a terminal: progress is erased at the end' grep -q "$(printf '%%.*\r\033\[K$')" messages

# --- interrupted

echo old >old
for name in old new; do
	on_terminal -i '%' lkstbuf read -c 0 -b 1 -f $name >messages
	is "^C, to $name: the exit status" $? 1
	contains "^C, to $name: the message" "$(tr '\r' '\n' <messages)" "^(.\[K)?lkstbuf: interrupted: nothing was written to $name\$"
done
is '^C: an existing file is unchanged' "$(cat old)" old
is '^C: no other file is left' "$(echo *)" 'messages old percents sorted syscalls'

# Send signals at arbitrary times. SIGINT is not among them, because background processes of a shell
# without job control ignore it.
for signal in TERM HUP; do
	for nap in 0 0.05 0.2 0.5; do
		on_terminal sh -c "lkstbuf read -c 0 -b 1 -f new & sleep $nap; kill -s $signal \$!; wait \$!; echo status \$?" >messages
		status=$(tr -d '\r' <messages | sed -n 's/^.*status //p')
		case $status in
		0) ok "$signal after $nap s: too late" lkstbuf print -f new --summary; rm new ;;
		1) contains "$signal after $nap s: the message" "$(cat messages)" 'interrupted: nothing was written to new' ;;
		129 | 143) pass "$signal after $nap s: before lkstbuf handles signals" ;;
		*) fail "$signal after $nap s: status $status" "$(cat messages)" ;;
		esac
		is "$signal after $nap s: no file is left" "$(echo new*)" 'new*'
		rm -f new
	done
done

# --- a pipe, from which output cannot be withdrawn: what was written before the interruption is a
# complete trace

mkfifo pipe
lkstbuf read -c 0 -b 1 -f - >pipe 2>messages &
reader=$!
{ dd bs=64K count=40 2>/dev/null; kill -s TERM $reader; cat; } <pipe >part
wait $reader
is 'TERM, to a pipe: the exit status' $? 1
is 'TERM, to a pipe: the message' "$(cat messages)" \
	'lkstbuf: interrupted: the trace on standard output is complete up to that point'
ok 'TERM, to a pipe: the trace is complete' lkstbuf print -f part --summary
read=$(lkstbuf print -f part --summary --json | tr -d ' \n' | sed 's/.*"read":\([0-9]*\).*/\1/')
ok 'TERM, to a pipe: the trace has some of the records' [ "$read" -gt 0 ] && [ "$read" -lt "$held" ]

lkstm set -m 2 >/dev/null
lkstbuf jump -b 0 >/dev/null
lkstbuf del -b 1 >/dev/null
lkstm del -n syscalls >/dev/null
done_testing
