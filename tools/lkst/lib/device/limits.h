/* SPDX-License-Identifier: LGPL-2.1 */
/* Writes and reads the limits of masksets: whose events a maskset records. */
#ifndef _LKST_LIB_DEVICE_LIMITS_H
#define _LKST_LIB_DEVICE_LIMITS_H

#include "lib/lkst.h"

int lkst_limit_write(struct lkst_device *dev, lkst_maskset_id maskset, char *text,
		     struct lkst_error *err);
char *lkst_limit_read(struct lkst_device *dev, lkst_maskset_id maskset, struct lkst_error *err);

#endif
