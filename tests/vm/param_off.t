#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The boot parameter lkst.off: the kernel runs as if it had no LKST, and the commands say so.
# kernel: base
# append: lkst.off

. "$(dirname "$0")/../tap.sh"

ok "there is no /dev/lkst" test ! -e /dev/lkst
ok "there is no /proc/lkst_etypes" test ! -e /proc/lkst_etypes
lacks "there is no driver" "$(cat /proc/devices)" lkst
contains "the kernel says so" "$(dmesg)" 'lkst: off'
for command in "lkst status" "lkstm list" "lkstbuf list" "lkstbuf print" "lkstlogger -ev user_mark"; do
	# shellcheck disable=SC2086
	fails "$command fails" 1 $command
	contains "and tells what to do" "$tap_output" '/dev/lkst.*|CONFIG_LKST|lkst.off'
done
done_testing
