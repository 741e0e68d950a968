/* SPDX-License-Identifier: LGPL-2.1 */
/* Divides the event types into classes. A class is a range of event types. */
#ifndef _LKST_LIB_TEXT_CLASSES_H
#define _LKST_LIB_TEXT_CLASSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A class: the event types from @first to @last. */
struct lkst_class {
	uint16_t first;
	uint16_t last;
	const char *name;	/* one word */
	const char *title;
};

extern const struct lkst_class lkst_classes[];
extern const size_t lkst_classes_num;

const struct lkst_class *lkst_class_of(uint32_t event_type);

#endif
