/* SPDX-License-Identifier: GPL-2.0 */
/* Saves snapshots, in a separate process. */
#ifndef _LKSTLOGD_SNAPSHOT_H
#define _LKSTLOGD_SNAPSHOT_H

struct logd;

void logd_snapshot_watch(struct logd *logd);
void logd_snapshot_reap(struct logd *logd);

#endif
