#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# If the kernel is booted with lkst.off, a module that needs LKST cannot be loaded, and leaves
# nothing behind.
# kernel: base
# kernel-all: base debug
# append: lkst.off

. "$(dirname "$0")/../tap.sh"

for round in 1 2; do
	fails "the sample cannot be loaded ($round)" any insmod modules/lkst_sample.ko
	contains "the error says why ($round)" "$tap_output" 'No such device'
done
is "the module is not listed" "$(lsmod | grep -c lkst_sample)" 0
ok "its file in /proc does not exist" test ! -e /proc/lkst_sample
done_testing
