// SPDX-License-Identifier: GPL-2.0
/*
 * Adds to the page the spans that the model reports: those of CPUs, threads, system calls and
 * contexts.
 */
#include <string.h>

#include "html.h"
#include "lkstla/tally.h"
#include "lkstla/value.h"

/* Add a row to the levels when it is first needed. Returns false if an allocation fails. */
static bool spans_need_row(struct html *html, int64_t *row)
{
	if (*row >= 0)
		return true;
	*row = html_levels_add_row(&html->levels);
	return *row >= 0;
}

static void spans_draw(struct html *html, int64_t *row, uint32_t value, int64_t begin_ns,
		       int64_t end_ns)
{
	if (!spans_need_row(html, row) ||
	    html_levels_add(&html->levels, (size_t)*row, value, begin_ns, end_ns))
		run_out_of_memory(html->run);
}

/* Add a span to the chunks. Returns its columns; NULL if an allocation fails. */
static uint64_t *spans_add(struct html *html, enum html_table table, uint32_t key, int64_t begin_ns,
			   int64_t end_ns)
{
	uint64_t *value = html_chunks_add(&html->chunks, table, key, begin_ns, end_ns);

	if (!value)
		run_out_of_memory(html->run);
	return value;
}

/**
 * html_thread_of() - find or add the data about a thread
 * @html: state of the analysis
 * @thread: thread
 *
 * Return: the data; NULL if an allocation fails, which the model reports.
 */
struct html_thread *html_thread_of(struct html *html, const struct lkst_thread *thread)
{
	struct html_thread *of =
		tally_cover(html->thread, &html->threads, thread->index, sizeof(*of));

	if (!of) {
		run_out_of_memory(html->run);
		return NULL;
	}
	html->thread = of;
	of += thread->index;
	if (!of->shown)
		of->row = of->calls_row = -1;
	of->shown = true;
	return of;
}

/* ---- CPUs ---- */

static enum html_state spans_mode(enum lkst_mode mode)
{
	static const enum html_state states[LKST_MODE_NUM] = {
		[LKST_MODE_UNKNOWN] = HTML_UNKNOWN, [LKST_MODE_IDLE] = HTML_IDLE,
		[LKST_MODE_USER] = HTML_USER,	    [LKST_MODE_KERNEL] = HTML_KERNEL,
		[LKST_MODE_THREAD] = HTML_RUNNING,  [LKST_MODE_SOFTIRQ] = HTML_SOFTIRQ,
		[LKST_MODE_HARDIRQ] = HTML_HARDIRQ,
	};

	return mode < LKST_MODE_NUM ? states[mode] : HTML_UNKNOWN;
}

/* Find or add a CPU. Returns NULL if an allocation fails. */
static struct html_cpu *spans_cpu(struct html *html, int32_t cpu)
{
	uint32_t *of = tally_cover(html->cpu_of, &html->cpu_of_room, (size_t)cpu, sizeof(*of));
	struct html_cpu *added;

	if (of)
		html->cpu_of = of;
	if (of && !of[cpu]) {
		added = tally_cover(html->cpu, &html->cpu_room, html->cpus, sizeof(*added));
		if (added) {
			html->cpu = added;
			added[html->cpus] =
				(struct html_cpu){ .cpu = cpu, .mode_row = -1, .who_row = -1 };
			of[cpu] = (uint32_t)++html->cpus;
		}
	}
	if (of && of[cpu])
		return &html->cpu[of[cpu] - 1];
	run_out_of_memory(html->run);
	return NULL;
}

/* Draw the mode of a CPU also in the row of the thread that the CPU ran. */
static void spans_draw_running(struct html *html, const struct lkst_cpu_span *span,
			       enum html_state state, int64_t begin_ns, int64_t end_ns)
{
	struct html_thread *thread;

	if (!span->thread || !run_selects(html->run, span->thread))
		return;
	thread = html_thread_of(html, span->thread);
	if (thread)
		spans_draw(html, &thread->row, state, begin_ns, end_ns);
}

void html_on_cpu(void *ctx, const struct lkst_cpu_span *span)
{
	struct html *html = ctx;
	int64_t begin_ns = html_time(html, span->begin_ns);
	int64_t end_ns = html_time(html, span->end_ns);
	enum html_state state = spans_mode(span->mode);
	struct html_cpu *cpu = spans_cpu(html, span->cpu);
	uint64_t *value;

	if (!cpu)
		return;
	value = spans_add(html, HTML_CPU, (uint32_t)span->cpu, begin_ns, end_ns);
	if (!value)
		return;
	value[CPU_STATE] = state;
	value[CPU_THREAD] = html_thread_number(span->thread);
	cpu->state_ns[state] += end_ns - begin_ns;
	spans_draw(html, &cpu->mode_row, state, begin_ns, end_ns);
	if (span->thread)
		spans_draw(html, &cpu->who_row, span->thread->index + 1, begin_ns, end_ns);
	spans_draw_running(html, span, state, begin_ns, end_ns);
}

/* ---- threads ---- */

static enum html_state spans_blocked(const struct html *html, const struct lkst_thread_span *span,
				     uint32_t call)
{
	switch (span->letter) {
	case 'D':
		return HTML_DISK;
	case 'I':
		return HTML_RESTING;
	case 'T':
	case 't':
		return HTML_STOPPED;
	default:
		return call ? html->names.call[call - 1].state : HTML_BLOCKED;
	}
}

static enum html_state spans_state(const struct html *html, const struct lkst_thread_span *span,
				   uint32_t call)
{
	switch (span->state) {
	case LKST_STATE_RUNNING:
		return HTML_RUNNING;
	case LKST_STATE_RUNNABLE:
		return span->preempted ? HTML_PREEMPTED : HTML_WOKEN;
	case LKST_STATE_BLOCKED:
		return spans_blocked(html, span, call);
	default:
		return HTML_UNKNOWN;
	}
}

/*
 * Return whether a span is a wait for a CPU. As in lkstla sched, an empty span at the start of the
 * window does not count: records were lost before the window, so the wait may have ended before it.
 */
static bool spans_is_wait(const struct html *html, const struct lkst_thread_span *span)
{
	return span->state == LKST_STATE_RUNNABLE &&
	       (span->begin_ns != span->end_ns || span->begin_known || span->end != LKST_END_CUT ||
		span->begin_ns != html->run->begin_ns);
}

static void spans_count(struct html *html, struct html_thread *thread,
			const struct lkst_thread_span *span, enum html_state state)
{
	int64_t ns = span->end_ns - span->begin_ns;

	if (!thread->runs && !thread->waits && !thread->end_ns)
		thread->begin_ns = html_time(html, span->begin_ns);
	thread->end_ns = html_time(html, span->end_ns);
	if (span->state == LKST_STATE_RUNNING) {
		thread->runs += span->begin_known;
		for (int mode = 0; mode < LKST_MODE_NUM; mode++)
			thread->state_ns[spans_mode((enum lkst_mode)mode)] += span->mode_ns[mode];
		return;
	}
	thread->state_ns[state] += ns;
	if (!spans_is_wait(html, span))
		return;
	if (!thread->waits || ns > thread->longest_ns) {
		thread->longest_ns = ns;
		thread->longest_end_ns = html_time(html, span->end_ns);
	}
	thread->waits++;
	html_plot(html, HTML_PLOT_WAIT, 0, 0, ns, html_time(html, span->end_ns));
}

static void spans_set_wake(struct html *html, const struct lkst_thread_span *span,
			   uint64_t value[THREAD_COLUMNS])
{
	const struct lkst_wake *wake = &span->wake;

	if (span->state != LKST_STATE_RUNNABLE)
		return;
	value[THREAD_BEHIND] = html_thread_number(span->behind);
	if (!wake->known)
		return;
	value[THREAD_FLAGS] |= HTML_WAKE_KNOWN | (wake->thread ? 0 : HTML_WAKE_IDLE);
	value[THREAD_WAKER] = html_thread_number(wake->thread);
	value[THREAD_WAKER_CPU] = (uint64_t)(wake->cpu + 1);
	value[THREAD_WAKER_GAP] =
		(uint64_t)(html_time(html, span->begin_ns) - html_time(html, wake->time_ns));
	if (wake->context >= 0) {
		struct context_id id = { .source = span->thread->source,
					 .kind = wake->context,
					 .number = wake->number };

		if (wake->context == LKST_CONTEXT_IRQ)
			memcpy(id.name, wake->name, strnlen(wake->name, sizeof(id.name) - 1));
		value[THREAD_WAKER_CONTEXT] = html_names_context(&html->names, &id);
	}
}

/* Return the number of the context in which a thread went to sleep; 0: none. */
static uint32_t spans_sleep_context(struct html *html, const struct lkst_thread_span *span)
{
	const struct context_id id = { .source = span->thread->source,
				       .kind = span->context,
				       .number = span->number };

	if (span->state != LKST_STATE_BLOCKED || span->context < 0)
		return 0;
	return html_names_context(&html->names, &id);
}

void html_on_thread(void *ctx, const struct lkst_thread_span *span)
{
	struct html *html = ctx;
	int64_t begin_ns = html_time(html, span->begin_ns);
	int64_t end_ns = html_time(html, span->end_ns);
	struct html_thread *thread;
	enum html_state state;
	uint32_t call = 0;
	uint64_t *value;

	if (!run_selects(html->run, span->thread))
		return;
	thread = html_thread_of(html, span->thread);
	value = thread ? spans_add(html, HTML_THREAD, span->thread->index, begin_ns, end_ns) : NULL;
	if (!value)
		return;
	if (span->syscall != LKST_SYSCALL_NONE)
		call = html_names_call(&html->names, span->thread, span->syscall,
				       span->thread->abi);
	state = spans_state(html, span, call);
	value[THREAD_STATE] = state;
	value[THREAD_CPU] = (uint64_t)(span->cpu + 1);
	value[THREAD_FLAGS] = (span->begin_known ? HTML_BEGIN_KNOWN : 0) |
			      (uint64_t)span->end << HTML_END_SHIFT;
	value[THREAD_LETTER] = span->state == LKST_STATE_BLOCKED ? (uint8_t)span->letter : 0;
	value[THREAD_CALL] = call;
	value[THREAD_CONTEXT] = spans_sleep_context(html, span);
	spans_set_wake(html, span, value);
	spans_count(html, thread, span, state);
	/* When the thread ran, spans_draw_running() draws the more detailed spans of the CPU. */
	if (span->state != LKST_STATE_RUNNING)
		spans_draw(html, &thread->row, state, begin_ns, end_ns);
}

/* ---- system calls ---- */

/*
 * Return the number of the path that was passed to a call, or of the path of its descriptor; 0:
 * unknown.
 */
static uint32_t spans_path(struct html *html, const struct lkst_syscall_span *span)
{
	const char *path;

	if (html->paths.wanted)
		paths_keep(&html->paths, span, &html->kept);
	path = paths_get(&html->paths, html->kept, false);
	if (!path)
		path = value_call_file(html->run, span);
	return html_names_string(&html->names, path);
}

void html_on_syscall(void *ctx, const struct lkst_syscall_span *span)
{
	struct html *html = ctx;
	int64_t begin_ns = html_time(html, span->begin_ns);
	int64_t end_ns = html_time(html, span->end_ns);
	struct html_thread *thread;
	uint64_t *value = NULL;

	paths_call(&html->paths, span);
	if (!run_selects(html->run, span->thread))
		return;
	thread = html_thread_of(html, span->thread);
	if (thread)
		value = spans_add(html, HTML_CALL, span->thread->index, begin_ns, end_ns);
	if (!value)
		return;
	value[CALL_CALL] = html_names_call(&html->names, span->thread, span->number, span->abi);
	value[CALL_FLAGS] = (span->begin_known ? HTML_BEGIN_KNOWN : 0) |
			    (span->end_known ? HTML_END_KNOWN : 0) |
			    (span->exited ? HTML_EXITED : 0);
	value[CALL_RESULT] = (uint64_t)span->result;
	value[CALL_WAIT] = (uint64_t)span->state_ns[LKST_STATE_RUNNABLE];
	value[CALL_BLOCKED] = (uint64_t)span->state_ns[LKST_STATE_BLOCKED];
	value[CALL_UNKNOWN] = (uint64_t)span->state_ns[LKST_STATE_UNKNOWN];
	value[CALL_PATH] = spans_path(html, span);
	for (int i = 0; i < 3; i++)
		value[CALL_ARG1 + i] = span->arg[i];
	thread->calls++;
	/* Like lkstla syscall, use only calls whose start and end are known. */
	if (span->begin_known && span->end_known)
		html_plot(html, HTML_PLOT_CALL, value[CALL_CALL], 0, end_ns - begin_ns, end_ns);
	spans_draw(html, &thread->calls_row, (uint32_t)value[CALL_CALL], begin_ns, end_ns);
}

/* ---- contexts ---- */

/* Add a context to the distributions, by the rules of lkstla irq. */
static void spans_plot_context(struct html *html, const struct lkst_context_span *span,
			       const uint64_t value[CONTEXT_COLUMNS])
{
	if (!span->begin_known)
		return;
	if (span->end_known)
		html_plot(html, HTML_PLOT_CONTEXT, value[CONTEXT_CONTEXT], 0, span->own_ns,
			  html_time(html, span->begin_ns));
	if (value[CONTEXT_RAISED])
		html_plot(html, HTML_PLOT_DELAY, value[CONTEXT_CONTEXT], 0,
			  (int64_t)value[CONTEXT_RAISED] - 1, html_time(html, span->raised_ns));
}

void html_on_context(void *ctx, const struct lkst_context_span *span)
{
	struct html *html = ctx;
	int64_t begin_ns = html_time(html, span->begin_ns);
	int64_t end_ns = html_time(html, span->end_ns);
	struct context_id id = context_id(span);
	uint64_t *value;

	value = spans_add(html, HTML_CONTEXT, (uint32_t)span->cpu, begin_ns, end_ns);
	if (!value)
		return;
	value[CONTEXT_CONTEXT] = html_names_context(&html->names, &id);
	if (span->own_ns < end_ns - begin_ns)
		value[CONTEXT_OTHERS] = (uint64_t)(end_ns - begin_ns - span->own_ns);
	value[CONTEXT_THREAD] = html_thread_number(span->thread);
	value[CONTEXT_FLAGS] = (span->begin_known ? HTML_BEGIN_KNOWN : 0) |
			       (span->end_known ? HTML_END_KNOWN : 0);
	/* The delay can begin before the window, and may then be too long for the page. */
	if (span->raised_ns && span->raised_ns <= span->begin_ns &&
	    tally_length(span->raised_ns, span->begin_ns) < HTML_LENGTH_MAX)
		value[CONTEXT_RAISED] = (uint64_t)tally_length(span->raised_ns, span->begin_ns) + 1;
	spans_plot_context(html, span, value);
}
