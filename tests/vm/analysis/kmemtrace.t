#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The files of kmemtrace contain what the module tests/modules/allocating.c allocates and frees. The
# program kmemtrace.c reads these files. It is written only from the document that describes them.
# kernel: base
# append: lkst.buffer_size=16M
# timeout: 300

. "$(dirname "$0")/measure.sh"
# shellcheck source=../commands/examples.sh
. "$here/examples.sh"

dir=/sys/kernel/debug/kmemtrace
[ -d /sys/kernel/debug/tracing ] || mount -t debugfs none /sys/kernel/debug

is 'version' "$(cat $dir/abi_version)" 1
is 'modes' "$(stat -c '%a %n' $dir/* | sed 's/ .*cpu[0-9]*$/ cpu/; s/ .*\// /' | sort -u | tr '\n' ,)" \
	'400 abi_version,400 cpu,400 total_overruns,'
ok 'one file for each possible CPU' test "$(find $dir -name 'cpu*' | wc -l)" -ge "$(nproc)"

# Before the events of memory, fill the buffer of each CPU, which has room for 262,144 records, with
# other events. So events of earlier tests in this boot are gone, and a read() that copies as much as
# possible from the buffers finds no event of memory at first.
memory=mem_kmalloc,mem_kfree,mem_cachealloc,mem_cachefree,mem_pagealloc,mem_pagefree
record system_call_entry
for cpu in $(seq 0 $(($(nproc) - 1))); do
	taskset -c "$cpu" dd if=/dev/zero of=/dev/null bs=1 count=150000 2>/dev/null
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
mkdir -p saved
for cpu in $(seq 0 $(($(nproc) - 1))); do
	cat $dir/cpu"$cpu" >saved/cpu"$cpu"
	is "cat: all events of CPU $cpu" "$(wc -c <saved/cpu"$cpu")" \
		"$(awk -v cpu="$cpu" '$4 == cpu { size += $1 == "alloc" ? 48 : 24 } END { print size + 0 }' events)"
done
cat $dir/abi_version >saved/abi_version
cat $dir/total_overruns >saved/total_overruns

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

# lkstla mem finds the same in a trace, in the saved files, and in the files of the running kernel.
# But the times in the files of kmemtrace are multiples of 256 ns, and these files have no names of
# caches, by which the table of frees is divided.
read_trace
# sites FILE, frees FILE: print what must be the same in a table
sites() { rows_of call_site,kind "$1" | grep -v ,vmalloc, | cut -d , -f 1-9 | sort; }
frees() {
	rows_of freed_by,event "$1" | awk -F , '$2 != "mem_vfree" { num[$1 "," $2] += $4 }
		END { for (site in num) print site "," num[site] }' | sort
}
ok 'mem: a trace' sh -c 'lkstla mem -f trace --any --csv >trace.csv'
ok 'mem: saved files' sh -c \
	'lkstla mem -f saved --symbols /proc/kallsyms --any --csv >saved.csv 2>header'
ok 'mem: files of the kernel' sh -c "lkstla mem -f $dir --symbols /proc/kallsyms --any --csv >live.csv"
ok 'mem: there are rows' test "$(sites trace.csv | wc -l)" -gt 10 -a "$(frees trace.csv | wc -l)" -gt 0
for table in sites frees; do
	$table trace.csv >trace.$table
	for input in saved live; do
		$table $input.csv >$input.$table
		is "mem: $table, as in a trace: $input" "$(diff trace.$table $input.$table)" ''
	done
done
is 'mem: the objects of the module' "$(sed -n 's/^\(allocating_[a-z]*\)+0x[0-9a-f]*\[allocating\]/\1/p' saved.sites)" \
"allocating_cache,cache,30,30,0,0,0,,
allocating_kept,kmalloc,7,7,0,0,0,0,0
allocating_kmalloc,kmalloc,100,100,0,0,0,0,0"
contains 'mem: the header' "$(cat header)" '^kmemtrace: times count from the oldest event'
contains 'mem: what kmemtrace does not record' "$(cat header)" \
	'kmemtrace does not record mem_vmalloc, mem_vfree'

# The independent reader finds the same events. kmalloc() of 0 bytes returns the address 16.
set --
for file in saved/cpu*; do
	set -- "$@" -f "$file"
done
lkstla mem "$@" --any --json >saved.json
is 'mem: files one by one, as JSON' $? 0
is 'mem: number of events' "$(sed -n 's/^ *"events": \([0-9]*\),$/\1/p' saved.json)" "$(wc -l <events)"
lkstla mem -f saved --any --csv 2>/dev/null >numbers.csv
is 'mem: allocations by call site' "$(rows_of call_site,kind numbers.csv | awk -F , '$3 { print $1, $2, $3 }' | sort)" \
	"$(awk '$1 == "alloc" && $2 != "pages" && $6 != "0" && $6 != "10" { num["0x" $5 " " $2]++ }
		END { for (site in num) print site, num[site] }' events | sort)"

# Only lkstla mem reads the files. They may be damaged.
refused 'sched' 1 'saved/cpu0: not an LKST trace file: it looks like a file of kmemtrace' lkstla sched -f saved
refused 'print' 1 'saved/cpu0: not an LKST trace file: it looks like a file of kmemtrace' \
	lkstbuf print -f saved/cpu0
refused 'mem: no processes' 2 'mem: -p: kmemtrace does not record processes' lkstla mem -f saved -p 1
refused 'mem: with a trace' 2 'trace: is not a file of kmemtrace' lkstla mem -f trace -f saved
head -c -10 saved/cpu0 >cut-cpu0
refused 'mem: truncated' 1 'cut-cpu0: is truncated: the last [0-9]* bytes are a part of an event' \
	lkstla mem -f cut-cpu0 --any

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

# The examples of the document, which change the selected maskset
run_page "$here/doc/kmemtrace.rst"
done_testing
