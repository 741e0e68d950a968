/* SPDX-License-Identifier: GPL-2.0 */
/*
 * LKST hooks in the path of system calls. They exist only if LKST is built in.
 * Otherwise, LKST uses the tracepoints of system calls. To call these, the
 * kernel leaves its fast path in each system call.
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
