#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# memory_short.sh less|full: each CPU gets a buffer even if little memory is available. Check this
# when LKST is loaded, when a CPU comes online, and when the TSC becomes unreliable, after which
# each CPU needs a new buffer. With "less", the buffers must be smaller than configured. With
# "full", they must have the configured size, because they are in reserved memory. memory_short*.t
# run this script.

. "$(dirname "$0")/../tap.sh"
. ./form.sh
full=8192

available() { awk '/^MemAvailable/ { print $2 }' /proc/meminfo; }
# written CPU: print the size, in KB, and the clock of the CPU's current buffer
written() { lkstbuf list -c "$1" --json | awk '/"size"/ { size = $2 } /"state": "writing"/ { got = 1 } /"clock"/ && got { print size / 1024, $2; exit }' | tr -d '",'; }
# sized SIZE: whether SIZE, in KB, is as wanted: $full if $wanted is "full", and otherwise at least
# 256 and less than $full
sized() { if [ "$wanted" = full ]; then [ "$1" -eq $full ]; else [ "$1" -ge 256 ] && [ "$1" -lt $full ]; fi; }
all_ns() { for cpu in 0 1; do written $cpu | grep -q ' ns$' || return; done; }

wanted=$1
mkdir -p /tmp/hog
mount -t tmpfs -o size=95% hog /tmp/hog
dd if=/dev/zero of=/tmp/hog/file bs=1M count=$((($(available) - 30720) / 1024)) 2>/dev/null
ok 'less than an eighth of the memory is available' test $(($(available) * 8)) -lt "$(awk '/^MemTotal/ { print $2 }' /proc/meminfo)"
if [ -f /share/lkst.ko ]; then
	rmmod lkst
	ok 'LKST can still be loaded' load_lkst
	ok 'the buffer of CPU 0 is as large as possible' sized "$(written 0 | sed 's/ .*//')"
fi
echo 1 >/sys/devices/system/cpu/cpu1/online
taskset 2 true
contains 'a CPU that comes online records' "$(lkstbuf read -c 1 | head -n 20)" ' \[001\] '
ok 'the buffer of this CPU is as large as possible' sized "$(written 1 | sed 's/ .*//')"
[ "$wanted" = full ] || contains 'the kernel log says that the buffer is smaller' "$(dmesg)" "lkst: memory is short: CPU 1 gets a buffer of [0-9]+ KB instead of $full"
insmod modules/unstable.ko
ok 'the TSC becomes unreliable: all CPUs record with the other clock' wait_for all_ns
for cpu in 0 1; do
	taskset $((cpu + 1)) true
	contains "CPU $cpu records" "$(lkstbuf read -c $cpu | head -n 20)" " \\[00$cpu\\] "
	ok "the new buffer of CPU $cpu is as large as possible" sized "$(written $cpu | sed 's/ .*//')"
done
contains 'no event was lost' "$(lkst status)" '^lost +0$'
done_testing
