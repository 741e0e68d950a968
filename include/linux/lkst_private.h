/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions for modules that add event handlers to LKST (specification
 * 4.7.2.2.6, 4.7.2.3.3 to 4.7.2.3.5).
 */
#ifndef _LINUX_LKST_PRIVATE_H
#define _LINUX_LKST_PRIVATE_H

#include <linux/lkst_evhandler.h>
#include <linux/lkst_maskset.h>

int lkst_maskset_get_id(const char *name);

int lkst_evhandler_register(lkst_evhandler_id id, const char *name,
			    lkst_evhandler_func evhandler,
			    lkst_evhandler_ctrl_func evhandler_ctrl);
int lkst_evhandler_unregister(lkst_evhandler_id id);
int lkst_evhandler_get_id(const char *name);

void lkst_evhandlerprim_entry_log(void *phookrec, int event_type, lkst_arg_t log_arg1,
				  lkst_arg_t log_arg2, lkst_arg_t log_arg3, lkst_arg_t log_arg4);
void lkst_evhandlerprim_static_log(void *phookrec, int event_type, lkst_arg_t log_arg1,
				   lkst_arg_t log_arg2, lkst_arg_t log_arg3,
				   lkst_arg_t log_arg4);

#endif
