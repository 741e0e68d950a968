/* SPDX-License-Identifier: LGPL-2.1 */
/* Adds, removes and reads the events that are added at run time. */
#ifndef _LKST_LIB_DEVICE_ADDED_H
#define _LKST_LIB_DEVICE_ADDED_H

#include <linux/lkst_event.h>

#include "lib/lkst.h"

/**
 * struct lkst_added_result - what the kernel returned for a definition
 * @etype: event type that was added or removed
 * @at: position of the error in the definition in bytes
 * @wrong: what is wrong with the definition; "": nothing
 */
struct lkst_added_result {
	unsigned int etype;
	size_t at;
	char wrong[LKST_EVENT_ERROR_LEN];
};

/**
 * struct lkst_added - an added event
 * @etype: its event type
 * @flags: LKST_EVENT_GONE, LKST_EVENT_ON
 * @missed: number of times that its probe could not be called
 * @faults: number of times that the memory of a field could not be read
 * @text: its definition
 */
struct lkst_added {
	unsigned int etype;
	uint32_t flags;
	uint64_t missed;
	uint64_t faults;
	char text[LKST_EVENT_TEXT_MAX + 1];
};

int lkst_added_control(struct lkst_device *dev, const char *text, struct lkst_added_result *result,
		       struct lkst_error *err);
int lkst_added_next(struct lkst_device *dev, unsigned int etype, struct lkst_added *event,
		    struct lkst_error *err);

#endif
