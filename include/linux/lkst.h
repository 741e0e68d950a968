/* SPDX-License-Identifier: GPL-2.0 */
/*
 * LKST for kernel code: what everybody needs who has a trace point (specification 4.6), and
 * starting and stopping (4.7.2.1).
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
