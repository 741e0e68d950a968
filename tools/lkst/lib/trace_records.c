// SPDX-License-Identifier: LGPL-2.1
/*
 * The records of one chunk: byte order, time, and the events that they are.
 */
#include <stdlib.h>
#include <string.h>

#include "trace_reader.h"

void trace_swap_buffer_header(struct trace_buffer_header *h)
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

static void swap_std(struct lkst_log_record *r)
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

static void swap_raw(struct lkst_event_record *r)
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

static int64_t std_time(const struct lkst_log_record *r)
{
	return (int64_t)((uint64_t)r->posix.log_time.tv_sec * 1000000000u +
			 (uint64_t)r->posix.log_time.tv_nsec);
}

static int64_t raw_time(const struct trace_clock *pair, uint64_t clock)
{
	bool before = (int64_t)(clock - pair->clock) < 0;
	uint64_t ticks = before ? pair->clock - clock : clock - pair->clock;
	uint64_t khz = pair->freq_khz, ns;

	if (!khz)
		return pair->wall_ns;
	/* Whole milliseconds, and what is left of one. */
	ns = ticks / khz * 1000000 + ticks % khz * 1000000 / khz;
	return (int64_t)((uint64_t)pair->wall_ns + (before ? -ns : ns));
}

static uint64_t apart(uint64_t a, uint64_t b)
{
	return (int64_t)(a - b) < 0 ? b - a : a - b;
}

/* The pair nearest to a clock reading: the buffer's own or one of the CLOCK chunks. */
static void choose_pair(const struct lkst_trace *trace, struct cursor *c, uint64_t clock)
{
	struct trace_clock best = {
		.clock = c->head.tsc,
		.wall_ns = (int64_t)((uint64_t)c->head.xtime_s * 1000000000u +
				     (uint64_t)c->head.xtime_us * 1000u),
		.freq_khz = c->head.freq_khz,
	};

	for (size_t i = 0; i < trace->clocks; i++) {
		const struct trace_clock *pair = &trace->clock[i];

		if (pair->clock_kind != c->head.clock_kind || !pair->freq_khz ||
		    (pair->cpu >= 0 && pair->cpu != c->head.cpu))
			continue;
		if (apart(clock, pair->clock) < apart(clock, best.clock))
			best = *pair;
	}
	c->pair = best;
}

/* Bring the records of a chunk into this machine's byte order and find their keys. */
void trace_prepare(const struct lkst_trace *trace, struct cursor *c)
{
	int64_t latest = c->floor_ns;

	if (c->head.record_size == sizeof(struct lkst_log_record)) {
		struct lkst_log_record *r = (void *)c->data;

		for (uint32_t i = 0; i < c->count; i++) {
			int64_t time;

			if (trace->swapped)
				swap_std(&r[i]);
			time = std_time(&r[i]);
			latest = time > latest ? time : latest;
			c->key[i] = latest;
		}
	} else {
		struct lkst_event_record *r = (void *)c->data;
		bool chosen = false;

		for (uint32_t i = 0; i < c->count; i++) {
			if (trace->swapped)
				swap_raw(&r[i]);
			if (r[i].clock) {
				int64_t time;

				if (!chosen)
					choose_pair(trace, c, r[i].clock);
				chosen = true;
				time = raw_time(&c->pair, r[i].clock);
				latest = time > latest ? time : latest;
			}
			c->key[i] = latest;
		}
	}
}

static void event_from_std(const struct lkst_log_record *r, struct lkst_event *event)
{
	event->time_ns = std_time(r);
	event->recid = r->posix.log_recid;
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
	event->cpu = r->posix.log_processor;
}

static void event_from_raw(const struct cursor *c, const struct lkst_event_record *r, uint32_t i,
			   struct lkst_event *event)
{
	event->time_ns = raw_time(&c->pair, r->clock);
	event->recid = c->head.first_recid + i;
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
	event->cpu = c->head.cpu;
}

void trace_get_event(const struct lkst_trace *trace, const struct cursor *c, uint32_t i,
		     struct lkst_event *event)
{
	if (c->head.record_size == sizeof(struct lkst_log_record))
		event_from_std((const struct lkst_log_record *)(void *)c->data + i, event);
	else
		event_from_raw(c, (const struct lkst_event_record *)(void *)c->data + i, i, event);
	if (c->head.cpu >= 0)
		event->cpu = c->head.cpu;
	event->buffer = c->head.buffer;
	event->machine = c->stream->machine;
	event->nth = c->nth ? c->nth[i] : LKST_NTH_UNKNOWN;
	event->swapped = trace->swapped;
}

/**
 * trace_number() - number the records of OOPS_REGS in a chunk
 * @trace: trace
 * @c: the chunk
 * @before: what precedes it
 *
 * Return: -1 when there is no memory.
 */
int trace_number(const struct lkst_trace *trace, struct cursor *c, const struct run *before)
{
	struct run run = *before;
	struct lkst_event event;

	if (!c->nth)
		c->nth = malloc(TRACE_CHUNK_RECORDS);
	if (!c->nth)
		return -1;
	for (uint32_t i = 0; i < c->count; i++) {
		c->nth[i] = LKST_NTH_UNKNOWN;
		if (trace_is_hole(c, i))
			continue;
		trace_get_event(trace, c, i, &event);
		c->nth[i] = trace_run_on(&run, &event);
	}
	return 0;
}
