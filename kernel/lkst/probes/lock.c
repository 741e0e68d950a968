// SPDX-License-Identifier: GPL-2.0
/*
 * Probes for the events of class "lock" (0x080).
 */
#include <trace/events/lock.h>

#include "../dispatch/event.h"
#include "../source/source.h"

static void lkst_probe_contention_begin(void *data, void *lock, unsigned int flags)
{
	lkst_event(LKST_ETYPE_LOCK_CONTENTION_BEGIN, LKST_ARGP(lock), flags, 0, 0);
}

static void lkst_probe_contention_end(void *data, void *lock, int ret)
{
	lkst_event(LKST_ETYPE_LOCK_CONTENTION_END, LKST_ARGP(lock), ret, 0, 0);
}

struct lkst_source lkst_sources_lock[] = {
#ifdef CONFIG_LKST_LOCK_EVENTS
	LKST_SOURCE_HOOK(LKST_ETYPE_LOCK_SPIN_LOCK, LKST_ETYPE_LOCK_SPIN_TRYLOCK,
			 LKST_ETYPE_LOCK_SPIN_UNLOCK, LKST_ETYPE_LOCK_READ_LOCK,
			 LKST_ETYPE_LOCK_READ_UNLOCK, LKST_ETYPE_LOCK_WRITE_LOCK,
			 LKST_ETYPE_LOCK_WRITE_UNLOCK),
#endif
	LKST_SOURCE(contention_begin, lkst_probe_contention_begin,
		    LKST_ETYPE_LOCK_CONTENTION_BEGIN),
	LKST_SOURCE(contention_end, lkst_probe_contention_end, LKST_ETYPE_LOCK_CONTENTION_END),
	{}
};
