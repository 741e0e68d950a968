/* SPDX-License-Identifier: LGPL-2.1 */
/* Creates, reads and deletes watches, which measure the time between two events. */
#ifndef _LKST_LIB_DEVICE_WATCHES_H
#define _LKST_LIB_DEVICE_WATCHES_H

#include <linux/lkst_watch.h>

#include "lib/lkst.h"

/**
 * struct lkst_watch - a watch
 * @name: its name
 * @begin: event type that begins a span
 * @end: event type that ends a span
 * @over_ns: spans that are longer than this are late
 * @spans: number of spans that can be open at the same time; 0 in lkst_watch_write(): the default
 * @text: the key, and possibly actions; see struct lkst_watch_param
 * @result: what the watch has measured
 */
struct lkst_watch {
	char name[LKST_WATCH_NAME_LEN];
	unsigned int begin;
	unsigned int end;
	uint64_t over_ns;
	unsigned int spans;
	char text[LKST_WATCH_TEXT_MAX + 1];
	struct lkst_watch_result result;
};

int lkst_watch_write(struct lkst_device *dev, const struct lkst_watch *watch,
		     struct lkst_error *err);
int lkst_watch_read(struct lkst_device *dev, struct lkst_watch *watch, bool exact,
		    struct lkst_error *err);
int lkst_watch_delete(struct lkst_device *dev, const char *name, struct lkst_error *err);
int lkst_watch_reset(struct lkst_device *dev, const char *name, struct lkst_error *err);

#endif
