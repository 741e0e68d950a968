#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# LKST as a module can be unloaded while masksets are limited, and while the processes of a limit fork.
# form: module headers stock
# append: lkst.buffer_size=4M
# timeout: 400

# shellcheck source=../commands/rows.sh
. "$(dirname "$0")/rows.sh"

# unload: unload LKST as soon as no program uses it
unload() { wait_for rmmod lkst 2>/dev/null; }

(while :; do cat /proc/self/status; done >/dev/null) &
load=$!
for i in 1 2 3; do
	lkstm config -n default class:syscall,class:process on 2>/dev/null
	ok "masksets are limited: $i" eval "
		lkstm limit -n default --pid 1,$load --children --uid 0 &&
		lkstm copy -n default limits_unload && lkstm limit -n limits_unload --pid $load"
	ok "events of a child are recorded: $i" wait_for eval 'lkstbuf print -r -e system_call_entry | grep -q cat-'
	ok "LKST can be unloaded: $i" unload
	ok "LKST can be loaded again: $i" load_lkst
	is "the limit is gone: $i" "$(lkstm limit --list -n default)" ''
done
kill $load
wait
lacks 'the kernel reports no trouble' "$(dmesg)" 'WARNING:|BUG:|bad address'
done_testing
