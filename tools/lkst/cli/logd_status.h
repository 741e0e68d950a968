/* SPDX-License-Identifier: GPL-2.0 */
/* The status file of lkstlogd. */
#ifndef _LKST_CLI_LOGD_STATUS_H
#define _LKST_CLI_LOGD_STATUS_H

#include "lib/lkst.h"

#define LKST_LOGD_PID_FILE	"/var/run/lkstlogd.pid"
#define LKST_LOGD_STATUS_FILE	"/run/lkst/lkstlogd.status"

/**
 * struct lkst_logd_cpu - status of lkstlogd for a CPU
 * @cpu: CPU
 * @file: file that is being written; "": none
 * @kept: events in files
 * @rewound: events that were overwritten, or deleted with their file, to stay within the limits on
 *	files
 * @lost: events that lkstlogd could not keep
 */
struct lkst_logd_cpu {
	int32_t cpu;
	char file[256];
	uint64_t kept;
	uint64_t rewound;
	uint64_t lost;
};

/**
 * struct lkst_logd_previous - what lkstlogd did with previous boots
 * @saved: number of boots saved to files
 * @unsaved: number of boots that could not be saved, and stay unread
 * @file: file of the boot saved last; "": none
 * @trouble: why a boot could not be saved; "": no failure
 */
struct lkst_logd_previous {
	uint32_t saved;
	uint32_t unsaved;
	char file[256];
	char trouble[256];
};

/**
 * struct lkst_logd_status - status of lkstlogd
 * @pid: process ID; 0: lkstlogd is not running
 * @state: one word: "idle", "writing", "stopping" or "waiting"
 * @since: time when lkstlogd started, in seconds since the epoch
 * @trouble: current problem; "": none
 * @config: error in the configuration; "": none
 * @limit: limit on the size of a file, in bytes
 * @total: limit on all files together, in bytes
 * @seconds: how many seconds a full file of the busiest CPU covers at the current rate; 0: not
 *	known yet
 * @previous: previous boots
 * @num: number of entries in @cpu
 * @cpu: the CPUs that lkstlogd reads
 */
struct lkst_logd_status {
	int32_t pid;
	char state[16];
	int64_t since;
	char trouble[256];
	char config[256];
	uint64_t limit;
	uint64_t total;
	uint64_t seconds;
	struct lkst_logd_previous previous;
	size_t num;
	struct lkst_logd_cpu *cpu;
};

int lkst_logd_status_write(const char *path, const struct lkst_logd_status *status,
			   struct lkst_error *err);
int lkst_logd_status_read(const char *path, struct lkst_logd_status *status,
			  struct lkst_error *err);
void lkst_logd_status_free(struct lkst_logd_status *status);
void lkst_seconds_text(uint64_t seconds, char *text, size_t size);

#endif
