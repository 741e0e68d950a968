/* SPDX-License-Identifier: GPL-2.0 */
/* Determines the window: the time that an analysis covers. */
#ifndef _LKSTLA_WINDOW_H
#define _LKSTLA_WINDOW_H

#include "lib/lkst.h"

struct common_arguments;

/**
 * struct trace_bounds - the times of a boot in a trace
 * @boot: the boot, see lkst_trace_boot()
 * @oldest_ns: time of the oldest event
 * @complete_ns: time from which on all CPUs have records
 * @newest_ns: time of the newest event
 */
struct trace_bounds {
	uint32_t boot;
	int64_t oldest_ns;
	int64_t complete_ns;
	int64_t newest_ns;
};

/**
 * struct window - the time that an analysis covers
 * @begin_ns: start
 * @end_ns: end, later than @begin_ns
 */
struct window {
	int64_t begin_ns;
	int64_t end_ns;
};

int window_bounds(struct lkst_trace *trace, struct trace_bounds *bounds, struct lkst_error *err);
int window_choose(const struct common_arguments *args, const struct trace_bounds *bounds,
		  struct window *window, struct lkst_error *err);

#define WINDOW_TEXT 160

void window_text(const struct window *window, char text[WINDOW_TEXT]);
void window_time_text(const struct window *window, int64_t ns, char text[48]);
void window_length_text(uint64_t ns, char *text, size_t size);

#endif
