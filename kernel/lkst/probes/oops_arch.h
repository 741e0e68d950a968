/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The architecture-specific part of recording an oops: registers and the trap
 * number.
 */
#ifndef _LKST_OOPS_ARCH_H
#define _LKST_OOPS_ARCH_H

#include <linux/kdebug.h>
#include <linux/kernel.h>
#include <linux/ptrace.h>
#include <linux/string.h>
#ifdef CONFIG_X86
#include <asm/asm.h>
#include <asm/irqflags.h>
#include <asm/msr.h>
#include <asm/segment.h>
#include <asm/special_insns.h>
#include <asm/trapnr.h>
#endif

#include "../base/compat.h"
#include "../dispatch/event.h"

#if defined(CONFIG_X86) && defined(CONFIG_X86_64)
/* Record registers. Tools rely on this order of the OOPS_REGS records. */
static inline void lkst_oops_regs(const struct pt_regs *regs)
{
	unsigned long gs;

	lkst_rdmsr(MSR_GS_BASE, gs);
	lkst_event_nopreempt(LKST_ETYPE_OOPS_REGS, regs->ip, regs->sp, regs->flags, regs->orig_ax);
	lkst_event_nopreempt(LKST_ETYPE_OOPS_REGS, regs->ax, regs->bx, regs->cx, regs->dx);
	lkst_event_nopreempt(LKST_ETYPE_OOPS_REGS, regs->si, regs->di, regs->bp, regs->r8);
	lkst_event_nopreempt(LKST_ETYPE_OOPS_REGS, regs->r9, regs->r10, regs->r11, regs->r12);
	lkst_event_nopreempt(LKST_ETYPE_OOPS_REGS, regs->r13, regs->r14, regs->r15,
			     LKST_ARG32(regs->cs, regs->ss));
	lkst_event_nopreempt(LKST_ETYPE_OOPS_REGS, read_cr2(), __read_cr3(), __read_cr4(), gs);
}

/*
 * Record the registers of this CPU for a panic that was raised at @caller. The
 * general registers have been reused since then, so they are recorded as 0.
 */
static inline void lkst_oops_regs_here(unsigned long caller)
{
	const struct pt_regs regs = {
		.orig_ax = -1,
		.ip = caller,
		.sp = current_stack_pointer,
		.flags = native_save_fl(),
		.cs = __KERNEL_CS,
		.ss = __KERNEL_DS,
	};

	lkst_oops_regs(&regs);
}
#else
static inline void lkst_oops_regs(const struct pt_regs *regs)
{
#ifdef CONFIG_HAVE_REGS_AND_STACK_ACCESS_API
	unsigned long sp = kernel_stack_pointer((struct pt_regs *)regs);
#else
	unsigned long sp = user_stack_pointer((struct pt_regs *)regs);
#endif

	lkst_event_nopreempt(LKST_ETYPE_OOPS_REGS, instruction_pointer((struct pt_regs *)regs), sp,
			     0, 0);
}

static inline void lkst_oops_regs_here(unsigned long caller)
{
	lkst_event_nopreempt(LKST_ETYPE_OOPS_REGS, caller,
			     (unsigned long)__builtin_frame_address(0), 0, 0);
}
#endif

#ifdef CONFIG_X86
/*
 * Trap numbers by the string that a caller passes to die(). These callers do
 * not store their trap number, so args->trapnr may be the number of an earlier
 * trap. Only a double fault always has the correct number in args->trapnr.
 */
static const struct {
	const char *str;
	int trap;
} lkst_oops_traps[] = {
	{ "Oops", X86_TRAP_PF },
	{ "stack guard page", X86_TRAP_PF },
	{ "int3", X86_TRAP_BP },
	{ "bounds", X86_TRAP_BR },
	{ "unexpected #NM exception", X86_TRAP_NM },
	{ "Split lock detected\n", X86_TRAP_AC },
};

static inline int lkst_oops_trap(const struct die_args *args)
{
	unsigned int i;

	if (args->trapnr != X86_TRAP_DF)
		for (i = 0; i < ARRAY_SIZE(lkst_oops_traps); i++)
			if (!strcmp(args->str, lkst_oops_traps[i].str))
				return lkst_oops_traps[i].trap;
	return args->trapnr;
}
#else
static inline int lkst_oops_trap(const struct die_args *args)
{
	return args->trapnr;
}
#endif

#endif
