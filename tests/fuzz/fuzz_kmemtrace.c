// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzzes the reader of files of kmemtrace. An input is read as the file of one CPU, and its halves
 * are read as the files of two CPUs.
 */
#include <stdio.h>
#include <string.h>

#include "fuzz.h"
#include "lib/base/error.h"
#include "lib/base/file_kind.h"
#include "lib/base/kmemtrace_event.h"
#include "lib/trace/kmemtrace.h"
#include "lib/trace/trace.h"
#include "lib/trace/write.h"

#define FILES_MAX 2

/*
 * Count the events up to the first bytes that are not an event, and set @end to the offset of these
 * bytes.
 */
static uint64_t count_events(const uint8_t *data, size_t size, size_t *end)
{
	bool swapped = kmemtrace_order(data, size) == KMEMTRACE_SWAPPED;
	struct kmemtrace_event event;
	uint64_t num = 0;

	for (*end = 0; *end < size; *end += event.size, num++)
		if (kmemtrace_event_get(data + *end, size - *end, swapped, &event) !=
		    KMEMTRACE_KNOWN)
			break;
	return num;
}

/* Read the trace. The times must not go back, and the recids of a CPU must increase. */
static void check_trace(int fd, uint64_t at_least, uint64_t at_most, bool damaged)
{
	uint64_t num = 0, recid[FILES_MAX] = { 0 };
	struct lkst_error err = { 0 };
	struct lkst_trace *trace = lkst_trace_open_fd(fd, "T", NULL, &err);
	struct lkst_event event;
	int ret;

	MUST(trace);
	MUST(lkst_trace_incomplete(trace) == damaged);
	MUST(!lkst_trace_rewind(trace, LKST_OLDEST_FIRST, &err));
	while ((ret = lkst_trace_next(trace, &event, &err)) > 0) {
		MUST(event.cpu >= 0 && event.cpu < FILES_MAX);
		MUST(event.recid > recid[event.cpu]);
		recid[event.cpu] = event.recid;
		num++;
	}
	MUST(!ret);
	MUST(num == lkst_trace_records(trace));
	MUST(num >= at_least && num <= at_most);
	MUST(damaged || num == at_least);
	lkst_trace_close(trace);
}

static void read_files(const uint8_t *const *data, const size_t *size, size_t num)
{
	uint64_t known = 0, most = 0;
	unsigned int reports = 0;
	const struct lkst_trace_hooks hooks = { .ctx = &reports, .report = count_report };
	struct lkst_error err = { 0 };
	struct lkst_trace_writer *writer;
	char name[FILES_MAX][32];
	const char *path[FILES_MAX];
	const struct kmemtrace_files files = { .path = path, .num = num, .hooks = &hooks };
	int fd[FILES_MAX], to = fuzz_file(NULL, 0);
	size_t end;

	for (size_t i = 0; i < num; i++) {
		fd[i] = fuzz_file(data[i], size[i]);
		snprintf(name[i], sizeof(name[i]), "/proc/self/fd/%d", fd[i]);
		path[i] = name[i];
		known += count_events(data[i], size[i], &end);
		most += size[i] / KMEMTRACE_CORE;
	}
	writer = lkst_trace_writer_fd(to, "trace", &err);
	MUST(writer);
	if (kmemtrace_trace(&files, writer, &err)) {
		MUST_EXPLAIN(err);
	} else {
		/* One report for each file says that its name has no CPU. */
		MUST(reports >= num);
		check_trace(to, known, most, reports > num);
	}
	lkst_trace_writer_abort(writer);
	for (size_t i = 0; i < num; i++)
		close(fd[i]);
	close(to);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t half = size / 2 / KMEMTRACE_CORE * KMEMTRACE_CORE;

	file_kind(data, size < 32 ? size : 32);
	read_files(&data, &size, 1);
	read_files((const uint8_t *const[]){ data, data + half },
		   (const size_t[]){ half, size - half }, 2);
	return 0;
}
