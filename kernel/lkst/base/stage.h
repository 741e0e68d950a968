/* SPDX-License-Identifier: GPL-2.0 */
/*
 * __lkst_exit marks code that stops LKST. In a module it is ordinary text. If
 * LKST is built in, such code runs only when LKST fails to start, so it is
 * marked __init.
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
