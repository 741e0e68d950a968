/* SPDX-License-Identifier: GPL-2.0 */
/* How the arguments of each event type are written as a message of Perfetto. */
#ifndef _LKSTBUF_EXPORT_PERFETTO_PLAN_H
#define _LKSTBUF_EXPORT_PERFETTO_PLAN_H

#include "lib/lkst.h"
#include "lib/text/etypes.h"

#define PERFETTO_GENERIC 65536 /* first field of FtraceEvent that Perfetto does not define */

/* Kinds of values. */
enum plan_kind {
	PLAN_END,
	PLAN_UNSIGNED,	/* the number */
	PLAN_SIGNED,
	PLAN_ADDRESS,	/* the number, with a fixed size */
	PLAN_TEXT,	/* as lkstbuf print shows the value */
	PLAN_COMM,	/* the name of the thread whose number is the argument */
	PLAN_NEW_COMM,	/* the same, but left out if the output has already named the thread */
	PLAN_STATE,	/* the state of a thread, as the number that sched_switch has */
	PLAN_FUNCTION,	/* the number of an interned function */
	PLAN_SECTORS,	/* a number of bytes, as sectors */
	PLAN_IPI,	/* the name of an interrupt from another CPU */
	/* Values that are not arguments of the event: */
	PLAN_TGID,
	PLAN_CPU,
	PLAN_NOT_IDLE,	/* the state of a CPU that is not idle */
	PLAN_ONE,
};

/**
 * struct plan_item - a value of a message
 * @field: argument; NULL: the value is not an argument
 * @kind: kind of the value
 * @number: field of the message
 */
struct plan_item {
	const struct lkst_field *field;
	enum plan_kind kind;
	uint32_t number;
};

#define PLAN_ITEMS (LKST_FIELDS_MAX + 4)
#define PLAN_NAME  64 /* room for a name; longer names are cut */

/**
 * struct message_plan - how the events of a type are written
 * @number: field of FtraceEvent
 * @type: event type; NULL: unknown
 * @num: number of items
 * @item: values of the message
 * @name: generic: name of the message
 * @described: generic: the message has been described in the output
 * @choice: argument that determines how the event is written: the ABI of a system call, or whether
 *	a thread that was woken up is new; NULL: none
 * @generic: used for events that do not fit into this message; NULL if this plan is generic
 * @next: next plan for another event type with the same number
 */
struct message_plan {
	uint32_t number;
	const struct lkst_etype *type;
	size_t num;
	struct plan_item item[PLAN_ITEMS];
	char name[PLAN_NAME];
	bool described;
	const struct lkst_field *choice;
	struct message_plan *generic;
	struct message_plan *next;
};

struct message_plans;

struct message_plans *plans_new(struct lkst_error *err);
struct message_plan *plans_get(struct message_plans *plans, const struct lkst_etypes *types,
			       uint32_t type, struct lkst_error *err);
void plan_label(const struct message_plan *plan, size_t i, char label[PLAN_NAME]);
void plans_free(struct message_plans *plans);

#endif
