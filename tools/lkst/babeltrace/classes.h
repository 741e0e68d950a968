/* SPDX-License-Identifier: LGPL-2.1 */
/* The event classes of a trace. An event class is made when its first event is read. */
#ifndef _BABELTRACE_CLASSES_H
#define _BABELTRACE_CLASSES_H

#include <babeltrace2/babeltrace.h>

#include "lib/lkst.h"
#include "plan.h"

struct classes;

/**
 * struct class - an event class
 * @class: event class of Babeltrace
 * @plan: its fields
 */
struct class {
	bt_event_class *class;
	const struct plan *plan;
};

struct classes *classes_new(bt_trace_class *trace, bt_stream_class *stream);
void classes_free(struct classes *classes);
const struct class *classes_find(struct classes *classes, const struct lkst_etypes *types,
				 const struct lkst_context *context, const struct lkst_event *event,
				 struct lkst_error *err);

#endif
