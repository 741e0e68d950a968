// SPDX-License-Identifier: GPL-2.0
/*
 * Trace points of the class exceptions (0x020) of x86.
 */
#include <linux/percpu.h>
#include <asm/lkst_exception.h>
#include <asm/ptrace.h>
#include <asm/trapnr.h>

/*
 * If what records is broken and causes an exception itself, that one is recorded, too, but not what
 * comes of recording it: there would be no end, and no oops that says what is broken. An exception
 * in an NMI in between counts like it. Changed only by the CPU itself, in nesting contexts that
 * leave it as they found it.
 */
#define LKST_EXCEPTION_DEPTH	2

static DEFINE_PER_CPU(unsigned int, lkst_exception_depth);

static __always_inline void lkst_exception(int etype, const struct pt_regs *regs, int trapnr,
					   unsigned long error_code, unsigned long address)
{
	/*
	 * What a #VE of a TDX guest is about is lost if another one comes before the kernel has
	 * asked, and recording can end in such an access: an event handler may wake the daemon.
	 */
	if (trapnr == X86_TRAP_VE)
		return;
	if (this_cpu_inc_return(lkst_exception_depth) <= LKST_EXCEPTION_DEPTH)
		lkst_hook(etype, LKST_ARG32(trapnr, error_code), regs->ip, address, 0);
	this_cpu_dec(lkst_exception_depth);
}

/**
 * lkst_exception_entry() - the processor has raised an exception
 * @regs: where
 * @trapnr: which one, X86_TRAP_
 * @error_code: of the processor, or 0
 * @address: see LKST_EXCEPTION_ENTRY()
 *
 * Context: of an exception, interrupts off.
 */
notrace void lkst_exception_entry(const struct pt_regs *regs, int trapnr, unsigned long error_code,
				  unsigned long address)
{
	lkst_exception(LKST_ETYPE_EXCEPTION_ENTRY, regs, trapnr, error_code, address);
}

/**
 * lkst_exception_exit() - the kernel has handled an exception
 * @regs: where it goes on, which is elsewhere if it was fixed up
 * @trapnr: as at its entry
 * @error_code: likewise
 *
 * Context: of an exception, interrupts off.
 */
notrace void lkst_exception_exit(const struct pt_regs *regs, int trapnr, unsigned long error_code)
{
	lkst_exception(LKST_ETYPE_EXCEPTION_EXIT, regs, trapnr, error_code, 0);
}
