#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Under kernel lockdown, where tracing is locked down, LKST gives no answer.
# kernel: base debug
# append: lkst.buffer_size=2560K

. "$(dirname "$0")/../tap.sh"

echo integrity >/sys/kernel/security/lockdown
ok "integrity: tracing is allowed" lkst status
echo confidentiality >/sys/kernel/security/lockdown
for command in "lkst status" "lkst stop" "lkstm list" "lkstbuf list" "lkstbuf print -n 1" \
	       "lkstlogger -ev user_mark"; do
	# shellcheck disable=SC2086
	fails "confidentiality: $command fails" 1 $command
done
contains "and says why it may" "$tap_output" 'lockdown|locked down'
done_testing
