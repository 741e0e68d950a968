// SPDX-License-Identifier: LGPL-2.1
/* Going through a trace file once, chunk by chunk. */
#include <stdlib.h>
#include <string.h>

#include "crc32c.h"
#include "messages.h"
#include "trace_reader.h"

#define TEXT_MAX    (64u * 1024 * 1024) /* bytes of a chunk that is read as a whole */
#define RECORDS_MAX (TRACE_CHUNK_RECORDS * sizeof(struct lkst_log_record))

enum lkst_machine trace_machine_of(const char arch[16])
{
	if (!memcmp(arch, "x86_64", 7))
		return LKST_MACHINE_X86_64;
	if (arch[0] == 'i' && arch[1] >= '3' && arch[1] <= '6' && !memcmp(arch + 2, "86", 3))
		return LKST_MACHINE_I386;
	return LKST_MACHINE_OTHER;
}

static struct stream *stream_of(struct lkst_trace *trace, const struct trace_buffer_header *head,
				struct lkst_error *err)
{
	struct stream *stream;

	for (size_t i = trace->streams; i-- > 0;) {
		stream = &trace->stream[i];
		if (stream->info.cpu == head->cpu && stream->info.id == head->buffer &&
		    stream->record_size == head->record_size) {
			/* Recids went back: another buffer of the same name. */
			if (head->count && head->first_recid < stream->last_recid)
				break;
			return stream;
		}
	}
	stream = realloc(trace->stream, (trace->streams + 1) * sizeof(*stream));
	if (!stream) {
		lkst_error_memory(err, trace->name);
		return NULL;
	}
	trace->stream = stream;
	stream += trace->streams++;
	memset(stream, 0, sizeof(*stream));
	stream->info.cpu = head->cpu;
	stream->info.id = head->buffer;
	stream->record_size = head->record_size;
	stream->machine = trace_machine_of(head->arch);
	return stream;
}

static int add_chunk(struct lkst_trace *trace, struct stream *stream,
		     const struct trace_buffer_header *head, uint64_t offset, uint32_t count,
		     struct lkst_error *err)
{
	stream->info.clock = head->clock_kind;
	stream->info.recorded = head->recorded;
	stream->info.overwritten = head->overwritten;
	stream->info.dropped = head->dropped;
	stream->info.unfinished = head->unfinished;
	stream->info.records += count;
	trace->records += count;
	if (!count)
		return 0;
	stream->last_recid = head->first_recid;
	if (trace->refs == trace->refs_room) {
		size_t room = trace->refs_room ? trace->refs_room * 2 : 64;
		struct chunk_ref *ref = realloc(trace->ref, room * sizeof(*ref));

		if (!ref) {
			lkst_error_memory(err, trace->name);
			return -1;
		}
		trace->ref = ref;
		trace->refs_room = room;
	}
	trace->ref[trace->refs++] = (struct chunk_ref){
		.offset = offset,
		.first_recid = head->first_recid,
		.count = count,
		.stream = (uint32_t)(stream - trace->stream),
	};
	return 0;
}

static void see_cpu(struct lkst_trace *trace, int32_t cpu)
{
	if (cpu >= 0 && cpu < TRACE_CPUS)
		trace->cpus[cpu / 64] |= 1ull << cpu % 64;
}

/* Learn from the records of a chunk that was just checked. */
static int learn(struct lkst_trace *trace, struct cursor *c, struct lkst_error *err)
{
	struct chunk_ref *ref = c->count ? &trace->ref[trace->refs - 1] : NULL;
	struct lkst_event event;

	trace_prepare(trace, c);
	if (ref) {
		ref->first_ns = c->key[0];
		ref->latest_ns = c->key[c->count - 1];
		ref->run = trace->run;
	}
	see_cpu(trace, c->head.cpu);
	for (uint32_t i = 0; i < c->count; i++) {
		if (trace_is_hole(c, i))
			continue;
		trace_get_event(trace, c, i, &event);
		if (c->head.cpu < 0)
			see_cpu(trace, event.cpu);
		if (event.type < LKST_ETYPE_NUM)
			trace->types[event.type] = true;
		trace_run_on(&trace->run, &event);
		ref->regs |= event.type == LKST_ETYPE_OOPS_REGS;
		if (event.type > LKST_ETYPE_PROCESS_STATE)
			continue;
		if (lkst_names_observe(trace->context.names, &event)) {
			lkst_error_memory(err, "process names");
			return -1;
		}
	}
	return 0;
}

/*
 * @payload holds @there bytes of a chunk whose header says @length. When that is all,
 * its checksum was right.
 */
static int scan_records(struct lkst_trace *trace, struct cursor *c, uint8_t *payload,
			uint64_t there, uint64_t length, uint64_t offset, struct lkst_error *err)
{
	struct trace_buffer_header *head = &c->head;
	struct stream *stream;
	uint64_t room;

	if (there < sizeof(*head)) {
		trace_report(trace, "cut off within the header of a buffer");
		return 0;
	}
	memcpy(head, payload, sizeof(*head));
	if (trace->swapped)
		trace_swap_buffer_header(head);
	if ((head->record_size != sizeof(struct lkst_log_record) &&
	     head->record_size != sizeof(struct lkst_event_record)) ||
	    head->cpu < -1) {
		trace_report(trace, "records at byte %llu are of an unknown kind: skipped",
			     (unsigned long long)offset);
		return 0;
	}
	room = (length - sizeof(*head)) / head->record_size;
	if (head->count > room || head->count > TRACE_CHUNK_RECORDS) {
		trace_report(trace,
			     "records at byte %llu: there is no room for %llu of them: skipped",
			     (unsigned long long)offset, (unsigned long long)head->count);
		return 0;
	}
	room = (there - sizeof(*head)) / head->record_size;
	c->count = (uint32_t)(head->count < room ? head->count : room);
	if (c->count < head->count)
		trace_report(trace,
			     "cut off: CPU %d, buffer %d: of the last %llu records %u are there",
			     head->cpu, head->buffer, (unsigned long long)head->count, c->count);
	stream = stream_of(trace, head, err);
	if (!stream || add_chunk(trace, stream, head, offset + sizeof(*head), c->count, err))
		return -1;
	c->stream = stream;
	memcpy(c->data, payload + sizeof(*head), (size_t)c->count * head->record_size);
	return learn(trace, c, err);
}

static int scan_processes(struct lkst_trace *trace, const uint8_t *payload, uint64_t len,
			  struct lkst_error *err)
{
	for (; len >= sizeof(struct trace_process); len -= sizeof(struct trace_process)) {
		struct trace_process process;

		memcpy(&process, payload, sizeof(process));
		payload += sizeof(process);
		if (trace->swapped)
			TRACE_SWAP(process.tid);
		process.name[sizeof(process.name) - 1] = 0;
		if (lkst_names_at_end(trace->context.names, process.tid, process.name)) {
			lkst_error_memory(err, "process names");
			return -1;
		}
	}
	return 0;
}

static int scan_clocks(struct lkst_trace *trace, const uint8_t *payload, uint64_t len,
		       struct lkst_error *err)
{
	size_t num = len / sizeof(struct trace_clock);
	struct trace_clock *clock =
		realloc(trace->clock, (trace->clocks + num + 1) * sizeof(*clock));

	if (!clock) {
		lkst_error_memory(err, trace->name);
		return -1;
	}
	trace->clock = clock;
	clock += trace->clocks;
	trace->clocks += num;
	memcpy(clock, payload, num * sizeof(*clock));
	for (size_t i = 0; trace->swapped && i < num; i++)
		trace_swap_clock(&clock[i]);
	return 0;
}

static int keep_text(char **text, const uint8_t *payload, uint64_t len, const char *name,
		     struct lkst_error *err)
{
	char *copy = malloc(len + 1);

	if (!copy) {
		lkst_error_memory(err, name);
		return -1;
	}
	memcpy(copy, payload, len);
	copy[len] = 0;
	free(*text);
	*text = copy;
	return 0;
}

/* Of a text that may be cut off, the lines that are whole. */
static int keep_lines(char **text, const uint8_t *payload, uint64_t len, bool cut, const char *name,
		      struct lkst_error *err)
{
	while (cut && len && payload[len - 1] != '\n')
		len--;
	return len ? keep_text(text, payload, len, name, err) : 0;
}

static void scan_end(struct lkst_trace *trace, const uint8_t *payload, uint64_t len)
{
	struct trace_end end;

	trace->end = true;
	if (len < sizeof(end))
		return;
	memcpy(&end, payload, sizeof(end));
	if (trace->swapped) {
		TRACE_SWAP(end.records);
		TRACE_SWAP(end.chunks);
	}
	if (end.records != trace->records)
		trace_report(trace, "%llu records are there, of %llu that were written",
			     (unsigned long long)trace->records, (unsigned long long)end.records);
}

/* A checked chunk, or the start of the one that the file ends in. */
static int scan_payload(struct lkst_trace *trace, struct cursor *c,
			const struct trace_chunk_header *chunk, uint8_t *payload, uint64_t there,
			uint64_t offset, struct lkst_error *err)
{
	bool cut = there < chunk->length;

	switch (chunk->type) {
	case TRACE_RECORDS_STD:
	case TRACE_RECORDS_RAW:
		return scan_records(trace, c, payload, there, chunk->length, offset, err);
	case TRACE_PROCESSES:
		return scan_processes(trace, payload, there, err);
	case TRACE_CLOCK:
		return scan_clocks(trace, payload, there, err);
	case TRACE_SYSTEM:
		return keep_text(&trace->system, payload, there, trace->name, err);
	case TRACE_ETYPES:
		/* Half a table would hide names that the embedded one knows. */
		if (cut)
			return 0;
		trace->etypes_len = there;
		return keep_text(&trace->etypes, payload, there, trace->name, err);
	case TRACE_VALUES:
		return keep_lines(&trace->values, payload, there, cut, trace->name, err);
	case TRACE_SYMBOLS:
		return keep_lines(&trace->symbols, payload, there, cut, trace->name, err);
	case TRACE_END:
		if (!cut)
			scan_end(trace, payload, there);
	}
	return 0;
}

static void swap_chunk_header(struct trace_chunk_header *h)
{
	TRACE_SWAP(h->magic);
	TRACE_SWAP(h->type);
	TRACE_SWAP(h->compression);
	TRACE_SWAP(h->length);
	TRACE_SWAP(h->raw_length);
	TRACE_SWAP(h->payload_checksum);
	TRACE_SWAP(h->checksum);
}

static bool good_chunk_header(struct lkst_trace *trace, const uint8_t *raw,
			      struct trace_chunk_header *chunk)
{
	memcpy(chunk, raw, sizeof(*chunk));
	if (trace->swapped)
		swap_chunk_header(chunk);
	return chunk->magic == TRACE_CHUNK_MAGIC &&
	       chunk->checksum == lkst_crc32c(raw, offsetof(struct trace_chunk_header, checksum));
}

static bool is_file_header(const uint8_t *raw)
{
	const size_t len = offsetof(struct trace_file_header, checksum);
	uint32_t plain, swapped;

	if (memcmp(raw, TRACE_MAGIC, sizeof(TRACE_MAGIC)))
		return false;
	memcpy(&plain, raw + len, sizeof(plain));
	swapped = bswap_32(plain);
	return plain == lkst_crc32c(raw, len) || swapped == lkst_crc32c(raw, len);
}

/*
 * The next offset from here on where a chunk or another trace begins, or the end of the
 * file.
 */
static int64_t find_chunk(struct lkst_trace *trace, uint64_t offset, struct lkst_error *err)
{
	uint8_t block[64 * 1024];
	struct trace_chunk_header chunk;

	while (offset + sizeof(chunk) <= trace->size) {
		ssize_t n = trace_read_at(trace, block, sizeof(block), offset, err);
		size_t at;

		if (n < 0)
			return -1;
		if ((size_t)n < sizeof(chunk))
			break;
		for (at = 0; at + sizeof(chunk) <= (size_t)n; at += 8)
			if (is_file_header(block + at) ||
			    good_chunk_header(trace, block + at, &chunk))
				return (int64_t)(offset + at);
		offset += at;
	}
	return (int64_t)trace->size;
}

static uint64_t length_limit(unsigned int type)
{
	if (type == TRACE_RECORDS_STD || type == TRACE_RECORDS_RAW)
		return RECORDS_MAX + sizeof(struct trace_buffer_header);
	return TEXT_MAX;
}

static bool known_type(unsigned int type)
{
	return type >= TRACE_SYSTEM && type <= TRACE_SYMBOLS;
}

/* Where in a chunk that is not what it was another trace begins, as after a cut; or @len. */
static size_t find_trace(const uint8_t *payload, size_t len)
{
	const uint8_t *p = payload;

	while ((p = memmem(p, len - (size_t)(p - payload), TRACE_MAGIC, sizeof(TRACE_MAGIC)))) {
		size_t at = (size_t)(p - payload);

		if (len - at >= sizeof(struct trace_file_header) && is_file_header(p))
			return at;
		p++;
	}
	return len;
}

/* One chunk. Returns 1, 0 when the file is cut off in it, -1 on an error. */
static int scan_chunk(struct lkst_trace *trace, struct cursor *c,
		      const struct trace_chunk_header *chunk, uint64_t offset,
		      struct lkst_error *err)
{
	uint64_t there = trace->size - offset;
	uint8_t *payload;
	bool good;
	size_t at;
	ssize_t n;
	int ret;

	if (there > chunk->length)
		there = chunk->length;
	trace->chunks++;
	if (!known_type(chunk->type)) {
		trace_report(trace,
			     "chunk of type %u at byte %llu: unknown to this version, skipped",
			     chunk->type, (unsigned long long)offset);
		return there == chunk->length;
	}
	if (chunk->compression) {
		if (!trace->compressed++)
			trace_report(
				trace, "compressed (%s), which this build cannot read: skipped",
				chunk->compression == TRACE_COMPRESSION_ZSTD ? "zstd" : "unknown");
		return there == chunk->length;
	}
	if (chunk->length > length_limit(chunk->type)) {
		trace_report(trace, "chunk of type %u at byte %llu: too long (%llu bytes), skipped",
			     chunk->type, (unsigned long long)offset,
			     (unsigned long long)chunk->length);
		return there == chunk->length;
	}
	payload = malloc(there + 1);
	if (!payload) {
		lkst_error_memory(err, trace->name);
		return -1;
	}
	n = trace_read_at(trace, payload, there, offset, err);
	if (n < 0) {
		free(payload);
		return -1;
	}
	good = (uint64_t)n == chunk->length &&
	       lkst_crc32c(payload, (size_t)n) == chunk->payload_checksum;
	at = good ? (size_t)n : find_trace(payload, (size_t)n);
	if (at < (size_t)n)
		trace->size = offset + at;
	if (good || at < chunk->length) {
		ret = scan_payload(trace, c, chunk, payload, at, offset, err);
		ret = ret ? ret : at == chunk->length;
	} else {
		trace_report(trace, "chunk of type %u at byte %llu: damaged (checksum), skipped",
			     chunk->type, (unsigned long long)offset);
		ret = 1;
	}
	free(payload);
	return ret;
}

static void progress(struct lkst_trace *trace, uint64_t done)
{
	if (trace->hooks.progress)
		trace->hooks.progress(trace->hooks.ctx, done, trace->size);
}

/* What follows is not read: it could be the same events again. */
static int report_rest(struct lkst_trace *trace, uint64_t all, struct lkst_error *err)
{
	uint8_t raw[sizeof(struct trace_file_header)];
	ssize_t n;

	if (trace->size >= all)
		return 0;
	n = trace_read_at(trace, raw, sizeof(raw), trace->size, err);
	if (n < 0)
		return -1;
	if ((size_t)n == sizeof(raw) && is_file_header(raw))
		trace_report(trace,
			     "another trace follows at byte %llu, which is not read: "
			     "print each trace from a file of its own",
			     (unsigned long long)trace->size);
	else
		trace_report(trace, "%llu bytes follow the end of the trace, which are not read",
			     (unsigned long long)(all - trace->size));
	return 0;
}

/* A trace file and a chunk begin with headers of the same size. */
_Static_assert(sizeof(struct trace_file_header) == sizeof(struct trace_chunk_header), "headers");

static int scan_chunks(struct lkst_trace *trace, struct cursor *c, uint64_t offset,
		       struct lkst_error *err)
{
	struct trace_chunk_header chunk;
	uint8_t raw[sizeof(chunk)];
	const uint64_t all = trace->size;

	while (offset < trace->size) {
		ssize_t n = trace_read_at(trace, raw, sizeof(raw), offset, err);
		int ret;

		if (n < 0)
			return -1;
		if ((size_t)n < sizeof(raw))
			break;
		if (is_file_header(raw)) {
			trace->size = offset;
			break;
		}
		if (!good_chunk_header(trace, raw, &chunk)) {
			int64_t next = find_chunk(trace, offset + 8, err);

			if (next < 0)
				return -1;
			trace_report(trace, "damaged from byte %llu to %llu, skipped",
				     (unsigned long long)offset, (unsigned long long)next);
			offset = (uint64_t)next;
			continue;
		}
		ret = scan_chunk(trace, c, &chunk, offset + sizeof(raw), err);
		if (ret < 0)
			return -1;
		if (!ret)
			break;
		offset += sizeof(raw) + trace_padded(chunk.length);
		if (trace->end && offset < trace->size)
			trace->size = offset;
		progress(trace, offset);
	}
	progress(trace, trace->size);
	if (!trace->end)
		trace_report(
			trace,
			"cut off after %llu bytes: %llu records are there, what followed is missing",
			(unsigned long long)trace->size, (unsigned long long)trace->records);
	return report_rest(trace, all, err);
}

/**
 * trace_scan() - go through the file once
 * @trace: trace
 * @offset: of the first chunk
 * @err: why not
 *
 * Checks every chunk, notes where the records of each buffer are, and learns what the
 * file tells of itself and of processes. What is damaged, unknown or missing is reported
 * and left out.
 */
int trace_scan(struct lkst_trace *trace, uint64_t offset, struct lkst_error *err)
{
	struct cursor c = { .floor_ns = INT64_MIN };
	int ret = -1;

	trace->run.nth = LKST_NTH_UNKNOWN;
	c.data = malloc(RECORDS_MAX);
	c.key = malloc(TRACE_CHUNK_RECORDS * sizeof(*c.key));
	if (!c.data || !c.key)
		lkst_error_memory(err, trace->name);
	else
		ret = scan_chunks(trace, &c, offset, err);
	free(c.data);
	free(c.key);
	return ret;
}
