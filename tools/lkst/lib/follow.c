// SPDX-License-Identifier: LGPL-2.1
/*
 * Events as they come, of all CPUs, in the order of their time.
 *
 * The lane of a CPU holds what was taken from its buffers (follow_lane.c) and not handed out
 * yet. The kernel's buffers stay as they are.
 *
 * Order: an event is handed out when no CPU can have an older one any more. Looks are counted,
 * over all CPUs. All that precedes an event had occurred when it was taken, so a lane that took
 * in a later look all that had been recorded by then holds everything that precedes it. This needs
 * no clock, so neither one that is set nor a CPU that sleeps matters.
 */
#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "follow_context.h"
#include "follow_lane.h"
#include "messages.h"

#define SHORT_MS 1 /* between two looks while there is more to read than fits */

struct lkst_follow {
	struct follow_reader reader;
	unsigned int interval_ms;
	struct follow_lane *lane;
	size_t lanes;
	int64_t next_ms; /* when to look again */
	struct follow_context *context;
};

static int64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

static int look(struct lkst_follow *follow, struct lkst_error *err)
{
	bool full = false;

	for (size_t i = 0; i < follow->lanes; i++) {
		if (follow_lane_look(&follow->lane[i], &follow->reader, err))
			return -1;
		full |= follow->lane[i].full;
	}
	follow->next_ms = now_ms() + (full ? SHORT_MS : follow->interval_ms);
	return 0;
}

/* ---- handing out ---- */

static const struct follow_waiting *head(const struct follow_lane *lane)
{
	return lane->num ? &lane->event[lane->first] : NULL;
}

/* The lane whose event is next; NULL when none may be handed out yet. */
static struct follow_lane *next_lane(struct lkst_follow *follow)
{
	struct follow_lane *best = NULL;

	for (size_t i = 0; i < follow->lanes; i++) {
		struct follow_lane *lane = &follow->lane[i];

		if (lane->num && (!best || head(lane)->key < head(best)->key))
			best = lane;
	}
	for (size_t i = 0; best && i < follow->lanes; i++) {
		const struct follow_lane *lane = &follow->lane[i];

		if (!lane->num && lane->complete < head(best)->look)
			return NULL;
	}
	return best;
}

static int hand_out(struct lkst_follow *follow, struct follow_lane *lane, struct lkst_event *event,
		    struct lkst_error *err)
{
	*event = head(lane)->event;
	lane->first = (lane->first + 1) % lane->room;
	lane->num--;
	return follow_context_see(follow->context, event, err) ? -1 : 1;
}

static void sleep_ms(int64_t ms)
{
	const struct timespec time = { ms / 1000, ms % 1000 * 1000000 };

	if (ms > 0)
		nanosleep(&time, NULL);
}

/**
 * lkst_follow_next() - the next event
 * @follow: from lkst_follow_open()
 * @event: result
 * @timeout_ms: how long to wait for one; 0: not at all
 * @err: why not
 *
 * Return: 1; 0 when none came in that time, or a signal; -1 on an error.
 */
int lkst_follow_next(struct lkst_follow *follow, struct lkst_event *event, int timeout_ms,
		     struct lkst_error *err)
{
	int64_t until = now_ms() + timeout_ms, now;
	struct follow_lane *lane;

	for (;;) {
		lane = next_lane(follow);
		if (lane)
			return hand_out(follow, lane, event, err);
		now = now_ms();
		if (now >= follow->next_ms) {
			if (look(follow, err))
				return -1;
			continue;
		}
		if (now >= until)
			return 0;
		errno = 0;
		sleep_ms(follow->next_ms < until ? follow->next_ms - now : until - now);
		if (errno == EINTR)
			return 0;
	}
}

/**
 * lkst_follow_lost() - events that were not seen so far
 * @follow: from lkst_follow_open()
 *
 * They were overwritten before they could be read, or the kernel could not store them.
 */
uint64_t lkst_follow_lost(const struct lkst_follow *follow)
{
	return follow->reader.lost;
}

/**
 * lkst_follow_context() - what is known of the kernel, as of the last event
 * @follow: from lkst_follow_open()
 */
const struct lkst_context *lkst_follow_context(const struct lkst_follow *follow)
{
	return follow_context_get(follow->context);
}

/**
 * lkst_follow_etypes() - the kernel's event types
 * @follow: from lkst_follow_open()
 */
const struct lkst_etypes *lkst_follow_etypes(const struct lkst_follow *follow)
{
	return follow_context_etypes(follow->context);
}

/* ---- opening ---- */

static int make_lanes(struct lkst_follow *follow, const struct lkst_follow_options *opt,
		      uint32_t cpus, struct lkst_error *err)
{
	follow->lane = calloc(cpus + 1, sizeof(*follow->lane));
	if (!follow->lane) {
		lkst_error_memory(err, "the CPUs");
		return -1;
	}
	for (uint32_t cpu = 0; cpu < cpus; cpu++) {
		if (opt->cpu >= 0 && cpu != (uint32_t)opt->cpu)
			continue;
		/* One that could not begin is ended, too. */
		if (follow_lane_begin(&follow->lane[follow->lanes++], (int32_t)cpu, opt->history,
				      &follow->reader, err))
			return -1;
	}
	return 0;
}

/**
 * lkst_follow_open() - begin to follow what the kernel records
 * @dev: device; stays the caller's, and open
 * @opt: what to follow
 * @err: why not
 */
struct lkst_follow *lkst_follow_open(struct lkst_device *dev, const struct lkst_follow_options *opt,
				     struct lkst_error *err)
{
	struct lkst_follow *follow = calloc(1, sizeof(*follow));
	struct lkst_status status = { 0 };

	if (!follow) {
		lkst_error_memory(err, "following");
		return NULL;
	}
	follow->interval_ms = opt->interval_ms ? opt->interval_ms : LKST_FOLLOW_INTERVAL_MS;
	if (follow_reader_open(&follow->reader, dev, err) || lkst_status_get(dev, &status, err) ||
	    (opt->cpu >= 0 && lkst_cpu_check(opt->cpu, status.trc.cpu_num, err)))
		goto fail;
	/* First the names: what changes them from now on is among the events. */
	if (opt->history) {
		follow->context = follow_context_new(err);
		if (!follow->context || make_lanes(follow, opt, status.trc.cpu_num, err))
			goto fail;
	} else {
		if (make_lanes(follow, opt, status.trc.cpu_num, err))
			goto fail;
		follow->context = follow_context_new(err);
		if (!follow->context)
			goto fail;
	}
	lkst_status_free(&status);
	return follow;

fail:
	lkst_status_free(&status);
	lkst_follow_close(follow);
	return NULL;
}

/**
 * lkst_follow_close() - end
 * @follow: may be NULL
 */
void lkst_follow_close(struct lkst_follow *follow)
{
	if (!follow)
		return;
	for (size_t i = 0; i < follow->lanes; i++)
		follow_lane_end(&follow->lane[i]);
	free(follow->lane);
	follow_reader_close(&follow->reader);
	follow_context_free(follow->context);
	free(follow);
}
