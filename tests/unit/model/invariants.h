/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Checks what the state model reports, and aborts if it cannot be right: spans that do not tile the
 * time, times that do not add up, or reports in the wrong order. It holds for any events.
 */
#ifndef _INVARIANTS_H
#define _INVARIANTS_H

#include "lib/model/model.h"

struct invariants;

struct invariants *invariants_new(struct lkst_model *model);
/* Announce an event, before it is passed to the model. */
void invariants_event(struct invariants *inv, const struct lkst_event *event);
/* Announce that lkst_model_open_window() or lkst_model_cut() is about to be called. */
void invariants_window(struct invariants *inv, int64_t time_ns);
void invariants_cut(struct invariants *inv, int64_t time_ns);
/* Check that the last cut reported everything. */
void invariants_after_cut(const struct invariants *inv);
/* Return the time for which a thread ran, by its index. */
int64_t invariants_run_ns(const struct invariants *inv, uint32_t index);
void invariants_free(struct invariants *inv);

#endif
