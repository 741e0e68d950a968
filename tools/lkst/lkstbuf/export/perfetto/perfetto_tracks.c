// SPDX-License-Identifier: GPL-2.0
/* Shows the marks of programs, and losses, on separate tracks in Perfetto. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/etype_ids.h"
#include "lib/base/put.h"
#include "lib/text/field.h"
#include "lib/text/payload.h"
#include "lib/text/words.h"
#include "perfetto.h"

#define TRACKS_VALUES 4
#define TRACKS_MARK   257 /* the text of a mark, or the beginning of it, and a NUL */

enum {
	EVENT_SLICE_BEGIN = 1,
	EVENT_SLICE_END = 2,
	EVENT_INSTANT = 3,
};

/**
 * tracks_id() - get the identifier of a track
 * @kind: kind
 * @number: number of the track among the tracks of its kind
 */
uint64_t tracks_id(enum track_kind kind, uint32_t number)
{
	return (uint64_t)kind << 32 | number;
}

static void tracks_put_track(struct perfetto *pf, Pf__TrackDescriptor *track)
{
	Pf__TracePacket packet = PF__TRACE_PACKET__INIT;

	track->has_uuid = true;
	packet.track_descriptor = track;
	perfetto_write(pf, &packet);
}

/**
 * tracks_describe() - name a track, before it is used
 * @pf: writer
 * @id: identifier of the track
 * @name: name
 */
void tracks_describe(struct perfetto *pf, uint64_t id, const char *name)
{
	Pf__TrackDescriptor track = PF__TRACK_DESCRIPTOR__INIT;

	track.uuid = id;
	track.name = (char *)name;
	tracks_put_track(pf, &track);
}

/* Write an event of a track. @name may be NULL. */
static void tracks_put(struct perfetto *pf, uint64_t id, uint32_t type, const char *name,
		       const struct track_value *values, size_t num, uint64_t time)
{
	Pf__TracePacket packet = PF__TRACE_PACKET__INIT;
	Pf__TrackEvent event = PF__TRACK_EVENT__INIT;
	Pf__DebugAnnotation annotations[TRACKS_VALUES], *list[TRACKS_VALUES];

	for (size_t i = 0; i < num; i++) {
		pf__debug_annotation__init(&annotations[i]);
		annotations[i].name = (char *)values[i].name;
		annotations[i].has_int_value = true;
		annotations[i].int_value = (int64_t)values[i].value;
		list[i] = &annotations[i];
	}
	event.has_type = event.has_track_uuid = true;
	event.type = type;
	event.track_uuid = id;
	event.name = (char *)name;
	event.n_debug_annotations = num;
	event.debug_annotations = list;
	packet.has_timestamp = true;
	packet.timestamp = time;
	packet.track_event = &event;
	perfetto_write(pf, &packet);
}

/**
 * tracks_begin() - begin a slice
 * @pf: writer
 * @id: identifier of the track
 * @name: name of the slice
 * @values: arguments
 * @num: number of arguments, at most 4
 * @time: start
 */
void tracks_begin(struct perfetto *pf, uint64_t id, const char *name,
		  const struct track_value *values, size_t num, uint64_t time)
{
	tracks_put(pf, id, EVENT_SLICE_BEGIN, name, values, num, time);
}

/**
 * tracks_end() - end the innermost slice of a track
 * @pf: writer
 * @id: identifier of the track
 * @values: more arguments
 * @num: number of arguments
 * @time: end
 */
void tracks_end(struct perfetto *pf, uint64_t id, const struct track_value *values, size_t num,
		uint64_t time)
{
	tracks_put(pf, id, EVENT_SLICE_END, NULL, values, num, time);
}

static void tracks_put_thread(struct perfetto *pf, const struct lkst_event *event)
{
	Pf__TrackDescriptor track = PF__TRACK_DESCRIPTOR__INIT;
	Pf__ThreadDescriptor thread = PF__THREAD_DESCRIPTOR__INIT;

	thread.has_pid = thread.has_tid = true;
	thread.pid = (int32_t)event->tgid;
	thread.tid = (int32_t)event->tid;
	track.uuid = tracks_id(TRACK_THREAD, event->tid);
	track.thread = &thread;
	tracks_put_track(pf, &track);
}

/**
 * tracks_mark() - show a mark of a program
 * @pf: writer
 * @event: event of the type user_mark, user_text or user_long_text
 * @time: its time in the output
 */
void tracks_mark(struct perfetto *pf, const struct lkst_event *event, uint64_t time)
{
	char text[TRACKS_MARK], name[sizeof(text) + PUT_SPARE];
	const struct lkst_etype *type = lkst_etype(pf->export->types, event->type);
	const char *own = lkst_etype_bare_name(type);
	bool is_text = payload_mark(event, text, sizeof(text));
	const struct track_value values[] = {
		{ "arg1", event->arg[0] },
		{ "arg2", event->arg[1] },
		{ "arg3", event->arg[2] },
		{ "arg4", event->arg[3] },
	};

	if (threads_track(pf, event->tid))
		tracks_put_thread(pf, event);
	if (own) {
		is_text = true;
		snprintf(text, sizeof(text), "%s", own);
	}
	if (is_text)
		*put_utf8(name, text, strlen(text)) = 0;
	else
		snprintf(name, sizeof(name), "mark 0x%" PRIx64, event->arg[0]);
	tracks_put(pf, tracks_id(TRACK_THREAD, event->tid), EVENT_INSTANT, name, values,
		   is_text ? 0 : 4, time);
}

/**
 * tracks_loss() - show for how long records of a CPU are missing
 * @pf: writer
 * @loss: the loss; its number of records is 0 if it is unknown
 */
void tracks_loss(struct perfetto *pf, const struct lkst_loss *loss)
{
	uint64_t id = tracks_id(TRACK_LOSSES, (uint32_t)loss->cpu);
	uint64_t begin = clock_convert(pf, loss->begin_ns), end = clock_convert(pf, loss->end_ns);
	char name[64];

	snprintf(name, sizeof(name), "lost events, CPU %d", loss->cpu);
	tracks_describe(pf, id, name);
	if (loss->number)
		snprintf(name, sizeof(name), "%" PRIu64 " events lost", loss->number);
	else
		snprintf(name, sizeof(name), "the last events may be missing");
	tracks_begin(pf, id, name, NULL, 0, begin);
	/* The times of damaged traces can go back. Perfetto ignores ends before the start. */
	tracks_end(pf, id, NULL, 0, end > begin ? end : begin);
}
