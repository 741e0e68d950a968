// SPDX-License-Identifier: GPL-2.0
/*
 * The action trace(EVENT,FIELD...): make a synthetic event.
 */
#include <linux/string.h>

#include "../base/compat.h"
#include "../rules/trace.h"
#include "action.h"
#include "action_trace.h"
#include "chain.h"
#include "event_fast.h"
#include "maskset.h"

/* Record an event. Preemption has been disabled LKST_EVENT_DEPTH times. */
static notrace void trace_record(const struct lkst_synth *synth, const u64 *word)
{
	const struct lkst_payload payload = { .data = word, .bytes = synth->bytes };

	if (synth->chain)
		lkst_event_chain_within(synth->etype, &payload);
	else
		lkst_event_slow(synth->etype, word[0], word[1], word[2], word[3]);
}

/*
 * Make a synthetic event. Its rule can have actions of its own, such as hist().
 * If one of these actions is trace() again, that trace() does not make its
 * event, but counts the event as missed: otherwise, two synthetic events could
 * cause each other endlessly.
 */
notrace void lkst_action_trace(int etype, const struct lkst_filter_record *record, void *private)
{
	const struct lkst_trace *trace = private;
	struct lkst_synth *synth = trace->synth;
	u64 word[LKST_SYNTH_BYTES / sizeof(u64)] = {};

	if (lkst_maskset_dispatched(synth->etype) == LKST_EVHANDLER_ID_NONE)
		return;
	if (!lkst_trace_fill(trace, record, (char *)word) || !lkst_actions_allow()) {
		atomic_long_inc(&synth->missed);
		return;
	}
	trace_record(synth, word);
	lkst_actions_disallow();
}
