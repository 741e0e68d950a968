/* SPDX-License-Identifier: LGPL-2.1 */
/* Finds pairs of entry and exit events that are far apart in time. */
#ifndef _LKST_LIB_TRACE_LONGER_H
#define _LKST_LIB_TRACE_LONGER_H

#include "lib/lkst.h"

struct lkst_longer;

struct lkst_longer *lkst_longer_find(struct lkst_trace *trace, const struct lkst_etypes *types,
				     int64_t least_ns, struct lkst_error *err);
bool lkst_longer_has(const struct lkst_longer *longer, const struct lkst_event *event);
void lkst_longer_free(struct lkst_longer *longer);

#endif
