// SPDX-License-Identifier: GPL-2.0
/* lkstla sched: how long threads ran, how long they waited for a CPU, and behind which thread. */
#include <stdlib.h>

#include "analysis.h"
#include "dist.h"
#include "lib/base/error.h"
#include "sched.h"
#include "tally.h"

/*
 * In the histogram, group 0 contains the waits below 1 us, and group g those from 2^(g - 1) us to
 * twice that.
 */
#define SCHED_GROUPS 55

struct sched_arguments {
	bool histogram;
};

static const struct option_row sched_rows[] = {
	OPT_FLAG(0, "histogram", struct sched_arguments, histogram,
		 "also how many waits took how long, for all threads"),
};

/**
 * struct sched_thread - what a thread did
 * @thread: thread; NULL if it neither ran nor waited
 * @runs: number of times that a CPU switched to it
 * @preempted: number of times that it was switched out while runnable
 * @run_ns: time for which it ran
 * @waits: durations of its waits for a CPU
 * @behind: thread that ran on the CPU when the longest wait began; NULL: idle or unknown
 */
struct sched_thread {
	const struct lkst_thread *thread;
	uint64_t runs;
	uint64_t preempted;
	int64_t run_ns;
	struct dist waits;
	const struct lkst_thread *behind;
};

/**
 * struct sched_group - waits of similar length
 * @waits: number of waits
 * @total_ns: total length of these waits
 */
struct sched_group {
	uint64_t waits;
	int64_t total_ns;
};

struct sched {
	const struct run *run;
	struct sched_thread *thread;
	size_t room;
	struct sched_group group[SCHED_GROUPS];
};

static unsigned int sched_group(int64_t ns)
{
	uint64_t us = (uint64_t)ns / 1000;

	return us ? 64 - (unsigned int)__builtin_clzll(us) : 0;
}

/* Return the lower end of a group in nanoseconds. */
static int64_t sched_lower(unsigned int group)
{
	return group ? (1000LL << (group - 1)) : 0;
}

static void sched_wait(struct sched *sched, struct sched_thread *thread,
		       const struct lkst_thread_span *span)
{
	int64_t ns = tally_length(span->begin_ns, span->end_ns);
	bool longest = !thread->waits.count || (uint64_t)ns > thread->waits.max;
	struct sched_group *group = &sched->group[sched_group(ns)];

	/*
	 * An empty span means that records were lost before the window opened, so the wait may have
	 * ended before the window.
	 */
	if (!ns && !span->begin_known && span->end == LKST_END_CUT &&
	    span->begin_ns == sched->run->begin_ns)
		return;
	if (dist_add(&thread->waits, ns, span->end_ns)) {
		run_out_of_memory(sched->run);
		return;
	}
	if (longest)
		thread->behind = span->behind;
	if (ns < sched->run->args->over_ns)
		return;
	group->waits++;
	group->total_ns = tally_sum(group->total_ns, ns);
}

static void sched_span(void *ctx, const struct lkst_thread_span *span)
{
	struct sched *sched = ctx;
	const struct run *run = sched->run;
	bool running = span->state == LKST_STATE_RUNNING;
	struct sched_thread *thread;

	if ((!running && span->state != LKST_STATE_RUNNABLE) ||
	    (run->args->cpu >= 0 && span->cpu != run->args->cpu) || !run_selects(run, span->thread))
		return;
	thread = tally_cover(sched->thread, &sched->room, span->thread->index, sizeof(*thread));
	if (!thread) {
		run_out_of_memory(run);
		return;
	}
	sched->thread = thread;
	thread += span->thread->index;
	thread->thread = span->thread;
	if (!running) {
		sched_wait(sched, thread, span);
		return;
	}
	thread->runs += span->begin_known;
	thread->preempted += span->end == LKST_END_PREEMPTED;
	thread->run_ns = tally_sum(thread->run_ns, tally_length(span->begin_ns, span->end_ns));
}

static const struct column sched_columns[] = {
	{ "thread", "thread", COLUMN_TEXT },
	{ "runs", "runs", COLUMN_COUNT },
	{ "preempted", "preempted", COLUMN_COUNT },
	{ "run ms", "run_ns", COLUMN_MS },
	{ "wait ms", "wait_ns", COLUMN_MS },
	{ "p50 us", "p50_ns", COLUMN_US },
	{ "p99 us", "p99_ns", COLUMN_US },
	{ "max us", "max_ns", COLUMN_US },
	{ "at", "at_ns", COLUMN_TIME },
	{ "behind", "behind", COLUMN_TEXT },
};

static const struct column sched_group_columns[] = {
	{ "from us", "from_ns", COLUMN_US },   { "below us", "below_ns", COLUMN_US },
	{ "waits", "waits", COLUMN_COUNT },    { "share %", "share", COLUMN_PERCENT },
	{ "total ms", "total_ns", COLUMN_MS },
};

#define NUM(array) (sizeof(array) / sizeof(*(array)))

/* Order: longest total wait first, then longest run time. */
static int sched_order(const void *pa, const void *pb)
{
	const struct sched_thread *a = *(const struct sched_thread *const *)pa;
	const struct sched_thread *b = *(const struct sched_thread *const *)pb;

	if (a->waits.sum != b->waits.sum)
		return a->waits.sum > b->waits.sum ? -1 : 1;
	if (a->run_ns != b->run_ns)
		return a->run_ns > b->run_ns ? -1 : 1;
	return (a->thread->index > b->thread->index) - (a->thread->index < b->thread->index);
}

/* Return the threads to show, in the order of the report. The caller must free the array. */
static const struct sched_thread **sched_choose(const struct sched *sched, size_t *num)
{
	const struct sched_thread **chosen = calloc(sched->room + 1, sizeof(*chosen));
	int64_t over_ns = sched->run->args->over_ns;

	*num = 0;
	if (!chosen)
		return NULL;
	for (size_t i = 0; i < sched->room; i++) {
		const struct sched_thread *thread = &sched->thread[i];

		if (thread->thread && (over_ns <= 0 || thread->waits.max >= (uint64_t)over_ns))
			chosen[(*num)++] = thread;
	}
	qsort(chosen, *num, sizeof(*chosen), sched_order);
	return chosen;
}

static int sched_add(const struct run *run, struct table *table, const struct sched_thread *thread,
		     struct lkst_error *err)
{
	const struct dist *waits = &thread->waits;
	bool none = !waits->count;
	char name[40], behind[40];
	const struct cell cell[] = {
		CELL_TEXT(run_thread_name(run, thread->thread, name)),
		CELL(thread->runs),
		CELL(thread->preempted),
		CELL(thread->run_ns),
		CELL(waits->sum < INT64_MAX ? waits->sum : INT64_MAX),
		none ? CELL_NONE : CELL(dist_percentile(waits, 50)),
		none ? CELL_NONE : CELL(dist_percentile(waits, 99)),
		none ? CELL_NONE : CELL(waits->max),
		none ? CELL_NONE : CELL(waits->max_at_ns),
		thread->behind ? CELL_TEXT(run_thread_name(run, thread->behind, behind)) :
				 CELL_NONE,
	};

	return table_add(table, cell, err);
}

/**
 * sched_report_threads() - add the table of threads
 * @ctx: what start() of the analysis returned
 * @run: run
 * @to: tables
 * @err: set if an allocation fails
 */
int sched_report_threads(const void *ctx, const struct run *run, struct tables *to,
			 struct lkst_error *err)
{
	const struct sched *sched = ctx;
	struct table *table = table_new("sched", "Threads", sched_columns, NUM(sched_columns), err);
	const struct sched_thread **chosen;
	size_t num;
	int ret = 0;

	if (!table)
		return -1;
	to->table[to->num++] = table;
	chosen = sched_choose(sched, &num);
	if (!chosen) {
		lkst_error_memory(err, "sched");
		return -1;
	}
	for (size_t i = 0; i < num && !ret; i++)
		ret = sched_add(run, table, chosen[i], err);
	free(chosen);
	return ret;
}

/* Add the groups as a histogram: empty groups between other groups are included. */
static int sched_report_waits(const struct sched *sched, struct tables *to, struct lkst_error *err)
{
	struct table *table = table_new("waits", "Waits by length", sched_group_columns,
					NUM(sched_group_columns), err);
	unsigned int first = SCHED_GROUPS, last = 0;
	uint64_t waits = 0;

	if (!table)
		return -1;
	to->table[to->num++] = table;
	for (unsigned int i = 0; i < SCHED_GROUPS; i++) {
		if (!sched->group[i].waits)
			continue;
		first = i < first ? i : first;
		last = i;
		waits += sched->group[i].waits;
	}
	for (unsigned int i = first; i <= last && i < SCHED_GROUPS; i++) {
		const struct sched_group *group = &sched->group[i];
		bool open = i + 1 == SCHED_GROUPS;
		const struct cell cell[] = {
			CELL(sched_lower(i)),  open ? CELL_NONE : CELL(sched_lower(i + 1)),
			CELL(group->waits),    CELL_REAL((double)group->waits / (double)waits),
			CELL(group->total_ns),
		};

		if (table_add(table, cell, err))
			return -1;
	}
	return 0;
}

static int sched_report(void *ctx, const struct run *run, struct tables *to, struct lkst_error *err)
{
	const struct sched_arguments *own = run->own;

	if (sched_report_threads(ctx, run, to, err))
		return -1;
	return own->histogram ? sched_report_waits(ctx, to, err) : 0;
}

static void *sched_start(const struct run *run, struct lkst_error *err)
{
	struct sched *sched = calloc(1, sizeof(*sched));

	if (!sched)
		lkst_error_memory(err, "sched");
	else
		sched->run = run;
	return sched;
}

static void sched_free(void *ctx)
{
	struct sched *sched = ctx;

	for (size_t i = 0; i < sched->room; i++)
		dist_free(&sched->thread[i].waits);
	free(sched->thread);
	free(sched);
}

static const char *const sched_needs[] = { "PROCESS_CONTEXTSWITCH", "PROCESS_WAKEUP", NULL };
static const char *const sched_helps[] = { "PROCESS_WAKING", "PROCESS_STATE", NULL };

const struct analysis analysis_sched = {
	.name = "sched",
	.summary = "how long threads ran and waited for a CPU, and behind whom",
	.about =
		"For each thread: how often and how long it ran, and how long it waited for a CPU\n"
		"(wait, p50, p99, max). \"at\" is the end of the longest wait, and \"behind\" the\n"
		"thread that the CPU ran when this wait began; \"-\" if the CPU was idle or the\n"
		"thread is not known. --over leaves out threads without a wait of that length.\n",
	.row = sched_rows,
	.rows = NUM(sched_rows),
	.own_size = sizeof(struct sched_arguments),
	.needs = sched_needs,
	.helps = sched_helps,
	.ops = { .thread = sched_span },
	.start = sched_start,
	.report = sched_report,
	.free = sched_free,
};
