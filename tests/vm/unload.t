#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# LKST as a module: it goes when nobody needs it, in the middle of everything, and leaves nothing behind.
# form: module headers stock
# append: lkst.buffer_size=4M
# timeout: 900

. "$(dirname "$0")/../tap.sh"
. ./form.sh

# How often it goes and comes. Where emulated CPUs take turns and are all busy, one that waits for the others to take
# up changed code waits a tenth of a second, some hundred times for each load: "a hundred times" has one CPU.
times=${TIMES:-8}
cpus=$(seq 0 $(($(nproc) - 1)))

# free_kb: kilobytes that are free, with the pages that each CPU keeps for itself of what was freed: tens of megabytes
free_kb() {
	cat /proc/meminfo /proc/zoneinfo | awk '$1 == "MemFree:" { free = $2 } $1 == "count:" { pages += $2 }
		END { print free + 4 * pages }'
}
# The most that is free in a while of loading and unloading: some of it comes back late.
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

# It is in use
exec 9</dev/lkst
fails "while the device is open it stays" 1 rmmod lkst
ok "and works" lkst status
exec 9<&-
insmod modules/handlers.ko
fails "while a module with an event handler is there it stays" 1 rmmod lkst
ok "and works, too" lkst status
rmmod handlers
lkstbuf print --follow >/dev/null 2>&1 &
reader=$!
until ls -l /proc/$reader/fd | grep -q /dev/lkst; do usleep 100000; done
fails "while a program reads it stays" 1 rmmod lkst
kill $reader
wait $reader

# It goes
ok "it can be unloaded" rmmod lkst
for path in /dev/lkst /proc/lkst_etypes /proc/lkst_values /sys/class/lkst /sys/module/lkst; do
	ok "there is no $path then" test ! -e $path
done
is "nor a state of CPUs" "$(states)" 0
echo h >/proc/sysrq-trigger
lacks "nor a SysRq key" "$(dmesg | grep 'sysrq: HELP' | tail -n 1)" lkst
fails "commands say so" 1 lkst status
contains "and what to do" "$tap_output" modprobe

# Under load, again and again: each time everything is recorded, in buffers that come and go
# Processes, pipes, files, timers: two on each CPU.
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
	# Right before it goes, each CPU asks the others to go elsewhere.
	if [ $((i % 4)) -eq 3 ]; then
		for cpu in $cpus; do lkstbuf create -s 64K -b 9 -c $cpu >/dev/null || break 2; done
		lksteh control -e buffer_jump -v 9 >/dev/null || break
		lkstm read -n all -d | lkstm write -n jump >/dev/null || break
		lkstm config -n jump process_contextswitch buffer_jump && lkstm set -n jump || break
	fi
	timeout 600 rmmod lkst || break
	i=$((i + 1))
done
is "loaded and unloaded under load" $i $times
kill $loads
wait
after=$(most_free)
# A megabyte or so comes and goes by itself; KASAN keeps more of what was freed. A buffer that stays would be 4 MB each time.
slack=3072
! grep -qw kasan_report /proc/kallsyms || slack=24576
ok "no memory is gone: $memory KB were free, $after KB are" test "$after" -ge $((memory - slack))
is "nor memory of each CPU" "$(per_cpu)" "$per_cpu"
is "nor is there a state of CPUs" "$(states)" 0
lacks "the kernel has seen nothing wrong" "$(dmesg)" 'WARNING:|BUG:|INFO: task'

# And back
ok "it can be loaded again" load_lkst
ok "and works" lkst status

# lkstlogd notes the recid at which its file of each CPU ends. Recids restart at 0 when LKST is loaded again, and the
# next daemon starts when they have passed the noted ones.
. ./lkstlogd.sh
# log_marks FIRST LAST: with a maskset that records nothing else
log_marks() {
	lkstm set -n marks >/dev/null 2>&1 || echo user_mark on | lkstm write -S -n marks >/dev/null
	for number in $(seq "$1" "$2"); do mark "$number"; done
}
passed() { [ "$(recid 0 next)" -gt "$noted_0" ] && [ "$(recid 1 next)" -gt "$noted_1" ]; }
log_marks 1 5
ok 'lkstlogd writes' lkstlogd -a
ok 'it ends' stop
noted_0=$(recid 0 next) noted_1=$(recid 1 next)
ok 'LKST is unloaded' rmmod lkst
ok 'and loaded again' load_lkst
log_marks 101 110
lkstm set -n all
ok 'it records more than before' within 60 passed
ok 'lkstlogd writes again' lkstlogd -a
log_marks 201 210
ok 'it ends again' stop
# shellcheck disable=SC2046 # names of files have no blanks here
is 'all marks are in files' "$(lkstbuf print -e user_mark $(printf ' -f %s' "$logs"/sebuf*) 2>/dev/null |
	sed -n 's/.* arg1=\(0x[0-9a-f]*\) .*/\1/p' | sort)" "$(printf '0x%x\n' $(seq 5) $(seq 101 110) $(seq 201 210) | sort)"
done_testing
