#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# lkstla lock counts each wait that the events show, and finds the lock that two processes compete
# for. It counts the same number of waits as perf lock contention.
# kernel: base
# programs: perf
# append: lkst.buffer_size=16M
# timeout: 300

. "$(dirname "$0")/measure.sh"

# process_contextswitch has the names of the processes.
record lock_contention_begin,lock_contention_end,system_call_entry,system_call_exit,process_contextswitch
# Use a directory of the host. To rename a file there, the guest sends a message to the host and
# waits for the answer. During this time, the process holds the lock of the directory.
# shellcheck disable=SC2154 # rows.sh sets it
files=$(mktemp -d "$here/lock.XXXXXX")
mark 1
set -- lock_load "$files" 300
if brought perf 'perf lock contention'; then
	set -- perf record -q -e lock:contention_begin,lock:contention_end -a -o perf.data -- "$@"
fi
ok 'the load runs' sh -c '"$@" >load' sh "$@"
mark 2
rm -r "$files"
lkst stop
read_trace
between 1 2 lock >csv
cat header
rows_of lock,kind,waits csv >locks
head -n 20 locks
pids=$(sed -n 's/^pid=//p' load | tr '\n' ' ')
pids=${pids% }

# Each wait has one lock_contention_end. Count them in the same window.
ends=$(lkstbuf print -f trace -r -e lock_contention_end --since "$(mark_time 1)" \
	--until "$(mark_time 2)" | grep -c ' lock_contention_end ')
is 'waits and events' "$(awk -F , '{ sum += $3 } END { print sum + 0 }' locks)" "$ends"

# Most waits are for the lock of the directory.
busiest=$(sort -t , -k 3 -n -r locks | head -n 1)
echo "$busiest"
ok 'there are waits for the lock of the directory' test "$(echo "$busiest" | cut -d , -f 3)" -ge 20
contains 'the kind of this lock' "$busiest" '^0x[0-9a-f]*,rwsem write,'
# Each process also creates its file in the directory.
contains 'the process that waited longest, and its system call' "$busiest" \
	",lock_loa(d)?-(${pids% *}|${pids#* }),(rename|renameat|renameat2|openat)(,.*)?\$"
holder=$(echo "$busiest" | cut -d , -f 13)
if [ -n "$holder" ]; then
	contains 'the holder is the other process' "$pids" "(^| )${holder##*-}( |\$)"
	lacks 'the holder is not the process that waited' "$holder" "^$(echo "$busiest" | cut -d , -f 11)\$"
else
	skip 'the holder' 'this kernel does not record it for an rwsem'
fi
is 'no wait failed' "$(echo "$busiest" | cut -d , -f 4)" 0
ok 'the percentiles rise' sh -c "echo '$busiest' | awk -F , '{ exit !(\$7 <= \$8 && \$8 <= \$9) }'"

# The waits of a process are a part of its calls of rename(), and no wait is longer than the run. The
# other process may not have waited at all.
worst=$(echo "$busiest" | cut -d , -f 11)
worst=${worst##*-}
between 1 2 lock -p "$worst" >csv1
between 1 2 syscall -p "$worst" >csv2
waited=$(rows_of lock,kind,waits csv1 | awk -F , '{ sum += $6 } END { printf "%.0f\n", sum }')
called=$(rows_of call,total_ns csv2 | awk -F , '{ sum += $2 } END { printf "%.0f\n", sum }')
ok "process $worst: the waits ($waited ns) are a part of its system calls ($called ns)" \
	test "$waited" -le "$called"
ok "process $worst waited" test "$waited" -gt 0

# contended PID: print the number of waits of a process according to perf
contended() {
	perf lock contention -t -i perf.data 2>&1 | awk -v pid="$1" '
		NF > 1 && $(NF - 1) == pid { waits = $1 }
		END { print waits + 0 }'
}
if [ -f perf.data ]; then
	for pid in $pids; do
		between 1 2 lock -p "$pid" >csv
		is "process $pid: waits and perf lock contention" \
			"$(rows_of lock,kind,waits csv | awk -F , '{ sum += $3 } END { print sum + 0 }')" \
			"$(contended "$pid")"
	done
fi

contains 'text: heading' "$(lkstla lock -f trace)" \
	'^lock +kind +waits +failed +cut +wait ms +p50 us +p99 us +max us +at +worst +in call( +held by)?$'
lkst start
done_testing
