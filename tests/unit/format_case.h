/* SPDX-License-Identifier: GPL-2.0 */
/* Events as the formatter writes them, for tests. */
#ifndef _FORMAT_CASE_H
#define _FORMAT_CASE_H

#include "lib/liblkst.h"

#define U(x)	((uint64_t)(x))

/* What the formatter works with; threads 100 and 101 are "bash" and "my prog". */
extern struct lkst_etypes *types;
extern struct lkst_context context;
extern struct lkst_format_options opt;
/* The form of the lines: lkst_format_event(), unless a test sets another. */
extern void (*form)(struct lkst_format *format, const struct lkst_event *event);

void format_setup(void);
void format_teardown(void);
void format_use_types(const char *text);
const char *format_events(const struct lkst_event *event, size_t num, bool dates);
const char *format_arguments(struct lkst_event event);
struct lkst_event event_of(uint32_t type, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4);

#endif
