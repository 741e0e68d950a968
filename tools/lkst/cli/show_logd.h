/* SPDX-License-Identifier: GPL-2.0 */
/* Shows the state of lkstlogd as part of the status of LKST. */
#ifndef _SHOW_LOGD_H
#define _SHOW_LOGD_H

#include "lib/lkst.h"
#include "logd_status.h"

struct json_object;

enum logd_state {
	LOGD_NONE, /* the daemon is not running */
	LOGD_KILLED, /* the daemon was killed or crashed, and left its status file behind */
	LOGD_RUNS, /* the daemon is running, and @status is valid */
	LOGD_UNKNOWN, /* the status could not be read, and @why is set */
};

struct logd_view {
	enum logd_state state;
	struct lkst_logd_status status;
	struct lkst_error why;
};

void logd_get(struct logd_view *logd, const char *path);
void logd_free(struct logd_view *logd);
void show_logd(const struct logd_view *logd);
void show_logd_cpus(const struct logd_view *logd);
struct json_object *json_logd(const struct logd_view *logd);

#endif
