/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The parts of the kernel that kernel/lkst/rules/watch_direct.h and the headers it includes need.
 * The other headers in this folder include this one.
 */
#ifndef _WATCH_SHIM_KERNEL_H
#define _WATCH_SHIM_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/cdefs.h>
#include <linux/types.h>

typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef __u64 u64;
typedef struct {
	int refs;
} refcount_t;

typedef struct {
	long counter;
} atomic_long_t;

struct list_head {
	struct list_head *next, *prev;
};

#define U64_MAX	   UINT64_MAX
#define BIT_ULL(n) (1ULL << (n))

#define smp_load_acquire(p) __atomic_load_n(p, __ATOMIC_ACQUIRE)

/* Figures of CPUs are elements of an array. */
#define __percpu
#define raw_cpu_ptr(array) (&(array)[this_cpu])

/* The running thread, its CPU and the kind of its context: 0 for a task */
struct task_struct {
	int pid;
};
extern struct task_struct *current;
extern unsigned int this_cpu, this_context;

#define raw_smp_processor_id() this_cpu

/* In place of ring/context.h */
#define _LKST_CONTEXT_H
#define lkst_context_count()	    this_context
#define lkst_context_is_task(count) (!(count))
#define lkst_context_index(count)   (count)

#endif
