// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/crc32c.h"
#include "room.h"
#include "sample.h"
#include "tap.h"
#include "trace_case.h"

struct lkst_event *events;
char reports[REPORTS_MAX];

static void __attribute__((constructor)) have_events(void)
{
	events = room(EVENTS_MAX * sizeof(*events));
}

static void add_report(void *ctx, const char *text)
{
	(void)ctx;
	strncat(reports, text, sizeof(reports) - strlen(reports) - 2);
	strcat(reports, "\n");
}

const struct lkst_trace_hooks hooks = { .report = add_report };

/* Opens; what is reported meanwhile and later is in reports. */
struct lkst_trace *open_fd(int fd)
{
	struct lkst_error err = { 0 };
	struct lkst_trace *trace;

	reports[0] = 0;
	trace = lkst_trace_open_fd(fd, "T", &hooks, &err);
	ck_assert_msg(trace != NULL, "%s", err.text);
	return trace;
}

/* All of it to events; returns how many. */
size_t read_all(struct lkst_trace *trace, enum lkst_order order)
{
	struct lkst_error err;
	size_t num = 0;
	int ret;

	ck_assert_int_eq(lkst_trace_rewind(trace, order, &err), 0);
	while ((ret = lkst_trace_next(trace, &events[num], &err)) > 0)
		if (++num == EVENTS_MAX)
			ck_abort_msg("more than %d events", EVENTS_MAX - 1);
	ck_assert_int_eq(ret, 0);
	return num;
}

void read_file(int fd, uint8_t **data, size_t *size)
{
	struct stat st;

	ck_assert_int_eq(fstat(fd, &st), 0);
	*size = (size_t)st.st_size;
	*data = malloc(*size + 1);
	ck_assert_int_eq(pread(fd, *data, *size, 0), st.st_size);
}

int write_file(const uint8_t *data, size_t size)
{
	struct lkst_error err;
	int fd = lkst_temporary_file(&err);

	ck_assert_int_eq(pwrite(fd, data, size, 0), (ssize_t)size);
	return fd;
}

/* The header of the n-th chunk of a type; NULL when there is none. */
struct trace_chunk_header *find_chunk(uint8_t *data, size_t size, int type, int n)
{
	size_t at = sizeof(struct trace_file_header);

	while (at < size) {
		struct trace_chunk_header *chunk = (void *)(data + at);

		if (chunk->type == type && !n--)
			return chunk;
		at += sizeof(*chunk) + trace_padded(chunk->length);
	}
	return NULL;
}

/* Make the checksums of a chunk right. */
void sign(struct trace_chunk_header *chunk)
{
	chunk->payload_checksum = lkst_crc32c(chunk + 1, chunk->length);
	chunk->checksum = lkst_crc32c(chunk, offsetof(struct trace_chunk_header, checksum));
}

/* So many CPUs with so many records each, 10 ns apart. */
int write_many(int32_t cpus, uint64_t records)
{
	struct lkst_log_record *record = room(records * sizeof(*record));
	const uint64_t arg[4] = { 0 };
	struct lkst_error err;
	int fd = lkst_temporary_file(&err);
	struct lkst_trace_writer *writer = lkst_trace_writer_fd(fd, "many", &err);

	for (int32_t cpu = 0; cpu < cpus; cpu++) {
		struct lkst_log_buffer buffer = sample_buffer(cpu, 0);

		for (uint64_t i = 0; i < records; i++)
			record[i] = sample_record(cpu, i, (int64_t)i * 10 + cpu, 0x030, 1, arg);
		ck_assert_int_eq(lkst_trace_write_records(writer, &buffer, record, records, &err),
				 0);
	}
	room_free(record, records * sizeof(*record));
	ck_assert_int_eq(lkst_trace_write_end(writer, &err), 0);
	ck_assert_int_eq(lkst_trace_writer_commit(writer, &err), 0);
	return fd;
}
