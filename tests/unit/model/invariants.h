/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Checks the reports of the state model, and aborts if they cannot be right: if spans overlap or
 * leave gaps, times do not add up, or reports come in the wrong order. The checks hold for all
 * events, even damaged ones.
 */
#ifndef _INVARIANTS_H
#define _INVARIANTS_H

#include "lib/model.h"

struct invariants;

struct invariants *invariants_new(struct lkst_model *model);
/* Announce that an event is about to be passed to the model. */
void invariants_event(struct invariants *inv, const struct lkst_event *event);
/* Announce that lkst_model_open_window() or lkst_model_cut() is about to be called. */
void invariants_window(struct invariants *inv, int64_t time_ns);
void invariants_cut(struct invariants *inv, int64_t time_ns);
/*
 * Announce that the last records may be missing. Then the last spans may end before the time of the
 * last lkst_model_cut().
 */
void invariants_lose_end(struct invariants *inv);
/* Check that the last cut reported everything. */
void invariants_after_cut(const struct invariants *inv);
/* Return how long the thread with this index ran. */
int64_t invariants_run_ns(const struct invariants *inv, uint32_t index);
void invariants_free(struct invariants *inv);

#endif
