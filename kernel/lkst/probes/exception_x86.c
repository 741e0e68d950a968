// SPDX-License-Identifier: GPL-2.0
/*
 * Probes for the events of class "exception" (0x020) on x86.
 */
#include <asm/ptrace.h>

#include "../base/compat.h"
#include "../dispatch/event.h"
#include "../source/source.h"

#include LKST_PAGE_FAULT_TRACEPOINTS

static __always_inline void lkst_page_fault(unsigned long address, const struct pt_regs *regs,
					    unsigned long error_code, bool user)
{
	lkst_event(LKST_ETYPE_EXCEPTION_PGFAULT, address, regs->ip, LKST_ARG32(error_code, user),
		   0);
}

static void lkst_probe_page_fault_user(void *data, unsigned long address, struct pt_regs *regs,
				       unsigned long error_code)
{
	lkst_page_fault(address, regs, error_code, true);
}

static void lkst_probe_page_fault_kernel(void *data, unsigned long address, struct pt_regs *regs,
					 unsigned long error_code)
{
	lkst_page_fault(address, regs, error_code, false);
}

struct lkst_source lkst_sources_exception_x86[] = {
	LKST_SOURCE_HOOK(LKST_ETYPE_EXCEPTION_ENTRY, LKST_ETYPE_EXCEPTION_EXIT),
	LKST_SOURCE(page_fault_user, lkst_probe_page_fault_user, LKST_ETYPE_EXCEPTION_PGFAULT),
	LKST_SOURCE(page_fault_kernel, lkst_probe_page_fault_kernel,
		    LKST_ETYPE_EXCEPTION_PGFAULT),
	{}
};
