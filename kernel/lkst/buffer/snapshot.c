// SPDX-License-Identifier: GPL-2.0
/*
 * Take snapshots on behalf of rules: every CPU continues in another buffer, and
 * the previous one is kept until it has been read. This works in any context
 * and does not wait. The current CPU shifts directly. Requests to the other
 * CPUs are sent from an irq_work, since an NMI cannot send them.
 */
#include <linux/atomic.h>
#include <linux/bitmap.h>
#include <linux/cpumask.h>
#include <linux/irq_work.h>
#include <linux/moduleparam.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/smp.h>
#include <linux/sysfs.h>
#include <linux/lkst_etypes.h>

#include "../base/cpu_request.h"
#include "../base/param.h"
#include "../base/stage.h"
#include "buffer.h"
#include "emit.h"
#include "queue.h"
#include "shift.h"
#include "snapshot.h"

/* Number of the latest snapshot, taken or missed. */
static atomic_t lkst_snapshot_latest = ATOMIC_INIT(0);

/*
 * The latest snapshot that all CPUs take: its number in the upper half, and the
 * event type whose rule takes it in the lower half. If the CPU of the event
 * misses a snapshot, that snapshot is not stored here. Otherwise a CPU that
 * still has a request for an earlier snapshot would record the number of the
 * missed snapshot instead of that of the earlier one.
 *
 * Invariant: the number never decreases.
 */
static atomic64_t lkst_snapshot_wanted = ATOMIC64_INIT(0);

static int lkst_snapshot_show(char *buffer, const struct kernel_param *kp)
{
	return sysfs_emit(buffer, "%u\n", (unsigned int)atomic_read(&lkst_snapshot_latest));
}

static const struct kernel_param_ops lkst_snapshot_ops = {
	.set = lkst_param_refuse,
	.get = lkst_snapshot_show,
};

module_param_cb(snapshots, &lkst_snapshot_ops, NULL, 0444);
MODULE_PARM_DESC(snapshots, "number of the latest snapshot that a rule has taken");

/*
 * How many times a CPU missed a snapshot: either it had no other buffer, or
 * lkst_snapshot_follow() could not switch to one.
 */
static atomic_t lkst_snapshots_missed = ATOMIC_INIT(0);

static int lkst_snapshot_show_missed(char *buffer, const struct kernel_param *kp)
{
	return sysfs_emit(buffer, "%u\n", (unsigned int)atomic_read(&lkst_snapshots_missed));
}

static const struct kernel_param_ops lkst_snapshot_missed_ops = {
	.set = lkst_param_refuse,
	.get = lkst_snapshot_show_missed,
};

module_param_cb(snapshots_missed, &lkst_snapshot_missed_ops, NULL, 0444);
MODULE_PARM_DESC(snapshots_missed, "how many times a CPU has missed a snapshot");

/**
 * struct lkst_snapshot_cpu - the snapshots of a CPU
 * @taken: number of the latest snapshot that the CPU has taken or missed
 * @missing: whether the CPU has missed that snapshot
 * @request: request of another CPU that this CPU take the latest snapshot
 * @retry: lets this CPU try again to take the latest snapshot
 * @others: sends @request to the other CPUs
 *
 * Only the CPU itself changes @taken and @missing, in any context.
 */
struct lkst_snapshot_cpu {
	int taken;
	bool missing;
	struct lkst_cpu_request request;
	struct irq_work retry;
	struct irq_work others;
};

static DEFINE_PER_CPU(struct lkst_snapshot_cpu, lkst_snapshot_cpus);

/* Record that this CPU has taken, or has missed, a snapshot. */
static void lkst_snapshot_record(int number, int etype, lkst_buffer_id from)
{
	lkst_emit_own(LKST_ETYPE_LKST_SNAPSHOT, etype, from, (u32)number,
		      atomic_read(&lkst_snapshots_missed));
}

/*
 * Count a snapshot that this CPU has missed. If a CPU misses several snapshots
 * in a row, only the first of them is recorded as missed.
 */
static void lkst_snapshot_miss(struct lkst_snapshot_cpu *c, int number, int etype)
{
	WRITE_ONCE(c->taken, number);
	atomic_inc(&lkst_snapshots_missed);
	if (c->missing)
		return;
	c->missing = true;
	lkst_snapshot_record(number, etype, LKST_BUFFER_ID_VOID);
}

/*
 * Take a snapshot on this CPU. Returns 0 on success or if the CPU is not
 * recording, -EBUSY if the CPU has missed the snapshot, or -EAGAIN if the
 * caller must try again. Preemption is off.
 */
static int lkst_snapshot_here(int number, int etype)
{
	struct lkst_snapshot_cpu *c = raw_cpu_ptr(&lkst_snapshot_cpus);
	lkst_buffer_id from;
	int ret = lkst_shift_keep(&from);

	if (ret == -EAGAIN)
		return ret;
	if (ret == -EBUSY) {
		lkst_snapshot_miss(c, number, etype);
		return ret;
	}
	WRITE_ONCE(c->taken, number);
	if (!ret) {
		c->missing = false;
		lkst_snapshot_record(number, etype, from);
		lkst_queue_wake();
	}
	return 0;
}

/*
 * Take the latest snapshot that all CPUs take, unless this CPU has already
 * taken or missed that snapshot or a later one. If the interrupt in which this
 * function runs has interrupted a writer in the buffer to which the snapshot
 * would switch, the CPU misses the snapshot: another attempt in an interrupt
 * would most likely interrupt the same writer.
 */
static void lkst_snapshot_follow(void)
{
	u64 wanted = atomic64_read(&lkst_snapshot_wanted);
	struct lkst_snapshot_cpu *c = raw_cpu_ptr(&lkst_snapshot_cpus);
	int number = wanted >> 32;

	if (number - READ_ONCE(c->taken) > 0 &&
	    lkst_snapshot_here(number, (u32)wanted) == -EAGAIN)
		lkst_snapshot_miss(c, number, (u32)wanted);
}

/* Let all CPUs take a snapshot, unless a later one has been stored already. */
static void lkst_snapshot_want(int number, int etype)
{
	u64 wanted = (u64)(u32)number << 32 | (u32)etype;
	s64 old = atomic64_read(&lkst_snapshot_wanted);

	do {
		if (number - (int)(old >> 32) <= 0)
			return;
	} while (!atomic64_try_cmpxchg(&lkst_snapshot_wanted, &old, wanted));
}

static void lkst_snapshot_requested(struct lkst_cpu_request *unused)
{
	lkst_snapshot_follow();
}

static void lkst_snapshot_retry(struct irq_work *unused)
{
	lkst_snapshot_follow();
}

/*
 * Request the other CPUs to take the latest snapshot. No CPU goes offline while
 * this CPU is in an interrupt.
 */
static void lkst_snapshot_request(struct irq_work *unused)
{
	int cpu;

	for_each_online_cpu(cpu)
		if (cpu != raw_smp_processor_id())
			lkst_cpu_request_send(cpu, &per_cpu(lkst_snapshot_cpus, cpu).request);
}

/**
 * lkst_snapshot_take() - take a snapshot
 * @etype: event type whose rule takes it
 *
 * This CPU shifts at once. The others shift as soon as the requests arrive. If
 * this CPU has no buffer to switch to, for example because snapshots keep its
 * other buffers, it misses the snapshot, and the other CPUs do not shift.
 *
 * Context: any, NMI included, with preemption off.
 */
void lkst_snapshot_take(int etype)
{
	struct lkst_snapshot_cpu *c = raw_cpu_ptr(&lkst_snapshot_cpus);
	int number = atomic_inc_return(&lkst_snapshot_latest);
	int ret = lkst_snapshot_here(number, etype);

	if (ret == -EBUSY)
		return;
	lkst_snapshot_want(number, etype);
	if (ret == -EAGAIN)
		irq_work_queue(&c->retry);
	if (num_online_cpus() > 1)
		irq_work_queue(&c->others);
}

/**
 * lkst_snapshot_possible() - whether each online CPU has more than one buffer
 *
 * Context: may sleep.
 */
bool lkst_snapshot_possible(void)
{
	const struct lkst_cpu *c;
	bool possible = true;
	int cpu;

	mutex_lock(&lkst_buffer_mutex);
	for_each_online_cpu(cpu) {
		c = per_cpu(lkst_cpu, cpu);
		possible &= c && bitmap_weight(c->ids, LKST_BUFFER_ID_MAX + 1) > 1;
	}
	mutex_unlock(&lkst_buffer_mutex);
	return possible;
}

/* Prepare the requests. Called before any event can cause a snapshot. */
void __init lkst_snapshot_init(void)
{
	struct lkst_snapshot_cpu *c;
	int cpu;

	for_each_possible_cpu(cpu) {
		c = per_cpu_ptr(&lkst_snapshot_cpus, cpu);
		lkst_cpu_request_init(&c->request, lkst_snapshot_requested);
		c->retry = IRQ_WORK_INIT_HARD(lkst_snapshot_retry);
		c->others = IRQ_WORK_INIT_HARD(lkst_snapshot_request);
	}
}

/* Wait for pending requests. Called when no event can send new ones. */
void __lkst_exit lkst_snapshot_end(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		irq_work_sync(&per_cpu(lkst_snapshot_cpus, cpu).others);
	for_each_possible_cpu(cpu)
		irq_work_sync(&per_cpu(lkst_snapshot_cpus, cpu).retry);
	lkst_cpu_request_drain();
}
