/* SPDX-License-Identifier: LGPL-2.1 */
/* Summarizes a trace in numbers. */
#ifndef _LKST_LIB_TRACE_SUMMARY_H
#define _LKST_LIB_TRACE_SUMMARY_H

#include <stdio.h>

#include "lib/lkst.h"

struct lkst_selection;

#define LKST_SUMMARY_CPUS 8192

/**
 * struct lkst_summary - summary of a trace
 * @events: number of selected events
 * @first_ns: time of the earliest event
 * @last_ns: time of the latest event
 * @type: number of events of each event type
 * @other: number of events whose type is out of range
 * @cpu: number of events of each CPU
 */
struct lkst_summary {
	uint64_t events;
	int64_t first_ns;
	int64_t last_ns;
	uint64_t type[LKST_ETYPE_NUM];
	uint64_t other;
	uint64_t cpu[LKST_SUMMARY_CPUS];
};

struct lkst_summary *lkst_summary_count(struct lkst_trace *trace,
					const struct lkst_selection *selection,
					struct lkst_error *err);
void lkst_summary_print(const struct lkst_summary *summary, struct lkst_trace *trace,
			const struct lkst_etypes *types, int32_t cpu, FILE *to);

#endif
