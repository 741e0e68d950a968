#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# LKST as a module can be unloaded while BPF programs handle events. The kernel then frees the
# programs.
# form: module headers stock
# append: lkst.buffer_size=4M
# timeout: 400

# shellcheck source=../commands/rows.sh
. "$(dirname "$0")/rows.sh"

# unload: unload LKST as soon as no program uses it
unload() { wait_for rmmod lkst 2>/dev/null; }
# released ID: whether the kernel has freed the BPF program
released() { ! bpf_tool exists "$1" 0 2>/dev/null; }

if ! bpf_tool load drop bpf_probe >/dev/null 2>&1; then
	skip 'BPF programs when LKST is unloaded' 'the kernel has no BPF'
	done_testing
fi
lksteh bpf -d bpf_probe
while :; do cat /proc/self/status; done >/dev/null &
load=$!
for i in 1 2 3; do
	bpf_tool load drop bpf_drop >/dev/null
	bpf_tool load record bpf_record >/dev/null
	id=$(lksteh list | sed -n 's/.*bpf_drop *(BPF program \([0-9]*\),.*/\1/p')
	ok "the program exists: $i" bpf_tool exists "$id" 0
	ok "programs handle events: $i" eval "lkstm config -n default class:syscall bpf_drop 2>/dev/null &&
		lkstm config -n default class:process,class:interrupt bpf_record 2>/dev/null"
	ok "the programs run: $i" wait_for eval '! lksteh list | grep -q ": 0 runs"'
	ok "LKST can be unloaded while programs run: $i" unload
	ok "the program has been released: $i" wait_for released "$id"
	ok "LKST can be loaded again: $i" load_lkst
	lacks "the programs are gone: $i" "$(lksteh list)" 'BPF'
done
kill $load
wait
lacks 'the kernel reports no trouble' "$(dmesg)" 'WARNING:|BUG:|RCU used illegally|suspicious RCU'
done_testing
