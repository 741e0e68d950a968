#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# LKST can be unloaded while programs have registered bits but no file of LKST is open. The bits are
# cleared, and the programs can exit afterwards.
# form: module headers stock
# append: lkst.buffer_size=4M

. "$(dirname "$0")/../tap.sh"
. ./form.sh

# Only on x86 are the tests also built for 32 bits.
programs=words
[ "$(uname -m)" != x86_64 ] || programs="words words-32"
for program in $programs; do
	rmmod lkst
	load_lkst maskset=all || exit
	: >hold.out
	./$program hold >>hold.out &
	holder=$!
	wait_for grep -q ready hold.out
	ok "$program: LKST can be unloaded while a program has registered bits" timeout 100 rmmod lkst
	wait $holder
	is "$program: the bits of the program and of its child are cleared" $? 0
	load_lkst || exit
	ok "$program: LKST works again" lkst status
done
rm hold.out
lacks "the kernel log has no errors" "$(dmesg)" 'WARNING:|BUG:|INFO: task'
done_testing
