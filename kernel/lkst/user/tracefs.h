/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The files user_events_data and user_events_status of tracefs.
 */
#ifndef _LKST_USER_TRACEFS_H
#define _LKST_USER_TRACEFS_H

#include <linux/uidgid.h>

#if defined(CONFIG_TRACING) && !defined(CONFIG_USER_EVENTS)
void lkst_tracefs_start(kgid_t group);
void lkst_tracefs_stop(void);
#else
static inline void lkst_tracefs_start(kgid_t group) { }
static inline void lkst_tracefs_stop(void) { }
#endif

#endif
