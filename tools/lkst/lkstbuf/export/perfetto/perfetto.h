/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shared by the source files that write the format of Perfetto.
 *
 * A Perfetto trace consists of packets (perfetto.proto). The events of a CPU are collected in
 * bundles. All other packets are written immediately, so they precede the bundles that refer to
 * them. Perfetto sorts the events by time.
 *
 * perfetto.c implements the format. perfetto_plan.c determines how the arguments of each event type
 * are written, and perfetto_encode.c writes them. perfetto_bundle.c collects the events of a CPU.
 * perfetto_clock.c determines the times. perfetto_threads.c lists threads and processes,
 * perfetto_functions.c functions. perfetto_tracks.c shows marks and losses, and perfetto_disks.c
 * requests to disks.
 */
#ifndef _LKSTBUF_EXPORT_PERFETTO_H
#define _LKSTBUF_EXPORT_PERFETTO_H

#include "lib/base/put.h"
#include "lkstbuf/export/export.h"
#include "lkstbuf/export/steady.h"
#include "perfetto.pb-c.h"
#include "perfetto_plan.h"

#define PERFETTO_CPUS	  1024 /* Perfetto rejects CPU numbers from this number on */
#define PERFETTO_SEQUENCE 1 /* number of the only sequence of packets */

struct bundle;
struct disks;
struct functions;
struct thread_list;

/**
 * struct perfetto - writer of a Perfetto trace
 * @export: what is exported
 * @plans: how events are written
 * @clock: clock
 * @bundle: events of each CPU that have not been written yet
 * @functions: numbers of functions
 * @threads: threads and processes that have been listed
 * @disks: requests to disks that are in progress
 * @event: room for an event
 * @packet: room for a packet
 */
struct perfetto {
	struct export *export;
	struct message_plans *plans;
	struct steady clock;
	struct bundle *bundle[PERFETTO_CPUS];
	struct functions *functions;
	struct thread_list *threads;
	struct disks *disks;
	uint8_t *event;
	uint8_t *packet;
};

#define PERFETTO_EVENT_ROOM  (OUT_ROOM + PUT_SPARE)
#define PERFETTO_PACKET_ROOM (OUT_ROOM + PUT_SPARE)

/* perfetto.c */
void perfetto_write(struct perfetto *pf, Pf__TracePacket *packet);

/* perfetto_clock.c */
uint64_t clock_time(struct perfetto *pf, const struct lkst_event *event);
uint64_t clock_convert(const struct perfetto *pf, int64_t time_ns);

/* perfetto_encode.c */
struct message_plan *encode_plan(struct message_plan *plan, const struct lkst_event *event);
size_t encode_event(struct perfetto *pf, const struct message_plan *plan,
		    const struct lkst_event *event, uint64_t time);
void encode_description(struct perfetto *pf, struct message_plan *plan, int32_t cpu);
const char *encode_comm(const struct perfetto *pf, uint32_t tid, const struct lkst_event *event,
			char idle[16]);

/* perfetto_bundle.c */
int bundle_add(struct perfetto *pf, const struct message_plan *plan, const struct lkst_event *event,
	       uint64_t time, struct lkst_error *err);
int bundle_lose(struct perfetto *pf, int32_t cpu, struct lkst_error *err);
void bundle_flush(struct perfetto *pf, int32_t cpu);
void bundle_free(struct bundle *bundle);

/* perfetto_functions.c */
struct functions *functions_new(struct lkst_error *err);
uint64_t functions_number(struct perfetto *pf, const struct lkst_field *field,
			  const struct lkst_event *event);
void functions_free(struct functions *functions);

/* perfetto_threads.c */
struct thread_list *threads_new(struct lkst_error *err);
void threads_see(struct perfetto *pf, const struct lkst_event *event, uint64_t time);
void threads_name(struct perfetto *pf, uint32_t tid);
bool threads_named(const struct perfetto *pf, uint32_t tid);
bool threads_track(struct perfetto *pf, uint32_t tid);
void threads_free(struct thread_list *threads);

/* The kinds of tracks. The identifier of a track consists of its kind and a number. */
enum track_kind {
	TRACK_THREAD = 1,
	TRACK_LOSSES,
	TRACK_DISKS,
};

#define TRACKS_TEXT 128 /* room for a name */

/**
 * struct track_value - an argument of a slice
 * @name: name
 * @value: value
 */
struct track_value {
	const char *name;
	uint64_t value;
};

/* perfetto_tracks.c */
uint64_t tracks_id(enum track_kind kind, uint32_t number);
void tracks_describe(struct perfetto *pf, uint64_t id, const char *name);
void tracks_begin(struct perfetto *pf, uint64_t id, const char *name,
		  const struct track_value *values, size_t num, uint64_t time);
void tracks_end(struct perfetto *pf, uint64_t id, const struct track_value *values, size_t num,
		uint64_t time);
void tracks_mark(struct perfetto *pf, const struct lkst_event *event, uint64_t time);
void tracks_loss(struct perfetto *pf, const struct lkst_loss *loss);

/* perfetto_disks.c */
struct disks *disks_new(struct lkst_error *err);
void disks_see(struct perfetto *pf, const struct lkst_event *event, uint64_t time);
void disks_lose(struct perfetto *pf, uint64_t time);
void disks_free(struct disks *disks);

#endif
