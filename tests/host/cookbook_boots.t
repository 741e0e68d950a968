#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# Runs the commands of Documentation/lkst/cookbook.rst that need special VMs: one whose clock counts
# instructions, and one that dies and reboots. tests/vm/cookbook/cookbook.t runs all other commands.
# Also tests that no line of the page is too wide.
# timeout: 240
# kernel: base

. "$(dirname "$0")/host.sh"
. "$(dirname "$0")/kernel.sh"
kernel_of base
share=$work/share
make -s -C "$top/tests/vm" OUT="$share/vm" all >"$work/make.log" 2>&1 || bail_out "$(tail -n 5 "$work/make.log")"
cp "$top/tests/tap.sh" "$share/"

is 'no line is wider than 80 columns' \
	"$(expand "$top/Documentation/lkst/cookbook.rst" | grep -nE '^.{81}')" ''

# commands NAME COMMAND OPTION...: run commands of the page in a VM with the options
commands() {
	local name=$1 command=$2
	shift 2
	# shellcheck disable=SC2086 # unquoted, to split it into words
	"$top/scripts/lkst-vm" --take-turns --kernel "$image" --share "$share" --log "$work/log" "$@" -- \
		/share/vm/$command >"$work/out" 2>&1
	is "$name: the commands succeed" $? 0
	diag "$(cat "$work/out")"
	ok "$name: there are commands" test "$(grep -c '^ok .*: lkst' "$work/out")" -ge 4
}

commands 'a clock that counts instructions' 'in_memory.sh --icount' --icount --append lkst.buffer_size=8M
# shellcheck disable=SC2016 # memmap= has a literal $
commands 'the second boot' 'cookbook.t --boot' --reboots 1 \
	--append 'lkst.buffer_size=8M memmap=64M$0x10000000 lkst.reserved=64M@0x10000000'
done_testing
