/* SPDX-License-Identifier: GPL-2.0 */
/*
 * LKST on x86: the clock, and the CPU-local operations of the record path.
 *
 * User Mode Linux uses the headers of x86, and user programs include this file
 * through record.h. Both get the CPU-local operations, which are unprivileged
 * instructions. Only a kernel for x86 itself gets the clock.
 */
#ifndef _ASM_X86_LKST_H
#define _ASM_X86_LKST_H

/*
 * Increment *p and return its previous value.
 *
 * This function and the next one are atomic with respect to interrupts and NMIs
 * on this CPU, but not with respect to other CPUs: each is one instruction
 * without the lock prefix. The "memory" clobber keeps the compiler from moving
 * other accesses across it.
 */
static __always_inline unsigned long lkst_local_fetch_inc(unsigned long *p)
{
	unsigned long old = 1;

	asm volatile("xadd %0, %1" : "+r" (old), "+m" (*p) : : "memory", "cc");
	return old;
}

#define lkst_local_fetch_inc lkst_local_fetch_inc

/*
 * If *p equals *old, store @new in *p and return true; else return false. *old
 * receives the previous value of *p in either case.
 */
static __always_inline bool lkst_local_try_cmpxchg(unsigned long *p, unsigned long *old,
						   unsigned long new)
{
	bool done;

	asm volatile("cmpxchg %3, %1"
		     : "=@ccz" (done), "+m" (*p), "+a" (*old) : "r" (new) : "memory");
	return done;
}

#define lkst_local_try_cmpxchg lkst_local_try_cmpxchg

/*
 * Clear @bits in *p with release semantics: a CPU that observes the bits clear
 * also observes every store made before the call. On x86 any store is a
 * release.
 */
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
 * Keep the event's arguments in the registers in which the function received
 * them until they are stored. This emits no instruction. Without this, gcc
 * moves three of the arguments to other registers, because it uses their
 * original registers for other values.
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
 * Return the TSC plus 1, because a record's clock must not be 0.
 *
 * rdtsc need not be serialized: within a CPU, the recid gives the order of
 * records. Some 32-bit CPUs have no TSC; lkst_arch_counter_usable() is false
 * there, and this function is not called.
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
