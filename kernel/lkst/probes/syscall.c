// SPDX-License-Identifier: GPL-2.0
/*
 * Probes for the events of class "syscall" (0x030).
 */
#include <linux/lkst_syscall.h>
#include <trace/events/syscalls.h>

#include "../dispatch/event.h"
#include "../dispatch/event_fast.h"
#include "../source/source.h"
#include "syscall_abi.h"

static noinline notrace __cold void lkst_sys_enter_foreign(struct pt_regs *regs, u64 call)
{
	unsigned long args[6];

	syscall_get_arguments(current, regs, args);
	lkst_event_inline(LKST_ETYPE_SYSCALL_ENTRY, call, args[0], args[1], args[2]);
}

static noinline notrace __cold void lkst_sys_exit_foreign(u64 call, long ret)
{
	lkst_event_inline(LKST_ETYPE_SYSCALL_EXIT, call, ret, 0, 0);
}

/* Return argument @n of a native call: 0, 1 or 2. */
static __always_inline unsigned long lkst_native_argument(struct pt_regs *regs, unsigned int n)
{
#if defined(CONFIG_X86) && defined(CONFIG_X86_64) /* not User Mode Linux */
	/* Avoid an array: CONFIG_INIT_STACK_ALL_ZERO would clear it first. */
	return n == 0 ? regs->di : n == 1 ? regs->si : regs->dx;
#else
	unsigned long args[6];

	syscall_get_arguments(current, regs, args);
	return args[n];
#endif
}

/*
 * The next two functions inline the fast path, because their events are the
 * most frequent ones.
 */

static __always_inline void lkst_record_entry(struct pt_regs *regs, long number)
{
	enum lkst_abi abi = lkst_abi(number);

	if (unlikely(abi != LKST_ABI_NATIVE))
		lkst_sys_enter_foreign(regs, LKST_ARG32(number, abi));
	else
		lkst_event_inline(LKST_ETYPE_SYSCALL_ENTRY, LKST_ARG32(number, LKST_ABI_NATIVE),
				  lkst_native_argument(regs, 0), lkst_native_argument(regs, 1),
				  lkst_native_argument(regs, 2));
}

static __always_inline void lkst_record_exit(struct pt_regs *regs, long ret)
{
	long number = syscall_get_nr(current, regs);
	enum lkst_abi abi = lkst_abi(number);

	if (unlikely(abi != LKST_ABI_NATIVE))
		lkst_sys_exit_foreign(LKST_ARG32(number, abi), ret);
	else
		lkst_event_inline(LKST_ETYPE_SYSCALL_EXIT, LKST_ARG32(number, LKST_ABI_NATIVE),
				  ret, 0, 0);
}

#ifdef CONFIG_LKST_SYSCALL_HOOKS
/**
 * lkst_syscall_entry() - record that a system call begins; called by the hook
 * @regs: registers of the program
 * @number: number of the call
 *
 * Context: a thread, with interrupts and preemption on.
 */
notrace void lkst_syscall_entry(struct pt_regs *regs, long number)
{
	lkst_event_disable();
	lkst_record_entry(regs, number);
	lkst_event_enable();
}

/**
 * lkst_syscall_exit() - record that a system call has ended; called by the hook
 * @regs: registers of the program
 *
 * Context: as for lkst_syscall_entry().
 */
notrace void lkst_syscall_exit(struct pt_regs *regs)
{
	lkst_event_disable();
	lkst_record_exit(regs, syscall_get_return_value(current, regs));
	lkst_event_enable();
}

struct lkst_source lkst_sources_syscall[] = {
	LKST_SOURCE_HOOK_AT(sys_enter, LKST_ETYPE_SYSCALL_ENTRY),
	LKST_SOURCE_HOOK_AT(sys_exit, LKST_ETYPE_SYSCALL_EXIT),
	{}
};
#else
static void lkst_probe_sys_enter(void *data, struct pt_regs *regs, long number)
{
	lkst_record_entry(regs, number);
}

static void lkst_probe_sys_exit(void *data, struct pt_regs *regs, long ret)
{
	lkst_record_exit(regs, ret);
}

/*
 * These are late sources: when the first probe is attached, the kernel marks
 * all existing threads for system call tracing, and later threads inherit the
 * mark. So threads must exist by then.
 */
struct lkst_source lkst_sources_syscall[] = {
	LKST_SOURCE_LATE(sys_enter, lkst_probe_sys_enter, LKST_ETYPE_SYSCALL_ENTRY),
	LKST_SOURCE_LATE(sys_exit, lkst_probe_sys_exit, LKST_ETYPE_SYSCALL_EXIT),
	{}
};
#endif
