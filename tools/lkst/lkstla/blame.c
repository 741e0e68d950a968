// SPDX-License-Identifier: GPL-2.0
/* What each CPU did most recently, in a ring of slices per CPU. Older time is unknown. */
#include <string.h>

#include "blame.h"
#include "contexts.h"

#define BLAME_SLICES 64 /* a power of two */

/**
 * struct blame_slice - time in which a CPU did the same
 * @begin_ns: begin
 * @end_ns: end
 * @cause: what it did
 * @thread: BLAME_THREAD: the thread
 */
struct blame_slice {
	int64_t begin_ns;
	int64_t end_ns;
	enum blame_cause cause;
	const struct lkst_thread *thread;
};

/**
 * struct blame_cpu - a CPU
 * @head: source and CPU
 * @num: number of slices so far
 * @slice: the most recent ones; slice number n is at index n % BLAME_SLICES
 */
struct blame_cpu {
	struct hash_head head;
	uint64_t num;
	struct blame_slice slice[BLAME_SLICES];
};

void blame_init(struct blame_history *history)
{
	*history = (struct blame_history){
		.cpus = { .size = sizeof(struct blame_cpu), .max = CONTEXT_CPUS_MAX },
	};
}

void blame_free(struct blame_history *history)
{
	hash_free(&history->cpus);
}

static struct blame_slice blame_slice_of(const struct lkst_cpu_span *span)
{
	static const enum blame_cause causes[LKST_MODE_NUM] = {
		[LKST_MODE_UNKNOWN] = BLAME_UNKNOWN, [LKST_MODE_IDLE] = BLAME_IDLE,
		[LKST_MODE_USER] = BLAME_THREAD,     [LKST_MODE_KERNEL] = BLAME_THREAD,
		[LKST_MODE_THREAD] = BLAME_THREAD,   [LKST_MODE_SOFTIRQ] = BLAME_SOFTIRQ,
		[LKST_MODE_HARDIRQ] = BLAME_IRQ,
	};
	struct blame_slice slice = { span->begin_ns, span->end_ns, causes[span->mode], NULL };

	if (slice.cause == BLAME_THREAD)
		slice.thread = span->thread;
	return slice;
}

/**
 * blame_add() - note what a CPU did
 * @history: history
 * @span: span of the CPU that has ended
 *
 * Return: 0; -1 if an allocation failed.
 */
int blame_add(struct blame_history *history, const struct lkst_cpu_span *span)
{
	struct blame_cpu *cpu = context_cpu(&history->cpus, span->source, span->cpu);
	struct blame_slice slice = blame_slice_of(span), *last;

	if (!cpu)
		return history->cpus.num < CONTEXT_CPUS_MAX ? -1 : 0;
	last = &cpu->slice[(cpu->num - 1) % BLAME_SLICES];
	if (cpu->num && last->cause == slice.cause && last->thread == slice.thread &&
	    last->end_ns == slice.begin_ns)
		last->end_ns = slice.end_ns;
	else
		cpu->slice[cpu->num++ % BLAME_SLICES] = slice;
	return 0;
}

/* Add the part of a slice between two times. Returns how much that is. */
static int64_t blame_take(struct blame *blame, const struct blame_slice *slice, int64_t from_ns,
			  int64_t to_ns, int64_t *longest_ns)
{
	int64_t begin = slice->begin_ns > from_ns ? slice->begin_ns : from_ns;
	int64_t end = slice->end_ns < to_ns ? slice->end_ns : to_ns, ns;

	if (begin >= end)
		return 0;
	ns = end - begin; /* at most to_ns - from_ns */
	blame->ns[slice->cause] += ns;
	if (slice->thread && ns > *longest_ns) {
		*longest_ns = ns;
		blame->thread = slice->thread;
	}
	return ns;
}

/**
 * blame_find() - find out what a CPU did
 * @history: history
 * @now: current span of the CPU, which has not ended; its end does not matter
 * @from_ns: start of the time in question
 * @to_ns: its end; @to_ns - @from_ns must not overflow
 * @blame: result
 */
void blame_find(struct blame_history *history, const struct lkst_cpu_span *now, int64_t from_ns,
		int64_t to_ns, struct blame *blame)
{
	const struct blame_cpu *cpu = context_cpu(&history->cpus, now->source, now->cpu);
	struct blame_slice present = blame_slice_of(now);
	int64_t rest = to_ns > from_ns ? to_ns - from_ns : 0, longest = 0;
	uint64_t num = cpu ? cpu->num : 0, oldest;

	memset(blame, 0, sizeof(*blame));
	present.end_ns = to_ns;
	rest -= blame_take(blame, &present, from_ns, to_ns, &longest);
	oldest = num > BLAME_SLICES ? num - BLAME_SLICES : 0;
	/* The slices do not overlap, unless the clock was set back: then do not count time twice. */
	for (; num > oldest && rest > 0; num--) {
		const struct blame_slice *slice = &cpu->slice[(num - 1) % BLAME_SLICES];

		if (slice->end_ns > present.begin_ns)
			break;
		rest -= blame_take(blame, slice, from_ns, to_ns, &longest);
		present.begin_ns = slice->begin_ns;
	}
	if (rest > 0)
		blame->ns[BLAME_UNKNOWN] += rest;
}

/* Return the cause of most of the time. */
enum blame_cause blame_main(const struct blame *blame)
{
	enum blame_cause most = 0;

	for (enum blame_cause cause = 1; cause < BLAME_NUM; cause++)
		if (blame->ns[cause] > blame->ns[most])
			most = cause;
	return most;
}
