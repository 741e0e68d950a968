/* SPDX-License-Identifier: LGPL-2.1 */
/* Chooses the fields of an event class, and how their values are obtained. */
#ifndef _BABELTRACE_PLAN_H
#define _BABELTRACE_PLAN_H

#include "field_class.h"
#include "lib/text/etypes.h"
#include "lttng.h"

/**
 * enum plan_how - how the value of a field is obtained
 * @PLAN_LTTNG: as struct lttng_field.how says
 * @PLAN_NAME: the text that "lkstbuf print" shows for a number
 * @PLAN_FILE: name of the file that a descriptor refers to; "-" if it is unknown
 * @PLAN_STACK: the code addresses of a stack
 * @PLAN_STACK_NAMES: the functions of a stack
 * @PLAN_TYPE: number of the event type
 * @PLAN_ARG: argument of an event type that the trace does not describe; @field is its index
 */
enum plan_how {
	PLAN_LTTNG,
	PLAN_NAME,
	PLAN_FILE,
	PLAN_STACK,
	PLAN_STACK_NAMES,
	PLAN_TYPE,
	PLAN_ARG,
};

#define PLAN_NAME_MAX 64
#define PLAN_NO_FIELD 0xff

/**
 * struct plan_field - a field of an event class
 * @name: name
 * @how: how its value is obtained
 * @lttng: for PLAN_LTTNG
 * @field: index of the field of LKST, or PLAN_NO_FIELD
 * @text: for LTTNG_COMM: index of the field with the recorded name, or PLAN_NO_FIELD
 */
struct plan_field {
	char name[PLAN_NAME_MAX];
	enum plan_how how;
	enum lttng_how lttng;
	uint8_t field;
	uint8_t text;
};

/* The fields of LTTng, texts of their numbers, and for each field of LKST a number and its text. */
#define PLAN_FIELDS_MAX (LTTNG_FIELDS_MAX + 3 * LKST_FIELDS_MAX)

/**
 * struct plan - the fields of an event class
 * @num: number of fields
 * @field: fields
 * @class: type and name of each field
 */
struct plan {
	size_t num;
	struct plan_field field[PLAN_FIELDS_MAX];
	struct field_class class[PLAN_FIELDS_MAX];
};

void plan_make(struct plan *plan, const struct lkst_etype *type, const struct lttng_event *known);

#endif
