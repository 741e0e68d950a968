// SPDX-License-Identifier: LGPL-2.1
/* Reads the kernel's buffers into a trace. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "capture.h"
#include "files.h"
#include "history.h"
#include "lib/base/error.h"
#include "lib/device/call.h"
#include "lib/device/device.h"
#include "lib/device/messages.h"
#include "lib/device/run.h"
#include "lib/text/addresses.h"
#include "lib/text/etypes.h"
#include "lib/text/kallsyms.h"
#include "lib/trace/messages.h"
#include "lib/trace/trace.h"
#include "lib/trace/write.h"
#include "messages.h"
#include "snapshot.h"
#include "stream.h"
#include "system_values.h"

#define ROOM	(1 << 20) /* bytes to read in one call */
#define WAIT_MS 100 /* ms between two attempts to read an unfinished record */
#define WAITS	20 /* attempts; the kernel skips an unfinished record after a second */

static int capture_write_system(struct lkst_trace_writer *writer, uint32_t cpus,
				struct lkst_error *err)
{
	char text[SNAPSHOT_SYSTEM_MAX];

	snapshot_system(cpus, text);
	return lkst_trace_write_system(writer, text, err);
}

/* Progress of reading, in bytes of buffers. */
struct progress {
	uint64_t done;
	uint64_t total;
};

/*
 * State of a capture: its options, its output, the code addresses in the records, and the history
 * of the CPU whose buffers are being read.
 */
struct sink {
	const struct lkst_capture *options;
	struct lkst_trace_writer *writer;
	struct lkst_addresses *addresses;
	struct progress progress;
	struct lkst_device *dev;
	struct lkst_stream *stream; /* reads the buffers of this CPU */
	struct live_history history;
	struct trace_history_parts unfinished; /* records that were left out between the chunks */
	bool joined; /* the records of the buffers follow those of the history in the trace */
};

/* Write the event types, and set up @sink->addresses, which depends on them. */
static int capture_write_etypes(struct sink *sink, struct lkst_error *err)
{
	const char *path = sink->options->etypes_path;
	struct lkst_etypes *types;
	char *text = NULL;
	size_t len;
	int ret = -1;

	types = path ? lkst_etypes_load(path, err) : lkst_etypes_system(err);
	if (types)
		text = lkst_etypes_text(types, &len, err);
	if (text)
		sink->addresses = lkst_addresses_new(types, err);
	if (sink->addresses)
		ret = lkst_trace_write_etypes(sink->writer, text, len, err);
	free(text);
	lkst_etypes_free(types);
	return ret;
}

static int capture_write_values(const struct sink *sink, struct lkst_error *err)
{
	size_t len;
	char *text = lkst_values_system(sink->options->root, &len, err);
	int ret = text ? lkst_trace_write_values(sink->writer, text, len, err) : -1;

	free(text);
	return ret;
}

/* Write the symbols of the addresses in the records. Called after the records are written. */
static int capture_write_symbols(const struct sink *sink, struct lkst_error *err)
{
	const char *root = sink->options->root;
	char path[PATH_MAX], *text;
	size_t len;
	int ret;

	if (sink->options->no_symbols)
		return 0;
	snprintf(path, sizeof(path), "%s%s", root ? root : "", LKST_SYMBOLS_PATH);
	text = lkst_addresses_resolve(sink->addresses, path, &len, err);
	ret = text ? lkst_trace_write_symbols(sink->writer, text, len, err) : -1;
	free(text);
	return ret;
}

static int capture_write_processes(struct lkst_trace_writer *writer, struct lkst_error *err)
{
	size_t num;
	struct lkst_process *process = snapshot_processes(&num, err);
	int ret = process ? lkst_trace_write_processes(writer, process, num, err) : -1;

	free(process);
	return ret;
}

/*
 * Write the command lines and descriptors of the processes. Call this before the records are read,
 * so that the trace has all records that were made until this call returns: lib/text/files.c
 * compares the descriptors with these records. If only some buffers are read, their records do not
 * show all changes of descriptors, so the descriptors are left out.
 */
static int capture_write_files(struct lkst_device *dev, const struct sink *sink,
			       struct lkst_error *err)
{
	const struct lkst_capture *options = sink->options;
	struct live_files files = {
		.root = options->root,
		.no_names = options->cpu >= 0 || options->id >= 0 || options->max,
	};
	char *text, problem[256];
	size_t len;
	int ret;

	if (options->no_files || options->static_buffer)
		return 0;
	text = live_files_text(&files, dev, &len, err);
	ret = text ? lkst_trace_write_files(sink->writer, text, len, err) : -1;
	if (!ret && options->notice && live_files_problem(&files, problem, sizeof(problem)))
		options->notice(options->ctx, problem);
	free(text);
	return ret;
}

/* ---- buffers ---- */

static bool capture_is_stopped(const struct lkst_capture *options)
{
	return options->stop && *options->stop;
}

/*
 * Report progress. @done is the number of bytes read from the current buffer. The reported number
 * is limited to the expected total, which does not include records that were added meanwhile.
 */
static void capture_show_progress(const struct sink *sink, uint64_t done)
{
	const struct lkst_capture *options = sink->options;
	const struct progress *progress = &sink->progress;

	done += progress->done;
	if (options->progress)
		options->progress(options->ctx, done < progress->total ? done : progress->total,
				  progress->total);
}

static bool capture_is_selected(const struct lkst_capture *options,
				const struct lkst_buffer_listent *ent)
{
	return options->id < 0 || ent->id == options->id;
}

/*
 * Return how many bytes to read from a buffer: the size of its records, limited by @options->max.
 */
static uint64_t capture_expected(const struct lkst_capture *options,
				 const struct lkst_buffer_listent *ent)
{
	uint64_t room = ent->size / LKST_SIZEOF_LKST_EVENT_RECORD;
	uint64_t held = (uint64_t)ent->baseid + ent->write_offset - ent->first_recid;

	if (held > room)
		held = room;
	if (options->max && held > options->max)
		held = options->max;
	return held * LKST_SIZEOF_LKST_EVENT_RECORD;
}

static int capture_static(struct lkst_device *dev, struct sink *sink,
			  const struct lkst_status *status, struct lkst_error *err)
{
	uint64_t num = status->trc.static_buffer_size / LKST_SIZEOF_LKST_EVENT_RECORD;
	struct lkst_log_buffer buffer = { .cpu = -1, .id = LKST_BUFFER_ID_VOID };
	struct lkst_log_record *record;
	int ret = -1;

	if (sink->options->max && sink->options->max < num)
		num = sink->options->max;
	record = calloc(num + 1, sizeof(*record));
	if (!record) {
		lkst_error_memory(err, "the static buffer");
		return -1;
	}
	buffer.read_size = num * sizeof(*record);
	buffer.buffer = address(record);
	if (!lkst_buffer_read(dev, &buffer, err)) {
		num = buffer.result_read_size / sizeof(*record);
		ret = lkst_trace_write_records(sink->writer, &buffer, record, num, err);
		if (!ret && !sink->options->no_symbols)
			ret = lkst_addresses_add(sink->addresses, record, num, err);
	}
	free(record);
	return ret;
}

/*
 * Return the next run like lkst_stream_next(), but wait while a record that is not yet finished
 * delays the next block.
 */
static int capture_next_run(const struct sink *sink, struct lkst_stream *stream,
			    struct lkst_run *run, struct lkst_error *err)
{
	struct pollfd poll_for = { .fd = lkst_stream_fd(stream), .events = POLLIN };
	int ret = lkst_stream_next(stream, run, err);

	for (int i = 0; !ret && i < WAITS && !capture_is_stopped(sink->options); i++) {
		poll(&poll_for, 1, WAIT_MS);
		ret = lkst_stream_next(stream, run, err);
	}
	return ret;
}

/*
 * State while a buffer is being read. Recids from @next up to, but not including, @end are yet to
 * be read. @end was the recid of the next event when the buffers were listed, or is the recid of
 * the first record in the next chunk of the history.
 */
struct reading {
	const struct lkst_buffer_listent *ent;
	uint64_t next;
	uint64_t end;
	uint64_t max; /* number of records still to read */
	uint64_t read;
	uint64_t unfinished;
	bool fills; /* the records are older than some of the history */
	struct lkst_run last; /* last run, with the readings of its clock */
};

/* Return the recid of the first record that was dropped or is unfinished before a run. */
static uint64_t capture_begin(const struct lkst_run *run)
{
	return run->first_recid - run->dropped - run->unfinished;
}

/*
 * If events are missing between the history and @run, which is from the buffers, write how many.
 * The counters of the buffers say what is missing between their own records.
 */
static int capture_join(struct sink *sink, const struct reading *reading,
			const struct lkst_run *run, struct lkst_error *err)
{
	const struct live_history *history = &sink->history;
	uint64_t begin = capture_begin(run);

	if (sink->joined || !history->parts.num)
		return 0;
	sink->joined = !reading->fills;
	return begin > history->next ? lkst_trace_write_loss(sink->writer, run->cpu, history->next,
							     begin - history->next, err) :
				       0;
}

/* Note which records of a run were written between two chunks of the history. */
static int capture_note(struct sink *sink, const struct lkst_run *run, struct lkst_error *err)
{
	const struct trace_history_part part = {
		.first = run->first_recid,
		.end = run->first_recid + run->num,
		.events = run->num,
		.buffer = run->buffer,
	}, unfinished = {
		.first = capture_begin(run),
		.end = run->first_recid,
		.events = run->unfinished,
		.buffer = run->buffer,
	};

	if ((run->num && trace_history_add(&sink->history.parts, &part, err)) ||
	    (run->unfinished && trace_history_add(&sink->unfinished, &unfinished, err)))
		return -1;
	if (run->num)
		sink->history.next = part.end;
	return 0;
}

/*
 * Write those records of a run that belong to the session that is being read. Returns 1 to
 * continue, 0 at the end, -1 on error.
 */
static int capture_write_run(struct sink *sink, struct reading *reading, struct lkst_run *run,
			     struct lkst_error *err)
{
	uint64_t begin = capture_begin(run), left = 0;

	/*
	 * If the run is from another buffer or a later session, the remaining records of this
	 * session were overwritten.
	 */
	if (run->buffer != reading->ent->id || begin >= reading->end) {
		reading->next = reading->end;
		return 0;
	}
	reading->unfinished += run->unfinished;
	if (run->first_recid < reading->end)
		left = reading->end - run->first_recid;
	if (run->num > left)
		run->num = left;
	if (run->num > reading->max)
		run->num = reading->max;
	if (run->num && (capture_join(sink, reading, run, err) ||
			 lkst_trace_write_run(sink->writer, run, err) ||
			 (!sink->options->no_symbols &&
			  lkst_addresses_add_raw(sink->addresses, run->record, run->num, err))))
		return -1;
	if (reading->fills && capture_note(sink, run, err))
		return -1;
	reading->last = *run;
	reading->next = left ? run->first_recid + run->num : reading->end;
	reading->read += run->num;
	reading->max -= run->num;
	return reading->next < reading->end && reading->max;
}

/*
 * Write the counters of the buffer. Only events before @reading->next count as overwritten. Events
 * in the history count as read. Those of earlier sessions are in the same buffer of the trace.
 */
static int capture_write_counts(const struct sink *sink, const struct reading *reading,
				struct lkst_error *err)
{
	const struct lkst_buffer_listent *ent = reading->ent;
	uint64_t passed = reading->next - ent->first_recid;
	const struct trace_history_parts *parts = &sink->history.parts;
	uint64_t kept = trace_history_events(parts, ent->id, ent->first_recid, reading->next);
	uint64_t earlier = trace_history_events(parts, ent->id, 0, ent->first_recid);
	uint64_t unfinished =
		reading->unfinished +
		trace_history_events(&sink->unfinished, ent->id, ent->first_recid, reading->next);
	uint64_t known = reading->read + kept + ent->dropped + unfinished;
	const struct lkst_trace_buffer counts = {
		.recorded = reading->end - ent->first_recid + earlier,
		.overwritten = passed > known ? passed - known : 0,
		.dropped = ent->dropped,
		.unfinished = unfinished,
	};

	return lkst_trace_write_counts(sink->writer, &reading->last, &counts, err);
}

/* Read records of a buffer: those from recid @reading->next to @reading->end - 1. */
static int capture_read(struct sink *sink, struct reading *reading, struct lkst_error *err)
{
	struct lkst_run run;
	int ret = reading->next < reading->end;

	if (lkst_stream_seek(sink->stream, reading->last.cpu, reading->next, err) ||
	    lkst_stream_flush(sink->stream, err))
		return -1;
	while (ret > 0 && !capture_is_stopped(sink->options)) {
		ret = capture_next_run(sink, sink->stream, &run, err);
		if (ret > 0)
			ret = capture_write_run(sink, reading, &run, err);
		if (!reading->fills)
			capture_show_progress(sink, reading->read * LKST_SIZEOF_LKST_EVENT_RECORD);
	}
	return ret < 0 ? -1 : 0;
}

static struct reading capture_begin_buffer(const struct sink *sink, int32_t cpu,
					   const struct lkst_buffer_listent *ent)
{
	return (struct reading){
		.ent = ent,
		.next = ent->first_recid,
		.end = (uint64_t)ent->baseid + ent->write_offset,
		.max = sink->options->max ? sink->options->max : UINT64_MAX,
		.last = { .cpu = cpu,
			  .buffer = ent->id,
			  .clock = ent->clock,
			  .monotonic_ns = INT64_MIN },
	};
}

static int capture_buffer(struct sink *sink, int32_t cpu, const struct lkst_buffer_listent *ent,
			  struct lkst_error *err)
{
	struct reading reading = capture_begin_buffer(sink, cpu, ent);

	/* Skip records that the history contains: they have been written. */
	if (reading.next < sink->history.next)
		reading.next = sink->history.next < reading.end ? sink->history.next : reading.end;
	if (capture_read(sink, &reading, err))
		return -1;
	sink->progress.done += capture_expected(sink->options, ent);
	return capture_write_counts(sink, &reading, err);
}

/*
 * The next chunk of the history begins with the recid @end. Write the older records that are in the
 * buffers, but not in the history: those older than the history, those of damaged chunks, and those
 * of chunks that were overwritten after the previous chunk was read. Returns 1 if the capture was
 * stopped.
 */
static int capture_fill(void *ctx, uint64_t end, struct lkst_error *err)
{
	struct sink *sink = ctx;
	struct live_history *history = &sink->history;
	struct lkst_buffer_list list;
	int ret = 0;

	if (lkst_buffer_list_by_age(sink->dev, history->cpu, &list, err))
		return -1;
	for (int i = 0; !ret && i < list.param.buffer_num; i++) {
		const struct lkst_buffer_listent *ent = &list.ent[i];
		struct reading reading = capture_begin_buffer(sink, history->cpu, ent);
		uint64_t room = ent->size / LKST_SIZEOF_LKST_EVENT_RECORD;

		reading.fills = true;
		/* Do not wait for records that were certainly overwritten. */
		if (reading.end - reading.next > room)
			reading.next = reading.end - room;
		if (reading.next < history->next)
			reading.next = history->next;
		if (reading.end > end)
			reading.end = end;
		if (reading.next < reading.end)
			ret = capture_read(sink, &reading, err);
	}
	lkst_buffer_list_free(&list);
	return ret ? ret : capture_is_stopped(sink->options);
}

/* Options that select buffers or limit the number of records leave out the history as well. */
static bool capture_without_history(const struct lkst_capture *options)
{
	return options->no_history || options->id >= 0 || options->max;
}

/*
 * Write the history of a CPU, and the records of its buffers that are missing between the chunks.
 * The kernel adds records of the buffers to the history until the buffers are read, so this must
 * come immediately before.
 */
static int capture_history(struct sink *sink, int32_t cpu, struct lkst_error *err)
{
	struct live_history *history = &sink->history;
	int ret = 1;

	sink->joined = false;
	trace_history_free(&sink->unfinished);
	live_history_begin(history, cpu);
	if (capture_without_history(sink->options))
		return 0;
	while (ret > 0 && !capture_is_stopped(sink->options)) {
		ret = live_history_next(history, err);
		capture_show_progress(sink, history->bytes);
	}
	sink->progress.done += history->bytes;
	return ret < 0 ? -1 : 0;
}

/* Note whether the history of a CPU was left out although it has events. */
static void capture_older(struct sink *sink, const struct lkst_buffer_list *list)
{
	struct lkst_capture_older *older = sink->options->older;
	uint32_t cpu = (uint32_t)list->param.cpu;
	struct lkst_history_status status;

	if (!older || cpu >= LKST_TRACE_CPUS ||
	    lkst_history_status_get(sink->dev, list->param.cpu, &status, NULL) || !status.chunks)
		return;
	older->cpus[cpu / 64] |= 1ULL << cpu % 64;
	older->num++;
	older->several |= list->param.buffer_num != 1;
}

/* Say which parts of the histories could not be read. */
static void capture_history_notice(const struct sink *sink)
{
	const struct lkst_capture *options = sink->options;
	const struct live_history *history = &sink->history;
	char text[sizeof(history->why.text) + 64];

	if (!options->notice)
		return;
	if (history->failed) {
		snprintf(text, sizeof(text), MSG_HISTORY_FAILED, history->why.text);
		options->notice(options->ctx, text);
	}
	if (history->damaged) {
		snprintf(text, sizeof(text), MSG_HISTORY_DAMAGED,
			 (unsigned long long)history->damaged);
		options->notice(options->ctx, text);
	}
}

/* Read the requested buffers of a CPU. Returns the number of buffers read; -1 on error. */
static int capture_cpu(struct lkst_device *dev, struct sink *sink, int32_t cpu,
		       struct lkst_error *err)
{
	struct lkst_buffer_list list;
	int found = 0;

	sink->stream = lkst_stream_new(device_reopen(dev, err), cpu, ROOM, err);
	if (!sink->stream || capture_history(sink, cpu, err) ||
	    lkst_buffer_list_by_age(dev, cpu, &list, err)) {
		lkst_stream_close(sink->stream);
		return -1;
	}
	capture_older(sink, &list);
	for (int i = 0; i < list.param.buffer_num && !capture_is_stopped(sink->options); i++) {
		if (!capture_is_selected(sink->options, &list.ent[i]))
			continue;
		found++;
		if (capture_buffer(sink, cpu, &list.ent[i], err)) {
			found = -1;
			break;
		}
	}
	lkst_buffer_list_free(&list);
	lkst_stream_close(sink->stream);
	return found;
}

static int capture_no_buffer(const struct lkst_capture *options, struct lkst_error *err)
{
	char where[32] = "any CPU";

	if (options->cpu >= 0)
		snprintf(where, sizeof(where), "CPU %d", options->cpu);
	if (options->id >= 0) {
		lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_NO_BUFFER, (long)options->id, where);
		return -1;
	}
	return 0;
}

/* Return the number of bytes to read from a CPU, or -1 on error. */
static int64_t capture_cpu_expected(struct lkst_device *dev, const struct lkst_capture *options,
				    int32_t cpu, struct lkst_error *err)
{
	struct lkst_history_status history;
	struct lkst_buffer_list list;
	uint64_t bytes = 0;

	if (lkst_buffer_list_get(dev, cpu, &list, err))
		return -1;
	for (int i = 0; i < list.param.buffer_num; i++)
		if (capture_is_selected(options, &list.ent[i]))
			bytes += capture_expected(options, &list.ent[i]);
	lkst_buffer_list_free(&list);
	if (!capture_without_history(options) && !lkst_history_status_get(dev, cpu, &history, NULL))
		bytes += history.used;
	return (int64_t)bytes;
}

static int capture_cpus(struct lkst_device *dev, struct sink *sink,
			const struct lkst_status *status, struct lkst_error *err)
{
	const struct lkst_capture *options = sink->options;
	int32_t begin = options->cpu >= 0 ? options->cpu : 0;
	int32_t end = options->cpu >= 0 ? begin + 1 : (int32_t)status->trc.cpu_num;
	int found = 0;

	for (int32_t cpu = begin; cpu < end; cpu++) {
		int64_t bytes = capture_cpu_expected(dev, options, cpu, err);

		if (bytes < 0)
			return -1;
		sink->progress.total += (uint64_t)bytes;
	}
	sink->history.dev = dev;
	sink->history.writer = sink->writer;
	sink->history.addresses = options->no_symbols ? NULL : sink->addresses;
	sink->history.fill = capture_fill;
	sink->history.ctx = sink;
	if (live_history_open(&sink->history, err))
		return -1;
	for (int32_t cpu = begin; cpu < end && !capture_is_stopped(options); cpu++) {
		int n = capture_cpu(dev, sink, cpu, err);

		if (n < 0)
			return -1;
		found += n;
	}
	capture_history_notice(sink);
	return found || capture_is_stopped(options) ? 0 : capture_no_buffer(options, err);
}

static int capture_records(struct lkst_device *dev, struct sink *sink,
			   const struct lkst_status *status, struct lkst_error *err)
{
	return sink->options->static_buffer ? capture_static(dev, sink, status, err) :
					      capture_cpus(dev, sink, status, err);
}

/* ---- long rings ---- */

#define LONG_ROOM (1 << 16) /* size of the memory at first, in records */

/*
 * Read the long ring of a CPU into @ring, whose members @buffer and @read_size this function sets.
 * The caller frees the memory. Returns 1; 0 if the CPU has no long ring; -1 on error.
 */
static int capture_long_read(struct lkst_device *dev, int32_t cpu, struct lkst_log_buffer *ring,
			     struct lkst_error *err)
{
	struct lkst_error why;
	uint64_t num = LONG_ROOM;
	void *memory = NULL;

	for (;;) {
		void *more = realloc(memory, num * LKST_SIZEOF_LKST_EVENT_RECORD);

		*ring = (struct lkst_log_buffer){ .cpu = cpu, .id = LKST_BUFFER_ID_LONG };
		ring->buffer = address(more ? more : memory);
		if (!more) {
			lkst_error_memory(err, "a long ring");
			return -1;
		}
		memory = more;
		ring->read_size = num * LKST_SIZEOF_LKST_EVENT_RECORD;
		if (lkst_buffer_read(dev, ring, &why)) {
			if (why.sys_errno == EINVAL)
				return 0;
			if (err)
				*err = why;
			return -1;
		}
		if (ring->result_read_size < ring->read_size)
			return 1;
		num *= 2;
	}
}

static int capture_long_write(struct sink *sink, const struct lkst_log_buffer *ring,
			      struct lkst_error *err)
{
	struct lkst_run run = {
		.cpu = ring->cpu,
		.buffer = LKST_BUFFER_ID_LONG,
		.clock = ring->clock,
		.record = (void *)(uintptr_t)ring->buffer,
		.num = ring->result_read_size / LKST_SIZEOF_LKST_EVENT_RECORD,
		.xtime_ns = ring->xtime.tv_sec * 1000000000 + ring->xtime.tv_usec * 1000,
		.tsc = ring->tsc,
		.freq_khz = ring->cpu_freq,
		/* The clock of a long ring is the monotonic clock. */
		.monotonic_ns = (int64_t)ring->tsc,
	};
	const struct lkst_trace_buffer counts = {
		.recorded = ring->recorded,
		.overwritten = ring->overwritten,
		.dropped = ring->dropped,
		.unfinished = ring->unfinished,
	};

	memcpy(run.arch, ring->arch, sizeof(run.arch));
	run.first_recid = ring->first_recid + ring->recorded - run.num;
	if (lkst_trace_write_run(sink->writer, &run, err) ||
	    (!sink->options->no_symbols &&
	     lkst_addresses_add_raw(sink->addresses, run.record, run.num, err)))
		return -1;
	return lkst_trace_write_counts(sink->writer, &run, &counts, err);
}

/* Write the long rings. They are left out if the options select buffers, or limit the records. */
static int capture_long_rings(struct lkst_device *dev, struct sink *sink,
			      const struct lkst_status *status, struct lkst_error *err)
{
	const struct lkst_capture *options = sink->options;
	struct lkst_log_buffer ring;
	int ret = 0;

	if (options->no_long_rings || options->static_buffer || options->id >= 0 || options->max)
		return 0;
	for (int32_t cpu = 0; cpu < (int32_t)status->trc.cpu_num; cpu++) {
		if ((options->cpu >= 0 && cpu != options->cpu) || capture_is_stopped(options))
			continue;
		ret = capture_long_read(dev, cpu, &ring, err);
		if (ret > 0)
			ret = capture_long_write(sink, &ring, err);
		free((void *)(uintptr_t)ring.buffer);
		if (ret < 0)
			return -1;
	}
	return 0;
}

/**
 * lkst_capture() - read the kernel's buffers into a trace
 * @dev: device
 * @options: which buffers and records
 * @writer: the caller commits or aborts it
 * @err: set on failure; LKST_ERR_INTERRUPTED: @options->stop was set; the trace is valid, and holds
 *	the records that were read before
 */
int lkst_capture(struct lkst_device *dev, const struct lkst_capture *options,
		 struct lkst_trace_writer *writer, struct lkst_error *err)
{
	struct sink sink = { .options = options, .writer = writer, .dev = dev };
	struct lkst_status status;
	int ret = -1;

	if (lkst_status_get(dev, &status, err))
		return -1;
	/* Write the metadata first, so that a truncated trace still contains it. */
	if ((options->cpu >= 0 && lkst_cpu_check(options->cpu, status.trc.cpu_num, err)) ||
	    capture_write_system(writer, status.trc.cpu_num, err) ||
	    capture_write_etypes(&sink, err) || capture_write_values(&sink, err) ||
	    capture_write_processes(writer, err) || capture_write_files(dev, &sink, err) ||
	    capture_records(dev, &sink, &status, err) ||
	    capture_long_rings(dev, &sink, &status, err) || capture_write_symbols(&sink, err) ||
	    lkst_trace_write_end(writer, err))
		goto out;
	if (capture_is_stopped(options))
		lkst_error_set(err, LKST_ERR_INTERRUPTED, MSG_INTERRUPTED, "the trace");
	else
		ret = 0;
out:
	live_history_close(&sink.history);
	trace_history_free(&sink.unfinished);
	lkst_addresses_free(sink.addresses);
	lkst_status_free(&status);
	return ret;
}
