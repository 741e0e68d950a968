#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# The kernel panics: the message, the registers and the stack are recorded before anything else is done about
# it. An event handler shows them on the serial line. Then the newest events are shown, and nothing more is recorded,
# unless the parameters say otherwise.
# kernel: base
# modules: yes
# form: builtin module headers stock

set -u
. "$(dirname "$0")/../tap.sh"
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. "$(dirname "$0")/kernel.sh"
modules_of base
mkdir "$work/share"
cp "$modules/panic.ko" "$top/tests/vm/form.sh" "$work/share/"
share_lkst "$work/share"

# Where LKST is a module
load='. /share/form.sh; [ ! -f /share/lkst.ko ] || load_lkst'

# vm NAME COMMANDS [OPTION...]: what panics; its messages are in NAME.log, its memory in NAME.memory
vm() {
	local name=$work/$1 commands=$2
	shift 2
	run_vm --take-turns --kernel "$image" --share "$work/share" --log "$name.log" \
		--memory "$name.memory" "$@" -- sh -ec "$load; $commands" >"$name.out" 2>&1
}

# recorded NAME EVENT: those in that memory
recorded() { "$top/tools/lkst/lkstbuf" print -f "$work/$1.memory" -e "$2" 2>&1 | grep " $2 "; }

# shellcheck disable=SC2016 # what is in quotes is for the shell inside
vm default '
	insmod /share/panic.ko
	lkstm read -m 2 | lkstm write -n panic
	lkstm config -n panic oops_panic,oops_regs,oops_stack show_panic
	lkstm set -n panic
	echo 1 >/sys/module/panic/parameters/now'
log=$(tr -d '\r' <"$work/default.log")
before=$(sed '/Kernel panic - not syncing/q' <<<"$log")

contains 'it panics' "$log" 'Kernel panic - not syncing: panic-test number 42, and more than fits'
contains 'the message, as much as fits' "$before" 'panic-test: message \[panic-test number 42, and more t\]'
contains 'the instruction that called panic()' "$before" 'panic-test: regs panic_inner\+0x[0-9a-f]+/0x[0-9a-f]+ \[panic\]'
is 'the registers are six records' "$(grep -c 'panic-test: regs' <<<"$before")" 6
contains 'who called it' "$before" 'panic-test: stack .*panic_now\+0x[0-9a-f]+/0x[0-9a-f]+ \[panic\]'
contains 'up to the system call' "$before" 'panic-test: stack .*entry_SYSCALL_64_after_hwframe'
contains 'the newest events come on the console' "$(sed '1,/Kernel panic - not syncing/d' <<<"$log")" \
	'lkst: [0-9]+ newest events, at most 20 of each CPU'
contains 'to the end' "$log" 'lkst: end of events$'
contains 'what came before is recorded' "$(recorded default system_call_entry)" 'number=write'
is 'what comes after it is not' "$(recorded default lkst_kernel_dump)" ''

vm other 'lkstm set -n default; echo c >/proc/sysrq-trigger' --append 'lkst.panic_stop=0 lkst.dump=0'
log=$(tr -d '\r' <"$work/other.log")
contains 'the kernel panics' "$log" 'Kernel panic - not syncing: sysrq triggered crash'
is 'lkst.dump=0: no events are shown' "$(grep -c 'newest events' <<<"$log")" 0
contains 'the panic is recorded' "$(recorded other oops_panic)" 'message="sysrq triggered crash'
contains 'lkst.panic_stop=0: and what comes after it' "$(recorded other lkst_kernel_dump)" 'reason=Panic'
done_testing
