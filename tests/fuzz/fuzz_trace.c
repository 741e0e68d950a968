// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzzes the reader of trace files. An input is split into files, each of which begins with the
 * magic. They are read as one trace in both orders, and printed in all styles: first the buffers,
 * then the long rings. Before that, their checksums are corrected, except in files whose header is
 * marked to keep them (KEEP_CHECKSUMS in chunks.c).
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chunks.h"
#include "fuzz.h"
#include "lib/text/etypes.h"
#include "lib/text/format.h"
#include "lib/text/out.h"
#include "lib/trace/reader.h"
#include "lib/trace/select.h"
#include "lib/trace/summary.h"
#include "lib/trace/trace.h"

#define FILES_MAX 4
#define FORMATS	  5

static int null_fd = -1;
static FILE *null_file;

static size_t split(const uint8_t *data, size_t size, int fd[FILES_MAX])
{
	size_t num = 0, end;

	for (size_t at = 0; num < FILES_MAX && (!num || at < size); at = end) {
		end = num + 1 < FILES_MAX ? file_end(data, size, at) : size;
		fd[num++] = fuzz_file(data + at, end - at);
	}
	return num;
}

static struct lkst_trace *open_files(const int *fd, size_t num,
				     const struct lkst_trace_hooks *hooks, struct lkst_error *err)
{
	char name[FILES_MAX][32];
	const char *path[FILES_MAX];

	if (num == 1)
		return lkst_trace_open_fd(fd[0], "T", hooks, err);
	for (size_t i = 0; i < num; i++) {
		snprintf(name[i], sizeof(name[i]), "/proc/self/fd/%d", fd[i]);
		path[i] = name[i];
	}
	return lkst_trace_open_files(path, num, hooks, err);
}

static uint64_t hash_bytes(uint64_t h, const void *bytes, size_t size)
{
	const uint8_t *byte = bytes;

	for (size_t i = 0; i < size; i++)
		h = (h ^ byte[i]) * 0x100000001b3;
	return h;
}

/* Return a hash of an event. The sum of the hashes of all events does not depend on the order. */
static uint64_t hash(const struct lkst_event *event)
{
	struct lkst_event plain = *event;
	const struct lkst_payload *payload = event->payload;
	uint64_t h;

	plain.parts_before = 0;
	plain.payload = NULL;
	h = hash_bytes(0xcbf29ce484222325, &plain, sizeof(plain));
	if (!payload)
		return h;
	MUST(payload->size <= payload->bytes && payload->size <= LKST_CHAIN_BYTES_MAX);
	MUST(payload->cut || payload->size == payload->bytes);
	MUST(payload->parts_found <= payload->parts);
	h = hash_bytes(h, payload->data, payload->size);
	return hash_bytes(h, &payload->parts_found, sizeof(payload->parts_found));
}

/* Print an event in the styles that @nth selects, so that the styles take turns. */
static void print_event(struct lkst_format *format, const struct lkst_event *event, uint64_t nth)
{
	lkst_format_event(&format[nth % FORMATS], event);
	lkst_format_csv(&format[nth % 2], event);
	if (nth % 2)
		lkst_format_json(&format[0], event);
}

static uint64_t read_all(struct lkst_trace *trace, enum lkst_order order,
			 const struct lkst_etypes *types, uint64_t *sum)
{
	static const struct lkst_format_options opt[FORMATS] = {
		{ .verbose = true, .color = true },
		{ .epoch = true, .time = LKST_TIME_UTC },
		{ .time = LKST_TIME_RELATIVE, .zero_ns = 1 },
		{ .time = LKST_TIME_DELTA },
		{ .time = LKST_TIME_RAW },
	};
	struct lkst_format format[FORMATS];
	struct lkst_event event;
	struct lkst_error err = { 0 };
	struct lkst_out out;
	uint64_t num = 0;
	int ret;

	*sum = 0;
	MUST(!lkst_out_open(&out, null_fd, &err));
	for (size_t i = 0; i < FORMATS; i++)
		lkst_format_init(&format[i], &out, types, lkst_trace_context(trace), &opt[i]);
	if (lkst_trace_rewind(trace, order, &err)) {
		MUST_EXPLAIN(err);
		lkst_out_close(&out);
		return 0;
	}
	memset(&event, 0, sizeof(event));
	while ((ret = lkst_trace_next(trace, &event, &err)) > 0) {
		*sum += hash(&event);
		MUST(event.source < lkst_trace_sources(trace));
		if (event.cpu >= 0 && event.cpu < LKST_TRACE_CPUS)
			MUST(lkst_trace_has_cpu(trace, event.cpu));
		print_event(format, &event, num + order);
		num++;
		memset(&event, 0, sizeof(event));
	}
	if (ret)
		MUST_EXPLAIN(err);
	lkst_out_flush(&out);
	lkst_out_close(&out);
	return num;
}

static void query(struct lkst_trace *trace)
{
	static const char *const key[] = { "kernel", "cpus", "boot_id", "timezone", "" };
	struct lkst_trace_buffer buffer;
	struct lkst_error err = { 0 };
	char text[256];
	size_t len;

	for (size_t i = 0; i < sizeof(key) / sizeof(*key); i++)
		lkst_trace_system(trace, key[i], &len);
	for (size_t i = 0; i < lkst_trace_buffers(trace); i++)
		lkst_trace_buffer(trace, i, &buffer);
	lkst_trace_cpu_text(trace, text, sizeof(text));
	MUST(strlen(text) < sizeof(text));
	lkst_trace_growing(trace);
	for (uint32_t i = 0; i < lkst_trace_sources(trace); i++) {
		MUST(lkst_trace_source_context(trace, i));
		lkst_etypes_free(lkst_trace_source_etypes(trace, i, &err));
	}
}

static void read_trace(struct lkst_trace *trace)
{
	struct lkst_error err = { 0 };
	struct lkst_etypes *types = lkst_trace_etypes(trace, &err);
	struct lkst_selection selection;
	struct lkst_summary *summary;
	uint64_t newest, oldest, sum, sum2;

	MUST(types);
	query(trace);
	newest = read_all(trace, LKST_NEWEST_FIRST, types, &sum);
	oldest = read_all(trace, LKST_OLDEST_FIRST, types, &sum2);
	/*
	 * If two files contain a record with the same recid, the reader drops one of the two. In an
	 * invalid trace the two can differ, and the order determines which one is dropped. So the
	 * events must be the same in both orders only if there is a single file.
	 */
	if (lkst_trace_sources(trace) == 1) {
		MUST(newest == oldest);
		MUST(sum == sum2);
	}
	MUST(newest <= lkst_trace_records(trace));
	/* Now the reader returns the parts of chains as well, so each record is an event. */
	lkst_trace_keep_parts(trace, true);
	newest = read_all(trace, LKST_NEWEST_FIRST, types, &sum);
	oldest = read_all(trace, LKST_OLDEST_FIRST, types, &sum2);
	MUST(lkst_trace_sources(trace) > 1 || (newest == oldest && sum == sum2));
	lkst_trace_keep_parts(trace, false);
	newest = read_all(trace, LKST_NEWEST_FIRST, types, &sum);
	lkst_selection_init(&selection);
	summary = lkst_summary_count(trace, &selection, &err);
	if (summary) {
		MUST(summary->events == newest || lkst_trace_sources(trace) > 1);
		lkst_summary_print(summary, trace, types, -1, null_file);
	} else {
		MUST_EXPLAIN(err);
	}
	free(summary);
	lkst_etypes_free(types);
}

static void read_files(const int *fd, size_t num, unsigned long flags)
{
	unsigned int reports = 0;
	const struct lkst_trace_hooks hooks = { .ctx = &reports, .report = count_report,
						.flags = flags };
	struct lkst_error err = { 0 };
	struct lkst_trace *trace = open_files(fd, num, &hooks, &err);

	if (trace)
		read_trace(trace);
	else
		MUST_EXPLAIN(err);
	lkst_trace_close(trace);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size + 1);
	int fd[FILES_MAX];
	size_t num;

	if (null_fd < 0) {
		null_fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
		null_file = fopen("/dev/null", "we");
		MUST(null_fd >= 0 && null_file);
	}
	MUST(copy);
	memcpy(copy, data, size);
	sign_files(copy, size);
	num = split(copy, size, fd);
	read_files(fd, num, 0);
	read_files(fd, num, LKST_TRACE_LONG_RINGS);
	for (size_t i = 0; i < num; i++)
		close(fd[i]);
	free(copy);
	return 0;
}
