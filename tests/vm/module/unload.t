#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# LKST as a module can be unloaded at any time when it is not in use, and leaves nothing behind.
# form: module headers stock
# append: lkst.buffer_size=4M
# timeout: 900

. "$(dirname "$0")/../tap.sh"
. ./form.sh

# How many times the test loads LKST. A CPU that changes code waits until the others have seen the
# change. If emulated CPUs take turns and are all busy, this wait takes a tenth of a second, and a
# load has about a hundred such waits. So the test with a hundred loads, unload_100.t, has one CPU.
times=${TIMES:-8}
cpus=$(seq 0 $(($(nproc) - 1)))

# free_kb: print the size of the free memory in KB. It includes the pages on the kernel's per-CPU
# lists of free pages, which can hold tens of megabytes.
free_kb() {
	cat /proc/meminfo /proc/zoneinfo | awk '$1 == "MemFree:" { free = $2 } $1 == "count:" { pages += $2 }
		END { print free + 4 * pages }'
}
# Load and unload LKST four times, measure the free memory after each unload, and print the largest
# value, in KB. A single value can be too low, because some memory is freed late.
most_free() {
	most=0
	for _ in $(seq 4); do
		load_lkst maskset=all && rmmod lkst || return
		sync
		echo 3 >/proc/sys/vm/drop_caches
		sleep 0.5
		free=$(free_kb)
		[ "$free" -le $most ] || most=$free
	done
	echo $most
}
per_cpu() { awk '$1 == "Percpu:" { print $2 }' /proc/meminfo; }
states() { grep -c lkst /sys/devices/system/cpu/hotplug/states; }

# While LKST is in use
exec 9</dev/lkst
fails "LKST cannot be unloaded while the device is open" 1 rmmod lkst
ok "LKST still works while the device is open" lkst status
exec 9<&-
insmod modules/handlers.ko
fails "LKST cannot be unloaded while a module with an event handler is loaded" 1 rmmod lkst
ok "LKST still works while a module with an event handler is loaded" lkst status
rmmod handlers
lkstbuf print --follow >/dev/null 2>&1 &
reader=$!
until ls -l /proc/$reader/fd | grep -q /dev/lkst; do usleep 100000; done
fails "LKST cannot be unloaded while a program reads" 1 rmmod lkst
kill $reader
wait $reader

# After LKST is unloaded
ok "LKST can be unloaded" rmmod lkst
for path in /dev/lkst /proc/lkst_etypes /proc/lkst_values /sys/class/lkst /sys/module/lkst; do
	ok "$path no longer exists" test ! -e $path
done
is "LKST's CPU hotplug state is gone" "$(states)" 0
echo h >/proc/sysrq-trigger
lacks "there is no SysRq key of LKST" "$(dmesg | grep 'sysrq: HELP' | tail -n 1)" lkst
fails "commands report that there is no LKST" 1 lkst status
contains "the error says what to do" "$tap_output" modprobe

# Load and unload LKST again and again while both CPUs are busy. LKST records all events. Before
# each unload, the test does one of these, in rotation: create a buffer, select another maskset,
# stop LKST, or make all CPUs switch buffers.

# work: use processes, pipes, files and timers forever. Two instances of work run on each CPU.
work() {
	while :; do
		cat /proc/self/stat /bin/busybox | head -c 20000 | wc -c
		usleep 100
	done >/dev/null
}
memory=$(most_free) per_cpu=$(per_cpu) loads= i=0
for cpu in $cpus $cpus; do
	work &
	loads="$loads $!"
	taskset -p $((1 << cpu)) $! >/dev/null
done
while [ $i -lt $times ]; do
	load_lkst maskset=all || break
	[ $((i % 4)) -ne 0 ] || lkstbuf create -c 0 -s 64K >/dev/null || break
	[ $((i % 4)) -ne 1 ] || lkstm set -n default || break
	[ $((i % 4)) -ne 2 ] || lkst stop || break
	# Until just before the unload, each context switch makes all CPUs switch buffers.
	if [ $((i % 4)) -eq 3 ]; then
		for cpu in $cpus; do lkstbuf create -s 64K -b 9 -c $cpu >/dev/null || break 2; done
		lksteh control -e buffer_jump -v 9 >/dev/null || break
		lkstm read -n all -d | lkstm write -n jump >/dev/null || break
		lkstm config -n jump process_contextswitch buffer_jump && lkstm set -n jump || break
	fi
	timeout 600 rmmod lkst || break
	i=$((i + 1))
done
is "LKST can be loaded and unloaded under load" $i $times
kill $loads
wait
after=$(most_free)
# Free memory varies by about a megabyte, and KASAN keeps freed memory for some time. A leaked
# buffer would be 4 MB per load.
slack=3072
! grep -qw kasan_report /proc/kallsyms || slack=24576
ok "no memory has leaked: $memory KB were free before, $after KB afterwards" test "$after" -ge $((memory - slack))
is "no per-CPU memory has leaked" "$(per_cpu)" "$per_cpu"
is "LKST's CPU hotplug state is gone" "$(states)" 0
lacks "the kernel log has no errors" "$(dmesg)" 'WARNING:|BUG:|INFO: task'

# After LKST is loaded again
ok "LKST can be loaded again" load_lkst
ok "LKST works again" lkst status

# For each CPU, lkstlogd saves the recid at which the CPU's file ends. Recids restart at 0 when LKST
# is loaded again. Here the next daemon starts when the new recids are already higher than the saved
# ones, and it must still write all marks.
# shellcheck source=../daemon/lkstlogd.sh
. ./lkstlogd.sh
# log_marks FIRST LAST: record the marks with these numbers, with a maskset that records nothing
# else
log_marks() {
	lkstm set -n marks >/dev/null 2>&1 || echo user_mark on | lkstm write -S -n marks >/dev/null
	for number in $(seq "$1" "$2"); do mark "$number"; done
}
passed() { [ "$(recid 0 next)" -gt "$noted_0" ] && [ "$(recid 1 next)" -gt "$noted_1" ]; }
log_marks 1 5
ok 'lkstlogd writes' lkstlogd -a
ok 'lkstlogd exits' stop
noted_0=$(recid 0 next) noted_1=$(recid 1 next)
ok 'LKST is unloaded' rmmod lkst
ok 'LKST is loaded again' load_lkst
log_marks 101 110
lkstm set -n all
ok 'LKST records up to higher recids than before' within 60 passed
ok 'lkstlogd writes again' lkstlogd -a
log_marks 201 210
ok 'lkstlogd exits again' stop
# The earlier files contain only marks.
# shellcheck disable=SC2046 # file names contain no spaces here
why_agrees_if_any $(files 0 | tail -n 1) $(files 1 | tail -n 1)
# shellcheck disable=SC2046 # file names contain no spaces here
is 'all marks are in the files' "$(lkstbuf print -e user_mark $(printf ' -f %s' "$logs"/sebuf*) 2>/dev/null |
	sed -n 's/.* arg1=\(0x[0-9a-f]*\) .*/\1/p' | sort)" "$(printf '0x%x\n' $(seq 5) $(seq 101 110) $(seq 201 210) | sort)"
done_testing
