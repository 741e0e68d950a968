/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Masksets: which events are recorded, and by which event handler.
 */
#ifndef _LKST_MASKSET_H
#define _LKST_MASKSET_H

#include <linux/compiler.h>
#include <linux/types.h>
#include <linux/lkst_maskset.h>

/**
 * struct lkst_maskset - a set of masks
 * @id: 0 to LKST_MASKSET_ID_MAX
 * @name: unique
 * @handler: event handler of each event type; LKST_EVHANDLER_ID_NONE: masked
 */
struct lkst_maskset {
	lkst_maskset_id id;
	char name[LKST_MASKSET_NAME_LEN];
	u16 handler[LKST_ETYPE_NUM];
};

/*
 * The selected one. Events look at it once each, so none is recorded by a mixture of two.
 * Replaced under lkst_maskset_mutex.
 */
extern const struct lkst_maskset *lkst_maskset_current;

/* Which handler the event goes to. Pairs with the release in lkst_maskset_select(). */
static __always_inline unsigned int lkst_maskset_handler(unsigned int etype)
{
	return READ_ONCE(READ_ONCE(lkst_maskset_current)->handler[etype]);
}

struct lkst_trc_status;

void lkst_maskset_init(void);
int lkst_maskset_by_word(const char *word);
int lkst_maskset_set(lkst_maskset_id id);
void lkst_trc_begin(lkst_maskset_id id);
void lkst_trc_begin_late(void);
int lkst_trc_start(void);
int lkst_trc_stop(void);
void lkst_maskset_status(struct lkst_trc_status *status);
int lkst_maskset_read_user(struct lkst_maskset_param *param);
int lkst_maskset_list_user(struct lkst_maskset_listparam *param);

#endif
