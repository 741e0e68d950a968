/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Event handlers: functions that are called when an event occurs.
 */
#ifndef _LKST_EVHANDLER_H
#define _LKST_EVHANDLER_H

#include <linux/types.h>
#include <linux/lkst_evhandler.h>
#include <linux/lkst_private.h>

struct lkst_evhandler {
	char name[LKST_EVHANDLER_NAME_LEN];
	lkst_evhandler_func func;	/* NULL only for LKST_EVHANDLER_ID_NONE */
	lkst_evhandler_ctrl_func ctrl;
};

/*
 * The event handlers, by id. Unused entries are NULL. To handle an event, a CPU
 * reads an entry only once, with preemption off. So to free a handler, remove
 * its entry and call lkst_synchronize() first. LKST's own handlers are always
 * present.
 */
extern const struct lkst_evhandler *lkst_evhandlers[LKST_EVHANDLER_ID_MAX + 1];

/* Whether there is a handler with this id. @id may be any number. */
static inline bool lkst_evhandler_registered(int id)
{
	return id >= 0 && id <= LKST_EVHANDLER_ID_MAX && READ_ONCE(lkst_evhandlers[id]);
}

int lkst_evhandler_num(void);
int lkst_evhandler_list_num(struct lkst_evhandler_listparam *evhandler_listparam);

#endif
