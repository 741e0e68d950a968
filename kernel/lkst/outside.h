/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the kernel does not export. LKST in the kernel has it at hand; a module looks for it by name
 * when it comes up (outside.c), and does without what it does not find.
 */
#ifndef _LKST_KSYMS_H
#define _LKST_KSYMS_H

#include <linux/kernel.h>
#include <linux/stacktrace.h>
#include <linux/types.h>
#if (defined(CONFIG_X86) && defined(CONFIG_X86_64)) || defined(CONFIG_ARM64)
#define LKST_HAVE_SYS_CALL_TABLE
#include <asm/syscall.h>
#include <asm/unistd.h>
#endif

#ifndef MODULE
#include "../../mm/slab.h"
#endif

struct kmem_cache;
struct pt_regs;
struct task_struct;

#ifdef MODULE
void lkst_ksyms_init(void);
unsigned long lkst_symbol(const char *name);

bool lkst_is_text(unsigned long address);
unsigned int lkst_stack_of_regs(struct pt_regs *regs, unsigned long *at, unsigned int max);
unsigned int lkst_stack_of_task(struct task_struct *task, unsigned long *at, unsigned int max);
const void *lkst_system_call(unsigned int number);
const char *lkst_cache_name(const struct kmem_cache *cache);
bool lkst_has_late_vfree(void);
bool lkst_is_late_vfree(void);
unsigned long lkst_panic_caller(void);
#else
/* Whether there is code of the kernel. Context: any, NMI included. */
static inline bool lkst_is_text(unsigned long address)
{
	return __kernel_text_address(address);
}

/*
 * Where the calls return to that led to @regs, innermost first, without the place of @regs itself;
 * at most @max, at @at. Returns how many. Context: any, NMI included.
 */
static inline unsigned int lkst_stack_of_regs(struct pt_regs *regs, unsigned long *at,
					      unsigned int max)
{
	return stack_trace_save_regs(regs, at, max, 1);
}

/* Likewise, that led to where @task sleeps. */
static inline unsigned int lkst_stack_of_task(struct task_struct *task, unsigned long *at,
					      unsigned int max)
{
	return stack_trace_save_tsk(task, at, max, 0);
}

/* The function of a system call of the native ABI; NULL: not known. */
static inline const void *lkst_system_call(unsigned int number)
{
#ifdef LKST_HAVE_SYS_CALL_TABLE
	return number < NR_syscalls ? sys_call_table[number] : NULL;
#else
	return NULL;
#endif
}

/* What a cache of objects is called; "": not known. */
static inline const char *lkst_cache_name(const struct kmem_cache *cache)
{
	return cache->name ?: "";
}
#endif

#endif
