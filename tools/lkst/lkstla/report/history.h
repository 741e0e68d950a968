/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The history in a report: what the long rings of the trace show about the hour before its end.
 */
#ifndef _LKSTLA_REPORT_HISTORY_H
#define _LKSTLA_REPORT_HISTORY_H

#include <stdio.h>

#include "lkstla/analysis.h"

struct json_object;
struct report_history;

int history_read(const struct run *run, struct report_history **history, struct lkst_error *err);
void history_text(const struct report_history *history, FILE *to);
struct json_object *history_json(const struct report_history *history, int64_t origin_ns);
void history_free(struct report_history *history);

#endif
