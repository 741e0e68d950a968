/* SPDX-License-Identifier: LGPL-2.1 */
/* Keeps the losses of a trace when a part of it is written. */
#ifndef _LKST_CUT_LOSSES_H
#define _LKST_CUT_LOSSES_H

#include "lib/lkst.h"

struct lkst_trace_writer;
struct cut_cpu;

/**
 * struct cut_losses - the last event of each CPU
 * @cpu: CPUs
 * @num: number of CPUs
 */
struct cut_losses {
	struct cut_cpu *cpu;
	size_t num;
};

int cut_losses_take(struct cut_losses *losses, struct lkst_trace *trace,
		    const struct lkst_event *event, bool within, struct lkst_trace_writer *writer,
		    struct lkst_error *err);
int cut_losses_copy(const struct lkst_trace *trace, int32_t cpu, struct lkst_trace_writer *writer,
		    struct lkst_error *err);
void cut_losses_free(struct cut_losses *losses);

#endif
