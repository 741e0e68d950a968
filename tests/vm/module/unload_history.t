#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# LKST can be unloaded while its history is compressing records, and leaves nothing behind.
# form: module headers stock
# append: lkst.buffer_size=256K lkst.history_size=4M lkst.history_share=100
# timeout: 600

. "$(dirname "$0")/../tap.sh"
. ./form.sh

work() {
	while :; do
		cat /proc/self/stat /bin/busybox | head -c 20000 | wc -c
		usleep 1000
	done >/dev/null
}
threads() { cat /proc/[0-9]*/comm 2>/dev/null | grep -c lkst_history; }
# compresses: whether the history of each CPU has events
compresses() { [ "$(lkstbuf list | awk '$5 ~ /[.]/' | wc -l)" -eq "$(nproc)" ]; }
# free_kb: print the size of the free memory in KB, with the pages on the kernel's per-CPU lists
free_kb() {
	echo 3 >/proc/sys/vm/drop_caches
	sleep 0.5
	cat /proc/meminfo /proc/zoneinfo | awk '$1 == "MemFree:" { free = $2 } $1 == "count:" { pages += $2 }
		END { print free + 4 * pages }'
}

# The first load takes memory that the kernel keeps.
rmmod lkst && load_lkst && rmmod lkst || bail_out 'rmmod lkst'
is 'without LKST, there is no thread' "$(threads)" 0
before=$(free_kb)
loads=
for cpu in $(seq 0 $(($(nproc) - 1))); do
	work &
	loads="$loads $!"
	taskset -p $((1 << cpu)) $! >/dev/null
done
for i in 1 2 3 4 5 6; do
	load_lkst maskset=all && wait_for compresses || break
	[ "$(threads)" -eq 1 ] || break
	usleep $((i * 37000))
	timeout 600 rmmod lkst || break
	[ "$(threads)" -eq 0 ] || break
done
is 'LKST can be loaded and unloaded while it compresses' "$i $(threads)" '6 0'
kill $loads
wait
# A leaked history would be 4 MB for each CPU and load.
after=$(free_kb)
ok "no memory has leaked: $before KB were free before, $after KB afterwards" test "$after" -gt $((before - 3072))
lacks 'the kernel log has no errors' "$(dmesg)" 'WARNING:|BUG:|INFO: task'
ok 'LKST can be loaded again' load_lkst
ok 'the history works again' wait_for compresses
done_testing
