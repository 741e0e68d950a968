/* SPDX-License-Identifier: LGPL-2.1 */
/* A cursor, which holds the records of one chunk in memory and a position among them. */
#ifndef _LKST_LIB_TRACE_CURSOR_H
#define _LKST_LIB_TRACE_CURSOR_H

#include "format.h"
#include "lib/lkst.h"
#include "unpack.h"

struct chunk_ref;
struct oops_regs;
struct file_buffer;
struct track;

#define TRACE_RECORDS_MAX (LKST_CHUNK_RECORDS * sizeof(struct lkst_log_record))

/* The times of a record in ns. They are used together, so they are adjacent. */
struct record_time {
	int64_t key;		/* sort key in the merge: the latest time so far */
	int64_t wall;
	int64_t monotonic;	/* or TRACE_UNKNOWN_NS */
};

/* Reads a track, which is a sequence of chunks (lanes.h). @room is 0 while no chunk is loaded. */
struct cursor {
	const struct track *track;
	const struct file_buffer *stream;	/* buffer of the chunk */
	size_t chunks_left;
	bool ended;
	struct lkst_records_header header;
	uint32_t room;		/* number of records that the arrays have room for */
	uint8_t *raw;		/* payload of the chunk */
	uint8_t *data;		/* records of the chunk, within @raw */
	int64_t floor_ns;	/* lower bound of the keys */
	struct record_time *time;	/* of each record */
	bool has_monotonic;	/* the monotonic times are set */
	uint8_t *nth;		/* index of each OOPS_REGS record; NULL if none exist */
	uint32_t count;
	uint32_t at;
	int64_t now;		/* key of the record at @at */
	uint64_t recid;		/* recid of the record at @at */
};

void trace_swap_buffer_header(struct lkst_records_header *h);
void trace_swap_clock(struct trace_clock *c);
void trace_swap_raw(struct lkst_event_record *r);
void trace_swap_records(struct cursor *c);
int trace_cursor_open(struct cursor *c, uint32_t records);
void trace_cursor_close(struct cursor *c);
int trace_load(struct lkst_trace *trace, struct cursor *c, const struct chunk_ref *ref,
	       trace_wanted_fn *wanted, struct lkst_error *err);
void trace_prepare(const struct lkst_trace *trace, struct cursor *c);
void trace_get_event(const struct lkst_trace *trace, const struct cursor *c, uint32_t i,
		     struct lkst_event *event);
int trace_number(struct cursor *c, const struct oops_regs *before);

static inline bool trace_is_raw(const struct cursor *c)
{
	return c->header.record_size == sizeof(struct lkst_event_record);
}

static inline bool trace_is_hole(const struct cursor *c, uint32_t i)
{
	const struct lkst_event_record *r = (void *)c->data;

	return trace_is_raw(c) && !r[i].clock;
}

static inline uint64_t trace_recid(const struct cursor *c, uint32_t i)
{
	const struct lkst_log_record *r = (void *)c->data;

	return trace_is_raw(c) ? c->header.first_recid + i : r[i].posix.log_recid;
}

static inline uint32_t trace_type(const struct cursor *c, uint32_t i)
{
	const struct lkst_event_record *raw = (void *)c->data;
	const struct lkst_log_record *std = (void *)c->data;

	return trace_is_raw(c) ? raw[i].event_type : (uint32_t)std[i].posix.log_event_type;
}

/*
 * Return the CPU of a record. In STD chunks of the static buffer, each record states its own CPU.
 */
static inline int32_t trace_cpu(const struct cursor *c, uint32_t i)
{
	const struct lkst_log_record *std = (void *)c->data;

	return c->header.cpu < 0 && !trace_is_raw(c) ? std[i].posix.log_processor : c->header.cpu;
}

#endif
