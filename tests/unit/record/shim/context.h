/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Replaces kernel/lkst/ring/context.h: the test provides the context of a record.
 */
#ifndef _LKST_CONTEXT_H
#define _LKST_CONTEXT_H

#include "path.h"

#ifdef RECORD_GENERIC
#include "asm-generic/lkst.h"
#else
#include "asm-x86/lkst.h"
#endif

/* The TSC is this far ahead of the other clock, so a value shows which clock it is from. */
#define RECORD_TSC_AHEAD (1ull << 40)

static __always_inline u64 lkst_clock_read(unsigned int clock)
{
	return (record_clock ?: 1) + (clock == LKST_CLOCK_TSC ? RECORD_TSC_AHEAD : 0);
}

static __always_inline unsigned int lkst_context_count(void)
{
	return record_current->count;
}

static __always_inline unsigned int lkst_context_bit(unsigned int count)
{
	if (count & NMI_MASK)
		return 8;
	if (count & HARDIRQ_MASK)
		return 4;
	return count & SOFTIRQ_OFFSET ? 2 : 1;
}

static __always_inline u16 lkst_context_flags(unsigned int count, unsigned int depth)
{
	return record_current->flags;
}

#define LKST_RECORD_CONTEXT(rec, depth)                                 \
	do {                                                            \
		const struct record_context *_current = record_current; \
                                                                        \
		(rec)->thread = _current->thread;                       \
		(rec)->pid = _current->pid;                             \
		(rec)->pgrp = _current->pgrp;                           \
		(rec)->uid = _current->uid;                             \
		(rec)->gid = _current->gid;                             \
		(rec)->flags |= _current->flags;                        \
		(void)(depth);                                          \
	} while (0)

#endif
