#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# LKST as a module can be unloaded while masksets have rules, and while events with rules arrive. The
# parameter "rules" works when the module is loaded.
# form: module headers stock
# append: lkst.buffer_size=4M
# timeout: 400

# shellcheck source=../commands/rows.sh
. "$(dirname "$0")/rows.sh"

# unload: unload LKST as soon as no program uses it
unload() { wait_for rmmod lkst 2>/dev/null; }

while :; do cat /proc/self/status; done >/dev/null &
load=$!
for i in 1 2 3; do
	lkstm config -n default class:syscall,class:process on 2>/dev/null
	ok "rules are written: $i" eval "
		lkstm rule -n default class:process if 'tid != $i && comm ~ \"*[a-c]*\"' &&
		lkstm rule -n default system_call_entry if 'number == openat && arg2.ustring ~ \"/proc/*\"' &&
		lkstm copy -n default other && lkstm rule -n other system_call_exit if 'result < 0'"
	ok "events with rules are recorded: $i" wait_for eval 'lkstbuf print -r -e system_call_entry | grep -q number=openat'
	ok "LKST can be unloaded while masksets have rules: $i" unload
	ok "LKST can be loaded again: $i" load_lkst "rules=\"process_exec if path ~ '/no/*'\""
	is "the parameter writes a rule: $i" "$(lkstm rule --list -n default)" "process_exec if path ~ '/no/*'"
	lacks "the other maskset is gone: $i" "$(lkstm list)" other
done
kill $load
wait
lacks 'the kernel reports no trouble' "$(dmesg)" 'WARNING:|BUG:|bad address'
unload
ok 'LKST can be loaded without rules' load_lkst
is 'it has none' "$(lkstm rule --list -n default)" ''
done_testing
