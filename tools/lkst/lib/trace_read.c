// SPDX-License-Identifier: LGPL-2.1
/*
 * Reading a trace file, in bounded memory.
 *
 * Opening goes through the file once: it checks every chunk, notes where the records
 * of each buffer are, and learns process names. What is damaged, unknown or missing is
 * reported and left out. Afterwards the records come merged by time from one cursor for
 * each buffer, which holds one chunk. Nothing that the file says is believed before it
 * was checked against the size of the file and of the structures here.
 *
 * Order: within a buffer that of the recids, always, as an interrupting record may
 * carry an earlier time than the one it interrupted. Between buffers by the latest time
 * that the buffer had reached in the chunk, then by CPU, buffer and place in the file.
 * Newest first is the exact reverse of oldest first.
 */
#include <byteswap.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "crc32c.h"
#include "etype_ids.h"
#include "messages.h"
#include "trace_format.h"

#define TEXT_MAX	(64u * 1024 * 1024)	/* bytes of a chunk that is read as a whole */
#define RECORDS_MAX	(TRACE_CHUNK_RECORDS * sizeof(struct lkst_log_record))
#define REPORTS_MAX	16
#define CPU_SET		8192

/* Where records are: the first one at offset, their buffer header just before it. */
struct chunk_ref {
	uint64_t offset;
	uint32_t count;
};

/* The chunks of one buffer, recids rising. */
struct stream {
	struct lkst_trace_buffer info;
	uint32_t record_size;
	uint8_t machine;
	uint64_t last_recid;	/* first_recid of the last chunk */
	size_t num;
	size_t cap;
	struct chunk_ref *ref;
};

/* A stream being read. Without data when it did not begin yet or has ended. */
struct cursor {
	const struct stream *stream;
	size_t chunks_left;
	struct trace_buffer_header head;
	struct trace_clock pair;	/* RAW: to convert with */
	uint8_t *data;
	int64_t *key;
	uint32_t count;
	uint32_t at;
	int64_t now;		/* key of the record at @at */
};

struct lkst_trace {
	int fd;
	bool own_fd;
	bool swapped;
	char *name;
	struct lkst_trace_hooks hooks;
	unsigned int reports;
	uint64_t size;

	size_t streams;
	struct stream *stream;
	size_t clocks;
	struct trace_clock *clock;
	char *system;		/* text of the SYSTEM chunk */
	char *etypes;		/* text of the ETYPES chunk */
	size_t etypes_len;
	struct lkst_names *names;
	uint64_t cpus[CPU_SET / 64];

	uint64_t records;
	uint64_t chunks;
	uint64_t compressed;	/* chunks that could not be read for that */
	bool end;

	enum lkst_order order;
	struct cursor *cursor;	/* one for each stream */
	struct cursor **heap;
	size_t heap_num;
};

static void report(struct lkst_trace *trace, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void report(struct lkst_trace *trace, const char *format, ...)
{
	char text[512];
	va_list args;
	int len;

	if (!trace->hooks.report || trace->reports > REPORTS_MAX)
		return;
	len = snprintf(text, sizeof(text), "%s: ", trace->name);
	if (len < 0 || (size_t)len >= sizeof(text))
		len = 0;
	if (trace->reports++ == REPORTS_MAX) {
		snprintf(text + len, sizeof(text) - (size_t)len,
			 "more is damaged, which is not reported one by one");
	} else {
		va_start(args, format);
		vsnprintf(text + len, sizeof(text) - (size_t)len, format, args);
		va_end(args);
	}
	trace->hooks.report(trace->hooks.ctx, text);
}

/* Read exactly len bytes. Returns what there was of them, -1 on an error. */
static ssize_t read_at(struct lkst_trace *trace, void *buf, size_t len, uint64_t offset,
		       struct lkst_error *err)
{
	size_t done = 0;

	while (done < len) {
		ssize_t n = pread(trace->fd, (char *)buf + done, len - done,
				  (off_t)(offset + done));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			lkst_error_system(err, errno, trace->name, "read");
			return -1;
		}
		if (!n)
			break;
		done += (size_t)n;
	}
	return (ssize_t)done;
}

/* ---- byte order ---- */

#define SWAP(x)								\
	((x) = sizeof(x) == 8 ? (__typeof__(x))bswap_64((uint64_t)(x)) :	\
	 sizeof(x) == 4 ? (__typeof__(x))bswap_32((uint32_t)(x)) :		\
			  (__typeof__(x))bswap_16((uint16_t)(x)))

static void swap_chunk_header(struct trace_chunk_header *h)
{
	SWAP(h->magic);
	SWAP(h->type);
	SWAP(h->compression);
	SWAP(h->length);
	SWAP(h->raw_length);
	SWAP(h->payload_checksum);
	SWAP(h->checksum);
}

static void swap_buffer_header(struct trace_buffer_header *h)
{
	SWAP(h->cpu);
	SWAP(h->buffer);
	SWAP(h->clock_kind);
	SWAP(h->record_size);
	SWAP(h->count);
	SWAP(h->first_recid);
	SWAP(h->recorded);
	SWAP(h->overwritten);
	SWAP(h->dropped);
	SWAP(h->xtime_s);
	SWAP(h->xtime_us);
	SWAP(h->tsc);
	SWAP(h->freq_khz);
	SWAP(h->record_version);
}

static void swap_clock(struct trace_clock *c)
{
	SWAP(c->clock);
	SWAP(c->monotonic_ns);
	SWAP(c->wall_ns);
	SWAP(c->freq_khz);
	SWAP(c->clock_kind);
	SWAP(c->cpu);
}

static void swap_std(struct lkst_log_record *r)
{
	SWAP(r->posix.log_recid);
	SWAP(r->posix.log_event_type);
	SWAP(r->posix.log_uid);
	SWAP(r->posix.log_gid);
	SWAP(r->posix.log_pid);
	SWAP(r->posix.log_pgrp);
	SWAP(r->posix.log_flags);
	SWAP(r->posix.log_time.tv_sec);
	SWAP(r->posix.log_time.tv_nsec);
	SWAP(r->posix.log_thread);
	SWAP(r->posix.log_processor);
	SWAP(r->log_arg1);
	SWAP(r->log_arg2);
	SWAP(r->log_arg3);
	SWAP(r->log_arg4);
}

static void swap_raw(struct lkst_event_record *r)
{
	SWAP(r->clock);
	SWAP(r->event_type);
	SWAP(r->flags);
	SWAP(r->thread);
	SWAP(r->pid);
	SWAP(r->pgrp);
	SWAP(r->uid);
	SWAP(r->gid);
	for (int i = 0; i < 4; i++)
		SWAP(r->arg[i]);
}

/* ---- one chunk's records ---- */

static int64_t std_time(const struct lkst_log_record *r)
{
	return (int64_t)((uint64_t)r->posix.log_time.tv_sec * 1000000000u +
			 (uint64_t)r->posix.log_time.tv_nsec);
}

static int64_t raw_time(const struct trace_clock *pair, uint64_t clock)
{
	__int128 ticks = (int64_t)(clock - pair->clock);

	if (!pair->freq_khz)
		return pair->wall_ns;
	return (int64_t)((uint64_t)pair->wall_ns +
			 (uint64_t)(int64_t)(ticks * 1000000 / pair->freq_khz));
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

static bool is_hole(const struct cursor *c, uint32_t i)
{
	const struct lkst_event_record *r = (void *)c->data;

	return c->head.record_size == sizeof(*r) && !r[i].clock;
}

/* Bring the records of a chunk into this machine's byte order and find their keys. */
static void prepare(const struct lkst_trace *trace, struct cursor *c)
{
	int64_t latest = INT64_MIN;

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

static void event_from_raw(const struct cursor *c, const struct lkst_event_record *r,
			   uint32_t i, struct lkst_event *event)
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

static void get_event(const struct lkst_trace *trace, const struct cursor *c, uint32_t i,
		      struct lkst_event *event)
{
	if (c->head.record_size == sizeof(struct lkst_log_record))
		event_from_std((const struct lkst_log_record *)(void *)c->data + i, event);
	else
		event_from_raw(c, (const struct lkst_event_record *)(void *)c->data + i, i,
			       event);
	if (c->head.cpu >= 0)
		event->cpu = c->head.cpu;
	event->buffer = c->head.buffer;
	event->machine = c->stream->machine;
	event->swapped = trace->swapped;
}

/* ---- opening: through the whole file once ---- */

static enum lkst_machine machine_of(const char arch[16])
{
	if (!memcmp(arch, "x86_64", 7))
		return LKST_MACHINE_X86_64;
	if (arch[0] == 'i' && arch[1] >= '3' && arch[1] <= '6' && !memcmp(arch + 2, "86", 3))
		return LKST_MACHINE_I386;
	return LKST_MACHINE_OTHER;
}

static struct stream *stream_of(struct lkst_trace *trace,
				const struct trace_buffer_header *head,
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
	stream->machine = machine_of(head->arch);
	return stream;
}

static int add_chunk(struct lkst_trace *trace, struct stream *stream,
		     const struct trace_buffer_header *head, uint64_t offset,
		     uint32_t count, struct lkst_error *err)
{
	stream->info.clock = head->clock_kind;
	stream->info.recorded = head->recorded;
	stream->info.overwritten = head->overwritten;
	stream->info.dropped = head->dropped;
	stream->info.records += count;
	trace->records += count;
	if (!count)
		return 0;
	stream->last_recid = head->first_recid;
	if (stream->num == stream->cap) {
		size_t cap = stream->cap ? stream->cap * 2 : 16;
		struct chunk_ref *ref = realloc(stream->ref, cap * sizeof(*ref));

		if (!ref) {
			lkst_error_memory(err, trace->name);
			return -1;
		}
		stream->ref = ref;
		stream->cap = cap;
	}
	stream->ref[stream->num++] = (struct chunk_ref){ offset, count };
	return 0;
}

static void see_cpu(struct lkst_trace *trace, int32_t cpu)
{
	if (cpu >= 0 && cpu < CPU_SET)
		trace->cpus[cpu / 64] |= 1ull << cpu % 64;
}

/* Learn from the records of a chunk that was just checked. */
static int learn(struct lkst_trace *trace, struct cursor *c, struct lkst_error *err)
{
	struct lkst_event event;

	prepare(trace, c);
	see_cpu(trace, c->head.cpu);
	for (uint32_t i = 0; i < c->count; i++) {
		if (is_hole(c, i))
			continue;
		get_event(trace, c, i, &event);
		if (c->head.cpu < 0)
			see_cpu(trace, event.cpu);
		if (event.type > LKST_ETYPE_PROCESS_STATE)
			continue;
		if (lkst_names_observe(trace->names, &event)) {
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
			uint64_t there, uint64_t length, uint64_t offset,
			struct lkst_error *err)
{
	struct trace_buffer_header *head = &c->head;
	struct stream *stream;
	uint64_t room;

	if (there < sizeof(*head)) {
		report(trace, "cut off within the header of a buffer");
		return 0;
	}
	memcpy(head, payload, sizeof(*head));
	if (trace->swapped)
		swap_buffer_header(head);
	if ((head->record_size != sizeof(struct lkst_log_record) &&
	     head->record_size != sizeof(struct lkst_event_record)) ||
	    head->cpu < -1) {
		report(trace, "records at byte %llu are of an unknown kind: skipped",
		       (unsigned long long)offset);
		return 0;
	}
	room = (length - sizeof(*head)) / head->record_size;
	if (head->count > room || head->count > TRACE_CHUNK_RECORDS) {
		report(trace, "records at byte %llu: there is no room for %llu of them: skipped",
		       (unsigned long long)offset, (unsigned long long)head->count);
		return 0;
	}
	room = (there - sizeof(*head)) / head->record_size;
	c->count = (uint32_t)(head->count < room ? head->count : room);
	if (c->count < head->count)
		report(trace, "cut off: CPU %d, buffer %d: of the last %llu records %u are there",
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
			SWAP(process.tid);
		process.name[sizeof(process.name) - 1] = 0;
		if (lkst_names_at_end(trace->names, process.tid, process.name)) {
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
	struct trace_clock *clock = realloc(trace->clock,
					    (trace->clocks + num + 1) * sizeof(*clock));

	if (!clock) {
		lkst_error_memory(err, trace->name);
		return -1;
	}
	trace->clock = clock;
	clock += trace->clocks;
	trace->clocks += num;
	memcpy(clock, payload, num * sizeof(*clock));
	for (size_t i = 0; trace->swapped && i < num; i++)
		swap_clock(&clock[i]);
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

static void scan_end(struct lkst_trace *trace, const uint8_t *payload, uint64_t len)
{
	struct trace_end end;

	trace->end = true;
	if (len < sizeof(end))
		return;
	memcpy(&end, payload, sizeof(end));
	if (trace->swapped) {
		SWAP(end.records);
		SWAP(end.chunks);
	}
	if (end.records != trace->records)
		report(trace, "%llu records are there, of %llu that were written",
		       (unsigned long long)trace->records, (unsigned long long)end.records);
}

/* A checked chunk, or the start of the one that the file ends in. */
static int scan_payload(struct lkst_trace *trace, struct cursor *c,
			const struct trace_chunk_header *chunk, uint8_t *payload,
			uint64_t there, uint64_t offset, struct lkst_error *err)
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
	case TRACE_END:
		if (!cut)
			scan_end(trace, payload, there);
	}
	return 0;
}

static bool good_chunk_header(struct lkst_trace *trace, const uint8_t *raw,
			      struct trace_chunk_header *chunk)
{
	memcpy(chunk, raw, sizeof(*chunk));
	if (trace->swapped)
		swap_chunk_header(chunk);
	return chunk->magic == TRACE_CHUNK_MAGIC &&
	       chunk->checksum ==
		       lkst_crc32c(raw, offsetof(struct trace_chunk_header, checksum));
}

/* The next offset from here on where a chunk begins, or the end of the file. */
static int64_t find_chunk(struct lkst_trace *trace, uint64_t offset, struct lkst_error *err)
{
	uint8_t block[64 * 1024];
	struct trace_chunk_header chunk;

	while (offset + sizeof(chunk) <= trace->size) {
		ssize_t n = read_at(trace, block, sizeof(block), offset, err);
		size_t at;

		if (n < 0)
			return -1;
		if ((size_t)n < sizeof(chunk))
			break;
		for (at = 0; at + sizeof(chunk) <= (size_t)n; at += 8)
			if (good_chunk_header(trace, block + at, &chunk))
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
	return type >= TRACE_SYSTEM && type <= TRACE_END;
}

/* One chunk. Returns 1, 0 when the file is cut off in it, -1 on an error. */
static int scan_chunk(struct lkst_trace *trace, struct cursor *c,
		      const struct trace_chunk_header *chunk, uint64_t offset,
		      struct lkst_error *err)
{
	uint64_t there = trace->size - offset;
	uint8_t *payload;
	ssize_t n;
	int ret;

	if (there > chunk->length)
		there = chunk->length;
	trace->chunks++;
	if (!known_type(chunk->type)) {
		report(trace, "chunk of type %u at byte %llu: unknown to this version, skipped",
		       chunk->type, (unsigned long long)offset);
		return there == chunk->length;
	}
	if (chunk->compression) {
		if (!trace->compressed++)
			report(trace, "compressed (%s), which this build cannot read: skipped",
			       chunk->compression == TRACE_COMPRESSION_ZSTD ? "zstd" :
									      "unknown");
		return there == chunk->length;
	}
	if (chunk->length > length_limit(chunk->type)) {
		report(trace, "chunk of type %u at byte %llu: too long (%llu bytes), skipped",
		       chunk->type, (unsigned long long)offset,
		       (unsigned long long)chunk->length);
		return there == chunk->length;
	}
	payload = malloc(there + 1);
	if (!payload) {
		lkst_error_memory(err, trace->name);
		return -1;
	}
	n = read_at(trace, payload, there, offset, err);
	if (n < 0) {
		ret = -1;
	} else if ((uint64_t)n == chunk->length &&
		   lkst_crc32c(payload, (size_t)n) != chunk->payload_checksum) {
		report(trace, "chunk of type %u at byte %llu: damaged (checksum), skipped",
		       chunk->type, (unsigned long long)offset);
		ret = 1;
	} else {
		ret = scan_payload(trace, c, chunk, payload, (uint64_t)n, offset, err);
		ret = ret ? ret : (uint64_t)n == chunk->length;
	}
	free(payload);
	return ret;
}

static void progress(struct lkst_trace *trace, uint64_t done)
{
	if (trace->hooks.progress)
		trace->hooks.progress(trace->hooks.ctx, done, trace->size);
}

static int scan(struct lkst_trace *trace, struct cursor *c, uint64_t offset,
		struct lkst_error *err)
{
	struct trace_chunk_header chunk;
	uint8_t raw[sizeof(chunk)];

	while (offset < trace->size) {
		ssize_t n = read_at(trace, raw, sizeof(raw), offset, err);
		int ret;

		if (n < 0)
			return -1;
		if ((size_t)n < sizeof(raw))
			break;
		if (!good_chunk_header(trace, raw, &chunk)) {
			int64_t next = find_chunk(trace, offset + 8, err);

			if (next < 0)
				return -1;
			report(trace, "damaged from byte %llu to %llu, skipped",
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
		progress(trace, offset);
	}
	progress(trace, trace->size);
	if (!trace->end)
		report(trace, "cut off after %llu bytes: %llu records are there, what followed is missing",
		       (unsigned long long)trace->size, (unsigned long long)trace->records);
	return 0;
}

/* What a file that is no trace seems to be. */
static const char *looks_like(const uint8_t *head, size_t len, char *text, size_t size)
{
	static const struct {
		const char *magic;
		size_t len;
		const char *what;
	} known[] = {
		{ "\177ELF", 4, "an ELF file (a program or a memory image)" },
		{ "KDUMP   ", 8, "a kdump-compressed memory image" },
		{ "\037\213", 2, "a gzip file (decompress it first)" },
		{ "\3757zXZ", 6, "an xz file (decompress it first)" },
		{ "\050\265\057\375", 4, "a zstd file (decompress it first)" },
		{ "BZh", 3, "a bzip2 file (decompress it first)" },
		{ "PK\003\004", 4, "a zip file" },
		{ "\027\010\104tracing", 10, "a trace.dat of trace-cmd" },
		{ "PERFILE2", 8, "a perf.data of perf" },
		{ "\301\037\374\301", 4, "a CTF stream (LTTng)" },
		{ "# lkst_etypes", 13, "a list of event types (option -E takes it)" },
	};
	size_t strange = 0;	/* bytes beyond ASCII */
	bool printable = true;
	int n;

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (len >= known[i].len && !memcmp(head, known[i].magic, known[i].len))
			return known[i].what;
	for (size_t i = 0; i < len; i++) {
		printable &= (head[i] >= 0x20 && head[i] != 0x7f) ||
			     (head[i] >= '\t' && head[i] <= '\r');
		strange += head[i] >= 0x80;
	}
	if (printable && strange <= len / 2)
		return "text (a trace that was printed cannot be read back)";
	n = snprintf(text, size, "something else: it begins with");
	for (size_t i = 0; i < len && i < 8 && n > 0 && (size_t)n < size; i++)
		n += snprintf(text + n, size - (size_t)n, " %02x", head[i]);
	return text;
}

static int check_head(struct lkst_trace *trace, const uint8_t *raw, size_t len,
		      uint64_t *first_chunk, struct lkst_error *err)
{
	struct trace_file_header head = { 0 };
	char text[80];

	memcpy(&head, raw, len < sizeof(head) ? len : sizeof(head));
	if (!len) {
		lkst_error_set(err, LKST_ERR_FORMAT, MSG_EMPTY_FILE, trace->name);
		return -1;
	}
	if (memcmp(head.magic, TRACE_MAGIC, len < 8 ? len : 8)) {
		lkst_error_set(err, LKST_ERR_FORMAT, MSG_FOREIGN, trace->name,
			       looks_like(raw, len, text, sizeof(text)));
		return -1;
	}
	if (len < sizeof(head)) {
		lkst_error_set(err, LKST_ERR_FORMAT, MSG_SHORT_HEADER, trace->name,
			       (unsigned long long)len);
		return -1;
	}
	trace->swapped = head.byte_order == TRACE_BYTE_ORDER_SWAPPED;
	if (!trace->swapped && head.byte_order != TRACE_BYTE_ORDER) {
		lkst_error_set(err, LKST_ERR_FORMAT, MSG_HEADER_DAMAGED, trace->name, "byte order");
		return -1;
	}
	if (trace->swapped) {
		SWAP(head.version);
		SWAP(head.header_size);
		SWAP(head.checksum);
	}
	if (head.checksum != lkst_crc32c(raw, offsetof(struct trace_file_header, checksum))) {
		lkst_error_set(err, LKST_ERR_FORMAT, MSG_HEADER_DAMAGED, trace->name, "checksum");
		return -1;
	}
	if (head.version > TRACE_VERSION) {
		lkst_error_set(err, LKST_ERR_FORMAT, MSG_VERSION, trace->name, head.version,
			       TRACE_VERSION);
		return -1;
	}
	if (head.header_size < sizeof(head)) {
		lkst_error_set(err, LKST_ERR_FORMAT, MSG_HEADER_DAMAGED, trace->name, "size");
		return -1;
	}
	*first_chunk = trace_padded(head.header_size);
	return 0;
}

static ssize_t read_some(int fd, uint8_t *buf, size_t len)
{
	size_t done = 0;
	ssize_t n = 1;

	while (n && done < len) {
		n = read(fd, buf + done, len - done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		done += (size_t)n;
	}
	return (ssize_t)done;
}

/* Put what comes from a pipe into a file that has no name. */
static int spill(struct lkst_trace *trace, const uint8_t *head, size_t len,
		 struct lkst_error *err)
{
	size_t size = 256 * 1024;
	uint8_t *buf = malloc(size);
	int to = lkst_temporary_file(err);
	ssize_t n = (ssize_t)len;

	if (!buf || to < 0) {
		if (!buf)
			lkst_error_memory(err, trace->name);
		goto fail;
	}
	memcpy(buf, head, len);
	while (n > 0) {
		ssize_t done = 0;

		while (done < n) {
			ssize_t m = write(to, buf + done, (size_t)(n - done));

			if (m < 0 && errno != EINTR) {
				lkst_error_system(err, errno, "temporary file", "write");
				goto fail;
			}
			done += m > 0 ? m : 0;
		}
		n = read_some(trace->fd, buf, size);
	}
	if (n < 0) {
		lkst_error_system(err, errno, trace->name, "read");
		goto fail;
	}
	free(buf);
	if (trace->own_fd)
		close(trace->fd);
	trace->fd = to;
	trace->own_fd = true;
	return 0;

fail:
	free(buf);
	if (to >= 0)
		close(to);
	return -1;
}

static int open_trace(struct lkst_trace *trace, struct lkst_error *err)
{
	uint8_t head[sizeof(struct trace_file_header)];
	struct cursor c = { 0 };
	uint64_t first_chunk;
	struct stat st;
	ssize_t n;
	int ret = -1;

	if (fstat(trace->fd, &st)) {
		lkst_error_system(err, errno, trace->name, "stat");
		return -1;
	}
	if (S_ISDIR(st.st_mode)) {
		lkst_error_set(err, LKST_ERR_FORMAT, MSG_DIRECTORY, trace->name);
		return -1;
	}
	n = S_ISREG(st.st_mode) ? read_at(trace, head, sizeof(head), 0, err) :
				  read_some(trace->fd, head, sizeof(head));
	if (n < 0) {
		lkst_error_system(err, errno, trace->name, "read");
		return -1;
	}
	if (check_head(trace, head, (size_t)n, &first_chunk, err))
		return -1;
	if (!S_ISREG(st.st_mode) &&
	    (spill(trace, head, (size_t)n, err) || fstat(trace->fd, &st)))
		return -1;
	trace->size = (uint64_t)st.st_size;

	c.data = malloc(RECORDS_MAX);
	c.key = malloc(TRACE_CHUNK_RECORDS * sizeof(*c.key));
	trace->names = lkst_names_new();
	if (!c.data || !c.key || !trace->names)
		lkst_error_memory(err, trace->name);
	else
		ret = scan(trace, &c, first_chunk, err);
	free(c.data);
	free(c.key);
	if (!ret)
		lkst_names_settle(trace->names);
	return ret;
}

static struct lkst_trace *new_trace(int fd, bool own_fd, const char *name,
				    const struct lkst_trace_hooks *hooks,
				    struct lkst_error *err)
{
	struct lkst_trace *trace = calloc(1, sizeof(*trace));

	if (trace)
		trace->name = strdup(name);
	if (!trace || !trace->name) {
		free(trace);
		if (own_fd)
			close(fd);
		lkst_error_memory(err, name);
		return NULL;
	}
	trace->fd = fd;
	trace->own_fd = own_fd;
	if (hooks)
		trace->hooks = *hooks;
	if (open_trace(trace, err)) {
		lkst_trace_close(trace);
		return NULL;
	}
	return trace;
}

/**
 * lkst_trace_open() - open a trace file
 * @path: file; "-" is standard input
 * @hooks: whom to tell of damage and progress; may be NULL
 * @err: why it cannot be read at all
 *
 * A file that is damaged or cut off opens: what can be read of it is read.
 */
struct lkst_trace *lkst_trace_open(const char *path, const struct lkst_trace_hooks *hooks,
				   struct lkst_error *err)
{
	int fd;

	if (!strcmp(path, "-"))
		return new_trace(STDIN_FILENO, false, "standard input", hooks, err);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		lkst_error_system(err, errno, path, "open");
		return NULL;
	}
	return new_trace(fd, true, path, hooks, err);
}

/**
 * lkst_trace_open_fd() - open a trace that is on a file descriptor
 * @fd: stays the caller's, must stay open
 * @name: for errors
 * @hooks: as for lkst_trace_open()
 * @err: likewise
 */
struct lkst_trace *lkst_trace_open_fd(int fd, const char *name,
				      const struct lkst_trace_hooks *hooks,
				      struct lkst_error *err)
{
	return new_trace(fd, false, name, hooks, err);
}

static void close_cursor(struct cursor *c)
{
	free(c->data);
	free(c->key);
	c->data = NULL;
	c->key = NULL;
}

static void drop_cursors(struct lkst_trace *trace)
{
	for (size_t i = 0; trace->cursor && i < trace->streams; i++)
		close_cursor(&trace->cursor[i]);
	free(trace->cursor);
	free(trace->heap);
	trace->cursor = NULL;
	trace->heap = NULL;
	trace->heap_num = 0;
}

/**
 * lkst_trace_close() - close a trace
 * @trace: may be NULL
 */
void lkst_trace_close(struct lkst_trace *trace)
{
	if (!trace)
		return;
	drop_cursors(trace);
	for (size_t i = 0; i < trace->streams; i++)
		free(trace->stream[i].ref);
	free(trace->stream);
	free(trace->clock);
	free(trace->system);
	free(trace->etypes);
	lkst_names_free(trace->names);
	if (trace->own_fd)
		close(trace->fd);
	free(trace->name);
	free(trace);
}

/* ---- what the trace says about itself ---- */

/**
 * lkst_trace_etypes() - the event types of a trace
 * @trace: trace
 * @err: no memory
 *
 * Return: those of the file; where it has none that can be read, the embedded ones.
 */
struct lkst_etypes *lkst_trace_etypes(struct lkst_trace *trace, struct lkst_error *err)
{
	struct lkst_etypes *types = NULL;
	struct lkst_error why;

	if (trace->etypes)
		types = lkst_etypes_parse(trace->etypes, trace->etypes_len, "event types", &why);
	if (types)
		return types;
	report(trace, "no event types in the file that can be read%s%s: those of this tool are used",
	       trace->etypes ? ": " : "", trace->etypes ? why.text : "");
	return lkst_etypes_embedded(err);
}

/**
 * lkst_trace_system() - what the SYSTEM chunk says
 * @trace: trace
 * @key: for example "kernel"
 * @len: of the value
 *
 * Return: the value, not ended by 0; NULL when there is none.
 */
const char *lkst_trace_system(const struct lkst_trace *trace, const char *key, size_t *len)
{
	const char *line = trace->system;
	size_t key_len = strlen(key);

	while (line) {
		if (!strncmp(line, key, key_len) && line[key_len] == '=') {
			line += key_len + 1;
			*len = strcspn(line, "\n");
			return line;
		}
		line = strchr(line, '\n');
		line = line ? line + 1 : NULL;
	}
	return NULL;
}

/**
 * lkst_trace_names() - process names of a trace
 * @trace: keeps them
 */
struct lkst_names *lkst_trace_names(struct lkst_trace *trace)
{
	return trace->names;
}

/**
 * lkst_trace_has_cpu() - whether a trace has records of a CPU
 * @trace: trace
 * @cpu: CPU
 */
bool lkst_trace_has_cpu(const struct lkst_trace *trace, int32_t cpu)
{
	return cpu >= 0 && cpu < CPU_SET && (trace->cpus[cpu / 64] >> cpu % 64 & 1);
}

/**
 * lkst_trace_cpu_text() - the CPUs of a trace, as in "CPUs 0-3,6"
 * @trace: trace
 * @text: result
 * @size: of @text
 */
void lkst_trace_cpu_text(const struct lkst_trace *trace, char *text, size_t size)
{
	lkst_cpu_set_text(trace->cpus, CPU_SET, text, size);
}

/**
 * lkst_trace_records() - how many records a trace has
 * @trace: trace
 */
uint64_t lkst_trace_records(const struct lkst_trace *trace)
{
	return trace->records;
}

/**
 * lkst_trace_buffers() - how many buffers a trace has records of
 * @trace: trace
 */
size_t lkst_trace_buffers(const struct lkst_trace *trace)
{
	return trace->streams;
}

/**
 * lkst_trace_buffer() - a buffer of a trace
 * @trace: trace
 * @i: below lkst_trace_buffers()
 * @buffer: result
 */
void lkst_trace_buffer(const struct lkst_trace *trace, size_t i,
		       struct lkst_trace_buffer *buffer)
{
	*buffer = trace->stream[i].info;
}

/* ---- records, merged ---- */

/* Load the cursor's next chunk. Returns 1, 0 when there is none, -1 on an error. */
static int load(struct lkst_trace *trace, struct cursor *c, struct lkst_error *err)
{
	const struct stream *stream = c->stream;
	const struct chunk_ref *ref;
	size_t len;
	ssize_t n;

	if (!c->chunks_left) {
		close_cursor(c);
		return 0;
	}
	ref = &stream->ref[trace->order == LKST_OLDEST_FIRST ? stream->num - c->chunks_left :
							       c->chunks_left - 1];
	c->chunks_left--;
	if (!c->data)
		c->data = malloc(TRACE_CHUNK_RECORDS * stream->record_size);
	if (!c->key)
		c->key = malloc(TRACE_CHUNK_RECORDS * sizeof(*c->key));
	if (!c->data || !c->key) {
		lkst_error_memory(err, trace->name);
		return -1;
	}
	len = (size_t)ref->count * stream->record_size;
	n = read_at(trace, &c->head, sizeof(c->head), ref->offset - sizeof(c->head), err);
	if (n == sizeof(c->head))
		n = read_at(trace, c->data, len, ref->offset, err);
	if (n < 0)
		return -1;
	if ((size_t)n != len) {
		lkst_error_system(err, EIO, trace->name, "read (the file was changed meanwhile)");
		return -1;
	}
	if (trace->swapped)
		swap_buffer_header(&c->head);
	/* The file may be written to; what was checked stays what it was. */
	c->head.record_size = stream->record_size;
	c->head.cpu = stream->info.cpu;
	c->head.buffer = stream->info.id;
	c->count = ref->count;
	prepare(trace, c);
	c->at = trace->order == LKST_OLDEST_FIRST ? 0 : c->count - 1;
	c->now = c->key[c->at];
	return 1;
}

/* Go to the next record. Returns 1, 0 at the end of the stream, -1 on an error. */
static int advance(struct lkst_trace *trace, struct cursor *c, struct lkst_error *err)
{
	if (trace->order == LKST_OLDEST_FIRST ? c->at + 1 < c->count : c->at > 0) {
		c->at += trace->order == LKST_OLDEST_FIRST ? 1u : -1u;
		c->now = c->key[c->at];
		return 1;
	}
	return load(trace, c, err);
}

static bool before(const struct lkst_trace *trace, const struct cursor *a,
		   const struct cursor *b)
{
	bool older;

	if (a->now != b->now)
		older = a->now < b->now;
	else if (a->stream->info.cpu != b->stream->info.cpu)
		older = a->stream->info.cpu < b->stream->info.cpu;
	else
		older = a->stream < b->stream;
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
int lkst_trace_rewind(struct lkst_trace *trace, enum lkst_order order,
		      struct lkst_error *err)
{
	drop_cursors(trace);
	trace->order = order;
	trace->cursor = calloc(trace->streams + 1, sizeof(*trace->cursor));
	trace->heap = calloc(trace->streams + 1, sizeof(*trace->heap));
	if (!trace->cursor || !trace->heap) {
		lkst_error_memory(err, trace->name);
		return -1;
	}
	for (size_t i = 0; i < trace->streams; i++) {
		struct cursor *c = &trace->cursor[i];
		int ret;

		c->stream = &trace->stream[i];
		c->chunks_left = c->stream->num;
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
int lkst_trace_next(struct lkst_trace *trace, struct lkst_event *event,
		    struct lkst_error *err)
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
		hole = is_hole(c, c->at);
		if (!hole)
			get_event(trace, c, c->at, event);
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
