/* SPDX-License-Identifier: LGPL-2.1 */
/* The event filter of option -e, which selects events by event type and system call. */
#ifndef _LKST_LIB_TEXT_FILTER_H
#define _LKST_LIB_TEXT_FILTER_H

#include "constants.h"
#include "lib/lkst.h"

struct lkst_numbers {
	uint16_t first;
	uint16_t num;	/* 0: none */
};

struct lkst_filter {
	bool words;			/* at least one word was given */
	int8_t named[LKST_ETYPE_NUM];	/* 1: selected, -1: excluded, 0: not named */
	int8_t named_unknown;		/* as @named, for numbers out of range (damaged records) */
	bool calls;			/* a word named a system call: use @entry and @exit */
	int8_t entry[CONSTANT_CALL_TABLES][CONSTANT_CALLS_MAX];
	int8_t exit[CONSTANT_CALL_TABLES][CONSTANT_CALLS_MAX];
	bool show[LKST_ETYPE_NUM];
	bool show_unknown;
	/*
	 * For each event type: the numbers that are selected by the last word that matches the
	 * event type. All zeros if that word selects a known event type, or if no word matches.
	 */
	struct lkst_numbers unknown[LKST_ETYPE_NUM];
};

void lkst_filter_init(struct lkst_filter *filter);

/*
 * Return whether an event type is selected. If the filter names system calls, call
 * lkst_filter_shows_call() instead.
 */
static inline bool lkst_filter_shows(const struct lkst_filter *filter, uint32_t type)
{
	return type < LKST_ETYPE_NUM ? filter->show[type] : filter->show_unknown;
}

bool lkst_filter_shows_call(const struct lkst_filter *filter, const struct lkst_event *event);

static inline bool lkst_filter_shows_event(const struct lkst_filter *filter,
					   const struct lkst_event *event)
{
	return filter->calls ? lkst_filter_shows_call(filter, event) :
			       lkst_filter_shows(filter, event->type);
}

#endif
