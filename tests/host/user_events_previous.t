#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# A VM is reset without a warning while a program runs that has registered user events. The next boot
# reads the program's events with their names and fields, and so does the host from the memory of the
# VM, although the second boot has other user events with the same numbers.
# kernel: base
# modules: yes

. "$(dirname "$0")/death/common.sh"

guest <<'END'
PATH=/share:$PATH
# Record nothing else: reading the previous boot causes thousands of events, and the rings are small.
lkstm copy -n nothing user >/dev/null && lkstm config -n user class:user_events on && lkstm set -n user >/dev/null || exit
mkfifo /tmp/go
case $LKST_VM_BOOT in
1)
	{ echo go; sleep 1000; } >/tmp/go &
	readers_load stay </tmp/go >/share/load &
	wait_for grep -q recorded /share/load || exit
	# Wait until the names of the events are in the reserved memory, too. They are written there
	# a little later than the events.
	sleep 2
	echo b >/proc/sysrq-trigger
	sleep 1000
	;;
2)
	{ echo go; sleep 1000; } >/tmp/go &
	readers_load other stay </tmp/go >/share/load2 &
	wait_for grep -q recorded /share/load2 || exit
	lkstbuf print -r --previous -e 'user_events:*' >/share/previous 2>&1
	lkstbuf print -r -e 'user_events:*' >/share/own 2>&1
	;;
esac
END
make -s -C "$top/tests/vm" OUT="$share" "$share/readers_load" >"$work/make.log" 2>&1 || bail_out "$(cat "$work/make.log")"
# shellcheck disable=SC2016 # the $ is part of the parameter memmap
vm 0 --mem 448 --reboots 1 --append "$(append 'memmap=16M$0x10000000 lkst.reserved=16M@0x10000000')"

# texts FILE: print the user events in the output of lkstbuf print
texts() { sed -n 's/.*\(user_events:\)/\1/p' "$1" | sed 's/  */ /g'; }
wanted=$(for id in 1 2 3; do
	echo "user_events:rd_start id=$id kind=read size=-$id"
	echo "user_events:rd_stop id=$id result=-$id msg=\"the request has been answered: a long text\""
done)
is 'the next boot reads the events' "$(texts "$share/previous")" "$wanted"
is 'the events of the next boot itself' "$(texts "$share/own")" "${wanted//:rd_/:other_}"
first=$("$lkstbuf" find "$memory" --json | python3 -c '
import json, sys
print(json.load(sys.stdin)["boots"][-1]["boot"])')
"$lkstbuf" print -r -f "$memory" --boot "$first" -e 'user_events:*' >image 2>&1
is 'the memory of the VM has the events of the first boot' "$(texts image)" "$wanted"
done_testing
