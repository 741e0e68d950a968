// SPDX-License-Identifier: LGPL-2.1
/* Answers questions about the spans of a history. lib/model.h documents the functions. */
#include <string.h>

#include "history.h"

static const struct lkst_thread *ask_thread(const struct lkst_history *history, uint32_t number)
{
	return number ? lkst_model_thread(history->model, number - 1) : NULL;
}

/* Return how many spans begin at @time_ns or earlier. The first member of a span is its start. */
static size_t ask_begun(const struct history_list *list, size_t size, int64_t time_ns)
{
	size_t low = 0, high = list->num;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int64_t begin_ns;

		memcpy(&begin_ns, (const char *)list->item + middle * size, sizeof(begin_ns));
		if (begin_ns <= time_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The spans tile the time until @end_ns. Return how many of them end at @time_ns or earlier. */
static size_t ask_ended(const struct history_list *list, size_t size, int64_t end_ns,
			int64_t time_ns)
{
	size_t begun = ask_begun(list, size, time_ns);

	return begun && time_ns < end_ns ? begun - 1 : begun;
}

/* Each of these functions returns how many spans of a list end at @time_ns or earlier. */

size_t history_span_index(const struct history_thread *thread, int64_t time_ns)
{
	return ask_ended(&thread->spans, sizeof(struct history_span), thread->end_ns, time_ns);
}

size_t history_cpu_index(const struct history_cpu *cpu, int64_t time_ns)
{
	return ask_ended(&cpu->spans, sizeof(struct history_cpu_span), cpu->end_ns, time_ns);
}

/* System calls of a thread do not overlap, but there are gaps between them. */
size_t history_call_index(const struct history_thread *thread, int64_t time_ns)
{
	const struct history_call *calls = thread->calls.item;
	size_t begun = ask_begun(&thread->calls, sizeof(*calls), time_ns);

	return begun && time_ns < calls[begun - 1].end_ns ? begun - 1 : begun;
}

static const struct history_thread *ask_history(const struct lkst_history *history,
						const struct lkst_thread *thread)
{
	return thread->index < history->threads.num ? &history_threads(history)[thread->index] :
						      NULL;
}

static const struct history_cpu *ask_cpu(const struct lkst_history *history, uint32_t source,
					 int32_t number)
{
	const struct lkst_model *model = history->model;
	const struct model_world *world = source < model->worlds ? model->world[source] : NULL;
	const struct model_cpu *cpu;

	if (!world || number < 0 || (size_t)number >= world->cpus)
		return NULL;
	cpu = world->cpu[number];
	return cpu && cpu->seen && cpu->index < history->cpus.num ?
		       &history_cpus(history)[cpu->index] :
		       NULL;
}

/* ---- CPUs ---- */

static int64_t ask_cpu_end(const struct history_cpu *cpu, size_t i)
{
	const struct history_cpu_span *spans = cpu->spans.item;

	return i + 1 < cpu->spans.num ? spans[i + 1].begin_ns : cpu->end_ns;
}

size_t lkst_history_cpu_index(const struct lkst_history *history, uint32_t source, int32_t cpu,
			      int64_t time_ns)
{
	const struct history_cpu *of = ask_cpu(history, source, cpu);

	return of ? history_cpu_index(of, time_ns) : 0;
}

bool lkst_history_cpu_span(const struct lkst_history *history, uint32_t source, int32_t cpu,
			   size_t index, struct lkst_cpu_span *span)
{
	const struct history_cpu *of = ask_cpu(history, source, cpu);
	const struct history_cpu_span *from;

	if (!of || index >= of->spans.num)
		return false;
	from = (const struct history_cpu_span *)of->spans.item + index;
	*span = (struct lkst_cpu_span){
		.source = source,
		.cpu = cpu,
		.mode = from->mode,
		.thread = ask_thread(history, from->thread),
		.begin_ns = from->begin_ns,
		.end_ns = ask_cpu_end(of, index),
	};
	return true;
}

bool lkst_history_cpu_at(const struct lkst_history *history, uint32_t source, int32_t cpu,
			 int64_t time_ns, struct lkst_cpu_span *span)
{
	size_t i = lkst_history_cpu_index(history, source, cpu, time_ns);

	return lkst_history_cpu_span(history, source, cpu, i, span) && span->begin_ns <= time_ns;
}

/* ---- threads ---- */

static int64_t ask_span_end(const struct history_thread *thread, size_t i)
{
	const struct history_span *spans = thread->spans.item;

	return i + 1 < thread->spans.num ? spans[i + 1].begin_ns : thread->end_ns;
}

static int64_t ask_overlap(int64_t a_begin_ns, int64_t a_end_ns, int64_t b_begin_ns,
			   int64_t b_end_ns)
{
	int64_t begin_ns = a_begin_ns > b_begin_ns ? a_begin_ns : b_begin_ns;
	int64_t end_ns = a_end_ns < b_end_ns ? a_end_ns : b_end_ns;

	return begin_ns < end_ns ? end_ns - begin_ns : 0;
}

/* Compute how long a RUNNING span was in each mode, from the spans of its CPU. */
static void ask_modes(const struct lkst_history *history, struct lkst_thread_span *span)
{
	const struct history_cpu *cpu = ask_cpu(history, span->thread->source, span->cpu);
	int64_t rest_ns = span->end_ns - span->begin_ns;

	for (size_t i = cpu ? history_cpu_index(cpu, span->begin_ns) : 0; cpu && i < cpu->spans.num;
	     i++) {
		const struct history_cpu_span *from =
			(const struct history_cpu_span *)cpu->spans.item + i;
		int64_t ns = ask_overlap(span->begin_ns, span->end_ns, from->begin_ns,
					 ask_cpu_end(cpu, i));

		if (from->begin_ns >= span->end_ns)
			break;
		span->mode_ns[from->mode] += ns;
		rest_ns -= ns;
	}
	span->mode_ns[LKST_MODE_UNKNOWN] += rest_ns;
}

static void ask_cause(const struct lkst_history *history, const struct history_span *from,
		      struct lkst_thread_span *span)
{
	const struct history_cause *cause = history->causes.item;

	if (!from->cause)
		return;
	cause += from->cause - 1;
	if (span->state == LKST_STATE_BLOCKED) {
		span->context = cause->kind;
		span->number = cause->number;
	} else {
		span->wake.context = cause->kind;
		span->wake.number = cause->number;
		memcpy(span->wake.name, cause->name, sizeof(span->wake.name));
	}
}

/* Convert a span of a thread, except its times by mode. */
static void ask_unpack(const struct lkst_history *history, const struct lkst_thread *thread,
		       size_t index, struct lkst_thread_span *span)
{
	const struct history_thread *of = &history_threads(history)[thread->index];
	const struct history_span *from = (const struct history_span *)of->spans.item + index;

	*span = (struct lkst_thread_span){
		.thread = thread,
		.state = from->state,
		.begin_ns = from->begin_ns,
		.end_ns = ask_span_end(of, index),
		.begin_known = from->begin_known,
		.end = from->end,
		.cpu = from->cpu,
		.letter = from->letter,
		.syscall = from->syscall,
		.context = -1,
		.preempted = from->preempted,
		.wake = {
			.known = from->woken,
			.thread = ask_thread(history, from->waker),
			.cpu = from->wake_cpu,
			.context = -1,
			.time_ns = from->wake_ns,
		},
		.behind = ask_thread(history, from->behind),
	};
	ask_cause(history, from, span);
}

size_t lkst_history_thread_index(const struct lkst_history *history,
				 const struct lkst_thread *thread, int64_t time_ns)
{
	const struct history_thread *of = ask_history(history, thread);

	return of ? history_span_index(of, time_ns) : 0;
}

bool lkst_history_thread_span(const struct lkst_history *history, const struct lkst_thread *thread,
			      size_t index, struct lkst_thread_span *span)
{
	const struct history_thread *of = ask_history(history, thread);

	if (!of || index >= of->spans.num)
		return false;
	ask_unpack(history, thread, index, span);
	if (span->state == LKST_STATE_RUNNING)
		ask_modes(history, span);
	return true;
}

bool lkst_history_thread_at(const struct lkst_history *history, const struct lkst_thread *thread,
			    int64_t time_ns, struct lkst_thread_span *span)
{
	size_t i = lkst_history_thread_index(history, thread, time_ns);

	return lkst_history_thread_span(history, thread, i, span) && span->begin_ns <= time_ns;
}

/* ---- system calls ---- */

/* Compute how long a system call was in each state, from the spans of its thread. */
static void ask_states(const struct history_thread *thread, struct lkst_syscall_span *call)
{
	const struct history_span *spans = thread->spans.item;
	int64_t rest_ns = call->end_ns - call->begin_ns;

	for (size_t i = history_span_index(thread, call->begin_ns);
	     i < thread->spans.num && spans[i].begin_ns < call->end_ns; i++) {
		int64_t ns = ask_overlap(call->begin_ns, call->end_ns, spans[i].begin_ns,
					 ask_span_end(thread, i));

		call->state_ns[spans[i].state] += ns;
		rest_ns -= ns;
	}
	call->state_ns[LKST_STATE_UNKNOWN] += rest_ns;
}

size_t lkst_history_syscall_index(const struct lkst_history *history,
				  const struct lkst_thread *thread, int64_t time_ns)
{
	const struct history_thread *of = ask_history(history, thread);

	return of ? history_call_index(of, time_ns) : 0;
}

bool lkst_history_syscall_span(const struct lkst_history *history,
			       const struct lkst_thread *thread, size_t index,
			       struct lkst_syscall_span *span)
{
	const struct history_thread *of = ask_history(history, thread);
	const struct history_call *from;

	if (!of || index >= of->calls.num)
		return false;
	from = (const struct history_call *)of->calls.item + index;
	*span = (struct lkst_syscall_span){
		.thread = thread,
		.number = from->number,
		.abi = from->abi,
		.arg = { from->arg[0], from->arg[1], from->arg[2] },
		.result = from->result,
		.begin_ns = from->begin_ns,
		.end_ns = from->end_ns,
		.begin_known = from->begin_known,
		.end_known = from->end_known,
		.exited = from->exited,
	};
	ask_states(of, span);
	return true;
}

bool lkst_history_syscall_at(const struct lkst_history *history, const struct lkst_thread *thread,
			     int64_t time_ns, struct lkst_syscall_span *span)
{
	size_t i = lkst_history_syscall_index(history, thread, time_ns);

	return lkst_history_syscall_span(history, thread, i, span) && span->begin_ns <= time_ns;
}
