// SPDX-License-Identifier: GPL-2.0
/*
 * lkstla diff: receives spans and wake-ups from the model, and counts them in rows. The names of
 * the rows are the same in each boot.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diff.h"
#include "lib/base/etype_ids.h"
#include "lib/text/constants.h"
#include "lkstla/block.h"
#include "lkstla/contexts.h"
#include "lkstla/lock.h"
#include "lkstla/syscall.h"
#include "lkstla/tally.h"
#include "lkstla/value.h"

#define ERRNO_MAX 4095

/* The analyses that find waits for locks, and requests to block devices */
static const struct analysis *const engines[] = { &analysis_lock, &analysis_block };

#define SWITCHES "PROCESS_CONTEXTSWITCH"

/* The events from which each kind of rows is collected. */
static const char *const wake_events[] = { "PROCESS_WAKING", "PROCESS_WAKEUP", NULL };
static const char *const lock_events[] = { "LOCK_CONTENTION_BEGIN", "LOCK_CONTENTION_END", NULL };
static const char *const call_events[] = { "SYSCALL_ENTRY", "SYSCALL_EXIT", NULL };
static const char *const block_events[] = { "BLOCK_ISSUE", "BLOCK_COMPLETE", NULL };
static const char *const run_events[] = { SWITCHES, NULL };
static const char *const wait_events[] = { SWITCHES, "PROCESS_WAKEUP", NULL };
static const char *const irq_events[] = { "INT_HARDWARE_ENTRY", "INT_TIMER_ENTRY", "INT_IPI_ENTRY",
					  NULL };
static const char *const softirq_events[] = { "INT_SOFTIRQ_ENTRY", "INT_SOFTIRQ_EXIT", NULL };
static const char *const timer_events[] = { "TIMER_RUN_ENTRY", "TIMER_HR_RUN_ENTRY",
					    "INT_TASKLET_ENTRY", NULL };
static const char *const work_events[] = { "WORK_ENTRY", "WORK_EXIT", NULL };
static const char *const exception_events[] = { "EXCEPTION_ENTRY", "EXCEPTION_EXIT", NULL };

const char *const *const diff_events[DIFF_KINDS] = {
	[DIFF_WAKE] = wake_events,
	[DIFF_LOCK] = lock_events,
	[DIFF_CALL] = call_events,
	[DIFF_BLOCK] = block_events,
	[DIFF_RUN] = run_events,
	[DIFF_WAIT] = wait_events,
	[DIFF_IRQ] = irq_events,
	[DIFF_SOFTIRQ] = softirq_events,
	[DIFF_TIMER] = timer_events,
	[DIFF_WORK] = work_events,
	[DIFF_EXCEPTION] = exception_events,
};

/* ---- names of threads ---- */

/* Name a thread whose name is not known yet. */
static void collect_thread_unnamed(const struct diff_side *side, const struct lkst_thread *thread,
				   char group[LKST_COMM_LEN + 8])
{
	char text[40], *dash;

	run_thread_name(side->run, thread, text);
	dash = strrchr(text, '-');
	if (dash)
		*dash = 0;
	diff_group_name(dash ? text : "?", group);
}

/* Return what is known about a thread; NULL if an allocation fails. */
static struct diff_thread *collect_thread_of(struct diff_side *side,
					     const struct lkst_thread *thread)
{
	struct diff_thread *of = tally_cover(side->thread, &side->room, thread->index, sizeof(*of));

	if (!of) {
		run_out_of_memory(side->run);
		return NULL;
	}
	side->thread = of;
	of += thread->index;
	if (of->hash && !strncmp(of->raw, thread->name, sizeof(of->raw)))
		return of;
	memcpy(of->raw, thread->name, sizeof(of->raw));
	if (*thread->name)
		diff_group_name(thread->name, of->group);
	else
		collect_thread_unnamed(side, thread, of->group);
	of->hash = diff_hash(of->group, 0) | 1;
	return of;
}

static void collect_add(struct diff_side *side, struct diff_series *series,
			const struct diff_item *item)
{
	if (!series || diff_add(side, series, item))
		run_out_of_memory(side->run);
}

/* ---- threads ---- */

static void collect_name_thread(struct diff_side *side, const void *of, char name[DIFF_NAME])
{
	const struct diff_thread *thread = of;

	(void)side;
	snprintf(name, DIFF_NAME, "%s", thread->group);
}

/*
 * Add an interruptible sleep to the current system call. Such sleeps are counted separately,
 * because the thread often just waits for work.
 */
static void collect_sleep(struct diff_side *side, const struct lkst_thread_span *span)
{
	struct diff_thread *thread =
		run_selects(side->run, span->thread) ? collect_thread_of(side, span->thread) : NULL;

	if (thread)
		thread->asleep_ns += (double)tally_length(span->begin_ns, span->end_ns);
}

void diff_collect_thread(void *ctx, const struct lkst_thread_span *span)
{
	struct diff_side *side = ctx;
	bool running = span->state == LKST_STATE_RUNNING;
	struct diff_item item = {
		.begin_ns = span->begin_ns,
		.end_ns = span->end_ns,
		.time_ns = tally_length(span->begin_ns, span->end_ns),
		.ended = span->end != LKST_END_CUT,
		.whole = span->begin_known && span->end != LKST_END_CUT,
	};
	struct diff_thread *thread;
	uint64_t id[2] = { 0 };

	if (span->state == LKST_STATE_BLOCKED && span->letter == 'S' &&
	    span->syscall != LKST_SYSCALL_NONE)
		collect_sleep(side, span);
	if ((!running && span->state != LKST_STATE_RUNNABLE) ||
	    (side->run->args->cpu >= 0 && span->cpu != side->run->args->cpu) ||
	    !run_selects(side->run, span->thread))
		return;
	/*
	 * Ignore a thread that seems to wait for a CPU during the whole window: it probably ran on
	 * that CPU before the records of the CPU begin.
	 */
	if (!running && !span->begin_known && span->end == LKST_END_CUT)
		return;
	thread = collect_thread_of(side, span->thread);
	if (!thread)
		return;
	id[0] = thread->hash;
	collect_add(side,
		    diff_row(side, running ? DIFF_RUN : DIFF_WAIT, id, collect_name_thread, thread),
		    &item);
	item.ended = item.whole = false;
	if (thread->wake)
		collect_add(side, thread->wake, &item);
}

/* ---- wake-ups ---- */

/* The parts of the name of a wake-up */
struct collect_wake {
	const struct diff_thread *woken;
	const char *by;
};

static void collect_name_wake(struct diff_side *side, const void *of, char name[DIFF_NAME])
{
	const struct collect_wake *wake = of;

	(void)side;
	snprintf(name, DIFF_NAME, "%s by %s", wake->woken->group, wake->by);
}

/* Return the name of what woke up a thread: a context, a thread, "idle", or "?" for unknown. */
static const char *collect_wake_by(struct diff_side *side, const struct lkst_wake *wake)
{
	struct diff_thread *waker;

	if (!wake->known)
		return "?";
	if (wake->context >= 0 && wake->context < LKST_CONTEXT_NUM &&
	    wake->context != LKST_CONTEXT_WORK && wake->context != LKST_CONTEXT_EXCEPTION)
		return context_kinds[wake->context];
	if (!wake->thread)
		return "idle";
	waker = collect_thread_of(side, wake->thread);
	return waker ? waker->group : "?";
}

void diff_collect_wake(void *ctx, const struct lkst_thread *thread, const struct lkst_wake *wake)
{
	struct diff_side *side = ctx;
	const struct diff_item item = { .begin_ns = wake->time_ns,
					.end_ns = wake->time_ns,
					.ended = true };
	char by[sizeof(side->thread->group)];
	struct collect_wake of = { .by = by };
	struct diff_thread *woken;
	uint64_t id[2];

	/* The model also reports wake-ups that occurred before the window. */
	if (!value_in_window(side->run, wake->time_ns) ||
	    (wake->known && !run_selects_cpu(side->run, wake->cpu)) ||
	    !run_selects(side->run, thread))
		return;
	/*
	 * Copy the name, because collect_thread_of() may move the memory in which
	 * collect_wake_by() has found it.
	 */
	snprintf(by, sizeof(by), "%s", collect_wake_by(side, wake));
	of.woken = woken = collect_thread_of(side, thread);
	if (!woken)
		return;
	id[0] = woken->hash;
	id[1] = diff_hash(by, 1);
	woken->wake = diff_row(side, DIFF_WAKE, id, collect_name_wake, &of);
	collect_add(side, woken->wake, &item);
}

/* ---- system calls ---- */

static void collect_name_call(struct diff_side *side, const void *of, char name[DIFF_NAME])
{
	const struct lkst_syscall_span *span = of;
	const struct diff_thread *thread = collect_thread_of(side, span->thread);
	char call[CALL_NAME_SIZE];

	call_name(span, call);
	snprintf(name, DIFF_NAME, "%s: %s", thread ? thread->group : "?", call);
}

void diff_collect_syscall(void *ctx, const struct lkst_syscall_span *span)
{
	struct diff_side *side = ctx;
	const struct diff_item item = {
		.begin_ns = span->begin_ns,
		.end_ns = span->end_ns,
		.time_ns = tally_length(span->begin_ns, span->end_ns),
		.ended = span->end_known || span->exited,
		.whole = span->begin_known && span->end_known,
		.failed = span->end_known && span->result < 0 && span->result >= -ERRNO_MAX,
	};
	struct diff_series *series;
	struct diff_thread *thread;
	uint64_t id[2];

	if (!run_selects_cpu(side->run, span->thread->cpu) || !run_selects(side->run, span->thread))
		return;
	thread = collect_thread_of(side, span->thread);
	if (!thread)
		return;
	id[0] = thread->hash;
	id[1] = (uint64_t)span->thread->machine << 40 | (uint64_t)span->abi << 32 |
		(uint32_t)span->number;
	series = diff_row(side, DIFF_CALL, id, collect_name_call, span);
	collect_add(side, series, &item);
	if (!series)
		return;
	series->busy_ns += (double)span->state_ns[LKST_STATE_RUNNING] +
			   (double)span->state_ns[LKST_STATE_RUNNABLE];
	series->locked_ns += thread->locked_ns;
	/*
	 * At the end of the window, the model reports a system call before it reports the sleep in
	 * that call. So take the time of the sleep from the call.
	 */
	if (!span->end_known && span->thread->state == LKST_STATE_BLOCKED &&
	    span->thread->letter == 'S')
		thread->asleep_ns = (double)span->state_ns[LKST_STATE_BLOCKED];
	series->asleep_ns += thread->asleep_ns;
	thread->locked_ns = thread->asleep_ns = 0;
}

/* ---- interrupts, softirqs, functions, work items and exceptions ---- */

static const enum diff_kind collect_kinds[LKST_CONTEXT_NUM] = {
	[LKST_CONTEXT_IRQ] = DIFF_IRQ,
	[LKST_CONTEXT_TIMER_IRQ] = DIFF_IRQ,
	[LKST_CONTEXT_IPI] = DIFF_IRQ,
	[LKST_CONTEXT_SOFTIRQ] = DIFF_SOFTIRQ,
	[LKST_CONTEXT_TASKLET] = DIFF_TIMER,
	[LKST_CONTEXT_TIMER] = DIFF_TIMER,
	[LKST_CONTEXT_HRTIMER] = DIFF_TIMER,
	[LKST_CONTEXT_WORK] = DIFF_WORK,
	[LKST_CONTEXT_EXCEPTION] = DIFF_EXCEPTION,
};

static void collect_name_context(struct diff_side *side, const void *of, char name[DIFF_NAME])
{
	const struct lkst_context_span *span = of;
	const struct context_row row = { .id = context_id(span) };
	char text[CONTEXT_NAME_SIZE];
	const char *context = NULL;

	if (span->kind == LKST_CONTEXT_EXCEPTION)
		context = constant_name(LKST_FMT_TRAP, span->number);
	else
		context = context_name(side->run, &row, text);
	if (context)
		snprintf(name, DIFF_NAME, "%.*s", DIFF_NAME - 1, context);
	else
		snprintf(name, DIFF_NAME, "trap %llu", (unsigned long long)span->number);
}

void diff_collect_context(void *ctx, const struct lkst_context_span *span)
{
	struct diff_side *side = ctx;
	const struct diff_item item = {
		.begin_ns = span->begin_ns,
		.end_ns = span->end_ns,
		.time_ns = span->own_ns,
		.ended = span->end_known,
		.whole = span->begin_known && span->end_known,
	};
	uint64_t id[2] = { span->number, diff_hash(span->name, (uint64_t)span->kind) };

	if (context_selects(side->run, span->cpu, span->thread))
		collect_add(side,
			    diff_row(side, collect_kinds[span->kind], id, collect_name_context,
				     span),
			    &item);
}

/* ---- locks and requests ---- */

/* Make an item. If its start is unknown, it is counted, but its time is 0. */
static struct diff_item collect_item_of(int64_t begin_ns, bool begin_known, int64_t end_ns,
					bool end_known, int64_t error)
{
	return (struct diff_item){
		.begin_ns = begin_known ? begin_ns : end_ns,
		.end_ns = end_ns,
		.time_ns = begin_known ? tally_length(begin_ns, end_ns) : 0,
		.ended = end_known,
		.whole = begin_known && end_known,
		.failed = error < 0,
	};
}

/*
 * Name a lock. If its address has no symbol, the address is different in each boot, so name the
 * lock by how it is used.
 */
static void collect_name_lock(struct diff_side *side, const void *of, char name[DIFF_NAME])
{
	const struct lock_done *done = of;
	char symbol[VALUE_SIZE];
	const char *in = *done->call ? " in " : "";

	run_symbol(side->run, 0, done->lock, symbol, sizeof(symbol));
	if (strncmp(symbol, "0x", 2))
		snprintf(name, DIFF_NAME, "%s %s%s%s", done->kind, symbol, in, done->call);
	else
		snprintf(name, DIFF_NAME, "%s%s%s", done->kind, in, done->call);
}

static void collect_lock(void *ctx, const struct lock_done *done)
{
	struct diff_side *side = ctx;
	const struct diff_item item = collect_item_of(done->begin_ns, done->begin_known,
						      done->end_ns, done->end_known, done->error);
	uint64_t id[2] = { done->lock, diff_hash(done->call, diff_hash(done->kind, 0)) };
	struct diff_thread *thread;

	if (!context_selects(side->run, done->cpu, done->thread))
		return;
	collect_add(side, diff_row(side, DIFF_LOCK, id, collect_name_lock, done), &item);
	thread = done->thread && *done->call ? collect_thread_of(side, done->thread) : NULL;
	if (thread)
		thread->locked_ns += (double)item.time_ns;
}

static void collect_name_block(struct diff_side *side, const void *of, char name[DIFF_NAME])
{
	const struct block_done *done = of;
	const struct lkst_event event = {
		.type = LKST_ETYPE_BLOCK_ISSUE,
		.arg = { done->device, 0, done->operation },
	};
	char device[VALUE_SIZE], operation[32];

	value_text(side->run, &event, "device", device, sizeof(device));
	value_text(side->run, &event, "operation", operation, sizeof(operation));
	snprintf(name, DIFF_NAME, "%s %s", device, operation);
}

static void collect_block(void *ctx, const struct block_done *done)
{
	struct diff_side *side = ctx;
	const struct diff_item item = collect_item_of(done->begin_ns, done->begin_known,
						      done->end_ns, done->end_known, done->error);
	uint64_t id[2] = { done->device, done->operation };

	if (context_selects(side->run, done->cpu, done->thread))
		collect_add(side, diff_row(side, DIFF_BLOCK, id, collect_name_block, done), &item);
}

void diff_collect_event(void *ctx, const struct lkst_event *event)
{
	struct diff_side *side = ctx;

	for (size_t i = 0; i < 2; i++)
		engines[i]->ops.event(side->engine[i], event);
}

void diff_collect_loss(void *ctx, const struct lkst_loss *loss)
{
	struct diff_side *side = ctx;

	for (size_t i = 0; i < 2; i++)
		engines[i]->ops.loss(side->engine[i], loss);
}

/**
 * diff_collect_start() - begin to collect
 * @side: side
 * @err: set if an allocation fails
 */
int diff_collect_start(struct diff_side *side, struct lkst_error *err)
{
	for (size_t i = 0; i < 2; i++) {
		side->engine[i] = engines[i]->start(side->run, err);
		if (!side->engine[i])
			return -1;
	}
	lock_observe(side->engine[0], collect_lock, side);
	block_observe(side->engine[1], collect_block, side);
	return 0;
}

/**
 * diff_collect_end() - collect what had not ended at the end of the window
 * @side: side
 */
void diff_collect_end(struct diff_side *side)
{
	lock_finish(side->engine[0]);
	block_finish(side->engine[1]);
}

/**
 * diff_collect_free() - free what is needed only for collecting
 * @side: side
 */
void diff_collect_free(struct diff_side *side)
{
	for (size_t i = 0; i < 2; i++) {
		if (side->engine[i])
			engines[i]->free(side->engine[i]);
		side->engine[i] = NULL;
	}
}
