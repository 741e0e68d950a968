// SPDX-License-Identifier: LGPL-2.1
/*
 * What is new in the buffers of a CPU. Its recids go on from buffer to buffer, so new is what
 * has a higher recid than the last one that was taken. Every look reads the buffers as they
 * are, and changes nothing.
 */
#include <stdlib.h>

#include "follow_lane.h"
#include "messages.h"

#define PATIENCE_MS    1000 /* that a record may take to be finished */
#define INTERRUPTED_NS 1000000000 /* earlier by no more: it interrupted; else the clock was set */

static uint64_t end_of(const struct lkst_buffer_listent *ent)
{
	return (uint64_t)ent->baseid + ent->write_offset;
}

/* ---- what waits ---- */

static int make_room(struct follow_lane *lane, struct lkst_error *err)
{
	size_t room = lane->room ? lane->room * 2 : 256;
	struct follow_waiting *event;

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

static int take(struct follow_reader *reader, struct follow_lane *lane,
		const struct lkst_log_buffer *from, const struct lkst_log_record *record,
		struct lkst_error *err)
{
	struct follow_waiting *waiting;
	int64_t back;

	if (make_room(lane, err))
		return -1;
	waiting = &lane->event[(lane->first + lane->num++) % lane->room];
	event_from(record, &waiting->event);
	waiting->event.cpu = lane->cpu;
	waiting->event.buffer = from->id;
	waiting->event.machine = trace_machine_of(from->arch);
	waiting->event.nth = trace_run_on(&lane->run, waiting->event.recid, waiting->event.cpu,
					  waiting->event.type);
	waiting->look = reader->look;
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
	int64_t now = follow_now_ms();

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
static bool pass_gap(struct follow_reader *reader, struct follow_lane *lane, uint64_t recid,
		     const struct lkst_log_buffer *from)
{
	uint64_t oldest = from->first_recid + from->overwritten;

	if (lane->begun && recid > lane->next) {
		if (lane->next >= oldest && be_patient(lane, from))
			return false;
		reader->lost += recid - lane->next;
	}
	lane->waits_ms = 0;
	return true;
}

static enum looked take_records(struct follow_reader *reader, struct follow_lane *lane,
				const struct lkst_log_buffer *from, size_t num,
				struct lkst_error *err)
{
	for (size_t i = 0; i < num; i++) {
		const struct lkst_log_record *record = &reader->piece[i];
		uint64_t recid = record->posix.log_recid;

		if (lane->begun && recid < lane->next)
			continue;
		lane->full = lane->num >= FOLLOW_WAIT_MAX;
		if (lane->full || !pass_gap(reader, lane, recid, from))
			return LOOKED_WAIT;
		if (take(reader, lane, from, record, err))
			return LOOKED_FAILED;
		lane->begun = true;
		lane->next = recid + 1;
	}
	return LOOKED_ON;
}

/* Read on in a buffer, up to what it held when it was listed. */
static enum looked look_at_buffer(struct follow_reader *reader, struct follow_lane *lane,
				  const struct lkst_buffer_listent *ent, struct lkst_error *err)
{
	enum looked looked = LOOKED_ON;
	struct lkst_error why;
	uint64_t before;
	size_t num = 1;

	while (looked == LOOKED_ON && num && (!lane->begun || lane->next < end_of(ent))) {
		struct lkst_log_buffer from = {
			.cpu = lane->cpu,
			.id = ent->id,
			.first_recid = lane->begun ? lane->next : 0,
			.read_size = FOLLOW_PIECE * sizeof(*reader->piece),
			.buffer = (uint64_t)(uintptr_t)reader->piece,
		};

		lane->full = lane->num >= FOLLOW_WAIT_MAX;
		if (lane->full)
			return LOOKED_WAIT;
		if (lkst_buffer_read(reader->dev, &from, &why)) {
			if (why.code == LKST_ERR_NOT_FOUND)
				return LOOKED_AGAIN;
			if (err)
				*err = why;
			return LOOKED_FAILED;
		}
		/* It was left and comes after others now: those must be read first. */
		if (from.first_recid != ent->first_recid)
			return LOOKED_AGAIN;
		num = from.result_read_size / sizeof(*reader->piece);
		if (num > FOLLOW_PIECE)
			num = FOLLOW_PIECE;
		from.id = ent->id;
		before = lane->next;
		looked = take_records(reader, lane, &from, num, err);
		if (lane->next == before)
			num = 0;
		if (looked == LOOKED_ON && !num && be_patient(lane, &from))
			return LOOKED_WAIT;
	}
	return looked;
}

static enum looked look_at_list(struct follow_reader *reader, struct follow_lane *lane,
				struct lkst_error *err)
{
	struct lkst_buffer_list list;
	enum looked looked = LOOKED_ON;

	if (lkst_buffer_list_by_age(reader->dev, lane->cpu, &list, err))
		return LOOKED_FAILED;
	for (int i = 0; looked == LOOKED_ON && i < list.param.buffer_num; i++)
		looked = look_at_buffer(reader, lane, &list.ent[i], err);
	lkst_buffer_list_free(&list);
	return looked;
}

/**
 * follow_lane_look() - take what is new on a CPU, as far as there is room
 * @lane: its lane
 * @reader: what the lanes share
 * @err: why not
 */
int follow_lane_look(struct follow_lane *lane, struct follow_reader *reader, struct lkst_error *err)
{
	enum looked looked;

	reader->look++;
	lane->full = false;
	looked = look_at_list(reader, lane, err);
	if (looked == LOOKED_AGAIN)
		looked = look_at_list(reader, lane, err);
	if (looked == LOOKED_ON)
		lane->complete = reader->look;
	return looked == LOOKED_FAILED ? -1 : 0;
}

/* Begin behind what there is. */
static int skip_history(struct lkst_device *dev, struct follow_lane *lane, struct lkst_error *err)
{
	struct lkst_buffer_list list;

	if (lkst_buffer_list_get(dev, lane->cpu, &list, err))
		return -1;
	for (int i = 0; i < list.param.buffer_num; i++) {
		uint64_t end = end_of(&list.ent[i]);

		lane->begun = true;
		lane->next = end > lane->next ? end : lane->next;
	}
	lkst_buffer_list_free(&list);
	return 0;
}

/**
 * follow_lane_begin() - begin to follow a CPU
 * @lane: to set up; all zero
 * @cpu: the CPU
 * @history: with what its buffers hold, not with what comes
 * @dev: device
 * @err: why not
 */
int follow_lane_begin(struct follow_lane *lane, int32_t cpu, bool history, struct lkst_device *dev,
		      struct lkst_error *err)
{
	lane->cpu = cpu;
	lane->latest = INT64_MIN;
	lane->run.nth = LKST_NTH_UNKNOWN;
	return history ? 0 : skip_history(dev, lane, err);
}
