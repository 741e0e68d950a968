/* SPDX-License-Identifier: GPL-2.0 */
/*
 * LKST for kernel code: hooks (specification 4.6), and starting and stopping
 * the recorder (4.7.2.1).
 */
#ifndef _LINUX_LKST_H
#define _LINUX_LKST_H

#include <uapi/linux/lkst.h>
#include <linux/lkst_hook.h>

#if IS_BUILTIN(CONFIG_LKST)
void lkst_init(void);
#else
static inline void lkst_init(void) { }
#endif

int lkst_trc_status(struct lkst_trc_status *trc_status);
int lkst_trc_start(void);
int lkst_trc_stop(void);

#endif
