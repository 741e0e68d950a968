/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Masksets: which events are recorded, and by which event handler.
 */
#ifndef _LKST_MASKSET_H
#define _LKST_MASKSET_H

#include <linux/compiler.h>
#include <linux/types.h>
#include <linux/lkst_evhandler.h>
#include <linux/lkst_maskset.h>

#include "sync.h"

/**
 * struct lkst_maskset - a set of masks
 * @id: 0 to LKST_MASKSET_ID_MAX
 * @name: unique
 * @handler: event handler of each event type; LKST_EVHANDLER_ID_NONE: masked. Single entries are
 *	changed, under lkst_maskset_mutex, when an event handler or an event type comes or goes
 * @deferred: frees it
 */
struct lkst_maskset {
	lkst_maskset_id id;
	char name[LKST_MASKSET_NAME_LEN];
	u16 handler[LKST_ETYPE_NUM];
	struct lkst_deferred deferred;
};

/*
 * The selected one, and the table that events look at, with preemption off: what becomes of one
 * is decided by one look, also if it is the second, so none is recorded by a mixture of two. The
 * two differ while events are counted down. Replaced in any context; see switch.c.
 */
extern const struct lkst_maskset *lkst_maskset_current;
extern const struct lkst_maskset *lkst_maskset_dispatch;

/* In place of an event handler's id: count it, and look at lkst_maskset_current. */
#define LKST_EVHANDLER_COUNTED	0xffff

/* Which handler the maskset has for it. Pairs with the release in lkst_select_publish(). */
static __always_inline unsigned int lkst_maskset_handler(unsigned int etype)
{
	return READ_ONCE(READ_ONCE(lkst_maskset_current)->handler[etype]);
}

/* The same, or LKST_EVHANDLER_COUNTED: what to do with an event. */
static __always_inline unsigned int lkst_maskset_dispatched(unsigned int etype)
{
	return READ_ONCE(READ_ONCE(lkst_maskset_dispatch)->handler[etype]);
}

/*
 * Whether that is the default event handler: no more than a comparison in memory. What is read
 * there is one word, whatever the compiler makes of it.
 */
static __always_inline bool lkst_maskset_records(unsigned long etype)
{
	/* As said above. */
	return data_race(READ_ONCE(lkst_maskset_dispatch)->handler[etype] ==
			 LKST_EVHANDLER_ID_ENTRY_LOG);
}

struct lkst_trc_status;

void lkst_maskset_init(void);
int lkst_maskset_by_word(const char *word);
void lkst_trc_begin(lkst_maskset_id id);
void lkst_trc_begin_late(void);
void lkst_trc_end(void);
void lkst_maskset_end(void);
void lkst_maskset_free(struct lkst_maskset *maskset);
void lkst_maskset_status(struct lkst_trc_status *status);
bool lkst_maskset_pairing_allowed(const u16 *handler);

/* As lkst_maskset_set(), lkst_trc_start() and lkst_trc_stop(), and wait for the sources. */
int lkst_maskset_set_wait(lkst_maskset_id id);
int lkst_trc_start_wait(void);
int lkst_trc_stop_wait(void);

/* An event handler is gone: its events go to the default one. */
void lkst_maskset_forget_evhandler(lkst_evhandler_id id);

/* There is a new event type: the maskset "all" records it. It is gone: none does. */
void lkst_maskset_add_etype(int etype);
void lkst_maskset_forget_etype(int etype);

#endif
