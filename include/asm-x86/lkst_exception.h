/* SPDX-License-Identifier: GPL-2.0 */
/*
 * LKST hooks in the C bodies of x86 exception handlers, where instrumentation
 * is allowed.
 */
#ifndef _ASM_X86_LKST_EXCEPTION_H
#define _ASM_X86_LKST_EXCEPTION_H

#include <linux/lkst_hook.h>

struct pt_regs;

void lkst_exception_entry(const struct pt_regs *regs, int trapnr, unsigned long error_code,
			  unsigned long address);
void lkst_exception_exit(const struct pt_regs *regs, int trapnr, unsigned long error_code);

/*
 * @address is CR2 for a page fault, DR6 for a debug exception, and 0 for all
 * other exceptions.
 */
#define LKST_EXCEPTION_ENTRY(regs, trapnr, error_code, address)				\
	LKST_HOOK_CALL(EXCEPTION_ENTRY,							\
		       lkst_exception_entry(regs, trapnr, error_code, address))
#define LKST_EXCEPTION_EXIT(regs, trapnr, error_code)					\
	LKST_HOOK_CALL(EXCEPTION_EXIT, lkst_exception_exit(regs, trapnr, error_code))

#endif
