/* SPDX-License-Identifier: GPL-2.0 */
/*
 * LKST on x86: the clock, and the local operations of the record path.
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

/* Whether *p was *old, and is @new now; *old is what it was. */
static __always_inline bool lkst_local_try_cmpxchg(unsigned long *p, unsigned long *old,
						   unsigned long new)
{
	bool done;

	asm volatile("cmpxchg %3, %1"
		     : "=@ccz" (done), "+m" (*p), "+a" (*old) : "r" (new) : "memory");
	return done;
}

#define lkst_local_try_cmpxchg lkst_local_try_cmpxchg

/* What was stored before is seen by whoever sees the bits cleared. */
static __always_inline void lkst_local_clear_release(unsigned long *p, unsigned long bits)
{
#if BITS_PER_LONG == 64
	asm volatile("andq %1, %0" : "+m" (*p) : "er" (~bits) : "memory", "cc");
#else
	asm volatile("andl %1, %0" : "+m" (*p) : "er" (~bits) : "memory", "cc");
#endif
}

#define lkst_local_clear_release lkst_local_clear_release

/*
 * The arguments of an event stay in the registers that a function gets them in until they
 * are stored. This is no instruction: left to itself, gcc makes room for other things by moving
 * three of them.
 */
#ifdef __x86_64__
#define lkst_arch_arguments(etype, a1, a2, a3)						\
	asm volatile("" : : "D" (etype), "S" (a1), "d" (a2), "c" (a3))
#endif

#ifdef CONFIG_X86
#include <asm/cpufeature.h>
#include <asm/setup.h>
#include <asm/tsc.h>

/*
 * Not serialised: the recid keeps the order within a CPU. 32-bit machines may have none,
 * and are never asked for it. One more than it says: a record's clock is never 0.
 */
static __always_inline u64 lkst_arch_counter(void)
{
	unsigned long low, high;

	asm volatile("rdtsc" : "=a" (low), "=d" (high));
	return 1ULL + low + ((u64)high << 32);
}

#define lkst_arch_counter lkst_arch_counter
#define lkst_arch_counter_khz()		tsc_khz
#define lkst_arch_counter_usable()	(boot_cpu_has(X86_FEATURE_TSC) && !check_tsc_unstable())
#define LKST_ARCH_CLOCK			LKST_CLOCK_TSC

#define lkst_arch_may_probe()		true
#define lkst_arch_kaslr_offset(text)	((text) ? (text) - __START_KERNEL : 0)
#endif

#include <asm-generic/lkst.h>

#endif
