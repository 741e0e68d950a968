#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# Runs the commands of Documentation/lkst/cookbook.rst during which the machine dies and reboots.
# tests/vm/cookbook/cookbook.t runs all others.
# timeout: 120
# kernel: base

. "$(dirname "$0")/host.sh"
. "$(dirname "$0")/kernel.sh"
kernel_of base
share=$work/share
make -s -C "$top/tests/vm" OUT="$share/vm" all >"$work/make.log" 2>&1 || bail_out "$(tail -n 5 "$work/make.log")"
cp "$top/tests/tap.sh" "$share/"

# shellcheck disable=SC2016 # memmap= has a literal $
"$top/scripts/lkst-vm" --take-turns --kernel "$image" --share "$share" --reboots 1 --log "$work/log" \
	--append 'lkst.buffer_size=8M memmap=64M$0x10000000 lkst.reserved=64M@0x10000000' -- \
	/share/vm/cookbook.t --boot >"$work/out" 2>&1
is 'the commands of the second boot succeed' $? 0
diag "$(cat "$work/out")"
ok 'there are commands for the second boot' test "$(grep -c '^ok .*: lkst' "$work/out")" -ge 4
done_testing
