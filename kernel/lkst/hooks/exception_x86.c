// SPDX-License-Identifier: GPL-2.0
/*
 * Hooks for the events of class "exception" (0x020) on x86.
 */
#include <linux/percpu.h>
#include <asm/lkst_exception.h>
#include <asm/ptrace.h>
#include <asm/trapnr.h>

/*
 * Maximum depth of nested exceptions to record. If the recording code is broken
 * and causes an exception itself, that exception is recorded, but exceptions
 * caused by recording it are not. Otherwise the exceptions would never end, and
 * there would be no oops to show what is broken. An exception in an NMI that
 * interrupts the recording counts as nested, too.
 *
 * Only the CPU itself changes the count. Nested contexts restore it before they
 * return, so no atomic operations are needed.
 */
#define LKST_EXCEPTION_DEPTH	2

static DEFINE_PER_CPU(unsigned int, lkst_exception_depth);

static __always_inline void lkst_exception(int etype, const struct pt_regs *regs, int trapnr,
					   unsigned long error_code, unsigned long address)
{
	/*
	 * A TDX guest loses the data of a #VE if another #VE arrives before the
	 * kernel has fetched that data. Recording may cause another #VE,
	 * because an event handler may wake the daemon lkstlogd.
	 */
	if (trapnr == X86_TRAP_VE)
		return;
	if (this_cpu_inc_return(lkst_exception_depth) <= LKST_EXCEPTION_DEPTH)
		lkst_hook(etype, LKST_ARG32(trapnr, error_code), regs->ip, address, 0);
	this_cpu_dec(lkst_exception_depth);
}

/**
 * lkst_exception_entry() - record that the processor has raised an exception
 * @regs: registers of the interrupted code
 * @trapnr: trap number, X86_TRAP_
 * @error_code: error code of the processor, or 0
 * @address: see LKST_EXCEPTION_ENTRY()
 *
 * Context: exception handler, interrupts off.
 */
notrace void lkst_exception_entry(const struct pt_regs *regs, int trapnr, unsigned long error_code,
				  unsigned long address)
{
	lkst_exception(LKST_ETYPE_EXCEPTION_ENTRY, regs, trapnr, error_code, address);
}

/**
 * lkst_exception_exit() - record that the kernel has handled an exception
 * @regs: registers with which execution continues, at another instruction if
 *	the exception was fixed up
 * @trapnr: trap number, X86_TRAP_
 * @error_code: error code of the processor, or 0
 *
 * Context: exception handler, interrupts off.
 */
notrace void lkst_exception_exit(const struct pt_regs *regs, int trapnr, unsigned long error_code)
{
	lkst_exception(LKST_ETYPE_EXCEPTION_EXIT, regs, trapnr, error_code, 0);
}
