/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is there once: when LKST comes up it is __init, and when it goes down, __lkst_exit. What is
 * in the kernel goes, if at all, in the middle of coming up; a module does at any time.
 */
#ifndef _LKST_STAGE_H
#define _LKST_STAGE_H

#include <linux/init.h>

#ifdef MODULE
#define __lkst_exit
#else
#define __lkst_exit	__init
#endif

#endif
