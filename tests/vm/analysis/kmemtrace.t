#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The files of kmemtrace contain what the module tests/modules/allocating.c allocates and frees. The
# program kmemtrace.c reads these files. It is written only from the document that describes them.
# kernel: base
# append: lkst.buffer_size=16M
# timeout: 300

. "$(dirname "$0")/measure.sh"

dir=/sys/kernel/debug/kmemtrace
[ -d /sys/kernel/debug/tracing ] || mount -t debugfs none /sys/kernel/debug

is 'version' "$(cat $dir/abi_version)" 1
is 'modes' "$(stat -c '%a %n' $dir/* | sed 's/ .*cpu[0-9]*$/ cpu/; s/ .*\// /' | sort -u | tr '\n' ,)" \
	'400 abi_version,400 cpu,400 total_overruns,'
ok 'one file for each possible CPU' test "$(find $dir -name 'cpu*' | wc -l)" -ge "$(nproc)"

# Before the events of memory, record other events: on each CPU more than one read() takes from its
# buffers, so that a read() finds no event of memory among them.
memory=mem_kmalloc,mem_kfree,mem_cachealloc,mem_cachefree,mem_pagealloc,mem_pagefree
record system_call_entry
for cpu in $(seq 0 $(($(nproc) - 1))); do
	taskset -c "$cpu" dd if=/dev/zero of=/dev/null bs=1 count=2000 2>/dev/null
done
lkstm config -n measure system_call_entry off
lkstm config -n measure "$memory" on
lost=$(cat $dir/total_overruns)
ok 'the module is loaded' insmod "$modules/allocating.ko"
ok 'the module frees everything' sh -c 'echo 1 >/sys/module/allocating/parameters/free'
lkst stop
symbols=$(sed -n 's/ . \(allocating_[a-z_]*\)\t.*/ \1/p' /proc/kallsyms | sort)
kmemtrace $dir >events
is 'nothing was lost' "$(cat $dir/total_overruns)" "$lost"

# cat, which does not call poll(), gets the same events.
mkdir saved
for cpu in $(seq 0 $(($(nproc) - 1))); do
	cat $dir/cpu"$cpu" >saved/cpu"$cpu"
	is "cat: all events of CPU $cpu" "$(wc -c <saved/cpu"$cpu")" \
		"$(awk -v cpu="$cpu" '$4 == cpu { size += $1 == "alloc" ? 48 : 24 } END { print size + 0 }' events)"
done

# called EVENT TYPE FUNCTION: print the events that a function of the module caused
called() {
	start=$(echo "$symbols" | sed -n "s/ $3\$//p")
	end=$(echo "$symbols" | sed -n "/ $3\$/{n;s/ .*//p}")
	awk -v event="$1" -v type="$2" -v start="$start" -v end="$end" \
		'$1 == event && $2 == type && $5 >= start && (end == "" || $5 < end)' events
}

# sizes: count the pairs of requested and allocated bytes
sizes() { awk '{ print $7, $8 }' | sort | uniq -c | sed 's/^ *//'; }

called alloc kmalloc allocating_kmalloc >kmalloc
is 'kmalloc' "$(sizes <kmalloc)" '100 100 128'
is 'kmalloc: the target CPU' "$(awk '{ print $10 }' kmalloc | sort -u)" -1
is 'kmalloc: flags' "0x$(awk '{ print $9 }' kmalloc | sort -u)" \
	"$(awk '$4 == "GFP_KERNEL" { print $3; exit }' /proc/lkst_values)"
is 'another size' "$(called alloc kmalloc allocating_kept | sizes)" '7 50 64'
is 'a cache' "$(called alloc cache allocating_cache | sizes)" '30 120 120'
called free kmalloc allocating_kfree >kfree
is 'frees of NULL' "$(awk '$6 == 0' kfree | wc -l)" 40
grep -v ' 0$' kfree >freed
is 'frees' "$(wc -l <freed)" 107
is 'frees of a cache' "$(called free cache allocating_cache_free | wc -l)" 30

# Each object is freed after it was allocated.
called alloc kmalloc allocating_kept >>kmalloc
is 'each free has its allocation' "$(awk '
	{ $3 += $3 < 0 ? 4294967296 : 0 }
	NR == FNR { allocated[$6]++; next }
	{ allocated[$6]-- }
	END { for (object in allocated) if (allocated[object]) print object }' kmalloc freed)" ''
is 'the events of a CPU are in order' "$(awk '
	{ order = ($3 - last[$4] + 4294967296) % 4294967296 }
	$4 in last && order >= 2147483648 { print }
	{ last[$4] = $3 }' events)" ''
is 'pages have sizes' "$(awk '$1 == "alloc" && $2 == "pages" && ($7 != $8 || $7 % 4096)' events)" ''
ok 'there are pages' grep -q '^free pages .* [0-9a-f]*$' events

ok 'wrong arguments fail, and lose no events' kmemtrace $dir wrong
kmemtrace $dir >again
for file in events again; do
	cut -d ' ' -f 1,2,4- $file | sort >sorted-$file
done
is 'a second reader gets the same events' "$(cmp sorted-events sorted-again 2>&1)" ''
ok 'the module is unloaded' rmmod allocating

# The buffers wrap several times while the reader does not read.
lkst start
kmemtrace $dir late >/dev/null
overruns=$(($(cat $dir/total_overruns) - lost))
ok 'lost bytes are counted' test $overruns -gt 0
is 'lost bytes are counted in whole events' $((overruns % 48)) 0
done_testing
