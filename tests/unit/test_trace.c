// SPDX-License-Identifier: GPL-2.0
/* The trace file: written, read, damaged, cut off, foreign. */
#include <byteswap.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <signal.h>
#include <unistd.h>

#include "lib/crc32c.h"
#include "lib/etype_ids.h"
#include "lib/trace_format.h"
#include "sample.h"
#include "tap.h"

#define EVENTS_MAX 40000

static struct lkst_event events[EVENTS_MAX];
static char reports[8192];

static void add_report(void *ctx, const char *text)
{
	(void)ctx;
	strncat(reports, text, sizeof(reports) - strlen(reports) - 2);
	strcat(reports, "\n");
}

static const struct lkst_trace_hooks hooks = { .report = add_report };

static struct lkst_trace *open_fd(int fd)
{
	struct lkst_error err = { 0 };
	struct lkst_trace *trace;

	reports[0] = 0;
	trace = lkst_trace_open_fd(fd, "T", &hooks, &err);
	ck_assert_msg(trace != NULL, "%s", err.text);
	return trace;
}

static size_t read_all(struct lkst_trace *trace, enum lkst_order order)
{
	struct lkst_error err;
	size_t num = 0;
	int ret;

	ck_assert_int_eq(lkst_trace_rewind(trace, order, &err), 0);
	while ((ret = lkst_trace_next(trace, &events[num], &err)) > 0)
		ck_assert_uint_lt(++num, EVENTS_MAX);
	ck_assert_int_eq(ret, 0);
	return num;
}

static void read_file(int fd, uint8_t **data, size_t *size)
{
	struct stat st;

	ck_assert_int_eq(fstat(fd, &st), 0);
	*size = (size_t)st.st_size;
	*data = malloc(*size + 1);
	ck_assert_int_eq(pread(fd, *data, *size, 0), st.st_size);
}

static int write_file(const uint8_t *data, size_t size)
{
	struct lkst_error err;
	int fd = lkst_temporary_file(&err);

	ck_assert_int_eq(pwrite(fd, data, size, 0), (ssize_t)size);
	return fd;
}

/* The header of the n-th chunk of a type; NULL when there is none. */
static struct trace_chunk_header *find_chunk(uint8_t *data, size_t size, int type, int n)
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

static void sign(struct trace_chunk_header *chunk)
{
	chunk->payload_checksum = lkst_crc32c(chunk + 1, chunk->length);
	chunk->checksum = lkst_crc32c(chunk, offsetof(struct trace_chunk_header, checksum));
}

START_TEST(test_round_trip)
{
	int fd = sample_fd();
	struct lkst_trace *trace = open_fd(fd);
	struct lkst_trace_buffer buffer;
	struct lkst_etypes *types;
	struct lkst_error err;
	char text[64];
	size_t len;

	ck_assert_str_eq(reports, "");
	ck_assert(!lkst_trace_incomplete(trace));
	ck_assert_uint_eq(lkst_trace_records(trace), SAMPLE_RECORDS);
	ck_assert_uint_eq(read_all(trace, LKST_OLDEST_FIRST), SAMPLE_RECORDS);
	ck_assert_int_eq(events[0].time_ns, SAMPLE_NS);
	ck_assert_int_eq(events[0].cpu, 0);
	ck_assert_int_eq(events[1].time_ns, SAMPLE_NS + 100);
	ck_assert_int_eq(events[1].cpu, 1);
	ck_assert_uint_eq(events[4].type, LKST_ETYPE_SYSCALL_ENTRY);
	ck_assert_uint_eq(events[4].recid, 9);
	ck_assert_uint_eq(events[4].arg[0], pack(56, 0));
	ck_assert_uint_eq(events[4].arg[1], 0x1200011);
	ck_assert_uint_eq(events[4].tid, 100);
	ck_assert_uint_eq(events[4].uid, 1000);
	ck_assert_uint_eq(events[4].gid, 100);
	ck_assert_int_eq(events[4].machine, LKST_MACHINE_X86_64);
	ck_assert_uint_eq(events[12].flags, LKST_LOG_HARDIRQ | LKST_LOG_INTERRUPT);
	ck_assert(lkst_trace_has_cpu(trace, 0) && lkst_trace_has_cpu(trace, 1));
	ck_assert(!lkst_trace_has_cpu(trace, 2) && !lkst_trace_has_cpu(trace, -1) &&
		  !lkst_trace_has_cpu(trace, 99999));
	lkst_trace_cpu_text(trace, text, sizeof(text));
	ck_assert_str_eq(text, "CPUs 0-1");
	ck_assert_uint_eq(lkst_trace_buffers(trace), 2);
	lkst_trace_buffer(trace, 1, &buffer);
	ck_assert_int_eq(buffer.cpu, 1);
	ck_assert_uint_eq(buffer.records, 12);
	ck_assert_uint_eq(buffer.recorded, 100);
	ck_assert_uint_eq(buffer.overwritten, 7);
	ck_assert_uint_eq(buffer.dropped, 1);
	ck_assert_uint_eq(strncmp(lkst_trace_system(trace, "hostname", &len), "sample\n", 7), 0);
	ck_assert_uint_eq(len, 6);
	ck_assert_ptr_null(lkst_trace_system(trace, "host", &len));
	ck_assert_ptr_null(lkst_trace_system(trace, "ernel", &len));
	types = lkst_trace_etypes(trace, &err);
	ck_assert_str_eq(lkst_etype(types, 0x030)->name, "system_call_entry");
	ck_assert_str_eq(lkst_names_get(lkst_trace_context(trace)->names, 300, 0), "sleeper");
	lkst_etypes_free(types);
	lkst_trace_close(trace);
	close(fd);
}
END_TEST

START_TEST(test_newest_first_is_the_reverse)
{
	static struct lkst_event oldest[EVENTS_MAX];
	int fd = sample_fd();
	struct lkst_trace *trace = open_fd(fd);
	size_t num = read_all(trace, LKST_OLDEST_FIRST);

	memcpy(oldest, events, num * sizeof(*events));
	ck_assert_uint_eq(read_all(trace, LKST_NEWEST_FIRST), num);
	for (size_t i = 0; i < num; i++)
		ck_assert_mem_eq(&events[i], &oldest[num - 1 - i], sizeof(*events));
	lkst_trace_close(trace);
	close(fd);
}
END_TEST

/* Buffers with given recids and times, to see how they merge. */
struct times {
	int32_t cpu;
	lkst_buffer_id id;
	uint64_t first_recid;
	size_t num;
	const int *time;
};

static int write_times(const struct times *buffers, size_t num)
{
	const uint64_t arg[4] = { 0 };
	struct lkst_error err;
	int fd = lkst_temporary_file(&err);
	struct lkst_trace_writer *writer = lkst_trace_writer_fd(fd, "times", &err);

	for (size_t b = 0; b < num; b++) {
		struct lkst_log_buffer buffer = sample_buffer(buffers[b].cpu, buffers[b].id);
		struct lkst_log_record record[16];

		for (size_t i = 0; i < buffers[b].num; i++)
			record[i] = sample_record(buffers[b].cpu, buffers[b].first_recid + i,
						  buffers[b].time[i], 0x030, 1, arg);
		ck_assert_int_eq(
			lkst_trace_write_records(writer, &buffer, record, buffers[b].num, &err), 0);
	}
	ck_assert_int_eq(lkst_trace_write_end(writer, &err), 0);
	ck_assert_int_eq(lkst_trace_writer_commit(writer, &err), 0);
	return fd;
}

/* cpu/buffer/time of all events, both ways. */
static void check_order(const struct times *buffers, size_t num, const char *expected)
{
	int fd = write_times(buffers, num);
	struct lkst_trace *trace = open_fd(fd);
	char text[1024] = "", back[1024] = "", one[64];
	size_t n = read_all(trace, LKST_OLDEST_FIRST);

	for (size_t i = 0; i < n; i++) {
		snprintf(one, sizeof(one), "%d.%d:%d ", events[i].cpu, events[i].buffer,
			 (int)events[i].time_ns);
		strcat(text, one);
	}
	ck_assert_str_eq(text, expected);
	ck_assert_uint_eq(read_all(trace, LKST_NEWEST_FIRST), n);
	for (size_t i = n; i-- > 0;) {
		snprintf(one, sizeof(one), "%d.%d:%d ", events[i].cpu, events[i].buffer,
			 (int)events[i].time_ns);
		strcat(back, one);
	}
	ck_assert_str_eq(back, expected);
	lkst_trace_close(trace);
	close(fd);
}

#define TIMES_FROM(c, b, first, ...)                                               \
	{                                                                          \
		c, b, first, sizeof((int[]){ __VA_ARGS__ }) / sizeof(int), (int[]) \
		{                                                                  \
			__VA_ARGS__                                                \
		}                                                                  \
	}
#define TIMES(c, b, ...) TIMES_FROM(c, b, 0, __VA_ARGS__)

START_TEST(test_merge)
{
	const struct times buffers[] = {
		TIMES(0, 0, 1, 5, 6, 20),
		TIMES(1, 0, 2, 3, 7, 8, 9),
		TIMES(2, 0, 4),
	};

	check_order(buffers, 3, "0.0:1 1.0:2 1.0:3 2.0:4 0.0:5 0.0:6 1.0:7 1.0:8 1.0:9 0.0:20 ");
}
END_TEST

START_TEST(test_interrupting_record)
{
	/* 0.0:10 was interrupted by 9, which was begun later: recid order stays. */
	const struct times buffers[] = {
		TIMES(0, 0, 1, 10, 9, 12),
		TIMES(1, 0, 9, 10, 11),
	};

	check_order(buffers, 2, "0.0:1 1.0:9 0.0:10 0.0:9 1.0:10 1.0:11 0.0:12 ");
}
END_TEST

START_TEST(test_equal_times)
{
	const struct times buffers[] = {
		TIMES(1, 0, 5, 5),
		TIMES(0, 1, 5, 5),
		TIMES(0, 0, 5),
	};

	check_order(buffers, 3, "0.1:5 0.1:5 0.0:5 1.0:5 1.0:5 ");
}
END_TEST

START_TEST(test_buffers_of_one_cpu)
{
	/* The record of 9 was begun after a shift that had interrupted the one of 10. */
	const struct times buffers[] = {
		TIMES_FROM(0, 0, 4, 20, 21),
		TIMES_FROM(0, 1, 0, 1, 10),
		TIMES_FROM(0, 2, 2, 9, 11),
		TIMES_FROM(1, 0, 0, 9, 10),
	};

	check_order(buffers, 4, "0.1:1 1.0:9 0.1:10 0.2:9 1.0:10 0.2:11 0.0:20 0.0:21 ");
}
END_TEST

START_TEST(test_buffer_comes_again)
{
	/* As a daemon writes them, that reads a ring of two. */
	const struct times buffers[] = {
		TIMES_FROM(0, 0, 0, 1, 2),
		TIMES_FROM(0, 1, 2, 3, 4),
		TIMES_FROM(0, 0, 5, 5, 6),
	};

	check_order(buffers, 3, "0.0:1 0.0:2 0.1:3 0.1:4 0.0:5 0.0:6 ");
}
END_TEST

START_TEST(test_clock_set_back)
{
	/* Further than what an interrupt can hold up: the time of before is forgotten. */
	enum {
		S = 1000000000
	};
	const struct times buffers[] = {
		TIMES_FROM(0, 0, 0, S + 3),
		TIMES_FROM(0, 1, 1, 1, 4),
		TIMES_FROM(1, 0, 0, 2, 3, S + 4),
	};
	const struct times less[] = {
		TIMES_FROM(0, 0, 0, S),
		TIMES_FROM(0, 1, 1, 1, 4),
		TIMES_FROM(1, 0, 0, 2, 3, S + 4),
	};
	int fd = write_times(buffers, 3);
	struct lkst_trace *trace = open_fd(fd);

	ck_assert_uint_eq(read_all(trace, LKST_OLDEST_FIRST), 6);
	ck_assert_int_eq(events[2].time_ns, S + 3);
	ck_assert_int_eq(events[4].time_ns, 4);
	ck_assert_uint_eq(read_all(trace, LKST_NEWEST_FIRST), 6);
	ck_assert_int_eq(events[1].time_ns, 4);
	lkst_trace_close(trace);
	close(fd);
	check_order(less, 3, "1.0:2 1.0:3 0.0:1000000000 0.1:1 0.1:4 1.0:1000000004 ");
}
END_TEST

START_TEST(test_recids_twice)
{
	/* Recids of one CPU that are there twice tell nothing: then it is by time. */
	const struct times buffers[] = {
		TIMES(0, 1, 10, 11),
		TIMES(0, 0, 1, 2, 20, 21),
		TIMES_FROM(0, 1, 2, 12, 13),
	};
	const struct times partly[] = {
		TIMES(0, 0, 1, 5, 6),
		TIMES_FROM(0, 1, 2, 2, 7),
	};

	check_order(buffers, 3, "0.0:1 0.0:2 0.1:10 0.1:11 0.1:12 0.1:13 0.0:20 0.0:21 ");
	check_order(partly, 2, "0.0:1 0.1:2 0.0:5 0.0:6 0.1:7 ");
}
END_TEST

START_TEST(test_same_buffer_again)
{
	/* Recids that begin again: a buffer of the same number, created anew. */
	const struct times buffers[] = {
		TIMES(0, 0, 1, 2),
		TIMES(1, 0, 3, 9),
	};
	struct lkst_trace *trace;
	struct lkst_error err;
	int fd = write_times(buffers, 2), fd2 = lkst_temporary_file(&err);
	uint8_t *data;
	size_t size;

	read_file(fd, &data, &size);
	/* The first buffer's chunk a second time, later in the file, with earlier recids. */
	struct trace_chunk_header *chunk = find_chunk(data, size, TRACE_RECORDS_STD, 0);
	struct trace_buffer_header *head = (void *)(chunk + 1);
	size_t len = sizeof(*chunk) + trace_padded(chunk->length);
	size_t before = (size_t)((uint8_t *)chunk - data);
	uint8_t copy[4096];

	memcpy(copy, chunk, len);
	head->first_recid = 100;
	sign(chunk);
	ck_assert_int_eq(pwrite(fd2, data, before + len, 0), (ssize_t)(before + len));
	ck_assert_int_eq(pwrite(fd2, copy, len, (off_t)(before + len)), (ssize_t)len);
	trace = open_fd(fd2);
	ck_assert_uint_eq(lkst_trace_buffers(trace), 2);
	ck_assert_uint_eq(read_all(trace, LKST_OLDEST_FIRST), 4);
	lkst_trace_close(trace);
	free(data);
	close(fd);
	close(fd2);
}
END_TEST

/* ---- many chunks ---- */

static int write_many(int32_t cpus, uint64_t records)
{
	static struct lkst_log_record record[20000];
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
	ck_assert_int_eq(lkst_trace_write_end(writer, &err), 0);
	ck_assert_int_eq(lkst_trace_writer_commit(writer, &err), 0);
	return fd;
}

START_TEST(test_many_chunks)
{
	int fd = write_many(3, 4096 * 3 + 5);
	struct lkst_trace *trace = open_fd(fd);
	size_t num = read_all(trace, LKST_OLDEST_FIRST);

	ck_assert_uint_eq(num, 3 * (4096 * 3 + 5));
	for (size_t i = 0; i < num; i++) {
		ck_assert_int_eq(events[i].time_ns, (int64_t)(i / 3 * 10 + i % 3));
		ck_assert_uint_eq(events[i].recid, i / 3);
	}
	ck_assert_uint_eq(read_all(trace, LKST_NEWEST_FIRST), num);
	for (size_t i = 0; i < num; i++)
		ck_assert_uint_eq(events[num - 1 - i].recid, i / 3);
	lkst_trace_close(trace);
	close(fd);
}
END_TEST

START_TEST(test_cut_off_in_records)
{
	int fd = write_many(2, 4096 + 100);
	struct lkst_trace *trace;
	uint8_t *data;
	size_t size;
	struct trace_chunk_header *chunk;

	read_file(fd, &data, &size);
	/* 10 and a half records of CPU 1's second chunk are left. */
	chunk = find_chunk(data, size, TRACE_RECORDS_STD, 3);
	ck_assert_int_eq(ftruncate(fd, (uint8_t *)chunk - data + 32 + 128 + 10 * 112 + 56), 0);
	trace = open_fd(fd);
	ck_assert_uint_eq(read_all(trace, LKST_OLDEST_FIRST), 4096 + 100 + 4096 + 10);
	ck_assert_ptr_nonnull(
		strstr(reports, "CPU 1, buffer 0: of the last 100 records 10 are there"));
	ck_assert_ptr_nonnull(strstr(reports, "8302 records are there"));
	lkst_trace_close(trace);
	free(data);
	close(fd);
}
END_TEST

START_TEST(test_cut_off_anywhere)
{
	int fd = sample_fd();
	uint64_t last = 0;
	uint8_t *data;
	size_t size;

	read_file(fd, &data, &size);
	close(fd);
	for (size_t cut = 0; cut < size; cut++) {
		int part = write_file(data, cut);
		struct lkst_error err = { 0 };
		struct lkst_trace *trace;

		reports[0] = 0;
		trace = lkst_trace_open_fd(part, "T", &hooks, &err);
		if (cut < sizeof(struct trace_file_header)) {
			ck_assert_ptr_null(trace);
			ck_assert_int_eq(err.code, LKST_ERR_FORMAT);
		} else {
			ck_assert_msg(trace != NULL, "%zu: %s", cut, err.text);
			/* More of the file is never fewer records; without END it says so. */
			ck_assert_uint_ge(lkst_trace_records(trace), last);
			last = lkst_trace_records(trace);
			ck_assert_uint_eq(read_all(trace, LKST_NEWEST_FIRST), last);
			ck_assert_msg(strstr(reports, "cut off after") != NULL, "%zu", cut);
			ck_assert(lkst_trace_incomplete(trace));
			lkst_trace_close(trace);
		}
		close(part);
	}
	ck_assert_uint_eq(last, SAMPLE_RECORDS);
	free(data);
}
END_TEST

START_TEST(test_damaged_chunk)
{
	int fd = sample_fd();
	struct trace_chunk_header *chunk;
	struct lkst_trace *trace;
	uint8_t *data;
	size_t size;

	read_file(fd, &data, &size);
	close(fd);
	chunk = find_chunk(data, size, TRACE_RECORDS_STD, 1);
	((uint8_t *)(chunk + 1))[200] ^= 1;
	fd = write_file(data, size);
	trace = open_fd(fd);
	ck_assert_uint_eq(read_all(trace, LKST_OLDEST_FIRST), SAMPLE_RECORDS - 6);
	ck_assert_ptr_nonnull(strstr(reports, "chunk of type 5"));
	ck_assert_ptr_nonnull(strstr(reports, "checksum"));
	ck_assert_ptr_nonnull(strstr(reports, "18 records are there, of 24 that were written"));
	lkst_trace_close(trace);
	close(fd);
	free(data);
}
END_TEST

START_TEST(test_damaged_chunk_header)
{
	int fd = sample_fd();
	struct trace_chunk_header *chunk;
	struct lkst_trace *trace;
	uint8_t *data;
	size_t size;

	read_file(fd, &data, &size);
	close(fd);
	chunk = find_chunk(data, size, TRACE_RECORDS_STD, 1);
	chunk->length = 5;
	fd = write_file(data, size);
	trace = open_fd(fd);
	ck_assert_uint_eq(read_all(trace, LKST_OLDEST_FIRST), SAMPLE_RECORDS - 6);
	ck_assert_ptr_nonnull(strstr(reports, "damaged from byte"));
	lkst_trace_close(trace);
	close(fd);
	free(data);
}
END_TEST

START_TEST(test_unknown_and_compressed_chunks)
{
	int fd = sample_fd();
	struct trace_chunk_header *chunk;
	struct lkst_trace *trace;
	uint8_t *data;
	size_t size;

	read_file(fd, &data, &size);
	close(fd);
	chunk = find_chunk(data, size, TRACE_PROCESSES, 0);
	chunk->type = 77;
	sign(chunk);
	chunk = find_chunk(data, size, TRACE_RECORDS_STD, 2);
	chunk->compression = 1;
	sign(chunk);
	fd = write_file(data, size);
	trace = open_fd(fd);
	ck_assert_uint_eq(read_all(trace, LKST_OLDEST_FIRST), SAMPLE_RECORDS - 6);
	ck_assert_ptr_nonnull(strstr(reports, "type 77"));
	ck_assert_ptr_nonnull(strstr(reports, "compressed (zstd), which this build cannot read"));
	lkst_trace_close(trace);
	close(fd);
	free(data);
}
END_TEST

START_TEST(test_lying_buffer_header)
{
	int fd = sample_fd();
	struct trace_buffer_header *head;
	struct trace_chunk_header *chunk;
	struct lkst_trace *trace;
	uint8_t *data;
	size_t size;

	read_file(fd, &data, &size);
	close(fd);
	chunk = find_chunk(data, size, TRACE_RECORDS_STD, 0);
	head = (void *)(chunk + 1);
	switch (_i) {
	case 0:
		head->count = 7;
		break;
	case 1:
		head->count = UINT64_MAX;
		break;
	case 2:
		head->record_size = 0;
		break;
	case 3:
		head->record_size = 64; /* then 10 would fit; 6 are claimed */
		head->count = 11;
		break;
	case 4:
		head->cpu = -2;
		break;
	case 5:
		head->count = 4097;
		break;
	}
	sign(chunk);
	fd = write_file(data, size);
	trace = open_fd(fd);
	ck_assert_uint_eq(read_all(trace, LKST_OLDEST_FIRST), SAMPLE_RECORDS - 6);
	ck_assert_ptr_nonnull(strstr(reports, "records at byte"));
	lkst_trace_close(trace);
	close(fd);
	free(data);
}
END_TEST

START_TEST(test_strange_cpus)
{
	/* CPUs beyond those that are told apart, in the buffer's header and in a record. */
	static const int32_t cpus[] = { 8191, 8192, INT32_MAX };
	int fd = sample_fd();
	struct trace_buffer_header *head;
	struct trace_chunk_header *chunk;
	struct lkst_log_record *record;
	struct lkst_trace *trace;
	uint8_t *data;
	size_t size;

	read_file(fd, &data, &size);
	close(fd);
	chunk = find_chunk(data, size, TRACE_RECORDS_STD, 0);
	head = (void *)(chunk + 1);
	head->cpu = cpus[_i];
	sign(chunk);
	chunk = find_chunk(data, size, TRACE_RECORDS_STD, 1);
	head = (void *)(chunk + 1);
	record = (void *)(head + 1);
	head->cpu = -1;
	head->buffer = LKST_BUFFER_ID_VOID;
	record->posix.log_processor = cpus[_i];
	record[1].posix.log_processor = -5;
	sign(chunk);
	fd = write_file(data, size);
	trace = open_fd(fd);
	ck_assert_uint_eq(read_all(trace, LKST_OLDEST_FIRST), SAMPLE_RECORDS);
	ck_assert_int_eq(lkst_trace_has_cpu(trace, cpus[_i]), cpus[_i] < 8192);
	lkst_trace_close(trace);
	close(fd);
	free(data);
}
END_TEST

/* ---- the other byte order ---- */

#define SWAP(x)                                                          \
	((x) = sizeof(x) == 8 ? (__typeof__(x))bswap_64((uint64_t)(x)) : \
	       sizeof(x) == 4 ? (__typeof__(x))bswap_32((uint32_t)(x)) : \
				(__typeof__(x))bswap_16((uint16_t)(x)))

static void swap_words(void *data, size_t len, size_t word)
{
	uint8_t *p = data;

	for (size_t i = 0; i < len; i += word)
		for (size_t k = 0; k < word / 2; k++) {
			uint8_t t = p[i + k];

			p[i + k] = p[i + word - 1 - k];
			p[i + word - 1 - k] = t;
		}
}

static void swap_records(struct trace_buffer_header *head, size_t size)
{
	struct lkst_log_record *record = (void *)(head + 1);
	size_t num = size == sizeof(*record) ? head->count : 0;

	for (size_t i = 0; i < num; i++) {
		struct posix_log_entry *p = &record[i].posix;
		/* Text keeps the order of its bytes in memory. */
		int type = p->log_event_type;

		swap_words(&p->log_magic, 8, 4);
		swap_words(&p->log_recid, 16, 8);
		swap_words(&p->log_event_type, 32, 4);
		swap_words(&p->log_time, 16, 8);
		swap_words(&p->log_thread, 8, 4);
		swap_words(&record[i].log_arg1, type == 0x010 ? 8 : 32, 8);
		if (type == 0x001 || type == 0x002 || type == 0x00e || type == 0x005)
			swap_words(&record[i].log_arg3, 16, 8);
		if (type == 0x006)
			swap_words(&record[i].log_arg2, 24, 8);
		if (type == 0x007)
			swap_words(&record[i].log_arg3, 8, 8);
	}
	swap_words(head, 16, 4);
	swap_words(&head->count, 72, 8);
	swap_words(&head->record_version, 4, 4);
}

static void swap_file(uint8_t *data, size_t size)
{
	struct trace_file_header *file = (void *)data;
	size_t at = sizeof(*file);

	while (at < size) {
		struct trace_chunk_header *chunk = (void *)(data + at);
		size_t len = chunk->length;
		void *payload = chunk + 1;

		if (chunk->type == TRACE_RECORDS_STD)
			swap_records(payload, sizeof(struct lkst_log_record));
		if (chunk->type == TRACE_PROCESSES)
			for (size_t i = 0; i < len; i += 24)
				swap_words((uint8_t *)payload + i, 8, 4);
		if (chunk->type == TRACE_END)
			swap_words(payload, len, 8);
		SWAP(chunk->magic);
		SWAP(chunk->type);
		SWAP(chunk->compression);
		SWAP(chunk->length);
		SWAP(chunk->raw_length);
		chunk->payload_checksum = bswap_32(lkst_crc32c(payload, len));
		chunk->checksum =
			bswap_32(lkst_crc32c(chunk, offsetof(struct trace_chunk_header, checksum)));
		at += sizeof(*chunk) + trace_padded(len);
	}
	SWAP(file->byte_order);
	SWAP(file->version);
	SWAP(file->header_size);
	file->checksum = bswap_32(lkst_crc32c(file, offsetof(struct trace_file_header, checksum)));
}

START_TEST(test_other_byte_order)
{
	static struct lkst_event own[EVENTS_MAX];
	int fd = sample_fd();
	struct lkst_trace *trace = open_fd(fd);
	size_t num = read_all(trace, LKST_OLDEST_FIRST), size;
	char text[33], text2[33];
	uint8_t *data;

	memcpy(own, events, num * sizeof(*own));
	lkst_trace_close(trace);
	read_file(fd, &data, &size);
	close(fd);
	swap_file(data, size);
	fd = write_file(data, size);
	trace = open_fd(fd);
	ck_assert_str_eq(reports, "");
	ck_assert_uint_eq(read_all(trace, LKST_OLDEST_FIRST), num);
	for (size_t i = 0; i < num; i++) {
		ck_assert_int_eq(events[i].time_ns, own[i].time_ns);
		ck_assert_uint_eq(events[i].recid, own[i].recid);
		ck_assert_uint_eq(events[i].type, own[i].type);
		ck_assert_uint_eq(events[i].tid, own[i].tid);
		ck_assert_uint_eq(events[i].tgid, own[i].tgid);
		ck_assert_uint_eq(events[i].pgrp, own[i].pgrp);
		ck_assert_uint_eq(events[i].uid, own[i].uid);
		ck_assert_uint_eq(events[i].gid, own[i].gid);
		ck_assert_uint_eq(events[i].flags, own[i].flags);
		ck_assert_int_eq(events[i].cpu, own[i].cpu);
		ck_assert_uint_eq(events[i].arg[0], own[i].arg[0]);
		ck_assert(events[i].swapped);
		if (events[i].type != 0x010)
			continue;
		lkst_event_text(&events[i], 1, 3, text);
		lkst_event_text(&own[i], 1, 3, text2);
		ck_assert_str_eq(text, text2);
	}
	ck_assert_str_eq(lkst_names_get(lkst_trace_context(trace)->names, 200, SAMPLE_NS + 6000), "cat");
	ck_assert_str_eq(lkst_names_get(lkst_trace_context(trace)->names, 300, 0), "sleeper");
	lkst_trace_close(trace);
	close(fd);
	free(data);
}
END_TEST

/* ---- RAW records ---- */

START_TEST(test_raw)
{
	struct {
		struct trace_chunk_header chunk;
		struct trace_buffer_header head;
		struct lkst_event_record record[4];
	} raw = {
		.chunk = { .magic = TRACE_CHUNK_MAGIC, .type = TRACE_RECORDS_RAW,
			   .length = sizeof(raw) - sizeof(raw.chunk) },
		.head = { .cpu = 3, .buffer = 1, .clock_kind = LKST_CLOCK_TSC, .record_size = 64,
			  .count = 4, .first_recid = 50, .xtime_s = 1000, .xtime_us = 500,
			  .tsc = 10000, .freq_khz = 2000000, .arch = "x86_64" },
		.record = {
			{ .clock = 10000, .event_type = 0x030, .flags = 0xffe1, .thread = 5, .pid = 4 },
			{ .clock = 0 },	/* a hole */
			{ .clock = 12000, .event_type = 0x031, .thread = 5, .pid = 4,
			  .uid = 1, .gid = 2, .pgrp = 3, .arg = { 1, 2, 3, 4 } },
			{ .clock = 8000, .event_type = 0x031, .flags = LKST_RECORD_SOFTIRQ },
		},
	};
	struct {
		struct trace_chunk_header chunk;
		struct trace_clock clock;
	} pair = {
		.chunk = { .magic = TRACE_CHUNK_MAGIC, .type = TRACE_CLOCK, .length = 40 },
		.clock = { .clock = 9000,
			   .wall_ns = 7777,
			   .freq_khz = 1000000,
			   .clock_kind = LKST_CLOCK_NS,
			   .cpu = -1 },
	};
	int64_t base = 1000ll * 1000000000 + 500000;
	struct lkst_trace_writer *writer;
	struct lkst_trace *trace;
	struct lkst_error err;
	int fd = lkst_temporary_file(&err);

	writer = lkst_trace_writer_fd(fd, "raw", &err);
	ck_assert_ptr_nonnull(writer);
	lkst_trace_writer_abort(writer);
	sign(&raw.chunk);
	sign(&pair.chunk);
	ck_assert_int_eq(pwrite(fd, &raw, sizeof(raw), 32), sizeof(raw));
	trace = open_fd(fd);
	ck_assert_uint_eq(read_all(trace, LKST_OLDEST_FIRST), 3);
	ck_assert_int_eq(events[0].time_ns, base);
	ck_assert_uint_eq(events[0].recid, 50);
	ck_assert_int_eq(events[0].cpu, 3);
	ck_assert_uint_eq(events[0].flags, LKST_LOG_HARDIRQ | LKST_LOG_INTERRUPT);
	ck_assert_int_eq(events[1].time_ns, base + 1000); /* 2000 ticks at 2 GHz */
	ck_assert_uint_eq(events[1].recid, 52);
	ck_assert_uint_eq(events[1].arg[3], 4);
	ck_assert_uint_eq(events[1].uid, 1);
	ck_assert_uint_eq(events[1].gid, 2);
	ck_assert_uint_eq(events[1].pgrp, 3);
	ck_assert_int_eq(events[2].time_ns, base - 1000);
	ck_assert_uint_eq(events[2].flags, LKST_LOG_SOFTIRQ);
	ck_assert_uint_eq(read_all(trace, LKST_NEWEST_FIRST), 3);
	lkst_trace_close(trace);

	/* A pair of another clock is no help; one of this clock that is nearer is taken. */
	ck_assert_int_eq(pwrite(fd, &pair, sizeof(pair), 32 + sizeof(raw)), sizeof(pair));
	trace = open_fd(fd);
	ck_assert_uint_eq(read_all(trace, LKST_OLDEST_FIRST), 3);
	ck_assert_int_eq(events[0].time_ns, base);
	lkst_trace_close(trace);
	pair.clock.clock_kind = LKST_CLOCK_TSC;
	pair.clock.clock = 10000;
	sign(&pair.chunk);
	ck_assert_int_eq(pwrite(fd, &pair, sizeof(pair), 32 + sizeof(raw)), sizeof(pair));
	raw.head.tsc = 20000;
	sign(&raw.chunk);
	ck_assert_int_eq(pwrite(fd, &raw, sizeof(raw), 32), sizeof(raw));
	trace = open_fd(fd);
	ck_assert_uint_eq(read_all(trace, LKST_OLDEST_FIRST), 3);
	ck_assert_int_eq(events[0].time_ns, 7777);
	ck_assert_int_eq(events[1].time_ns, 7777 + 2000);
	lkst_trace_close(trace);
	close(fd);
}
END_TEST

/* ---- files that are no trace ---- */

START_TEST(test_foreign)
{
	static const struct {
		const char *data;
		size_t len;
		const char *says;
	} files[] = {
		{ "", 0, "is empty" },
		{ "\177ELF\2\1\1", 7, "an ELF file" },
		{ "hello\n", 6, "text" },
		{ "\037\213\010\0\0\0", 6, "gzip" },
		{ "# lkst_etypes 1\n0x001", 21, "list of event types" },
		{ "\x80\x81\x82\x83", 4, "it begins with 80 81 82 83" },
		{ "LKSTTRC\0\4\3\2\1", 12, "cut off after 12 bytes" },
		{ "LKST", 4, "cut off after 4 bytes" },
		{ "LKSTTRCX\4\3\2\1\1\0\x20\0", 16, "it begins with 4c 4b" },
		{ "LKSTTRC\0\4\3\2\1\1\0\x20\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 32, "checksum" },
		{ "LKSTTRC\0\4\3\2\2\1\0\x20\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 32, "byte order" },
	};
	int fd = write_file((const uint8_t *)files[_i].data, files[_i].len);
	struct lkst_error err = { 0 };

	ck_assert_ptr_null(lkst_trace_open_fd(fd, "NAME", NULL, &err));
	ck_assert_int_eq(err.code, LKST_ERR_FORMAT);
	ck_assert_int_eq(strncmp(err.text, "NAME: ", 6), 0);
	if (!strstr(err.text, files[_i].says))
		ck_abort_msg("\"%s\" lacks \"%s\"", err.text, files[_i].says);
	close(fd);
}
END_TEST

START_TEST(test_version)
{
	struct trace_file_header head = {
		.magic = TRACE_MAGIC,
		.byte_order = TRACE_BYTE_ORDER,
		.version = 2,
		.header_size = 32,
	};
	struct lkst_error err = { 0 };
	int fd;

	head.checksum = lkst_crc32c(&head, 28);
	fd = write_file((const uint8_t *)&head, sizeof(head));
	ck_assert_ptr_null(lkst_trace_open_fd(fd, "NAME", NULL, &err));
	ck_assert_ptr_nonnull(strstr(err.text, "version 2"));
	close(fd);
	/* A longer header of this version is one with more at its end. */
	head.version = 1;
	head.header_size = 64;
	head.checksum = lkst_crc32c(&head, 28);
	fd = write_file((const uint8_t *)&head, sizeof(head));
	ck_assert_int_eq(ftruncate(fd, 64), 0);
	lkst_trace_close(open_fd(fd));
	close(fd);
}
END_TEST

START_TEST(test_no_file)
{
	struct lkst_error err = { 0 };

	ck_assert_ptr_null(lkst_trace_open("/nonexistent/trace", NULL, &err));
	ck_assert_str_eq(err.text, "/nonexistent/trace: open: No such file or directory");
	ck_assert_int_eq(err.sys_errno, ENOENT);
	ck_assert_ptr_null(lkst_trace_open("/tmp", NULL, &err));
	ck_assert_str_eq(err.text, "/tmp: is a directory, not a trace file");
	ck_assert_ptr_null(lkst_trace_open("/dev/zero", NULL, &err));
	ck_assert_int_eq(err.code, LKST_ERR_FORMAT);
}
END_TEST

START_TEST(test_pipe)
{
	int fd = sample_fd(), pipefd[2];
	struct lkst_trace *trace;
	uint8_t *data;
	size_t size;

	read_file(fd, &data, &size);
	ck_assert_int_eq(pipe(pipefd), 0);
	ck_assert_int_eq(write(pipefd[1], data, size), (ssize_t)size);
	close(pipefd[1]);
	trace = open_fd(pipefd[0]);
	ck_assert_uint_eq(read_all(trace, LKST_NEWEST_FIRST), SAMPLE_RECORDS);
	lkst_trace_close(trace);
	close(pipefd[0]);
	close(fd);
	free(data);
}
END_TEST

START_TEST(test_no_etypes)
{
	int fd = sample_fd();
	struct trace_chunk_header *chunk;
	struct lkst_etypes *types;
	struct lkst_trace *trace;
	struct lkst_error err;
	uint8_t *data;
	size_t size;

	read_file(fd, &data, &size);
	close(fd);
	chunk = find_chunk(data, size, TRACE_ETYPES, 0);
	((char *)(chunk + 1))[3] = '!';
	sign(chunk);
	fd = write_file(data, size);
	trace = open_fd(fd);
	types = lkst_trace_etypes(trace, &err);
	ck_assert_ptr_nonnull(types);
	ck_assert_ptr_nonnull(strstr(reports, "those of this tool are used"));
	ck_assert_str_eq(lkst_etype(types, 0x030)->name, "system_call_entry");
	lkst_etypes_free(types);
	lkst_trace_close(trace);
	close(fd);
	free(data);
}
END_TEST

/* ---- writing ---- */

static char dir[] = "/tmp/lkst-test-XXXXXX";
static char path[64];

static void setup_dir(void)
{
	strcpy(dir + sizeof(dir) - 7, "XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/trace", dir);
}

static int files_in_dir(void)
{
	char command[128];
	FILE *from;
	int num;

	snprintf(command, sizeof(command), "ls -A %s | wc -l", dir);
	from = popen(command, "r");
	ck_assert_int_eq(fscanf(from, "%d", &num), 1);
	pclose(from);
	return num;
}

static void teardown_dir(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf %s", dir);
	ck_assert_int_eq(system(command), 0);
}

static void put(const char *text)
{
	FILE *to = fopen(path, "w");

	fputs(text, to);
	fclose(to);
}

static void holds(const char *text)
{
	char line[64] = "";
	FILE *from = fopen(path, "r");

	ck_assert_ptr_nonnull(from);
	ck_assert_ptr_nonnull(fgets(line, sizeof(line), from));
	ck_assert_str_eq(line, text);
	fclose(from);
}

START_TEST(test_write_replaces)
{
	struct lkst_trace_writer *writer;
	struct lkst_trace *trace;
	struct lkst_error err;

	put("old");
	writer = lkst_trace_writer_create(path, &err);
	ck_assert_ptr_nonnull(writer);
	ck_assert_int_eq(sample_write(writer, &err), 0);
	holds("old");
	ck_assert_int_eq(lkst_trace_writer_commit(writer, &err), 0);
	ck_assert_int_eq(files_in_dir(), 1);
	trace = lkst_trace_open(path, NULL, &err);
	ck_assert_uint_eq(lkst_trace_records(trace), SAMPLE_RECORDS);
	lkst_trace_close(trace);
}
END_TEST

START_TEST(test_write_aborted)
{
	struct lkst_trace_writer *writer;
	struct lkst_error err;

	put("old");
	writer = lkst_trace_writer_create(path, &err);
	ck_assert_int_eq(sample_write(writer, &err), 0);
	lkst_trace_writer_abort(writer);
	holds("old");
	ck_assert_int_eq(files_in_dir(), 1);
}
END_TEST

START_TEST(test_write_full_disk)
{
	struct rlimit limit = { 1000, 1000 };
	struct lkst_trace_writer *writer;
	struct lkst_error err = { 0 };

	put("old");
	signal(SIGXFSZ, SIG_IGN);
	writer = lkst_trace_writer_create(path, &err);
	setrlimit(RLIMIT_FSIZE, &limit);
	ck_assert_int_eq(sample_write(writer, &err), -1);
	ck_assert_int_eq(err.sys_errno, EFBIG);
	ck_assert_ptr_nonnull(strstr(err.text, path));
	ck_assert_ptr_nonnull(strstr(err.text, "unchanged"));
	lkst_trace_writer_abort(writer);
	holds("old");
	ck_assert_int_eq(files_in_dir(), 1);
}
END_TEST

START_TEST(test_write_full_disk_new_file)
{
	struct rlimit limit = { 1000, 1000 };
	struct lkst_trace_writer *writer;
	struct lkst_error err = { 0 };

	signal(SIGXFSZ, SIG_IGN);
	writer = lkst_trace_writer_create(path, &err);
	setrlimit(RLIMIT_FSIZE, &limit);
	ck_assert_int_eq(sample_write(writer, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "; nothing was left behind"));
	lkst_trace_writer_abort(writer);
	ck_assert_int_eq(files_in_dir(), 0);
}
END_TEST

START_TEST(test_write_full_temporary)
{
	struct rlimit limit = { 1000, 1000 };
	struct lkst_trace_writer *writer;
	struct lkst_error err = { 0 };
	int fd;

	setenv("TMPDIR", dir, 1);
	fd = lkst_temporary_file(&err);
	signal(SIGXFSZ, SIG_IGN);
	writer = lkst_trace_writer_temporary(fd, &err);
	setrlimit(RLIMIT_FSIZE, &limit);
	ck_assert_int_eq(sample_write(writer, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, dir));
	ck_assert_ptr_nonnull(strstr(err.text, "TMPDIR can name another directory"));
	lkst_trace_writer_abort(writer);
	close(fd);
}
END_TEST

START_TEST(test_write_dangling_link)
{
	struct lkst_error err = { 0 };
	struct stat st;

	ck_assert_int_eq(symlink("none", path), 0);
	ck_assert_ptr_null(lkst_trace_writer_create(path, &err));
	ck_assert_ptr_nonnull(strstr(err.text, "symbolic link to a file that is not there"));
	ck_assert_int_eq(lstat(path, &st), 0);
	ck_assert(S_ISLNK(st.st_mode));
	ck_assert_int_eq(files_in_dir(), 1);
}
END_TEST

START_TEST(test_write_through_link)
{
	struct lkst_trace_writer *writer;
	struct lkst_error err;
	char link[80];
	struct stat st;

	put("old");
	snprintf(link, sizeof(link), "%s/link", dir);
	ck_assert_int_eq(symlink("trace", link), 0);
	writer = lkst_trace_writer_create(link, &err);
	ck_assert_int_eq(sample_write(writer, &err), 0);
	ck_assert_int_eq(lkst_trace_writer_commit(writer, &err), 0);
	ck_assert_int_eq(lstat(link, &st), 0);
	ck_assert(S_ISLNK(st.st_mode));
	ck_assert_int_eq(stat(path, &st), 0);
	ck_assert_int_gt(st.st_size, 1000);
}
END_TEST

START_TEST(test_write_device)
{
	struct lkst_trace_writer *writer;
	struct lkst_error err = { 0 };

	/* A device stays one. */
	writer = lkst_trace_writer_create("/dev/null", &err);
	ck_assert_ptr_nonnull(writer);
	ck_assert_int_eq(sample_write(writer, &err), 0);
	ck_assert_int_eq(lkst_trace_writer_commit(writer, &err), 0);
	ck_assert_ptr_null(lkst_trace_writer_create("/dev/full", &err));
	ck_assert_ptr_nonnull(strstr(err.text, "No space left on device"));
	ck_assert_ptr_null(lkst_trace_writer_create("/nonexistent/x", &err));
	ck_assert_str_eq(err.text, "/nonexistent/x: cannot be created: No such file or directory");
	ck_assert_ptr_null(lkst_trace_writer_create("", &err));
	ck_assert_str_eq(err.text, "\"\": cannot be created: No such file or directory");
	ck_assert_ptr_null(lkst_trace_writer_create(dir, &err));
	ck_assert_ptr_nonnull(strstr(err.text, "Is a directory"));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("trace");
	TCase *tc = tcase_create("read"), *wr = tcase_create("write");

	tcase_set_timeout(tc, 120);
	tcase_add_test(tc, test_round_trip);
	tcase_add_test(tc, test_newest_first_is_the_reverse);
	tcase_add_test(tc, test_merge);
	tcase_add_test(tc, test_interrupting_record);
	tcase_add_test(tc, test_equal_times);
	tcase_add_test(tc, test_buffers_of_one_cpu);
	tcase_add_test(tc, test_buffer_comes_again);
	tcase_add_test(tc, test_recids_twice);
	tcase_add_test(tc, test_clock_set_back);
	tcase_add_test(tc, test_same_buffer_again);
	tcase_add_test(tc, test_many_chunks);
	tcase_add_test(tc, test_cut_off_in_records);
	tcase_add_test(tc, test_cut_off_anywhere);
	tcase_add_test(tc, test_damaged_chunk);
	tcase_add_test(tc, test_damaged_chunk_header);
	tcase_add_test(tc, test_unknown_and_compressed_chunks);
	tcase_add_loop_test(tc, test_lying_buffer_header, 0, 6);
	tcase_add_loop_test(tc, test_strange_cpus, 0, 3);
	tcase_add_test(tc, test_other_byte_order);
	tcase_add_test(tc, test_raw);
	tcase_add_loop_test(tc, test_foreign, 0, 11);
	tcase_add_test(tc, test_version);
	tcase_add_test(tc, test_no_file);
	tcase_add_test(tc, test_pipe);
	tcase_add_test(tc, test_no_etypes);
	suite_add_tcase(suite, tc);
	tcase_add_checked_fixture(wr, setup_dir, teardown_dir);
	tcase_add_test(wr, test_write_replaces);
	tcase_add_test(wr, test_write_aborted);
	tcase_add_test(wr, test_write_full_disk);
	tcase_add_test(wr, test_write_full_disk_new_file);
	tcase_add_test(wr, test_write_full_temporary);
	tcase_add_test(wr, test_write_dangling_link);
	tcase_add_test(wr, test_write_through_link);
	tcase_add_test(wr, test_write_device);
	suite_add_tcase(suite, wr);
	return run_suite(suite);
}
