// SPDX-License-Identifier: GPL-2.0
/*
 * Probes for the events of class "oops" (0x0b0) that only x86 has.
 */
#include <asm/mce.h>
#include <trace/events/mce.h>

#include "../base/compat.h"
#include "../dispatch/event.h"
#include "../source/source.h"

static void lkst_probe_mce_record(void *data, lkst_mce_record *record)
{
	const struct mce *m = lkst_mce(record);

	lkst_event(LKST_ETYPE_OOPS_MCE, LKST_ARG32(m->bank, m->extcpu), m->status, m->addr,
		   m->misc);
}

struct lkst_source lkst_sources_oops_x86[] = {
	LKST_SOURCE(mce_record, lkst_probe_mce_record, LKST_ETYPE_OOPS_MCE),
	{}
};
