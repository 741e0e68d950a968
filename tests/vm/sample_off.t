#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Booted with lkst.off: a module that needs LKST is refused, and leaves nothing behind.
# kernel: base debug
# append: lkst.off

. "$(dirname "$0")/../tap.sh"

for round in 1 2; do
	fails "the sample cannot be loaded ($round)" any insmod modules/lkst_sample.ko
	contains "and why not ($round)" "$tap_output" 'No such device'
done
is "no module stays" "$(lsmod | grep -c lkst_sample)" 0
ok "nor a file" test ! -e /proc/lkst_sample
done_testing
