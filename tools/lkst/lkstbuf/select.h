/* SPDX-License-Identifier: GPL-2.0 */
/* The options of lkstbuf print and read that select events. */
#ifndef _LKSTBUF_SELECT_H
#define _LKSTBUF_SELECT_H

#include "cli/options.h"

struct lkst_selection;

/**
 * struct select_arguments - options that select events
 * @events: arguments of -e
 * @processes: arguments of -p
 * @only: --only: omit events that are about the processes of -p but occur in other processes
 * @longer: argument of --longer
 * @since: argument of --since
 * @until: argument of --until
 * @longer_ns: @longer in nanoseconds, from select_check()
 * @utc: dates and times of day are in UTC
 */
struct select_arguments {
	struct option_words events;
	struct option_words processes;
	bool only;
	const char *longer;
	const char *since;
	const char *until;
	int64_t longer_ns;
	bool utc;
};

/* Option rows; @type must have a member @select of type struct select_arguments. */
#define OPT_SELECT(type)								\
	OPT_WORDS('e', NULL, "EVENTS", type, select.events,				\
		  "names, 'int_*', class:memory, 0x10-0x1f, openat; !: not"),	\
	OPT_WORDS('p', NULL, "PROCESS", type, select.processes,				\
		  "threads and processes: numbers, names, 'ba*'; !: not"),		\
	OPT_FLAG(0, "only", type, select.only,						\
		 "with -p: events of these, not events about them"),			\
	OPT_TEXT(0, "longer", "SPAN", type, select.longer,				\
		 "entries and exits at least this far apart: 1ms, 250us, 2s"),		\
	OPT_TEXT(0, "since", "TIME", type, select.since,				\
		 "from HH:MM:SS, \"YYYY-MM-DD HH:MM\", @SECONDS on"),	\
	OPT_TEXT(0, "until", "TIME", type, select.until,				\
		 "up to TIME; -5s: before newest event, +5s: after oldest")

/**
 * struct selector - owns what a selection points to
 * @filter: event types and system calls
 * @processes: processes of -p; NULL: all
 * @longer: spans that --longer selects; NULL: all events
 */
struct selector {
	struct lkst_filter *filter;
	struct lkst_processes *processes;
	struct lkst_longer *longer;
};

bool select_any(const struct select_arguments *args);
int select_check(struct select_arguments *args, struct lkst_error *err);
int select_span(const struct select_arguments *args, int64_t oldest_ns, int64_t newest_ns,
		struct lkst_selection *selection, struct lkst_error *err);
int select_check_cpu(const char *const *path, size_t num, int32_t cpu,
		     const struct lkst_trace *trace, struct lkst_error *err);
int select_nothing(const struct select_arguments *args, struct lkst_trace *trace,
		   struct lkst_error *err);
int select_times(const struct select_arguments *args, struct lkst_trace *trace,
		 struct lkst_selection *selection, int64_t *oldest_ns, struct lkst_error *err);
int selector_open(struct selector *selector, const struct select_arguments *args,
		  struct lkst_trace *trace, const struct lkst_etypes *types,
		  struct lkst_selection *selection, struct lkst_error *err);
void selector_close(struct selector *selector);

#endif
