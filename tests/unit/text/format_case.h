/* SPDX-License-Identifier: GPL-2.0 */
/* Helpers for tests that format events. */
#ifndef _FORMAT_CASE_H
#define _FORMAT_CASE_H

#include "lib/text/context.h"
#include "lib/text/etypes.h"
#include "lib/text/format.h"

#define U(x)	((uint64_t)(x))

/*
 * The event types, the context and the options that the formatter uses. In the context, threads 100
 * and 101 are called "bash" and "my prog". format_teardown() resets opt and form.
 */
extern struct lkst_etypes *types;
extern struct lkst_context context;
extern struct lkst_format_options opt;
/*
 * The operations that each event begins or ends, and their number; format_teardown() resets the
 * number.
 */
extern struct lkst_format_span spans[LKST_FORMAT_SPANS_MAX];
extern size_t spans_num;
/* The function that formats an event: lkst_format_event(), unless a test sets a different one. */
extern void (*form)(struct lkst_format *format, const struct lkst_event *event);

void format_setup(void);
void format_teardown(void);
void format_use_types(const char *text);
const char *format_events(const struct lkst_event *event, size_t num, bool dates);
const char *format_line(struct lkst_event event);
const char *format_arguments(struct lkst_event event);
struct lkst_event event_of(uint32_t type, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4);

#endif
