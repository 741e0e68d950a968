# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# Functions for tests of the directory lkst/ of debugfs. Source rows.sh first.

tree=/sys/kernel/debug/lkst
[ -d $tree ] || bail_out "$tree"

# tree_finish: turn all events off, select the default maskset, and delete the maskset of the
# directory
tree_finish() {
	: >$tree/set_event
	lkstm set -n default
	lkstm delete -n events
}
