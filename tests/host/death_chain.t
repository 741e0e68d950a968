#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# A machine dies before, during and after the writing of each record of a chain. The log in its
# memory has the records that were written before: the chain is shown as cut, and nothing else is
# lost. A plugin of QEMU, tests/qemu/chain_death.c, copies the memory of a VM at these moments. All
# CPUs are recording.
# timeout: 600
# suite: all
# kernel: base
# modules: yes

. "$(dirname "$0")/death/common.sh"
gcc -std=gnu11 -O2 -Wall -Wextra -Werror -shared -fPIC -o "$work/chain_death.so" "$top/tests/qemu/chain_death.c" ||
	bail_out 'the plugin does not compile'
compile "$share/chain" "$top/tests/host/death/chain.c"

# Without KASLR, the functions are at the same addresses in both VMs.
"$top/scripts/lkst-vm" --kernel "$image" --append nokaslr -- sort /proc/kallsyms >"$work/symbols" 2>&1 ||
	bail_out "the kernel does not boot: $(tail -n 5 "$work/symbols")"
# from FUNCTION: print the address of FUNCTION. next FUNCTION: print the address of the function
# that follows it in memory.
from() { awk -v name="$1" '$3 == name { print $1 }' "$work/symbols"; }
next() { awk -v name="$1" 'found && $1 != from { print $1; exit } $3 == name { found = 1; from = $1 }' "$work/symbols"; }

guest <<'END'
record 2
/share/chain
END
vm 0 --mem "$(mem 448)" --append "$(append nokaslr)" --plugin "$work/chain_death.so,memory=$memory,copies=$work/copy,\
arm=$(from __x64_sys_sched_get_priority_max),chain=$(from lkst_event_chain),\
record=$(from lkst_emit)-$(next lkst_emit),end=$(from __x64_sys_openat)"

# shown FILE: print how many bytes of the path the event has, and "cut" if some are missing. If FILE
# lacks the event, print "nothing".
shown() {
	"$lkstbuf" print -r --json -f "$1" -e system_call_path -p chain 2>"$1.errors" |
		awk -F '"path":"' 'END {
			if (NR) { split($2, path, "\""); print length(path[1]) (/"cut":true/ ? " cut" : "") }
			else print "nothing"
		}'
}

# The head contains 16 bytes of other data, followed by 8 bytes of the path.
states='' last=''
for memory in "$work"/copy.*[a-z]; do
	name=${memory##*/copy.}
	records "$work/records" -f "$memory"
	all_there "$name: nothing else is lost" "$work/records"
	image_agrees "$name" "$memory"
	state=$(shown "$memory")
	[ "$state" = "$last" ] || states+=${states:+, }$state
	last=$state
	rm "$memory"
done
is 'the chain is shown as far as it was written' "$states" 'nothing, 8 cut, 32 cut, 56 cut, 80 cut, 100'
done_testing
