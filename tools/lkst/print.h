/* SPDX-License-Identifier: GPL-2.0 */
/* Printing a trace, whatever it was read from. */
#ifndef _PRINT_H
#define _PRINT_H

#include "lib/liblkst.h"

/**
 * struct print_options - how to print
 * @cpu: only this one; -1: all
 * @max: events; 0: all
 * @order: which first
 * @csv: as CSV
 * @format: as lkst_format_init() takes it
 */
struct print_options {
	int32_t cpu;
	uint64_t max;
	enum lkst_order order;
	bool csv;
	struct lkst_format_options format;
};

extern const struct lkst_trace_hooks print_hooks;

int print_trace(struct lkst_trace *trace, const struct lkst_etypes *types,
		const struct lkst_filter *filter, const struct print_options *opt,
		struct lkst_error *err);
struct lkst_trace *print_capture(const struct lkst_capture *what, int *fd,
				 struct lkst_error *err);

#endif
