#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# memory_short.sh less|full: little memory is available when LKST is loaded, when a CPU comes online, and when the TSC
# loses its verdict, so that each CPU needs another buffer. Each gets one: a smaller one, or one of full size where
# memory was set aside. For tests/vm/memory_short*.t.

. "$(dirname "$0")/../tap.sh"
. ./form.sh
full=8192

available() { awk '/^MemAvailable/ { print $2 }' /proc/meminfo; }
# The buffer that CPU $1 writes: its size in KB, and its clock.
written() { lkstbuf list -c "$1" --json | awk '/"size"/ { size = $2 } /"state": "writing"/ { got = 1 } /"clock"/ && got { print size / 1024, $2; exit }' | tr -d '",'; }
# The size is as wanted.
sized() { if [ "$wanted" = full ]; then [ "$1" -eq $full ]; else [ "$1" -ge 256 ] && [ "$1" -lt $full ]; fi; }
wait_for() {
	for _ in $(seq 1000); do
		! "$@" || return 0
		sleep 0.1
	done
	return 1
}
all_ns() { for cpu in 0 1; do written $cpu | grep -q ' ns$' || return; done; }

wanted=$1
mkdir -p /tmp/hog
mount -t tmpfs -o size=95% hog /tmp/hog
dd if=/dev/zero of=/tmp/hog/file bs=1M count=$((($(available) - 30720) / 1024)) 2>/dev/null
ok 'an eighth of the memory is not available' test $(($(available) * 8)) -lt "$(awk '/^MemTotal/ { print $2 }' /proc/meminfo)"
if [ -f /share/lkst.ko ]; then
	rmmod lkst
	ok 'LKST is loaded all the same' load_lkst
	ok 'and records' sized "$(written 0 | sed 's/ .*//')"
fi
echo 1 >/sys/devices/system/cpu/cpu1/online
taskset 2 true
contains 'a CPU comes online: it records' "$(lkstbuf read -c 1 | head -n 20)" ' \[001\] '
ok 'in a buffer as large as possible' sized "$(written 1 | sed 's/ .*//')"
[ "$wanted" = full ] || contains 'the kernel log says that it is smaller' "$(dmesg)" "lkst: memory is short: CPU 1 gets a buffer of [0-9]+ KB instead of $full"
insmod modules/unstable.ko
ok 'the TSC loses its verdict: all CPUs record with the other clock' wait_for all_ns
for cpu in 0 1; do
	taskset $((cpu + 1)) true
	contains "CPU $cpu records" "$(lkstbuf read -c $cpu | head -n 20)" " \\[00$cpu\\] "
	ok 'in a buffer as large as possible' sized "$(written $cpu | sed 's/ .*//')"
done
contains 'no event found no buffer' "$(lkst status)" '^lost +0$'
done_testing
