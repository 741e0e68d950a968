/* SPDX-License-Identifier: GPL-2.0 */
/* Which event types the running kernel does not record. */
#ifndef _LKSTLA_MASK_H
#define _LKSTLA_MASK_H

#include "lib/lkst.h"

struct lkst_maskset_body *mask_read(void);
bool mask_hides(const struct lkst_maskset_body *mask, uint32_t type);

#endif
