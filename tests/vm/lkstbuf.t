#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# lkstbuf link, shift, jump, create, delete, list: each word with each option, what it prints, its exit status, and
# what is different in the kernel afterwards. lkstbuf read: lkstbuf_read.t.
# kernel: base
# append: lkst.buffer_size=4M

. "$(dirname "$0")/../tap.sh"
as_user=$(cd "$(dirname "$0")" && pwd)/as_user

# "CPU buffer size next state" of each buffer but 0, or what of them holds for ARGUMENTS of awk.
buffers() { lkstbuf list | awk 'NR > 1 && $2 { print $1, $2, $3, $4, $5 }'; }
entry() { lkstbuf list | awk -v cpu="$1" -v id="$2" '$1 == cpu && $2 == id { print $3, $4, $5 }'; }
written() { lkstbuf list | awk '$5 == "writing" { printf "%s%s:%s", sep, $1, $2; sep = " " }'; }
# By itself, so that what the CPUs of this script record changes nothing that is looked at.
unchanged() { is "$1: nothing is different" "$(lkstbuf list | awk '{ print $1, $2, $3, $4 }')" "$before"; }
# Removes all buffers but 0.
clean() {
	lkstbuf jump -b 0 >/dev/null
	lkstbuf link -b 0 >/dev/null
	buffers | while read -r cpu id rest; do lkstbuf del -c "$cpu" -b "$id" >/dev/null || echo "$rest"; done
}

is 'at the start there is buffer 0 alone' "$(buffers) $(written)" ' 0:0 1:0'

# --- create

is 'create: for all CPUs, the lowest id' "$(lkstbuf create -s 8K)" 'CPUs 0-1: buffer 1 created, 8192 bytes'
is 'create: each has it, it is free and leads nowhere' "$(buffers)" '0 1 8192 - free
1 1 8192 - free'
is 'create -c: on that CPU' "$(lkstbuf create -c 1 -s 4096)" 'CPU 1: buffer 2 created, 4096 bytes'
is 'create -c: and no other' "$(entry 0 2):$(entry 1 2)" ':4096 - free'
is 'create: the id that is free on all' "$(lkstbuf create -s 4k)" 'CPUs 0-1: buffer 3 created, 4096 bytes'
is 'create -c -b: that id' "$(lkstbuf create -c 0 -b 254 -s 1M)" 'CPU 0: buffer 254 created, 1048576 bytes'
is 'create -n: where it leads' "$(lkstbuf create -c 0 -b 10 -n 200 -s 4K)|$(entry 0 10)" \
	'CPU 0: buffer 10 created, 4096 bytes|4096 200 free'
is 'create -n 0' "$(lkstbuf create --cpu=0 --buffer=11 --next=0 --size=4K)|$(entry 0 11)" \
	'CPU 0: buffer 11 created, 4096 bytes|4096 0 free'
is 'create: sizes in hexadecimal, rounded down' "$(lkstbuf create -c 0 -b 12 -s 0x2fff)" \
	'CPU 0: buffer 12 created, 8192 bytes'
ok 'create -b without -c' sh -c 'lkstbuf create -b 77 -s 4K >/tmp/out 2>/tmp/err'
is 'create -b without -c: the id is ignored' "$(cat /tmp/out)" 'CPUs 0-1: buffer 4 created, 4096 bytes'
contains 'create -b without -c: says so' "$(cat /tmp/err)" '^lkstbuf: -b is ignored without -c'

before=$(lkstbuf list | awk '{ print $1, $2, $3, $4 }')
while IFS='|' read -r status options says; do
	# shellcheck disable=SC2086 # words
	refused "create $options" "$status" "$says" lkstbuf create $options
done <<-'END'
	2||-s is missing
	2|-b 5|-s is missing
	2|-s|option "-s" needs a value
	2|-s 4095|buffer size "4095" is out of range: 4K to 1G
	2|-s 2G|buffer size "2G" is out of range: 4K to 1G
	2|-s 99999999999G|out of range
	2|-s -4K|buffer size "-4K" is no size
	2|-s 4T|buffer size "4T" is no size: a number of bytes, or of K, M or G
	2|-s K|buffer size "K" is no size
	2|-c 0 -b 255 -s 4K|buffer id "255" is out of range: 0 to 254
	2|-c 0 -b -1 -s 4K|buffer id "-1"
	2|-c 0 -b x -s 4K|buffer id "x" is not a number
	2|-c x -s 4K|CPU "x" is not a number
	2|-c -1 -s 4K|CPU "-1"
	2|-n 255 -s 4K|next buffer id "255" is out of range
	2|-s 4K 5|what is "5" for
	2|-x|unknown option "-x"
	2|--siez=4K|unknown option "--siez=4K"; did you mean "--size"
	1|-c 7 -s 4K|no CPU 7 here, only CPUs 0-1
	1|-c 0 -b 10 -s 4K|buffer 10 is there already on CPU 0
	1|-c 0 -b 0 -s 4K|buffer 0 is there already on CPU 0
	2|-c 0 -b 20 -n 20 -s 4K|buffer 20 cannot lead to itself
	1|-n 5 -s 4K|buffer 5 is the lowest free id
	1|-c 0 -s 1G|not enough memory for a buffer of 1073741824 bytes: LKST takes [0-9]+ bytes of at most [0-9]+
END
unchanged 'create that is refused'

# --- link

is 'link -b -n: on all CPUs that have it' "$(lkstbuf link -b 1 -n 3)" 'CPUs 0-1: buffer 1 leads to buffer 3'
is 'link: so it is' "$(entry 0 1):$(entry 1 1)" '8192 3 free:8192 3 free'
is 'ln -c: on one' "$(lkstbuf ln -b 1 -n 0 -c 1)|$(entry 0 1):$(entry 1 1)" \
	'CPU 1: buffer 1 leads to buffer 0|8192 3 free:8192 0 free'
is 'ln without -n: nowhere' "$(lkstbuf ln -b 1)|$(entry 0 1):$(entry 1 1)" \
	'CPUs 0-1: buffer 1 leads nowhere|8192 - free:8192 - free'
is 'link: a buffer that only one CPU has' "$(lkstbuf link -b 2 -n 1)" 'CPU 1: buffer 2 leads to buffer 1'
is 'link: to one that is only on one CPU' "$(lkstbuf link -b 3 -n 2)" \
	'CPU 0: buffer 3 leads to buffer 2, which is not there yet
CPU 1: buffer 3 leads to buffer 2'
before=$(lkstbuf list | awk '{ print $1, $2, $3, $4 }')
while IFS='|' read -r status options says; do
	# shellcheck disable=SC2086 # words
	refused "link $options" "$status" "$says" lkstbuf link $options
done <<-'END'
	2||-b is missing
	2|-n 1|-b is missing
	2|-b 1 -n 1|buffer 1 cannot lead to itself
	2|-b 255 -n 1|buffer id "255" is out of range
	2|-b 1 -n 255|next buffer id "255" is out of range
	1|-b 99 -n 1|no buffer 99 on any CPU: "lkstbuf list" shows
	1|-b 2 -n 1 -c 0|no buffer 2 on CPU 0
	1|-b 1 -n 2 -c 9|no CPU 9 here
	2|-b 1 2|what is "2" for
END
unchanged 'link that is refused'

# --- jump

is 'jump -b: on all CPUs' "$(lkstbuf jump -b 1)|$(written)" 'CPUs 0-1: buffer 1 is written now|0:1 1:1'
is 'jump -b -c: on one' "$(lkstbuf jump -b 3 -c 0)|$(written)" 'CPU 0: buffer 3 is written now|0:3 1:1'
is 'jump: to where it is' "$(lkstbuf jump -b 3 -c 0)|$(written)" 'CPU 0: buffer 3 is written now|0:3 1:1'
contains 'jump: what was left is queued' "$(entry 0 1)" 'queued$'
fails 'jump -b: to a buffer that one CPU has not' 1 lkstbuf jump -b 2
is 'jump: the others go there' "$tap_output|$(written)" 'lkstbuf: no buffer 2 on CPU 0: "lkstbuf list" shows which there are
CPU 1: buffer 2 is written now|0:3 1:2'
while IFS='|' read -r status options says; do
	# shellcheck disable=SC2086 # words
	refused "jump $options" "$status" "$says" lkstbuf jump $options
done <<-'END'
	2||-b is missing
	2|-c 0|-b is missing
	2|-b 255|buffer id "255" is out of range
	1|-b 99|no buffer 99 on any CPU
	1|-b 2 -c 0|no buffer 2 on CPU 0
	1|-b 1 -c 9|no CPU 9 here
	2|-b 1 0|what is "0" for
END
is 'jump that is refused' "$(written)" '0:3 1:2'

# --- shift

lkstbuf link -b 3 -n 1 >/dev/null
is 'shift -c: one CPU' "$(lkstbuf shift -c 0)|$(written)" 'CPU 0: buffer 1 is written now|0:1 1:2'
fails 'shift: a CPU whose buffer leads nowhere' 1 lkstbuf shift
is 'shift: the others go on' "$tap_output|$(written)" \
	'lkstbuf: buffer 1 of CPU 0 leads to no other: "lkstbuf link -b 1 -c 0 -n ID" changes that
CPU 1: buffer 1 is written now|0:1 1:1'
lkstbuf link -b 1 -n 3 >/dev/null
is 'shift: all CPUs' "$(lkstbuf shift)|$(written)" 'CPUs 0-1: buffer 3 is written now|0:3 1:3'
lkstbuf link -b 3 -n 99 >/dev/null
refused 'shift: to a buffer that is not there' 1 'buffer 3 of CPU 1 leads to buffer 99, which is not there' lkstbuf shift -c 1
refused 'shift -c of no CPU' 1 'no CPU 9 here' lkstbuf shift -c 9
refused 'shift -b' 2 'unknown option "-b"' lkstbuf shift -b 1
is 'shift that is refused' "$(written)" '0:3 1:3'

# --- delete

refused 'delete: the one that is written' 1 'buffer 3 of CPU 0 is being written: shift or jump' lkstbuf delete -b 3 -c 0
refused 'delete: buffer 0' 1 'buffer 0 of CPU 0 cannot be deleted: it is always there' lkstbuf delete -b 0 -c 0
fails 'delete: buffer 0 of all CPUs' 1 lkstbuf delete -b 0
is 'delete: each error names its CPU' "$(printf '%s\n' "$tap_output" | grep -o 'of CPU [01]' | paste -sd ' ')" 'of CPU 0 of CPU 1'
lkstbuf jump -b 1 -c 1 >/dev/null
fails 'delete: one CPU writes it' 1 lkstbuf delete -b 3
is 'delete: the others lose it' "$tap_output|$(entry 1 3)" \
	'lkstbuf: buffer 3 of CPU 0 is being written: shift or jump to another one first
CPU 1: buffer 3 deleted|'
contains 'delete: and that CPU keeps it' "$(entry 0 3)" 'writing$'
is 'del -b: of all CPUs' "$(lkstbuf del -b 4)|$(entry 0 4):$(entry 1 4)" 'CPUs 0-1: buffer 4 deleted|:'
is 'del -b -c: of one' "$(lkstbuf del -b 10 -c 0)|$(entry 0 10)" 'CPU 0: buffer 10 deleted|'
is 'del -b: of the one that has it' "$(lkstbuf del -b 11)|$(entry 0 11)" 'CPU 0: buffer 11 deleted|'
before=$(lkstbuf list | awk '{ print $1, $2, $3, $4 }')
while IFS='|' read -r status options says; do
	# shellcheck disable=SC2086 # words
	refused "del $options" "$status" "$says" lkstbuf del $options
done <<-'END'
	2||-b is missing
	2|-b 255|buffer id "255" is out of range
	1|-b 99|no buffer 99 on any CPU
	1|-b 12 -c 1|no buffer 12 on CPU 1
	1|-b 12 -c 9|no CPU 9 here
	2|-b 12 12|what is "12" for
END
unchanged 'del that is refused'

# --- who reads is in the way

mkfifo /tmp/hold
lkstbuf create -c 0 -b 20 -s 64K -n 3 >/dev/null
lkstbuf link -c 0 -b 3 -n 20 >/dev/null
# So it is the first of the read queue.
for id in 20 0 3; do lkstbuf jump -c 0 -b $id >/dev/null; done
for id in $(buffers | awk '$1 == 0 && $2 < 20 { print $2 }'); do
	lkstbuf del -c 0 -b "$id" >/dev/null 2>&1
done
"$(dirname "$0")/reading" 0 </tmp/hold >/tmp/pid &
exec 9>/tmp/hold
until [ -s /tmp/pid ]; do sleep 0.1; done
reader=$(cat /tmp/pid)
contains 'list: a buffer that is being read' "$(entry 0 20)" 'reading$'
contains 'list -v: by whom' "$(lkstbuf list -v -c 0)" "^ *0  reader: owner $reader, position [0-9]+,"
in_the_way="lkstbuf: buffer 20 of CPU 0 is being read by process $reader: possible again when that is done"
fails 'shift: to a buffer that is being read' 1 lkstbuf shift -c 0
is 'shift: says so' "$tap_output" "$in_the_way"
fails 'jump: to a buffer that is being read' 1 lkstbuf jump -c 0 -b 20
is 'jump: says so' "$tap_output" "$in_the_way"
fails 'delete: a buffer that is being read' 1 lkstbuf delete -c 0 -b 20
is 'delete: says so' "$tap_output" "$in_the_way"
exec 9>&-
wait
ok 'jump: when the reader is gone' lkstbuf jump -c 0 -b 20
ok 'jump: and back' lkstbuf jump -c 0 -b 3

# --- list

is 'list: a line of titles' "$(lkstbuf list | head -n 1 | tr -s ' ')" ' CPU buffer size next state'
is 'ls: as list' "$(lkstbuf ls | awk '{ print $1, $2, $3, $4 }')" "$(lkstbuf list | awk '{ print $1, $2, $3, $4 }')"
is 'list -c: that CPU' "$(lkstbuf list -c 1 | awk 'NR > 1 { print $1 }' | uniq)" 1
is 'list -v: titles' "$(lkstbuf list -v | head -n 1 | tr -s ' ')" \
	' CPU buffer size next state first_recid next_recid baseid write_offset overwritten dropped rq_prev rq_next clock'
contains 'list -v: a buffer' "$(lkstbuf ls -v -c 0 | tr -s ' ')" \
	'^ 0 3 4096 20 writing [0-9]+ [0-9]+ -?[0-9]+ [0-9]+ [0-9]+ 0 - - (tsc|ns)$'
contains 'list -v: the reader' "$(lkstbuf list -v -c 0)" '^ *0  reader: owner -, position [0-9]+, queue from 0 to 20$'
contains 'list --json' "$(lkstbuf list --json -c 0 | tr -d ' \n')" '^\[\{"cpu":0,"write_buf":3,"read_buf":null,'
refused 'list -c of no CPU' 1 'no CPU 9 here, only CPUs 0-1' lkstbuf list -c 9
refused 'list: a word too many' 2 'what is "0" for' lkstbuf list 0

# --- all ids taken

i=0
while [ $i -lt 255 ]; do
	lkstbuf create -c 1 -s 4K >/dev/null 2>&1 || break
	i=$((i + 1))
done
is 'create: 255 buffers' "$(lkstbuf list -c 1 | awk 'NR > 1' | wc -l | tr -d ' ')" 255
refused 'create: one more' 1 'all 255 ids of buffers are taken: "lkstbuf delete" makes room' lkstbuf create -c 1 -s 4K
refused 'create: one more on all CPUs' 1 'all 255 ids of buffers are taken' lkstbuf create -s 4K

# --- help, names, who may

for word in link ln shift jump create delete del list ls read; do
	contains "$word --help" "$(lkstbuf $word --help)" '^Usage: lkstbuf [a-z]+ '
done
refused 'a mistyped word' 2 'did you mean "create"' lkstbuf craete
refused 'as a user' 1 'not permitted' "$as_user" lkstbuf shift

is 'all can be deleted' "$(clean)" ''
is 'in the end there is buffer 0 alone' "$(buffers) $(written)" ' 0:0 1:0'
done_testing
