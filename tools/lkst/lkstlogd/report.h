/* SPDX-License-Identifier: GPL-2.0 */
/* Everything that users see of the daemon: messages, systemd notifications and the status file. */
#ifndef _LKSTLOGD_REPORT_H
#define _LKSTLOGD_REPORT_H

#include <stdio.h>

#include "lib/lkst.h"

struct logd;

void logd_report_begin(bool daemon);
void logd_report(int priority, const char *format, ...) __attribute__((format(printf, 2, 3)));
void logd_report_error(int priority, const char *before, const struct lkst_error *err);
void logd_report_cut(char *to, size_t size, const char *text);
void logd_notify(const char *format, ...) __attribute__((format(printf, 1, 2)));
void logd_report_status(const struct logd *logd, const char *word);

#endif
