#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# "make demo-crash" shows a panic and, on the next boot, the events that led to it.
# suite: all
# kernel: base
# timeout: 200

. "$(dirname "$0")/host.sh"

"$top/scripts/demo-crash" "$work/trace" >"$work/out" 2>&1
is 'success' $? 0
out=$(cat "$work/out")
contains 'the panic is shown' "$out" '^Kernel panic - not syncing: Out of memory'
contains 'the newest events are shown on the console' "$out" '^lkst: +[0-9.]+ \[00[01]\] .* oops_panic +message='
contains 'the previous boot is listed' "$out" '^ +1 +[0-9a-f-]{36} +unread '
contains 'the log has the start of the program' "$out" ' process_exec +thread=dd-[0-9]+ .*path=/bin/dd'
is 'the log ends with the write that did not return' "$(tail -n 20 <<<"$out" | grep -B 1 ' oops_panic ' | grep -c ' system_call_entry .*number=write')" 1
ok 'lkstbuf reports no errors' test -z "$(grep '^lkstbuf: ' <<<"$out" | grep -vE 'carry no checksum$|no process names but those')"
contains 'the trace is kept' "$("$top/build/bin/lkstbuf" print -f "$work/trace" -e oops_panic 2>&1)" 'oops_panic'
done_testing
