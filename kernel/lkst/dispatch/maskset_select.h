/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Selecting the current maskset: the interface for maskset.c.
 */
#ifndef _LKST_MASKSET_SELECT_H
#define _LKST_MASKSET_SELECT_H

#include "maskset.h"

/*
 * Protects lkst_masksets[] and the names of masksets. It is held while sources
 * are turned on, which may take forever. So a process must take it killably,
 * and code that only reads masksets does not take it at all.
 */
extern struct mutex lkst_maskset_mutex;

/*
 * The masksets, by id. Unused entries are NULL. Changed under
 * lkst_maskset_mutex. Readers without the mutex disable preemption or use RCU,
 * because lkst_select_discard() frees removed masksets.
 */
extern struct lkst_maskset *lkst_masksets[LKST_MASKSET_ID_MAX + 1];

/*
 * The maskset "nothing". It is not allocated, because it is selected from the
 * start.
 */
extern struct lkst_maskset lkst_maskset_nothing;

lkst_maskset_id lkst_select_current(void);
void lkst_select_countdown(int events);
void lkst_select_pause(void);
void lkst_select_resume(void);
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
