/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What histograms need of the kernel, and replacements for user space. The
 * functions that change memory are atomic for the contexts of one CPU: an
 * interrupt happens before or after them.
 */
#ifndef _LKST_RULES_HIST_COMPAT_H
#define _LKST_RULES_HIST_COMPAT_H

#ifdef __KERNEL__
#include <asm/barrier.h>
#include <asm/local64.h>
#include <linux/atomic.h>
#include <linux/bitops.h>
#include <linux/math64.h>
#include <linux/sched.h>

#include "rule.h"

#define hist_fls64(value)		fls64(value)
#define hist_div(value, width)		div64_u64(value, width)
#define hist_cmpxchg(at, old, new)	cmpxchg_local(at, old, new)
#define hist_sum(at, value)		local64_add(value, (local64_t *)(at))
#define hist_read(at)			((__u64)local64_read((const local64_t *)(at)))

/* A test replaces this in order to run a nested writer. */
#define HIST_INTERRUPT()		do { } while (0)
#else
#define hist_fls64(value)		(64 - __builtin_clzll(value))
#define hist_div(value, width)		((value) / (width))
#define hist_sum(at, value)		((void)__atomic_fetch_add(at, value, __ATOMIC_RELAXED))
#define hist_read(at)			__atomic_load_n(at, __ATOMIC_RELAXED)
#define READ_ONCE(value)		__atomic_load_n(&(value), __ATOMIC_RELAXED)
/* For hist_published() */
#define smp_load_acquire(at)		__atomic_load_n(at, __ATOMIC_ACQUIRE)
/* For hist_fill() */
#define smp_wmb()			__atomic_thread_fence(__ATOMIC_RELEASE)
#define cond_resched()			do { } while (0)
#define min_t(type, a, b)		min((type)(a), (type)(b))

static inline __u32 hist_cmpxchg(__u32 *at, __u32 old, __u32 new)
{
	__atomic_compare_exchange_n(at, &old, new, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
	return old;
}

#ifndef HIST_INTERRUPT
#define HIST_INTERRUPT()		do { } while (0)
#endif
#endif

#endif
