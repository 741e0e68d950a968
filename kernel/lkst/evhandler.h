/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Event handlers: what is done when an event occurs.
 */
#ifndef _LKST_EVHANDLER_H
#define _LKST_EVHANDLER_H

#include <linux/types.h>
#include <linux/lkst_evhandler.h>
#include <linux/lkst_private.h>

struct lkst_evhandler {
	char name[LKST_EVHANDLER_NAME_LEN];
	lkst_evhandler_func func;	/* NULL: LKST_EVHANDLER_ID_NONE alone */
	lkst_evhandler_ctrl_func ctrl;
};

/*
 * By id; NULL: there is none. Events load an entry once, with preemption off; who takes one
 * out calls lkst_synchronize() before it is freed. LKST's own are there from the start.
 */
extern const struct lkst_evhandler *lkst_evhandlers[LKST_EVHANDLER_ID_MAX + 1];

/* Whether there is such a handler; any number is allowed. */
static inline bool lkst_evhandler_registered(int id)
{
	return id >= 0 && id <= LKST_EVHANDLER_ID_MAX && READ_ONCE(lkst_evhandlers[id]);
}

int lkst_evhandler_num(void);

#endif
