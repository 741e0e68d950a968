#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Tests which buffers and how many records "lkstbuf read" reads, and where it writes the records.
# The test knows each record in the buffers. lkstbuf_read_big.t tests large buffers and
# interruption.
# kernel: base
# append: lkst.buffer_size=4M

. "$(dirname "$0")/rows.sh"
# shellcheck source=why/why_agrees.sh
. "$here/why_agrees.sh"

# mark C B N: record mark 0xCBN on CPU C, as the N-th mark in that CPU's buffer B. The second
# argument of the mark is a tag, because buffer 0 may hold marks of other tests.
mark() { taskset $((1 << $1)) lkstlogger -ev user_mark -a1 "0x$1$2$3" -a2 0x7ead; }
# marks FILE: print the marks of a trace file, oldest first: "011 012"
marks() { lkstbuf print -r -f "$1" -e user_mark -C | awk -F , '$13 == "0x00007ead" { printf "%s%s", sep, substr($10, 8); sep = " " }'; }
# Print the marks in the text on standard input, sorted.
marks_of_text() { sed -n 's/.* user_mark .*arg1=0x\([0-9]*\) arg2=0x7ead .*/\1/p' | sort -n |
	awk '{ printf "%s%03d", sep, $1; sep = " " }'; }
# buffers FILE: print a line of JSON for each buffer of a trace file
# sum FILE NAME: print the sum of the number called NAME over these buffers
# buffers_in FILE: print "CPU:id" of each of these buffers
buffers() { lkstbuf print --summary --json -f "$1" | json buffers | tr '{' '\n'; }
sum() { buffers "$1" | sed -n "s/.*\"$2\":\([0-9]*\).*/\1/p" | awk '{ n += $1 } END { print n + 0 }'; }
buffers_in() { buffers "$1" | sed -n 's/"cpu":\([0-9nul]*\),"id":\([0-9nul]*\),.*/\1:\2/p' | sort | tr '\n' ' '; }

printf '0x0e0 0x001\n' | lkstm write -n marks >/dev/null || bail_out 'lkstm write'
lkstm set -n marks >/dev/null
for id in 1 2; do
	lkstbuf create -c 0 -b $id -s 64K >/dev/null
	lkstbuf create -c 1 -b $id -s 64K >/dev/null
	lkstbuf jump -b $id >/dev/null
	for cpu in 0 1; do
		for n in 1 2 3; do mark $cpu $id $n; done
	done
done

# --- which buffers

is 'read: all records of all buffers' "$(lkstbuf read -f all && marks all)" '011 012 013 111 112 113 021 022 023 121 122 123'
is 'read: not the static buffer' "$(buffers_in all)" '0:0 0:1 0:2 1:0 1:1 1:2 '
is 'read -c: all records of that CPU' "$(lkstbuf read -c 1 -f cpu && marks cpu)" '111 112 113 121 122 123'
is 'read -c: only buffers of that CPU' "$(buffers_in cpu)" '1:0 1:1 1:2 '
is 'read -b: that id of all CPUs' "$(lkstbuf read -b 2 -f id && marks id)" '021 022 023 121 122 123'
is 'read -c -b: one buffer' "$(lkstbuf read --cpu=0 --buffer=1 --file=one && marks one) $(buffers_in one)" '011 012 013 0:1 '
is 'read -b of one CPU' "$(lkstbuf create -c 0 -b 9 -s 4K >/dev/null; lkstbuf read -b 9 -f nine; buffers_in nine)" '0:9 '
is 'read -S: the static buffer' "$(lkstbuf read -S -f static && buffers_in static)" 'null:null '
contains 'read -S: the records of the static buffer' "$(lkstbuf print -r -f static)" ' lkst_init '

# --- number of records

is 'read --where' "$(lkstbuf read -f part --where 'arg1 & 0x100 && arg2 == 0x7ead' && marks part)" \
	'111 112 113 121 122 123'
is 'read --where: a range' "$(lkstbuf read -f part -e user_mark --where 'arg1 == 0x013..0x112' && marks part)" \
	'013 111 112 021 022 023'
is 'read -n: the oldest records of each buffer' "$(lkstbuf read -n 2 -b 1 -f two && marks two)" '011 012 111 112'
is 'read -n with more records than there are: all records' "$(lkstbuf read -n 1000000 -b 1 -f two && marks two)" '011 012 013 111 112 113'

# --- the counts

is 'counts: of the buffers that were read' "$(sum id recorded) $(sum id read) $(sum id overwritten) $(sum id dropped) $(sum id unfinished)" \
	'6 6 0 0 0'
lkstbuf jump -c 0 -b 9 >/dev/null
for n in 0 1 2 3 4 5 6 7 8 9; do for m in 0 1 2 3 4 5 6; do mark 0 "$n$m" 0; done; done
lkstbuf read -b 9 -f wrapped
is 'counts: with overwritten records' \
	"$(sum wrapped recorded) $(sum wrapped read) $(sum wrapped overwritten) $(sum wrapped dropped)" '70 64 6 0'

# --- while everything is recorded

lkstbuf create -s 4K >ids
small=$(sed -n 's/.*buffer \([0-9]*\) created.*/\1/p' ids)
lkstbuf jump -b "$small" >/dev/null
lkstm set -n default >/dev/null
dd if=/dev/zero of=/dev/null bs=1 2>/dev/null &
worker=$!
for turn in 1 2 3; do
	ok "busy, turn $turn" lkstbuf read -b "$small" -f busy
	is "busy, turn $turn: recorded = read + overwritten + dropped + unfinished" "$(sum busy recorded)" \
		$(($(sum busy read) + $(sum busy overwritten) + $(sum busy dropped) + $(sum busy unfinished)))
	ok "busy, turn $turn: something was read" [ "$(sum busy read)" -gt 0 ]
done
kill $worker

# --- events selected by their values

# lines OPTION...: print the number of events that lkstbuf print shows with these options for the
# trace "full"
lines() { lkstbuf print -f full "$@" 2>/dev/null | grep -vc '^#'; }
# raw: print the trace "full", with single blanks between words
raw() { lkstbuf print -f full | tr -s ' '; }
lkstbuf jump -b 0 >/dev/null
printf '%s entry_log\n' system_call_entry system_call_exit process_exec process_contextswitch process_waking \
	int_softirq_entry int_softirq_exit | lkstm write -n values >/dev/null
lkstm set -n values >/dev/null
dd if=/dev/zero of=/dev/null bs=1 count=200 2>/dev/null
cat nothere 2>/dev/null
sleep 0.1
lkstbuf read -f full
is '--where: failed calls' "$(lines --where 'result < 0 && event == system_call_exit')" \
	"$(raw | grep -c ' system_call_exit .* result=-')"
is '--where: a call that fails' "$(lines --where 'number == openat && result == -ENOENT && comm == cat')" \
	"$(raw | grep -c '\] cat-[0-9]* .* system_call_exit number=openat result=-ENOENT')"
ok '--where: cat made one' test "$(lines --where 'number == openat && result == -ENOENT && comm == cat')" -ge 1
is '--where: writes by dd' "$(lines --where 'comm == dd && number == write && result == 1')" \
	"$(raw | grep -c '\] dd-[0-9]* .* number=write result=1$')"
is '--where: a softirq' "$(lines --where 'vector == TIMER')" "$(raw | grep -c ' vector=TIMER')"
is '--where: names of threads in arguments' "$(lines --where 'next == dd')" "$(raw | grep -c ' next=dd-')"
is '--where: a context' "$(lines --where 'flags & hardirq && !(event ~ "int_*")')" \
	"$(raw | grep -E '\] [^ ]+ [hH]' | grep -vc ' int_')"
lkstbuf read --trace full -f part --where 'comm == dd || next == dd || prev == dd'
ok 'a part that was selected by values can be analysed' lkstla syscall -f part -p dd
contains 'a part that was selected by values: its calls' "$(lkstla syscall -f part -p dd)" '^write +20[0-9] '
is 'a part has LKST events' "$(lkstbuf print -f part -e class:lkst | grep -vc '^#')" "$(lines -e class:lkst)"
why_agrees full
ok '--longer finds sleeps' sh -c 'lkstbuf print -f full --longer 1ms | grep -q " prev_sleep[=>]"'
lkstm set -n marks >/dev/null
lkstm del -n values >/dev/null

# --- destinations

is 'read without -f prints' "$(lkstbuf read -b 1 | marks_of_text)" '011 012 013 111 112 113'
is 'read -n without -f' "$(lkstbuf read -n 1 -b 2 | marks_of_text)" '021 121'
is 'read -f -' "$(lkstbuf read -b 1 -f - | lkstbuf print -f - | marks_of_text)" '011 012 013 111 112 113'
is 'the mode of a trace file' "$(stat -c %a one)" 600
lkstbuf read -f plain
is 'read -z: the same records' "$(lkstbuf read -z -f packed && marks packed)" "$(marks plain)"
ok 'read -z: a smaller file' [ "$(wc -c <packed)" -lt "$(wc -c <plain)" ]
sed 's/"user_mark"/"a_mark_of_mine"/' /proc/lkst_etypes >etypes
contains 'read -E: event types from a file' "$(lkstbuf read -b 1 -E etypes)" ' a_mark_of_mine '

# --- errors

lkstbuf read -b 1 -f kept
before=$(md5sum <kept)
while IFS='|' read -r status options says; do
	# shellcheck disable=SC2086 # unquoted, to split it into words
	refused "read $options" "$status" "$says" lkstbuf read $options
done <<-'END'
	1|-c 9 -f kept|no CPU 9, only CPUs 0-1
	1|-b 99 -f kept|no buffer 99 on any CPU: "lkstbuf list" lists
	1|-c 1 -b 9 -f kept|no buffer 9 on CPU 1
	2|-b 255|buffer id "255" is out of range: 0 to 254
	2|-n 0|number of records "0" is out of range
	2|-S -c 0|-c and -b cannot be combined with -S
	2|-S -b 0|-c and -b cannot be combined with -S
	2|-z|-z requires -f
	2|kept|unexpected argument "kept"
	1|-E nothere -f kept|nothere
	1|-E kept -f kept|kept: not a list of event types
	1|-f nothere/file|nothere/file
END
is 'a read that fails does not change the file' "$(md5sum <kept)" "$before"
is 'a read that fails leaves no other file' "$(echo kept*)" kept
refused 'read to a full device' 1 '/dev/full: cannot write the trace: No space left' lkstbuf read -f /dev/full

for id in 1 2 9 "$small"; do lkstbuf jump -b 0 >/dev/null; lkstbuf del -b "$id" >/dev/null; done
lkstm set -n default >/dev/null
lkstm del -n marks >/dev/null
done_testing
