/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An event occurs: the way from the probe to the handler.
 */
#ifndef _LKST_EVENT_H
#define _LKST_EVENT_H

#include <linux/preempt.h>
#include <linux/string.h>
#include <linux/lkst_etypes.h>
#include <linux/lkst.h>
#include "compat.h"

struct lkst_ring;

void lkst_event(int etype, u64 a1, u64 a2, u64 a3, u64 a4);
unsigned int lkst_event_outer(unsigned int count);
void lkst_event_time(void);
void lkst_event_time_in(struct lkst_ring *ring);
void lkst_event_record_in(struct lkst_ring *ring, int etype, u64 a1, u64 a2, u64 a3, u64 a4);
void lkst_synchronize(void);

/*
 * For callers that are not a tracepoint's probe and so have preemption as the code that
 * causes the event has it.
 */
static inline void lkst_event_direct(int etype, u64 a1, u64 a2, u64 a3, u64 a4)
{
	preempt_disable_notrace();
	lkst_event(etype, a1, a2, a3, a4);
	preempt_enable_notrace();
}

/*
 * Eight bytes of a text that has at least as many, in memory order. Another CPU may be
 * renaming the task: a name half old and half new is what there was to see.
 */
static __always_inline u64 lkst_text8(const char *text)
{
	/* Racing with a rename is fine, as said above. */
	return data_race(get_unaligned((const u64 *)text));
}

/* As much of a string as fits into @words arguments, padded with 0. */
static inline void lkst_text_copy(u64 *args, unsigned int words, const char *text)
{
	char *to = (char *)args;
	unsigned int i, len = strnlen(text, words * sizeof(u64));

	for (i = 0; i < words; i++)
		args[i] = 0;
	memcpy(to, text, len);
}

#endif
