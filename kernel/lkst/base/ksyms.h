/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Unexported symbols. LKST uses them directly if it is built in. A module looks
 * them up by name when it starts (ksyms.c). If a symbol is not found, the
 * module works without it.
 */
#ifndef _LKST_KSYMS_H
#define _LKST_KSYMS_H

#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/psi.h>
#include <linux/sched/stat.h>
#include <linux/stacktrace.h>
#include <linux/tracefs.h>
#include <linux/types.h>
#if (defined(CONFIG_X86) && defined(CONFIG_X86_64)) || defined(CONFIG_ARM64)
#define LKST_HAVE_SYS_CALL_TABLE
#include <asm/syscall.h>
#include <asm/unistd.h>
#endif

/*
 * A private header of mm/. It is included only for the name of a slab cache,
 * for which the kernel has no accessor.
 */
#ifndef MODULE
#include "../../mm/slab.h"
#endif

#include "compat.h"

struct dentry;
struct file_operations;
struct kmem_cache;
struct pt_regs;
struct task_struct;

/* For kallsyms_on_each_match_symbol(): count a symbol. */
static inline int lkst_count_symbol(void *num, unsigned long address)
{
	++*(unsigned int *)num;
	return 0;
}

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
#ifdef CONFIG_TRACING
struct dentry *lkst_tracefs_create(const char *name, umode_t mode,
				   const struct file_operations *fops);
void lkst_tracefs_remove(struct dentry *dentry);
#endif
bool lkst_function(const char *name, unsigned long *address, unsigned long *size);
unsigned int lkst_count_symbols(const char *name);
int lkst_nr_running(void);
int lkst_nr_iowait(void);
#ifdef CONFIG_PSI
const struct psi_group *lkst_psi_system(void);
#endif
#else
/* Whether the address is in the kernel's code. Context: any, NMI included. */
static inline bool lkst_is_text(unsigned long address)
{
	return __kernel_text_address(address);
}

/*
 * Store in @at the return addresses of the calls that led to @regs: at most
 * @max, innermost first, without the instruction pointer of @regs itself.
 * Returns the number stored. Context: any, NMI included.
 */
static inline unsigned int lkst_stack_of_regs(struct pt_regs *regs, unsigned long *at,
					      unsigned int max)
{
	return stack_trace_save_regs(regs, at, max, 1);
}

/*
 * Like lkst_stack_of_regs(), but for a sleeping task: store in @at the return
 * addresses that are on the task's stack.
 */
static inline unsigned int lkst_stack_of_task(struct task_struct *task, unsigned long *at,
					      unsigned int max)
{
	return stack_trace_save_tsk(task, at, max, 0);
}

/* Return the function of a native system call, or NULL if it is unknown. */
static inline const void *lkst_system_call(unsigned int number)
{
#ifdef LKST_HAVE_SYS_CALL_TABLE
	return number < NR_syscalls ? sys_call_table[number] : NULL;
#else
	return NULL;
#endif
}

/*
 * Find the address and the size of a function of the kernel, or of a module.
 * Returns whether the function was found.
 * Context: task. The caller may hold rcu_read_lock().
 */
static inline bool lkst_function(const char *name, unsigned long *address, unsigned long *size)
{
	unsigned long offset;

	if (!IS_ENABLED(CONFIG_KALLSYMS))
		return false;
	*address = kallsyms_lookup_name(name);
	return *address && kallsyms_lookup_size_offset(*address, size, &offset) && !offset;
}

/*
 * Return how many symbols of the kernel, without its modules, have this name; 0
 * if it is unknown. Context: task, may sleep.
 */
static inline unsigned int lkst_count_symbols(const char *name)
{
	unsigned int num = 0;

#if LKST_HAVE_MATCH_SYMBOL
	kallsyms_on_each_match_symbol(lkst_count_symbol, name, &num);
#endif
	return num;
}

/*
 * Return the number of threads that are running or waiting for a CPU, or -1 if
 * it is unknown. Context: any.
 */
static inline int lkst_nr_running(void)
{
	return nr_running();
}

/*
 * Return the number of threads that are waiting for I/O, or -1 if it is
 * unknown. Context: any.
 */
static inline int lkst_nr_iowait(void)
{
	return nr_iowait();
}

#ifdef CONFIG_PSI
/* Return the pressure of the whole system, or NULL if it is unknown. */
static inline const struct psi_group *lkst_psi_system(void)
{
	return &psi_system;
}
#endif

/* Return the name of a slab cache, or "" if it is unknown. */
static inline const char *lkst_cache_name(const struct kmem_cache *cache)
{
	return cache->name ?: "";
}

#ifdef CONFIG_TRACING
/*
 * Create a file in the root directory of tracefs. Returns NULL on error, for
 * example if the file exists.
 */
static inline struct dentry *lkst_tracefs_create(const char *name, umode_t mode,
						 const struct file_operations *fops)
{
	return tracefs_create_file(name, mode, NULL, NULL, fops);
}

static inline void lkst_tracefs_remove(struct dentry *dentry)
{
	tracefs_remove(dentry);
}
#endif
#endif

#endif
