#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# "make demo STOCK=1" shows a trace of Debian's own kernel, with LKST as a module.
# suite: all
# timeout: 600

. "$(dirname "$0")/host.sh"

"$top/scripts/deps" tools vm stock || bail_out 'packages are missing'
fails 'an unknown option is refused' any "$top/scripts/demo" --what
fails 'stock-kernel refuses an unexpected argument' any "$top/scripts/stock-kernel" 6.1
stock=$("$top/scripts/stock-kernel" 2>"$work/log") || bail_out "no kernel of Debian's: $(tail -n 3 "$work/log")"
release=${stock##*/}
is 'the kernel is cached' "$("$top/scripts/stock-kernel" 2>&1)" "$stock"
for file in vmlinuz modules/modules.dep headers/include/generated/utsrelease.h; do
	ok "$file exists" test -f "$stock/$file"
done
build_tools
"$top/scripts/demo" --stock "$work/trace" >"$work/out" 2>&1
is 'success' $? 0
out=$(cat "$work/out")
contains 'the module is loaded' "$out" "lkst\.ko is loaded into Linux $release\$"
contains 'the signal is shown' "$out" ' process_sigsend +signal=SIGTERM .*name=sleep'
contains 'the exit of the child is shown' "$out" ' process_exit .*status=killed\(SIGTERM\) name=sleep'
contains 'its parent receives SIGCHLD' "$out" ' process_sigrecv +signal=SIGCHLD '
contains "the kernel is Debian's" "$out" "^kernel +Linux $release .*Debian"
contains 'CPU 0 has recorded' "$out" '^0 +0 +[1-9][0-9]{3,} .* tsc$'
contains 'CPU 1 has recorded' "$out" '^1 +0 +[1-9][0-9]{3,} .* tsc$'
contains 'the trace is kept' "$("$top/build/bin/lkstbuf" print -f "$work/trace" -e user_mark 2>&1)" 'user_mark +arg1=0x6'
done_testing
