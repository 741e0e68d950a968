// SPDX-License-Identifier: GPL-2.0
/*
 * Make all CPUs switch to another buffer immediately, on behalf of an event
 * handler. This works in any context and does not wait. The current CPU shifts
 * directly. Requests to the other CPUs are sent from an irq_work, since an NMI
 * cannot send them.
 */
#include <linux/cpumask.h>
#include <linux/irq_work.h>
#include <linux/percpu.h>
#include <linux/smp.h>

#include "buffer.h"
#include "../base/cpu_request.h"
#include "jump.h"
#include "queue.h"
#include "shift.h"
#include "../base/stage.h"

/* Id of the buffer that the latest jump switches to. */
static int lkst_jump_to;

/*
 * Whether a CPU has buffer @id, and is not recording to it. This function must
 * not access the buffer itself, which may be freed at any time: events also
 * occur while RCU is not watching.
 */
static bool lkst_jump_is_needed(int cpu, int id)
{
	const struct lkst_cpu *c = per_cpu(lkst_cpu, cpu);
	struct lkst_buffer *buffer = c ? READ_ONCE(c->buffers[id]) : NULL;

	return buffer && READ_ONCE(per_cpu(lkst_ring_current, cpu)) != &buffer->ring;
}

/*
 * Switch this CPU to buffer @id, if it has that buffer. Returns 0 or an error
 * of lkst_shift_to().
 */
static int lkst_jump_here(int id)
{
	int cpu = raw_smp_processor_id(), ret;

	if (!lkst_jump_is_needed(cpu, id))
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

static void lkst_jump_retry(struct irq_work *work)
{
	lkst_jump_here(READ_ONCE(lkst_jump_to));
}

static DEFINE_PER_CPU(struct irq_work, lkst_jump_work);

/*
 * Request the other CPUs to jump. No CPU goes offline while this CPU is in an
 * interrupt. A CPU with a pending request will see the current value of
 * lkst_jump_to.
 */
static void lkst_jump_request(struct irq_work *work)
{
	int cpu, id = READ_ONCE(lkst_jump_to);

	for_each_online_cpu(cpu)
		if (cpu != raw_smp_processor_id() && lkst_jump_is_needed(cpu, id))
			lkst_cpu_request_send(cpu, per_cpu_ptr(&lkst_jump_requests, cpu));
}

static DEFINE_PER_CPU(struct irq_work, lkst_jump_request_work);

/**
 * lkst_jump_all() - switch every CPU to its buffer with a given id
 * @id: id of the buffer, or LKST_BUFFER_ID_VOID to do nothing
 *
 * The buffers that the CPUs leave are queued for a reader. A CPU whose buffer
 * @id is being read, or is kept by a snapshot, does not switch. If all CPUs are
 * already recording to buffer @id, no requests are sent.
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
	 * -EAGAIN means that buffer @id is being read or is kept by a snapshot,
	 * or that this context has interrupted a shift, or a writer that owns a
	 * slot in buffer @id. Try once more from an irq_work, which runs after
	 * the current NMI or interrupt.
	 */
	if (lkst_jump_here(id) == -EAGAIN)
		irq_work_queue(raw_cpu_ptr(&lkst_jump_work));
	for_each_online_cpu(cpu) {
		if (cpu == raw_smp_processor_id() || !lkst_jump_is_needed(cpu, id))
			continue;
		irq_work_queue(raw_cpu_ptr(&lkst_jump_request_work));
		break;
	}
}

/* Prepare the requests. Called before any event handler can jump. */
void __init lkst_jump_init(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		lkst_cpu_request_init(per_cpu_ptr(&lkst_jump_requests, cpu),
				      lkst_jump_requested);
		per_cpu(lkst_jump_work, cpu) = IRQ_WORK_INIT_HARD(lkst_jump_retry);
		per_cpu(lkst_jump_request_work, cpu) = IRQ_WORK_INIT_HARD(lkst_jump_request);
	}
}

/* Wait for pending requests. Called when no event can send new ones. */
void __lkst_exit lkst_jump_end(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		irq_work_sync(per_cpu_ptr(&lkst_jump_request_work, cpu));
	for_each_possible_cpu(cpu)
		irq_work_sync(per_cpu_ptr(&lkst_jump_work, cpu));
	lkst_cpu_request_drain();
}
