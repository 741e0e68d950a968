// SPDX-License-Identifier: GPL-2.0
/* Draws the slices around the states of a thread: system calls, exceptions and work items. */
#include <stdio.h>

#include "chrome.h"

/* ---- system calls ---- */

static void calls_name(const struct lkst_syscall_span *span, char name[CHROME_NAME_SIZE])
{
	state_syscall_name(span->thread, span->number, span->abi, name);
}

/* Return the current event if it has the given type, otherwise NULL. */
static const struct lkst_event *calls_event(const struct chrome *chrome, uint32_t type)
{
	const struct lkst_event *event = chrome->states.event;

	return event && event->type == type ? event : NULL;
}

static void calls_take_entry(struct chrome_slice *slice, const struct lkst_event *event)
{
	if (!event)
		return;
	slice->has_entry = true;
	slice->entry = *event;
	/* The payload may become invalid before the slice ends. */
	slice->entry.payload = NULL;
}

/**
 * chrome_syscall_begin() - begin a system call
 * @ctx: export
 * @span: call
 */
void chrome_syscall_begin(void *ctx, const struct lkst_syscall_span *span)
{
	struct chrome *chrome = ctx;
	struct chrome_thread *thread = chrome_thread(chrome, span->thread);
	struct chrome_slice slice = { .kind = CHROME_CALL, .begin_ns = span->begin_ns };
	struct chrome_track *track;

	if (!thread)
		return;
	chrome_thread_split(chrome, thread, span->begin_ns);
	thread->call_known = true;
	chrome_thread_flush(chrome, thread, INT64_MAX);
	if (!chrome_select(chrome, thread, span->thread->cpu))
		return;
	calls_name(span, slice.name);
	if (span->begin_known)
		calls_take_entry(&slice, calls_event(chrome, LKST_ETYPE_SYSCALL_ENTRY));
	track = chrome_thread_track(chrome, span->thread);
	if (track)
		chrome_begin(&chrome->writer, track, &slice);
}

/*
 * Begin a call of which only the end was recorded. If the states of the thread during the call are
 * no longer pending, it is too late to draw the call around them, so the call is drawn as an
 * instant at its end.
 */
static void calls_begin_late(struct chrome *chrome, struct chrome_thread *thread,
			     const struct lkst_syscall_span *span)
{
	struct chrome_slice slice = { .kind = CHROME_CALL, .begin_ns = span->begin_ns };
	struct chrome_track *track = chrome_thread_track(chrome, span->thread);

	if (!track)
		return;
	calls_name(span, slice.name);
	if (thread->call_known || thread->late)
		slice.begin_ns = span->end_ns;
	chrome_thread_flush(chrome, thread, slice.begin_ns);
	chrome_begin(&chrome->writer, track, &slice);
}

/**
 * chrome_syscall() - end a system call
 * @ctx: export
 * @span: call
 */
void chrome_syscall(void *ctx, const struct lkst_syscall_span *span)
{
	struct chrome *chrome = ctx;
	struct chrome_thread *thread = chrome_thread(chrome, span->thread);
	const struct lkst_event *exit = NULL;
	struct chrome_slice *slice;

	if (!thread)
		return;
	chrome_thread_split(chrome, thread, span->end_ns);
	if (!chrome_find(&thread->track, CHROME_CALL, 0) &&
	    chrome_select(chrome, thread, span->thread->cpu))
		calls_begin_late(chrome, thread, span);
	chrome_thread_flush(chrome, thread, INT64_MAX);
	thread->call_known = true;
	thread->late = false;
	slice = chrome_find(&thread->track, CHROME_CALL, 0);
	if (span->end_known)
		exit = calls_event(chrome, LKST_ETYPE_SYSCALL_EXIT);
	if (slice)
		chrome_end(&chrome->writer, &thread->track, slice, span->end_ns, exit, -1);
}

/* ---- contexts ---- */

/* Return whether a context belongs to the thread rather than to the CPU. */
static bool contexts_in_thread(const struct chrome *chrome, const struct lkst_context_span *span)
{
	struct lkst_cpu_span now;

	if (!span->thread ||
	    (span->kind != LKST_CONTEXT_WORK && span->kind != LKST_CONTEXT_EXCEPTION))
		return false;
	/* An exception in an interrupt belongs to the CPU. */
	return !lkst_model_cpu(chrome->states.model, span->source, span->cpu, &now) ||
	       (now.mode != LKST_MODE_HARDIRQ && now.mode != LKST_MODE_SOFTIRQ);
}

static void contexts_slice(const struct chrome *chrome, const struct lkst_context_span *span,
			   struct chrome_slice *slice)
{
	char text[STATE_CONTEXT_SIZE];

	*slice = (struct chrome_slice){
		.kind = (int)span->kind,
		.number = span->number,
		.begin_ns = span->begin_ns,
	};
	snprintf(slice->name, sizeof(slice->name), "%.*s", CHROME_NAME_SIZE - 1,
		 state_context_text(chrome->export->context, (int)span->kind, span->number,
				    span->name, text));
}

/**
 * chrome_context_begin() - begin an interrupt, softirq, timer function, work item or exception
 * @ctx: export
 * @span: context
 */
void chrome_context_begin(void *ctx, const struct lkst_context_span *span)
{
	struct chrome *chrome = ctx;
	struct chrome_thread *thread;
	struct chrome_track *track;
	struct chrome_slice slice;

	contexts_slice(chrome, span, &slice);
	if (span->begin_known)
		calls_take_entry(&slice, chrome->states.event);
	if (!contexts_in_thread(chrome, span)) {
		chrome_cpu_context_begin(chrome, span, &slice);
		return;
	}
	track = chrome_thread_track(chrome, span->thread);
	thread = track ? chrome_thread(chrome, span->thread) : NULL;
	if (!thread)
		return;
	chrome_thread_split(chrome, thread, span->begin_ns);
	chrome_thread_give_up(chrome, thread);
	if (chrome_select(chrome, thread, span->cpu))
		chrome_begin(&chrome->writer, track, &slice);
}

/* Find the thread of a context that ends. Returns NULL if the context belongs to the CPU. */
static struct chrome_thread *contexts_thread(struct chrome *chrome,
					     const struct lkst_context_span *span)
{
	const struct chrome_cpu *cpu = chrome_cpu(chrome, span->cpu);
	struct chrome_thread *thread;

	if (!span->thread || (cpu && chrome_find(&cpu->track, (int)span->kind, span->number)))
		return NULL;
	thread = chrome_thread(chrome, span->thread);
	if (!thread || chrome_find(&thread->track, (int)span->kind, span->number))
		return thread;
	return !span->begin_known && contexts_in_thread(chrome, span) ? thread : NULL;
}

static void contexts_end(struct chrome *chrome, struct chrome_track *track,
			 const struct lkst_context_span *span)
{
	const struct lkst_event *exit = span->end_known ? chrome->states.event : NULL;
	struct chrome_slice added, *slice = chrome_find(track, (int)span->kind, span->number);

	/* Draw an instant if only the end was recorded. */
	if (!slice && !span->begin_known) {
		contexts_slice(chrome, span, &added);
		added.begin_ns = span->end_ns;
		chrome_begin(&chrome->writer, track, &added);
		slice = chrome_find(track, (int)span->kind, span->number);
	}
	if (slice)
		chrome_end(&chrome->writer, track, slice, span->end_ns, exit,
			   slice->begin_ns < span->end_ns ? span->own_ns : -1);
}

/**
 * chrome_context() - end an interrupt, softirq, timer function, work item or exception
 * @ctx: export
 * @span: context
 */
void chrome_context(void *ctx, const struct lkst_context_span *span)
{
	struct chrome *chrome = ctx;
	struct chrome_thread *thread = contexts_thread(chrome, span);
	struct chrome_cpu *cpu = chrome_cpu(chrome, span->cpu);
	struct chrome_track *track;

	if (!thread) {
		if (cpu)
			contexts_end(chrome, &cpu->track, span);
		return;
	}
	track = chrome_thread_track(chrome, span->thread);
	chrome_thread_split(chrome, thread, span->end_ns);
	if (track && chrome_select(chrome, thread, span->cpu))
		contexts_end(chrome, track, span);
}
