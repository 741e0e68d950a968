// SPDX-License-Identifier: GPL-2.0
/*
 * Look up the handler of an event in the current maskset, and call it. The
 * record path of LKST runs through this file.
 */
#include <linux/export.h>
#include <linux/percpu.h>
#include <linux/tracepoint.h>
#include <linux/lkst_private.h>

#include "../buffer/buffer.h"
#include "../buffer/emit.h"
#include "../buffer/long_ring.h"
#include "action.h"
#include "action_watch.h"
#include "event.h"
#include "event_fast.h"
#include "chain.h"
#include "evhandler.h"
#include "maskset.h"
#include "maskset_select.h"
#include "../rules/rule.h"
#include "../rules/watch_direct.h"

/*
 * Contexts in which a handler is running on this CPU, one bit each. Events that
 * a handler causes itself are recorded by the default handler, and do not
 * recurse into the handler.
 *
 * Only the CPU itself changes the word. Nested contexts restore it before they
 * return, so no atomic operations are needed.
 */
static DEFINE_PER_CPU(unsigned int, lkst_handler_contexts);

/*
 * Like lkst_handler_contexts, but for handlers of LKST_BUFF_OVFLOW, the event
 * that reports a full buffer. A separate word lets such a handler run when
 * another handler fills the buffer.
 */
static DEFINE_PER_CPU(unsigned int, lkst_overflow_contexts);

/*
 * Store the values of an event for rules. @payload is the payload of a chain,
 * else NULL.
 */
static __always_inline void lkst_event_values(struct lkst_filter_record *record,
					      const struct lkst_payload *payload, u64 a1, u64 a2,
					      u64 a3, u64 a4)
{
	record->arg[0] = a1;
	record->arg[1] = a2;
	record->arg[2] = a3;
	record->arg[3] = a4;
	if (payload) {
		record->data = payload->data;
		record->bytes = payload->bytes;
		record->words = payload->words * sizeof(*payload->word);
	} else {
		record->data = record->arg;
		record->bytes = sizeof(record->arg);
		record->words = 0;
	}
}

/*
 * Let an event handler decide what becomes of an event. Return whether the
 * event has been recorded. If the event is a chain, @chain is the parameter
 * @fired of lkst_event_dispatch(); otherwise, it is NULL.
 */
static noinline notrace bool lkst_call_decider(const struct lkst_evhandler *handler, int etype,
					       struct lkst_rule_fired *chain, unsigned int depth,
					       u64 a1, u64 a2, u64 a3, u64 a4)
{
	const struct lkst_evhandler_event event = {
		.etype = etype,
		.depth = depth,
		.arg = { a1, a2, a3, a4 },
	};
	unsigned int verdict = handler->decider->decide(handler->data, &event);
	/*
	 * The caller carries out the actions in @chain after the parts of the
	 * chain have been recorded. If @chain already contains the actions of a
	 * rule, it has no room for those of the handler, which are therefore
	 * carried out here, before the parts.
	 */
	struct lkst_rule_fired own, *fired = chain && !chain->actions ? chain : &own;

	if (verdict == LKST_VERDICT_DROP)
		return false;
	fired->actions = 0;
	if (verdict == LKST_VERDICT_ACT && !lkst_actions_running()) {
		fired->blocked = false;
		lkst_event_values(&fired->record, NULL, a1, a2, a3, a4);
		handler->decider->act(handler->data, fired);
	}
	if (fired->actions && fired->program->early)
		lkst_actions_run(LKST_ACTION_START, etype, fired);
	lkst_emit(etype, depth, a1, a2, a3, a4);
	if (fired == &own && own.actions)
		lkst_actions_run(LKST_ACTION_AFTER, etype, &own);
	return true;
}

/*
 * Call event handler @id. If it has just been unregistered, or if @contexts
 * shows that a handler is running in this context, record with the default
 * handler instead. @depth is as for lkst_emit(), and @chain as for
 * lkst_call_decider(). Return the id, or LKST_EVHANDLER_ID_NONE if the handler
 * has dropped the event.
 */
static noinline notrace unsigned int lkst_call_handler(unsigned int *contexts, unsigned int id,
						       int etype, struct lkst_rule_fired *chain,
						       unsigned int depth, u64 a1, u64 a2, u64 a3,
						       u64 a4)
{
	const struct lkst_evhandler *handler = READ_ONCE(lkst_evhandlers[id]);
	unsigned int bit = lkst_context_bit(lkst_context_count());

	/* NULL: the handler has just been unregistered. */
	if (!handler || *contexts & bit) {
		if (handler && handler->decider)
			handler->decider->nested(handler->data);
		lkst_emit(etype, depth, a1, a2, a3, a4);
		return id;
	}
	*contexts |= bit;
	barrier();
	if (!handler->decider)
		handler->func(NULL, etype, a1, a2, a3, a4);
	else if (!lkst_call_decider(handler, etype, chain, depth, a1, a2, a3, a4))
		id = LKST_EVHANDLER_ID_NONE;
	barrier();
	*contexts &= ~bit;
	return id;
}

/*
 * Apply a rule to the event in @fired. Return the event handler to call, or
 * LKST_EVHANDLER_ID_NONE. Carries out the actions that precede the record. The
 * caller must carry out the other actions in @fired.
 */
static __always_inline unsigned int lkst_event_rule(unsigned int rule, int etype,
						    struct lkst_rule_fired *fired)
{
	unsigned int handler;

	fired->blocked = lkst_actions_running();
	handler = lkst_rule_apply(rule, etype, fired);
	if (fired->actions && fired->program->early)
		lkst_actions_run(LKST_ACTION_START, etype, fired);
	return handler;
}

/*
 * Record an event with an event handler. Return @handler, or
 * LKST_EVHANDLER_ID_NONE if the handler has dropped the event.
 */
static __always_inline unsigned int lkst_event_record(unsigned int handler, int etype,
						      struct lkst_rule_fired *chain,
						      const u64 *arg)
{
	if (handler == LKST_EVHANDLER_ID_ENTRY_LOG)
		lkst_emit(etype, LKST_EVENT_DEPTH, arg[0], arg[1], arg[2], arg[3]);
	else if (handler)
		handler = lkst_call_handler(raw_cpu_ptr(&lkst_handler_contexts), handler, etype,
					    chain, LKST_EVENT_DEPTH, arg[0], arg[1], arg[2],
					    arg[3]);
	return handler;
}

/*
 * Record an event during a countdown or a pause, if lkst_select_count() says
 * that it may still be recorded. Stop LKST after the last event of a countdown.
 * Return @handler, or LKST_EVHANDLER_ID_NONE if the event was not recorded.
 */
static noinline notrace unsigned int lkst_event_counted(unsigned int handler, int etype,
							struct lkst_rule_fired *chain,
							const u64 *arg)
{
	int left;

	if (handler == LKST_EVHANDLER_ID_NONE)
		return handler;
	left = lkst_select_count(etype);
	if (left <= 0)
		return LKST_EVHANDLER_ID_NONE;
	handler = lkst_event_record(handler, etype, chain, arg);
	if (left == 1)
		lkst_select_counted();
	return handler;
}

/*
 * Handle an event that has a rule or that is counted: @entry, the entry of the
 * table, is greater than LKST_EVHANDLER_ID_MAX. Return the same as
 * lkst_event_dispatch().
 */
static noinline notrace unsigned int lkst_event_special(unsigned int entry, int handled_as,
							int etype,
							const struct lkst_payload *payload,
							struct lkst_rule_fired *chain, u64 a1,
							u64 a2, u64 a3, u64 a4)
{
	bool counted = entry == LKST_EVHANDLER_COUNTED;
	struct lkst_rule_fired own LKST_UNSET, *fired = chain ?: &own;
	unsigned int handler = counted ? lkst_maskset_handler(handled_as) : entry;

	lkst_event_values(&fired->record, payload, a1, a2, a3, a4);
	fired->actions = 0;
	if (lkst_rule_is(handler))
		handler = lkst_event_rule(handler, etype, fired);
	if (counted)
		handler = lkst_event_counted(handler, etype, chain, fired->record.arg);
	else
		handler = lkst_event_record(handler, etype, chain, fired->record.arg);
	if (!chain && fired->actions)
		lkst_actions_run(LKST_ACTION_AFTER, etype, fired);
	return handler;
}

/*
 * Handle an event by @handler, the selected maskset's entry for @handled_as,
 * which may be the id of a rule. Return the id of the event handler, or
 * LKST_EVHANDLER_ID_NONE if no handler was called, or if the handler has
 * dropped the event. If the kernel has a preemption count, preemption has been
 * disabled LKST_EVENT_DEPTH times. For a chain, @fired receives the actions
 * that the caller must carry out after the last record.
 */
static __always_inline unsigned int lkst_event_dispatch(unsigned int handler, int handled_as,
							int etype,
							const struct lkst_payload *payload,
							struct lkst_rule_fired *fired, u64 a1,
							u64 a2, u64 a3, u64 a4)
{
	if (handler == LKST_EVHANDLER_ID_ENTRY_LOG)
		lkst_emit(etype, LKST_EVENT_DEPTH, a1, a2, a3, a4);
	else if (handler > LKST_EVHANDLER_ID_MAX)
		handler = lkst_event_special(handler, handled_as, etype, payload, fired, a1, a2,
					     a3, a4);
	else if (handler)
		handler = lkst_call_handler(raw_cpu_ptr(&lkst_handler_contexts), handler, etype,
					    fired, LKST_EVENT_DEPTH, a1, a2, a3, a4);
	return handler;
}

/* Handle an event by @entry, the selected maskset's entry for @etype. */
static noinline notrace void lkst_event_any(unsigned long etype, u64 a1, u64 a2, u64 a3, u64 a4,
					    unsigned int entry)
{
	lkst_event_dispatch(entry, etype, etype, NULL, NULL, a1, a2, a3, a4);
}

/*
 * The following functions are the fast path of events with a simple rule: see
 * @direct of struct lkst_rule. They do the same as lkst_event_any() with
 * @rule->id. The caller ensures that no actions are running in this context.
 *
 * They call lkst_actions_enter() only if actions may have to be carried out.
 * Apart from these actions, they do nothing that causes events.
 *
 * No index into their arrays depends on the event, so a stack protector would
 * only make the functions slower.
 */

/* Record an event whose rule does nothing else. */
static __always_inline void lkst_event_write(unsigned long etype, u64 a1, u64 a2, u64 a3, u64 a4)
{
	if (unlikely(!lkst_ring_write_fast(this_cpu_read(lkst_ring_current), etype,
					   LKST_EVENT_DEPTH, a1, a2, a3, a4)))
		lkst_emit(etype, LKST_EVENT_DEPTH, a1, a2, a3, a4);
}

/*
 * Record an event that begins a span, and begin the span. @fetch is
 * @rule->feed->fetch[LKST_WATCH_BEGIN].
 */
static __always_inline void lkst_event_begin_span(unsigned long etype, u64 a1, u64 a2, u64 a3,
						  u64 a4, const struct lkst_rule *rule,
						  enum lkst_watch_fetch fetch)
{
	u64 word, clock;

	if (unlikely(!lkst_ring_write_timed(this_cpu_read(lkst_ring_current), etype,
					    LKST_EVENT_DEPTH, a1, a2, a3, a4, &clock)))
		return lkst_event_any(etype, a1, a2, a3, a4, rule->id);
	word = lkst_watch_word(rule->key, fetch, a1, a2, a3, a4);
	lkst_watch_begin_word(rule->watch, word, lkst_watch_time(clock, LKST_ARCH_CLOCK));
}

/*
 * Record an event that ends a span, and end the span. @fetch is
 * @rule->feed->fetch[LKST_WATCH_END].
 */
static __always_inline void lkst_event_end_span(unsigned long etype, u64 a1, u64 a2, u64 a3,
						u64 a4, const struct lkst_rule *rule,
						enum lkst_watch_fetch fetch)
{
	u64 word, clock, begin = LKST_WATCH_NOT_FOUND;
	const u64 arg[] = { a1, a2, a3, a4 };

	if (unlikely(!lkst_ring_write_timed(this_cpu_read(lkst_ring_current), etype,
					    LKST_EVENT_DEPTH, a1, a2, a3, a4, &clock)))
		return lkst_event_any(etype, a1, a2, a3, a4, rule->id);
	clock = lkst_watch_time(clock, LKST_ARCH_CLOCK);
	word = lkst_watch_word(rule->key, fetch, a1, a2, a3, a4);
	if (unlikely(!lkst_watch_end_plain(rule->watch, word, clock, &begin)))
		lkst_action_watch_end(etype, rule->feed, arg, clock, begin);
}

static noinline notrace __no_stack_protector void
lkst_event_begin_arg(unsigned long etype, u64 a1, u64 a2, u64 a3, u64 a4,
		     const struct lkst_rule *rule)
{
	lkst_event_begin_span(etype, a1, a2, a3, a4, rule, LKST_WATCH_ARG);
}

static noinline notrace __no_stack_protector void
lkst_event_begin_tid(unsigned long etype, u64 a1, u64 a2, u64 a3, u64 a4,
		     const struct lkst_rule *rule)
{
	lkst_event_begin_span(etype, a1, a2, a3, a4, rule, LKST_WATCH_TID);
}

static noinline notrace __no_stack_protector void
lkst_event_end_arg(unsigned long etype, u64 a1, u64 a2, u64 a3, u64 a4,
		   const struct lkst_rule *rule)
{
	lkst_event_end_span(etype, a1, a2, a3, a4, rule, LKST_WATCH_ARG);
}

static noinline notrace __no_stack_protector void
lkst_event_end_tid(unsigned long etype, u64 a1, u64 a2, u64 a3, u64 a4,
		   const struct lkst_rule *rule)
{
	lkst_event_end_span(etype, a1, a2, a3, a4, rule, LKST_WATCH_TID);
}

/*
 * Handle an event that meets the condition of @rule, by the function that
 * @direct selects: @rule->direct without flags.
 */
static __always_inline void lkst_event_direct(unsigned int direct, unsigned long etype, u64 a1,
					      u64 a2, u64 a3, u64 a4, const struct lkst_rule *rule)
{
	if (direct == LKST_RULE_BEGIN_TID)
		lkst_event_begin_tid(etype, a1, a2, a3, a4, rule);
	else if (direct == LKST_RULE_END_TID)
		lkst_event_end_tid(etype, a1, a2, a3, a4, rule);
	else if (direct == LKST_RULE_BEGIN_ARG)
		lkst_event_begin_arg(etype, a1, a2, a3, a4, rule);
	else if (direct == LKST_RULE_END_ARG)
		lkst_event_end_arg(etype, a1, a2, a3, a4, rule);
	else
		lkst_event_write(etype, a1, a2, a3, a4);
}

/*
 * Handle an event whose rule has a condition. @met says whether the condition
 * is true. If it is false, the event neither begins nor ends a span, and
 * @rule->drops says whether the event is recorded.
 */
static __always_inline void lkst_event_if(bool met, unsigned long etype, u64 a1, u64 a2, u64 a3,
					  u64 a4, const struct lkst_rule *rule)
{
	if (met)
		lkst_event_direct(rule->direct & LKST_RULE_KIND, etype, a1, a2, a3, a4, rule);
	else if (!rule->drops)
		lkst_emit(etype, LKST_EVENT_DEPTH, a1, a2, a3, a4);
}

/* Handle an event whose rule has the flag LKST_RULE_COMPARES. */
static noinline notrace __no_stack_protector void
lkst_event_compare(unsigned long etype, u64 a1, u64 a2, u64 a3, u64 a4,
		   const struct lkst_rule *rule)
{
	lkst_event_if(lkst_rule_only_matches(rule->only, a1, a2, a3, a4), etype, a1, a2, a3, a4,
		      rule);
}

/* Handle an event whose rule has the flag LKST_RULE_FILTERS. */
static noinline notrace __no_stack_protector void
lkst_event_filter(unsigned long etype, u64 a1, u64 a2, u64 a3, u64 a4,
		  const struct lkst_rule *rule)
{
	struct lkst_filter_record record LKST_UNSET;

	lkst_event_values(&record, NULL, a1, a2, a3, a4);
	lkst_event_if(lkst_rule_meets(rule->filter, &record), etype, a1, a2, a3, a4, rule);
}

/* Handle an event that lkst_event_fast() could not record. */
noinline notrace void lkst_event_slow(unsigned long etype, u64 a1, u64 a2, u64 a3, u64 a4)
{
	unsigned int entry = lkst_maskset_dispatched(etype), direct;
	const struct lkst_rule *rule;

	if (!lkst_rule_is(entry) || raw_cpu_read(lkst_action_contexts))
		return lkst_event_any(etype, a1, a2, a3, a4, entry);
	rule = lkst_rule_find(entry);
	direct = rule->direct;
	/*
	 * The most frequent kinds come first, before the flags are tested.
	 * lkst_event_direct() would also handle them, but later.
	 */
	if (direct == LKST_RULE_BEGIN_TID)
		lkst_event_begin_tid(etype, a1, a2, a3, a4, rule);
	else if (direct == LKST_RULE_END_TID)
		lkst_event_end_tid(etype, a1, a2, a3, a4, rule);
	else if (direct == LKST_RULE_BEGIN_ARG)
		lkst_event_begin_arg(etype, a1, a2, a3, a4, rule);
	else if (direct == LKST_RULE_END_ARG)
		lkst_event_end_arg(etype, a1, a2, a3, a4, rule);
	else if (direct & LKST_RULE_COMPARES)
		lkst_event_compare(etype, a1, a2, a3, a4, rule);
	else if (direct & LKST_RULE_FILTERS)
		lkst_event_filter(etype, a1, a2, a3, a4, rule);
	else if (direct == LKST_RULE_RECORD)
		lkst_event_write(etype, a1, a2, a3, a4);
	else
		lkst_event_any(etype, a1, a2, a3, a4, rule->id);
}

/**
 * lkst_event_head() - handle the head of a chain
 * @etype: event type
 * @payload: payload of the chain
 * @fired: the caller has set @actions to 0. Receives the actions to carry out
 *	after the chain has been recorded
 * @a1: first argument of the event
 * @a2: second argument
 * @a3: third argument
 * @a4: fourth argument
 *
 * Context: any, NMI included. Preemption has been disabled LKST_EVENT_DEPTH
 * times for the purpose of recording this event.
 *
 * Return: the id of the event handler that was called, or
 * LKST_EVHANDLER_ID_NONE if none was called, or if it has dropped the event.
 */
notrace unsigned int lkst_event_head(int etype, const struct lkst_payload *payload,
				     struct lkst_rule_fired *fired, u64 a1, u64 a2, u64 a3,
				     u64 a4)
{
	return lkst_event_dispatch(lkst_maskset_dispatched(etype), etype, etype, payload, fired,
				   a1, a2, a3, a4);
}

/**
 * lkst_event_passes() - check whether an event of a program is recorded
 * @etype: event type
 * @payload: payload of a chain, without words; NULL: the event takes one record
 * @arg: the four arguments, if @payload is NULL
 *
 * Context: as for lkst_event_head().
 *
 * Return: false if a rule drops the event and has no actions.
 */
notrace bool lkst_event_passes(int etype, const struct lkst_payload *payload, const u64 *arg)
{
	unsigned int entry = lkst_maskset_handler(etype);
	struct lkst_filter_record record;

	if (!lkst_rule_is(entry))
		return true;
	if (payload)
		lkst_event_values(&record, payload, 0, 0, 0, 0);
	else
		lkst_event_values(&record, NULL, arg[0], arg[1], arg[2], arg[3]);
	return lkst_rule_passes(entry, etype, &record);
}

/**
 * lkst_event_handled_as() - handle an event whose type has no entry in masksets
 * @handled_as: event type whose handler is called
 * @etype: event type to record
 * @a1: first argument of the event
 * @a2: second argument
 * @a3: third argument
 * @a4: fourth argument
 *
 * Context: any, NMI included.
 */
void lkst_event_handled_as(int handled_as, int etype, u64 a1, u64 a2, u64 a3, u64 a4)
{
	/*
	 * Disable preemption LKST_EVENT_DEPTH times, as for an event at a hook.
	 */
	lkst_event_disable();
	lkst_event_disable();
	lkst_event_dispatch(lkst_maskset_dispatched(handled_as), handled_as, etype, NULL, NULL,
			    a1, a2, a3, a4);
	lkst_event_enable();
	lkst_event_enable();
}

/**
 * lkst_event_nopreempt() - handle an event while preemption is off
 * @etype: event type
 * @a1: first argument of the event
 * @a2: second argument
 * @a3: third argument
 * @a4: fourth argument
 *
 * Preemption must have been disabled exactly once for the purpose of recording
 * this event, by the caller or by the tracepoint that called it. Otherwise, use
 * lkst_event_preemptible().
 *
 * Context: any, NMI included, even while RCU is not watching.
 */
#if defined(CONFIG_PREEMPT_COUNT) || LKST_HOOKS_SEPARATE
notrace void lkst_event_nopreempt(unsigned long etype, u64 a1, u64 a2, u64 a3, u64 a4)
{
	lkst_event_inline(etype, a1, a2, a3, a4);
}
#endif

/*
 * The kernel already has a function lkst_hook(), which its own hooks call. So
 * in this module, the lkst_hook() below gets another name.
 */
#if LKST_HOOKS_SEPARATE
#define lkst_hook	lkst_event_preemptible
#endif

/**
 * lkst_hook() - handle an event at an LKST_HOOK (4.6)
 * @event_type: event type
 * @log_arg1: first argument of the event
 * @log_arg2: second argument
 * @log_arg3: third argument
 * @log_arg4: fourth argument
 *
 * Context: any, NMI included, even while RCU is not watching.
 */
notrace void lkst_hook(unsigned long event_type, lkst_arg_t log_arg1, lkst_arg_t log_arg2,
		       lkst_arg_t log_arg3, lkst_arg_t log_arg4)
{
	/*
	 * Disable preemption once, as most tracepoints do. lkst_event_depth()
	 * relies on this.
	 */
	lkst_event_disable();
	lkst_event_inline(event_type, log_arg1, log_arg2, log_arg3, log_arg4);
	lkst_event_enable();
}

#if LKST_HOOKS_SEPARATE
#undef lkst_hook
#else
EXPORT_SYMBOL_GPL(lkst_hook);
#endif

/**
 * lkst_event_rare_nopreempt() - handle a rare event, and add it to the long ring
 * @etype: event type
 * @a1: first argument of the event
 * @a2: second argument
 * @a3: third argument
 * @a4: fourth argument
 *
 * Context: as for lkst_event_nopreempt().
 */
notrace void lkst_event_rare_nopreempt(unsigned long etype, u64 a1, u64 a2, u64 a3, u64 a4)
{
	lkst_long_record(etype, 1, a1, a2, a3, a4);
	lkst_event_nopreempt(etype, a1, a2, a3, a4);
}

/*
 * Return how many times LKST itself has disabled preemption in the current
 * context. In an event handler this is 2: once in the tracepoint or
 * lkst_hook(), and once in lkst_event_inline(). Elsewhere it is 0. @count is
 * the value of lkst_context_count().
 */
notrace unsigned int lkst_event_depth(unsigned int count)
{
	unsigned int contexts = raw_cpu_read(lkst_handler_contexts) |
				raw_cpu_read(lkst_overflow_contexts);

	return contexts & lkst_context_bit(count) ? 2 : 0;
}

/**
 * lkst_evhandlerprim_entry_log() - record an event in the buffer of this CPU
 * @phookrec: not used
 * @event_type: event type
 * @log_arg1: first argument of the event
 * @log_arg2: second argument
 * @log_arg3: third argument
 * @log_arg4: fourth argument
 *
 * This is the default event handler as a function. The fast path inlines it
 * instead of calling it. Other code may call it for an event without a hook
 * (4.6). It does not check the maskset.
 *
 * Context: any, NMI included.
 */
notrace void lkst_evhandlerprim_entry_log(void *phookrec, int event_type, lkst_arg_t log_arg1,
					  lkst_arg_t log_arg2, lkst_arg_t log_arg3,
					  lkst_arg_t log_arg4)
{
	preempt_disable_notrace();
	lkst_emit(event_type, lkst_event_depth(lkst_context_count()) + 1, log_arg1, log_arg2,
		  log_arg3, log_arg4);
	preempt_enable_notrace();
}
EXPORT_SYMBOL_GPL(lkst_evhandlerprim_entry_log);

/*
 * The functions of lkst_emit_client. The record path calls them even while RCU
 * is not watching, so ftrace must not trace them.
 */
static notrace bool lkst_own_masked(int etype)
{
	return lkst_maskset_handler(etype) == LKST_EVHANDLER_ID_NONE;
}

static notrace bool lkst_own_records(int etype)
{
	return lkst_maskset_handler(etype) == LKST_EVHANDLER_ID_ENTRY_LOG;
}

static notrace void lkst_own_event(int etype, u64 a1, u64 a2, u64 a3, u64 a4)
{
	lkst_event_preemptible(etype, a1, a2, a3, a4);
}

static notrace void lkst_own_overflow(unsigned int depth, lkst_buffer_id buffer, u64 overwritten,
				      u64 recid)
{
	unsigned int id = lkst_maskset_handler(LKST_ETYPE_LKST_BUFF_OVFLOW);

	if (id == LKST_EVHANDLER_ID_ENTRY_LOG)
		lkst_emit(LKST_ETYPE_LKST_BUFF_OVFLOW, depth, buffer, overwritten, recid, 0);
	else if (id)
		lkst_call_handler(raw_cpu_ptr(&lkst_overflow_contexts), id,
				  LKST_ETYPE_LKST_BUFF_OVFLOW, NULL, depth, buffer, overwritten,
				  recid, 0);
}

const struct lkst_emit_client lkst_emit_client = {
	.masked = lkst_own_masked,
	.records = lkst_own_records,
	.event = lkst_own_event,
	.overflow = lkst_own_overflow,
};
