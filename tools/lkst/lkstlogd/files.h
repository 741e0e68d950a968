/* SPDX-License-Identifier: GPL-2.0 */
/* Names of log files, and the limit on their total size. */
#ifndef _LKSTLOGD_FILES_H
#define _LKSTLOGD_FILES_H

#include <limits.h>

#include "lib/lkst.h"

struct logd_cpu;
struct logd_state;

/* If the user gives only the limit of a file, the total limit is this many full files per CPU. */
#define LOGD_TOTAL_FILES 10

/* The name of a log file is longer than the base name by at most this many bytes. */
#define LOGD_NAME_MORE 32

/**
 * struct logd_files - directory and names of the log files
 * @dir: directory, an absolute path
 * @base: beginning of the name of each file
 */
struct logd_files {
	char dir[PATH_MAX];
	char base[NAME_MAX + 1];
};

#define LOGD_PREVIOUS	-1 /* CPU number of a file that contains a previous boot */
#define LOGD_SNAPSHOT	-2 /* CPU number of a file that contains a snapshot */
#define LOGD_SERIAL_MAX (UINT32_MAX - 1) /* LOGD_SERIAL_MAX + 1 must still fit into 32 bits */

int logd_files_init(struct logd_files *files, const char *name, struct lkst_error *err);
int logd_files_dir(const struct logd_files *files, struct lkst_error *err);
int logd_files_serial(const struct logd_files *files, int32_t cpu, uint32_t *serial,
		      struct lkst_error *err);
uint64_t logd_files_bytes(const struct logd_files *files);
void logd_files_name(const struct logd_files *files, int32_t cpu, uint32_t serial,
		     char name[NAME_MAX + 1]);
void logd_files_report_name(const struct logd_files *files, uint32_t serial,
			    char name[NAME_MAX + 1]);
void logd_files_limit(const struct logd_files *files, uint64_t closed_max, uint32_t first_serial,
		      struct logd_state *state);

bool logd_remove(const char *path, struct logd_cpu *cpu, bool own);
bool logd_remove_report(const char *path);

#endif
