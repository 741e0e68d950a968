#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# scripts/compare-stock confirms that the patches do not change the code of a kernel without
# CONFIG_LKST, and finds a patch that does. Uses the cached source.
# timeout: 600
# suite: all
# kernel: base
# builds: yes

. "$(dirname "$0")/host.sh"
series=${LKST_SERIES:-6.1}

fails "an unknown option is refused" any "$top/scripts/compare-stock" --all
refused "an unknown series is refused" any 'no source of Linux 2\.4' "$top/scripts/compare-stock" --series 2.4
fails "a file that no patch edits is refused" any "$top/scripts/compare-stock" kernel/fork.c
contains "the message names it" "$tap_output" 'no patch edits kernel/fork\.c'

result=$("$top/scripts/compare-stock" 2>"$work/err")
is "the code equals that of the stock kernel" $? 0
lacks "no file differs" "$result" DIFFERS
for file in kernel/kthread.c kernel/sched/wait.c arch/x86/include/asm/idtentry.h kernel/locking/spinlock.c; do
	contains "$file was compared" "$result" "^same +\+[0-9]+ +-[0-9]+  $file\$"
done
contains "a file that is not compiled is counted, too" "$result" '^no code +\+1 +-0  kernel/Makefile$'
is "there is a line for each file that the patches edit, and a summary" "$(wc -l <<<"$result")" \
	"$(($(cat "$top/patches/$series"/*.patch | grep '^+++ b/' | sort -u | wc -l) + 1))"
contains "the summary adds up the lines" "$result" ": existing files edited: $(($(wc -l <<<"$result") - 1)), lines added: [0-9]+,"
contains "progress is shown" "$(cat "$work/err")" 'compiling [0-9]+ objects'

# A copy of the checkout, in which a patch makes one call even without CONFIG_LKST
copy_checkout Kconfig scripts kernel include patches tests/configs
patch=$(grep -l 'LKST_HOOK_CALL(PROCESS_LTHREADGEN' "$work"/lkst/patches/"$series"/*.patch)
sed -i 's/LKST_HOOK_CALL(PROCESS_LTHREADGEN, \(.*\));$/\1;/' "$patch"
fails "different code is an error" 1 "$work/lkst/scripts/compare-stock" kernel/kthread.c kernel/sched/wait.c
contains "the file is named" "$tap_output" '^DIFFERS .* kernel/kthread\.c$'
contains "and the difference is shown" "$tap_output" '^ *> .*lkst_kthread'
contains "a file that has not changed is reported as the same" "$tap_output" '^same .* kernel/sched/wait\.c$'
lacks "no other file is compared" "$tap_output" 'traps\.c'
contains "the last line is a summary" "$tap_output" 'the code of 1 differs$'
done_testing
