/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The ABI of a system call.
 */
#ifndef _LKST_SYSCALL_ABI_H
#define _LKST_SYSCALL_ABI_H

#include <linux/compat.h>
#include <asm/syscall.h>
#include <asm/unistd.h>

/* The values of the format "abi", see linux/lkst_etypes.h. */
enum lkst_abi {
	LKST_ABI_NATIVE,
	LKST_ABI_IA32,
	LKST_ABI_X32,
	LKST_ABI_COMPAT,
};

static __always_inline u32 lkst_abi(long number)
{
#ifdef CONFIG_X86_X32_ABI
	/*
	 * The number is -1 if there was no system call, for instance after
	 * sigreturn(). The bit is also set in -1, so exclude negative numbers.
	 */
	if (number > 0 && number & __X32_SYSCALL_BIT)
		return LKST_ABI_X32;
#endif
#ifdef CONFIG_IA32_EMULATION
	if (in_ia32_syscall())
		return LKST_ABI_IA32;
#elif defined(CONFIG_COMPAT) && !defined(CONFIG_X86)
	if (in_compat_syscall())
		return LKST_ABI_COMPAT;
#endif
	return LKST_ABI_NATIVE;
}

#endif
