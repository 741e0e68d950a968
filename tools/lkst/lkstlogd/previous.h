/* SPDX-License-Identifier: GPL-2.0 */
/* Saves the records of previous boots, in a separate process. */
#ifndef _LKSTLOGD_PREVIOUS_H
#define _LKSTLOGD_PREVIOUS_H

#include <linux/lkst_previous.h>
#include <sys/types.h>

#include "lib/lkst.h"

struct logd_files;
struct logd_options;
struct logd_saved;
struct logd_state;

/**
 * struct logd_previous_args - arguments of the process that saves the records of previous boots
 * @opt: options
 * @files: directory and base name of the files
 * @state: shared with the parent
 * @serial: serial number of the next file
 * @max: limit on the total size of the files that the process writes, in bytes; if they were
 *	larger, the daemon would delete some of them immediately to stay within the total limit
 * @stop: set by a signal handler when the process must stop
 */
struct logd_previous_args {
	const struct logd_options *opt;
	const struct logd_files *files;
	struct logd_state *state;
	uint32_t serial;
	uint64_t max;
	const volatile int *stop;
};

int logd_previous_start(const struct logd_previous_args *args, pid_t *pid, struct lkst_error *err);
bool logd_previous_reap(pid_t pid);
int logd_previous_save(struct logd_previous_args *args, struct lkst_device *dev,
		       const struct lkst_previous_listent *boot, struct logd_saved *saved,
		       struct lkst_error *err);

#endif
