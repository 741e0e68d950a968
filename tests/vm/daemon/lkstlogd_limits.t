#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# lkstlogd keeps to the limit for each file and to the limit for all files together. The files have
# the newest events. They can be read while they grow, and after they have been rewound, compressed
# or closed.
# kernel: base
# append: lkst.buffer_size=3M
# timeout: 400

# shellcheck disable=SC2046,SC2317
. "$(dirname "$0")/lkstlogd.sh"

# printable NAME FILE...: test that lkstbuf prints the files in chronological order without errors
printable() {
	printable_name=$1
	shift
	ok "$printable_name: print" sh -c 'lkstbuf print -r "$@" >printed 2>stderr' sh $(printf ' -f %s' "$@")
	# A daemon that rewinds a file may overtake a slow reader. The reader then reports that
	# events were overwritten, which is not an error.
	case $printable_name in
	*rewound*growing) sed -i '/events were overwritten by newer ones while the trace was read$/d' stderr ;;
	esac
	is "$printable_name: no errors are found" "$(cat stderr)" ''
	ok "$printable_name: the order of time is kept" in_order printed
	ok "$printable_name: there are more than 100 events" test "$(grep -vc '^#' printed)" -gt 100
}
bytes() { cat "$@" | wc -c; }
no_more_than() { # BYTES FILE...: whether none of the files is larger than BYTES
	no_more_limit=$1
	shift
	[ -z "$(find "$@" -size "+${no_more_limit}c")" ]
}

# --- a limit for each file

begin '-l' -b 1M -n 4 -l 3M
load 4 1 >made &
larger=0 trouble=0 disorder=0
while kill -0 $! 2>/dev/null; do
	no_more_than 3145728 $logs/sebuf* || larger=$((larger + 1))
	lkstbuf print -n 2000 -f $logs/sebuf0.0 -f $logs/sebuf1.0 >printed 2>stderr || trouble=$((trouble + 1))
	if [ -s stderr ]; then
		lacks 'while a file is rewound: only overwritten events are reported' "$(grep -v ' events were overwritten by newer ones while ' stderr)" .
	else
		tac printed >turned
		in_order turned >/dev/null || disorder=$((disorder + 1))
	fi
done
wait
is 'no file was ever larger' $larger 0
is 'the files can be printed while they are rewound' $trouble 0
is 'the files can be printed newest first, in the order of time' $disorder 0
mark 0x10910
next_0=$(recid 0 next) next_1=$(recid 1 next)
signal_daemon USR1
ok 'USR1: the files are closed' within 20 both_closed 0
whole 'rewound: no recid is missing between the oldest and the newest' $logs/sebuf0.0 $logs/sebuf1.0
ok 'the newest records are in the files' test "$(of cpu=0 next)" -ge "$next_0" -a "$(of cpu=1 next)" -ge "$next_1"
ok 'the oldest records are not in the files' test "$(of cpu=0 first)" -gt 0 -a "$(of cpu=1 first)" -gt 0
ok 'the file is nearly as large as its limit' test "$(of file=$logs/sebuf0.0 records)" -gt 30000 -a "$(of file=$logs/sebuf0.0 bytes)" -gt 2500000
is 'the file names its limit' "$(of file=$logs/sebuf0.0 limit)" 3145728
ok 'no file is larger than the limit' no_more_than 3145728 $logs/sebuf*
is 'the newest mark is in the files' "$(marked 0x10910 $logs/sebuf*)" 1
for cpu in 0 1; do
	writer=$((1 + cpu))
	is "the last mark of CPU $cpu is in the files" "$(($(of writer=$writer next) - 1))" "$(sed -n "s/^writer=$writer .*marks=//p" made)"
	is "no mark of CPU $cpu is missing" "$(of writer=$writer missing) $(of writer=$writer twice)" '0 0'
done
printable 'rewound and closed' $logs/sebuf0.0 $logs/sebuf1.0
is 'lkstbuf print prints every record' "$(grep -vc '^#' printed)" "$(($(of cpu=0 records) + $(of cpu=1 records)))"

ok 'TERM' stop

# --- the smallest limit; each CPU gets two files

begin 'the smallest limit' -b 256K -l 256K
load 2 >/dev/null
signal_daemon USR2
within 20 writes 1 1
load 1 >/dev/null
ok 'TERM' stop
for cpu in 0 1; do
	for serial in 0 1; do
		ok "CPU $cpu, serial $serial: not larger than the limit" no_more_than 262144 $logs/sebuf$cpu.$serial
		whole "CPU $cpu, serial $serial: no gaps" $logs/sebuf$cpu.$serial
	done
done

# --- a limit for all files

rm -rf $logs
mkdir -p $logs
: >$logs/other0.0
starts '-L' 0 -b 1M -n 4 -l 1M -L 5M
load 2 >/dev/null
for serial in 1 2 3 4; do
	signal_daemon USR2
	within 20 writes 1 $serial
	within 20 closed 0 $((serial - 1))
	load 1 >/dev/null
	bytes $logs/sebuf* >>sizes
done
# A new file may put the total above the limit, but only for a moment.
ok '-L: the files together are within the limit' test "$(bytes $logs/sebuf*)" -le 5242880
is '-L: the files were within the limit after each new file' "$(awk '$1 > 5242880' sizes)" ''
lacks '-L: the oldest files are deleted' "$(serials 0)$(serials 1)" '\b[01]\b'
contains '-L: the newest files stay' "$(serials 0)" '\b3 4 '
contains 'lkst status: the number of overwritten events is shown' "$(lkst status)" '[1-9][0-9]{4,}'
mark 0x10911
ok 'TERM' stop
whole '-L: the remaining files continue each other' "$(files 0 | tail -n 1)" "$(files 1 | tail -n 1)"
is '-L: the newest mark is in the files' "$(marked 0x10911 $logs/sebuf*)" 1
for name in previous.2 previous.x previous previous2; do
	head -c 5000 /dev/zero >$logs/sebuf$name
done
starts '-L: a daemon that starts stays within the limit, too' 5 -l 1M -L 2M
ok '-L: a daemon that starts deletes files at once' within 20 sh -c "[ \$(cat $logs/sebuf* | wc -c) -le $((2097152 + 15000)) ]"
is 'files of previous boots count, and are deleted like others' "$(cd $logs && echo sebufp*)" \
	'sebufprevious sebufprevious.x sebufprevious2'
ok 'TERM' stop
ok 'files with other names are left alone' test -e $logs/other0.0

# --- compressed

begin '-z' -b 1M -n 8 -z
load 2 5 400 >made
printable 'compressed and growing' $logs/sebuf0.0 $logs/sebuf1.0
next_0=$(recid 0 next) next_1=$(recid 1 next)
ok 'TERM' stop
whole 'compressed: no gaps' $logs/sebuf0.0 $logs/sebuf1.0
ok 'compressed: smaller than without compression' test "$(of file=$logs/sebuf0.0 compressed)" -gt 1 -a "$(of file=$logs/sebuf0.0 bytes)" -lt "$(($(of cpu=0 records) * 40))"
ok 'compressed: the last records are in the files' test "$(of cpu=0 next)" -ge "$next_0" -a "$(of cpu=1 next)" -ge "$next_1"
is 'compressed: the last marks are in the files' "$(($(of writer=5 next) - 1)) $(($(of writer=6 next) - 1))" "$(sort made | sed -n 's/^writer=.*marks=//p' | tr '\n' ' ' | sed 's/ $//')"
printable 'compressed and closed' $logs/sebuf0.0 $logs/sebuf1.0
begin '-z -l' -b 1M -n 8 -z -l 256K
load 1 >/dev/null
printable 'compressed, rewound and growing' $logs/sebuf0.0 $logs/sebuf1.0
ok 'TERM' stop
ok 'no file is larger than the limit' no_more_than 262144 $logs/sebuf*
whole 'compressed and rewound: no gaps' $logs/sebuf0.0 $logs/sebuf1.0
printable 'compressed, rewound and closed' $logs/sebuf0.0 $logs/sebuf1.0

rm -rf $logs printed turned stderr made sizes
done_testing
