#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# What "make demo STOCK=1" shows: a trace of Debian's own kernel, with LKST as a module.
# suite: all
# timeout: 600

set -u
. "$(dirname "$0")/../tap.sh"
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$top/scripts/deps" tools vm stock || bail_out 'packages are missing'
fails 'an unknown option is refused' any "$top/scripts/demo" --what
fails 'by stock-kernel, too' any "$top/scripts/stock-kernel" 6.1
stock=$("$top/scripts/stock-kernel" 2>"$work/log") || bail_out "no kernel of Debian's: $(tail -n 3 "$work/log")"
release=${stock##*/}
is 'the kernel is there, and is not fetched again' "$("$top/scripts/stock-kernel" 2>&1)" "$stock"
for file in vmlinuz modules/modules.dep headers/include/generated/utsrelease.h; do
	ok "$file" test -f "$stock/$file"
done
make -s -C "$top/tools/lkst" >"$work/log" 2>&1 || bail_out "the tools do not build: $(tail "$work/log")"
"$top/scripts/demo" --stock "$work/trace" >"$work/out" 2>&1
is 'success' $? 0
out=$(cat "$work/out")
contains 'the module is loaded' "$out" "lkst\.ko is loaded into Linux $release\$"
contains 'the signal' "$out" ' process_sigsend +signal=SIGTERM .*name=sleep'
contains 'the end of the child' "$out" ' process_exit .*status=killed\(SIGTERM\) name=sleep'
contains 'its parent learns of it' "$out" ' process_sigrecv +signal=SIGCHLD '
contains "the kernel is Debian's" "$out" "^kernel +Linux $release .*Debian"
contains 'both CPUs recorded: 0' "$out" '^0 +0 +[1-9][0-9]{3,} .* tsc$'
contains 'both CPUs recorded: 1' "$out" '^1 +0 +[1-9][0-9]{3,} .* tsc$'
contains 'the trace is left' "$("$top/tools/lkst/lkstbuf" print -f "$work/trace" -e user_mark 2>&1)" 'user_mark +arg1=0x6'
done_testing
