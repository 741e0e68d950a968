/* SPDX-License-Identifier: GPL-2.0 */
/* Reading the stream of records. */
#ifndef _LKSTLOGD_READ_H
#define _LKSTLOGD_READ_H

#include "lib/lkst.h"

struct logd;

int logd_open_stream(struct logd *logd, struct lkst_error *err);
void logd_begin_reading(struct logd *logd);
void logd_read(struct logd *logd);
void logd_drain(struct logd *logd);
void logd_retry(struct logd *logd);

#endif
