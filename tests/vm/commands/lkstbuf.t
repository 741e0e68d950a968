#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Tests lkstbuf link, shift, jump, create, delete and list with each of their options: the output,
# the exit status, and the effect on the kernel. lkstbuf_read.t tests lkstbuf read.
# kernel: base
# append: lkst.buffer_size=4M

. "$(dirname "$0")/rows.sh"

# buffers: print "CPU buffer size next state" of each buffer but 0
# entry CPU ID: print "size next state" of one buffer
# written: print "CPU:buffer" of each buffer to which a CPU is writing
# None of these prints the long rings, which follow an empty line in the output of lkstbuf list.
buffers() { lkstbuf list | sed '/^$/,$d' | awk 'NR > 1 && $2 { print $1, $2, $3, $4, $5 }'; }
entry() { lkstbuf list | awk -v cpu="$1" -v id="$2" '$1 == cpu && $2 == id { print $3, $4, $5 }'; }
written() { lkstbuf list | awk '$5 == "writing" { printf "%s%s:%s", sep, $1, $2; sep = " " }'; }
# unchanged NAME: test that the buffers are those in $before
unchanged() { is "$1: the buffers are the same" "$(geometry)" "$before"; }
# refuses WORD: test that lkstbuf WORD refuses options. Rows on standard input:
# STATUS|OPTIONS|MESSAGE
refuses() {
	while IFS='|' read -r status options says; do
		# shellcheck disable=SC2086 # unquoted, to split it into words
		refused "$1 $options" "$status" "$says" lkstbuf "$1" $options
	done
}
# geometry: print CPU, id, size and next buffer of all buffers. Only the commands under test change
# these.
geometry() { lkstbuf list | sed '/^$/,$d' | awk '{ print $1, $2, $3, $4 }'; }
# Remove all buffers but 0.
clean() {
	lkstbuf jump -b 0 >/dev/null
	lkstbuf link -b 0 >/dev/null
	buffers | while read -r cpu id rest; do lkstbuf del -c "$cpu" -b "$id" >/dev/null || echo "$rest"; done
}

is 'at the start there is only buffer 0' "$(buffers) $(written)" ' 0:0 1:0'

# --- create

rows <<-'END'
	create: for all CPUs, the lowest id | lkstbuf create -s 8K | 0 | ^CPUs 0-1: buffer 1 created, 8192 bytes$
	create -c: on that CPU only | lkstbuf create -c 1 -s 4096 | 0 | ^CPU 1: buffer 2 created, 4096 bytes$ | echo "$(entry 0 2):$(entry 1 2)" | ^:4096 - free$
	create: the lowest id that is free on all CPUs | lkstbuf create -s 4k | 0 | ^CPUs 0-1: buffer 3 created, 4096 bytes$
	create -c -b: that id | lkstbuf create -c 0 -b 254 -s 1M | 0 | ^CPU 0: buffer 254 created, 1048576 bytes$
	create -n: sets the next buffer | lkstbuf create -c 0 -b 10 -n 200 -s 4K | 0 | ^CPU 0: buffer 10 created, 4096 bytes$ | entry 0 10 | ^4096 200 free$
	create: sizes in hexadecimal, rounded down | lkstbuf create -c 0 -b 12 -s 0x2fff | 0 | ^CPU 0: buffer 12 created, 8192 bytes$
	create -b without -c: the id is ignored | lkstbuf create -b 77 -s 4K 2>stderr | 0 | ^CPUs 0-1: buffer 4 created, 4096 bytes$ | cat stderr | ^lkstbuf: -b is ignored without -c
END
before=$(geometry)
refuses create <<-'END'
	2||-s is missing
	2|-s 4095|buffer size "4095" is out of range: 4K to 1G
	2|-s K|buffer size "K" is not a valid size
	2|-c 0 -b 255 -s 4K|buffer id "255" is out of range: 0 to 254
	2|-c x -s 4K|CPU "x" is not a number
	2|-n 255 -s 4K|next buffer id "255" is out of range
	2|-s 4K 5|unexpected argument "5"
	1|-c 7 -s 4K|no CPU 7, only CPUs 0-1
	1|-c 0 -b 10 -s 4K|buffer 10 already exists on CPU 0
	1|-c 0 -b 0 -s 4K|buffer 0 already exists on CPU 0
	2|-c 0 -b 20 -n 20 -s 4K|buffer 20 cannot be its own next buffer
	1|-n 5 -s 4K|buffer 5 is the lowest free id
	1|-c 0 -s 1G|not enough memory for a buffer of 1073741824 bytes: LKST takes [0-9]+ bytes of at most [0-9]+
END
unchanged 'refused create'

# --- link

rows <<-'END'
	link -b -n: on all CPUs that have it | lkstbuf link -b 1 -n 3 | 0 | ^CPUs 0-1: buffer 1 is followed by buffer 3$ | echo "$(entry 0 1):$(entry 1 1)" | ^8192 3 free:8192 3 free$
	ln -c: on one CPU | lkstbuf ln -b 1 -n 0 -c 1 | 0 | ^CPU 1: buffer 1 is followed by buffer 0$ | echo "$(entry 0 1):$(entry 1 1)" | ^8192 3 free:8192 0 free$
	ln without -n: makes the buffer terminal | lkstbuf ln -b 1 | 0 | ^CPUs 0-1: buffer 1 has no next buffer$ | echo "$(entry 0 1):$(entry 1 1)" | ^8192 - free:8192 - free$
	link: a buffer that only one CPU has | lkstbuf link -b 2 -n 1 | 0 | ^CPU 1: buffer 2 is followed by buffer 1$
	link: to a buffer that only one CPU has | echo $(lkstbuf link -b 3 -n 2) | 0 | ^CPU 0: buffer 3 is followed by buffer 2, which does not exist yet CPU 1: buffer 3 is followed by buffer 2$
END
before=$(geometry)
refuses link <<-'END'
	2||-b is missing
	2|-b 1 -n 1|buffer 1 cannot be its own next buffer
	2|-b 1 -n 255|next buffer id "255" is out of range
	1|-b 99 -n 1|no buffer 99 on any CPU: "lkstbuf list" lists
	1|-b 2 -n 1 -c 0|no buffer 2 on CPU 0
	1|-b 1 -n 2 -c 9|no CPU 9
END
unchanged 'refused link'

# --- jump

rows <<-'END'
	jump -b: on all CPUs | lkstbuf jump -b 1 | 0 | ^CPUs 0-1: now recording to buffer 1$ | written | ^0:1 1:1$
	jump -b -c: on one CPU | lkstbuf jump -b 3 -c 0 | 0 | ^CPU 0: now recording to buffer 3$ | written | ^0:3 1:1$
	jump: to the current buffer | lkstbuf jump -b 3 -c 0 | 0 | ^CPU 0: now recording to buffer 3$ | written | ^0:3 1:1$
	jump: the previous buffer is queued | entry 0 1 | 0 | queued$
	jump -b: to a buffer that one CPU does not have | lkstbuf jump -b 2 >stdout | 1 | ^lkstbuf: no buffer 2 on CPU 0: "lkstbuf list" lists the buffers$ | echo "$(cat stdout) $(written)" | ^CPU 1: now recording to buffer 2 0:3 1:2$
END
refuses jump <<-'END'
	2||-b is missing
	2|-b 255|buffer id "255" is out of range
	1|-b 99|no buffer 99 on any CPU
	1|-b 2 -c 0|no buffer 2 on CPU 0
	1|-b 1 -c 9|no CPU 9
END
is 'refused jump: the current buffers are the same' "$(written)" '0:3 1:2'

# --- shift

lkstbuf link -b 3 -n 1 >/dev/null
rows <<-'END'
	shift -c: one CPU | lkstbuf shift -c 0 | 0 | ^CPU 0: now recording to buffer 1$ | written | ^0:1 1:2$
	shift: a CPU whose buffer has no next buffer | lkstbuf shift >stdout | 1 | ^lkstbuf: buffer 1 of CPU 0 has no next buffer: "lkstbuf link -b 1 -c 0 -n ID" sets one$ | echo "$(cat stdout) $(written)" | ^CPU 1: now recording to buffer 1 0:1 1:1$
	shift: all CPUs | lkstbuf link -b 1 -n 3 >/dev/null; lkstbuf shift | 0 | ^CPUs 0-1: now recording to buffer 3$ | written | ^0:3 1:3$
	shift: to a buffer that does not exist | lkstbuf link -b 3 -n 99 >/dev/null; lkstbuf shift -c 1 | 1 | buffer 3 of CPU 1 is followed by buffer 99, which does not exist
	shift -c: unknown CPU | lkstbuf shift -c 9 | 1 | no CPU 9 | written | ^0:3 1:3$
END

# --- delete

rows <<-'END'
	delete: the current buffer | lkstbuf delete -b 3 -c 0 | 1 | buffer 3 of CPU 0 is being written: shift or jump
	delete: buffer 0 of all CPUs | lkstbuf delete -b 0 2>errors | 1 |  | echo $(cat errors) | buffer 0 of CPU 0 cannot be deleted: it is built in .*of CPU 1
	delete: the current buffer of one of the CPUs | lkstbuf jump -b 1 -c 1 >/dev/null; lkstbuf delete -b 3 >stdout | 1 | ^lkstbuf: buffer 3 of CPU 0 is being written: shift or jump to another one first$ | cat stdout | ^CPU 1: buffer 3 deleted$
	delete: the current buffer remains | echo "$(entry 1 3):$(entry 0 3)" | 0 | ^:.*writing$
	del -b: on all CPUs | lkstbuf del -b 4 | 0 | ^CPUs 0-1: buffer 4 deleted$ | echo "$(entry 0 4):$(entry 1 4)" | ^:$
	del -b: on the only CPU that has the buffer | lkstbuf del -b 10 | 0 | ^CPU 0: buffer 10 deleted$ | entry 0 10 | -
END
before=$(geometry)
refuses del <<-'END'
	2||-b is missing
	1|-b 99|no buffer 99 on any CPU
	1|-b 12 -c 1|no buffer 12 on CPU 1
	1|-b 12 -c 9|no CPU 9
END
unchanged 'refused del'

# --- a buffer that is being read

mkfifo /tmp/hold
lkstbuf create -c 0 -b 20 -s 64K -n 3 >/dev/null
lkstbuf link -c 0 -b 3 -n 20 >/dev/null
# Buffer 20 becomes the head of the read queue.
for id in 20 0 3; do lkstbuf jump -c 0 -b $id >/dev/null; done
for id in $(buffers | awk '$1 == 0 && $2 < 20 { print $2 }'); do
	lkstbuf del -c 0 -b "$id" >/dev/null 2>&1
done
reading 0 </tmp/hold >/tmp/pid &
exec 9>/tmp/hold
until [ -s /tmp/pid ]; do sleep 0.1; done
reader=$(cat /tmp/pid)
contains 'list: a buffer that is being read' "$(entry 0 20)" 'reading$'
contains 'list -v: the process that reads it' "$(lkstbuf list -v -c 0)" "^ *0  reader: owner $reader, position [0-9]+,"
in_the_way="lkstbuf: buffer 20 of CPU 0 is being read by process $reader: try again when that process has finished"
for command in 'shift -c 0' 'jump -c 0 -b 20' 'delete -c 0 -b 20'; do
	# shellcheck disable=SC2086 # unquoted, to split it into words
	refused "$command: a buffer that is being read" 1 "^$in_the_way\$" lkstbuf $command
done
exec 9>&-
wait
ok 'jump: to the buffer when its reader has exited' lkstbuf jump -c 0 -b 20
ok 'jump: back again' lkstbuf jump -c 0 -b 3

# --- list

is 'list: the heading' "$(lkstbuf list | head -n 1 | tr -s ' ')" ' CPU buffer size next state'
lacks 'list: no trailing spaces' "$(lkstbuf list)" ' $'
is 'list -v: the heading' "$(lkstbuf list -v | head -n 1 | tr -s ' ')" \
	' CPU buffer size next state first_recid next_recid baseid write_offset overwritten dropped rq_prev rq_next clock'
contains 'list -v: a buffer' "$(lkstbuf ls -v -c 0 | tr -s ' ')" \
	'^ 0 3 4096 20 writing [0-9]+ [0-9]+ -?[0-9]+ [0-9]+ [0-9]+ 0 - - (tsc|ns)$'
contains 'list -v: the reader' "$(lkstbuf list -v -c 0)" '^ *0  reader: owner -, position [0-9]+, queue from 0 to 20$'
refused 'list -c: unknown CPU' 1 'no CPU 9, only CPUs 0-1' lkstbuf list -c 9

# --- all ids in use

i=0
while [ $i -lt 255 ]; do
	lkstbuf create -c 1 -s 4K >/dev/null 2>&1 || break
	i=$((i + 1))
done
is 'create: 255 buffers' "$(lkstbuf list -c 1 | sed '/^$/,$d' | awk 'NR > 1' | wc -l | tr -d ' ')" 255
refused 'create: one more' 1 'all 255 buffer ids are in use: "lkstbuf delete" frees one' lkstbuf create -c 1 -s 4K
refused 'create: one more on all CPUs' 1 'all 255 buffer ids are in use' lkstbuf create -s 4K

refused 'without root' 1 'not permitted' as_user lkstbuf shift

is 'all other buffers can be deleted' "$(clean)" ''
is 'at the end there is only buffer 0' "$(buffers) $(written)" ' 0:0 1:0'
done_testing
