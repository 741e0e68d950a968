/* SPDX-License-Identifier: GPL-2.0 */
/* What lkstlogd does, in the status of LKST. */
#ifndef _SHOW_LOGD_H
#define _SHOW_LOGD_H

#include "lib/liblkst.h"

struct json_object;

enum logd_state {
	LOGD_NONE, /* does not run */
	LOGD_GONE, /* ended without a word: killed, or crashed */
	LOGD_RUNS, /* status */
	LOGD_UNKNOWN, /* why */
};

struct logd {
	enum logd_state state;
	struct lkst_logd_status status;
	struct lkst_error why;
};

void logd_get(struct logd *logd, const char *path);
void logd_free(struct logd *logd);
void show_logd(const struct logd *logd);
void show_logd_cpus(const struct logd *logd);
struct json_object *json_logd(const struct logd *logd);

#endif
