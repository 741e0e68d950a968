/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Replaces kernel/lkst/rules/watch_direct.h. No event has a rule here, so none of these functions
 * is called. test_watch_direct.c tests the functions that they replace.
 */
#ifndef _LKST_RULES_WATCH_DIRECT_H
#define _LKST_RULES_WATCH_DIRECT_H

#include "filter.h"

#define LKST_WATCH_NOT_FOUND 0

enum lkst_watch_fetch { LKST_WATCH_ARG, LKST_WATCH_TID };

struct lkst_watch;

u64 lkst_watch_time(u64 value, unsigned int clock);
u64 lkst_watch_word(const struct lkst_filter_test *test, enum lkst_watch_fetch fetch, u64 a1, u64 a2,
		    u64 a3, u64 a4);
void lkst_watch_begin_word(const struct lkst_watch *watch, u64 word, u64 now);
bool lkst_watch_end_plain(const struct lkst_watch *watch, u64 word, u64 now, u64 *begin);

#endif
