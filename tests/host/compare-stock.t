#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# scripts/compare-stock: the patches leave the code of a kernel without CONFIG_LKST alone, and one that does not
# is found out. Uses the cached source.
# timeout: 600
# suite: all
# kernel: base
# builds: yes

set -u
. "$(dirname "$0")/../tap.sh"
top=$(cd "$(dirname "$0")/../.." && pwd)
series=${LKST_SERIES:-6.1}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

ok "--help" "$top/scripts/compare-stock" --help
fails "an unknown option is refused" any "$top/scripts/compare-stock" --all
fails "an unknown series is refused" any "$top/scripts/compare-stock" --series 2.4
contains "the message says so" "$tap_output" 'no source of Linux 2\.4'
fails "a file that no patch edits is refused" any "$top/scripts/compare-stock" kernel/fork.c
contains "with its name" "$tap_output" 'no patch edits kernel/fork\.c'

result=$("$top/scripts/compare-stock" 2>"$work/err")
is "the code is the stock kernel's" $? 0
lacks "in each file" "$result" DIFFERS
for file in kernel/kthread.c kernel/sched/wait.c arch/x86/include/asm/idtentry.h kernel/locking/spinlock.c; do
	contains "$file was compared" "$result" "^same +\+[0-9]+ +-[0-9]+  $file\$"
done
contains "what is not compiled is counted, too" "$result" '^no code +\+1 +-0  kernel/Makefile$'
is "a line for each file that the patches edit, and one more" "$(wc -l <<<"$result")" \
	"$(($(cat "$top/patches/$series"/*.patch | grep '^+++ b/' | sort -u | wc -l) + 1))"
contains "the lines are summed up" "$result" ": existing files edited: $(($(wc -l <<<"$result") - 1)), lines added: [0-9]+,"
contains "and how far it was could be seen" "$(cat "$work/err")" 'compiling [0-9]+ objects'

# A checkout in which one trace point forgets to ask whether it is on
mkdir "$work/lkst" "$work/lkst/tests"
cp -a "$top/scripts" "$top/kernel" "$top/include" "$top/patches" "$work/lkst/"
cp -a "$top/tests/configs" "$work/lkst/tests/"
patch=$(grep -l 'LKST_HOOK_CALL(PROCESS_LTHREADGEN' "$work"/lkst/patches/"$series"/*.patch)
sed -i 's/LKST_HOOK_CALL(PROCESS_LTHREADGEN, \(.*\));$/\1;/' "$patch"
fails "code that differs is an error" 1 "$work/lkst/scripts/compare-stock" kernel/kthread.c kernel/sched/wait.c
contains "the file is named" "$tap_output" '^DIFFERS .* kernel/kthread\.c$'
contains "and the difference shown" "$tap_output" '^ *> .*lkst_kthread'
contains "a file that is as it was stays so" "$tap_output" '^same .* kernel/sched/wait\.c$'
lacks "nothing else was compared" "$tap_output" 'traps\.c'
contains "and the end sums up" "$tap_output" 'the code of 1 differs$'
done_testing
