// SPDX-License-Identifier: GPL-2.0
/*
 * Counts by waker. A few wakers end nearly all sleeps of a thread, so a list that is searched from
 * its start is sufficient. Each time a waker is found, it is moved forward by one entry.
 */
#include <stdlib.h>

#include "tally.h"
#include "waker_counts.h"

/* Make room for another waker. Returns 0; -1 if an allocation failed. */
static int waker_counts_grow(struct waker_counts *counts)
{
	uint32_t room = counts->room ? counts->room * 2 : 2;
	struct waker_count *grown;

	if (counts->num < counts->room)
		return 0;
	grown = realloc(counts->count, room * sizeof(*grown));
	if (!grown)
		return -1;
	counts->count = grown;
	counts->room = room;
	return 0;
}

/* Find a waker, and move it forward. Returns NULL if it is not in the list. */
static struct waker_count *waker_counts_find(struct waker_counts *counts, const struct waker *waker)
{
	struct waker_count *count = counts->count, before;

	for (uint32_t i = 0; i < counts->num; i++) {
		if (waker_compare(&count[i].waker, waker))
			continue;
		if (!i)
			return count;
		before = count[i - 1];
		count[i - 1] = count[i];
		count[i] = before;
		return &count[i - 1];
	}
	return NULL;
}

/**
 * waker_counts_add() - count sleeps
 * @counts: counts
 * @waker: what ended the sleeps
 * @times: number of sleeps
 * @total_ns: total length of these sleeps, not negative
 *
 * Return: 0; -1 if an allocation failed, in which case @counts is unchanged.
 */
int waker_counts_add(struct waker_counts *counts, const struct waker *waker, uint64_t times,
		     int64_t total_ns)
{
	struct waker_count *count = waker_counts_find(counts, waker);

	if (!count && counts->num == WAKER_COUNTS_MAX) {
		counts->others += times;
		counts->others_ns = tally_sum(counts->others_ns, total_ns);
		return 0;
	}
	if (!count) {
		if (waker_counts_grow(counts))
			return -1;
		count = &counts->count[counts->num++];
		*count = (struct waker_count){ .waker = *waker };
	}
	count->times += times;
	count->total_ns = tally_sum(count->total_ns, total_ns);
	return 0;
}

/**
 * waker_counts_merge() - add counts to existing counts
 * @to: counts
 * @from: counts to add
 *
 * Return: 0; -1 if an allocation failed, in which case only a part of @from was added.
 */
int waker_counts_merge(struct waker_counts *to, const struct waker_counts *from)
{
	for (uint32_t i = 0; i < from->num; i++)
		if (waker_counts_add(to, &from->count[i].waker, from->count[i].times,
				     from->count[i].total_ns))
			return -1;
	to->others += from->others;
	to->others_ns = tally_sum(to->others_ns, from->others_ns);
	return 0;
}

/*
 * Return whether @a ended more sleeps than @b. If both ended equally many, the total length of the
 * sleeps decides, and then the order of the wakers.
 */
static bool waker_count_exceeds(const struct waker_count *a, const struct waker_count *b)
{
	if (a->times != b->times)
		return a->times > b->times;
	if (a->total_ns != b->total_ns)
		return a->total_ns > b->total_ns;
	return waker_compare(&a->waker, &b->waker) < 0;
}

/**
 * waker_counts_top() - find the waker that ended most sleeps
 * @counts: counts
 *
 * Return: the waker. NULL if the list is empty. NULL also if unknown wakers and wakers that are not
 * in the list ended more sleeps in total than the waker that ended most.
 */
const struct waker *waker_counts_top(const struct waker_counts *counts)
{
	const struct waker_count *top = NULL;
	uint64_t hidden = counts->others;

	for (uint32_t i = 0; i < counts->num; i++) {
		const struct waker_count *count = &counts->count[i];

		if (count->waker.kind == WAKER_UNKNOWN)
			hidden += count->times;
		else if (!top || waker_count_exceeds(count, top))
			top = count;
	}
	return top && top->times >= hidden ? &top->waker : NULL;
}

/* Free the list. */
void waker_counts_free(struct waker_counts *counts)
{
	free(counts->count);
	*counts = (struct waker_counts){ 0 };
}
