#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Under kernel lockdown, where tracing is locked down, LKST gives no answer.
# kernel: base debug
# form: builtin
# append: lockdown=integrity

. "$(dirname "$0")/../tap.sh"

lockdown=/sys/kernel/security/lockdown
# A module that nobody has signed could not be loaded if it were so from boot on: lockdown_module.t
[ ! -f /share/lkst.ko ] || echo integrity >$lockdown
contains "locked down" "$(cat $lockdown)" '\[integrity\]'
ok "integrity: tracing is allowed" lkst status
echo confidentiality >$lockdown
for command in "lkst status" "lkst stop" "lkstm list" "lkstbuf list" "lkstbuf print -n 1" \
	       "lkstlogger -ev user_mark"; do
	# shellcheck disable=SC2086
	fails "confidentiality: $command fails" 1 $command
done
contains "and says why it may" "$tap_output" 'lockdown|locked down'
done_testing
