/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Wait for the end of events in progress in idle loops.
 */
#ifndef _LKST_IDLE_H
#define _LKST_IDLE_H

void lkst_idle_synchronize(void);

#endif
