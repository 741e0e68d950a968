/* SPDX-License-Identifier: GPL-2.0 */
/*
 * LKST on x86: the clock, and the two local operations of the record path.
 *
 * User Mode Linux, which borrows headers from x86, finds this file too, and record.h in
 * user space includes it. They get the local operations, which are plain
 * instructions, and not the clock.
 */
#ifndef _ASM_X86_LKST_H
#define _ASM_X86_LKST_H

/*
 * Atomic against whatever interrupts this CPU, NMIs included, and not against other
 * CPUs: one instruction without the lock prefix. The compiler may move other memory
 * accesses across neither.
 */
static __always_inline unsigned long lkst_local_fetch_inc(unsigned long *p)
{
	unsigned long old = 1;

	asm volatile("xadd %0, %1" : "+r" (old), "+m" (*p) : : "memory", "cc");
	return old;
}

#define lkst_local_fetch_inc lkst_local_fetch_inc

static __always_inline unsigned long lkst_local_cmpxchg(unsigned long *p, unsigned long old,
							unsigned long new)
{
	unsigned long was;

	asm volatile("cmpxchg %2, %1"
		     : "=a" (was), "+m" (*p) : "r" (new), "0" (old) : "memory", "cc");
	return was;
}

#define lkst_local_cmpxchg lkst_local_cmpxchg

#ifdef CONFIG_X86
#include <asm/cpufeature.h>
#include <asm/setup.h>
#include <asm/tsc.h>

/*
 * Not serialised: the recid keeps the order within a CPU. 32-bit machines may have none,
 * and are never asked for it.
 */
#define lkst_arch_counter()		rdtsc()
#define lkst_arch_counter_khz()		tsc_khz
#define lkst_arch_counter_usable()	(boot_cpu_has(X86_FEATURE_TSC) && !check_tsc_unstable())
#define LKST_ARCH_CLOCK			LKST_CLOCK_TSC

#define lkst_arch_kaslr_offset()	kaslr_offset()
#endif

#include <asm-generic/lkst.h>

#endif
