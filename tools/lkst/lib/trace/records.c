// SPDX-License-Identifier: LGPL-2.1
/*
 * Loads the records of a chunk, and converts them to events. Records in a trace file are STD
 * (struct lkst_log_record) or RAW (struct lkst_event_record, as in a buffer of the kernel).
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "chunk.h"
#include "clock.h"
#include "cursor.h"
#include "format.h"
#include "lib/base/crc32c.h"
#include "lib/base/error.h"
#include "reader.h"
#include "source.h"
#include "swap.h"
#include "unpack.h"

void trace_swap_buffer_header(struct lkst_records_header *h)
{
	TRACE_SWAP(h->cpu);
	TRACE_SWAP(h->buffer);
	TRACE_SWAP(h->clock_kind);
	TRACE_SWAP(h->record_size);
	TRACE_SWAP(h->count);
	TRACE_SWAP(h->first_recid);
	TRACE_SWAP(h->recorded);
	TRACE_SWAP(h->overwritten);
	TRACE_SWAP(h->dropped);
	TRACE_SWAP(h->xtime_s);
	TRACE_SWAP(h->xtime_us);
	TRACE_SWAP(h->tsc);
	TRACE_SWAP(h->freq_khz);
	TRACE_SWAP(h->record_version);
	TRACE_SWAP(h->flags);
	TRACE_SWAP(h->monotonic_ns);
	TRACE_SWAP(h->xtime_ns);
	TRACE_SWAP(h->unfinished);
}

void trace_swap_clock(struct trace_clock *c)
{
	TRACE_SWAP(c->clock);
	TRACE_SWAP(c->monotonic_ns);
	TRACE_SWAP(c->wall_ns);
	TRACE_SWAP(c->freq_khz);
	TRACE_SWAP(c->clock_kind);
	TRACE_SWAP(c->cpu);
}

static void records_swap_std(struct lkst_log_record *r)
{
	TRACE_SWAP(r->posix.log_recid);
	TRACE_SWAP(r->posix.log_event_type);
	TRACE_SWAP(r->posix.log_uid);
	TRACE_SWAP(r->posix.log_gid);
	TRACE_SWAP(r->posix.log_pid);
	TRACE_SWAP(r->posix.log_pgrp);
	TRACE_SWAP(r->posix.log_flags);
	TRACE_SWAP(r->posix.log_time.tv_sec);
	TRACE_SWAP(r->posix.log_time.tv_nsec);
	TRACE_SWAP(r->posix.log_thread);
	TRACE_SWAP(r->posix.log_processor);
	TRACE_SWAP(r->log_arg1);
	TRACE_SWAP(r->log_arg2);
	TRACE_SWAP(r->log_arg3);
	TRACE_SWAP(r->log_arg4);
}

/**
 * trace_swap_raw() - convert a RAW record to this machine's byte order
 * @r: record
 */
void trace_swap_raw(struct lkst_event_record *r)
{
	TRACE_SWAP(r->clock);
	TRACE_SWAP(r->event_type);
	TRACE_SWAP(r->flags);
	TRACE_SWAP(r->thread);
	TRACE_SWAP(r->pid);
	TRACE_SWAP(r->pgrp);
	TRACE_SWAP(r->uid);
	TRACE_SWAP(r->gid);
	for (int i = 0; i < 4; i++)
		TRACE_SWAP(r->arg[i]);
}

static int64_t records_std_time(const struct lkst_log_record *r)
{
	return (int64_t)((uint64_t)r->posix.log_time.tv_sec * 1000000000u +
			 (uint64_t)r->posix.log_time.tv_nsec);
}

/**
 * trace_swap_records() - convert the records of a chunk to this machine's byte order
 * @c: chunk
 */
void trace_swap_records(struct cursor *c)
{
	for (uint32_t i = 0; i < c->count; i++) {
		if (trace_is_raw(c))
			trace_swap_raw((struct lkst_event_record *)(void *)c->data + i);
		else
			records_swap_std((struct lkst_log_record *)(void *)c->data + i);
	}
}

#define ROOM_MIN 64

static size_t records_raw_size(uint32_t records)
{
	return sizeof(struct lkst_records_header) + records * sizeof(struct lkst_log_record);
}

/**
 * trace_cursor_open() - allocate memory for a chunk
 * @c: cursor; if it has too little memory, its contents are lost
 * @records: number of records, at most LKST_CHUNK_RECORDS
 *
 * A file may have hundreds of CPUs with small chunks, so a cursor grows only as needed.
 *
 * Return: -1 if an allocation fails.
 */
int trace_cursor_open(struct cursor *c, uint32_t records)
{
	uint32_t room = ROOM_MIN;

	if (c->room >= records && c->room)
		return 0;
	while (room < records)
		room *= 2;
	trace_cursor_close(c);
	c->raw = malloc(records_raw_size(room));
	c->time = malloc(room * sizeof(*c->time));
	if (!c->raw || !c->time)
		return -1;
	c->room = room;
	return 0;
}

/**
 * trace_cursor_close() - free the memory of a cursor
 * @c: cursor
 */
void trace_cursor_close(struct cursor *c)
{
	free(c->raw);
	free(c->time);
	free(c->nth);
	c->room = 0;
	c->raw = NULL;
	c->data = NULL;
	c->time = NULL;
	c->nth = NULL;
}

/*
 * Return the number of records to make room for. It may be greater than the number of records in
 * the chunk, because the payload may have bytes after them.
 */
static uint32_t records_room_for(const struct chunk_ref *ref)
{
	const size_t size = sizeof(struct lkst_log_record);

	if (ref->compression || ref->length <= records_raw_size(ref->count))
		return ref->count;
	return (uint32_t)((ref->length - records_raw_size(0) + size - 1) / size);
}

/* Read the payload. Returns 1 on success; 0 if a change since the scan is detected; -1 on error. */
static int records_read_payload(struct lkst_trace *trace, struct cursor *c,
				const struct chunk_ref *ref, trace_wanted_fn *wanted,
				const struct source *source, struct lkst_error *err)
{
	const size_t len = sizeof(c->header) + (size_t)ref->count * c->stream->record_size;
	const size_t room = records_raw_size(c->room);
	uint8_t *data = ref->compression ? trace_packed_room(trace, ref->length) : c->raw;
	struct packed packed = { ref->compression, source->swapped, data, ref->length, wanted };
	ssize_t n;
	bool whole;

	if (!data) {
		lkst_error_memory(err, source->name);
		return -1;
	}
	n = trace_read_at(source, data, ref->length, ref->offset, err);
	if (n < 0)
		return -1;
	if ((uint64_t)n < ref->length)
		return 0;
	/*
	 * The checksum is verified again only if a writer held a lock on the file when the file was
	 * opened. Otherwise, a change to the payload is detected only if the payload is too short,
	 * or cannot be decompressed.
	 */
	if (source->growing && !ref->cut && lkst_crc32c(data, (size_t)n) != ref->checksum)
		return 0;
	return !ref->compression ||
	       trace_unpack(&trace->unpacker, &packed, c->raw, room, &whole) >= len;
}

/**
 * trace_load() - read a chunk, and compute the times of its records
 * @trace: trace
 * @c: cursor, with floor_ns set
 * @ref: the chunk
 * @wanted: event types whose records are needed (trace_columns_to()); NULL: all
 * @err: set on failure
 *
 * Return: 1 if the chunk was read; 0 if the program that writes the file has overwritten the chunk;
 * -1 on error.
 */
int trace_load(struct lkst_trace *trace, struct cursor *c, const struct chunk_ref *ref,
	       trace_wanted_fn *wanted, struct lkst_error *err)
{
	const struct file_buffer *stream = &trace->stream[ref->stream];
	const struct source *source = &trace->source[stream->source];
	int ret;

	c->stream = stream;
	if (trace_cursor_open(c, records_room_for(ref))) {
		lkst_error_memory(err, source->name);
		return -1;
	}
	ret = records_read_payload(trace, c, ref, wanted, source, err);
	if (ret < 0)
		return -1;
	if (!ret && source->growing)
		return 0;
	if (!ret) {
		lkst_error_system(err, EIO, source->name, "read (the file was changed meanwhile)");
		return -1;
	}
	memcpy(&c->header, c->raw, sizeof(c->header));
	c->data = c->raw + sizeof(c->header);
	if (source->swapped)
		trace_swap_buffer_header(&c->header);
	/* The file may have changed: use the values that were checked during the scan. */
	c->header.record_size = stream->record_size;
	c->header.cpu = stream->info.cpu;
	c->header.buffer = stream->info.id;
	c->count = ref->count;
	if (source->swapped)
		trace_swap_records(c);
	trace_prepare(trace, c);
	if (!trace_is_raw(c))
		trace_date_std(trace, c);
	return 1;
}

/**
 * trace_prepare() - compute the wall clock times and keys of the records in a chunk
 * @trace: trace
 * @c: chunk
 *
 * The monotonic times of RAW records are computed as well; those of STD records are computed by
 * trace_date_std().
 */
void trace_prepare(const struct lkst_trace *trace, struct cursor *c)
{
	const struct lkst_log_record *r = (void *)c->data;
	int64_t latest = c->floor_ns;

	c->has_monotonic = false;
	if (trace_is_raw(c)) {
		trace_date_raw(trace, c);
		return;
	}
	for (uint32_t i = 0; i < c->count; i++) {
		int64_t time = records_std_time(&r[i]);

		latest = time > latest ? time : latest;
		c->time[i].wall = time;
		c->time[i].key = latest;
	}
}

static void records_event_from_std(const struct lkst_log_record *r, struct lkst_event *event)
{
	event->recid = r->posix.log_recid;
	event->clock = 0;
	event->arg[0] = r->log_arg1;
	event->arg[1] = r->log_arg2;
	event->arg[2] = r->log_arg3;
	event->arg[3] = r->log_arg4;
	event->type = (uint32_t)r->posix.log_event_type;
	event->tid = r->posix.log_thread;
	event->tgid = (uint32_t)r->posix.log_pid;
	event->pgrp = (uint32_t)r->posix.log_pgrp;
	event->uid = r->posix.log_uid;
	event->gid = r->posix.log_gid;
	event->flags = r->posix.log_flags;
}

static void records_event_from_raw(const struct lkst_event_record *r, uint64_t recid,
				   struct lkst_event *event)
{
	event->recid = recid;
	event->clock = r->clock;
	memcpy(event->arg, r->arg, sizeof(event->arg));
	event->type = r->event_type;
	event->tid = r->thread;
	event->tgid = r->pid;
	event->pgrp = r->pgrp;
	event->uid = r->uid;
	event->gid = r->gid;
	event->flags = (uint32_t)(r->flags & LKST_RECORD_FLAGS) << LKST_LOG_RECORD_SHIFT;
	if (r->flags & (LKST_RECORD_HARDIRQ | LKST_RECORD_NMI))
		event->flags |= LKST_LOG_INTERRUPT;
}

void trace_get_event(const struct lkst_trace *trace, const struct cursor *c, uint32_t i,
		     struct lkst_event *event)
{
	if (trace_is_raw(c))
		records_event_from_raw((const struct lkst_event_record *)(void *)c->data + i,
				       c->header.first_recid + i, event);
	else
		records_event_from_std((const struct lkst_log_record *)(void *)c->data + i, event);
	event->time_ns = c->time[i].wall;
	event->monotonic_ns = c->has_monotonic ? c->time[i].monotonic : TRACE_UNKNOWN_NS;
	event->cpu = trace_cpu(c, i);
	event->buffer = c->header.buffer;
	event->machine = c->stream->machine;
	event->nth = c->nth ? c->nth[i] : LKST_NTH_UNKNOWN;
	event->source = c->stream->source;
	event->swapped = trace->source[event->source].swapped;
	event->reserved = 0;
	event->parts_before = 0;
	event->payload = NULL;
	event->more = 0;
}

/**
 * trace_number() - assign an index to each OOPS_REGS record in a chunk
 * @c: chunk
 * @before: state at the end of the previous chunk
 *
 * Return: -1 if an allocation fails.
 */
int trace_number(struct cursor *c, const struct oops_regs *before)
{
	struct oops_regs oops = *before;

	if (!c->nth)
		c->nth = malloc(c->room);
	if (!c->nth)
		return -1;
	for (uint32_t i = 0; i < c->count; i++) {
		c->nth[i] = LKST_NTH_UNKNOWN;
		if (!trace_is_hole(c, i))
			c->nth[i] = trace_count_oops_regs(&oops, trace_recid(c, i), trace_cpu(c, i),
							  trace_type(c, i));
	}
	return 0;
}
