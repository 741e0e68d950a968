#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# What "make demo-crash" shows: a panic, and on the next boot the log of what led there.
# suite: all
# kernel: base
# timeout: 200

set -u
. "$(dirname "$0")/../tap.sh"
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$top/scripts/demo-crash" "$work/trace" >"$work/out" 2>&1
is 'success' $? 0
out=$(cat "$work/out")
contains 'the panic' "$out" '^Kernel panic - not syncing: Out of memory'
contains 'the newest events on the console' "$out" '^lkst: +[0-9.]+ \[00[01]\] .* oops_panic +message='
contains 'the boot before' "$out" '^ +1 +[0-9a-f-]{36} +unread '
contains 'the programs' "$out" ' process_exec +thread=dd-[0-9]+ .*path=/bin/dd'
is 'the write that did not come back' "$(tail -n 20 <<<"$out" | grep -B 1 ' oops_panic ' | grep -c ' system_call_entry .*number=write')" 1
ok 'nothing fails' test -z "$(grep '^lkstbuf: ' <<<"$out" | grep -vE 'carry no checksum$|no process names but those')"
contains 'the trace is left' "$("$top/tools/lkst/lkstbuf" print -f "$work/trace" -e oops_panic 2>&1)" 'oops_panic'
done_testing
