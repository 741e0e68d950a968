/* SPDX-License-Identifier: GPL-2.0 */
/* A pager for long output on a terminal. */
#ifndef _PAGER_H
#define _PAGER_H

#include "lib/lkst.h"

void pager_start(void);
int pager_end(struct lkst_error *err);

#endif
