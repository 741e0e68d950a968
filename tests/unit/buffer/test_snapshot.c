// SPDX-License-Identifier: GPL-2.0
/*
 * Snapshots that CPUs miss (kernel/lkst/buffer/snapshot.c). The simulated kernel has two CPUs. The
 * test decides what each shift returns, and when the CPUs carry out requests.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "tap.h"

/* Instead of the headers that snapshot.c includes */
#define _LKST_CPU_REQUEST_H
#define _LKST_BASE_PARAM_H
#define _LKST_STAGE_H
#define _LKST_BUFFER_H
#define _LKST_EMIT_H
#define _LKST_QUEUE_H
#define _LKST_SHIFT_H

#define CPUS 2

typedef uint32_t u32;
typedef uint64_t u64;
typedef int64_t s64;
typedef struct {
	int counter;
} atomic_t;
typedef struct {
	s64 counter;
} atomic64_t;

struct irq_work {
	void (*func)(struct irq_work *work);
	bool pending;
};

struct lkst_cpu_request {
	void (*func)(struct lkst_cpu_request *request);
	bool pending;
};

struct lkst_cpu {
	unsigned long ids[1];
};

struct kernel_param;
struct kernel_param_ops {
	int (*set)(const char *text, const struct kernel_param *kp);
	int (*get)(char *buffer, const struct kernel_param *kp);
};

static int running; /* the running CPU */
static struct lkst_cpu *lkst_cpu[CPUS];
static int lkst_buffer_mutex;

#define __init
#define __lkst_exit
#define ATOMIC_INIT(value) \
	{                  \
		value      \
	}
#define ATOMIC64_INIT(value) \
	{                    \
		value        \
	}
#define READ_ONCE(x)	     (x)
#define WRITE_ONCE(x, value) ((x) = (value))
#define atomic_read(v)	     ((v)->counter)
#define atomic_inc(v)	     ((v)->counter++)
#define atomic_inc_return(v) (++(v)->counter)
#define atomic64_read(v)     ((v)->counter)
#define atomic64_try_cmpxchg(v, old, new) \
	((v)->counter == *(old) ? ((v)->counter = (s64)(new), true) : false)
#define DEFINE_PER_CPU(type, name)	      type name[CPUS]
#define raw_cpu_ptr(name)		      (&(*(name))[running])
#define per_cpu(name, n)		      ((name)[n])
#define per_cpu_ptr(name, n)		      (&(*(name))[n])
#define raw_smp_processor_id()		      running
#define num_online_cpus()		      CPUS
#define for_each_online_cpu(n)		      for ((n) = 0; (n) < CPUS; (n)++)
#define for_each_possible_cpu(n)	      for_each_online_cpu(n)
#define mutex_lock(m)			      ((void)*(m))
#define mutex_unlock(m)			      ((void)*(m))
#define bitmap_weight(bits, n)		      __builtin_popcountl(*(bits))
#define irq_work_queue(work)		      ((void)((work)->pending = true))
#define irq_work_sync(work)		      ((void)(work))
#define IRQ_WORK_INIT_HARD(function)	      ((struct irq_work){ .func = (function) })
#define module_param_cb(name, ops, arg, mode) extern int unused_##name
#define MODULE_PARM_DESC(name, text)	      extern int unused_##name
#define sysfs_emit			      sprintf
#define lkst_param_refuse		      NULL
#define lkst_queue_wake()		      ((void)0)
#define lkst_cpu_request_drain()	      ((void)0)

/*
 * For each CPU: what its next shifts return, and how many snapshots it has recorded as taken and as
 * missed
 */
static int shift[CPUS], taken[CPUS], recorded_missed[CPUS];

static int lkst_shift_keep(lkst_buffer_id *from)
{
	*from = shift[running] ? LKST_BUFFER_ID_VOID : 0;
	return shift[running];
}

static void lkst_emit_own(int etype, u64 cause, u64 from, u64 number, u64 missed)
{
	(void)etype, (void)cause, (void)number, (void)missed;
	if ((lkst_buffer_id)from == LKST_BUFFER_ID_VOID)
		recorded_missed[running]++;
	else
		taken[running]++;
}

static void lkst_cpu_request_init(struct lkst_cpu_request *request,
				  void (*func)(struct lkst_cpu_request *request))
{
	request->func = func;
}

static void lkst_cpu_request_send(int to, struct lkst_cpu_request *request)
{
	(void)to;
	request->pending = true;
}

#include "buffer/snapshot.c"

static unsigned int missed(void)
{
	char text[32];

	lkst_snapshot_show_missed(text, NULL);
	return (unsigned int)strtoul(text, NULL, 10);
}

static void run_work(struct irq_work *work)
{
	if (!work->pending)
		return;
	work->pending = false;
	work->func(work);
}

/* Let each CPU run its pending irq_works, and then the requests to it. */
static void run_all(void)
{
	for (running = 0; running < CPUS; running++) {
		run_work(&lkst_snapshot_cpus[running].retry);
		run_work(&lkst_snapshot_cpus[running].others);
	}
	for (running = 0; running < CPUS; running++) {
		struct lkst_cpu_request *request = &lkst_snapshot_cpus[running].request;

		if (request->pending)
			request->func(request);
		request->pending = false;
	}
	running = 0;
}

/* Take a snapshot on CPU 0. The shifts of the CPUs return @here and @there. */
static void take(int here, int there)
{
	shift[0] = here;
	shift[1] = there;
	lkst_snapshot_take(1);
	run_all();
}

static void setup(void)
{
	memset(taken, 0, sizeof(taken));
	memset(recorded_missed, 0, sizeof(recorded_missed));
	memset(lkst_snapshot_cpus, 0, sizeof(lkst_snapshot_cpus));
	memset(&lkst_snapshots_missed, 0, sizeof(lkst_snapshots_missed));
	memset(&lkst_snapshot_latest, 0, sizeof(lkst_snapshot_latest));
	memset(&lkst_snapshot_wanted, 0, sizeof(lkst_snapshot_wanted));
	lkst_snapshot_init();
}

TESTS(.setup = setup);

/* What the shifts of CPU 0 and CPU 1 return, and whether the CPU takes or misses the snapshot */
static const struct once {
	int returns[CPUS];
	int taken[CPUS];
	int missed[CPUS];
} once_cases[] = {
	{ { 0, 0 }, { 1, 1 }, { 0, 0 } },
	/* The CPU has no other buffer. */
	{ { 0, -EBUSY }, { 1, 0 }, { 0, 1 } },
	/* The request interrupts a writer. */
	{ { 0, -EAGAIN }, { 1, 0 }, { 0, 1 } },
	/* The second attempt of the CPU on which the event occurred fails like the first one. */
	{ { -EAGAIN, 0 }, { 0, 1 }, { 1, 0 } },
	/* The CPU does not record. */
	{ { 0, -EINVAL }, { 1, 0 }, { 0, 0 } },
};

TEST_LOOP(a_snapshot, sizeof(once_cases) / sizeof(*once_cases))
{
	const struct once *once = &once_cases[_i];

	take(once->returns[0], once->returns[1]);
	for (int cpu = 0; cpu < CPUS; cpu++) {
		ck_assert_int_eq(taken[cpu], once->taken[cpu]);
		ck_assert_int_eq(recorded_missed[cpu], once->missed[cpu]);
	}
	ck_assert_uint_eq(missed(), (unsigned int)(once->missed[0] + once->missed[1]));
}
END_TEST

TEST(misses_in_a_row)
{
	take(0, -EBUSY);
	/* Each miss is counted, but only the first is recorded. */
	take(0, -EBUSY);
	ck_assert_int_eq(recorded_missed[1], 1);
	ck_assert_uint_eq(missed(), 2);
	/* The CPU takes the next snapshot. */
	take(0, 0);
	ck_assert_int_eq(taken[1], 1);
	ck_assert_uint_eq(missed(), 2);
}
END_TEST

TEST(the_retry_succeeds)
{
	shift[0] = -EAGAIN;
	shift[1] = 0;
	lkst_snapshot_take(1);
	shift[0] = 0;
	run_all();
	ck_assert_int_eq(taken[0], 1);
	ck_assert_int_eq(taken[1], 1);
	ck_assert_uint_eq(missed(), 0);
}
END_TEST
