/* SPDX-License-Identifier: GPL-2.0 */
/*
 * User-space definitions, for a single CPU, of everything that cpu.c uses from the rest of the
 * kernel. cpu.c includes files of LKST. The linux/ headers that these files include are empty here
 * (test_record.mk).
 */
#ifndef _SHIM_LKST_H
#define _SHIM_LKST_H

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/types.h>

#include "kernel.h"

typedef int32_t s32;
typedef int64_t s64;
typedef u64 phys_addr_t;

/* IS_ENABLED(option) is 1 if the option is defined as 1, else 0. */
#define CONFIG_LKST			1
#define SHIM_SET_1			, 1
#define SHIM_SECOND(first, second, ...) second
#define SHIM_SECOND_OF(...)		SHIM_SECOND(__VA_ARGS__, 0)
#define SHIM_SET(value)			SHIM_SECOND_OF(SHIM_SET_##value, 0)
#define IS_ENABLED(option)		SHIM_SET(option)
#define IS_BUILTIN(option)		IS_ENABLED(option)
#define IS_MODULE(option)		0

#define PAGE_SIZE		      4096UL
#define EXPORT_SYMBOL_GPL(symbol)     extern int record_unused_##symbol
#define LINUX_VERSION_CODE	      KERNEL_VERSION(6, 1, 0)
#define KERNEL_VERSION(a, b, c)	      (((a) << 16) + ((b) << 8) + (c))
#define static_assert(condition)      _Static_assert(condition, #condition)
#define container_of(p, type, member) ((type *)((char *)(p)-offsetof(type, member)))
#define shim_choose(type, x, op, y) \
	({                          \
		type _x = (x);      \
		type _y = (y);      \
                                    \
		_x op _y ? _x : _y; \
	})
#define min_t(type, x, y) shim_choose(type, x, <, y)
#define max_t(type, x, y) shim_choose(type, x, >, y)
#define min(x, y)	  min_t(__typeof__(x), x, y)
#define max(x, y)	  max_t(__typeof__(x), x, y)

/* Empty locks and work items, because the code under test runs on one CPU and never sleeps. */
struct shim_empty {
	int unused;
};
#define irq_work   shim_empty
#define kref	   shim_empty
#define llist_node shim_empty
typedef struct shim_empty wait_queue_head_t, call_single_data_t, refcount_t;

/* Inline functions in base/compat.h use these. The code under test does not call them. */
struct mm_struct;
struct page;
long get_user_pages_remote(struct mm_struct *mm, unsigned long start, unsigned long num,
			   unsigned int flags, struct page **pages, void *vmas, int *locked);
long pin_user_pages_remote(struct mm_struct *mm, unsigned long start, unsigned long num,
			   unsigned int flags, struct page **pages, void *vmas, int *locked);

/* There are no tracepoints here, so static keys have no state. */
#define static_key_false shim_empty
#define get_unaligned(p) (*(p))

#define cpus_read_lock()		    ((void)0)
#define cpus_read_unlock()		    ((void)0)
#define tracepoint_synchronize_unregister() ((void)0)
#define synchronize_rcu()		    ((void)0)
#define cpu_possible(cpu)		    ((cpu) == 0)
#define nr_cpu_ids			    1
#define raw_smp_processor_id()		    0

/* Interrupts occur only where a test causes them (step.h), so nothing has to be disabled. */
#define preempt_disable_notrace()    barrier()
#define preempt_enable_notrace()     barrier()
#define raw_local_irq_save(flags)    ((void)((flags) = 0))
#define raw_local_irq_restore(flags) ((void)(flags))
#define local_irq_save(flags)	     raw_local_irq_save(flags)
#define local_irq_restore(flags)     raw_local_irq_restore(flags)

#define DECLARE_BITMAP(name, bits)  unsigned long name[((bits)-1) / (8 * sizeof(unsigned long)) + 1]
#define DECLARE_PER_CPU(type, name) extern __typeof__(type) name
#define DEFINE_PER_CPU(type, name)  __typeof__(type) name
#define per_cpu(name, cpu)	    (name)
#define per_cpu_ptr(p, cpu)	    (p)
#define raw_cpu_ptr(p)		    (p)
#define this_cpu_read(name)	    READ_ONCE(name)
#define raw_cpu_read(name)	    READ_ONCE(name)
#define raw_cpu_inc(name)	    lkst_local_fetch_inc(&(name))

typedef struct {
	int counter;
} atomic_t;

typedef struct {
	s64 counter;
} atomic64_t;

#define atomic_inc(v)			  __atomic_add_fetch(&(v)->counter, 1, __ATOMIC_RELAXED)
#define atomic_dec(v)			  __atomic_sub_fetch(&(v)->counter, 1, __ATOMIC_RELAXED)
#define atomic64_read(v)		  READ_ONCE((v)->counter)
#define atomic_long_read(v)		  READ_ONCE((v)->counter)
#define atomic_long_set_release(v, value) smp_store_release(&(v)->counter, value)

static inline long atomic_long_cmpxchg(atomic_long_t *v, long old, long new)
{
	__atomic_compare_exchange_n(&v->counter, &old, new, false, __ATOMIC_SEQ_CST,
				    __ATOMIC_SEQ_CST);
	return old;
}

typedef struct {
	unsigned int sequence;
} seqcount_t;

static inline void raw_write_seqcount_begin(seqcount_t *s)
{
	WRITE_ONCE(s->sequence, s->sequence + 1);
	smp_wmb();
}

static inline void raw_write_seqcount_end(seqcount_t *s)
{
	smp_wmb();
	WRITE_ONCE(s->sequence, s->sequence + 1);
}

/* Called where the kernel would wait until the count is even. The test defines this function. */
void record_wait_seqcount(const seqcount_t *s);

static inline unsigned int raw_read_seqcount_begin(const seqcount_t *s)
{
	unsigned int sequence;

	while ((sequence = READ_ONCE(s->sequence)) & 1)
		record_wait_seqcount(s);
	smp_rmb();
	return sequence;
}

static inline unsigned int raw_read_seqcount(const seqcount_t *s)
{
	unsigned int sequence = READ_ONCE(s->sequence);

	smp_rmb();
	return sequence;
}

static inline bool read_seqcount_retry(const seqcount_t *s, unsigned int sequence)
{
	smp_rmb();
	return READ_ONCE(s->sequence) != sequence;
}

static inline u64 div64_u64_rem(u64 dividend, u64 divisor, u64 *remainder)
{
	*remainder = dividend % divisor;
	return dividend / divisor;
}

static inline u64 div_u64(u64 dividend, u32 divisor)
{
	return dividend / divisor;
}

/* Return a checksum. The test defines this function, with a simpler algorithm than CRC-32C. */
u32 __crc32c_le(u32 crc, const u8 *data, size_t len);

/* Return a time that advances with each call, so that readers soon stop waiting. */
u64 ktime_get_ns(void);

#define cpu_relax() barrier()

/* Definitions that lkst_buffer_read() needs to copy records into the caller's memory. */
#define NSEC_PER_USEC		    1000L
#define ITER_DEST		    0
#define current			    NULL
#define cond_resched()		    ((void)0)
#define fatal_signal_pending(task)  ((void)(task), false)
#define init_utsname()		    (&(const struct { char machine[8]; }){ "test" })
#define strscpy_pad(to, from, size) strncpy(to, from, (size)-1)
#define __get_free_page(flags)	    ((unsigned long)record_page)
#define free_page(page)		    ((void)(page))

struct timespec64 {
	s64 tv_sec;
	long tv_nsec;
};

struct kvec {
	void *iov_base;
	size_t iov_len;
};

struct iov_iter {
	char *to;
	size_t count;
};

extern char record_page[PAGE_SIZE];

static inline struct timespec64 ns_to_timespec64(s64 ns)
{
	return (struct timespec64){ ns / 1000000000, (long)(ns % 1000000000) };
}

static inline void iov_iter_kvec(struct iov_iter *iter, unsigned int direction,
				 const struct kvec *vec, unsigned long segments, size_t count)
{
	(void)direction;
	(void)segments;
	*iter = (struct iov_iter){ vec->iov_base, count };
}

static inline size_t copy_to_iter(const void *from, size_t bytes, struct iov_iter *iter)
{
	memcpy(iter->to, from, bytes);
	iter->to += bytes;
	iter->count -= bytes;
	return bytes;
}

#endif
