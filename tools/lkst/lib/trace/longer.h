/* SPDX-License-Identifier: LGPL-2.1 */
/* Finds operations that take long. */
#ifndef _LKST_LIB_TRACE_LONGER_H
#define _LKST_LIB_TRACE_LONGER_H

#include "lib/lkst.h"
#include "lib/text/format.h"

struct lkst_longer;

struct lkst_longer *lkst_longer_find(struct lkst_trace *trace, const struct lkst_etypes *types,
				     int64_t least_ns, struct lkst_error *err);
struct lkst_longer *lkst_longer_live(const struct lkst_etypes *types, int64_t least_ns,
				     struct lkst_error *err);
int lkst_longer_observe(struct lkst_longer *longer, const struct lkst_event *event,
			struct lkst_error *err);
bool lkst_longer_has(const struct lkst_longer *longer, const struct lkst_event *event);
size_t lkst_longer_spans(const struct lkst_longer *longer, const struct lkst_event *event,
			 struct lkst_format_span span[LKST_FORMAT_SPANS_MAX]);
void lkst_longer_free(struct lkst_longer *longer);

#endif
