// SPDX-License-Identifier: GPL-2.0
/*
 * The action watch(NAME): feed the watch with the event. If the event ends a
 * span that is late, record this, and carry out the actions of the watch. A
 * watch without a limit carries out its actions for each span.
 */
#include <linux/bitops.h>
#include <linux/err.h>
#include <linux/lkst_etypes.h>

#include "../base/compat.h"
#include "../base/text.h"
#include "../buffer/long_ring.h"
#include "../rules/rule.h"
#include "../rules/watch.h"
#include "action.h"
#include "action_watch.h"
#include "event_fast.h"

int lkst_action_watch_parse(struct lkst_action_parser *parser, struct lkst_action *action,
			    const struct lkst_filter_word *args)
{
	struct lkst_watch_feed *feed = lkst_watch_feed_new(parser, args);

	if (IS_ERR(feed))
		return PTR_ERR(feed);
	action->private = feed;
	parser->program->bytes += sizeof(*feed);
	return 0;
}

/*
 * Carry out the actions of a watch. This is a part of carrying out the action
 * watch(NAME) of a rule, after the event has been recorded or dropped.
 * Meanwhile, lkst_actions_running() is true, so events that the actions of the
 * watch cause do not cause further actions.
 */
static notrace void watch_act(const struct lkst_watch *watch, int etype,
			      const struct lkst_watch_ended *ended)
{
	struct lkst_rule_fired fired = { .record = ended->record };
	unsigned int i;

	lkst_rule_fire(watch->program, true, &fired);
	for (i = 0; i < watch->program->actions; i++) {
		const struct lkst_action *action = &watch->program->action[i];

		if (fired.actions & BIT(i))
			action->type->run(etype, &ended->record, action->private);
	}
}

/* Record the late span first, so that it precedes what the actions cause. */
static noinline notrace void watch_late(const struct lkst_watch *watch, int etype,
					const struct lkst_watch_ended *ended)
{
	const struct lkst_watch_span *late = &ended->span;

	if (!watch->each) {
		u64 name = lkst_text8(watch->name);

		lkst_long_record(LKST_ETYPE_LKST_WATCH, LKST_EVENT_DEPTH, late->ns, late->key[0],
				 late->key[1], name);
		lkst_event_slow(LKST_ETYPE_LKST_WATCH, late->ns, late->key[0], late->key[1], name);
	}
	if (watch->program)
		watch_act(watch, etype, ended);
}

notrace void lkst_action_watch(int etype, const struct lkst_filter_record *record, void *private)
{
	const struct lkst_watch_feed *feed = private;
	struct lkst_watch_ended ended LKST_UNSET;

	if (unlikely(lkst_watch_feed(feed, record, &ended)))
		watch_late(feed->watch, etype, &ended);
}

/**
 * lkst_action_watch_end() - end a span that lkst_watch_end_plain() has not
 *	counted
 * @etype: type of the event
 * @feed: the action watch(NAME) of the event's rule
 * @arg: arguments of the event
 * @now: as for lkst_watch_end_other()
 * @begin: as for lkst_watch_end_other()
 *
 * Context: as for lkst_actions_run().
 */
noinline notrace void lkst_action_watch_end(int etype, const struct lkst_watch_feed *feed,
					    const u64 *arg, u64 now, u64 begin)
{
	const struct lkst_filter_record record = {
		.arg = { arg[0], arg[1], arg[2], arg[3] },
		.data = arg,
		.bytes = sizeof(record.arg),
	};
	struct lkst_watch_ended ended LKST_UNSET;
	unsigned int bit = lkst_actions_enter();

	if (lkst_watch_end_other(feed, &record, now, begin, &ended))
		watch_late(feed->watch, etype, &ended);
	lkst_actions_leave(bit);
}
