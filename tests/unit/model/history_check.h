/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Compares the answers of a history with the spans that its model reported, and aborts if they
 * differ. The checks hold for all events, even damaged ones.
 */
#ifndef _HISTORY_CHECK_H
#define _HISTORY_CHECK_H

#include "lib/model.h"

struct history_check;

struct history_check *history_check_new(struct lkst_model *model, struct lkst_history *history);
/*
 * Announce another window, so that later checks are less strict. If a span is open now, the model
 * never reports the part of the span before the new window. The model has already reported the
 * system calls that ended in that part, so the history has no state for some of the time of these
 * calls.
 */
void history_check_window(struct history_check *check);
/*
 * Compare everything. Call this after lkst_model_cut(). @seed determines the times for which the
 * history is queried.
 */
void history_check_all(struct history_check *check, uint64_t seed);
/* Return how many spans of threads the model has reported. */
size_t history_check_spans(const struct history_check *check);
/* Return how many spans did not begin where the previous one of the thread or CPU ended. */
size_t history_check_gaps(const struct history_check *check);
void history_check_free(struct history_check *check);

#endif
