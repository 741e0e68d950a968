#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# What lkstlogd writes stays within its limits, a file's and that of all together: the newest events are there, and what
# is there can be read while it grows, is rewound, compressed, closed or was cut off.
# kernel: base
# append: lkst.buffer_size=3M
# timeout: 400

# Names of files have no blanks here; functions are called by "ok" and "within".
# shellcheck disable=SC2046,SC2317

cd "$(dirname "$0")" || exit
. ../tap.sh
. ./lkstlogd.sh
rm -rf $logs
cd /tmp || exit

# printable NAME FILE...: oldest first, in the order of time, and there is nothing to be said about the files.
printable() {
	printable_name=$1
	shift
	ok "$printable_name: print" sh -c 'lkstbuf print -r "$@" >printed 2>told' sh $(printf ' -f %s' "$@")
	# A daemon that rewinds may overtake a slow reader; that is said, and no mistake.
	case $printable_name in
	*rewound*growing) sed -i '/events were written over by newer ones while the trace was read$/d' told ;;
	esac
	is "$printable_name: nothing is wrong" "$(cat told)" ''
	ok "$printable_name: in the order of time" in_order printed
	ok "$printable_name: there are events" test "$(grep -vc '^#' printed)" -gt 100
}
bytes() { cat "$@" | wc -c; }
no_more_than() { # BYTES FILE...: none of the files is larger.
	no_more_limit=$1
	shift
	[ -z "$(find "$@" -size "+${no_more_limit}c")" ]
}

# --- a limit for each file

ok '-l' lkstlogd -a -b 1M -n 4 -l 3M
within 20 writes 1 0
load 4 1 >made &
larger=0 trouble=0 disorder=0
while kill -0 $! 2>/dev/null; do
	no_more_than 3145728 $logs/sebuf* || larger=$((larger + 1))
	lkstbuf print -n 2000 -f $logs/sebuf0.0 -f $logs/sebuf1.0 >printed 2>told || trouble=$((trouble + 1))
	if [ -s told ]; then
		lacks 'while it is rewound: nothing else is told' "$(grep -v ' events were written over by newer ones while ' told)" .
	else
		tac printed >turned
		in_order turned >/dev/null || disorder=$((disorder + 1))
	fi
done
wait
is 'no file ever was larger' $larger 0
is 'it can be printed while it is rewound' $trouble 0
is 'newest first, in the order of time' $disorder 0
mark 0x10910
next_0=$(recid 0 next) next_1=$(recid 1 next)
tell USR1
within 20 closed 0 0
ok 'closed' within 20 closed 1 0
whole 'rewound: no recid is missing between the oldest and the newest' $logs/sebuf0.0 $logs/sebuf1.0
ok 'the newest are there' test "$(of cpu=0 next)" -ge "$next_0" -a "$(of cpu=1 next)" -ge "$next_1"
ok 'the oldest are not' test "$(of cpu=0 first)" -gt 0 -a "$(of cpu=1 first)" -gt 0
ok 'it is about as full as it may be' test "$(of file=$logs/sebuf0.0 records)" -gt 30000 -a "$(of file=$logs/sebuf0.0 bytes)" -gt 2500000
is 'its limit is in it' "$(of file=$logs/sebuf0.0 limit)" 3145728
ok 'not larger' no_more_than 3145728 $logs/sebuf*
is 'the newest mark' "$(marked 0x10910 $logs/sebuf*)" 1
for cpu in 0 1; do
	writer=$((1 + cpu))
	is "the last mark of CPU $cpu" "$(($(of writer=$writer next) - 1))" "$(sed -n "s/^writer=$writer .*marks=//p" made)"
	is "no mark of CPU $cpu is missing" "$(of writer=$writer missing) $(of writer=$writer twice)" '0 0'
done
printable 'rewound, and closed' $logs/sebuf0.0 $logs/sebuf1.0
is 'as many as there are' "$(grep -vc '^#' printed)" "$(($(of cpu=0 records) + $(of cpu=1 records)))"

# A file that is exactly full, and one that was cut off at any place.
for size in 100 3000 99999 500000; do
	dd if=$logs/sebuf0.0 of=cut bs=$size count=1 2>/dev/null
	lkstbuf print -r -f cut >printed 2>told
	contains "cut off after $size bytes: said" "$(cat told)" 'cut'
	[ $size -lt 99999 ] || ok "cut off after $size bytes: what is there is in the order of time" in_order printed
done
ok 'TERM' stop

# --- the smallest limit, and going on with it

rm -rf $logs
ok 'the smallest limit' lkstlogd -a -b 256K -l 256K
within 20 writes 1 0
load 2 >/dev/null
tell USR2
within 20 writes 1 1
load 1 >/dev/null
ok 'TERM' stop
for cpu in 0 1; do
	for serial in 0 1; do
		ok "CPU $cpu, serial $serial: not larger" no_more_than 262144 $logs/sebuf$cpu.$serial
		whole "CPU $cpu, serial $serial: no gaps" $logs/sebuf$cpu.$serial
	done
done

# --- a limit for all files

rm -rf $logs
mkdir -p $logs
: >$logs/other0.0
ok '-L' lkstlogd -a -b 1M -n 4 -l 1M -L 5M
within 20 writes 1 0
load 2 >/dev/null
for serial in 1 2 3 4; do
	tell USR2
	within 20 writes 1 $serial
	within 20 closed 0 $((serial - 1))
	load 1 >/dev/null
	bytes $logs/sebuf* >>sizes
done
# Also when a file is begun, the sum is not exceeded for long.
ok '-L: all together' test "$(bytes $logs/sebuf*)" -le 5242880
is '-L: it never was more' "$(awk '$1 > 5242880' sizes)" ''
lacks '-L: the oldest goes first' "$(serials 0)$(serials 1)" '\b[01]\b'
contains '-L: the newest stay' "$(serials 0)" '\b3 4 '
contains 'lkst status: events that were written over are told' "$(lkst status)" '[1-9][0-9]{4,}'
mark 0x10911
ok 'TERM' stop
whole '-L: what is left follows one another' "$(files 0 | tail -n 1)" "$(files 1 | tail -n 1)"
is '-L: the newest mark' "$(marked 0x10911 $logs/sebuf*)" 1
for name in previous.2 previous.x previous previous2; do
	head -c 5000 /dev/zero >$logs/sebuf$name
done
ok '-L: a daemon that starts keeps it, too' lkstlogd -a -l 1M -L 2M
within 20 writes 1 5
ok 'at once' within 20 sh -c "[ \$(cat $logs/sebuf* | wc -c) -le $((2097152 + 15000)) ]"
is 'files of previous boots are counted and deleted as others are' "$(cd $logs && echo sebufp*)" \
	'sebufprevious sebufprevious.x sebufprevious2'
ok 'TERM' stop
ok 'files of another name are left alone' test -e $logs/other0.0
# --- compressed

rm -rf $logs
ok '-z' lkstlogd -a -b 1M -n 8 -z
within 20 writes 1 0
load 2 5 400 >made
printable 'compressed, and growing' $logs/sebuf0.0 $logs/sebuf1.0
next_0=$(recid 0 next) next_1=$(recid 1 next)
ok 'TERM' stop
whole 'compressed: no gaps' $logs/sebuf0.0 $logs/sebuf1.0
ok 'compressed: it is' test "$(of file=$logs/sebuf0.0 compressed)" -gt 1 -a "$(of file=$logs/sebuf0.0 bytes)" -lt "$(($(of cpu=0 records) * 40))"
ok 'compressed: to the last' test "$(of cpu=0 next)" -ge "$next_0" -a "$(of cpu=1 next)" -ge "$next_1"
is 'compressed: the last marks' "$(($(of writer=5 next) - 1)) $(($(of writer=6 next) - 1))" "$(sort made | sed -n 's/^writer=.*marks=//p' | tr '\n' ' ' | sed 's/ $//')"
printable 'compressed, and closed' $logs/sebuf0.0 $logs/sebuf1.0
rm -rf $logs
ok '-z -l' lkstlogd -a -b 1M -n 8 -z -l 256K
within 20 writes 1 0
load 1 >/dev/null
printable 'compressed, rewound, and growing' $logs/sebuf0.0 $logs/sebuf1.0
ok 'TERM' stop
ok 'not larger' no_more_than 262144 $logs/sebuf*
whole 'compressed and rewound: no gaps' $logs/sebuf0.0 $logs/sebuf1.0
printable 'compressed, rewound, and closed' $logs/sebuf0.0 $logs/sebuf1.0

rm -rf $logs printed turned told made sizes cut
done_testing
