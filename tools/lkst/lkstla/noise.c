// SPDX-License-Identifier: GPL-2.0
/*
 * lkstla noise: what took a CPU away from the threads that ran on it. Interrupts and softirqs take
 * the CPU away from a running thread. Other threads take the CPU away from a preempted thread,
 * called the victim, while the victim waits for it. The causes are classified as in the kernel's
 * osnoise tracer.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "noise.h"
#include "tally.h"

/* Time in which at least one victim waited. The time is empty if both members are equal. */
struct noise_wait {
	int64_t begin_ns;
	int64_t end_ns;
};

/**
 * struct noise_cpu - the CPU of -c in one file of the trace
 * @head: key: index of the file, and the CPU
 * @victims: number of preempted threads that wait for the CPU
 * @since_ns: time from which on there has been at least one victim
 * @before: the previous time with victims
 * @by: thread that is taking the CPU away; NULL: none
 * @by_ns: for how long @by has been taking the CPU away, without interrupts
 * @by_since_ns: time at which @by began to take the CPU away
 *
 * The number of victims changes where a span of the CPU ends, except that one victim may stop
 * waiting in the middle of a span. So a span overlaps with at most two times with victims: the
 * current one, and @before.
 */
struct noise_cpu {
	struct hash_head head;
	size_t victims;
	int64_t since_ns;
	struct noise_wait before;
	const struct lkst_thread *by;
	int64_t by_ns;
	int64_t by_since_ns;
};

/**
 * struct noise_state - what the analysis collects
 * @run: run
 * @cpus: table of struct noise_cpu by file
 * @rows: struct noise_row
 * @waits: by index of the thread: whether it is a victim
 * @threads: size of @waits
 * @synced: the threads that were victims when the window began are known
 */
struct noise_state {
	const struct run *run;
	struct hash cpus;
	struct hash rows;
	bool *waits;
	size_t threads;
	bool synced;
};

static void *noise_start(const struct run *run, struct lkst_error *err)
{
	struct noise_state *state = calloc(1, sizeof(*state));

	if (!state) {
		lkst_error_memory(err, "the causes of noise");
		return NULL;
	}
	state->run = run;
	state->cpus.size = sizeof(struct noise_cpu);
	state->cpus.max = CONTEXT_CPUS_MAX;
	state->rows.size = sizeof(struct noise_row);
	state->rows.max = CONTEXT_ROWS_MAX;
	return state;
}

static void noise_free(void *ctx)
{
	struct noise_state *state = ctx;
	struct noise_row *row;
	size_t at = 0;

	while ((row = hash_next(&state->rows, &at)) != NULL)
		dist_free(&row->taken);
	hash_free(&state->rows);
	hash_free(&state->cpus);
	free(state->waits);
	free(state);
}

/*
 * Find or add the CPU of -c in the file @source. Returns NULL if an allocation failed, which is
 * reported.
 */
static struct noise_cpu *noise_cpu(struct noise_state *state, uint32_t source)
{
	struct noise_cpu *cpu = context_cpu(&state->cpus, source, (int32_t)state->run->args->cpu);

	if (!cpu)
		run_out_of_memory(state->run);
	return cpu;
}

/* ---- the victims ---- */

/* Make room for a thread. Returns false if an allocation failed, which is reported. */
static bool noise_cover(struct noise_state *state, uint32_t index)
{
	bool *waits = tally_cover(state->waits, &state->threads, index, sizeof(*waits));

	if (!waits) {
		run_out_of_memory(state->run);
		return false;
	}
	state->waits = waits;
	return true;
}

static void noise_victim_waits(struct noise_state *state, const struct lkst_thread *thread,
			       int64_t time_ns)
{
	struct noise_cpu *cpu = noise_cpu(state, thread->source);

	if (!cpu || !noise_cover(state, thread->index) || state->waits[thread->index])
		return;
	state->waits[thread->index] = true;
	if (!cpu->victims++)
		cpu->since_ns = time_ns;
}

static void noise_victim_leaves(struct noise_state *state, const struct lkst_thread *thread,
				int64_t time_ns)
{
	struct noise_cpu *cpu;

	if (thread->index >= state->threads || !state->waits[thread->index])
		return;
	cpu = noise_cpu(state, thread->source);
	if (!cpu)
		return;
	state->waits[thread->index] = false;
	if (!--cpu->victims)
		cpu->before = (struct noise_wait){ cpu->since_ns, time_ns };
}

/* At the first callback, find the victims that have waited since before the window. */
static void noise_sync(struct noise_state *state)
{
	const struct run *run = state->run;

	if (state->synced)
		return;
	state->synced = true;
	for (size_t i = 0; i < lkst_model_threads(run->model); i++) {
		const struct lkst_thread *thread = lkst_model_thread(run->model, (uint32_t)i);

		if (thread->state == LKST_STATE_RUNNABLE && thread->letter == 'R' &&
		    thread->since_ns <= run->begin_ns && thread->cpu == run->args->cpu &&
		    run_selects(run, thread))
			noise_victim_waits(state, thread, run->begin_ns);
	}
}

/* ---- causes ---- */

static int64_t noise_overlap(int64_t begin, int64_t end, int64_t other_begin, int64_t other_end,
			     int64_t *from)
{
	int64_t first = begin > other_begin ? begin : other_begin, duration;
	int64_t last = end < other_end ? end : other_end;

	if (first >= last || __builtin_sub_overflow(last, first, &duration))
		return 0;
	*from = first;
	return duration;
}

/* Return for how long victims waited during a span. Sets @from to the start of that time. */
static int64_t noise_waited(const struct noise_cpu *cpu, int64_t begin, int64_t end, int64_t *from)
{
	int64_t now = 0, before;

	if (cpu->victims)
		now = noise_overlap(begin, end, cpu->since_ns, end, from);
	before = noise_overlap(begin, end, cpu->before.begin_ns, cpu->before.end_ns, from);
	return now + before;
}

static void noise_take(struct noise_state *state, const struct context_id *id,
		       const struct lkst_thread *thread, int64_t duration_ns, int64_t at_ns)
{
	struct noise_row *row;

	if (duration_ns < state->run->args->over_ns)
		return;
	row = context_row(&state->rows, id);
	if (!row || dist_add(&row->taken, duration_ns, at_ns)) {
		run_out_of_memory(state->run);
		return;
	}
	row->thread = thread;
}

/* Record that the thread that took the CPU away has stopped running. */
static void noise_end_run(struct noise_state *state, struct noise_cpu *cpu)
{
	struct context_id id = { .kind = NOISE_THREAD };

	if (!cpu->by)
		return;
	id.source = cpu->by->source;
	id.number = cpu->by->index;
	noise_take(state, &id, cpu->by, cpu->by_ns, cpu->by_since_ns);
	cpu->by = NULL;
}

static void noise_on_cpu(void *ctx, const struct lkst_cpu_span *span)
{
	struct noise_state *state = ctx;
	struct noise_cpu *cpu;
	int64_t waited, from = 0;

	noise_sync(state);
	if (span->cpu != state->run->args->cpu || span->mode == LKST_MODE_HARDIRQ ||
	    span->mode == LKST_MODE_SOFTIRQ)
		return;
	cpu = noise_cpu(state, span->source);
	if (!cpu)
		return;
	waited = span->thread ? noise_waited(cpu, span->begin_ns, span->end_ns, &from) : 0;
	if (cpu->by != span->thread)
		noise_end_run(state, cpu);
	if (!waited)
		return;
	if (!cpu->by) {
		cpu->by = span->thread;
		cpu->by_since_ns = from;
		cpu->by_ns = 0;
	}
	if (__builtin_add_overflow(cpu->by_ns, waited, &cpu->by_ns))
		cpu->by_ns = INT64_MAX;
}

/* Return whether a softirq runs in ksoftirqd, the thread whose purpose is to run softirqs. */
static bool noise_is_own_softirq(const struct lkst_context_span *span)
{
	static const char name[] = "ksoftirq"; /* a switch records 8 bytes of "ksoftirqd/0" */

	return span->kind == LKST_CONTEXT_SOFTIRQ &&
	       !strncmp(span->thread->name, name, sizeof(name) - 1);
}

static void noise_context(void *ctx, const struct lkst_context_span *span)
{
	struct noise_state *state = ctx;
	const struct noise_cpu *cpu;
	struct context_id id;
	int64_t from;

	noise_sync(state);
	if (span->cpu != state->run->args->cpu || (!span->begin_known && span->own_ns <= 0) ||
	    (span->kind != LKST_CONTEXT_IRQ && span->kind != LKST_CONTEXT_TIMER_IRQ &&
	     span->kind != LKST_CONTEXT_IPI && span->kind != LKST_CONTEXT_SOFTIRQ))
		return;
	cpu = noise_cpu(state, span->source);
	if (!cpu)
		return;
	if ((!span->thread || noise_is_own_softirq(span) ||
	     !context_selects(state->run, span->cpu, span->thread)) &&
	    !noise_waited(cpu, span->begin_ns, span->end_ns, &from))
		return;
	id = context_id(span);
	noise_take(state, &id, NULL, span->own_ns, span->begin_ns);
}

/* ---- changes of the victims ---- */

static void noise_thread(void *ctx, const struct lkst_thread_span *span)
{
	struct noise_state *state = ctx;

	noise_sync(state);
	if (span->state != LKST_STATE_RUNNING)
		noise_victim_leaves(state, span->thread, span->end_ns);
	else if (span->end == LKST_END_PREEMPTED &&
		 context_selects(state->run, span->cpu, span->thread))
		noise_victim_waits(state, span->thread, span->end_ns);
}

static void noise_migrate(void *ctx, const struct lkst_thread *thread, int32_t from, int32_t to,
			  int64_t time_ns)
{
	struct noise_state *state = ctx;

	noise_sync(state);
	if (from == state->run->args->cpu && to != from)
		noise_victim_leaves(state, thread, time_ns);
}

/* ---- the report ---- */

static int noise_report(void *ctx, const struct run *run, struct tables *to, struct lkst_error *err)
{
	struct noise_state *state = ctx;
	struct noise_cpu *cpu;
	size_t at = 0;

	while ((cpu = hash_next(&state->cpus, &at)) != NULL)
		noise_end_run(state, cpu);
	return noise_add_table(run, &state->rows, to, err);
}

static const char *const noise_needs[] = { "PROCESS_CONTEXTSWITCH", NULL };
static const char *const noise_helps[] = {
	"INT_HARDWARE_ENTRY", "INT_HARDWARE_EXIT", "INT_TIMER_ENTRY",
	"INT_TIMER_EXIT",     "INT_IPI_ENTRY",	   "INT_IPI_EXIT",
	"INT_SOFTIRQ_ENTRY",  "INT_SOFTIRQ_EXIT",  NULL,
};

const struct analysis analysis_noise = {
	.name = "noise",
	.summary = "how late timers ran, and what disturbed a thread",
	.about =
		"For each cause that took the CPU of -c away from a thread: how often and how\n"
		"long. Causes are interrupts and softirqs that occurred while the thread ran, and\n"
		"threads that preempted it. With -p, only what took the CPU away from these\n"
		"threads. The times do not overlap; \"share %\" is their share of the window.\n",
	.required = "-c CPU",
	.needs_cpu = true,
	.needs = noise_needs,
	.helps = noise_helps,
	.ops = {
		.thread = noise_thread,
		.cpu = noise_on_cpu,
		.context = noise_context,
		.migrate = noise_migrate,
	},
	.start = noise_start,
	.report = noise_report,
	.free = noise_free,
};
