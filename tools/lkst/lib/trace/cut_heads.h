/* SPDX-License-Identifier: LGPL-2.1 */
/* Keeps the parts of chains together with their heads when events are selected. */
#ifndef _LKST_LIB_TRACE_CUT_HEADS_H
#define _LKST_LIB_TRACE_CUT_HEADS_H

#include "lib/lkst.h"

/**
 * struct cut_head - a chain whose parts may follow
 * @known: whether this entry describes a chain
 * @selected: the head was selected
 * @text: the parts contain text
 * @cpu: CPU
 * @serial: serial of the chain
 */
struct cut_head {
	bool known;
	bool selected;
	bool text;
	int32_t cpu;
	uint32_t serial;
};

#define CUT_HEADS 256

/* Recent chains of a CPU, or of all CPUs that record in the static buffer, by CPU and serial */
struct cut_heads {
	struct cut_head head[CUT_HEADS];
};

const struct cut_head *cut_heads_find(const struct cut_heads *heads,
				      const struct lkst_event *event);
bool cut_heads_select(struct cut_heads *heads, const struct lkst_event *event,
		      const struct lkst_etype *type, bool selected);

#endif
