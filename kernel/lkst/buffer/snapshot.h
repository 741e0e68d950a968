/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Snapshots: every CPU continues in another buffer, and keeps the previous one.
 */
#ifndef _LKST_SNAPSHOT_H
#define _LKST_SNAPSHOT_H

#include <linux/types.h>

bool lkst_snapshot_possible(void);
void lkst_snapshot_take(int etype);
void lkst_snapshot_init(void);
void lkst_snapshot_end(void);

#endif
