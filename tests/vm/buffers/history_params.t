#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The parameters of the history show their values, and invalid values are refused.
# append: lkst.history_size=1M lkst.buffer_size=256K lkst.history_share=100
# kernel: base
# kernel-all: debug base
# mem: 512

. "$(dirname "$0")/../tap.sh"

params=/sys/module/lkst/parameters
is 'history_size shows the size' "$(cat $params/history_size)" 1048576
is 'history_share shows the share' "$(cat $params/history_share)" 100
for value in 0 101 -1 5% all ''; do
	fails "history_share: \"$value\" is refused" any sh -c "echo '$value' >$params/history_share"
done
is 'refused values change nothing' "$(cat $params/history_share)" 100
ok 'the share can be changed' sh -c "echo 1 >$params/history_share"
is 'history_share shows the new share' "$(cat $params/history_share)" 1
echo 100 >$params/history_share
fails 'history_size cannot be changed' any sh -c "echo 2M >$params/history_size"
done_testing
