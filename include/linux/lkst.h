/* SPDX-License-Identifier: GPL-2.0 */
/*
 * LKST for kernel code.
 */
#ifndef _LINUX_LKST_H
#define _LINUX_LKST_H

#include <uapi/linux/lkst.h>

#ifdef CONFIG_LKST
void lkst_init(void);
#else
static inline void lkst_init(void) { }
#endif

#endif
