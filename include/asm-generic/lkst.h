/* SPDX-License-Identifier: GPL-2.0 */
/*
 * LKST: what an architecture gets that brings nothing of its own. Everything here
 * can be overridden by asm/lkst.h, which includes this file at its end.
 */
#ifndef _ASM_GENERIC_LKST_H
#define _ASM_GENERIC_LKST_H

/* Kconfig refuses it; a module for a kernel that is there already comes this far. */
#if defined(CONFIG_HAVE_NMI) && !defined(CONFIG_ARCH_HAVE_NMI_SAFE_CMPXCHG)
#error LKST cannot record in NMIs of this architecture: no ARCH_HAVE_NMI_SAFE_CMPXCHG
#endif

/*
 * Atomic against whatever interrupts this CPU, NMIs included. The compiler may move other
 * memory accesses across neither: an architecture's relaxed operations need not say so.
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

/* Whether *p was *old, and is @new now; *old is what it was. */
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

/* What was stored before is seen by whoever sees the bits cleared. */
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

/* Without a counter of its own, an architecture's records carry CLOCK_MONOTONIC. */
#ifndef lkst_arch_counter
/* Never 0, as a record's clock must not be. */
#define lkst_arch_counter()		(ktime_get_mono_fast_ns() ?: 1)
#define lkst_arch_counter_khz()		1000000
#define lkst_arch_counter_usable()	false
#define LKST_ARCH_CLOCK			LKST_CLOCK_NS
#endif

/*
 * Whether an address where nothing is can be read, which gives anything. Elsewhere it is an abort
 * that the kernel does not survive.
 */
#ifndef lkst_arch_may_probe
#define lkst_arch_may_probe()		false
#endif

/* How far from where it was linked to run the kernel does run, whose text begins at @text. */
#ifndef lkst_arch_kaslr_offset
static inline unsigned long lkst_arch_kaslr_offset(unsigned long text)
{
	return 0;
}
#endif

#endif
