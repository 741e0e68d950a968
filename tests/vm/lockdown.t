#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Under kernel lockdown, where tracing is locked down, LKST gives no answer.
# kernel: base debug
# form: builtin
# append: lockdown=integrity

. "$(dirname "$0")/../tap.sh"

lockdown=/sys/kernel/security/lockdown
# With lockdown_module.t it is not so from boot on, as a module that nobody has signed could not be loaded.
grep -qF '[integrity]' $lockdown || echo integrity >$lockdown
ok "integrity: tracing is allowed" lkst status
echo confidentiality >$lockdown
for command in "lkst status" "lkst stop" "lkstm list" "lkstbuf list" "lkstbuf print -n 1" \
	       "lkstlogger -ev user_mark"; do
	# shellcheck disable=SC2086
	fails "confidentiality: $command fails" 1 $command
done
contains "and says why it may" "$tap_output" 'lockdown|locked down'
done_testing
