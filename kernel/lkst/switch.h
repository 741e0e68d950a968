/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which maskset is selected: what maskset.c needs of it.
 */
#ifndef _LKST_SWITCH_H
#define _LKST_SWITCH_H

#include "maskset.h"

/* How many masksets, and which, changes under it; so does what they are called. */
extern struct mutex lkst_maskset_mutex;

/*
 * By id; NULL: there is none. Changed under lkst_maskset_mutex. Who looks at it without the
 * mutex does so with preemption off: what was taken out is freed after lkst_synchronize().
 */
extern struct lkst_maskset *lkst_masksets[LKST_MASKSET_ID_MAX + 1];

/* Its memory is there from the start: it is selected until the first one is. */
extern struct lkst_maskset lkst_maskset_nothing;

lkst_maskset_id lkst_switch_current(void);
void lkst_switch_countdown(int events);
int lkst_switch_count(int etype);
void lkst_switch_counted(void);
void lkst_trc_freeze(void);
void lkst_switch_replaced(void);
int lkst_switch_forget(lkst_maskset_id id);
void lkst_switch_remembered(void);

#endif
