#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# LKST as a module comes and goes, and the kernel finds no memory that was forgotten. It does not look at whole pages, which
# LKST counts itself, and warns; nor, on all kernels, at memory of each CPU, which unload.t does.
# form: module headers
# kernel: kmemleak
# suite: all
# append: lkst.buffer_size=512K

. "$(dirname "$0")/../tap.sh"
. ./form.sh
kmemleak=/sys/kernel/debug/kmemleak

# What was forgotten since the last time. An address may still be in a register or on a stack: it has to be missing twice.
leaks() {
	sleep 6 # what is younger does not count
	echo scan >$kmemleak
	echo scan >$kmemleak
	cat $kmemleak
	echo clear >$kmemleak
}

# used: all that takes memory
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

ok 'the kernel looks for it' test -w $kmemleak
ok 'it goes' rmmod lkst
leaks >/dev/null

for i in 1 2 3; do
	ok "it comes, is used and goes: $i" used
done
is 'nothing is forgotten' "$(leaks)" ''
ok 'off: it comes' load_lkst off=1
ok 'and goes' rmmod lkst
ok 'it comes, and may not take as much as it is to' load_lkst memory=256K buffer_size=4M
ok 'and goes' rmmod lkst
is 'nothing is forgotten then' "$(leaks)" ''
# Last: it gives up for good where it runs out of memory, and then finds nothing.
insmod modules/leaking.ko
rmmod leaking
out=$(leaks)
contains 'a module that forgets memory is found' "$out" 'unreferenced object'
is 'with all that it forgot' "$(printf '%s\n' "$out" | grep -c 'comm "insmod"')" 2
ok 'it comes' load_lkst
done_testing
