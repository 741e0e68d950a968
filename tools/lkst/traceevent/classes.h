/* SPDX-License-Identifier: LGPL-2.1 */
/* The table that maps the classes and events of TraceEvent() to event types of LKST. */
#ifndef _TRACEEVENT_CLASSES_H
#define _TRACEEVENT_CLASSES_H

#include <stdbool.h>
#include <stdint.h>

enum {
	CLASSES_ANY = -1, /* event: all events of the class */
	CLASSES_TYPES = 8, /* maximum number of event types of a row, plus 1 */
	CLASSES_ROWS_MAX = 64,
};

/**
 * struct classes_row - the event types of LKST that correspond to an event of QNX
 * @class: class of the event
 * @event: event; CLASSES_ANY: the event types belong to the class, but to no particular event
 * @fast: event types that are recorded in both modes, terminated by 0
 * @wide: event types that are recorded only in wide mode, terminated by 0
 */
struct classes_row {
	int class;
	int event;
	uint16_t fast[CLASSES_TYPES];
	uint16_t wide[CLASSES_TYPES];
};

extern const struct classes_row classes_table[];
extern const unsigned int classes_rows;

bool classes_contains(int class, int member);
bool classes_selects(const struct classes_row *row, int class, int event);
bool classes_has_type(int class, int event, int type);

#endif
