#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# LKST as a module can be unloaded while added events occur.
# form: module headers stock
# append: lkst.buffer_size=4M
# timeout: 400

# shellcheck disable=SC2016 # the dollars are part of definitions
# shellcheck source=../commands/rows.sh
. "$(dirname "$0")/rows.sh"

# unload: unload LKST as soon as no program uses it
unload() { wait_for rmmod lkst 2>/dev/null; }

while :; do cat /proc/self/status; done >/dev/null &
load=$!
for i in 1 2 3; do
	ok "events are added: $i" added_control 'p:reads vfs_read count=$arg3:u64 c=$comm' 'r:results vfs_read $retval:s64' \
		't:switches sched_switch next=$arg3' 'p:chain vfs_read s=+0($arg1):string c=$comm'
	lkstm set -n all
	ok "they are recorded: $i" wait_for eval 'lkstbuf print -r -e "kprobes:*" | grep -q "results *arg1="'
	ok "LKST can be unloaded: $i" unload
	ok "LKST can be loaded again: $i" load_lkst
	is "no event is left: $i" "$(added_control --list)" ''
done
kill $load
wait
lacks 'the kernel reports no trouble' "$(dmesg)" 'WARNING:|BUG:|bad address'
done_testing
