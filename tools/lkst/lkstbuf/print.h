/* SPDX-License-Identifier: GPL-2.0 */
/* Shared by the source files of lkstbuf print. */
#ifndef _LKSTBUF_PRINT_H
#define _LKSTBUF_PRINT_H

#include "cli/options.h"
#include "cli/print.h"
#include "cli/trace_input.h"
#include "lib/lkst.h"
#include "select.h"

/**
 * struct print_arguments - the command line of lkstbuf print
 * @input: what to print
 * @print: output options, derived from the other members
 */
struct print_arguments {
	struct trace_input input;
	struct select_arguments select;
	int64_t cpu;
	int64_t max;
	const char *etypes;
	int time;
	bool own;
	bool follow;
	bool reverse;
	bool verbose;
	bool parts;
	bool csv;
	bool epoch;
	bool json;
	bool summary;
	bool no_pager;
	bool help;
	struct print_options print;
};

/*
 * Return @types if events of LKST's own commands must be omitted, else NULL. They are omitted if
 * events of the running kernel are printed and neither --own nor -p is given.
 */
static inline const struct lkst_etypes *print_others(const struct print_arguments *args,
						     const struct lkst_etypes *types)
{
	bool others = trace_input_live(&args->input) && !args->own && !args->select.processes.num;

	return others ? types : NULL;
}

/* follow.c */
int buffer_follow(struct print_arguments *args, struct lkst_error *err);

/* newest.c */
struct lkst_capture_older;
int newest_lacks(struct lkst_trace *trace, const struct print_options *opt,
		 const struct lkst_capture_older *older, struct lkst_error *err);

/* summary.c */
int buffer_summary(struct lkst_trace *trace, const struct lkst_etypes *types,
		   const struct print_arguments *args, uint64_t *events,
		   struct lkst_error *err);

#endif
