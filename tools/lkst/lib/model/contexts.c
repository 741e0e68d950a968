// SPDX-License-Identifier: LGPL-2.1
/*
 * Contexts: interrupts, softirqs, timer functions, work items and exceptions.
 *
 * Work items and exceptions belong to the thread, because it may be switched out before they end.
 * All other contexts belong to the CPU, and so does an exception that occurs within such a context.
 *
 * If the exit of a context is not recorded, later events show that the context has ended: the
 * entry of another context that cannot be nested in it, the exit of an outer context, an event
 * without the flag that all events in the context have, or a context switch.
 */
#include <stdlib.h>

#include "lib/base/etype_ids.h"
#include "state.h"

static bool context_is_hard(enum lkst_context_kind kind)
{
	return kind == LKST_CONTEXT_IRQ || kind == LKST_CONTEXT_TIMER_IRQ ||
	       kind == LKST_CONTEXT_IPI;
}

static void context_report(struct lkst_model *model, struct model_context *context, bool end_known,
			   int64_t at_ns)
{
	context->span.end_ns = at_ns;
	context->span.end_known = end_known;
	MODEL_REPORT(model, context, &context->span);
}

static void contexts_set_depth(struct model_cpu *cpu, unsigned int depth)
{
	cpu->depth = depth;
	cpu->context_flags = 0;
	for (unsigned int i = 0; i < depth; i++)
		cpu->context_flags |= cpu->context[i].flag;
}

/**
 * contexts_drop() - end inner contexts of a CPU, because their exits are missing
 * @model: model
 * @cpu: CPU; the caller calls cpu_refresh() later
 * @depth: number of outer contexts that stay open
 * @at_ns: time
 */
void contexts_drop(struct lkst_model *model, struct model_cpu *cpu, unsigned int depth,
		   int64_t at_ns)
{
	if (cpu->depth <= depth)
		return;
	cpu_account(cpu, at_ns);
	while (cpu->depth > depth) {
		model->counts.begins++;
		context_report(model, &cpu->context[cpu->depth - 1], false, at_ns);
		cpu->depth--;
	}
	contexts_set_depth(cpu, depth);
}

/**
 * contexts_drop_thread() - end inner contexts of a thread, because their exits are missing
 * @model: model
 * @thread: thread. If it runs on a CPU, the caller has called cpu_account(), and calls
 *	cpu_refresh() later
 * @depth: number of outer contexts that stay open
 * @at_ns: time
 */
void contexts_drop_thread(struct lkst_model *model, struct model_thread *thread, unsigned int depth,
			  int64_t at_ns)
{
	while (thread->live->depth > depth) {
		model->counts.begins++;
		context_report(model, &thread->live->context[--thread->live->depth], false, at_ns);
	}
}

/**
 * contexts_check_flags() - end the contexts of a CPU that the flags of an event rule out
 * @model: model
 * @cpu: CPU
 * @flags: LKST_LOG_* of an event on this CPU
 */
void contexts_check_flags(struct lkst_model *model, struct model_cpu *cpu, uint32_t flags)
{
	unsigned int i = 0;

	if (!(cpu->context_flags & ~flags) || flags & LKST_LOG_NMI)
		return;
	while (i < cpu->depth && !(cpu->context[i].flag & ~flags))
		i++;
	contexts_drop(model, cpu, i, model->now_ns);
	cpu_refresh(model, cpu, model->now_ns);
}

/**
 * contexts_cut() - report contexts up to a time, and continue them
 * @model: model
 * @context: contexts for which cpu_account() has been called; may be NULL if @depth is 0
 * @depth: number of contexts
 * @at_ns: time
 */
void contexts_cut(struct lkst_model *model, struct model_context *context, unsigned int depth,
		  int64_t at_ns)
{
	while (depth-- > 0) {
		if (context[depth].span.begin_ns == at_ns)
			continue;
		context_report(model, &context[depth], false, at_ns);
		context[depth].span.begin_ns = at_ns;
		context[depth].span.begin_known = false;
		context[depth].span.own_ns = 0;
	}
}

/* ---- entries and exits ---- */

/* Return 1 plus the index of the innermost context of a kind, or 0 if no context matches. */
static unsigned int contexts_find(const struct model_context *context, unsigned int depth,
				  enum lkst_context_kind kind, uint64_t number, bool any_number)
{
	while (depth > 0 && (context[depth - 1].span.kind != kind ||
			     (!any_number && context[depth - 1].span.number != number)))
		depth--;
	return depth;
}

/*
 * Before a context is entered, end any open context of the same kind on this CPU, and the contexts
 * within that one: a context cannot be nested in another of its kind, so the exit is missing.
 * Contexts of three kinds can be nested, so entering one of them ends no other context: exceptions,
 * interrupts that are handled like NMIs, and hrtimer functions in a hard interrupt, because the
 * interrupt may have interrupted the function of another hrtimer in a softirq.
 */
static void contexts_drop_same(struct lkst_model *model, struct model_cpu *cpu,
			       enum lkst_context_kind kind, uint32_t flags)
{
	unsigned int i = contexts_find(cpu->context, cpu->depth, kind, 0, true);

	if (!i || kind == LKST_CONTEXT_EXCEPTION || flags & LKST_LOG_NMI)
		return;
	for (unsigned int k = i; kind == LKST_CONTEXT_HRTIMER && k < cpu->depth; k++)
		if (context_is_hard(cpu->context[k].span.kind))
			return;
	contexts_drop(model, cpu, i - 1, model->now_ns);
}

static uint32_t context_flag(enum lkst_context_kind kind, uint32_t flags)
{
	if (kind == LKST_CONTEXT_EXCEPTION || kind == LKST_CONTEXT_WORK)
		return 0;
	if (context_is_hard(kind) || (kind == LKST_CONTEXT_HRTIMER && flags & LKST_LOG_HARDIRQ))
		return flags & LKST_LOG_HARDIRQ;
	return flags & LKST_LOG_SOFTIRQ;
}

static enum lkst_mode context_mode(const struct model_cpu *cpu, enum lkst_context_kind kind,
				   uint32_t flags)
{
	if (kind == LKST_CONTEXT_EXCEPTION || kind == LKST_CONTEXT_WORK)
		return cpu->span.mode;
	if (context_is_hard(kind) ||
	    (kind == LKST_CONTEXT_HRTIMER &&
	     (flags & LKST_LOG_HARDIRQ || cpu->span.mode == LKST_MODE_HARDIRQ)))
		return LKST_MODE_HARDIRQ;
	return LKST_MODE_SOFTIRQ;
}

/* Describe a context that begins now. @begin_known is false if only its exit was recorded. */
static struct model_context context_make(const struct lkst_model *model,
					 const struct model_cpu *cpu, enum lkst_context_kind kind,
					 uint64_t number, bool begin_known)
{
	return (struct model_context){
		.span = {
			.source = cpu->span.source,
			.cpu = cpu->span.cpu,
			.kind = kind,
			.number = number,
			.thread = cpu->thread ? &cpu->thread->pub : NULL,
			.begin_ns = model->now_ns,
			.begin_known = begin_known,
		},
	};
}

/**
 * context_enter() - enter a context of a CPU
 * @model: model
 * @cpu: CPU
 * @kind: kind
 * @number: number, see enum lkst_context_kind
 * @flags: LKST_LOG_* of the event
 *
 * Return: the context. The caller sets the members that are specific to the kind, and then calls
 * context_entered().
 */
struct model_context *context_enter(struct lkst_model *model, struct model_cpu *cpu,
				    enum lkst_context_kind kind, uint64_t number, uint32_t flags)
{
	struct model_context *context;

	cpu_account(cpu, model->now_ns);
	contexts_drop_same(model, cpu, kind, flags);
	if (cpu->depth == CPU_CONTEXTS_MAX)
		contexts_drop(model, cpu, 0, model->now_ns);
	cpu_refresh(model, cpu, model->now_ns);
	context = &cpu->context[cpu->depth];
	*context = context_make(model, cpu, kind, number, true);
	context->mode = context_mode(cpu, kind, flags);
	context->flag = context_flag(kind, flags);
	cpu->context_flags |= context->flag;
	cpu->depth++;
	return context;
}

/**
 * context_enter_thread() - enter a context of the current thread of a CPU
 * @model: model
 * @cpu: CPU with a thread
 * @kind: WORK or EXCEPTION
 * @number: number, see enum lkst_context_kind
 *
 * Return: the context, which the caller completes as after context_enter(); NULL if an allocation
 * fails.
 */
struct model_context *context_enter_thread(struct lkst_model *model, struct model_cpu *cpu,
					   enum lkst_context_kind kind, uint64_t number)
{
	struct model_thread *thread = cpu->thread;
	unsigned int same =
		kind == LKST_CONTEXT_WORK ?
			contexts_find(thread->live->context, thread->live->depth, kind, 0, true) :
			0;

	if (!thread->live->context) {
		thread->live->context = calloc(THREAD_CONTEXTS_MAX, sizeof(*thread->live->context));
		if (!thread->live->context)
			return NULL;
	}
	cpu_account(cpu, model->now_ns);
	if (same)
		contexts_drop_thread(model, thread, same - 1, model->now_ns);
	if (thread->live->depth == THREAD_CONTEXTS_MAX)
		contexts_drop_thread(model, thread, 0, model->now_ns);
	thread->live->context[thread->live->depth] = context_make(model, cpu, kind, number, true);
	return &thread->live->context[thread->live->depth++];
}

/**
 * context_entered() - report that a context has begun
 * @model: model
 * @cpu: CPU
 * @context: from context_enter() or context_enter_thread()
 */
void context_entered(struct lkst_model *model, struct model_cpu *cpu,
		     const struct model_context *context)
{
	MODEL_REPORT(model, context_begin, &context->span);
	cpu_refresh(model, cpu, model->now_ns);
}

/**
 * contexts_continue() - report contexts that are open when a window opens
 * @model: model
 * @context: contexts; may be NULL if @depth is 0
 * @depth: number of contexts
 */
void contexts_continue(struct lkst_model *model, const struct model_context *context,
		       unsigned int depth)
{
	for (unsigned int i = 0; i < depth; i++)
		MODEL_REPORT(model, context_begin, &context[i].span);
}

/**
 * context_leave() - leave a context of a CPU or, if the CPU has no such context, of its thread
 * @model: model
 * @cpu: CPU
 * @kind: kind
 * @number: number, see enum lkst_context_kind
 * @any_number: ignore @number, because it is not known
 */
void context_leave(struct lkst_model *model, struct model_cpu *cpu, enum lkst_context_kind kind,
		   uint64_t number, bool any_number)
{
	int64_t now_ns = model->now_ns;
	struct model_thread *thread = cpu->thread;
	unsigned int i = contexts_find(cpu->context, cpu->depth, kind, number, any_number);

	cpu_account(cpu, now_ns);
	if (i) {
		contexts_drop(model, cpu, i, now_ns);
		context_report(model, &cpu->context[i - 1], true, now_ns);
		contexts_set_depth(cpu, i - 1);
	} else if (thread && (i = contexts_find(thread->live->context, thread->live->depth, kind,
						number, any_number))) {
		contexts_drop_thread(model, thread, i, now_ns);
		context_report(model, &thread->live->context[i - 1], true, now_ns);
		thread->live->depth = i - 1;
	} else {
		struct model_context context = context_make(model, cpu, kind, number, false);

		/* If a context of this kind with another number is open, its exit is missing. */
		i = contexts_find(cpu->context, cpu->depth, kind, 0, true);
		if (i && kind != LKST_CONTEXT_EXCEPTION)
			contexts_drop(model, cpu, i - 1, now_ns);
		model->counts.ends++;
		context_report(model, &context, true, now_ns);
	}
	cpu_refresh(model, cpu, now_ns);
}
