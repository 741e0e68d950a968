/* SPDX-License-Identifier: LGPL-2.1 */
/* Finds out which event types are heads of chains. */
#ifndef _LKST_LIB_TRACE_HEADS_H
#define _LKST_LIB_TRACE_HEADS_H

#include "lib/lkst.h"

#define HEADS_WORDS (LKST_ETYPE_NUM / 64) /* words of a bitmap of event types */

void trace_heads_of(const struct lkst_etypes *types, uint64_t heads[HEADS_WORDS]);
int trace_find_heads(struct lkst_trace *trace, struct lkst_error *err);

static inline bool trace_is_head(const uint64_t heads[HEADS_WORDS], uint32_t type)
{
	return type < LKST_ETYPE_NUM && (heads[type / 64] >> (type % 64) & 1);
}

#endif
