// SPDX-License-Identifier: LGPL-2.1
/*
 * Records in order, in bounded memory: one cursor for each CPU, which holds one chunk.
 *
 * Within a CPU the order is that of the recids, always, as an interrupting record may carry
 * an earlier time than the one it interrupted; they go on from buffer to buffer. Between
 * CPUs it is that of the latest time that the CPU had reached, then of their numbers. When
 * the wall clock is set back, that is forgotten at the end of the chunk. Else newest first
 * is the exact reverse of oldest first.
 *
 * Recids of a CPU that are there twice, in two buffers, are not those of one run of the
 * kernel: then the buffers are taken for themselves, as if they were CPUs.
 */
#include <errno.h>
#include <stdlib.h>

#include "messages.h"
#include "trace_reader.h"

/* A time in the next chunk that is earlier by no more was interrupted, not set back. */
#define INTERRUPTED_NS 1000000000

static int compare(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

/* Of one CPU, and in a form that a cursor can go through. */
static int compare_cpus(const struct stream *a, const struct stream *b)
{
	return a->info.cpu != b->info.cpu ? (a->info.cpu < b->info.cpu ? -1 : 1) :
					    compare(a->record_size, b->record_size);
}

static int compare_refs(const void *pa, const void *pb, void *ctx)
{
	const struct lkst_trace *trace = ctx;
	const struct chunk_ref *a = pa, *b = pb;
	int cpus = compare_cpus(&trace->stream[a->stream], &trace->stream[b->stream]);

	if (cpus)
		return cpus;
	return a->first_recid != b->first_recid ? compare(a->first_recid, b->first_recid) :
						  compare(a->offset, b->offset);
}

static int compare_streams(const void *pa, const void *pb)
{
	const struct chunk_ref *a = pa, *b = pb;

	return a->stream != b->stream ? compare(a->stream, b->stream) :
					compare(a->offset, b->offset);
}

static bool recids_rise(const struct chunk_ref *ref, size_t num)
{
	for (size_t i = 1; i < num; i++)
		if (ref[i].first_recid - ref[i - 1].first_recid < ref[i - 1].count)
			return false;
	return true;
}

static void add_lane(struct lkst_trace *trace, struct chunk_ref *ref, size_t num)
{
	int64_t latest = INT64_MIN;

	trace->lane[trace->lanes++] = (struct lane){ ref, num };
	for (; num--; ref++) {
		int64_t back;

		if (__builtin_sub_overflow(latest, ref->first_ns, &back) || back > INTERRUPTED_NS)
			latest = INT64_MIN;
		ref->floor_ns = latest;
		latest = ref->latest_ns > latest ? ref->latest_ns : latest;
	}
}

/* The chunks of one CPU, by recid: one lane if that is an order, else one for each buffer. */
static void add_cpu(struct lkst_trace *trace, struct chunk_ref *ref, size_t num)
{
	size_t n;

	if (recids_rise(ref, num)) {
		add_lane(trace, ref, num);
		return;
	}
	qsort(ref, num, sizeof(*ref), compare_streams);
	for (; num; ref += n, num -= n) {
		for (n = 1; n < num && ref[n].stream == ref->stream; n++)
			;
		add_lane(trace, ref, n);
	}
}

/**
 * trace_make_lanes() - find out which chunks are to be read one after the other
 * @trace: trace that was scanned
 * @err: no memory
 */
int trace_make_lanes(struct lkst_trace *trace, struct lkst_error *err)
{
	size_t n;

	/* There are no more than streams. */
	trace->lane = calloc(trace->streams + 1, sizeof(*trace->lane));
	if (!trace->lane) {
		lkst_error_memory(err, trace->name);
		return -1;
	}
	if (trace->refs)
		qsort_r(trace->ref, trace->refs, sizeof(*trace->ref), compare_refs, trace);
	for (size_t i = 0; i < trace->refs; i += n) {
		const struct stream *stream = &trace->stream[trace->ref[i].stream];

		for (n = 1; i + n < trace->refs; n++)
			if (compare_cpus(stream, &trace->stream[trace->ref[i + n].stream]))
				break;
		add_cpu(trace, &trace->ref[i], n);
	}
	return 0;
}

static void close_cursor(struct cursor *c)
{
	free(c->data);
	free(c->key);
	free(c->nth);
	c->data = NULL;
	c->key = NULL;
	c->nth = NULL;
}

/**
 * trace_drop_cursors() - stop reading
 * @trace: trace
 */
void trace_drop_cursors(struct lkst_trace *trace)
{
	for (size_t i = 0; trace->cursor && i < trace->lanes; i++)
		close_cursor(&trace->cursor[i]);
	free(trace->cursor);
	free(trace->heap);
	trace->cursor = NULL;
	trace->heap = NULL;
	trace->heap_num = 0;
}

/* Load the cursor's next chunk. Returns 1, 0 when there is none, -1 on an error. */
static int load(struct lkst_trace *trace, struct cursor *c, struct lkst_error *err)
{
	const struct lane *lane = c->lane;
	const struct stream *stream;
	const struct chunk_ref *ref;
	size_t len;
	ssize_t n;

	if (!c->chunks_left) {
		close_cursor(c);
		return 0;
	}
	ref = &lane->ref[trace->order == LKST_OLDEST_FIRST ? lane->num - c->chunks_left :
							     c->chunks_left - 1];
	c->chunks_left--;
	stream = &trace->stream[ref->stream];
	c->stream = stream;
	if (!c->data)
		c->data = malloc(TRACE_CHUNK_RECORDS * stream->record_size);
	if (!c->key)
		c->key = malloc(TRACE_CHUNK_RECORDS * sizeof(*c->key));
	if (!c->data || !c->key) {
		lkst_error_memory(err, trace->name);
		return -1;
	}
	len = (size_t)ref->count * stream->record_size;
	n = trace_read_at(trace, &c->head, sizeof(c->head), ref->offset - sizeof(c->head), err);
	if (n == sizeof(c->head))
		n = trace_read_at(trace, c->data, len, ref->offset, err);
	if (n < 0)
		return -1;
	if ((size_t)n != len) {
		lkst_error_system(err, EIO, trace->name, "read (the file was changed meanwhile)");
		return -1;
	}
	if (trace->swapped)
		trace_swap_buffer_header(&c->head);
	/* The file may be written to; what was checked stays what it was. */
	c->head.record_size = stream->record_size;
	c->head.cpu = stream->info.cpu;
	c->head.buffer = stream->info.id;
	c->floor_ns = ref->floor_ns;
	c->count = ref->count;
	trace_prepare(trace, c);
	if (!ref->regs) {
		free(c->nth);
		c->nth = NULL;
	} else if (trace_number(trace, c, &ref->run)) {
		lkst_error_memory(err, trace->name);
		return -1;
	}
	c->at = trace->order == LKST_OLDEST_FIRST ? 0 : c->count - 1;
	c->now = c->key[c->at];
	return 1;
}

/* Go to the next record. Returns 1, 0 at the end of the lane, -1 on an error. */
static int advance(struct lkst_trace *trace, struct cursor *c, struct lkst_error *err)
{
	if (trace->order == LKST_OLDEST_FIRST ? c->at + 1 < c->count : c->at > 0) {
		const uint8_t *record;

		c->at += trace->order == LKST_OLDEST_FIRST ? 1u : -1u;
		c->now = c->key[c->at];
		/* With many CPUs its turn comes when the caches have forgotten it. */
		record = c->data + (size_t)c->at * c->head.record_size;
		__builtin_prefetch(record);
		__builtin_prefetch(record + 64);
		return 1;
	}
	return load(trace, c, err);
}

static bool before(const struct lkst_trace *trace, const struct cursor *a, const struct cursor *b)
{
	bool older;

	if (a->now != b->now)
		older = a->now < b->now;
	else if (a->stream->info.cpu != b->stream->info.cpu)
		older = a->stream->info.cpu < b->stream->info.cpu;
	else
		older = a->lane < b->lane;
	return older == (trace->order == LKST_OLDEST_FIRST);
}

static void sift_down(struct lkst_trace *trace, size_t i)
{
	struct cursor **heap = trace->heap, *c = heap[i];

	for (;;) {
		size_t child = 2 * i + 1;

		if (child >= trace->heap_num)
			break;
		if (child + 1 < trace->heap_num && before(trace, heap[child + 1], heap[child]))
			child++;
		if (!before(trace, heap[child], c))
			break;
		heap[i] = heap[child];
		i = child;
	}
	heap[i] = c;
}

/**
 * lkst_trace_rewind() - go to the first record
 * @trace: trace
 * @order: in which to read from now on
 * @err: why not
 */
int lkst_trace_rewind(struct lkst_trace *trace, enum lkst_order order, struct lkst_error *err)
{
	trace_drop_cursors(trace);
	trace->order = order;
	trace->cursor = calloc(trace->lanes + 1, sizeof(*trace->cursor));
	trace->heap = calloc(trace->lanes + 1, sizeof(*trace->heap));
	if (!trace->cursor || !trace->heap) {
		lkst_error_memory(err, trace->name);
		return -1;
	}
	for (size_t i = 0; i < trace->lanes; i++) {
		struct cursor *c = &trace->cursor[i];
		int ret;

		c->lane = &trace->lane[i];
		c->chunks_left = c->lane->num;
		ret = load(trace, c, err);
		if (ret < 0)
			return -1;
		if (!ret)
			continue;
		/* Its time is known; its records wait in the file for their turn. */
		close_cursor(c);
		trace->heap[trace->heap_num++] = c;
	}
	for (size_t i = trace->heap_num / 2; i-- > 0;)
		sift_down(trace, i);
	return 0;
}

/**
 * lkst_trace_next() - read a record
 * @trace: after lkst_trace_rewind()
 * @event: result
 * @err: why not
 *
 * Return: 1, 0 after the last one, -1 on an error.
 */
int lkst_trace_next(struct lkst_trace *trace, struct lkst_event *event, struct lkst_error *err)
{
	while (trace->heap_num) {
		struct cursor *c = trace->heap[0];
		bool hole;
		int ret;

		if (!c->data) {
			c->chunks_left++;
			if (load(trace, c, err) < 0)
				return -1;
		}
		hole = trace_is_hole(c, c->at);
		if (!hole)
			trace_get_event(trace, c, c->at, event);
		ret = advance(trace, c, err);
		if (ret < 0)
			return -1;
		if (!ret)
			trace->heap[0] = trace->heap[--trace->heap_num];
		if (trace->heap_num)
			sift_down(trace, 0);
		if (!hole)
			return 1;
	}
	return 0;
}
