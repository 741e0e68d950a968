/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What watch_table.c needs of the kernel when it is compiled in user space. A
 * test that includes watch_table.c may define these functions itself.
 */
#ifndef _LKST_RULES_WATCH_COMPAT_H
#define _LKST_RULES_WATCH_COMPAT_H

#ifdef __KERNEL__
#include <linux/atomic.h>
#include <linux/bitops.h>
#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/string.h>

/* Return the index of the highest set bit of @x, which must not be 0. */
static __always_inline unsigned int watch_highest(u64 x)
{
	/* Unlike fls64(), __fls() does not test for 0. */
	return BITS_PER_LONG == 64 ? __fls(x) : fls64(x) - 1;
}

/*
 * Add to a number that only this CPU changes, in one step that an interrupt
 * cannot split. Readers on other CPUs may see the old number or the new one.
 */
static __always_inline void watch_local_add(u64 *number, u64 by)
{
#ifdef CONFIG_X86_64
	/* No lock prefix: only writers on other CPUs would need it. */
	asm("addq %1, %0" : "+m" (*number) : "er" (by));
#else
	atomic64_add(by, (atomic64_t *)number);
#endif
}
#elif !defined(LKST_WATCH_WORLD)
#include <stdbool.h>
#include <stddef.h>
#include <sys/cdefs.h>

typedef struct {
	long long counter;
} atomic64_t;

typedef long long s64;

#define noinline
#define notrace
#define READ_ONCE(x)		__atomic_load_n(&(x), __ATOMIC_RELAXED)
#define WRITE_ONCE(x, value)	__atomic_store_n(&(x), value, __ATOMIC_RELAXED)
/* At least as strong as the barriers of the kernel */
#define smp_wmb()		__atomic_thread_fence(__ATOMIC_RELEASE)
/* As above */
#define smp_rmb()		__atomic_thread_fence(__ATOMIC_ACQUIRE)

static inline s64 atomic64_read_acquire(const atomic64_t *v)
{
	return __atomic_load_n(&v->counter, __ATOMIC_ACQUIRE);
}

static inline bool atomic64_try_cmpxchg(atomic64_t *v, s64 *old, s64 new)
{
	return __atomic_compare_exchange_n(&v->counter, old, new, false, __ATOMIC_SEQ_CST,
					   __ATOMIC_RELAXED);
}

static inline void atomic64_add(s64 i, atomic64_t *v)
{
	__atomic_fetch_add(&v->counter, i, __ATOMIC_RELAXED);
}
#endif

#ifndef __KERNEL__
#include <string.h>

#define barrier()		__asm__ __volatile__("" ::: "memory")
/* As in a kernel without KCSAN */
#define data_race(x)		(x)
#define likely(x)		__builtin_expect(!!(x), 1)
#define unlikely(x)		__builtin_expect(!!(x), 0)

static inline void watch_local_add(__u64 *number, __u64 by)
{
	__atomic_fetch_add(number, by, __ATOMIC_RELAXED);
}

static inline unsigned int watch_highest(__u64 x)
{
	return 63 - (unsigned int)__builtin_clzll(x);
}

static inline unsigned long __ffs(unsigned long x)
{
	return (unsigned long)__builtin_ctzl(x);
}
#endif

#endif
