/* SPDX-License-Identifier: GPL-2.0 */
/* Counts by waker, in a limited amount of memory. */
#ifndef _LKSTLA_WAKER_COUNTS_H
#define _LKSTLA_WAKER_COUNTS_H

#include "wakers.h"

/* Maximum number of wakers that are counted; few threads have more. */
#define WAKER_COUNTS_MAX 256

/**
 * struct waker_count - sleeps that a waker ended
 * @waker: waker
 * @times: number of sleeps
 * @total_ns: total length of these sleeps
 */
struct waker_count {
	struct waker waker;
	uint64_t times;
	int64_t total_ns;
};

/**
 * struct waker_counts - what ended the sleeps of a thread
 * @count: wakers, roughly in the order of @times
 * @num: number of wakers
 * @room: number of wakers that fit into @count
 * @others: number of sleeps that were ended by wakers that are not in @count
 * @others_ns: total length of these sleeps
 *
 * Initialize it with zeros.
 */
struct waker_counts {
	struct waker_count *count;
	uint32_t num;
	uint32_t room;
	uint64_t others;
	int64_t others_ns;
};

int waker_counts_add(struct waker_counts *counts, const struct waker *waker, uint64_t times,
		     int64_t total_ns);
int waker_counts_merge(struct waker_counts *to, const struct waker_counts *from);
const struct waker *waker_counts_top(const struct waker_counts *counts);
void waker_counts_free(struct waker_counts *counts);

#endif
