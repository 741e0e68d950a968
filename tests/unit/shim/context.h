/* SPDX-License-Identifier: GPL-2.0 */
/*
 * In place of kernel/lkst/context.h: what a record takes from its context is what the test says.
 */
#ifndef _LKST_CONTEXT_H
#define _LKST_CONTEXT_H

#include "record_path.h"

#ifdef RECORD_GENERIC
#include "asm-generic/lkst.h"
#else
#include "asm-x86/lkst.h"
#endif

static __always_inline u64 lkst_clock_read(unsigned int clock)
{
	(void)clock;
	return record_clock;
}

static __always_inline unsigned int lkst_context_count(void)
{
	return record_current->count;
}

static __always_inline u16 lkst_context_flags(unsigned int count, unsigned int outer)
{
	(void)count;
	(void)outer;
	return record_current->flags;
}

#define LKST_RECORD_CONTEXT(rec)                                        \
	do {                                                            \
		const struct record_context *_current = record_current; \
                                                                        \
		(rec)->thread = _current->thread;                       \
		(rec)->pid = _current->pid;                             \
		(rec)->pgrp = _current->pgrp;                           \
		(rec)->uid = _current->uid;                             \
		(rec)->gid = _current->gid;                             \
	} while (0)

#endif
