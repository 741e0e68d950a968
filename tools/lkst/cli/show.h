/* SPDX-License-Identifier: GPL-2.0 */
/* Lists that several commands print, as text or as JSON values. */
#ifndef _SHOW_H
#define _SHOW_H

#include <linux/lkst_history.h>

#include "lib/lkst.h"

struct json_object;

int show_listing(const char *about, int argc, char **argv,
		 int (*text)(struct lkst_device *dev, struct lkst_error *err),
		 int (*json)(struct lkst_device *dev, struct json_object **value,
			     struct lkst_error *err));

int show_status(struct lkst_device *dev, struct lkst_error *err);
int json_status(struct lkst_device *dev, struct json_object **value, struct lkst_error *err);

int show_buffers(struct lkst_device *dev, int32_t cpu, bool verbose, struct lkst_error *err);
int json_buffers(struct lkst_device *dev, int32_t cpu, struct json_object **value,
		 struct lkst_error *err);

/**
 * struct buffer_totals - the buffers, the long rings and the histories of all CPUs
 * @buffers: number of buffers
 * @rings: number of long rings
 * @ring: what the long rings have in common: the size of each of them, the sums of their records
 *	and of the events that were left out, and the time of the oldest record
 * @histories: number of CPUs that have a history
 * @history: the size of the history of each of these CPUs; sums, except that @since is the time of
 *	the oldest record, and @flags, @cpu_ns and @backoffs are global. If LKST_HISTORY_ON is set
 *	and @histories is 0, there was no memory for a history
 */
struct buffer_totals {
	uint32_t buffers;
	uint32_t rings;
	struct lkst_long_status ring;
	uint32_t histories;
	struct lkst_history_status history;
};

int total_buffers(struct lkst_device *dev, uint32_t cpus, struct buffer_totals *totals,
		  struct lkst_error *err);
struct json_object *json_long_ring(const struct lkst_long_status *ring);
struct json_object *json_history(const struct lkst_history_status *history);
double history_event_size(const struct lkst_history_status *history);

int show_masksets(struct lkst_device *dev, struct lkst_error *err);
int json_masksets(struct lkst_device *dev, struct json_object **value, struct lkst_error *err);

int show_evhandlers(struct lkst_device *dev, struct lkst_error *err);
int json_evhandlers(struct lkst_device *dev, struct json_object **value, struct lkst_error *err);

const char *clock_name(uint32_t clock);
const char *since_text(int64_t seconds, char text[32]);
const char *id_text(lkst_buffer_id id, char text[16]);

#endif
