/* SPDX-License-Identifier: LGPL-2.1 */
/* Fills in the fields of an event. */
#ifndef _BABELTRACE_FIELDS_H
#define _BABELTRACE_FIELDS_H

#include <babeltrace2/babeltrace.h>

#include "lib/lkst.h"
#include "plan.h"

/**
 * struct fields_cpu - the thread to which a CPU has switched
 * @known: whether the trace shows this thread
 * @tid: thread
 * @prio: its priority at that time, as the kernel numbers priorities
 */
struct fields_cpu {
	bool known;
	uint32_t tid;
	int32_t prio;
};

/**
 * struct fields - an event whose fields are filled in
 * @context: names and symbols of the kernel that recorded the event
 * @type: event type; NULL: unknown
 * @event: event
 * @cpu: thread to which the CPU had switched before the event
 * @text: room for FIELDS_TEXT bytes
 */
struct fields {
	const struct lkst_context *context;
	const struct lkst_etype *type;
	const struct lkst_event *event;
	const struct fields_cpu *cpu;
	char *text;
};

#define FIELDS_TEXT (80 * 1024)

int fields_fill(const struct fields *fields, const struct plan *plan, bt_event *to);

#endif
