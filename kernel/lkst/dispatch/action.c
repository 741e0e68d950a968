// SPDX-License-Identifier: GPL-2.0
/*
 * The kinds of actions that rules have, and what they do.
 */
#include <linux/bitops.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/stacktrace.h>
#include <linux/lkst.h>
#include <linux/lkst_etypes.h>

#include "../base/compat.h"
#include "../buffer/snapshot.h"
#include "../ring/context.h"
#include "../rules/watch.h"
#include "../rules/hist_store.h"
#include "../rules/trace.h"
#include "action.h"
#include "action_trace.h"
#include "action_watch.h"
#include "chain.h"
#include "maskset.h"
#include "maskset_select.h"

DEFINE_PER_CPU(unsigned int, lkst_action_contexts);

/*
 * Contexts in which the action trace() is recording a synthetic event, so that
 * the bit in lkst_action_contexts is clear although an action is running. In
 * these contexts, trace() makes no further event, so synthetic events cannot
 * cause each other endlessly.
 */
static DEFINE_PER_CPU(unsigned int, lkst_synth_contexts);

/**
 * lkst_actions_allow() - let the events that an action records cause actions
 *
 * An action calls this while it is running. If the result is true, the action
 * must call lkst_actions_disallow() later. Between the two calls, the action
 * must not be in the middle of changing data that belongs to the context, such
 * as the figures of a watch.
 *
 * Context: as for lkst_actions_run().
 *
 * Return: false if another action in this context has called this function and
 * has not yet called lkst_actions_disallow().
 */
notrace bool lkst_actions_allow(void)
{
	unsigned int bit = lkst_context_bit(lkst_context_count());
	unsigned int *synth = raw_cpu_ptr(&lkst_synth_contexts);

	if (*synth & bit)
		return false;
	*synth |= bit;
	barrier();
	*raw_cpu_ptr(&lkst_action_contexts) &= ~bit;
	barrier();
	return true;
}

/*
 * End lkst_actions_allow(): from now on, the events that the calling action
 * records do not cause actions.
 */
notrace void lkst_actions_disallow(void)
{
	unsigned int bit = lkst_context_bit(lkst_context_count());

	barrier();
	*raw_cpu_ptr(&lkst_action_contexts) |= bit;
	barrier();
	*raw_cpu_ptr(&lkst_synth_contexts) &= ~bit;
}

/**
 * lkst_actions_run() - carry out the actions that an event causes
 * @when: LKST_ACTION_START or LKST_ACTION_AFTER
 * @etype: type of the event
 * @fired: from lkst_rule_apply(), with at least one action
 *
 * Context: any, NMI included, even while RCU is not watching, with preemption
 * off since lkst_rule_apply(). lkst_actions_running() was false.
 */
notrace void lkst_actions_run(enum lkst_action_when when, int etype,
			      const struct lkst_rule_fired *fired)
{
	const struct lkst_action *action = fired->program->action;
	unsigned int bit = lkst_actions_enter();
	u32 left;

	for (left = fired->actions; left; left >>= 1, action++)
		if (left & 1 && action->type->when == when)
			action->type->run(etype, &fired->record, action->private);
	lkst_actions_leave(bit);
}

/* ---- on, off and stop ---- */

static notrace void lkst_action_on(int etype, const struct lkst_filter_record *record,
				   void *private)
{
	lkst_select_resume();
}

static notrace void lkst_action_off(int etype, const struct lkst_filter_record *record,
				    void *private)
{
	lkst_select_pause();
}

static int lkst_action_stop_parse(struct lkst_action_parser *parser, struct lkst_action *action,
				  const struct lkst_filter_word *args)
{
	unsigned int events;
	int ret = lkst_action_number(parser, args, LKST_STOP_AFTER_MAX, &events);

	action->private = (void *)(unsigned long)events;
	return ret;
}

static notrace void lkst_action_stop(int etype, const struct lkst_filter_record *record,
				     void *private)
{
	unsigned int events = (unsigned long)private;

	if (events)
		lkst_select_countdown(events);
	else
		lkst_select_pause();
}

/* ---- enable and disable ---- */

static int lkst_action_target_parse(struct lkst_action_parser *parser, struct lkst_action *action,
				    const struct lkst_filter_word *args)
{
	int etype = lkst_maskset_client.find(args->at, args->len);
	const char *wrong = NULL;

	if (etype < 0)
		wrong = "unknown event (want a name that /proc/lkst_etypes lists)";
	else if (etype >= LKST_ETYPE_LKST_MIN || etype == LKST_ETYPE_USER_EVENTS_NEW)
		wrong = "a rule cannot turn on this event (want another event)";
	else if (!lkst_maskset_client.present(etype))
		wrong = "this event does not occur in this kernel (want another event)";
	if (wrong) {
		lkst_filter_error(&parser->filter, args->start, "\"%.*s\": %s",
				  (int)min_t(size_t, args->len, LKST_FILTER_ERROR / 4), args->at,
				  wrong);
		return -EINVAL;
	}
	action->target = etype;
	action->private = (void *)(unsigned long)etype;
	return 0;
}

/*
 * Turn the recording of an event type on or off. The selected maskset has a
 * gate (struct lkst_rule_gate) for the event type, unless the maskset is being
 * changed.
 */
static notrace void lkst_action_set_gate(int etype, bool open)
{
	unsigned int entry = lkst_maskset_handler(etype);
	struct lkst_rule_gate *gate;

	if (!lkst_rule_is(entry))
		return;
	gate = lkst_rule_find(entry)->gate;
	if (gate)
		WRITE_ONCE(gate->open, open);
}

static notrace void lkst_action_enable(int etype, const struct lkst_filter_record *record,
				       void *private)
{
	lkst_action_set_gate((unsigned long)private, true);
}

static notrace void lkst_action_disable(int etype, const struct lkst_filter_record *record,
					void *private)
{
	lkst_action_set_gate((unsigned long)private, false);
}

/* ---- snapshot ---- */

static int lkst_action_snapshot_parse(struct lkst_action_parser *parser,
				      struct lkst_action *action,
				      const struct lkst_filter_word *name)
{
	const char *wrong = NULL;

	if (lkst_maskset_waking_causes(parser->etype))
		wrong = "a snapshot causes this event itself (want a rule for another event)";
	else if (!lkst_snapshot_possible())
		wrong = "a snapshot needs two buffers on each CPU (want \"lkstbuf create\")";
	if (!wrong)
		return 0;
	lkst_filter_error(&parser->filter, name->start, "%s", wrong);
	return -EINVAL;
}

static notrace void lkst_action_snapshot(int etype, const struct lkst_filter_record *record,
					 void *private)
{
	lkst_snapshot_take(etype);
}

/* ---- stack ---- */

#ifdef CONFIG_STACKTRACE
#define LKST_ACTION_STACK	32	/* return addresses to record */
#define LKST_ACTION_INNER	8	/* maximum addresses in LKST to skip */

/*
 * Number of functions between the event and stack_trace_save() that are not
 * inlined.
 */
#define LKST_ACTION_SKIP	3

/*
 * Return the index of the first return address outside of LKST, or 0 if LKST is
 * built in, because it is then unknown which addresses are in LKST.
 */
static notrace unsigned int lkst_action_first(const unsigned long *at, unsigned int num)
{
	unsigned int first = 0;

#ifdef MODULE
	while (first < min_t(unsigned int, num, LKST_ACTION_INNER) &&
	       within_module(at[first], THIS_MODULE))
		first++;
#endif
	return first;
}

/*
 * Record the stack of the running thread or interrupt. The unwinder uses RCU,
 * so while RCU is not watching, the recorded stack is empty.
 */
static notrace void lkst_action_stack(int etype, const struct lkst_filter_record *record,
				      void *private)
{
	unsigned long at[LKST_ACTION_INNER + LKST_ACTION_STACK];
	struct lkst_payload payload = {};
	u64 stack[LKST_ACTION_STACK];
	unsigned int num = 0, first, i;

	if (rcu_is_watching())
		num = stack_trace_save(at, ARRAY_SIZE(at), LKST_ACTION_SKIP);
	first = lkst_action_first(at, num);
	num = min_t(unsigned int, num - first, LKST_ACTION_STACK);
	for (i = 0; i < num; i++)
		stack[i] = at[first + i];
	payload.data = stack;
	payload.bytes = num * sizeof(*stack);
	lkst_event_chain_within(LKST_ETYPE_RULE_STACK, &payload);
}
#endif

const struct lkst_action_type lkst_action_types[] = {
	{ .name = "record", .when = LKST_ACTION_RECORD },
	{ .name = "drop", .when = LKST_ACTION_DROP },
	{ .name = "on", .when = LKST_ACTION_START, .run = lkst_action_on },
	{ .name = "off", .run = lkst_action_off },
	{ .name = "stop", .args = "EVENTS", .parse = lkst_action_stop_parse,
	  .run = lkst_action_stop },
	{ .name = "enable", .args = "EVENT", .parse = lkst_action_target_parse,
	  .run = lkst_action_enable },
	{ .name = "disable", .args = "EVENT", .parse = lkst_action_target_parse,
	  .run = lkst_action_disable },
	{ .name = "snapshot", .parse = lkst_action_snapshot_parse, .run = lkst_action_snapshot,
	  .records = LKST_ETYPE_LKST_SNAPSHOT },
#ifdef CONFIG_STACKTRACE
	{ .name = "stack", .run = lkst_action_stack, .records = LKST_ETYPE_RULE_STACK },
#endif
	{ .name = "watch", .args = "NAME", .parse = lkst_action_watch_parse,
	  .run = lkst_action_watch, .inner = lkst_watch_feed_actions,
	  .free = lkst_watch_feed_free, .direct = lkst_watch_feed_direct,
	  .records = LKST_ETYPE_LKST_WATCH },
	{ .name = "trace", .args = "EVENT,FIELD", .parse = lkst_trace_parse,
	  .run = lkst_action_trace, .free = lkst_trace_free },
	{ .name = "hist", .args = "keys=FIELD", .parse = lkst_hist_action_parse,
	  .run = lkst_hist_action_run, .free = lkst_hist_action_free },
	{}
};
