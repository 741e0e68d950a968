/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Conditions on the values of an event, such as 'sector >= 256 && device == vda'. The syntax is the
 * same as in the kernel's event filters (Documentation/trace/events.rst, "Event filtering").
 */
#ifndef _LKST_LIB_TEXT_WHERE_H
#define _LKST_LIB_TEXT_WHERE_H

#include "lib/lkst.h"

struct lkst_context;
struct lkst_filter;
struct lkst_where;

/**
 * struct lkst_where_scope - what the names in a condition can refer to
 * @types: event types
 * @filter: the event types to which the condition will be applied; NULL: all
 * @context: names of values, of each kernel that recorded events
 * @contexts: number of elements of @context
 */
struct lkst_where_scope {
	const struct lkst_etypes *types;
	const struct lkst_filter *filter;
	const struct lkst_context *const *context;
	size_t contexts;
};

struct lkst_where *lkst_where_new(const char *text, const struct lkst_where_scope *scope,
				  struct lkst_error *err);
bool lkst_where_holds(const struct lkst_where *where, const struct lkst_context *context,
		      const struct lkst_event *event);
void lkst_where_free(struct lkst_where *where);

#endif
