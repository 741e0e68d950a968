// SPDX-License-Identifier: GPL-2.0
/* Provides the explanations of delays to lkstla html. */
#include <stdio.h>
#include <stdlib.h>

#include "lib/base/error.h"
#include "lkstla/delays.h"
#include "why.h"

/**
 * delays_start() - collect what is needed to explain delays
 * @run: run
 * @err: set if an allocation fails
 */
void *delays_start(const struct run *run, struct lkst_error *err)
{
	static const struct why_arguments defaults;

	return why_new(run, &defaults, err);
}

/* Explain a delay, and pass the explanation to @observer. */
static int delays_show(struct why *why, const struct why_delay *delay, delay_observer *observer,
		       void *ctx, struct lkst_error *err)
{
	char *text = NULL;
	size_t len;
	FILE *to = open_memstream(&text, &len);
	int ret = -1;

	if (to) {
		why_explain(why, delay);
		why_put_delay(why, delay, 0, to);
		ret = ferror(to);
		ret |= fclose(to);
	}
	if (ret)
		lkst_error_memory(err, "delays");
	else
		observer(ctx, &(struct delay){ .thread = delay->thread,
					       .begin_ns = delay->begin_ns,
					       .end_ns = delay->end_ns,
					       .call = delay->in_call ? &delay->call : NULL,
					       .text = text });
	free(text);
	return ret ? -1 : 0;
}

/* Find the longest delays, but at most a few of each thread. */
static void delays_choose(const struct why *why, struct why_delays *longest)
{
	const struct lkst_model *model = why->run->model;
	struct why_delay room[DELAYS_OF_THREAD];
	bool called;

	for (size_t i = 0; i < lkst_model_threads(model); i++) {
		const struct lkst_thread *thread = lkst_model_thread(model, (uint32_t)i);
		struct why_delays own = { .max = DELAYS_OF_THREAD, .delay = room };

		if (!why_selects(why, thread))
			continue;
		why_add_slowest(why, thread, &own, &called);
		for (size_t k = 0; k < own.num; k++)
			why_delays_add(longest, &own.delay[k]);
	}
}

/**
 * delays_slowest() - explain the longest delays whose start and end are known
 * @delays: from delays_start(), after the last event
 * @num: number of delays
 * @observer: called for each, the longest first
 * @ctx: argument of @observer
 * @err: set if an allocation fails
 */
int delays_slowest(void *delays, size_t num, delay_observer *observer, void *ctx,
		   struct lkst_error *err)
{
	struct why_delays longest = { .max = num };
	struct why *why = delays;
	int ret = 0;

	longest.delay = calloc(num ? num : 1, sizeof(*longest.delay));
	if (!longest.delay) {
		lkst_error_memory(err, "delays");
		return -1;
	}
	delays_choose(why, &longest);
	for (size_t i = 0; i < longest.num && !ret; i++)
		ret = delays_show(why, &longest.delay[i], observer, ctx, err);
	free(longest.delay);
	return ret;
}

/**
 * delays_at() - explain why a thread was delayed at a given time, as if a user had named the thread
 * @delays: from delays_start(), after the last event
 * @thread: thread
 * @time_ns: time
 * @observer: called if there was such a delay
 * @ctx: argument of @observer
 * @err: set if an allocation fails
 */
int delays_at(void *delays, const struct lkst_thread *thread, int64_t time_ns,
	      delay_observer *observer, void *ctx, struct lkst_error *err)
{
	struct why *why = delays;
	struct why_delay delay;

	why->at_ns = time_ns;
	why->named = true;
	delay = why_delay_at(why, thread);
	why->named = false;
	return delay.thread ? delays_show(why, &delay, observer, ctx, err) : 0;
}
