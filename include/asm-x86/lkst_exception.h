/* SPDX-License-Identifier: GPL-2.0 */
/*
 * LKST trace points in the C bodies of x86 exceptions, where instrumentation is allowed.
 */
#ifndef _ASM_X86_LKST_EXCEPTION_H
#define _ASM_X86_LKST_EXCEPTION_H

#include <linux/lkst_hook.h>

struct pt_regs;

void lkst_exception_entry(const struct pt_regs *regs, int trapnr, unsigned long error_code,
			  unsigned long address);
void lkst_exception_exit(const struct pt_regs *regs, int trapnr, unsigned long error_code);

/*
 * @address: what tells more about it: CR2 of a page fault, DR6 of a debug exception; 0: nothing
 * does.
 */
#define LKST_EXCEPTION_ENTRY(regs, trapnr, error_code, address)				\
	LKST_HOOK_CALL(EXCEPTION_ENTRY,							\
		       lkst_exception_entry(regs, trapnr, error_code, address))
#define LKST_EXCEPTION_EXIT(regs, trapnr, error_code)					\
	LKST_HOOK_CALL(EXCEPTION_EXIT, lkst_exception_exit(regs, trapnr, error_code))

#endif
