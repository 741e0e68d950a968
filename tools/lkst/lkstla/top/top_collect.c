// SPDX-License-Identifier: GPL-2.0
/*
 * lkstla top: collects what happens in an interval. The analyses irq and cpu make their tables as
 * for a whole trace, and are restarted for each interval.
 */
#include <string.h>

#include "lkstla/tally.h"
#include "top.h"

/* Analyses whose tables are shown unchanged */
static const struct analysis *const top_parts[TOP_PARTS] = {
	[PART_IRQ] = &analysis_irq,
	[PART_CPU] = &analysis_cpu,
};

/* ---- callbacks of the model ---- */

static bool top_selects(const struct top *top, int32_t cpu, const struct lkst_thread *thread)
{
	return run_selects_cpu(&top->runner->run, cpu) && run_selects(&top->runner->run, thread);
}

void top_collect_thread(void *ctx, const struct lkst_thread_span *span)
{
	struct top *top = ctx;

	analysis_cpu.ops.thread(top->part[PART_CPU], span);
	if (top_selects(top, span->cpu, span->thread) && top_threads_span(&top->threads, span))
		run_out_of_memory(&top->runner->run);
}

void top_collect_cpu(void *ctx, const struct lkst_cpu_span *span)
{
	struct top *top = ctx;

	analysis_cpu.ops.cpu(top->part[PART_CPU], span);
	if (run_selects_cpu(&top->runner->run, span->cpu))
		top->mode_ns[span->mode] += (double)tally_length(span->begin_ns, span->end_ns);
}

void top_collect_context(void *ctx, const struct lkst_context_span *span)
{
	struct top *top = ctx;

	analysis_irq.ops.context(top->part[PART_IRQ], span);
}

void top_collect_syscall(void *ctx, const struct lkst_syscall_span *span)
{
	struct top *top = ctx;

	if (!top_selects(top, span->thread->cpu, span->thread))
		return;
	if (top_calls_span(&top->calls, span, top->cutting) ||
	    (!top->cutting && top_threads_call(&top->threads, span)))
		run_out_of_memory(&top->runner->run);
}

void top_collect_wake(void *ctx, const struct lkst_thread *thread, const struct lkst_wake *wake)
{
	struct top *top = ctx;

	analysis_cpu.ops.wake(top->part[PART_CPU], thread, wake);
}

void top_collect_migrate(void *ctx, const struct lkst_thread *thread, int32_t from, int32_t to,
			 int64_t time_ns)
{
	struct top *top = ctx;

	analysis_cpu.ops.migrate(top->part[PART_CPU], thread, from, to, time_ns);
}

void top_collect_event(void *ctx, const struct lkst_event *event)
{
	struct top *top = ctx;

	analysis_cpu.ops.event(top->part[PART_CPU], event);
}

static void top_free_parts(void *part[TOP_PARTS])
{
	for (size_t i = 0; i < TOP_PARTS; i++)
		if (part[i])
			top_parts[i]->free(part[i]);
}

/**
 * top_collect_start() - forget everything that was collected, and begin an interval
 * @top: lkstla top, of which run.begin_ns is the start of the interval
 * @err: set if an allocation fails. Then the callbacks may still be called
 */
int top_collect_start(struct top *top, struct lkst_error *err)
{
	void *part[TOP_PARTS] = { NULL };

	for (size_t i = 0; i < TOP_PARTS; i++) {
		part[i] = top_parts[i]->start(&top->runner->run, err);
		if (!part[i]) {
			top_free_parts(part);
			return -1;
		}
	}
	top_free_parts(top->part);
	memcpy(top->part, part, sizeof(part));
	top_threads_clear(&top->threads);
	top_calls_clear(&top->calls);
	memset(top->mode_ns, 0, sizeof(top->mode_ns));
	return 0;
}

/**
 * top_collect_free() - free everything that was collected
 * @top: lkstla top
 */
void top_collect_free(struct top *top)
{
	top_free_parts(top->part);
	top_threads_free(&top->threads);
	top_calls_free(&top->calls);
}

static int top_add_table(struct top_frame *frame, struct table *table)
{
	if (!table)
		return -1;
	frame->tables.table[frame->tables.num++] = table;
	return 0;
}

/**
 * top_collect_fill() - make the tables and the header of an interval
 * @top: lkstla top
 * @frame: result
 * @err: set on failure
 */
int top_collect_fill(struct top *top, struct top_frame *frame, struct lkst_error *err)
{
	const struct run *run = &top->runner->run;

	if (top_add_table(frame, top_threads_table(&top->threads, run, top->display.ui.all, err)) ||
	    top_add_table(frame, top_calls_table(&top->calls, run, err)))
		return -1;
	for (size_t i = 0; i < TOP_PARTS; i++)
		if (top_parts[i]->report(top->part[i], run, &frame->tables, err))
			return -1;
	for (enum top_view view = 0; view < TOP_VIEWS; view++)
		if (*top->display.sort[view] &&
		    frame_sort(frame, view, top->display.sort[view], err))
			return -1;
	return frame_make_header(frame, top->runner, top->mode_ns, err);
}
