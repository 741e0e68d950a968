/* SPDX-License-Identifier: GPL-2.0 */
/*
 * LKST: default definitions for all architectures. An architecture's asm/lkst.h
 * first defines the parts that it can implement better, and then includes this
 * file for the rest.
 */
#ifndef _ASM_GENERIC_LKST_H
#define _ASM_GENERIC_LKST_H

/*
 * LKST does not support an architecture that has NMIs but no NMI-safe cmpxchg.
 * Kconfig excludes such an architecture. The check here is for a module that is
 * built against an existing kernel, where Kconfig is not consulted.
 */
#if defined(CONFIG_HAVE_NMI) && !defined(CONFIG_ARCH_HAVE_NMI_SAFE_CMPXCHG)
#error LKST cannot record in NMIs of this architecture: no ARCH_HAVE_NMI_SAFE_CMPXCHG
#endif

/*
 * Increment *p and return its previous value.
 *
 * This function and the next one are atomic with respect to interrupts and NMIs
 * on this CPU. They are compiler barriers as well: an architecture's relaxed
 * operations may lack the "memory" clobber, so barrier() is needed on both
 * sides.
 */
#ifndef lkst_local_fetch_inc
static __always_inline unsigned long lkst_local_fetch_inc(unsigned long *p)
{
	unsigned long old;

	barrier();
	old = atomic_long_fetch_inc_relaxed((atomic_long_t *)p);
	barrier();
	return old;
}
#endif

/*
 * If *p equals *old, store @new in *p and return true; else return false. *old
 * receives the previous value of *p in either case.
 */
#ifndef lkst_local_try_cmpxchg
static __always_inline bool lkst_local_try_cmpxchg(unsigned long *p, unsigned long *old,
						   unsigned long new)
{
	unsigned long was;
	bool done;

	barrier();
	was = cmpxchg_local(p, *old, new);
	barrier();
	done = was == *old;
	*old = was;
	return done;
}
#endif

/*
 * Clear @bits in *p with release semantics: a CPU that observes the bits clear
 * also observes every store made before the call.
 */
#ifndef lkst_local_clear_release
static __always_inline void lkst_local_clear_release(unsigned long *p, unsigned long bits)
{
	atomic_long_fetch_andnot_release(bits, (atomic_long_t *)p);
}
#endif

#ifndef lkst_arch_arguments
static __always_inline void lkst_arch_arguments(unsigned long etype, u64 a1, u64 a2, u64 a3)
{
}
#endif

/*
 * Without a usable counter, records are stamped with CLOCK_MONOTONIC. The value
 * is never 0, because a record whose clock is 0 is not committed.
 */
#ifndef lkst_arch_counter
#define lkst_arch_counter()		(ktime_get_mono_fast_ns() ?: 1)
#define lkst_arch_counter_khz()		1000000
#define lkst_arch_counter_usable()	false
#define LKST_ARCH_CLOCK			LKST_CLOCK_NS
#endif

/*
 * Whether it is harmless to access a physical address that has no memory behind
 * it. A read then returns an arbitrary value. On some architectures such an
 * access can raise an abort that kills the kernel.
 */
#ifndef lkst_arch_may_probe
#define lkst_arch_may_probe()		false
#endif

/*
 * Return the KASLR offset in bytes: the distance from the link address of the
 * kernel text to @text, the address at which it begins at run time.
 */
#ifndef lkst_arch_kaslr_offset
static inline unsigned long lkst_arch_kaslr_offset(unsigned long text)
{
	return 0;
}
#endif

#endif
