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
# The panic need not be in dd, because another program may have run out of memory.
is 'the log ends with the write that did not return' \
	"$(sed '/^Explore the trace:$/,$d' <<<"$out" | grep -E ' dd-[0-9]+ .* system_call_' | tail -n 1 | grep -c ' system_call_entry .*number=write')" 1
report=$(sed -n '/^\$ lkstla report -f trace$/,$p' <<<"$out")
contains 'the last thing is the report, which says how the machine died' "$(grep -A 1 '^HOW THE MACHINE DIED$' <<<"$report")" '^ +panic: Out of memory'
contains 'the report says what the program was doing' "$(grep -A 2 '^WHAT EACH CPU WAS DOING$' <<<"$report")" 'CPU [01]: dd-[0-9]+ .*system call write'
ok 'the report is at most two screens of 50 lines' test "$(wc -l <<<"$report")" -le 100
is 'the report is what lkstla prints about the trace' "$(sed 1d <<<"$report")" "$("$top/build/bin/lkstla" report -f "$work/trace" 2>&1)"
ok 'lkstbuf reports no errors' test -z "$(grep '^lkstbuf: ' <<<"$out" | grep -vE 'carry no checksum$|process names only from events')"
contains 'the trace is kept' "$("$top/build/bin/lkstbuf" print -f "$work/trace" -e oops_panic 2>&1)" 'oops_panic'
why_agrees 'the trace' "$work/trace"
done_testing
