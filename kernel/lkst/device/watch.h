/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Watches, as programs write and read them.
 */
#ifndef _LKST_DEVICE_WATCH_H
#define _LKST_DEVICE_WATCH_H

#include "../rules/watch.h"

int lkst_watch_write(struct lkst_watch_param *param);
int lkst_watch_read(struct lkst_watch_param *param);

#endif
