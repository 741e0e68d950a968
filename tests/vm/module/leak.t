#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# LKST is loaded and unloaded as a module, and kmemleak finds no leak. kmemleak does not track
# memory that is allocated in pages, but LKST warns at unload if it has not freed all of that. On
# some kernels kmemleak does not track per-CPU memory, but unload.t checks that LKST frees it.
# form: module headers
# kernel: kmemleak
# suite: all
# append: lkst.buffer_size=512K

. "$(dirname "$0")/../tap.sh"
. ./form.sh
here=.
# shellcheck source=why/why_agrees.sh
. "$here/why_agrees.sh"
kmemleak=/sys/kernel/debug/kmemleak

# Print the memory that leaked since the last call. One scan can miss an address that is in a
# register or on a stack, so memory counts as leaked only if two scans find it unreferenced.
leaks() {
	sleep 6 # kmemleak does not report objects that are younger than 5 s
	echo scan >$kmemleak
	echo scan >$kmemleak
	cat $kmemleak
	echo clear >$kmemleak
}

# used: load LKST, do everything that makes it allocate memory, and unload it
# shellcheck disable=SC2317 # ok calls it
used() {
	load_lkst maskset=all || return
	lkstbuf create -c 0 -s 64K -b 3 &&
		lkstbuf create -c 0 -s 64K -b 4 &&
		lkstbuf delete -c 0 -b 4 &&
		lkstm read -n all -d | lkstm write -n mine &&
		lkstm set -n mine &&
		insmod modules/handlers.ko &&
		insmod modules/lkst_sample.ko &&
		lkstbuf read -f /tmp/trace &&
		lkst stop &&
		rmmod lkst_sample handlers &&
		rmmod lkst
}

ok 'the kernel has kmemleak' test -w $kmemleak
ok 'LKST can be unloaded' rmmod lkst
leaks >/dev/null

for i in 1 2 3; do
	ok "round $i: LKST can be loaded, used and unloaded" used
	why_agrees_if_any /tmp/trace
done
is 'no memory has leaked' "$(leaks)" ''
ok 'off: LKST can be loaded' load_lkst off=1
ok 'off: LKST can be unloaded' rmmod lkst
ok 'a low memory limit: LKST can be loaded' load_lkst memory=256K buffer_size=4M
ok 'a low memory limit: LKST can be unloaded' rmmod lkst
is 'off and a low memory limit: no memory has leaked' "$(leaks)" ''
# Test at the end that kmemleak still finds a leak: it turns itself off for good if it runs out of
# memory, and then finds nothing.
insmod modules/leaking.ko
rmmod leaking
out=$(leaks)
contains 'a module that leaks memory is found' "$out" 'unreferenced object'
is 'all of its leaks are found' "$(printf '%s\n' "$out" | grep -c 'comm "insmod"')" 2
ok 'LKST can be loaded again' load_lkst
done_testing
