#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# When kernel lockdown denies tracing, LKST refuses every call.
# kernel: base
# kernel-all: base debug
# form: builtin
# append: lockdown=integrity

. "$(dirname "$0")/../tap.sh"

lockdown=/sys/kernel/security/lockdown
# lockdown_module.t runs this script with LKST as an unsigned module, which can be loaded only
# before lockdown is enabled. So with the module, lockdown is enabled here and not at boot.
[ ! -f /share/lkst.ko ] || echo integrity >$lockdown
contains "the kernel is locked down" "$(cat $lockdown)" '\[integrity\]'
ok "integrity: tracing is allowed" lkst status
echo confidentiality >$lockdown
for command in "lkst status" "lkst stop" "lkstm list" "lkstbuf list" "lkstbuf print -n 1" \
	       "lkstlogger -ev user_mark"; do
	# shellcheck disable=SC2086
	fails "confidentiality: $command fails" 1 $command
done
contains "the error names lockdown as a possible reason" "$tap_output" 'lockdown|locked down'
done_testing
