// SPDX-License-Identifier: GPL-2.0
/* Shows the marks of programs, and losses, on tracks of their own in Perfetto. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/etype_ids.h"
#include "lib/base/put.h"
#include "lib/text/field.h"
#include "perfetto.h"

/* The kinds of tracks; the identifier of a track is its kind, and a number. */
enum track_kind {
	TRACK_THREAD = 1,
	TRACK_LOSSES,
};

enum {
	EVENT_SLICE_BEGIN = 1,
	EVENT_SLICE_END = 2,
	EVENT_INSTANT = 3,
};

static uint64_t tracks_id(enum track_kind kind, uint32_t number)
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

static void tracks_put_event(struct perfetto *pf, Pf__TrackEvent *event, uint64_t track,
			     uint32_t type, uint64_t time)
{
	Pf__TracePacket packet = PF__TRACE_PACKET__INIT;

	event->has_type = event->has_track_uuid = true;
	event->type = type;
	event->track_uuid = track;
	packet.has_timestamp = true;
	packet.timestamp = time;
	packet.track_event = event;
	perfetto_write(pf, &packet);
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
 * @event: event of the type user_mark or user_text
 * @time: its time in the output
 */
void tracks_mark(struct perfetto *pf, const struct lkst_event *event, uint64_t time)
{
	char text[4 * 8 + 1], name[3 * sizeof(text) + PUT_SPARE], label[4][8];
	Pf__TrackEvent mark = PF__TRACK_EVENT__INIT;
	Pf__DebugAnnotation args[4], *list[4];

	if (threads_track(pf, event->tid))
		tracks_put_thread(pf, event);
	for (size_t i = 0; i < 4; i++) {
		pf__debug_annotation__init(&args[i]);
		snprintf(label[i], sizeof(label[i]), "arg%zu", i + 1);
		args[i].name = label[i];
		args[i].has_uint_value = true;
		args[i].uint_value = event->arg[i];
		list[i] = &args[i];
	}
	if (event->type == LKST_ETYPE_USER_TEXT) {
		lkst_event_text(event, 0, 4, text);
		*put_utf8(name, text, strlen(text)) = 0;
	} else {
		snprintf(name, sizeof(name), "mark 0x%" PRIx64, event->arg[0]);
		mark.n_debug_annotations = 4;
		mark.debug_annotations = list;
	}
	mark.name = name;
	tracks_put_event(pf, &mark, tracks_id(TRACK_THREAD, event->tid), EVENT_INSTANT, time);
}

/**
 * tracks_loss() - show for how long records of a CPU are missing
 * @pf: writer
 * @loss: the loss
 */
void tracks_loss(struct perfetto *pf, const struct lkst_loss *loss)
{
	uint64_t id = tracks_id(TRACK_LOSSES, (uint32_t)loss->cpu);
	Pf__TrackDescriptor track = PF__TRACK_DESCRIPTOR__INIT;
	Pf__TrackEvent begin = PF__TRACK_EVENT__INIT, end = PF__TRACK_EVENT__INIT;
	char name[64], text[64];

	snprintf(name, sizeof(name), "lost events, CPU %d", loss->cpu);
	track.uuid = id;
	track.name = name;
	tracks_put_track(pf, &track);
	snprintf(text, sizeof(text), "%" PRIu64 " events lost", loss->number);
	begin.name = text;
	tracks_put_event(pf, &begin, id, EVENT_SLICE_BEGIN, clock_convert(pf, loss->begin_ns));
	tracks_put_event(pf, &end, id, EVENT_SLICE_END, clock_convert(pf, loss->end_ns));
}
