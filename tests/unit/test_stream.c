// SPDX-License-Identifier: GPL-2.0
/* Whole recids from what read() hands out, whatever is missing; and what a successor gets. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/etype_ids.h"
#include "lib/stream.h"
#include "tap.h"

#define ROOM	(64 * 64) /* bytes: records of a read */
#define RECORDS 64
#define CPU	3
#define KHZ	2000000
#define FAR	(5ull << 40)

/* ---- a CPU's read queue, as the kernel has it ---- */

enum {
	HOLES_MAX = 8,
	BUFFERS_MAX = 64
};

struct buffer {
	uint64_t first;
	uint64_t num;
	uint64_t hole[HOLES_MAX]; /* of these positions nothing can be read */
	size_t holes;
	uint64_t read; /* position */
	uint32_t clock;
	bool silent; /* without what a shift records */
	bool free;
};

struct kernel {
	struct buffer buffer[BUFFERS_MAX];
	size_t buffers;
	size_t head; /* what is being read, or will be */
	bool reading;
	uint64_t end; /* recid that comes after the last buffer */
	size_t dates;
	/* The reader is killed: */
	int die_after_records; /* in read(), -1: not */
	bool die_in_list;
	size_t reads;
};

static struct lkst_event_record record_of(const struct buffer *buffer, uint64_t position)
{
	uint64_t recid = buffer->first + position;
	struct lkst_event_record record = {
		.clock = 1000 + recid,
		.event_type = LKST_ETYPE_USER_MARK,
		.flags = (uint16_t)(recid << LKST_RECORD_LAP_SHIFT),
		.arg = { 0, 0, 0, recid },
	};

	if (!buffer->silent && position == 0) {
		record.event_type = LKST_ETYPE_LKST_SYNC_TIME;
		record.arg[0] = 7ull << 32 | 5;
		record.arg[1] = record.clock;
		record.arg[2] = KHZ;
	} else if (!buffer->silent && position == 2) {
		record.event_type = LKST_ETYPE_LKST_BUFF_SHIFT;
		record.arg[2] = buffer->first;
	}
	return record;
}

static bool is_hole(const struct buffer *buffer, uint64_t position)
{
	for (size_t i = 0; i < buffer->holes; i++)
		if (buffer->hole[i] == position)
			return true;
	return false;
}

static void finish(struct kernel *kernel)
{
	kernel->buffer[kernel->head++].free = true;
	kernel->reading = false;
}

static ssize_t kernel_read(void *ctx, void *to, size_t size, struct lkst_error *err)
{
	struct kernel *kernel = ctx;
	struct lkst_event_record *record = to;
	size_t num = 0, max = size / sizeof(*record);
	uint32_t clock = 0;

	kernel->reads++;
	while (num < max && kernel->head < kernel->buffers) {
		struct buffer *buffer = &kernel->buffer[kernel->head];

		kernel->reading = true;
		if (num && buffer->clock != clock)
			break;
		clock = buffer->clock;
		for (; num < max && buffer->read < buffer->num; buffer->read++) {
			if (num == (size_t)kernel->die_after_records)
				break;
			if (!is_hole(buffer, buffer->read))
				record[num++] = record_of(buffer, buffer->read);
		}
		if (buffer->read == buffer->num)
			finish(kernel);
		if (num == (size_t)kernel->die_after_records) {
			kernel->reading = false;
			err->code = LKST_ERR_INTERRUPTED;
			return -1;
		}
	}
	return (ssize_t)(num * sizeof(*record));
}

static int kernel_list(void *ctx, struct lkst_buffer_list *list, struct lkst_error *err)
{
	const struct kernel *kernel = ctx;

	if (kernel->die_in_list) {
		err->code = LKST_ERR_INTERRUPTED;
		return -1;
	}
	memset(list, 0, sizeof(*list));
	list->ent = calloc(BUFFERS_MAX + 1, sizeof(*list->ent));
	list->param.read_buf = LKST_BUFFER_ID_VOID;
	for (size_t i = 0; i < kernel->buffers; i++) {
		const struct buffer *buffer = &kernel->buffer[i];
		struct lkst_buffer_listent *ent = &list->ent[list->param.buffer_num++];

		ent->id = (lkst_buffer_id)i;
		ent->first_recid = buffer->first;
		ent->baseid = (int64_t)buffer->first - 7;
		ent->write_offset = buffer->num + 7;
		ent->clock = buffer->clock;
		ent->state = buffer->free ? LKST_BUFFER_FREE : LKST_BUFFER_QUEUED;
		if (i != kernel->head || !kernel->reading)
			continue;
		ent->state = LKST_BUFFER_BEING_READ;
		list->param.read_buf = ent->id;
		list->param.read_pos = buffer->first + buffer->read;
	}
	list->ent[list->param.buffer_num++] = (struct lkst_buffer_listent){
		.id = BUFFERS_MAX,
		.first_recid = kernel->end,
		.baseid = (int64_t)kernel->end,
		.state = LKST_BUFFER_WRITTEN,
	};
	return 0;
}

static int kernel_date(void *ctx, struct lkst_buffer_srmodparam *param, struct lkst_error *err)
{
	struct kernel *kernel = ctx;

	(void)err;
	kernel->dates++;
	param->clock = kernel->head < kernel->buffers ? kernel->buffer[kernel->head].clock : 1;
	param->tsc = 1;
	param->cpu_freq = KHZ;
	param->xtime = (struct lkst_timeval){ 5, 6 };
	strcpy(param->arch, "test");
	return 0;
}

static const struct lkst_stream_ops ops = {
	.read = kernel_read,
	.list = kernel_list,
	.date = kernel_date,
};

static struct kernel *kernel_new(void)
{
	struct kernel *kernel = calloc(1, sizeof(*kernel));

	kernel->die_after_records = -1;
	return kernel;
}

/* A buffer that begins so many recids behind the one before it. */
static struct buffer *queue(struct kernel *kernel, uint64_t gap, uint64_t num)
{
	struct buffer *buffer = &kernel->buffer[kernel->buffers++];

	*buffer = (struct buffer){ .first = kernel->end + gap, .num = num, .clock = 1 };
	kernel->end = buffer->first + num;
	return buffer;
}

/* ---- what comes of it ---- */

struct sum {
	uint64_t records;
	uint64_t lost;
	uint64_t first;
	uint64_t end; /* of what was handed out */
	size_t runs;
};

static void check_run(const struct lkst_run *run, struct sum *sum)
{
	ck_assert_uint_ne(run->num, 0);
	for (size_t i = 0; i < run->num; i++)
		ck_assert_uint_eq(run->record[i].arg[3], run->first_recid + i);
	if (sum->runs)
		ck_assert_uint_eq(run->first_recid, sum->end + run->lost);
	else
		sum->first = run->first_recid;
	ck_assert_int_eq(run->cpu, CPU);
	ck_assert_str_eq(run->arch, "test");
	sum->runs++;
	sum->records += run->num;
	sum->lost += run->lost;
	sum->end = run->first_recid + run->num;
}

static struct sum read_all(struct lkst_stream *stream)
{
	struct lkst_error err;
	struct sum sum = { 0 };
	struct lkst_run run;
	int ret;

	while ((ret = lkst_stream_next(stream, &run, &err)) > 0)
		check_run(&run, &sum);
	ck_assert_int_eq(ret, 0);
	ck_assert_uint_eq(lkst_stream_position(stream), sum.runs ? sum.end : 0);
	return sum;
}

static struct lkst_stream *open_on(struct kernel *kernel, const char *path)
{
	struct lkst_error err;
	struct lkst_stream *stream = lkst_stream_new(&ops, kernel, CPU, ROOM, path, &err);

	ck_assert_ptr_nonnull(stream);
	return stream;
}

static const uint64_t gaps[] = {
	0, 1, 2, 63, 2046, 2047, 2048, 2049, 4095, 4096, 4097, 6144, 65536, 1000000, 1ull << 33,
};

#define GAPS (sizeof(gaps) / sizeof(*gaps))

START_TEST(test_gap_between_buffers)
{
	static const uint64_t sizes[] = { 1, 2, 3, 5, 63, 64, 65, 200, 3000 };
	static const uint64_t starts[] = { 0, 1, 2047, FAR };

	for (size_t silent = 0; silent < 2; silent++)
		for (size_t size = 0; size < sizeof(sizes) / sizeof(*sizes); size++)
			for (size_t start = 0; start < sizeof(starts) / sizeof(*starts); start++) {
				struct kernel *kernel = kernel_new();
				struct lkst_stream *stream = open_on(kernel, NULL);
				struct sum sum;

				queue(kernel, starts[start], sizes[size])->silent = silent;
				queue(kernel, gaps[_i], sizes[size])->silent = silent;
				queue(kernel, gaps[_i], 100)->silent = silent;
				sum = read_all(stream);
				ck_assert_uint_eq(sum.first, starts[start]);
				ck_assert_uint_eq(sum.records, 2 * sizes[size] + 100);
				ck_assert_uint_eq(sum.lost, 2 * gaps[_i]);
				ck_assert_uint_eq(sum.end, kernel->end);
				lkst_stream_close(stream);
				free(kernel);
			}
}
END_TEST

START_TEST(test_later)
{
	struct kernel *kernel = kernel_new();
	struct lkst_stream *stream = open_on(kernel, NULL);
	uint64_t lost = 0;

	/* What comes later is counted from what was there. */
	queue(kernel, FAR, 10);
	ck_assert_uint_eq(read_all(stream).records, 10);
	for (size_t i = 0; i < GAPS; i++) {
		struct lkst_error err;
		struct lkst_run run;

		queue(kernel, gaps[i], 7);
		ck_assert_int_eq(lkst_stream_next(stream, &run, &err), 1);
		ck_assert_uint_eq(run.lost, gaps[i]);
		lost += run.lost;
		read_all(stream);
	}
	ck_assert_uint_eq(lost, kernel->end - FAR - 10 - 7 * GAPS);
	lkst_stream_close(stream);
	free(kernel);
}
END_TEST

/* Records that nobody could finish: at the beginning, in the middle, at the end of a buffer. */
START_TEST(test_holes)
{
	static const uint64_t hole[][HOLES_MAX] = {
		{ 0 }, { 1 }, { 2 }, { 64, 65 }, { 298, 299 }, { 297, 298 }, { 100, 200, 299 },
	};
	static const size_t holes[] = { 1, 1, 1, 2, 2, 2, 3 };
	struct kernel *kernel = kernel_new();
	struct lkst_stream *stream = open_on(kernel, NULL);
	struct sum sum;

	for (int i = 0; i < 4; i++) {
		struct buffer *buffer = queue(kernel, i ? 5000 : FAR, 300);

		buffer->holes = holes[_i];
		memcpy(buffer->hole, hole[_i], sizeof(buffer->hole));
	}
	sum = read_all(stream);
	ck_assert_uint_eq(sum.records, 4 * (300 - holes[_i]));
	ck_assert_uint_eq(sum.end - sum.first, sum.records + sum.lost);
	lkst_stream_close(stream);
	free(kernel);
}
END_TEST

/* More missing within a buffer than the low bits can tell. */
START_TEST(test_hole_long)
{
	struct kernel *kernel = kernel_new();
	struct lkst_stream *stream = open_on(kernel, NULL);
	struct sum sum;

	queue(kernel, FAR, 10)->silent = true;
	/* The end of it is lost, as far as the next one begins. */
	queue(kernel, 2048 * 3 - 10, 10)->silent = true;
	queue(kernel, 2048 * 2 + 1, 500);
	sum = read_all(stream);
	ck_assert_uint_eq(sum.records, 520);
	ck_assert_uint_eq(sum.end, kernel->end);
	lkst_stream_close(stream);
	free(kernel);
}
END_TEST

START_TEST(test_clock)
{
	struct kernel *kernel = kernel_new();
	struct lkst_stream *stream = open_on(kernel, NULL);
	struct lkst_error err;
	struct lkst_run run;
	uint64_t end = 0;

	/* Also where a read() reaches into a buffer of another clock. */
	queue(kernel, 0, 200);
	queue(kernel, 0, 200)->clock = 0;
	kernel->buffer[1].hole[kernel->buffer[1].holes++] = 150;
	queue(kernel, 0, 200);
	while (lkst_stream_next(stream, &run, &err) > 0) {
		ck_assert_uint_eq(run.clock, run.first_recid / 200 == 1 ? 0 : 1);
		ck_assert_uint_eq((run.first_recid + run.num - 1) / 200, run.first_recid / 200);
		end = run.first_recid + run.num;
	}
	ck_assert_uint_eq(end, 600);
	lkst_stream_close(stream);
	free(kernel);
}
END_TEST

START_TEST(test_dates)
{
	struct kernel *kernel = kernel_new();
	struct lkst_stream *stream = open_on(kernel, NULL);
	struct lkst_error err;
	struct lkst_run run;

	/* lkst_sync_time says it to the ns. */
	queue(kernel, 77, 50);
	ck_assert_int_eq(lkst_stream_next(stream, &run, &err), 1);
	ck_assert_int_eq(run.xtime_ns, 7000000005);
	ck_assert_int_eq(run.monotonic_ns, 77);
	ck_assert_uint_eq(run.tsc, 1077);
	ck_assert_uint_eq(run.freq_khz, KHZ);
	read_all(stream);
	/* Without one the kernel's word counts, and what was known before. */
	queue(kernel, 0, 50)->silent = true;
	ck_assert_int_eq(lkst_stream_next(stream, &run, &err), 1);
	ck_assert_int_eq(run.xtime_ns, 5000006000);
	ck_assert_int_eq(run.monotonic_ns, 5000006000 - (7000000005 - 77));
	lkst_stream_close(stream);
	free(kernel);
}
END_TEST

/* One call for all that is left of a buffer, one for its first record. */
START_TEST(test_calls)
{
	struct kernel *kernel = kernel_new();
	struct lkst_stream *stream = open_on(kernel, NULL);

	for (int i = 0; i < 10; i++)
		queue(kernel, 0, RECORDS + 1);
	ck_assert_uint_eq(read_all(stream).records, 10 * (RECORDS + 1));
	ck_assert_uint_eq(kernel->reads, 21);
	ck_assert_uint_eq(kernel->dates, 11);
	lkst_stream_close(stream);
	free(kernel);
}
END_TEST

/* ---- successors ---- */

static char path[64];

static void set_up(void)
{
	int fd;

	strcpy(path, "/tmp/lkst-stream.XXXXXX");
	fd = mkstemp(path);
	ck_assert_int_ge(fd, 0);
	close(fd);
}

static void tear_down(void)
{
	unlink(path);
}

/* The successor goes on at @next. */
static struct sum resume(struct kernel *kernel, uint64_t next)
{
	struct lkst_stream *stream = open_on(kernel, path);
	struct lkst_error err;
	struct sum sum;

	ck_assert_int_eq(lkst_stream_resume(stream, next, &err), 0);
	sum = read_all(stream);
	lkst_stream_close(stream);
	return sum;
}

/* It was read, and handed out or not, and perhaps written. */
START_TEST(test_resume_unwritten)
{
	for (int runs = 1; runs < 8; runs++)
		for (uint64_t written = 0; written < 2; written++) {
			struct kernel *kernel = kernel_new();
			struct lkst_stream *stream = open_on(kernel, path);
			struct lkst_error err;
			struct lkst_run run;
			uint64_t next = FAR;
			struct sum sum;

			for (int i = 0; i < 3; i++) {
				struct buffer *buffer = queue(kernel, i ? 0 : FAR, 200);

				buffer->holes = 2;
				buffer->hole[0] = 20;
				buffer->hole[1] = 40;
			}
			for (int i = 0; i < runs; i++) {
				if (i)
					next = run.first_recid + run.num;
				ck_assert_int_eq(lkst_stream_next(stream, &run, &err), 1);
			}
			if (written)
				next = run.first_recid + run.num;
			kernel->reading = false;
			lkst_stream_close(stream);
			sum = resume(kernel, next);
			ck_assert_uint_eq(sum.first, next + (sum.lost && sum.first != next));
			ck_assert_uint_eq(sum.end, kernel->end);
			ck_assert_uint_eq(sum.records + sum.lost, kernel->end - next);
			ck_assert_uint_le(sum.lost, 6);
			free(kernel);
		}
}
END_TEST

/* Killed within read(), after so many records; or before it could look at what it got. */
START_TEST(test_resume_unplaced)
{
	for (int died = 0; died <= RECORDS + 1; died++) {
		struct kernel *kernel = kernel_new();
		struct lkst_stream *stream = open_on(kernel, path);
		struct lkst_error err;
		struct lkst_run run;
		struct sum sum;

		/* Exactly one read() behind the first record. */
		queue(kernel, FAR + (uint64_t)_i * 5, RECORDS - 1 + (uint64_t)_i);
		if (_i)
			queue(kernel, 0, 90);
		ck_assert_int_eq(lkst_stream_next(stream, &run, &err), 1);
		kernel->die_after_records = died;
		kernel->die_in_list = true;
		ck_assert_int_le(lkst_stream_next(stream, &run, &err), 1);
		kernel->die_after_records = -1;
		kernel->die_in_list = false;
		kernel->reading = false;
		lkst_stream_close(stream);
		sum = resume(kernel, kernel->buffer[0].first + 1);
		ck_assert_uint_eq(sum.lost, 0);
		ck_assert_uint_eq(sum.end, kernel->end);
		ck_assert_uint_eq(sum.first, kernel->buffer[0].first + 1);
		free(kernel);
	}
}
END_TEST

/* What was left is gone with the records that came meanwhile: that is a loss, and nothing is made up. */
START_TEST(test_resume_too_late)
{
	struct kernel *kernel = kernel_new();
	struct lkst_stream *stream = open_on(kernel, path);
	struct lkst_error err;
	struct lkst_run run;
	struct sum sum;

	queue(kernel, 10, RECORDS);
	ck_assert_int_eq(lkst_stream_next(stream, &run, &err), 1);
	kernel->die_after_records = 5;
	ck_assert_int_eq(lkst_stream_next(stream, &run, &err), -1);
	kernel->die_after_records = -1;
	lkst_stream_close(stream);
	kernel->head++;
	queue(kernel, 5000, 100);
	sum = resume(kernel, 11);
	ck_assert_uint_eq(sum.first, 5000 + 10 + RECORDS);
	ck_assert_uint_eq(sum.lost, 5000 + RECORDS - 1);
	ck_assert_uint_eq(sum.records, 100);
	free(kernel);
}
END_TEST

/* A file that is nonsense is not believed. */
START_TEST(test_resume_damaged)
{
	struct kernel *kernel = kernel_new();
	struct lkst_stream *stream = open_on(kernel, path);
	struct lkst_error err;
	struct lkst_run run;
	unsigned char *bytes;
	FILE *file;
	long size;

	queue(kernel, 10, RECORDS);
	ck_assert_int_eq(lkst_stream_next(stream, &run, &err), 1);
	ck_assert_int_eq(lkst_stream_next(stream, &run, &err), 1);
	lkst_stream_close(stream);
	file = fopen(path, "r+");
	fseek(file, 0, SEEK_END);
	size = ftell(file);
	bytes = malloc((size_t)size);
	rewind(file);
	ck_assert_uint_eq(fread(bytes, 1, (size_t)size, file), (size_t)size);
	srand((unsigned int)_i + 1);
	for (int i = 0; i < 20; i++)
		bytes[rand() % (i % 2 ? 200 : size)] = (unsigned char)rand();
	rewind(file);
	fwrite(bytes, 1, (size_t)size, file);
	fclose(file);
	free(bytes);
	stream = open_on(kernel, path);
	ck_assert_int_eq(lkst_stream_resume(stream, 11, &err), 0);
	for (int i = 0; i < 10 && lkst_stream_next(stream, &run, &err) > 0; i++)
		ck_assert_uint_le(run.num, RECORDS);
	lkst_stream_close(stream);
	free(kernel);
}
END_TEST

static Suite *stream_suite(void)
{
	Suite *suite = suite_create("stream");
	TCase *tcase = tcase_create("recids");

	tcase_set_timeout(tcase, 120);
	tcase_add_loop_test(tcase, test_gap_between_buffers, 0, GAPS);
	tcase_add_test(tcase, test_later);
	tcase_add_loop_test(tcase, test_holes, 0, 7);
	tcase_add_test(tcase, test_hole_long);
	tcase_add_test(tcase, test_clock);
	tcase_add_test(tcase, test_dates);
	tcase_add_test(tcase, test_calls);
	suite_add_tcase(suite, tcase);
	tcase = tcase_create("successors");
	tcase_set_timeout(tcase, 120);
	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_test(tcase, test_resume_unwritten);
	tcase_add_loop_test(tcase, test_resume_unplaced, 0, 3);
	tcase_add_test(tcase, test_resume_too_late);
	tcase_add_loop_test(tcase, test_resume_damaged, 0, 100);
	suite_add_tcase(suite, tcase);
	return suite;
}

int main(void)
{
	return run_suite(stream_suite());
}
