/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Limits of masksets, as programs write and read them.
 */
#ifndef _LKST_DEVICE_LIMIT_H
#define _LKST_DEVICE_LIMIT_H

#include <linux/lkst_maskset.h>

int lkst_limit_call(struct lkst_limit_param *param);

#endif
