/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The steps in which LKST starts.
 */
#ifndef _LKST_MAIN_H
#define _LKST_MAIN_H

#include <linux/types.h>

bool lkst_is_off(void);
int lkst_prepare(void);
int lkst_first_buffer(void);
void lkst_begin(void);
int lkst_first_rules(void);

#endif
