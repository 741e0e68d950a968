// SPDX-License-Identifier: LGPL-2.1
/*
 * What recids do records have? Each says the low bits of its own. Where that does not say enough, an
 * lkst_buff_shift tells with which recid its buffer begins, and the kernel's list of buffers how far
 * reading has come.
 */
#include <string.h>

#include "etype_ids.h"
#include "stream.h"

/* The first recid from @from on that a record can have. */
static uint64_t lift(const struct lkst_event_record *record, uint64_t from)
{
	return from + ((stream_low_bits(record) - from) & RECID_MASK);
}

/* ---- what a record of LKST's own tells ---- */

static void take_time(struct lkst_stream *stream, const struct lkst_event_record *record)
{
	struct lkst_run *run = &stream->run;

	run->xtime_ns =
		(int64_t)(record->arg[0] >> 32) * NS_PER_S + (int64_t)(record->arg[0] & 0xffffffff);
	run->tsc = record->arg[1];
	run->freq_khz = record->arg[2];
	run->monotonic_ns = (int64_t)record->arg[3];
	stream->ahead = true;
	stream->ahead_ns = run->xtime_ns - run->monotonic_ns;
}

/* ---- placing: what recids do the records have? ---- */

uint64_t stream_recid(const struct lkst_stream *stream, size_t segment, size_t index)
{
	return stream->segment[segment].recid + (index - stream->segment[segment].index);
}

static size_t segment_of(const struct lkst_stream *stream, size_t index)
{
	size_t i = stream->segments - 1;

	while (stream->segment[i].index > index)
		i--;
	return i;
}

/* All records from the first one on whose recid is @from or greater are further by @distance. */
static void move(struct lkst_stream *stream, uint64_t from, uint64_t distance)
{
	size_t i = stream->segments, end = stream->num;

	while (i && stream->segment[i - 1].recid >= from)
		stream->segment[--i].recid += distance;
	if (i < stream->segments)
		end = stream->segment[i].index;
	if (!i || stream_recid(stream, i - 1, end) <= from)
		return;
	/* It is in the middle of what seemed to be one segment. */
	memmove(&stream->segment[i + 1], &stream->segment[i],
		(stream->segments - i) * sizeof(*stream->segment));
	stream->segments++;
	stream->segment[i].index = end - (size_t)(stream_recid(stream, i - 1, end) - from);
	stream->segment[i].recid = from + distance;
}

/* A buffer that began with @first tells so in this record. */
static void place_shift(struct lkst_stream *stream, size_t index, uint64_t first)
{
	uint64_t recid = stream_recid(stream, segment_of(stream, index), index);
	uint64_t right = lift(&stream->record[index], first);

	if (right > recid)
		move(stream, first - (right - recid), right - recid);
}

/* The last record has this recid: what is missing is so in the last gap, or before all of them. */
static void place_last(struct lkst_stream *stream, uint64_t right)
{
	uint64_t recid = stream_recid(stream, stream->segments - 1, stream->num - 1);

	if (right > recid && !((right - recid) & RECID_MASK))
		stream->segment[stream->segments - 1].recid += right - recid;
}

static void add_segment(struct lkst_stream *stream, size_t index, uint64_t recid)
{
	stream->segment[stream->segments++] = (struct segment){ index, recid };
}

/* As near to what was expected as the low bits allow; events that tell more correct that. */
void stream_place(struct lkst_stream *stream)
{
	uint64_t next = stream->next;

	stream->segments = 0;
	for (size_t i = 0; i < stream->num; i++) {
		const struct lkst_event_record *record = &stream->record[i];

		if (!i || stream_low_bits(record) != (next & RECID_MASK)) {
			next = lift(record, next);
			add_segment(stream, i, next);
		}
		if (record->event_type == LKST_ETYPE_LKST_BUFF_SHIFT) {
			place_shift(stream, i, record->arg[2]);
			next = stream_recid(stream, stream->segments - 1, i);
		} else if (record->event_type == LKST_ETYPE_LKST_SYNC_TIME) {
			take_time(stream, record);
		}
		next++;
	}
	stream->next = next;
}

/* ---- the list of buffers ---- */

uint64_t stream_buffer_end(const struct lkst_buffer_listent *ent)
{
	return (uint64_t)ent->baseid + ent->write_offset;
}

const struct lkst_buffer_listent *stream_find_buffer(const struct lkst_buffer_list *list,
						     lkst_buffer_id id)
{
	for (int i = 0; i < list->param.buffer_num; i++)
		if (list->ent[i].id == id)
			return &list->ent[i];
	return NULL;
}

/*
 * The buffer was read to its end. It ends where another one that is there ends or begins: the
 * nearest one whose low bits are right.
 */
static void place_by_ends(struct lkst_stream *stream, const struct lkst_buffer_list *list)
{
	uint64_t best = UINT64_MAX;

	for (int i = 0; i < list->param.buffer_num; i++) {
		const struct lkst_buffer_listent *ent = &list->ent[i];
		uint64_t end = ent->state == LKST_BUFFER_FREE ? stream_buffer_end(ent) :
								ent->first_recid;

		if (end >= stream->next && end < best && !((end - stream->next) & RECID_MASK))
			best = end;
	}
	if (best != UINT64_MAX)
		place_last(stream, best - 1);
}

/* Compare with what the kernel knows. */
int stream_verify(struct lkst_stream *stream, struct lkst_error *err)
{
	const struct lkst_buffer_listent *ent;
	struct lkst_buffer_list list;
	uint64_t position;

	if (stream->ops->list(stream->ctx, &list, err))
		return -1;
	ent = stream_find_buffer(&list, list.param.read_buf);
	position = list.param.read_pos;
	if (!ent) {
		place_by_ends(stream, &list);
		stream->end = 0;
	} else {
		/* Not before the first record of the next buffer, whose clock is another one. */
		if (position && stream_low_bits(&stream->record[stream->num - 1]) ==
					((position - 1) & RECID_MASK))
			place_last(stream, position - 1);
		stream->run.buffer = ent->id;
		stream->end = stream_buffer_end(ent);
		stream->redate = ent->clock != stream->run.clock;
	}
	lkst_buffer_list_free(&list);
	stream->next = stream_recid(stream, stream->segments - 1, stream->num - 1) + 1;
	return 0;
}
