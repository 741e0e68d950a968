#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# With the boot parameter lkst.off the kernel runs as if it had no LKST, and LKST's commands report
# this.
# kernel: base
# append: lkst.off

. "$(dirname "$0")/../tap.sh"

ok "/dev/lkst does not exist" test ! -e /dev/lkst
ok "/proc/lkst_etypes does not exist" test ! -e /proc/lkst_etypes
lacks "/proc/devices has no driver of LKST" "$(cat /proc/devices)" lkst
contains "the kernel log says that LKST is off" "$(dmesg)" 'lkst: off'
for command in "lkst status" "lkstm list" "lkstbuf list" "lkstbuf print" "lkstlogger -ev user_mark"; do
	# shellcheck disable=SC2086
	fails "$command fails" 1 $command
	contains "the message says what to do" "$tap_output" '/dev/lkst.*|CONFIG_LKST|lkst.off'
done
done_testing
