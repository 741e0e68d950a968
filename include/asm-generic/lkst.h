/* SPDX-License-Identifier: GPL-2.0 */
/*
 * LKST: what an architecture gets that brings nothing of its own. Everything here
 * can be overridden by asm/lkst.h, which includes this file at its end.
 */
#ifndef _ASM_GENERIC_LKST_H
#define _ASM_GENERIC_LKST_H

#ifndef lkst_local_fetch_inc
static __always_inline unsigned long lkst_local_fetch_inc(unsigned long *p)
{
	return atomic_long_fetch_inc_relaxed((atomic_long_t *)p);
}
#endif

#ifndef lkst_local_cmpxchg
static __always_inline unsigned long lkst_local_cmpxchg(unsigned long *p, unsigned long old,
							unsigned long new)
{
	return cmpxchg_local(p, old, new);
}
#endif

/* Without a counter of its own, an architecture's records carry CLOCK_MONOTONIC. */
#ifndef lkst_arch_counter
#define lkst_arch_counter()		ktime_get_mono_fast_ns()
#define lkst_arch_counter_khz()		1000000
#define lkst_arch_counter_usable()	false
#define LKST_ARCH_CLOCK			LKST_CLOCK_NS
#endif

/* How far from where it was linked to run the kernel does run. */
#ifndef lkst_arch_kaslr_offset
#define lkst_arch_kaslr_offset()	0UL
#endif

#endif
