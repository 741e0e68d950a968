/* SPDX-License-Identifier: GPL-2.0 */
/*
 * LKST hooks in the path of system calls. They exist only if LKST is built in
 * and the architecture uses the generic entry code. Otherwise, LKST uses the
 * tracepoints of system calls. While a probe is attached to one of these, each
 * system call takes the kernel's slow path.
 */
#ifndef _LINUX_LKST_SYSCALL_H
#define _LINUX_LKST_SYSCALL_H

#include <linux/lkst_hook.h>

#ifdef CONFIG_LKST_SYSCALL_HOOKS
void lkst_syscall_entry(struct pt_regs *regs, long number);
void lkst_syscall_exit(struct pt_regs *regs);

#define LKST_SYSCALL_ENTRY(regs, number)						\
	LKST_HOOK_CALL(SYSCALL_ENTRY, lkst_syscall_entry(regs, number))
#define LKST_SYSCALL_EXIT(regs)								\
	LKST_HOOK_CALL(SYSCALL_EXIT, lkst_syscall_exit(regs))
#else
#define LKST_SYSCALL_ENTRY(regs, number)	do { } while (0)
#define LKST_SYSCALL_EXIT(regs)			do { } while (0)
#endif

#endif
