#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# When the kernel panics, LKST first records the message, the registers and the stack. An event
# handler prints them on the serial line. Then LKST prints the newest events and stops recording,
# unless parameters of LKST turn that off.
# kernel: base
# modules: yes
# form: builtin module headers stock

. "$(dirname "$0")/host.sh"
. "$(dirname "$0")/kernel.sh"
modules_of base
make_share "$modules/panic.ko"

# The commands in the VM that load LKST if it is a module.
load='. /share/form.sh; [ ! -f /share/lkst.ko ] || load_lkst'

# vm NAME COMMANDS [OPTION...]: run commands that cause a panic in a VM. Writes the kernel messages
# to NAME.log, and the memory to NAME.memory.
vm() {
	local name=$work/$1 commands=$2
	shift 2
	run_vm --take-turns --kernel "$image" --share "$share" --log "$name.log" \
		--memory "$name.memory" "$@" -- sh -ec "$load; $commands" >"$name.out" 2>&1
}

# recorded NAME EVENT: print the events of type EVENT in the memory of the VM NAME
recorded() { "$top/build/bin/lkstbuf" print -f "$work/$1.memory" -e "$2" 2>&1 | grep " $2 "; }

# shellcheck disable=SC2016 # the shell in the VM expands it
vm default '
	insmod /share/panic.ko
	lkstm read -m 2 | lkstm write -n panic
	lkstm config -n panic oops_panic,oops_regs,oops_stack show_panic
	lkstm set -n panic
	echo 1 >/sys/module/panic/parameters/now'
log=$(tr -d '\r' <"$work/default.log")
before=$(sed '/Kernel panic - not syncing/q' <<<"$log")

contains 'the kernel panics' "$log" 'Kernel panic - not syncing: panic-test number 42, and more than fits'
contains 'the message is recorded, as much as fits' "$before" 'panic-test: message \[panic-test number 42, and more t\]'
contains 'the instruction that called panic() is recorded' "$before" 'panic-test: regs panic_inner\+0x[0-9a-f]+/0x[0-9a-f]+ \[panic\]'
is 'the registers take six records' "$(grep -c 'panic-test: regs' <<<"$before")" 6
contains 'the stack has the caller' "$before" 'panic-test: stack .*panic_now\+0x[0-9a-f]+/0x[0-9a-f]+ \[panic\]'
contains 'the stack goes back to the system call' "$before" 'panic-test: stack .*entry_SYSCALL_64_after_hwframe'
contains 'the newest events are shown on the console' "$(sed '1,/Kernel panic - not syncing/d' <<<"$log")" \
	'lkst: [0-9]+ newest events, at most 20 of each CPU'
contains 'the list of events is complete' "$log" 'lkst: end of events$'
contains 'events before the panic are recorded' "$(recorded default system_call_entry)" 'number=write'
why_agrees 'the memory' "$work/default.memory"
is 'events after the panic are not recorded' "$(recorded default lkst_kernel_dump)" ''

vm other 'lkstm set -n default; echo c >/proc/sysrq-trigger' --append 'lkst.panic_stop=0 lkst.dump=0'
log=$(tr -d '\r' <"$work/other.log")
contains 'the kernel panics' "$log" 'Kernel panic - not syncing: sysrq triggered crash'
is 'lkst.dump=0: no events are shown' "$(grep -c 'newest events' <<<"$log")" 0
contains 'the panic is recorded' "$(recorded other oops_panic)" 'message="sysrq triggered crash'
why_agrees 'lkst.panic_stop=0: the memory' "$work/other.memory"
contains 'lkst.panic_stop=0: events after the panic are recorded' "$(recorded other lkst_kernel_dump)" 'reason=Panic'
done_testing
