// SPDX-License-Identifier: LGPL-2.1
/*
 * Events as they come, of all CPUs, in the order of their time.
 *
 * A CPU's recids go on from buffer to buffer, so what is new on it is what has a higher recid
 * than the last one that was taken. Nothing is owned or changed: every look reads the buffers
 * as they are. The lane of a CPU holds what was taken and not handed out yet.
 *
 * Order: an event is handed out when no CPU can have an older one any more. Looks are counted,
 * over all CPUs. All that precedes an event had occurred when it was taken, so a lane that a
 * later look emptied the CPU's buffers into holds everything that precedes it. This needs no
 * clock, so neither one that is set nor a CPU that sleeps matters.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "follow_context.h"
#include "messages.h"
#include "trace_reader.h"

#define LANE_MAX       8192 /* events that wait */
#define PIECE	       2048 /* records of one read */
#define PATIENCE_MS    1000 /* that a record may take to be finished */
#define SHORT_MS       1 /* between two looks while there is more to read than fits */
#define INTERRUPTED_NS 1000000000 /* earlier by no more: it interrupted; else the clock was set */

struct waiting {
	struct lkst_event event;
	int64_t key; /* latest time that the CPU had reached */
	uint64_t look; /* that took it */
};

struct follow_lane {
	int32_t cpu;
	bool begun; /* next is the recid of the event that comes next */
	uint64_t next;
	int64_t waits_ms; /* since when a record is unfinished; 0: none is */
	bool full; /* at the last look: there was more in the buffers */
	struct run run; /* to tell the registers of an oops apart */
	uint64_t complete; /* the last look that left nothing in the buffers */
	int64_t latest; /* key of the last event taken */
	size_t first; /* of @num events that wait; goes round */
	size_t num;
	size_t room;
	struct waiting *event;
};

struct lkst_follow {
	struct lkst_device *dev;
	unsigned int interval_ms;
	struct follow_lane *lane;
	size_t lanes;
	struct lkst_log_record *piece;
	uint64_t look;
	uint64_t lost;
	int64_t next_ms; /* when to look again */
	uint8_t machine; /* enum lkst_machine of the records */
	struct follow_context *context;
};

static int64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

static uint64_t end_of(const struct lkst_buffer_listent *ent)
{
	return (uint64_t)ent->baseid + ent->write_offset;
}

static int by_first_recid(const void *a, const void *b)
{
	uint64_t first = ((const struct lkst_buffer_listent *)a)->first_recid;
	uint64_t second = ((const struct lkst_buffer_listent *)b)->first_recid;

	return first < second ? -1 : first > second;
}

/* The buffers of a CPU, oldest records first. */
static int list_buffers(struct lkst_device *dev, int32_t cpu, struct lkst_buffer_list *list,
			struct lkst_error *err)
{
	if (lkst_buffer_list_get(dev, cpu, list, err))
		return -1;
	qsort(list->ent, (size_t)list->param.buffer_num, sizeof(*list->ent), by_first_recid);
	return 0;
}

/* ---- what waits ---- */

static int make_room(struct follow_lane *lane, struct lkst_error *err)
{
	size_t room = lane->room ? lane->room * 2 : 256;
	struct waiting *event;

	if (lane->num < lane->room)
		return 0;
	event = malloc(room * sizeof(*event));
	if (!event) {
		lkst_error_memory(err, "the events of a CPU");
		return -1;
	}
	for (size_t i = 0; i < lane->num; i++)
		event[i] = lane->event[(lane->first + i) % lane->room];
	free(lane->event);
	lane->event = event;
	lane->first = 0;
	lane->room = room;
	return 0;
}

static void event_from(const struct lkst_log_record *r, struct lkst_event *event)
{
	*event = (struct lkst_event){
		.time_ns = r->posix.log_time.tv_sec * 1000000000 + r->posix.log_time.tv_nsec,
		.recid = r->posix.log_recid,
		.arg = { r->log_arg1, r->log_arg2, r->log_arg3, r->log_arg4 },
		.type = (uint32_t)r->posix.log_event_type,
		.tid = r->posix.log_thread,
		.tgid = (uint32_t)r->posix.log_pid,
		.pgrp = (uint32_t)r->posix.log_pgrp,
		.uid = r->posix.log_uid,
		.gid = r->posix.log_gid,
		.flags = r->posix.log_flags,
		.monotonic_ns = INT64_MIN,
	};
}

static int take(struct lkst_follow *follow, struct follow_lane *lane,
		const struct lkst_log_buffer *from, const struct lkst_log_record *record,
		struct lkst_error *err)
{
	struct waiting *waiting;
	int64_t back;

	if (make_room(lane, err))
		return -1;
	waiting = &lane->event[(lane->first + lane->num++) % lane->room];
	event_from(record, &waiting->event);
	waiting->event.cpu = lane->cpu;
	waiting->event.buffer = from->id;
	waiting->event.machine = follow->machine;
	waiting->event.nth = trace_run_on(&lane->run, &waiting->event);
	waiting->look = follow->look;
	if (__builtin_sub_overflow(lane->latest, waiting->event.time_ns, &back) ||
	    back > INTERRUPTED_NS || back < 0)
		lane->latest = waiting->event.time_ns;
	waiting->key = lane->latest;
	return 0;
}

/* ---- a look at a CPU ---- */

enum looked {
	LOOKED_FAILED = -1,
	LOOKED_ON, /* there may be more behind it */
	LOOKED_WAIT, /* for a record to be finished, or for room */
	LOOKED_AGAIN, /* the buffers are not what they were listed as */
};

/* Is there hope for a record that is not finished? */
static bool be_patient(struct follow_lane *lane, const struct lkst_log_buffer *from)
{
	int64_t now = now_ms();

	if (!from->unfinished) {
		lane->waits_ms = 0;
		return false;
	}
	if (!lane->waits_ms)
		lane->waits_ms = now;
	return now - lane->waits_ms < PATIENCE_MS;
}

/*
 * Recids that are not there: an unfinished record will be, soon. What was overwritten or
 * dropped will not. Returns whether to go on.
 */
static bool pass_gap(struct lkst_follow *follow, struct follow_lane *lane, uint64_t recid,
		     const struct lkst_log_buffer *from)
{
	uint64_t oldest = from->first_recid + from->overwritten;

	if (lane->begun && recid > lane->next) {
		if (lane->next >= oldest && be_patient(lane, from))
			return false;
		follow->lost += recid - lane->next;
	}
	lane->waits_ms = 0;
	return true;
}

static enum looked take_records(struct lkst_follow *follow, struct follow_lane *lane,
				const struct lkst_log_buffer *from, size_t num,
				struct lkst_error *err)
{
	for (size_t i = 0; i < num; i++) {
		const struct lkst_log_record *record = &follow->piece[i];
		uint64_t recid = record->posix.log_recid;

		if (lane->begun && recid < lane->next)
			continue;
		lane->full = lane->num >= LANE_MAX;
		if (lane->full || !pass_gap(follow, lane, recid, from))
			return LOOKED_WAIT;
		if (take(follow, lane, from, record, err))
			return LOOKED_FAILED;
		lane->begun = true;
		lane->next = recid + 1;
	}
	return LOOKED_ON;
}

/* Read on in a buffer, up to what it held when it was listed. */
static enum looked look_at_buffer(struct lkst_follow *follow, struct follow_lane *lane,
				  const struct lkst_buffer_listent *ent, struct lkst_error *err)
{
	enum looked looked = LOOKED_ON;
	struct lkst_error why;
	size_t num = 1;

	while (looked == LOOKED_ON && num && (!lane->begun || lane->next < end_of(ent))) {
		struct lkst_log_buffer from = {
			.cpu = lane->cpu,
			.id = ent->id,
			.first_recid = lane->begun ? lane->next : 0,
			.read_size = PIECE * sizeof(*follow->piece),
			.buffer = (uint64_t)(uintptr_t)follow->piece,
		};

		lane->full = lane->num >= LANE_MAX;
		if (lane->full)
			return LOOKED_WAIT;
		if (lkst_buffer_read(follow->dev, &from, &why)) {
			if (why.code == LKST_ERR_NOT_FOUND)
				return LOOKED_AGAIN;
			if (err)
				*err = why;
			return LOOKED_FAILED;
		}
		/* It was left and comes after others now: those must be read first. */
		if (from.first_recid != ent->first_recid)
			return LOOKED_AGAIN;
		num = from.result_read_size / sizeof(*follow->piece);
		if (num > PIECE)
			num = PIECE;
		follow->machine = trace_machine_of(from.arch);
		from.id = ent->id;
		looked = take_records(follow, lane, &from, num, err);
		if (!num && be_patient(lane, &from))
			return LOOKED_WAIT;
	}
	return looked;
}

static enum looked look_at_list(struct lkst_follow *follow, struct follow_lane *lane,
				struct lkst_error *err)
{
	struct lkst_buffer_list list;
	enum looked looked = LOOKED_ON;

	if (list_buffers(follow->dev, lane->cpu, &list, err))
		return LOOKED_FAILED;
	for (int i = 0; looked == LOOKED_ON && i < list.param.buffer_num; i++)
		looked = look_at_buffer(follow, lane, &list.ent[i], err);
	lkst_buffer_list_free(&list);
	return looked;
}

/* Take what is new on a CPU. */
static int look_at_cpu(struct lkst_follow *follow, struct follow_lane *lane, struct lkst_error *err)
{
	enum looked looked;

	follow->look++;
	lane->full = false;
	looked = look_at_list(follow, lane, err);
	if (looked == LOOKED_AGAIN)
		looked = look_at_list(follow, lane, err);
	if (looked == LOOKED_ON)
		lane->complete = follow->look;
	return looked == LOOKED_FAILED ? -1 : 0;
}

static int look(struct lkst_follow *follow, struct lkst_error *err)
{
	bool full = false;

	for (size_t i = 0; i < follow->lanes; i++) {
		if (look_at_cpu(follow, &follow->lane[i], err))
			return -1;
		full |= follow->lane[i].full;
	}
	follow->next_ms = now_ms() + (full ? SHORT_MS : follow->interval_ms);
	return 0;
}

/* ---- handing out ---- */

static const struct waiting *head(const struct follow_lane *lane)
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
	return follow->lost;
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

/* Begin behind what there is. */
static int skip_history(struct lkst_follow *follow, struct follow_lane *lane,
			struct lkst_error *err)
{
	struct lkst_buffer_list list;

	if (lkst_buffer_list_get(follow->dev, lane->cpu, &list, err))
		return -1;
	for (int i = 0; i < list.param.buffer_num; i++) {
		uint64_t end = end_of(&list.ent[i]);

		lane->begun = true;
		lane->next = end > lane->next ? end : lane->next;
	}
	lkst_buffer_list_free(&list);
	return 0;
}

static int make_lanes(struct lkst_follow *follow, const struct lkst_follow_options *opt,
		      uint32_t cpus, struct lkst_error *err)
{
	follow->lane = calloc(cpus + 1, sizeof(*follow->lane));
	if (!follow->lane) {
		lkst_error_memory(err, "the CPUs");
		return -1;
	}
	for (uint32_t cpu = 0; cpu < cpus; cpu++) {
		struct follow_lane *lane = &follow->lane[follow->lanes];

		if (opt->cpu >= 0 && cpu != (uint32_t)opt->cpu)
			continue;
		lane->cpu = (int32_t)cpu;
		lane->latest = INT64_MIN;
		lane->run.nth = LKST_NTH_UNKNOWN;
		if (!opt->history && skip_history(follow, lane, err))
			return -1;
		follow->lanes++;
	}
	return 0;
}

static int check_cpu(const struct lkst_follow_options *opt, uint32_t cpus, struct lkst_error *err)
{
	char range[32] = "CPU 0";

	if (opt->cpu < 0 || (uint32_t)opt->cpu < cpus)
		return 0;
	if (cpus > 1)
		snprintf(range, sizeof(range), "CPUs 0-%u", cpus - 1);
	lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_NO_CPU, (long)opt->cpu, range);
	return -1;
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
	follow->dev = dev;
	follow->interval_ms = opt->interval_ms ? opt->interval_ms : LKST_FOLLOW_INTERVAL_MS;
	follow->piece = malloc(PIECE * sizeof(*follow->piece));
	if (!follow->piece) {
		lkst_error_memory(err, "the records of a buffer");
		goto fail;
	}
	if (lkst_status_get(dev, &status, err) || check_cpu(opt, status.trc.cpu_num, err))
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
		free(follow->lane[i].event);
	free(follow->lane);
	free(follow->piece);
	follow_context_free(follow->context);
	free(follow);
}
