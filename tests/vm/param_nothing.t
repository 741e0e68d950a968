#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The boot parameter lkst.maskset: begin with a maskset of one's own choice, here by its name.
# kernel: base
# append: lkst.maskset=nothing

. "$(dirname "$0")/../tap.sh"

contains "the maskset is selected" "$(lkst status)" '^maskset +0 nothing'
contains "LKST runs: this is no stop" "$(lkst status)" '^state +running'
is "nothing was recorded since boot" "$(lkstbuf read | grep -vc '^#')" 0
ok "another one can be selected" lkstm set -n all
ok "and records" test "$(lkstbuf read | grep -vc '^#')" -gt 10
done_testing
