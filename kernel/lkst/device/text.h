/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Recording texts of programs.
 */
#ifndef _LKST_TEXT_RECORD_H
#define _LKST_TEXT_RECORD_H

#include <linux/minmax.h>
#include <linux/preempt.h>
#include <linux/string.h>
#include <linux/lkst_etypes.h>

#include "../buffer/long_ring.h"
#include "../dispatch/chain.h"

/* Record a text of a program. Context: task. */
static inline void lkst_text_record(const void *text, unsigned int bytes)
{
	const struct lkst_payload payload = { .data = text, .bytes = bytes };
	u64 start[4] = {};

	memcpy(start, text, min_t(size_t, bytes, sizeof(start)));
	preempt_disable();
	/* The long ring takes only the start of the text, in one record. */
	lkst_long_record(LKST_ETYPE_USER_TEXT, 1, start[0], start[1], start[2], start[3]);
	lkst_event_chain(LKST_ETYPE_USER_LONG_TEXT, &payload);
	preempt_enable();
}

#endif
