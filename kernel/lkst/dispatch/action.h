/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Carrying out the actions of rules.
 */
#ifndef _LKST_DISPATCH_ACTION_H
#define _LKST_DISPATCH_ACTION_H

#include <linux/percpu.h>

#include "../ring/context.h"
#include "../rules/rule.h"

/* The kinds of actions; ends with a row without a name. */
extern const struct lkst_action_type lkst_action_types[];

/*
 * Contexts in which actions are running on this CPU, one bit each: see
 * lkst_handler_contexts. Events that actions cause themselves do not cause
 * actions, except for synthetic events (see lkst_synth_contexts in action.c).
 * So actions cannot cause each other endlessly.
 */
DECLARE_PER_CPU(unsigned int, lkst_action_contexts);

/**
 * lkst_actions_running() - whether actions are running in this context
 *
 * Context: any, NMI included, with preemption off.
 */
static __always_inline bool lkst_actions_running(void)
{
	unsigned int contexts = raw_cpu_read(lkst_action_contexts);

	return unlikely(contexts) && contexts & lkst_context_bit(lkst_context_count());
}

/**
 * lkst_actions_enter() - note that actions are running in this context
 *
 * Context: as for lkst_actions_running(), which has returned false.
 *
 * Return: the parameter for lkst_actions_leave().
 */
static __always_inline unsigned int lkst_actions_enter(void)
{
	unsigned int bit = lkst_context_bit(lkst_context_count());

	*raw_cpu_ptr(&lkst_action_contexts) |= bit;
	barrier();
	return bit;
}

/* Undo lkst_actions_enter(). @bit is its return value. */
static __always_inline void lkst_actions_leave(unsigned int bit)
{
	barrier();
	*raw_cpu_ptr(&lkst_action_contexts) &= ~bit;
}

bool lkst_actions_allow(void);
void lkst_actions_disallow(void);
void lkst_actions_run(enum lkst_action_when when, int etype, const struct lkst_rule_fired *fired);

#endif
