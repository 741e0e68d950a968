/* SPDX-License-Identifier: GPL-2.0 */
/* The parts of lkstbuf print among themselves. */
#ifndef _BUFFER_PRINT_H
#define _BUFFER_PRINT_H

#include "options.h"
#include "print.h"

/**
 * struct print_arguments - the command line of lkstbuf print
 * @print: what it comes to
 */
struct print_arguments {
	struct option_words files;
	struct option_words events;
	struct option_words processes;
	int64_t cpu;
	int64_t max;
	const char *since;
	const char *until;
	const char *longer;
	int64_t longer_ns;
	const char *etypes;
	const char *boot;
	const char *symbols;
	int time;
	bool only;
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

/* buffer_print_select.c */
int print_filter(const struct print_arguments *args, const struct lkst_etypes *types,
		 struct lkst_filter *filter, struct lkst_error *err);
int print_processes(const struct print_arguments *args, struct lkst_processes **processes,
		    struct lkst_error *err);
int print_span(const struct print_arguments *args, int64_t oldest_ns, int64_t newest_ns,
	       struct lkst_selection *selection, struct lkst_error *err);
int print_check_times(struct print_arguments *args, struct lkst_error *err);

/* buffer_follow.c */
int buffer_follow(struct print_arguments *args, struct lkst_error *err);

/* buffer_summary.c */
int buffer_summary(struct lkst_trace *trace, const struct lkst_etypes *types,
		   const struct print_arguments *args, struct lkst_error *err);

#endif
