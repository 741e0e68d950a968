#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# await.sh COMMAND...: repeat the command until it succeeds, for up to 100 s
. "$(dirname "$0")/form.sh"
wait_for "$@"
