/* SPDX-License-Identifier: GPL-2.0 */
/*
 * LKST for kernel code: hooks (specification 4.6), and starting and stopping
 * the recorder (4.7.2.1).
 */
#ifndef _LINUX_LKST_H
#define _LINUX_LKST_H

#include <uapi/linux/lkst.h>
#include <linux/lkst_hook.h>

/* Number of event types for the user events of programs. */
#define LKST_ETYPE_PROGRAM_NUM	(LKST_ETYPE_PROGRAM_MAX - LKST_ETYPE_PROGRAM_MIN + 1)

/* Whether an event type is in the range for the user events of programs. */
static inline bool lkst_etype_of_program(int etype)
{
	return etype >= LKST_ETYPE_PROGRAM_MIN && etype <= LKST_ETYPE_PROGRAM_MAX;
}

#if IS_BUILTIN(CONFIG_LKST)
void lkst_init(void);
#else
static inline void lkst_init(void) { }
#endif

int lkst_trc_status(struct lkst_trc_status *trc_status);
int lkst_trc_start(void);
int lkst_trc_stop(void);

#endif
