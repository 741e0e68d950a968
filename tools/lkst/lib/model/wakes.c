// SPDX-License-Identifier: LGPL-2.1
/*
 * Wake-ups and migrations: what makes threads RUNNABLE, and on which CPU.
 *
 * The waker records process_waking before the kernel has chosen a CPU for the thread.
 * process_wakeup follows when the thread is in the queue of that CPU, and is often recorded there.
 */
#include <string.h>

#include "lib/base/etype_ids.h"
#include "state.h"

/*
 * Find out what caused a wake-up. If process_wakeup occurs in an interrupt from another CPU, or in
 * the idle thread, the actual waker was on another CPU, and the event does not show which one.
 */
static struct lkst_wake wake_cause(const struct lkst_model *model, const struct model_cpu *cpu,
				   const struct lkst_event *event)
{
	const struct model_context *context = NULL;
	const struct model_thread *thread = cpu->thread;
	bool by_waker = event->type == LKST_ETYPE_PROCESS_WAKING;
	uint32_t interrupted = LKST_LOG_HARDIRQ | LKST_LOG_SOFTIRQ | LKST_LOG_NMI;
	struct lkst_wake wake = { .cpu = cpu->span.cpu, .context = -1, .time_ns = model->now_ns };

	if (cpu->depth)
		context = &cpu->context[cpu->depth - 1];
	else if (thread && thread->live->depth)
		context = &thread->live->context[thread->live->depth - 1];
	wake.known = cpu->what != WHAT_UNKNOWN;
	/* The cause is not known if the event occurred in a context without a recorded entry. */
	if (event->flags & LKST_LOG_NMI ||
	    (event->flags & LKST_LOG_HARDIRQ && cpu->span.mode != LKST_MODE_HARDIRQ) ||
	    (event->flags & interrupted && !cpu->depth))
		wake.known = false;
	for (unsigned int i = 0; !by_waker && i < cpu->depth; i++)
		if (cpu->context[i].span.kind == LKST_CONTEXT_IPI)
			wake.known = false;
	if (!by_waker && !context && cpu->what == WHAT_IDLE)
		wake.known = false;
	if (!wake.known)
		return wake;
	wake.thread = thread ? &thread->pub : NULL;
	if (context) {
		wake.context = context->span.kind;
		wake.number = context->span.number;
		memcpy(wake.name, context->span.name, sizeof(wake.name));
	}
	return wake;
}

/* Set *@thread to the thread that an event wakes up, or to NULL. Returns -1 if out of memory. */
static int wake_thread(struct lkst_model *model, const struct model_cpu *cpu,
		       const struct lkst_event *event, struct model_thread **thread)
{
	uint32_t tid = model_high(event->arg[0]);

	*thread = NULL;
	if (!model_is_tid(tid))
		return 0;
	*thread = thread_get(model, cpu->span.source, tid);
	if (!*thread)
		return -1;
	process_name(*thread, event, 2, 2);
	return 0;
}

/* Set *@target to a CPU, or to NULL if the number is invalid. Returns -1 if out of memory. */
static int wake_target(struct lkst_model *model, const struct model_cpu *cpu, uint32_t number,
		       struct model_cpu **target)
{
	*target = model_cpu_of(model, cpu->span.source, number);
	return *target || number >= MODEL_CPUS ? 0 : -1;
}

/* Make a thread RUNNABLE. @target is the CPU in whose queue it is; NULL: the same as before. */
static void wake_begin(struct lkst_model *model, struct model_thread *thread,
		       const struct lkst_wake *wake, struct model_cpu *target, bool begin_known)
{
	begin_known |= thread->pub.state == LKST_STATE_BLOCKED;
	if (target)
		thread_place(model, thread, target);
	thread_set(model, thread, LKST_STATE_RUNNABLE, begin_known, LKST_END_STATE, model->now_ns);
	thread->live->span.wake = *wake;
	thread->live->early.known = false;
	thread_behind(model, thread);
	thread->pub.wakes++;
	MODEL_REPORT(model, wake, &thread->pub, wake);
}

/* Set the cause of an earlier wake-up if it was unknown until now. */
static void wake_explain(struct model_thread *thread, const struct lkst_wake *wake)
{
	if (!thread->live->span.preempted && !thread->live->span.wake.known && wake->known)
		thread->live->span.wake = *wake;
}

int wake_waking(struct lkst_model *model, struct model_cpu *cpu, const struct lkst_event *event)
{
	struct model_thread *thread;
	struct lkst_wake wake;

	if (wake_thread(model, cpu, event, &thread))
		return -1;
	if (!thread)
		return 0;
	wake = wake_cause(model, cpu, event);
	switch (thread->pub.state) {
	case LKST_STATE_RUNNING:
		/*
		 * The thread still runs. The wake-up matters only if the thread is about to be
		 * switched out.
		 */
		thread->live->early = wake;
		break;
	case LKST_STATE_RUNNABLE:
		wake_explain(thread, &wake);
		break;
	default:
		wake_begin(model, thread, &wake, NULL, false);
	}
	return 0;
}

int wake_up(struct lkst_model *model, struct model_cpu *cpu, const struct lkst_event *event)
{
	struct model_thread *thread;
	struct model_cpu *target;
	struct lkst_wake wake;

	if (wake_target(model, cpu, model_high(event->arg[1]), &target) ||
	    wake_thread(model, cpu, event, &thread))
		return -1;
	if (!thread)
		return 0;
	wake = wake_cause(model, cpu, event);
	if (thread->live->early.known) {
		wake = thread->live->early;
		wake.time_ns = model->now_ns;
	}
	thread->live->early.known = false;
	switch (thread->pub.state) {
	case LKST_STATE_RUNNING:
		break;
	case LKST_STATE_RUNNABLE:
		wake_explain(thread, &wake);
		if (!target || thread->live->span.preempted)
			break;
		thread_place(model, thread, target);
		thread_behind(model, thread);
		break;
	default:
		wake_begin(model, thread, &wake, target, model_low(event->arg[1]) != 0);
	}
	return 0;
}

int wake_migrate(struct lkst_model *model, struct model_cpu *cpu, const struct lkst_event *event)
{
	uint64_t tid = event->arg[0];
	int32_t from = (int32_t)model_high(event->arg[1]), to = (int32_t)model_low(event->arg[1]);
	struct model_thread *thread;
	struct model_cpu *target;

	if (wake_target(model, cpu, (uint32_t)to, &target))
		return -1;
	if (!model_is_tid(tid) || !target)
		return 0;
	thread = thread_get(model, cpu->span.source, (uint32_t)tid);
	if (!thread)
		return -1;
	/*
	 * Do not move a thread that the model takes to be running: it is the current thread of a
	 * CPU, and must stay there. The kernel does not migrate running threads, so the model has
	 * missed the switch at which the thread stopped running. Later events will show that.
	 */
	if (thread->pub.state != LKST_STATE_RUNNING)
		thread_place(model, thread, target);
	if (thread->pub.state == LKST_STATE_RUNNABLE)
		thread_behind(model, thread);
	MODEL_REPORT(model, migrate, &thread->pub, from, to, model->now_ns);
	return 0;
}
