/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Event handlers: what is done when an event occurs.
 */
#ifndef _LKST_EVHANDLER_H
#define _LKST_EVHANDLER_H

#include <linux/types.h>
#include <linux/lkst_evhandler.h>

/* Specification 4.7.2.3.3, (*1). */
typedef void (*lkst_evhandler_func)(void *phookrec, int event_type, lkst_arg_t log_arg1,
				    lkst_arg_t log_arg2, lkst_arg_t log_arg3,
				    lkst_arg_t log_arg4);

struct lkst_evhandler {
	const char *name;
	lkst_evhandler_func func;
};

/* By id; an entry without a name is free. */
extern const struct lkst_evhandler lkst_evhandlers[LKST_EVHANDLER_ID_USER_MIN];

void lkst_evhandlerprim_entry_log(void *phookrec, int event_type, lkst_arg_t log_arg1,
				  lkst_arg_t log_arg2, lkst_arg_t log_arg3, lkst_arg_t log_arg4);
int lkst_evhandler_num(void);
int lkst_evhandler_list_user(struct lkst_evhandler_listparam *param);

#endif
