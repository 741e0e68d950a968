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
contains 'the time of CPU 0 is shown' "$out" '^ *0 +[0-9]+\.[0-9] '
contains 'the time of CPU 1 is shown' "$out" '^ *1 +[0-9]+\.[0-9] '
contains 'threads that waited are shown' "$out" '^thread +runs .* behind$'
contains 'system calls are shown' "$out" '^wait4 +[0-9]+ '
ok 'the answers are at most two screens of 50 lines' \
	test "$(sed -n '/^What the CPUs did:/,$p' <<<"$out" | wc -l)" -le 100
print() { "$top/build/bin/lkstbuf" print -f "$work/trace" "$@" 2>&1; }
contains 'the signal is in the trace' "$(print -e process_sigsend)" ' process_sigsend +signal=SIGTERM .*name=sleep'
contains 'the exit of the child is in the trace' "$(print -e process_exit)" ' process_exit .*status=killed\(SIGTERM\) name=sleep'
contains 'its parent receives SIGCHLD' "$(print -e process_sigrecv)" ' process_sigrecv +signal=SIGCHLD '
summary=$(print --summary)
contains "the kernel is Debian's" "$summary" "^kernel +Linux $release .*Debian"
contains 'CPU 0 has recorded' "$summary" '^0 +0 +[1-9][0-9]{3,} .* tsc$'
contains 'CPU 1 has recorded' "$summary" '^1 +0 +[1-9][0-9]{3,} .* tsc$'
contains 'the page is named' "$out" "^ *file://$work/trace.html\$"
contains 'the page is complete' "$(tail -n 1 "$work/trace.html")" '^</html>$'
why_agrees 'the trace' "$work/trace"
contains 'the trace is kept' "$(print -e user_mark)" 'user_mark +arg1=0x6'
done_testing
