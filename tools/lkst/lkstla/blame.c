// SPDX-License-Identifier: GPL-2.0
/*
 * Remembers what each CPU did most recently, in a ring of slices for each CPU. A slice is a time in
 * which the CPU did one thing, called its cause, such as running a softirq. A thread that runs for
 * long is interrupted by hundreds of ticks. So older slices are combined into turns. A turn is a
 * time in which the CPU had the same thread, including the interrupts of the thread. Turns are in
 * another ring, and only store the total time for each cause. If only a part of a turn is of
 * interest, these totals yield a minimum of the time for each cause in this part.
 */
#include <string.h>

#include "blame.h"
#include "contexts.h"

#define BLAME_SLICES 64 /* a power of two */
#define BLAME_TURNS  64 /* a power of two */
/*
 * Maximum number of slices in a turn. More would make turns too coarse, fewer would make the
 * history too short.
 */
#define BLAME_TURN_SLICES 256
/*
 * Maximum number of threads in the history of a CPU: one for each slice, one for each turn, and the
 * current thread
 */
#define BLAME_THREADS (BLAME_SLICES + BLAME_TURNS + 1)

/**
 * struct blame_slice - time in which a CPU did the same thing
 * @begin_ns: start
 * @end_ns: end
 * @cause: what it did
 * @thread: thread that ran or was interrupted; NULL: idle or unknown
 */
struct blame_slice {
	int64_t begin_ns;
	int64_t end_ns;
	enum blame_cause cause;
	const struct lkst_thread *thread;
};

/**
 * struct blame_turn - time in which a CPU had the same thread
 * @begin_ns: start
 * @end_ns: end
 * @ns: time by cause, which adds up to the whole time
 * @slices: number of slices
 * @thread: the thread; NULL: idle or unknown
 */
struct blame_turn {
	int64_t begin_ns;
	int64_t end_ns;
	int64_t ns[BLAME_NUM];
	unsigned int slices;
	const struct lkst_thread *thread;
};

/**
 * struct blame_cpu - data about a CPU
 * @head: source and CPU
 * @num: number of slices so far
 * @slice: the most recent slices; slice number n is at index n % BLAME_SLICES
 * @turns: number of turns so far
 * @turn: the most recent turns, which are older than the slices; turn number n is at index n %
 *	BLAME_TURNS
 */
struct blame_cpu {
	struct hash_head head;
	uint64_t num;
	struct blame_slice slice[BLAME_SLICES];
	uint64_t turns;
	struct blame_turn turn[BLAME_TURNS];
};

/**
 * struct blame_search - the search for what a CPU did
 * @from_ns: start of the time in question
 * @to_ns: end of the part that has not been searched, which moves towards @from_ns
 * @ns: time by cause
 * @num: number of elements of @thread
 * @thread: threads that ran, and for how long
 */
struct blame_search {
	int64_t from_ns;
	int64_t to_ns;
	int64_t ns[BLAME_NUM];
	unsigned int num;
	struct {
		const struct lkst_thread *thread;
		int64_t ns;
	} thread[BLAME_THREADS];
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

	return (struct blame_slice){ span->begin_ns, span->end_ns, causes[span->mode],
				     span->thread };
}

/* Add a slice to the turns. A slice whose length overflows is left out. */
static void blame_add_turn(struct blame_cpu *cpu, const struct blame_slice *slice)
{
	struct blame_turn *turn = &cpu->turn[(cpu->turns - 1) % BLAME_TURNS];
	int64_t ns, all;

	if (__builtin_sub_overflow(slice->end_ns, slice->begin_ns, &ns) || ns < 0)
		return;
	if (!cpu->turns || turn->thread != slice->thread || turn->end_ns != slice->begin_ns ||
	    turn->slices == BLAME_TURN_SLICES ||
	    __builtin_sub_overflow(slice->end_ns, turn->begin_ns, &all)) {
		turn = &cpu->turn[cpu->turns++ % BLAME_TURNS];
		*turn = (struct blame_turn){ .begin_ns = slice->begin_ns, .thread = slice->thread };
	}
	turn->end_ns = slice->end_ns;
	turn->ns[slice->cause] += ns; /* at most the length of the turn */
	turn->slices++;
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
	    last->end_ns == slice.begin_ns) {
		last->end_ns = slice.end_ns;
		return 0;
	}
	if (cpu->num >= BLAME_SLICES)
		blame_add_turn(cpu, &cpu->slice[cpu->num % BLAME_SLICES]);
	cpu->slice[cpu->num++ % BLAME_SLICES] = slice;
	return 0;
}

/* Count time for a cause. */
static void blame_count(struct blame_search *search, enum blame_cause cause,
			const struct lkst_thread *thread, int64_t ns)
{
	unsigned int i = 0;

	search->ns[cause] += ns; /* the sum is at most the time that is searched */
	if (cause != BLAME_THREAD || !thread || ns <= 0)
		return;
	while (i < search->num && search->thread[i].thread != thread)
		i++;
	if (i == search->num) {
		search->thread[i].thread = thread;
		search->thread[i].ns = 0;
		search->num++;
	}
	search->thread[i].ns += ns;
}

/*
 * Search a slice or a turn: move @search->to_ns to its start. Returns how long the slice or turn
 * is, without any part that is outside of the time still to be searched. If the clock was set back,
 * slices can overlap, but no time counts twice.
 */
static int64_t blame_move(struct blame_search *search, int64_t begin_ns, int64_t end_ns)
{
	int64_t begin = begin_ns > search->from_ns ? begin_ns : search->from_ns;
	int64_t end = end_ns < search->to_ns ? end_ns : search->to_ns;

	if (begin >= end)
		return 0;
	search->ns[BLAME_UNKNOWN] += search->to_ns - end;
	search->to_ns = begin;
	return end - begin;
}

static void blame_take_slice(struct blame_search *search, const struct blame_slice *slice)
{
	int64_t ns = blame_move(search, slice->begin_ns, slice->end_ns);

	blame_count(search, slice->cause, slice->thread, ns);
}

/*
 * Count the part of a turn that is in the time that is searched. A turn only stores the total time
 * of each cause. If that total is longer than the part of the turn outside of the searched time, at
 * least the difference was spent inside of the searched time.
 */
static void blame_take_turn(struct blame_search *search, const struct blame_turn *turn)
{
	int64_t ns = blame_move(search, turn->begin_ns, turn->end_ns);
	int64_t outside = turn->end_ns - turn->begin_ns - ns, unknown = ns;

	if (!ns)
		return;
	for (enum blame_cause cause = 0; cause < BLAME_NUM; cause++) {
		int64_t least = turn->ns[cause] > outside ? turn->ns[cause] - outside : 0;

		blame_count(search, cause, turn->thread, least);
		unknown -= least;
	}
	search->ns[BLAME_UNKNOWN] += unknown;
}

static void blame_search(struct blame_search *search, const struct blame_cpu *cpu)
{
	uint64_t oldest = cpu->num > BLAME_SLICES ? cpu->num - BLAME_SLICES : 0;

	for (uint64_t n = cpu->num; n > oldest && search->to_ns > search->from_ns; n--)
		blame_take_slice(search, &cpu->slice[(n - 1) % BLAME_SLICES]);
	oldest = cpu->turns > BLAME_TURNS ? cpu->turns - BLAME_TURNS : 0;
	for (uint64_t n = cpu->turns; n > oldest && search->to_ns > search->from_ns; n--)
		blame_take_turn(search, &cpu->turn[(n - 1) % BLAME_TURNS]);
}

/**
 * blame_find() - find out what a CPU did
 * @history: history
 * @now: current span of the CPU; its @end_ns is ignored, because it has not ended
 * @from_ns: start of the time in question
 * @to_ns: end of the time in question; @to_ns - @from_ns must not overflow
 * @blame: result
 */
void blame_find(struct blame_history *history, const struct lkst_cpu_span *now, int64_t from_ns,
		int64_t to_ns, struct blame *blame)
{
	const struct blame_cpu *cpu = context_cpu(&history->cpus, now->source, now->cpu);
	struct blame_search search = { .from_ns = from_ns, .to_ns = to_ns };
	struct blame_slice present = blame_slice_of(now);

	memset(blame, 0, sizeof(*blame));
	if (from_ns >= to_ns)
		return;
	present.end_ns = to_ns;
	blame_take_slice(&search, &present);
	if (cpu)
		blame_search(&search, cpu);
	search.ns[BLAME_UNKNOWN] += search.to_ns - from_ns;
	memcpy(blame->ns, search.ns, sizeof(blame->ns));
	for (unsigned int i = 0; i < search.num; i++) {
		if (search.thread[i].ns <= blame->thread_ns)
			continue;
		blame->thread = search.thread[i].thread;
		blame->thread_ns = search.thread[i].ns;
	}
}

/* Return the cause with the longest time. */
enum blame_cause blame_main(const struct blame *blame)
{
	enum blame_cause most = 0;

	for (enum blame_cause cause = 1; cause < BLAME_NUM; cause++)
		if (blame->ns[cause] > blame->ns[most])
			most = cause;
	return most;
}
