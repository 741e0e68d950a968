// SPDX-License-Identifier: LGPL-2.1
/*
 * Processes the payload of each type of chunk. Records in a trace file are STD (struct
 * lkst_log_record) or RAW (struct lkst_event_record, as in a buffer of the kernel).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chunk.h"
#include "clock.h"
#include "cursor.h"
#include "file_names.h"
#include "format.h"
#include "lib/base/error.h"
#include "lib/text/context.h"
#include "lib/text/files.h"
#include "lib/text/names.h"
#include "lib/text/symbols.h"
#include "lib/text/text.h"
#include "payload.h"
#include "reader.h"
#include "source.h"
#include "swap.h"
#include "unpack.h"

enum lkst_machine trace_machine_of(const char arch[16])
{
	if (!memcmp(arch, "x86_64", 7))
		return LKST_MACHINE_X86_64;
	if (arch[0] == 'i' && arch[1] >= '3' && arch[1] <= '6' && !memcmp(arch + 2, "86", 3))
		return LKST_MACHINE_I386;
	if (!memcmp(arch, "aarch64", 8))
		return LKST_MACHINE_ARM64;
	return LKST_MACHINE_OTHER;
}

static struct file_buffer *payload_stream_of(struct lkst_trace *trace, const struct source *source,
					     const struct lkst_records_header *header,
					     struct lkst_error *err)
{
	uint32_t index = (uint32_t)(source - trace->source);
	struct file_buffer *stream;

	for (size_t i = trace->streams; i-- > 0;) {
		stream = &trace->stream[i];
		if (stream->source != index)
			break;
		if (stream->info.cpu == header->cpu && stream->info.id == header->buffer &&
		    stream->record_size == header->record_size) {
			/* Recids went back, so this is another buffer with the same id. */
			if (!source->log && header->count &&
			    header->first_recid < stream->added_recid)
				break;
			return stream;
		}
	}
	stream = realloc(trace->stream, (trace->streams + 1) * sizeof(*stream));
	if (!stream) {
		lkst_error_memory(err, source->name);
		return NULL;
	}
	trace->stream = stream;
	stream += trace->streams++;
	memset(stream, 0, sizeof(*stream));
	stream->source = index;
	stream->info.cpu = header->cpu;
	stream->info.id = header->buffer;
	stream->record_size = header->record_size;
	stream->machine = trace_machine_of(header->arch);
	return stream;
}

static struct chunk_ref *payload_add_ref(struct lkst_trace *trace, const struct source *source,
					 struct lkst_error *err)
{
	if (trace->refs == trace->refs_room) {
		size_t room = trace->refs_room ? trace->refs_room * 2 : 64;
		struct chunk_ref *ref = realloc(trace->ref, room * sizeof(*ref));

		if (!ref) {
			lkst_error_memory(err, source->name);
			return NULL;
		}
		trace->ref = ref;
		trace->refs_room = room;
	}
	return &trace->ref[trace->refs++];
}

static int payload_add_chunk(struct lkst_trace *trace, struct source *source,
			     const struct cursor *c, struct file_buffer *stream,
			     const struct chunk_place *place, struct lkst_error *err)
{
	const struct lkst_records_header *header = &c->header;
	struct chunk_ref *ref;
	uint64_t records = 0, last;

	for (uint32_t i = 0; i < c->count; i++)
		records += !trace_is_hole(c, i);
	stream->info.clock = header->clock_kind;
	stream->info.recorded = header->recorded;
	stream->info.overwritten = header->overwritten;
	stream->info.dropped = header->dropped;
	stream->info.unfinished = header->unfinished;
	stream->info.records += records;
	source->records += records;
	if (!c->count)
		return 0;
	/* The recids of a log go back only where the previous lap begins. */
	source->previous_lap |= source->log && header->first_recid < stream->added_recid;
	stream->added_recid = header->first_recid;
	ref = payload_add_ref(trace, source, err);
	if (!ref)
		return -1;
	last = header->first_recid + c->count - 1;
	if (trace_recid(c, c->count - 1) > last)
		last = trace_recid(c, c->count - 1);
	*ref = (struct chunk_ref){
		.offset = place->offset,
		.length = place->present,
		.first_recid = header->first_recid,
		.last_recid = last,
		.checksum = place->chunk->payload_checksum,
		.count = c->count,
		.stream = (uint32_t)(stream - trace->stream),
		.compression = place->chunk->compression,
		.cut = place->cut,
	};
	return 0;
}

/* Return whether an event of this type may contain a name or the process of a thread. */
static bool payload_has_name(uint32_t type)
{
	return type <= LKST_ETYPE_PROCESS_STATE;
}

/* Return whether an event of this type contains a (clock, time) pair. */
static bool payload_has_sync(uint32_t type)
{
	return type == LKST_ETYPE_LKST_SYNC_TIME;
}

static bool payload_has_any(uint32_t type)
{
	return payload_has_name(type) || payload_has_sync(type);
}

/**
 * trace_payload_wanted() - select the event types whose records trace_payload() needs
 * @type: enum trace_chunk_type
 *
 * The records of most event types contain nothing to collect.
 */
trace_wanted_fn *trace_payload_wanted(unsigned int type)
{
	return type == TRACE_RECORDS_STD ? payload_has_any : payload_has_sync;
}

static void payload_add_cpu(struct lkst_trace *trace, int32_t cpu)
{
	if (cpu >= 0 && cpu < LKST_TRACE_CPUS)
		trace->cpus[cpu / 64] |= 1ull << cpu % 64;
}

/**
 * trace_learn_syncs() - collect the (clock, time) pairs in RAW records
 * @trace: trace
 * @c: chunk with the records
 * @err: set if an allocation fails
 *
 * Must be called before the times of the records are computed.
 */
int trace_learn_syncs(struct lkst_trace *trace, const struct cursor *c, struct lkst_error *err)
{
	struct lkst_event event;

	for (uint32_t i = 0; i < c->count; i++) {
		const struct lkst_event_record *r = (void *)c->data;

		if (!r[i].clock || r[i].event_type != LKST_ETYPE_LKST_SYNC_TIME)
			continue;
		event.recid = c->header.first_recid + i;
		memcpy(event.arg, r[i].arg, sizeof(event.arg));
		if (trace_add_sync(trace, c, &event)) {
			lkst_error_memory(err, "times");
			return -1;
		}
	}
	trace_set_offsets(trace, c);
	return 0;
}

/*
 * Collect the CPUs, event types, names and time pairs in the records of a chunk. The times of the
 * records must be known. The pairs of RAW chunks were added before, by trace_learn_syncs().
 */
static int payload_learn(struct lkst_trace *trace, struct cursor *c, struct chunk_ref *ref,
			 struct lkst_error *err)
{
	struct lkst_names *names = trace->boot[trace_boot_of(trace, c->stream)].names;
	struct lkst_event event;

	if (ref) {
		ref->first_ns = c->time[0].key;
		ref->latest_ns = c->time[c->count - 1].key;
		ref->oops = trace->oops;
	}
	payload_add_cpu(trace, c->header.cpu);
	for (uint32_t i = 0; i < c->count; i++) {
		const uint32_t type = trace_type(c, i);
		const int32_t cpu = trace_cpu(c, i);

		if (trace_is_hole(c, i))
			continue;
		if (c->header.cpu < 0)
			payload_add_cpu(trace, cpu);
		if (type < LKST_ETYPE_NUM)
			trace->types[type] = true;
		trace_count_oops_regs(&trace->oops, trace_recid(c, i), cpu, type);
		ref->regs |= type == LKST_ETYPE_OOPS_REGS;
		if (trace_is_raw(c) ? !payload_has_name(type) : !payload_has_any(type))
			continue;
		trace_get_event(trace, c, i, &event);
		if (type == LKST_ETYPE_LKST_SYNC_TIME) {
			if (!trace_add_sync(trace, c, &event))
				continue;
			lkst_error_memory(err, "times");
			return -1;
		}
		if (lkst_names_observe(names, &event)) {
			lkst_error_memory(err, "process names");
			return -1;
		}
	}
	return 0;
}

/**
 * trace_learn_raw() - collect the CPUs, event types and names in RAW records, and the changes of
 * descriptors in all records
 * @trace: trace whose lanes have been made, and whose time pairs have all been collected
 * @err: set on failure
 */
int trace_learn_raw(struct lkst_trace *trace, struct lkst_error *err)
{
	struct cursor c = { .floor_ns = INT64_MIN };
	int ret = -1;

	trace->oops.nth = LKST_NTH_UNKNOWN;
	for (size_t i = 0; i < trace->refs; i++) {
		struct chunk_ref *ref = &trace->ref[i];
		bool raw = trace->stream[ref->stream].record_size ==
			   sizeof(struct lkst_event_record);
		bool files = trace_files_wanted(trace, ref);
		int loaded;

		if (!raw && !files)
			continue;
		loaded = trace_load(trace, &c, ref, files ? NULL : payload_has_name, err);
		if (loaded < 0 || (loaded && raw && payload_learn(trace, &c, ref, err)) ||
		    (loaded && files && trace_files_learn(trace, &c, err)))
			goto out;
	}
	ret = 0;
out:
	trace_cursor_close(&c);
	return ret;
}

/*
 * Process the payload of a chunk with records. This may modify @payload. If the chunk is truncated,
 * @len is less than the length in the chunk header.
 */
static int payload_take_records(struct lkst_trace *trace, struct source *source, struct cursor *c,
				const struct chunk_place *place, uint8_t *payload, uint64_t len,
				struct lkst_error *err)
{
	const struct lkst_chunk_header *chunk = place->chunk;
	uint64_t whole = chunk->compression ? chunk->raw_length : chunk->length, room;
	struct lkst_records_header *header = &c->header;
	unsigned long long at = place->offset;
	struct file_buffer *stream;

	if (len < sizeof(*header)) {
		trace_report(trace, source, "truncated in the header of a buffer");
		return 0;
	}
	memcpy(header, payload, sizeof(*header));
	if (source->swapped)
		trace_swap_buffer_header(header);
	if ((header->record_size != sizeof(struct lkst_log_record) &&
	     header->record_size != sizeof(struct lkst_event_record)) ||
	    header->cpu < -1) {
		trace_report(trace, source, "records at byte %llu are of an unknown kind: skipped",
			     at);
		return 0;
	}
	room = (whole - sizeof(*header)) / header->record_size;
	if (header->count > room || header->count > LKST_CHUNK_RECORDS) {
		trace_report(trace, source,
			     "records at byte %llu: there is no room for %llu of them: skipped", at,
			     (unsigned long long)header->count);
		return 0;
	}
	room = (len - sizeof(*header)) / header->record_size;
	c->count = (uint32_t)(header->count < room ? header->count : room);
	if (c->count < header->count)
		trace_report(trace, source,
			     "truncated: CPU %d, buffer %d: of the last %llu records, %u are in the file",
			     header->cpu, header->buffer, (unsigned long long)header->count,
			     c->count);
	if (trace_cursor_open(c, c->count)) {
		lkst_error_memory(err, source->name);
		return -1;
	}
	c->data = payload + sizeof(*header);
	stream = payload_stream_of(trace, source, header, err);
	if (!stream)
		return -1;
	c->stream = stream;
	if (source->swapped)
		trace_swap_records(c);
	if (payload_add_chunk(trace, source, c, stream, place, err))
		return -1;
	if (trace_is_raw(c)) {
		payload_add_cpu(trace, header->cpu);
		return trace_learn_syncs(trace, c, err);
	}
	trace_prepare(trace, c);
	return payload_learn(trace, c, c->count ? &trace->ref[trace->refs - 1] : NULL, err);
}

static int payload_take_processes(struct lkst_trace *trace, const struct source *source,
				  const uint8_t *payload, uint64_t len, struct lkst_error *err)
{
	struct lkst_names *names = trace->boot[source->boot].names;

	for (; len >= sizeof(struct trace_process); len -= sizeof(struct trace_process)) {
		struct trace_process process;

		memcpy(&process, payload, sizeof(process));
		payload += sizeof(process);
		if (source->swapped) {
			TRACE_SWAP(process.tid);
			TRACE_SWAP(process.tgid);
		}
		process.name[sizeof(process.name) - 1] = 0;
		if (lkst_names_at_end(names, process.tid, process.name) ||
		    lkst_names_belongs(names, process.tid, process.tgid)) {
			lkst_error_memory(err, "process names");
			return -1;
		}
	}
	return 0;
}

static int payload_take_clocks(struct lkst_trace *trace, const struct source *source,
			       const uint8_t *payload, uint64_t len, struct lkst_error *err)
{
	size_t num = len / sizeof(struct trace_clock), all = trace->clocks + num;
	struct trace_clock *clock = realloc(trace->clock, (all + 1) * sizeof(*clock));
	uint32_t *boot;

	if (clock)
		trace->clock = clock;
	boot = clock ? realloc(trace->clock_boot, (all + 1) * sizeof(*boot)) : NULL;
	if (!boot) {
		lkst_error_memory(err, source->name);
		return -1;
	}
	trace->clock_boot = boot;
	memcpy(clock + trace->clocks, payload, num * sizeof(*clock));
	for (size_t i = trace->clocks; i < all; i++) {
		if (source->swapped)
			trace_swap_clock(&clock[i]);
		boot[i] = source->boot;
	}
	trace->clocks = all;
	return 0;
}

static int payload_keep_text(char **text, const uint8_t *payload, uint64_t len, const char *name,
			     struct lkst_error *err)
{
	char *copy = text_copy((const char *)payload, len);

	if (!copy) {
		lkst_error_memory(err, name);
		return -1;
	}
	free(*text);
	*text = copy;
	return 0;
}

/*
 * Return the length in bytes of the text in @payload. If the text is truncated (@cut), count only
 * complete lines.
 */
static uint64_t payload_whole_lines(const uint8_t *payload, uint64_t len, bool cut)
{
	while (cut && len && payload[len - 1] != '\n')
		len--;
	return len;
}

/* Add the symbols in a chunk. If they cannot be parsed, addresses are printed instead. */
static int payload_take_symbols(struct lkst_trace *trace, struct source *source,
				const uint8_t *payload, uint64_t len, struct lkst_error *err)
{
	struct lkst_context *context = &source->context;
	struct lkst_error why = { .code = LKST_ERR_FORMAT };
	bool first = !context->symbols;

	if (!len)
		return 0;
	source->symbols_len += len;
	if (source->symbols_len > TRACE_TEXT_MAX)
		snprintf(why.text, sizeof(why.text), "symbols: too many");
	else if (!first || (context->symbols = lkst_symbols_new()) != NULL) {
		if (!lkst_symbols_add(context->symbols, (const char *)payload, len, "symbols",
				      &why))
			return 0;
		if (first) {
			lkst_symbols_free(context->symbols);
			context->symbols = NULL;
		}
	} else {
		lkst_error_memory(&why, "symbols");
	}
	if (why.code != LKST_ERR_FORMAT) {
		if (err)
			*err = why;
		return -1;
	}
	if (!source->bad_symbols)
		trace_report(trace, source, "%s: addresses are shown", why.text);
	source->bad_symbols = true;
	return 0;
}

/* Add the files in a chunk. If they cannot be parsed, descriptors are printed without names. */
static int payload_take_files(struct lkst_trace *trace, struct source *source,
			      const uint8_t *payload, uint64_t len, struct lkst_error *err)
{
	struct lkst_files *files = trace->boot[source->boot].files;
	struct lkst_error why;

	if (!len || !lkst_files_add(files, (const char *)payload, len, &why))
		return 0;
	if (why.code != LKST_ERR_FORMAT) {
		if (err)
			*err = why;
		return -1;
	}
	if (!source->bad_files)
		trace_report(trace, source, "%s: descriptors are shown without names", why.text);
	source->bad_files = true;
	return 0;
}

static void payload_take_end(struct source *source, const uint8_t *payload, uint64_t len)
{
	struct trace_end end;

	source->end = true;
	source->previous_lap = source->log;
	source->end_records = UINT64_MAX;
	if (len < sizeof(end))
		return;
	memcpy(&end, payload, sizeof(end));
	if (source->swapped)
		TRACE_SWAP(end.records);
	source->end_records = end.records;
}

static int payload_take_loss(struct lkst_trace *trace, struct source *source,
			     const uint8_t *payload, uint64_t len, struct lkst_error *err)
{
	struct trace_loss loss;
	struct loss *grown;

	if (len < sizeof(loss))
		return 0;
	memcpy(&loss, payload, sizeof(loss));
	if (source->swapped) {
		TRACE_SWAP(loss.cpu);
		TRACE_SWAP(loss.first_recid);
		TRACE_SWAP(loss.number);
	}
	if (__builtin_add_overflow(source->lost, loss.number, &source->lost))
		source->lost = UINT64_MAX;
	grown = realloc(trace->loss, (trace->losses + 1) * sizeof(*grown));
	if (!grown) {
		lkst_error_memory(err, source->name);
		return -1;
	}
	trace->loss = grown;
	grown[trace->losses++] =
		(struct loss){ source->boot, loss.cpu, loss.first_recid, loss.number };
	return 0;
}

/**
 * trace_payload() - process the payload of a chunk
 * @trace: trace
 * @source: file of the chunk
 * @c: cursor to use for records
 * @place: the chunk; its checksum was correct, unless it is truncated
 * @payload: uncompressed payload
 * @len: length in bytes
 * @err: set on failure
 */
int trace_payload(struct lkst_trace *trace, struct source *source, struct cursor *c,
		  const struct chunk_place *place, uint8_t *payload, uint64_t len,
		  struct lkst_error *err)
{
	switch (place->chunk->type) {
	case TRACE_RECORDS_STD:
	case TRACE_RECORDS_RAW:
	case TRACE_RECORDS_LONG:
		return payload_take_records(trace, source, c, place, payload, len, err);
	case TRACE_PROCESSES:
		return payload_take_processes(trace, source, payload, len, err);
	case TRACE_CLOCK:
		return payload_take_clocks(trace, source, payload, len, err);
	case TRACE_SYSTEM:
		return payload_keep_text(&source->system, payload, len, source->name, err);
	case TRACE_ETYPES:
		/* An incomplete table would hide names that the embedded table has. */
		if (place->cut)
			return 0;
		/* The table in the previous lap is older than the table before it in the file. */
		if (source->previous_lap && source->etypes)
			return 0;
		source->etypes_len = len;
		return payload_keep_text(&source->etypes, payload, len, source->name, err);
	case TRACE_VALUES:
		len = payload_whole_lines(payload, len, place->cut);
		return len ? payload_keep_text(&source->values, payload, len, source->name, err) :
			     0;
	case TRACE_SYMBOLS:
		len = payload_whole_lines(payload, len, place->cut);
		return payload_take_symbols(trace, source, payload, len, err);
	case TRACE_FILES:
		len = payload_whole_lines(payload, len, place->cut);
		return payload_take_files(trace, source, payload, len, err);
	case TRACE_LOG:
		source->log |= !place->cut;
		return 0;
	case TRACE_LOSS:
		return place->cut ? 0 : payload_take_loss(trace, source, payload, len, err);
	case TRACE_END:
		if (!place->cut)
			payload_take_end(source, payload, len);
	}
	return 0;
}
