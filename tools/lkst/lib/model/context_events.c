// SPDX-License-Identifier: LGPL-2.1
/* Handlers of the events that are recorded when a context begins or ends. */
#include "lib/base/etype_ids.h"
#include "state.h"

/*
 * If the address of an interrupted or faulting instruction shows that the thread was in user mode,
 * end the system call and the exceptions of the thread. The second argument of the event is the
 * address, or 0 if it was not recorded. The caller calls cpu_refresh() later.
 */
static void context_show_user(struct lkst_model *model, struct model_cpu *cpu,
			      const struct lkst_event *event)
{
	uint64_t ip = event->arg[1];

	if (event->machine != LKST_MACHINE_X86_64 || !ip || ip >> 63 || cpu->depth || !cpu->thread)
		return;
	cpu_account(cpu, model->now_ns);
	contexts_drop_thread(model, cpu->thread, 0, model->now_ns);
	syscall_user(model, cpu->thread);
}

int context_hardware_entry(struct lkst_model *model, struct model_cpu *cpu,
			   const struct lkst_event *event)
{
	struct model_context *context =
		context_enter(model, cpu, LKST_CONTEXT_IRQ, event->arg[0], event->flags);

	lkst_event_text(event, 1, 3, context->span.name);
	context_entered(model, cpu, context);
	return 0;
}

int context_hardware_exit(struct lkst_model *model, struct model_cpu *cpu,
			  const struct lkst_event *event)
{
	context_leave(model, cpu, LKST_CONTEXT_IRQ, event->arg[0], false);
	return 0;
}

int context_timer_irq_entry(struct lkst_model *model, struct model_cpu *cpu,
			    const struct lkst_event *event)
{
	struct model_context *context;

	context_show_user(model, cpu, event);
	context = context_enter(model, cpu, LKST_CONTEXT_TIMER_IRQ, event->arg[0], event->flags);
	context->span.ip = event->arg[1];
	context_entered(model, cpu, context);
	return 0;
}

int context_timer_irq_exit(struct lkst_model *model, struct model_cpu *cpu,
			   const struct lkst_event *event)
{
	context_leave(model, cpu, LKST_CONTEXT_TIMER_IRQ, event->arg[0], false);
	return 0;
}

int context_ipi_entry(struct lkst_model *model, struct model_cpu *cpu,
		      const struct lkst_event *event)
{
	context_entered(model, cpu,
			context_enter(model, cpu, LKST_CONTEXT_IPI, event->arg[0], event->flags));
	return 0;
}

int context_ipi_exit(struct lkst_model *model, struct model_cpu *cpu,
		     const struct lkst_event *event)
{
	context_leave(model, cpu, LKST_CONTEXT_IPI, event->arg[0], false);
	return 0;
}

int context_softirq_raise(struct lkst_model *model, struct model_cpu *cpu,
			  const struct lkst_event *event)
{
	uint64_t vector = event->arg[0];

	/* Raising a softirq that is already pending has no effect, so the first time counts. */
	if (vector < MODEL_SOFTIRQS && !cpu->raised_ns[vector])
		cpu->raised_ns[vector] = model->now_ns;
	return 0;
}

int context_softirq_entry(struct lkst_model *model, struct model_cpu *cpu,
			  const struct lkst_event *event)
{
	uint64_t vector = event->arg[0];
	struct model_context *context =
		context_enter(model, cpu, LKST_CONTEXT_SOFTIRQ, vector, event->flags);

	if (vector < MODEL_SOFTIRQS) {
		context->span.raised_ns = cpu->raised_ns[vector];
		cpu->raised_ns[vector] = 0;
	}
	context_entered(model, cpu, context);
	return 0;
}

int context_softirq_exit(struct lkst_model *model, struct model_cpu *cpu,
			 const struct lkst_event *event)
{
	context_leave(model, cpu, LKST_CONTEXT_SOFTIRQ, event->arg[0], false);
	return 0;
}

int context_tasklet_entry(struct lkst_model *model, struct model_cpu *cpu,
			  const struct lkst_event *event)
{
	context_entered(model, cpu,
			context_enter(model, cpu, LKST_CONTEXT_TASKLET, event->arg[1],
				      event->flags));
	return 0;
}

int context_tasklet_exit(struct lkst_model *model, struct model_cpu *cpu,
			 const struct lkst_event *event)
{
	context_leave(model, cpu, LKST_CONTEXT_TASKLET, event->arg[1], false);
	return 0;
}

int context_timer_entry(struct lkst_model *model, struct model_cpu *cpu,
			const struct lkst_event *event)
{
	context_entered(model, cpu,
			context_enter(model, cpu, LKST_CONTEXT_TIMER, event->arg[1], event->flags));
	return 0;
}

/* The function in an exit event of a timer is 0 if the kernel did not record the entry. */
int context_timer_exit(struct lkst_model *model, struct model_cpu *cpu,
		       const struct lkst_event *event)
{
	context_leave(model, cpu, LKST_CONTEXT_TIMER, event->arg[1], !event->arg[1]);
	return 0;
}

int context_hrtimer_entry(struct lkst_model *model, struct model_cpu *cpu,
			  const struct lkst_event *event)
{
	struct model_context *context =
		context_enter(model, cpu, LKST_CONTEXT_HRTIMER, event->arg[1], event->flags);

	context->span.expires_ns = (int64_t)event->arg[2];
	context_entered(model, cpu, context);
	return 0;
}

int context_hrtimer_exit(struct lkst_model *model, struct model_cpu *cpu,
			 const struct lkst_event *event)
{
	context_leave(model, cpu, LKST_CONTEXT_HRTIMER, event->arg[1], !event->arg[1]);
	return 0;
}

int context_work_entry(struct lkst_model *model, struct model_cpu *cpu,
		       const struct lkst_event *event)
{
	struct model_context *context;

	if (!cpu->thread)
		context = context_enter(model, cpu, LKST_CONTEXT_WORK, event->arg[1], event->flags);
	else
		context = context_enter_thread(model, cpu, LKST_CONTEXT_WORK, event->arg[1]);
	if (!context)
		return -1;
	/* Only kernel threads execute work items. */
	if (cpu->thread)
		cpu->thread->pub.kernel = true;
	context_entered(model, cpu, context);
	return 0;
}

int context_work_exit(struct lkst_model *model, struct model_cpu *cpu,
		      const struct lkst_event *event)
{
	context_leave(model, cpu, LKST_CONTEXT_WORK, event->arg[1], false);
	return 0;
}

int context_exception_entry(struct lkst_model *model, struct model_cpu *cpu,
			    const struct lkst_event *event)
{
	uint64_t trap = model_high(event->arg[0]);
	struct model_context *context;

	context_show_user(model, cpu, event);
	if (cpu->depth || !cpu->thread)
		context = context_enter(model, cpu, LKST_CONTEXT_EXCEPTION, trap, event->flags);
	else
		context = context_enter_thread(model, cpu, LKST_CONTEXT_EXCEPTION, trap);
	if (!context)
		return -1;
	context->span.ip = event->arg[1];
	context_entered(model, cpu, context);
	return 0;
}

int context_exception_exit(struct lkst_model *model, struct model_cpu *cpu,
			   const struct lkst_event *event)
{
	context_leave(model, cpu, LKST_CONTEXT_EXCEPTION, model_high(event->arg[0]), false);
	/* If the exception occurred in user mode, the thread now returns there. */
	context_show_user(model, cpu, event);
	cpu_refresh(model, cpu, model->now_ns);
	return 0;
}
