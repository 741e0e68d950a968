// SPDX-License-Identifier: GPL-2.0
/*
 * Folded stacks: a line for each thread, state and cause, with the time in microseconds. The times
 * of running threads come from the spans of CPUs, because only these show whether the thread was in
 * user mode, in the kernel or interrupted.
 */
#include <stdlib.h>
#include <string.h>

#include "folded.h"
#include "lib/base/error.h"
#include "lib/base/etype_ids.h"
#include "lib/trace/trace.h"
#include "lkstbuf/export/formats.h"

/**
 * folded_thread() - find the data about a thread
 * @folded: export
 * @thread: thread
 *
 * Return: the thread; NULL if an allocation failed.
 */
struct folded_thread *folded_thread(struct folded *folded, const struct lkst_thread *thread)
{
	struct folded_thread **list = states_cover(&folded->states, folded->thread,
						   &folded->threads, thread->index, sizeof(*list));
	struct folded_thread *of;

	if (!list)
		return NULL;
	folded->thread = list;
	if (list[thread->index])
		return list[thread->index];
	of = calloc(1, sizeof(*of));
	if (!of) {
		states_out_of_memory(&folded->states);
		return NULL;
	}
	of->thread = thread;
	of->call_end_ns = INT64_MIN;
	list[thread->index] = of;
	return of;
}

/**
 * folded_begin() - begin a line with the thread
 * @folded: export; the line is in @folded->text
 * @thread: thread
 * @cpu: CPU on which the thread spent the time
 *
 * Return: whether -p and -c select this time.
 */
bool folded_begin(struct folded *folded, struct folded_thread *thread, int32_t cpu)
{
	char name[STATE_THREAD_SIZE];

	if (!states_select_cpu(&folded->states, cpu) ||
	    !states_select(&folded->states, thread->thread, &thread->choice))
		return false;
	folded->text.len = 0;
	folded_text_add(&folded->text,
			state_thread_name(folded->export->context->names, thread->thread, name));
	return true;
}

/**
 * folded_add() - add time to the line that folded_begin() began
 * @folded: export
 * @ns: time in nanoseconds
 */
void folded_add(struct folded *folded, int64_t ns)
{
	if (folded_lines_add(&folded->lines, &folded->text, ns))
		states_out_of_memory(&folded->states);
}

/* ---- running and runnable threads ---- */

/* Add a frame for the kernel, and one for the system call or exception if it is known. */
static void folded_kernel(struct folded *folded, const struct folded_thread *thread,
			  const struct lkst_cpu_span *span)
{
	const struct lkst_thread *now = thread->thread;
	char name[STATE_CALL_SIZE];

	folded_text_add(&folded->text, "in the kernel");
	/* If the span ended because the call returned, the thread is no longer in the call. */
	if (now->syscall != LKST_SYSCALL_NONE)
		state_syscall_name(now, now->syscall, now->abi, name);
	else if (thread->call_end_ns == span->end_ns)
		state_syscall_name(now, thread->call_number, thread->call_abi, name);
	else if (!now->kernel)
		strcpy(name, "exception");
	else
		return;
	folded_text_add(&folded->text, name);
}

static void folded_on_cpu(void *ctx, const struct lkst_cpu_span *span)
{
	struct folded *folded = ctx;
	struct folded_thread *thread = span->thread ? folded_thread(folded, span->thread) : NULL;
	struct folded_text *text = &folded->text;

	if (!thread || !folded_begin(folded, thread, span->cpu))
		return;
	switch (span->mode) {
	case LKST_MODE_HARDIRQ:
		folded_text_add(text, "interrupted");
		folded_text_add(text, "hard interrupt");
		break;
	case LKST_MODE_SOFTIRQ:
		folded_text_add(text, "interrupted");
		folded_text_add(text, "softirq");
		break;
	case LKST_MODE_USER:
		folded_text_add(text, "running");
		folded_text_add(text, "user mode");
		break;
	case LKST_MODE_KERNEL:
		folded_text_add(text, "running");
		folded_kernel(folded, thread, span);
		break;
	default:
		folded_text_add(text, "running");
		folded_text_add(text, "user mode or kernel");
	}
	folded_add(folded, span->end_ns - span->begin_ns);
}

static void folded_runnable(struct folded *folded, struct folded_thread *thread,
			    const struct lkst_thread_span *span)
{
	char behind[STATE_THREAD_SIZE + 8] = "behind ";

	if (!folded_begin(folded, thread, span->cpu))
		return;
	folded_text_add(&folded->text, "runnable");
	if (span->preempted)
		folded_text_add(&folded->text, "after preemption");
	else if (span->begin_known || span->wake.known)
		folded_text_add(&folded->text, "after a wake-up");
	if (span->behind) {
		state_thread_name(folded->export->context->names, span->behind,
				  behind + strlen(behind));
		folded_text_add(&folded->text, behind);
	}
	folded_add(folded, span->end_ns - span->begin_ns);
}

static void folded_on_thread(void *ctx, const struct lkst_thread_span *span)
{
	struct folded *folded = ctx;
	struct folded_thread *thread = folded_thread(folded, span->thread);

	if (!thread)
		return;
	folded_sleep_span(folded, thread, span);
	if (span->state == LKST_STATE_RUNNABLE)
		folded_runnable(folded, thread, span);
}

static void folded_on_syscall(void *ctx, const struct lkst_syscall_span *span)
{
	struct folded *folded = ctx;
	struct folded_thread *thread = folded_thread(folded, span->thread);

	if (!thread)
		return;
	thread->call_end_ns = span->end_ns;
	thread->call_number = span->number;
	thread->call_abi = span->abi;
	folded_sleep_call(folded, thread, span);
}

static void folded_on_event(void *ctx, const struct lkst_event *event)
{
	folded_sleep_event(ctx, event);
}

static const struct lkst_model_ops folded_ops = {
	.thread = folded_on_thread,
	.cpu = folded_on_cpu,
	.syscall = folded_on_syscall,
	.event = folded_on_event,
};

/* ---- the format ---- */

static void folded_close(void *ctx)
{
	struct folded *folded = ctx;

	for (size_t i = 0; i < folded->threads; i++) {
		if (folded->thread[i])
			free(folded->thread[i]->pending);
		free(folded->thread[i]);
	}
	free(folded->thread);
	folded_lines_free(&folded->lines);
	states_close(&folded->states);
	free(folded);
}

static void *folded_open(struct export *export, struct lkst_error *err)
{
	struct folded *folded = calloc(1, sizeof(*folded));

	if (!folded) {
		lkst_error_memory(err, "the export");
		return NULL;
	}
	folded->export = export;
	folded->stacks = lkst_trace_has_type(export->trace, LKST_ETYPE_PROCESS_BLOCK);
	folded->calls = lkst_trace_has_type(export->trace, LKST_ETYPE_SYSCALL_ENTRY) ||
			lkst_trace_has_type(export->trace, LKST_ETYPE_SYSCALL_EXIT);
	if (states_open(&folded->states, export, &folded_ops, folded, err)) {
		folded_close(folded);
		return NULL;
	}
	return folded;
}

static int folded_observe(void *ctx, const struct lkst_event *event, struct lkst_error *err)
{
	struct folded *folded = ctx;

	return states_observe(&folded->states, event, err);
}

/* Events have no lines, because the lines show states. */
static int folded_event(void *ctx, const struct lkst_event *event, struct lkst_error *err)
{
	(void)ctx;
	(void)event;
	(void)err;
	return 0;
}

static int folded_end(void *ctx, struct lkst_error *err)
{
	struct folded *folded = ctx;

	if (states_end(&folded->states, err))
		return -1;
	for (size_t i = 0; i < folded->threads; i++)
		if (folded->thread[i])
			folded_sleep_end(folded, folded->thread[i]);
	if (!folded_lines_write(&folded->lines, &folded->export->out))
		return 0;
	lkst_error_memory(err, "the export");
	return -1;
}

const struct export_format export_folded = {
	.name = "folded",
	.suffix = ".folded",
	.text = true,
	.no_events = true,
	.open = folded_open,
	.observe = folded_observe,
	.event = folded_event,
	.end = folded_end,
	.close = folded_close,
};
