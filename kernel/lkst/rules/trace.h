/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The action trace(EVENT,FIELD...): where the values of a synthetic event come
 * from. dispatch/action_trace.c records the synthetic event.
 */
#ifndef _LKST_RULES_TRACE_H
#define _LKST_RULES_TRACE_H

#include "action.h"
#include "synth.h"

/* Where a value comes from. */
enum lkst_trace_from {
	LKST_TRACE_EVENT,	/* from the event that causes the action */
	LKST_TRACE_BEGIN,	/* from the event that began the span */
	LKST_TRACE_SPAN,	/* the length of the span */
};

/**
 * struct lkst_trace_source - how to get the value of a field
 * @from: enum lkst_trace_from
 * @word: LKST_TRACE_BEGIN: position in lkst_watch_ended.value
 * @load: LKST_TRACE_EVENT: how to read it
 */
struct lkst_trace_source {
	u8 from;
	u8 word;
	struct lkst_synth_load load;
};

/**
 * struct lkst_trace - an action trace()
 * @synth: the event that it makes
 * @source: for each field of @synth, how to get its value
 */
struct lkst_trace {
	struct lkst_synth *synth;
	struct lkst_trace_source source[];
};

int lkst_trace_parse(struct lkst_action_parser *parser, struct lkst_action *action,
		     const struct lkst_filter_word *args);
void lkst_trace_free(void *private);
bool lkst_trace_fill(const struct lkst_trace *trace, const struct lkst_filter_record *record,
		     char *payload);

#endif
