/* SPDX-License-Identifier: GPL-2.0 */
/*
 * User-space definitions of the kernel's macros and types that record.h and asm/lkst.h use.
 *
 * On x86, smp_wmb() and smp_rmb() are only barriers for the compiler, as in the kernel.
 */
#ifndef _SHIM_KERNEL_H
#define _SHIM_KERNEL_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef unsigned long long u64;

#define BITS_PER_LONG __LONG_WIDTH__

#undef __always_inline
#define __always_inline inline __attribute__((always_inline))
#define noinline	__attribute__((noinline))
#define notrace
#define __cold
#define __maybe_unused	      __attribute__((unused))
#define likely(x)	      __builtin_expect(!!(x), 1)
#define unlikely(x)	      __builtin_expect(!!(x), 0)
#define ____cacheline_aligned __attribute__((aligned(64)))

#define data_race(expression) (expression)
#define barrier()	      __asm__ __volatile__("" : : : "memory")
#define READ_ONCE(x)	      (*(const volatile __typeof__(x) *)&(x))
#define WRITE_ONCE(x, value)  (*(volatile __typeof__(x) *)&(x) = (value))

#define NMI_MASK       0xf00000u
#define HARDIRQ_MASK   0x0f0000u
#define SOFTIRQ_OFFSET 0x000100u

#define smp_wmb() barrier()
#define smp_rmb() barrier()
#define smp_store_release(p, value)                      \
	do {                                             \
		__atomic_thread_fence(__ATOMIC_RELEASE); \
		WRITE_ONCE(*(p), value);                 \
	} while (0)
#define smp_load_acquire(p)                                \
	({                                                 \
		__typeof__(*(p)) _value = READ_ONCE(*(p)); \
                                                           \
		__atomic_thread_fence(__ATOMIC_ACQUIRE);   \
		_value;                                    \
	})

/* The atomic operations that asm-generic/lkst.h uses. */
typedef struct {
	long counter;
} atomic_long_t;

static inline long atomic_long_fetch_inc_relaxed(atomic_long_t *v)
{
	return __atomic_fetch_add((volatile long *)&v->counter, 1, __ATOMIC_RELAXED);
}

static inline long atomic_long_fetch_andnot_release(long bits, atomic_long_t *v)
{
	return __atomic_fetch_and((volatile long *)&v->counter, ~bits, __ATOMIC_RELEASE);
}

#define cmpxchg_local(p, old, new)                                                               \
	({                                                                                       \
		__typeof__(*(p)) _was = (old);                                                   \
                                                                                                 \
		__atomic_compare_exchange_n((volatile __typeof__(*(p)) *)(p), &_was, new, false, \
					    __ATOMIC_RELAXED, __ATOMIC_RELAXED);                 \
		_was;                                                                            \
	})

#endif
