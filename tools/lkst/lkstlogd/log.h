/* SPDX-License-Identifier: GPL-2.0 */
/* The log file of a CPU. */
#ifndef _LKSTLOGD_LOG_H
#define _LKSTLOGD_LOG_H

#include "lib/lkst.h"

struct lkst_run;
struct logd;
struct logd_writer;

int logd_log_open(struct logd *logd, struct logd_writer *writer, struct lkst_error *err);
void logd_log_close(struct logd *logd, struct logd_writer *writer);
void logd_log_check(struct logd *logd, struct logd_writer *writer);
void logd_log_write(struct logd *logd, struct logd_writer *writer, const struct lkst_run *run);
void logd_log_abandon(struct logd *logd, struct logd_writer *writer);
void logd_log_trouble(struct logd *logd, struct logd_writer *writer, const struct lkst_error *err);
void logd_log_no_trouble(struct logd *logd, struct logd_writer *writer);

#endif
