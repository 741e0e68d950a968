/* SPDX-License-Identifier: GPL-2.0 */
/* Explains why nothing in a trace matches the options. */
#ifndef _NO_MATCH_H
#define _NO_MATCH_H

#include "lib/lkst.h"

struct option_words;

void no_match_add(struct lkst_error *err, const struct lkst_error *line);
int no_match(const char *what, const struct option_words *processes, bool utc,
	     struct lkst_trace *trace, struct lkst_error *err);

#endif
