// SPDX-License-Identifier: GPL-2.0
/*
 * lkstla timer: how late the functions of hrtimers ran, what the CPU did in the meantime, and for
 * how long the threads that these functions woke up waited for a CPU.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "late.h"
#include "lib/base/error.h"
#include "lib/base/etype_ids.h"
#include "tally.h"
#include "timer.h"

static void *timer_start(const struct run *run, struct lkst_error *err)
{
	struct timer_state *state = calloc(1, sizeof(*state));

	if (!state) {
		lkst_error_memory(err, "the timers");
		return NULL;
	}
	state->run = run;
	state->rows.size = sizeof(struct timer_row);
	state->rows.max = CONTEXT_ROWS_MAX;
	state->woken.size = sizeof(struct timer_woken);
	state->woken.max = CONTEXT_ROWS_MAX;
	state->cpus.size = sizeof(struct timer_cpu);
	state->cpus.max = CONTEXT_CPUS_MAX;
	blame_init(&state->history);
	return state;
}

static void timer_free(void *ctx)
{
	struct timer_state *state = ctx;
	struct timer_woken *woken;
	struct timer_row *row;
	size_t at = 0;

	while ((row = hash_next(&state->rows, &at)) != NULL)
		dist_free(&row->late);
	for (at = 0; (woken = hash_next(&state->woken, &at)) != NULL;) {
		dist_free(&woken->wait);
		dist_free(&woken->all);
	}
	hash_free(&state->rows);
	hash_free(&state->woken);
	hash_free(&state->cpus);
	blame_free(&state->history);
	free(state->wake);
	free(state);
}

/*
 * Find or add a CPU. Returns NULL if there are more than CONTEXT_CPUS_MAX CPUs, or if an allocation
 * failed, which is reported.
 */
static struct timer_cpu *timer_cpu(struct timer_state *state, uint32_t source, int32_t number)
{
	struct timer_cpu *cpu = context_cpu(&state->cpus, source, number);

	if (!cpu && state->cpus.num < CONTEXT_CPUS_MAX)
		run_out_of_memory(state->run);
	return cpu;
}

/* ---- how late a function runs ---- */

/*
 * If this run was delayed longer than all earlier ones, find out what the CPU did during the delay.
 */
static void timer_set_blame(struct timer_state *state, const struct lkst_event *event,
			    struct timer_run *run)
{
	const struct context_id id = { event->source, LKST_CONTEXT_HRTIMER, run->function, "" };
	const struct timer_row *row = context_row(&state->rows, &id);
	struct lkst_cpu_span now;
	int64_t expired;

	if (!row) {
		run_out_of_memory(state->run);
		return;
	}
	if (!dist_exceeds(&row->late, run->late_ns) ||
	    __builtin_sub_overflow(event->time_ns, run->late_ns, &expired))
		return;
	if (!lkst_model_cpu(state->run->model, event->source, event->cpu, &now))
		now = (struct lkst_cpu_span){ .source = event->source,
					      .cpu = event->cpu,
					      .begin_ns = event->time_ns };
	blame_find(&state->history, &now, expired, event->time_ns, &run->blame);
	run->blamed = true;
}

static void timer_event(void *ctx, const struct lkst_event *event)
{
	struct timer_state *state = ctx;
	struct timer_cpu *cpu;
	struct timer_run *run;

	if (event->type != LKST_ETYPE_TIMER_HR_RUN_ENTRY)
		return;
	cpu = timer_cpu(state, event->source, event->cpu);
	if (!cpu)
		return;
	run = &cpu->run[!!(event->flags & LKST_LOG_HARDIRQ)];
	*run = (struct timer_run){ .running = true,
				   .soft = run == &cpu->run[0],
				   .function = event->arg[1],
				   .begin_ns = event->time_ns };
	run->known = late_by(event, &run->late_ns);
	if (run->known)
		timer_set_blame(state, event, run);
}

static void timer_on_cpu(void *ctx, const struct lkst_cpu_span *span)
{
	struct timer_state *state = ctx;

	if (blame_add(&state->history, span))
		run_out_of_memory(state->run);
}

/* Find the run of a function on a CPU. If there are two nested runs, find the inner one. */
static struct timer_run *timer_running(struct timer_cpu *cpu, uint64_t function)
{
	struct timer_run *found = NULL;

	for (int i = 0; i < 2; i++) {
		struct timer_run *run = &cpu->run[i];

		if (run->running && run->function == function &&
		    (!found || run->begin_ns >= found->begin_ns))
			found = run;
	}
	return found;
}

/* Count a run. The function may still be running. */
static int timer_count(struct timer_row *row, const struct lkst_context_span *span,
		       const struct timer_run *run)
{
	int64_t expired;

	row->count++;
	if (!run || !run->known || __builtin_sub_overflow(run->begin_ns, run->late_ns, &expired))
		return 0;
	if (dist_exceeds(&row->late, run->late_ns) && run->blamed) {
		row->blame = run->blame;
		row->cpu = span->cpu;
		row->soft = run->soft;
	}
	return dist_add(&row->late, run->late_ns, expired);
}

static void timer_context(void *ctx, const struct lkst_context_span *span)
{
	struct timer_state *state = ctx;
	const struct common_arguments *args = state->run->args;
	struct timer_cpu *cpu;
	struct timer_run *run;
	struct timer_row *row;
	struct context_id id;

	if (span->kind != LKST_CONTEXT_HRTIMER)
		return;
	cpu = timer_cpu(state, span->source, span->cpu);
	run = cpu ? timer_running(cpu, span->number) : NULL;
	if (run)
		run->running = false;
	if (!span->begin_known || !run_selects_cpu(state->run, span->cpu) ||
	    (args->processes.num && !(run && run->woke)) ||
	    (args->over_ns && !(run && run->known && run->late_ns >= args->over_ns)))
		return;
	id = context_id(span);
	row = context_row(&state->rows, &id);
	if (!row || timer_count(row, span, run))
		run_out_of_memory(state->run);
}

/* ---- the threads that the functions wake up ---- */

/*
 * Find or add the latest wake-up of a thread. Returns NULL if an allocation failed, which is
 * reported.
 */
static struct timer_wake *timer_wake_of(struct timer_state *state, uint32_t index)
{
	struct timer_wake *wake = tally_cover(state->wake, &state->threads, index, sizeof(*wake));

	if (!wake) {
		run_out_of_memory(state->run);
		return NULL;
	}
	state->wake = wake;
	return &wake[index];
}

static void timer_on_wake(void *ctx, const struct lkst_thread *thread, const struct lkst_wake *wake)
{
	struct timer_state *state = ctx;
	struct timer_wake *to = timer_wake_of(state, thread->index);
	struct timer_cpu *cpu;
	struct timer_run *run;

	if (!to)
		return;
	to->pending = false;
	if (wake->context != LKST_CONTEXT_HRTIMER ||
	    !context_selects(state->run, wake->cpu, thread))
		return;
	cpu = timer_cpu(state, thread->source, wake->cpu);
	run = cpu ? timer_running(cpu, wake->number) : NULL;
	*to = (struct timer_wake){ .pending = true,
				   .wake_ns = wake->time_ns,
				   .function = wake->number };
	if (!run)
		return;
	run->woke = true;
	to->known = run->known;
	to->late_ns = run->late_ns;
	to->begin_ns = run->begin_ns;
}

static int timer_add_wait(struct timer_woken *woken, const struct timer_wake *wake,
			  const struct lkst_thread_span *span)
{
	int64_t expired, wait, all;

	if (__builtin_sub_overflow(span->end_ns, wake->wake_ns, &wait))
		return 0;
	if (dist_exceeds(&woken->wait, wait))
		woken->behind = span->behind;
	if (dist_add(&woken->wait, wait, wake->wake_ns))
		return -1;
	if (!wake->known || __builtin_sub_overflow(wake->begin_ns, wake->late_ns, &expired) ||
	    __builtin_sub_overflow(span->end_ns, expired, &all))
		return 0;
	if (dist_exceeds(&woken->all, all))
		woken->all_late_ns = wake->late_ns;
	return dist_add(&woken->all, all, expired);
}

/*
 * Return whether the wait, plus the delay of the timer if known, is at least as long as --over
 * requires.
 */
static bool timer_wait_is_over(const struct timer_state *state, const struct timer_wake *wake,
			       int64_t end_ns)
{
	int64_t from = wake->wake_ns, ns;

	if (!state->run->args->over_ns)
		return true;
	if (wake->known && __builtin_sub_overflow(wake->begin_ns, wake->late_ns, &from))
		return false;
	return !__builtin_sub_overflow(end_ns, from, &ns) && ns >= state->run->args->over_ns;
}

static void timer_thread(void *ctx, const struct lkst_thread_span *span)
{
	struct timer_state *state = ctx;
	struct context_id id = { .source = span->thread->source, .kind = LKST_CONTEXT_HRTIMER };
	struct timer_woken *woken;
	struct timer_wake *wake;

	if (span->state != LKST_STATE_RUNNABLE || span->thread->index >= state->threads)
		return;
	wake = &state->wake[span->thread->index];
	if (!wake->pending)
		return;
	wake->pending = false;
	/* Count a wait only if it began with the wake-up, and ended when the thread ran. */
	if (span->end != LKST_END_STATE || span->preempted || !span->begin_known ||
	    !timer_wait_is_over(state, wake, span->end_ns))
		return;
	id.number = wake->function;
	snprintf(id.name, sizeof(id.name), "%" PRIu32, span->thread->index);
	woken = context_row(&state->woken, &id);
	if (!woken) {
		run_out_of_memory(state->run);
		return;
	}
	woken->thread = hash_is_rest(woken) ? NULL : span->thread;
	if (timer_add_wait(woken, wake, span))
		run_out_of_memory(state->run);
}

static const char *const timer_needs[] = { "TIMER_HR_RUN_ENTRY", "TIMER_HR_RUN_EXIT", NULL };
static const char *const timer_helps[] = {
	"PROCESS_CONTEXTSWITCH", "PROCESS_WAKING",
	"PROCESS_WAKEUP",	 "CPU_IDLE_ENTRY",
	"CPU_IDLE_EXIT",	 "INT_HARDWARE_ENTRY",
	"INT_HARDWARE_EXIT",	 "INT_TIMER_ENTRY",
	"INT_TIMER_EXIT",	 "INT_IPI_ENTRY",
	"INT_IPI_EXIT",		 "INT_SOFTIRQ_ENTRY",
	"INT_SOFTIRQ_EXIT",	 NULL,
};

const struct analysis analysis_timer = {
	.name = "timer",
	.about =
		"How late functions of high-resolution timers ran, the latest first, and what the\n"
		"CPU did meanwhile: it was idle, or ran interrupts, softirqs, or a thread with\n"
		"interrupts disabled. Then, for threads that they woke up: how long these waited\n"
		"for a CPU, and how late they ran in total. \"at\" is the time for which the\n"
		"latest timer was set; for a wait, its start. -p selects by the woken threads.\n",
	.needs = timer_needs,
	.helps = timer_helps,
	.ops = {
		.thread = timer_thread,
		.cpu = timer_on_cpu,
		.context = timer_context,
		.wake = timer_on_wake,
		.event = timer_event,
	},
	.start = timer_start,
	.report = timer_report,
	.free = timer_free,
};
