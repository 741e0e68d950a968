// SPDX-License-Identifier: GPL-2.0
/*
 * All CPUs go on in another buffer at once, on behalf of an event handler: in any context, and
 * waiting for nobody. This CPU does so itself; the others are asked to from an interrupt, since an
 * NMI cannot ask other CPUs for anything.
 */
#include <linux/cpumask.h>
#include <linux/irq_work.h>
#include <linux/percpu.h>
#include <linux/smp.h>

#include "buffer.h"
#include "cpucall.h"
#include "jump.h"
#include "reader.h"
#include "shift.h"
#include "stage.h"

/* Where the CPUs are sent. */
static int lkst_jump_to;

/*
 * Whether a CPU has the buffer, and does not record there. Nothing is looked at that is in the
 * buffer, which may be going away: events occur where RCU does not watch.
 */
static bool lkst_jump_wanted(int cpu, int id)
{
	const struct lkst_cpu *c = per_cpu(lkst_cpu, cpu);
	struct lkst_buffer *buffer = c ? READ_ONCE(c->buffers[id]) : NULL;

	return buffer && READ_ONCE(per_cpu(lkst_ring_current, cpu)) != &buffer->ring;
}

/* Returns what lkst_shift_to() does. */
static int lkst_jump_here(int id)
{
	int cpu = raw_smp_processor_id(), ret;

	if (!lkst_jump_wanted(cpu, id))
		return 0;
	ret = lkst_shift_to(cpu, id);
	if (!ret)
		lkst_queue_wake();
	return ret;
}

static void lkst_jump_requested(struct lkst_cpu_request *unused)
{
	lkst_jump_here(READ_ONCE(lkst_jump_to));
}

static DEFINE_PER_CPU(struct lkst_cpu_request, lkst_jump_requests);

static void lkst_jump_again(struct irq_work *work)
{
	lkst_jump_here(READ_ONCE(lkst_jump_to));
}

static DEFINE_PER_CPU(struct irq_work, lkst_jump_work);

/*
 * No CPU that is online goes away while this one takes no other interrupt. One that has been asked,
 * and has not come to it, will find what is wanted now.
 */
static void lkst_jump_request(struct irq_work *work)
{
	int cpu, id = READ_ONCE(lkst_jump_to);

	for_each_online_cpu(cpu)
		if (cpu != raw_smp_processor_id() && lkst_jump_wanted(cpu, id))
			lkst_cpu_request_send(cpu, per_cpu_ptr(&lkst_jump_requests, cpu));
}

static DEFINE_PER_CPU(struct irq_work, lkst_jump_request_work);

/**
 * lkst_jump_all() - let every CPU go on in a buffer, if it has that
 * @id: of the buffer, or LKST_BUFFER_ID_VOID: none
 *
 * What a CPU leaves is queued for a reader. A CPU for which the buffer is being read stays where it
 * is. When all are there, this asks nobody for anything any more.
 *
 * Context: any, NMI included, with preemption off.
 */
void lkst_jump_all(int id)
{
	int cpu;

	if (id == LKST_BUFFER_ID_VOID)
		return;
	WRITE_ONCE(lkst_jump_to, id);
	/*
	 * This may be an NMI that has interrupted a shift, or have interrupted a writer that has a
	 * slot in that buffer: once more, when that has ended.
	 */
	if (lkst_jump_here(id) == -EAGAIN)
		irq_work_queue(raw_cpu_ptr(&lkst_jump_work));
	for_each_online_cpu(cpu) {
		if (cpu == raw_smp_processor_id() || !lkst_jump_wanted(cpu, id))
			continue;
		irq_work_queue(raw_cpu_ptr(&lkst_jump_request_work));
		break;
	}
}

/* Before there is an event handler that jumps. */
void __init lkst_jump_init(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		lkst_cpu_request_init(per_cpu_ptr(&lkst_jump_requests, cpu), lkst_jump_requested);
		per_cpu(lkst_jump_work, cpu) = IRQ_WORK_INIT_HARD(lkst_jump_again);
		per_cpu(lkst_jump_request_work, cpu) = IRQ_WORK_INIT_HARD(lkst_jump_request);
	}
}

/* No event asks for anything any more. What was asked for has been done when this returns. */
void __lkst_exit lkst_jump_end(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		irq_work_sync(per_cpu_ptr(&lkst_jump_request_work, cpu));
	for_each_possible_cpu(cpu)
		irq_work_sync(per_cpu_ptr(&lkst_jump_work, cpu));
	lkst_cpu_request_drain();
}
