/* SPDX-License-Identifier: GPL-2.0 */
/* Collects the command lines and the names of the open files of all processes, for the log files. */
#ifndef _LOGD_NAMES_H
#define _LOGD_NAMES_H

struct logd;
struct lkst_log_files;

void logd_names_take(struct logd *logd);
void logd_names_release(struct logd *logd);
const struct lkst_log_files *logd_names_get(void *ctx);
void logd_names_free(struct logd *logd);

#endif
