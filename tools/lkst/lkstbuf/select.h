/* SPDX-License-Identifier: GPL-2.0 */
/* The options of lkstbuf print and read that select events. */
#ifndef _LKSTBUF_SELECT_H
#define _LKSTBUF_SELECT_H

#include "cli/options.h"
#include "cli/times.h"

struct lkst_context;
struct lkst_selection;
struct lkst_where;

/**
 * struct select_arguments - options that select events
 * @events: arguments of -e
 * @processes: arguments of -p
 * @only: --only: omit events that are about the processes of -p but occur in other processes
 * @where: arguments of --where
 * @longer: argument of --longer
 * @times: --since and --until
 * @longer_ns: @longer in nanoseconds, from select_check()
 */
struct select_arguments {
	struct option_words events;
	struct option_words processes;
	bool only;
	struct option_words where;
	const char *longer;
	struct time_arguments times;
	int64_t longer_ns;
};

/* Option rows; @type must have a member @select of type struct select_arguments. */
#define OPT_SELECT(type)								\
	OPT_WORDS('e', NULL, "EVENTS", type, select.events,				\
		  "names, 'int_*', class:memory, 0x10-0x1f, openat; !: not"),	\
	OPT_WORDS('p', NULL, "PROCESS", type, select.processes,				\
		  "threads and processes: numbers, names, 'ba*'; !: not"),		\
	OPT_FLAG(0, "only", type, select.only,						\
		 "with -p: events of these, not events about them"),			\
	OPT_WORDS(0, "where", "EXPR", type, select.where,				\
		  "values: 'bytes >= 4096 && device == vda', 'comm ~ \"ba*\"'"),		\
	OPT_TEXT(0, "longer", "SPAN", type, select.longer,				\
		 "what took at least this long: 1ms, 250us, 2s"),		\
	OPT_TIMES(type, select.times)

/**
 * struct selector - owns what a selection points to
 * @filter: event types and system calls
 * @processes: processes of -p; NULL: all
 * @where: conditions of --where
 * @wheres: number of conditions
 * @longer: spans that --longer selects; NULL: all events
 */
struct selector {
	struct lkst_filter *filter;
	struct lkst_processes *processes;
	struct lkst_where **where;
	size_t wheres;
	struct lkst_longer *longer;
};

/**
 * struct selecting - what events are selected from
 * @trace: trace; NULL: events of the running kernel that have yet to be recorded
 * @types: event types
 * @context: names and symbols of the running kernel, if @trace is NULL
 */
struct selecting {
	struct lkst_trace *trace;
	const struct lkst_etypes *types;
	const struct lkst_context *context;
};

bool select_any(const struct select_arguments *args);
int select_check(struct select_arguments *args, struct lkst_error *err);
int select_nothing(const struct select_arguments *args, struct lkst_trace *trace,
		   struct lkst_error *err);
int select_times(const struct select_arguments *args, struct lkst_trace *trace,
		 struct lkst_selection *selection, int64_t *oldest_ns, struct lkst_error *err);
int selector_open(struct selector *selector, const struct select_arguments *args,
		  const struct selecting *from, struct lkst_selection *selection,
		  struct lkst_error *err);
void selector_close(struct selector *selector);

#endif
