#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# lkstla syscall counts the same calls and errors as the program that makes them, and agrees with
# /proc/PID/io.
# kernel: base
# append: lkst.buffer_size=16M
# timeout: 300

. "$(dirname "$0")/measure.sh"

record system_call_entry,system_call_exit,process_contextswitch,process_waking,process_wakeup,process_state
ok 'the load runs' sh -c 'syscall_load >load'
lkst stop
read_trace
cat load
pid=$(sed -n 's/^pid=//p' load)
ok 'lkstla syscall' between 1 2 syscall -p "$pid"
between 1 2 syscall -p "$pid" >calls.csv
contains 'nothing was lost' "$(cat header)" 'nothing lost'
rows_of call,calls calls.csv >calls
rows_of call,total_ns calls.csv >spent.csv
rows_of call,error calls.csv >errors
cat calls spent.csv errors

# call NAME COLUMN: print a column of a call: 2 calls, 3 errors, 4 cut, 5 total, 8 maximum
call() { awk -F , -v name="$1" -v column="$2" '$1 == name { print $column }' calls; }
# spent NAME COLUMN: print a time of a call: 2 total, 3 run, 4 wait, 5 blocked, 6 unknown
spent() { awk -F , -v name="$1" -v column="$2" '$1 == name { print $column }' spent.csv; }

# The process is stopped at both marks, between calls, so the counts are exact.
sed -n 's/^want //p' load >wanted
while read -r name calls error; do
	errors=0
	[ "$error" = - ] || errors=$calls
	is "$name: calls" "$(call "$name" 2)" "$calls"
	is "$name: errors" "$(call "$name" 3)" "$errors"
	is "$name: cut" "$(call "$name" 4)" 0
	[ "$error" = - ] || contains "$name: $error" "$(cat errors)" "^$name,-$error,$calls,"
	is "$name: the times add up to the total" \
		$(($(spent "$name" 3) + $(spent "$name" 4) + $(spent "$name" 5) + $(spent "$name" 6))) \
		"$(spent "$name" 2)"
	is "$name: both totals are equal" "$(spent "$name" 2)" "$(call "$name" 5)"
done <wanted
is 'the errors are those of the load' "$(cut -d , -f 1-3 errors | sort)" \
	"$(awk '$3 != "-" { print $1 ",-" $3 "," $2 }' wanted | sort)"

for direction in r w; do
	counted=$(sed -n "s/^sysc$direction=//p" load)
	case $direction in
	r) name='read' ;;
	w) name='write' ;;
	esac
	if [ -n "$counted" ]; then
		is "$name: /proc/PID/io" "$(call "$name" 2)" "$counted"
	else
		skip "$name: /proc/PID/io" 'this kernel does not count it'
	fi
done

# A sleep of 1 ms takes at least 1 ms. The thread is blocked from the start of the sleep until the
# timer expires. In a VM, the time that the call takes after the sleep varies.
ok 'clock_nanosleep: the longest takes at least 1 ms' test "$(call clock_nanosleep 8)" -ge 1000000
ok 'clock_nanosleep: the thread is blocked for at least half of the requested time' \
	test "$(spent clock_nanosleep 5)" -ge "$(($(call clock_nanosleep 2) * 500000))"
is 'getppid: never blocked' "$(spent getppid 5)" 0

# --- options, text, and bad usage

# A busy machine may make any call take 1 ms.
between 1 2 syscall -p "$pid" --over 1ms | rows_of call,calls /dev/stdin >over
contains '--over: each sleep' "$(cat over)" "^clock_nanosleep,$(call clock_nanosleep 2),"
is '--over: the calls of which one took that long' "$(cut -d , -f 1 over | sort)" \
	"$(awk -F , '$8 >= 1000000 { print $1 }' calls | sort)"
contains 'text: heading' "$(lkstla syscall -f trace)" \
	'^call +calls +errors +cut +total ms +p50 us +p99 us +max us +at +worst$'
is '--sort' "$(between 1 2 syscall -p "$pid" --sort calls | rows_of call,calls /dev/stdin | head -n 1 | cut -d , -f 1)" \
	"$(sort -t , -k 2 -n -r calls | head -n 1 | cut -d , -f 1)"
# Read only marks, because other tests of this boot may have recorded waits for locks.
lkstbuf read -f marks -e user_mark
refused 'a trace without waits for locks' 1 'lacks events that this analysis needs' lkstla lock -f marks --any
lkst start
done_testing
