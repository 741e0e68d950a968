/* SPDX-License-Identifier: GPL-2.0 */
/* The parts of lkstbuf print among themselves. */
#ifndef _BUFFER_PRINT_H
#define _BUFFER_PRINT_H

#include "buffer_select.h"
#include "print.h"
#include "trace_files.h"

/**
 * struct print_arguments - the command line of lkstbuf print
 * @files: of -f
 * @from: files that are to be printed; none: the kernel's buffers
 * @print: what it comes to
 */
struct print_arguments {
	struct option_words files;
	struct trace_files from;
	struct select_arguments select;
	int64_t cpu;
	int64_t max;
	const char *etypes;
	const char *boot;
	const char *symbols;
	int time;
	bool own;
	bool previous;
	bool follow;
	bool reverse;
	bool verbose;
	bool csv;
	bool epoch;
	bool json;
	bool summary;
	bool no_pager;
	bool help;
	struct print_options print;
};

/* Of the running kernel, what LKST's own commands do is left out unless somebody asks for it. */
static inline const struct lkst_etypes *print_others(const struct print_arguments *args,
						     const struct lkst_etypes *types)
{
	bool live = !args->from.num && !args->previous;

	return live && !args->own && !args->select.processes.num ? types : NULL;
}

/* buffer_follow.c */
int buffer_follow(struct print_arguments *args, struct lkst_error *err);

/* buffer_summary.c */
int buffer_summary(struct lkst_trace *trace, const struct lkst_etypes *types,
		   const struct print_arguments *args, uint64_t *events,
		   struct lkst_error *err);

#endif
