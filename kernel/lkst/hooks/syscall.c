// SPDX-License-Identifier: GPL-2.0
/*
 * Events of the class system calls (0x030).
 */
#include <asm/syscall.h>
#include <trace/events/syscalls.h>

#include "../event.h"
#include "../source.h"

/* The third column of the table of formats in linux/lkst_etypes.h. */
enum lkst_abi {
	LKST_ABI_NATIVE,
	LKST_ABI_IA32,
	LKST_ABI_X32,
};

static __always_inline u32 lkst_abi(long number)
{
#ifdef CONFIG_X86_X32_ABI
	if (number & __X32_SYSCALL_BIT)
		return LKST_ABI_X32;
#endif
#ifdef CONFIG_IA32_EMULATION
	if (in_ia32_syscall())
		return LKST_ABI_IA32;
#endif
	return LKST_ABI_NATIVE;
}

static void lkst_probe_sys_enter(void *data, struct pt_regs *regs, long number)
{
	unsigned long args[6];

	syscall_get_arguments(current, regs, args);
	lkst_event(LKST_ETYPE_SYSCALL_ENTRY, LKST_ARG32(number, lkst_abi(number)), args[0],
		   args[1], args[2]);
}

static void lkst_probe_sys_exit(void *data, struct pt_regs *regs, long ret)
{
	long number = syscall_get_nr(current, regs);

	lkst_event(LKST_ETYPE_SYSCALL_EXIT, LKST_ARG32(number, lkst_abi(number)), ret, 0, 0);
}

/* The kernel marks the processes there are, and each of them its children. */
struct lkst_source lkst_sources_syscall[] = {
	LKST_SOURCE_LATE(sys_enter, lkst_probe_sys_enter, LKST_ETYPE_SYSCALL_ENTRY),
	LKST_SOURCE_LATE(sys_exit, lkst_probe_sys_exit, LKST_ETYPE_SYSCALL_EXIT),
	{}
};
