/* SPDX-License-Identifier: GPL-2.0 */
/* Reads the configuration again while the daemon is running, and applies it. */
#ifndef _LKSTLOGD_CONF_H
#define _LKSTLOGD_CONF_H

struct logd;

void logd_conf_report(struct logd *logd);
void logd_conf_masksets(struct logd *logd);
void logd_conf_reload(struct logd *logd);

#endif
