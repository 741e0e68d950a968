/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which maskset is selected: what maskset.c needs of it.
 */
#ifndef _LKST_SWITCH_H
#define _LKST_SWITCH_H

#include "maskset.h"

/*
 * Protects which masksets there are and what they are called. It is held while the sources of a
 * maskset are turned on, which can take for ever. So a process takes it killably, and code that
 * only reads masksets does not take it at all.
 */
extern struct mutex lkst_maskset_mutex;

/*
 * By id; NULL: there is none. Changed under lkst_maskset_mutex. Who looks at it without the
 * mutex does so with preemption off, or under RCU: lkst_select_discard() frees what was taken out.
 */
extern struct lkst_maskset *lkst_masksets[LKST_MASKSET_ID_MAX + 1];

/* Its memory is there from the start: it is selected until the first one is. */
extern struct lkst_maskset lkst_maskset_nothing;

lkst_maskset_id lkst_select_current(void);
void lkst_select_countdown(int events);
int lkst_select_count(int etype);
void lkst_select_counted(void);
void lkst_trc_freeze(void);
void lkst_select_replaced(void);
int lkst_select_forget(lkst_maskset_id id);
void lkst_select_remembered(void);
int lkst_select_prepare(const struct lkst_maskset *maskset);
long lkst_select_complete(void);
int lkst_select_wait(long number);
void lkst_select_enable(void);
long lkst_select_discard(struct lkst_maskset *maskset);

#endif
