// SPDX-License-Identifier: LGPL-2.1
/*
 * The CPUs: the thread that each of them executes, its mode, and the spans of CPUs.
 *
 * The innermost context determines the mode. If there is no context, the thread determines it. A
 * change takes three steps: cpu_account() counts the time up to the change, then the caller changes
 * the state, and cpu_refresh() ends the span if the mode or the thread has changed.
 */
#include <string.h>

#include "lib/base/etype_ids.h"
#include "state.h"

/*
 * Return whether the time in a context is also time of the context around it: an interrupt or
 * softirq calls the functions of tasklets and timers, and the interrupted code itself causes
 * exceptions.
 */
static bool cpu_context_is_called(const struct model_context *context)
{
	return context->span.kind == LKST_CONTEXT_TASKLET ||
	       context->span.kind == LKST_CONTEXT_TIMER ||
	       context->span.kind == LKST_CONTEXT_HRTIMER ||
	       context->span.kind == LKST_CONTEXT_EXCEPTION;
}

/*
 * Count time for the innermost context, and for the contexts that called it. If the mode of the
 * next outer context differs, that context is not the caller: the actual caller was not recorded.
 */
static void cpu_account_contexts(struct model_context *context, unsigned int depth, int64_t ns)
{
	while (depth-- > 0) {
		context[depth].span.own_ns += ns;
		if (!depth || !cpu_context_is_called(&context[depth]) ||
		    context[depth - 1].mode != context[depth].mode)
			break;
	}
}

/**
 * cpu_account() - count the time up to a moment for the thread and the contexts of a CPU
 * @cpu: CPU
 * @at_ns: time up to which to count. Nothing is counted if a previous call has counted further
 */
void cpu_account(struct model_cpu *cpu, int64_t at_ns)
{
	int64_t ns = at_ns - cpu->at_ns;

	if (ns <= 0)
		return;
	if (cpu->depth)
		cpu_account_contexts(cpu->context, cpu->depth, ns);
	else if (cpu->thread)
		cpu_account_contexts(cpu->thread->live->context, cpu->thread->live->depth, ns);
	if (cpu->thread)
		cpu->thread->live->span.mode_ns[cpu->span.mode] += ns;
	cpu->at_ns = at_ns;
}

/* Return the mode of a thread that is not interrupted. */
static enum lkst_mode cpu_thread_mode(const struct lkst_model *model,
				      const struct model_thread *thread)
{
	if (thread->pub.kernel)
		return LKST_MODE_KERNEL;
	if (!model_saw(model, LKST_ETYPE_SYSCALL_ENTRY) &&
	    !model_saw(model, LKST_ETYPE_SYSCALL_EXIT))
		return LKST_MODE_THREAD;
	if (thread->live->depth || thread->live->call == CALL_OPEN ||
	    thread->live->call == CALL_FORKED)
		return LKST_MODE_KERNEL;
	return thread->live->call == CALL_NONE ? LKST_MODE_USER : LKST_MODE_THREAD;
}

static enum lkst_mode cpu_mode(const struct lkst_model *model, const struct model_cpu *cpu)
{
	/*
	 * Neither an exception nor a work item changes the mode of the interrupt or thread in which
	 * it occurs.
	 */
	for (unsigned int i = cpu->depth; i-- > 0;)
		if (cpu->context[i].span.kind != LKST_CONTEXT_EXCEPTION &&
		    cpu->context[i].span.kind != LKST_CONTEXT_WORK)
			return cpu->context[i].mode;
	switch (cpu->what) {
	case WHAT_IDLE:
		return cpu->offline ? LKST_MODE_UNKNOWN : LKST_MODE_IDLE;
	case WHAT_THREAD:
		return cpu_thread_mode(model, cpu->thread);
	default:
		return LKST_MODE_UNKNOWN;
	}
}

static void cpu_report(struct lkst_model *model, struct model_cpu *cpu, int64_t at_ns)
{
	cpu->span.end_ns = at_ns;
	if (cpu->seen && at_ns > cpu->span.begin_ns)
		MODEL_REPORT(model, cpu, &cpu->span);
	cpu->span.begin_ns = at_ns;
}

/**
 * cpu_refresh() - begin a new span if the mode or the thread has changed
 * @model: model
 * @cpu: CPU
 * @at_ns: time of the change, for which cpu_account() has been called
 */
void cpu_refresh(struct lkst_model *model, struct model_cpu *cpu, int64_t at_ns)
{
	const struct lkst_thread *thread = cpu->thread ? &cpu->thread->pub : NULL;
	enum lkst_mode mode = cpu_mode(model, cpu);

	if (mode == cpu->span.mode && thread == cpu->span.thread)
		return;
	cpu_report(model, cpu, at_ns);
	cpu->span.mode = mode;
	cpu->span.thread = thread;
}

/**
 * cpu_leave() - note that the current thread of a CPU is no longer known
 * @model: model
 * @cpu: CPU
 * @at_ns: time
 *
 * The caller sets the new state of the thread and then calls cpu_refresh().
 *
 * Return: the thread that was the current one, which is still RUNNING; NULL if there was none.
 */
struct model_thread *cpu_leave(struct lkst_model *model, struct model_cpu *cpu, int64_t at_ns)
{
	struct model_thread *thread = cpu->thread;

	(void)model;
	cpu_account(cpu, at_ns);
	cpu->what = WHAT_UNKNOWN;
	cpu->thread = NULL;
	cpu->tid = MODEL_NO_TID;
	return thread;
}

/**
 * cpu_stop() - note that the current thread of a CPU and the state of this thread are no longer
 * known
 * @model: model
 * @cpu: CPU
 * @at_ns: time
 */
void cpu_stop(struct lkst_model *model, struct model_cpu *cpu, int64_t at_ns)
{
	struct model_thread *thread = cpu_leave(model, cpu, at_ns);

	if (!thread)
		return;
	/* If context switches are not recorded, process_exit alone shows that the thread ended. */
	if (thread->live->exiting && !model_saw(model, LKST_ETYPE_PROCESS_CONTEXTSWITCH) &&
	    at_ns == model->now_ns)
		thread_exit(model, thread, LKST_END_EXIT);
	else
		thread_forget(model, thread, at_ns);
}

/**
 * cpu_run() - set the current thread of a CPU
 * @model: model
 * @cpu: CPU whose current thread is unknown
 * @thread: thread that has not ended. If it is RUNNING on another CPU, it leaves that CPU
 * @begin_known: the thread is known not to have been running before
 */
void cpu_run(struct lkst_model *model, struct model_cpu *cpu, struct model_thread *thread,
	     bool begin_known)
{
	int64_t now_ns = model->now_ns;

	cpu_account(cpu, now_ns);
	if (thread->pub.state == LKST_STATE_RUNNING) {
		struct model_cpu *other = model->world[cpu->span.source]->cpu[thread->pub.cpu];

		model->counts.reordered++;
		cpu_leave(model, other, now_ns);
		thread_set(model, thread, LKST_STATE_UNKNOWN, false, LKST_END_CUT, now_ns);
		cpu_refresh(model, other, now_ns);
	}
	if (thread->pub.cpu != cpu->span.cpu)
		thread->live->span.behind = NULL;
	thread_place(model, thread, cpu);
	thread_set(model, thread, LKST_STATE_RUNNING, begin_known, LKST_END_STATE, now_ns);
	thread->live->early.known = false;
	cpu->what = WHAT_THREAD;
	cpu->thread = thread;
	cpu->tid = thread->pub.tid;
	cpu_refresh(model, cpu, now_ns);
}

/**
 * cpu_idle() - note that a CPU executes its idle thread
 * @model: model
 * @cpu: CPU whose current thread is unknown
 */
void cpu_idle(struct lkst_model *model, struct model_cpu *cpu)
{
	cpu_account(cpu, model->now_ns);
	cpu->what = WHAT_IDLE;
	cpu->tid = 0;
	cpu_refresh(model, cpu, model->now_ns);
}

/**
 * cpu_forget() - note that nothing is known about a CPU, and that threads may have run on it
 * @model: model
 * @cpu: CPU
 * @at_ns: time from which on nothing is known. The time of the CPU may already have been counted
 *	beyond @at_ns, if its thread was seen on another CPU before the loss was noticed
 */
void cpu_forget(struct lkst_model *model, struct model_cpu *cpu, int64_t at_ns)
{
	int64_t cpu_ns = model_later(at_ns, model_later(cpu->span.begin_ns, cpu->at_ns));

	contexts_drop(model, cpu, 0, cpu_ns);
	cpu_stop(model, cpu, cpu_ns);
	cpu->offline = false;
	cpu->switched_from = MODEL_NO_TID;
	memset(cpu->raised_ns, 0, sizeof(cpu->raised_ns));
	cpu_refresh(model, cpu, cpu_ns);
	while (cpu->threads)
		thread_forget(model, cpu->threads, at_ns);
}

/**
 * cpu_show() - note the current thread of a CPU, as shown by an event
 * @model: model
 * @cpu: CPU
 * @tid: thread ID of an event that is not a context switch
 *
 * Return: 0; -1 if an allocation fails.
 */
int cpu_show(struct lkst_model *model, struct model_cpu *cpu, uint32_t tid)
{
	struct model_thread *thread = NULL;

	if (tid == cpu->tid || tid >= MODEL_TIDS || tid == cpu->switched_from)
		return 0;
	if (tid) {
		thread = thread_get(model, cpu->span.source, tid);
		if (!thread)
			return -1;
	}
	if (cpu->what != WHAT_UNKNOWN) {
		/*
		 * If context switches are not recorded, the current thread can change without an
		 * event.
		 */
		if (model_saw(model, LKST_ETYPE_PROCESS_CONTEXTSWITCH) && !model->selected)
			model->counts.reordered++;
		cpu_stop(model, cpu, model->now_ns);
	}
	if (thread)
		cpu_run(model, cpu, thread, false);
	else
		cpu_idle(model, cpu);
	return 0;
}

/**
 * cpu_cut() - report the spans of a CPU up to a time, and continue them
 * @model: model
 * @cpu: CPU with events
 * @at_ns: time
 */
void cpu_cut(struct lkst_model *model, struct model_cpu *cpu, int64_t at_ns)
{
	cpu_account(cpu, at_ns);
	contexts_cut(model, cpu->context, cpu->depth, at_ns);
	cpu_report(model, cpu, at_ns);
}
