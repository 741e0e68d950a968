/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * The names that LTTng's kernel tracer (lttng-modules 2.10) gives to events and their fields.
 * Programs such as Trace Compass know events by these names.
 */
#ifndef _BABELTRACE_LTTNG_H
#define _BABELTRACE_LTTNG_H

#include "lib/lkst.h"

/**
 * enum lttng_how - how the value of a field is obtained
 * @LTTNG_VALUE: the number in the field of LKST
 * @LTTNG_U32: the number in the field of LKST, as an unsigned number of 32 bits
 * @LTTNG_TEXT: the string in the field of LKST
 * @LTTNG_COMM: name of the thread in the field of LKST
 * @LTTNG_PRIO: priority of a thread; LTTng subtracts 100 (MAX_RT_PRIO) from the kernel's number
 * @LTTNG_PREV_PRIO: priority of the thread in the field of LKST when its CPU switched to it;
 *	LTTNG_PRIO_UNKNOWN if the trace does not show this
 * @LTTNG_STATE: state of a thread as a bit mask; the field of LKST has its letter
 * @LTTNG_STATUS: state of a thread as a value of enum lttng_process_status
 * @LTTNG_SECTORS: bytes, in sectors of 512 bytes
 * @LTTNG_RWBS: kind of a request to a block device, as a bit mask
 * @LTTNG_OWN_COMM: name of the event's thread
 * @LTTNG_OWN_TID: the event's thread
 * @LTTNG_OWN_PID: process of the event's thread
 * @LTTNG_OWN_CPU: the event's CPU
 * @LTTNG_MINUS_1: 0xffffffff
 */
enum lttng_how {
	LTTNG_VALUE,
	LTTNG_U32,
	LTTNG_TEXT,
	LTTNG_COMM,
	LTTNG_PRIO,
	LTTNG_PREV_PRIO,
	LTTNG_STATE,
	LTTNG_STATUS,
	LTTNG_SECTORS,
	LTTNG_RWBS,
	LTTNG_OWN_COMM,
	LTTNG_OWN_TID,
	LTTNG_OWN_PID,
	LTTNG_OWN_CPU,
	LTTNG_MINUS_1,
};

#define LTTNG_PRIO_BASE	   100
#define LTTNG_PRIO_UNKNOWN 40 /* the greatest priority is 39 */

/**
 * struct lttng_field - a field
 * @name: name
 * @how: how its value is obtained
 * @from: label of the field of LKST; NULL: none is needed
 */
struct lttng_field {
	const char *name;
	enum lttng_how how;
	const char *from;
};

#define LTTNG_FIELDS_MAX 8

/**
 * struct lttng_event - an event
 * @type: event type of LKST
 * @name: name; lttng_event_name() changes it for some variants
 * @field: fields; an entry without a name ends the list. The fields of LKST from which no entry
 *	takes its value follow in the output, under their own names
 */
struct lttng_event {
	uint32_t type;
	const char *name;
	struct lttng_field field[LTTNG_FIELDS_MAX + 1];
};

#define LTTNG_NAME_MAX	   128
#define LTTNG_VARIANTS_MAX 16384 /* a variant is less than this */

const struct lttng_event *lttng_event_find(uint32_t type);
uint32_t lttng_variant(const struct lkst_context *context, const struct lkst_event *event);
void lttng_event_name(const struct lttng_event *known, uint32_t variant, char name[LTTNG_NAME_MAX]);
uint64_t lttng_state(uint64_t state);
uint64_t lttng_status(uint64_t state);
uint64_t lttng_rwbs(const char *operation, uint64_t number);

#endif
