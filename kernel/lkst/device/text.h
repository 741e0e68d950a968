/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Recording texts of programs.
 */
#ifndef _LKST_TEXT_RECORD_H
#define _LKST_TEXT_RECORD_H

#include <linux/preempt.h>
#include <linux/lkst_etypes.h>

#include "../dispatch/chain.h"

/* Record a text of a program. Context: task. */
static inline void lkst_text_record(const void *text, unsigned int bytes)
{
	const struct lkst_payload payload = { .data = text, .bytes = bytes };

	preempt_disable();
	lkst_event_chain(LKST_ETYPE_USER_LONG_TEXT, &payload);
	preempt_enable();
}

#endif
