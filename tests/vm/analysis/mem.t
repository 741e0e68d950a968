#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# lkstla mem counts what the module tests/modules/allocating.c allocates and frees. The test does
# not compare the counts with /proc/slabinfo, which counts free objects in the slabs of a CPU as
# active.
# kernel: base
# append: lkst.buffer_size=16M
# timeout: 300

. "$(dirname "$0")/measure.sh"

page=4096

# site FUNCTION FILE: print the columns from "kind" to "requested bytes" of a call site in the module
site() { sed -n "s/^$1+0x[0-9a-f]*\[allocating\],//p" "$2" | cut -d , -f 1-6; }
# column FUNCTION NUMBER FILE: print a column of a call site in the module
column() { sed -n "/^$1+0x/p" "$3" | cut -d , -f "$2"; }

record mem_kmalloc,mem_kfree,mem_cachealloc,mem_cachefree,mem_vmalloc,mem_vfree,process_state
mark 1
# shellcheck disable=SC2154 # rows.sh sets it
ok 'the module is loaded' insmod "$modules/allocating.ko"
mark 2
ok 'the module frees the rest' sh -c 'echo 1 >/sys/module/allocating/parameters/free'
mark 3
lkst stop
# Read the trace before the module is unloaded, because its symbols are known only until then.
read_trace

between 1 2 mem >csv
contains 'nothing was lost' "$(cat header)" 'nothing lost'
rows_of call_site,kind csv >sites
grep '\[allocating\]' sites
# The columns are kind, allocations, frees, unseen frees, live objects and requested bytes.
is 'kmalloc' "$(site allocating_kmalloc sites)" kmalloc,100,40,0,60,6000
is 'kmalloc, nothing freed' "$(site allocating_kept sites)" kmalloc,7,0,0,7,350
is 'cache' "$(site allocating_cache sites)" cache,30,10,0,20,2400
is 'vmalloc' "$(site allocating_vmalloc sites)" vmalloc,5,2,0,3,$((9 * page))
for name in kmalloc kept; do
	is "$name: requested and waste are what is allocated" \
		$(($(column allocating_$name 7 sites) + $(column allocating_$name 9 sites))) \
		"$(column allocating_$name 8 sites)"
	ok "$name: kmalloc rounds the size up" test "$(column allocating_$name 9 sites)" -gt 0
	ok "$name: half of the objects have at most the median age, which the oldest one exceeds" \
		test "$(column allocating_$name 10 sites)" -gt 0 -a \
		"$(column allocating_$name 11 sites)" -gt "$(column allocating_$name 10 sites)"
done

between 1 2 mem --never-freed >csv
rows_of call_site,kind csv >never
is '--never-freed' "$(grep '\[allocating\]' never | sed 's/+.*//')" allocating_kept

between 1 3 mem >csv
rows_of call_site,kind csv >sites
is 'all freed: kmalloc' "$(site allocating_kmalloc sites)" kmalloc,100,100,0,0,0
is 'all freed: the rest of kmalloc' "$(site allocating_kept sites)" kmalloc,7,7,0,0,0
is 'all freed: cache' "$(site allocating_cache sites)" cache,30,30,0,0,0
is 'all freed: vmalloc' "$(site allocating_vmalloc sites)" vmalloc,5,5,0,0,0

# From one mark to another, each call site grew by what the module allocated, minus what it freed.
grew() { sed -n "s/^allocating_$1+0x[0-9a-f]*\[allocating\],//p" sites | cut -d , -f 11,12; }
between 1 2 mem --grew-since "$(mark_time 1)" >csv
rows_of call_site,kind csv >sites
is 'grew: kmalloc' "$(grew kmalloc)" 60,6000
is 'grew: the rest of kmalloc' "$(grew kept)" 7,350
is 'grew: cache' "$(grew cache)" 20,2400
is 'grew: vmalloc' "$(grew vmalloc)" 3,$((9 * page))
is 'grew: the largest growth is first' "$(cut -d , -f 13 sites)" \
	"$(cut -d , -f 13 sites | sort -rn)"
between 1 3 mem --grew-since "$(mark_time 2)" >csv
rows_of call_site,kind csv >sites
is 'shrank: kmalloc' "$(grew kmalloc)" -60,-6000
is 'shrank: the rest of kmalloc' "$(grew kept)" -7,-350
is 'shrank: cache' "$(grew cache)" -20,-2400
is 'shrank: vmalloc' "$(grew vmalloc)" -3,-$((9 * page))
refused '--grew-since before the window' 1 '^lkstla: --grew-since @1 is not in the window' \
	lkstla mem -f trace --since "$(mark_time 2)" --grew-since @1

# Frees of objects that were allocated before the window are in a table by the code that freed them.
between 2 3 mem >csv
rows_of freed_by,event csv >freed
freed() { sed -n "s/^$1+0x[0-9a-f]*\[allocating\],//p" freed | cut -d , -f 1-3; }
is 'freed: kmalloc' "$(freed allocating_kfree)" mem_kfree,,67
is 'freed: cache' "$(freed allocating_cache_free)" mem_cachefree,lkst_allocating,20
# vfree() also frees the kernel's description of the area, with kfree().
is 'freed: vmalloc' "$(freed allocating_vfree | grep -v ^mem_kfree)" mem_vfree,,3
is 'freed: no allocations' "$(rows_of call_site,kind csv | grep -c '\[allocating\]')" 0

ok 'the module is unloaded' rmmod allocating
lkst start
done_testing
