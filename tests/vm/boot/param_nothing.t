#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The boot parameter lkst.maskset selects the maskset that LKST starts with, here by its name.
# kernel: base
# append: lkst.maskset=nothing

. "$(dirname "$0")/../tap.sh"

contains "the maskset is selected" "$(lkst status)" '^maskset +0 nothing'
contains "LKST is running, not stopped" "$(lkst status)" '^state +running'
is "nothing has been recorded since boot" "$(lkstbuf read | grep -vc '^#')" 0
ok "another maskset can be selected" lkstm set -n all
ok "events are recorded with the other maskset" test "$(lkstbuf read | grep -vc '^#')" -gt 10
done_testing
