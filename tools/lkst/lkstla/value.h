/* SPDX-License-Identifier: GPL-2.0 */
/* Turns values of events and distributions into cells of tables. */
#ifndef _LKSTLA_VALUE_H
#define _LKSTLA_VALUE_H

#include "analysis.h"
#include "dist.h"

/* Size of a buffer for most values as lkstbuf prints them */
#define VALUE_SIZE	96

#define VALUE_DIST_CELLS 4
/* The columns whose cells value_dist() fills in */
#define VALUE_DIST_COLUMNS						\
	{ "p50 us", "p50_ns", COLUMN_US }, { "p99 us", "p99_ns", COLUMN_US },	\
	{ "max us", "max_ns", COLUMN_US }, { "at", "at_ns", COLUMN_TIME }

const char *value_text(const struct run *run, const struct lkst_event *event, const char *label,
		       char *text, size_t size);
void value_dist(const struct dist *dist, struct cell cell[VALUE_DIST_CELLS]);
const struct lkst_thread *value_thread(const struct run *run, const struct lkst_event *event);
struct cell value_thread_cell(const struct run *run, const struct lkst_thread *thread,
			      char text[40]);
struct table *value_table(struct tables *to, const char *name, const char *title,
			  const struct column *column, size_t columns, struct lkst_error *err);
const char *value_call_file(const struct run *run, const struct lkst_syscall_span *span);
const char *value_command(const struct run *run, const struct lkst_thread *thread, int64_t time_ns);
int value_moment(const struct run *run, const char *name, const char *text, int64_t *time_ns,
		 struct lkst_error *err);
bool value_selects(const struct run *run, const struct lkst_event *event);

/* Return whether the time lies in the window. */
static inline bool value_in_window(const struct run *run, int64_t time_ns)
{
	return time_ns >= run->begin_ns && time_ns <= run->end_ns;
}

#endif
