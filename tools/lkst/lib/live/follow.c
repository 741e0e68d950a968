// SPDX-License-Identifier: LGPL-2.1
/*
 * Returns new events of all CPUs in chronological order.
 *
 * The lane of a CPU holds events that were read from its buffers (follow_lane.c) but not yet
 * returned. Reading does not change the kernel's buffers.
 *
 * Order: an event is returned only when no CPU can still have an older one. A poll is one call to
 * follow_lane_poll(), which reads the buffers of one CPU. All polls share one sequence of numbers.
 * Suppose that poll N has read event E. Everything that precedes E had been recorded before poll N
 * ended. A complete poll reads everything that its CPU recorded before the poll started. So once a
 * lane has completed a poll with a greater number than N, it holds all events of its CPU that
 * precede E. No clock is involved, so it does not matter if a clock is set or a CPU sleeps.
 *
 * A chain is an event that takes several records: a head, and parts (linux/lkst_buffer.h).
 */
#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "follow_context.h"
#include "follow_lane.h"
#include "lib/base/error.h"
#include "lib/device/device.h"
#include "lib/text/context.h"
#include "lib/text/etypes.h"

#define SHORT_MS 1 /* replaces @interval_ms while a lane has no room for all of its CPU's events */

struct lkst_follow {
	struct follow_reader reader;
	unsigned int interval_ms; /* time between two follow_poll() calls */
	struct follow_lane *lane;
	size_t lanes;
	int64_t next_ms; /* time of the next follow_poll() call */
	struct follow_context *context;
	struct chain_payload payload; /* of the event that was returned last */
};

static int64_t follow_now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

static int follow_poll(struct lkst_follow *follow, struct lkst_error *err)
{
	bool full = false;

	for (size_t i = 0; i < follow->lanes; i++) {
		if (follow_lane_poll(&follow->lane[i], &follow->reader, err))
			return -1;
		full |= follow->lane[i].full;
	}
	follow->next_ms = follow_now_ms() + (full ? SHORT_MS : follow->interval_ms);
	return 0;
}

/* ---- returning events ---- */

/* Return the lane that has the next event; NULL if no event may be returned yet. */
static struct follow_lane *follow_next_lane(struct lkst_follow *follow)
{
	const struct chain_item *first = NULL;
	struct follow_lane *best = NULL;

	for (size_t i = 0; i < follow->lanes; i++) {
		const struct chain_item *front = follow_lane_front(&follow->lane[i]);

		if (front && (!first || front->key < first->key)) {
			best = &follow->lane[i];
			first = front;
		}
	}
	for (size_t i = 0; best && i < follow->lanes; i++) {
		struct follow_lane *lane = &follow->lane[i];

		if (!follow_lane_front(lane) && lane->complete < first->poll)
			return NULL;
	}
	return best && follow_lane_ready(best) ? best : NULL;
}

static int follow_deliver(struct lkst_follow *follow, struct follow_lane *lane,
			  struct lkst_event *event, struct lkst_error *err)
{
	chains_take(&lane->waiting, event, &follow->payload);
	return follow_context_observe(follow->context, event, err) ? -1 : 1;
}

static void follow_sleep_ms(int64_t ms)
{
	const struct timespec time = { ms / 1000, ms % 1000 * 1000000 };

	if (ms > 0)
		nanosleep(&time, NULL);
}

/**
 * lkst_follow_next() - return the next event
 * @follow: from lkst_follow_open()
 * @event: result
 * @timeout_ms: maximum time to wait, in milliseconds; 0: do not wait
 * @err: set on failure
 *
 * Return: 1 if @event was set; 0 if no event arrived in time, or after a signal was handled; -1 on
 * error.
 */
int lkst_follow_next(struct lkst_follow *follow, struct lkst_event *event, int timeout_ms,
		     struct lkst_error *err)
{
	int64_t until = follow_now_ms() + timeout_ms, now;
	struct follow_lane *lane;

	for (;;) {
		lane = follow_next_lane(follow);
		if (lane)
			return follow_deliver(follow, lane, event, err);
		now = follow_now_ms();
		if (now >= follow->next_ms) {
			if (follow_poll(follow, err))
				return -1;
			continue;
		}
		if (now >= until)
			return 0;
		errno = 0;
		follow_sleep_ms(follow->next_ms < until ? follow->next_ms - now : until - now);
		if (errno == EINTR)
			return 0;
	}
}

/**
 * lkst_follow_lost() - count the events that have been missed so far
 * @follow: from lkst_follow_open()
 *
 * These events were overwritten before they could be read, or the kernel could not store them.
 */
uint64_t lkst_follow_lost(const struct lkst_follow *follow)
{
	return follow->reader.lost;
}

/**
 * lkst_follow_parts_skipped() - count the parts of chains so far that have no head
 * @follow: from lkst_follow_open()
 *
 * The heads of these parts were missed, or the parts do not fit their heads.
 */
uint64_t lkst_follow_parts_skipped(const struct lkst_follow *follow)
{
	return follow->reader.parts_skipped;
}

/**
 * lkst_follow_context() - get names and symbols, valid for the event that was returned last
 * @follow: from lkst_follow_open()
 */
const struct lkst_context *lkst_follow_context(const struct lkst_follow *follow)
{
	return follow_context_get(follow->context);
}

/**
 * lkst_follow_etypes() - get the kernel's event types
 * @follow: from lkst_follow_open()
 */
const struct lkst_etypes *lkst_follow_etypes(const struct lkst_follow *follow)
{
	return follow_context_etypes(follow->context);
}

/* ---- opening ---- */

static int follow_make_lanes(struct lkst_follow *follow, const struct lkst_follow_options *opt,
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
		/* Count the lane first: lkst_follow_close() must end it even if this call fails. */
		if (follow_lane_begin(&follow->lane[follow->lanes++], (int32_t)cpu, opt->history,
				      &follow->reader, err))
			return -1;
	}
	return 0;
}

/**
 * lkst_follow_open() - start to follow the events of the running kernel
 * @dev: device, which the caller must keep open until the follower is closed
 * @opt: what to follow
 * @err: set on failure
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
	follow->reader.keep_parts = opt->keep_parts;
	follow->interval_ms = opt->interval_ms ? opt->interval_ms : LKST_FOLLOW_INTERVAL_MS;
	if (follow_reader_open(&follow->reader, dev, err) || lkst_status_get(dev, &status, err) ||
	    (opt->cpu >= 0 && lkst_cpu_check(opt->cpu, status.trc.cpu_num, err)))
		goto fail;
	/*
	 * A thread may be renamed after the names have been read. The follower learns the new name
	 * from the event that reports it, so it must not miss this event. With history, it returns
	 * all events in the buffers. Without history, it returns only events that are recorded
	 * after the lanes have begun, so the lanes must begin before the names are read.
	 */
	if (opt->history) {
		follow->context = follow_context_new(err);
		if (!follow->context || follow_make_lanes(follow, opt, status.trc.cpu_num, err))
			goto fail;
	} else {
		if (follow_make_lanes(follow, opt, status.trc.cpu_num, err))
			goto fail;
		follow->context = follow_context_new(err);
		if (!follow->context)
			goto fail;
	}
	follow->reader.context = follow->context;
	trace_heads_of(follow_context_etypes(follow->context), follow->reader.heads);
	lkst_status_free(&status);
	return follow;

fail:
	lkst_status_free(&status);
	lkst_follow_close(follow);
	return NULL;
}

/**
 * lkst_follow_close() - stop following
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
