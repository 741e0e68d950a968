/* SPDX-License-Identifier: GPL-2.0 */
/* Explains why nothing in a trace matches the options. */
#ifndef _NO_MATCH_H
#define _NO_MATCH_H

#include "lib/lkst.h"

struct option_words;

/**
 * struct no_match_numbers - which thread and process numbers are in a trace
 * @has: returns whether a number is in the trace
 * @ctx: argument of @has
 */
struct no_match_numbers {
	bool (*has)(void *ctx, uint64_t number);
	void *ctx;
};

void no_match_add(struct lkst_error *err, const struct lkst_error *line);
void no_match_add_words(const struct option_words *processes, struct lkst_trace *trace,
			const struct no_match_numbers *numbers, struct lkst_error *err);
int no_match(const char *what, const struct option_words *processes, bool utc,
	     struct lkst_trace *trace, const struct no_match_numbers *numbers,
	     struct lkst_error *err);

#endif
