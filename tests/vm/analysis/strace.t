#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# lkstla syscall and lkstla thread count exactly the calls and errors that strace -c -f and perf trace
# -s count, for known calls and for pipelines of processes. strace stops the processes at each call, so
# times are not compared.
# kernel: base
# arch: x86_64
# programs: strace,perf
# append: lkst.buffer_size=16M
# timeout: 300

. "$(dirname "$0")/measure.sh"

# The script makes calls that fail, calls that a signal interrupts or ends, and calls that do not
# return. It starts children with fork() and vfork().
cat >script <<'END'
for i in 1 2 3; do
	ls -lR /etc
	find /sys/kernel -maxdepth 2 | sort | wc -l
	cat /nonexistent /proc/self/maps
done >/dev/null 2>&1
(sleep 0.2 & wait)
timeout 1 sleep 60
tar -cf - /etc 2>/dev/null | gzip | wc -c >/dev/null
END

if ! brought strace 'strace'; then
	done_testing
	exit
fi
record system_call_entry,system_call_exit,process_contextswitch,process_waking,process_wakeup,class:process
ok 'the load runs' sh -c 'syscall_load "strace_window.sh start" "strace_window.sh stop" script >load'
lkst stop
read_trace
pid=$(sed -n 's/^pid=//p' load)
between 1 2 syscall -p "$pid" --children >csv
contains 'nothing was lost' "$(cat header)" 'nothing lost'

# Each file has lines of the form CALL CALLS ERRORS. exit_group() does not return, so strace and perf do
# not count it, and lkstla counts it as cut.
rows_of call,calls csv | tr ',' ' ' | awk '$1 != "exit_group" { print $1, $2, $3 }' | sort >syscall
awk '/^ *[0-9.]+ / && $NF != "total" { print $NF, $4, (NF > 5 ? $5 : 0) }' strace | sort >by_strace
cat by_strace
ok 'strace counts many calls' test "$(wc -l <by_strace)" -ge 30
is 'syscall: strace' "$(cat syscall)" "$(cat by_strace)"
is 'exit_group is cut' "$(rows_of call,calls csv | awk -F , '$1 == "exit_group" { print $2 - $4 }')" 0

ok 'lkstla thread' sh -c "lkstla thread $pid --children -f trace \
	--since $(mark_time 1) --until $(mark_time 2) --csv >thread.csv"
awk -F , '
	$1 == "thread" { table = $2; next }
	table == "call" && $2 != "exit_group" { calls[$2] += $3; errors[$2] += $4 }
	END { for (name in calls) print name, calls[name], errors[name] }' thread.csv | sort >thread
is 'thread: strace' "$(cat thread)" "$(cat by_strace)"

# perf trace also counts the return of a child from the call that created the child. It does not
# count rt_sigreturn(), because it does not see the number of this call when the call ends.
if brought perf 'perf trace'; then
	perf trace -s -i perf.data 2>&1 | awk '
		NF == 8 && $8 ~ /%$/ { calls[$1] += $2; errors[$1] += $3 }
		END { for (name in calls) print name, calls[name], errors[name] }' | sort >by_perf
	is 'syscall: perf trace' "$(awk '
		$1 ~ /^(clone3?|v?fork)$/ { $2 = 2 * $2 - $3 }
		$1 != "rt_sigreturn"' syscall)" "$(cat by_perf)"
fi
lkst start
done_testing
