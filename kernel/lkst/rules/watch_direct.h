/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The fast path of a watch whose key is one argument or the running thread, and
 * that keeps no values of the events that begin spans. It handles spans that
 * are the only one in their bucket, and that are plain when they end (struct
 * lkst_watch_stats). The functions are inlined into their callers.
 */
#ifndef _LKST_RULES_WATCH_DIRECT_H
#define _LKST_RULES_WATCH_DIRECT_H

#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/smp.h>

#include "../ring/context.h"
#include "filter.h"
#include "watch.h"
#include "watch_fast.h"

/*
 * Return the time of an event, given a value of a clock that records use. Times
 * of different clocks cannot be compared, so the lowest bit of the result says
 * which clock it is.
 */
static __always_inline u64 lkst_watch_time(u64 value, unsigned int clock)
{
	return (value & ~1ULL) | clock;
}

/*
 * Return the running thread as a key. The idle threads of all CPUs have the
 * number 0, so the CPU distinguishes them.
 */
static __always_inline u64 lkst_watch_thread(void)
{
	u64 tid = current->pid;

	return likely(tid) ? tid : BIT_ULL(32) | raw_smp_processor_id();
}

/*
 * Get the key @test of an event with the arguments @a1 to @a4. @fetch is the
 * element of lkst_watch_feed.fetch that belongs to @test, and is not
 * LKST_WATCH_ANY.
 */
static __always_inline u64 lkst_watch_word(const struct lkst_filter_test *test,
					   enum lkst_watch_fetch fetch, u64 a1, u64 a2, u64 a3,
					   u64 a4)
{
	if (fetch == LKST_WATCH_TID)
		return lkst_watch_thread();
	return lkst_filter_argument(test, a1, a2, a3, a4) >> test->shift & test->mask;
}

/* Return the figures of this CPU. The first element is for tasks. */
static __always_inline struct lkst_watch_stats *lkst_watch_figures(const struct lkst_watch *watch)
{
	/* Pairs with lkst_watch_reset(): see the memory as it was initialized. */
	struct lkst_watch_figures __percpu *figures = smp_load_acquire(&watch->figures);

	return raw_cpu_ptr(figures)->context;
}

/* Return the figures of this CPU in this kind of context. */
static __always_inline struct lkst_watch_stats *lkst_watch_stats(const struct lkst_watch *watch)
{
	return &lkst_watch_figures(watch)[lkst_context_index(lkst_context_count())];
}

/* Begin a span with the key @word. */
static __always_inline void lkst_watch_begin_word(const struct lkst_watch *watch, u64 word,
						  u64 now)
{
	enum lkst_watch_first first = lkst_watch_begin_first(&watch->table, 1, &word, now);

	if (unlikely(first != LKST_WATCH_BEGUN))
		lkst_watch_begin_crowded(watch, word, now, first == LKST_WATCH_CLAIMED);
}

/**
 * lkst_watch_end_plain() - end a span, if it is plain
 * @watch: the watch
 * @word: the key
 * @now: when the span ends, from lkst_watch_time()
 * @begin: receives when the span began, if this function has removed it from
 *	the table; else unchanged
 *
 * Context: any, NMI included, with preemption off. lkst_watch_feed() explains
 * what can interrupt this function.
 *
 * Return: whether the span was plain and has been counted. If not, the caller
 * must call lkst_watch_end_other().
 */
static __always_inline bool lkst_watch_end_plain(const struct lkst_watch *watch, u64 word, u64 now,
						 u64 *begin)
{
	struct lkst_watch_stats *stats;
	u64 from, ticks, ns;

	if (unlikely(!lkst_watch_end_first(&watch->table, 1, &word, &from)))
		return false;
	*begin = from;
	ticks = now - from;
	/* The lowest bit is set if the two clocks differ. */
	if (unlikely(ticks & 1))
		return false;
	/*
	 * Leave long spans to lkst_watch_end_other(), so that the product fits
	 * in 64 bits. @ticks is unsigned, so this check also finds a span of a
	 * negative length.
	 */
	if (unlikely(ticks > watch->ticks[now & 1]))
		return false;
	ns = ticks * watch->rate[now & 1] >> 32;
	/*
	 * Use the figures of tasks in any context. This is safe, because a
	 * plain span changes figures only with watch_local_add(). If no task
	 * has ended such a span on this CPU, it may be plain for this context.
	 */
	stats = lkst_watch_figures(watch);
	if (unlikely(!lkst_watch_is_plain(stats, ns))) {
		stats = lkst_watch_stats(watch);
		if (!lkst_watch_is_plain(stats, ns))
			return false;
	}
	lkst_watch_add(stats, ns);
	return true;
}

#endif
