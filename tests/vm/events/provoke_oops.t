#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Events of failures are recorded, and lkstbuf prints them: a hung task, CPUs that lock up, a
# machine check, a victim of the OOM killer, a WARN, and two oopses with registers and stack, after
# which the machine continues. This test does not share its boot with other tests, since it leaves
# the kernel damaged.
# kernel: base
# kernel-all: base debug
# append: lkst.buffer_size=512K
# log-allow: WARNING: .* warn\+.*\[provoke\]|NULL pointer dereference, address: 0000000000000018$|Oops: 0002 \[#1\]|Call [Tt]race:$|INFO: task provoke:|soft lockup - CPU#1 .*\[provoke:|Watchdog detected hard LOCKUP on cpu [0-9]+$|rcu: INFO: rcu_\w+ .*detected stall|divide error: 0000 \[#2\]|NULL pointer dereference at virtual address 0000000000000018$|Internal error: Oops: 0*9600004[4-7] \[#1\]|Internal error: Oops - Undefined instruction: 0*2000000 \[#2\]|INFO: lockdep is turned off

. "$(dirname "$0")/../tap.sh"

# provokes TEST...: check that each TEST of the program provoke succeeds
provokes() {
	for provoke; do
		ok "provokes: $provoke" ./provoke "$provoke"
	done
}

# prints EVENT ARGUMENTS: check that lkstbuf has printed a line with EVENT and ARGUMENTS, a regular
# expression
prints() { ok "prints: $1 $2" grep -qE " $1 +$2\$" /tmp/provoke.txt; }

own='\+0x[0-9a-f]+\[provoke\]' hex='0x[0-9a-f]+'

# LKST knows the names of exceptions and registers only on x86. Only x86 has machine checks.
page_fault='trap=0 error_code=0x9600004[4-7]' divide='trap=0 error_code=0x2000000' call=el0_svc
x86() { :; }
if [ "$(uname -m)" = x86_64 ]; then
	page_fault='trap=#PF error_code=0x2' divide='trap=#DE error_code=0x0' call=do_syscall_64
	x86() { "$@"; }
fi

provokes hung-task oom-kills
x86 provokes machine-checks
provokes warnings soft-lockup rcu-stall hard-lockup-printed
lkstbuf print >/tmp/provoke.txt
prints oops_lockup 'thread=\S+ kind=task'
prints oops_stack "at1=hang$own at2=provoke_write$own.*"
prints mem_oomkill 'thread=\S+'
x86 prints oops_mce 'bank=3 cpu=0 status=0x8c00000000000136 address=0x12345000 misc=0x8c'
prints oops_warn "detector=warning id=warn$own"
prints oops_stack "at1=.*provoke_write$own.*"
prints oops_lockup 'thread=\S+ kind=soft'
x86 prints oops_regs "ip=$hex\(spin_without_preemption$own\) sp=$hex flags=$hex orig_ax=$hex"
prints oops_stack "at1=.*provoke_write$own.*"
prints oops_lockup 'thread=\S+ kind=rcu'

provokes oops divide
lkstbuf print >/tmp/provoke.txt
prints oops_die "$page_fault ip=oops$own signal=SIGSEGV"
x86 prints oops_regs "ip=$hex\(oops$own\) sp=$hex flags=$hex orig_ax=0xffffffffffffffff"
x86 prints oops_regs "ax=0xaaaa00aa bx=$hex cx=0xcccc00cc dx=$hex"
x86 prints oops_regs "r9=$hex r10=$hex r11=0x11110011 r12=0x12120012"
x86 prints oops_regs "r13=0x13130013 r14=0x14140014 r15=$hex cs:ss=0x10:0x18"
x86 prints oops_regs "cr2=0x18 cr3=$hex cr4=$hex gs_base=$hex"
prints oops_stack "at1=.*provoke_write$own.*"
prints oops_stack ".*=$call\+.*"
prints lkst_kernel_dump 'reason=Oops'
prints oops_die "$divide ip=divide(\\+$hex)?\\[provoke\\] signal=SIGSEGV"

ok 'the machine continues to work' ./provoke vmalloc
done_testing
