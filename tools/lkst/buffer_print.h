/* SPDX-License-Identifier: GPL-2.0 */
/* The parts of lkstbuf print among themselves. */
#ifndef _BUFFER_PRINT_H
#define _BUFFER_PRINT_H

#include "buffer_select.h"
#include "print.h"

/**
 * struct print_arguments - the command line of lkstbuf print
 * @print: what it comes to
 */
struct print_arguments {
	struct option_words files;
	struct select_arguments select;
	int64_t cpu;
	int64_t max;
	const char *etypes;
	const char *boot;
	const char *symbols;
	int time;
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

/* buffer_follow.c */
int buffer_follow(struct print_arguments *args, struct lkst_error *err);

/* buffer_summary.c */
int buffer_summary(struct lkst_trace *trace, const struct lkst_etypes *types,
		   const struct print_arguments *args, struct lkst_error *err);

#endif
