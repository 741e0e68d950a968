// SPDX-License-Identifier: GPL-2.0
/* Streams of blocks, from a device that is not there: good blocks, and those that no kernel makes. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/stream.h"
#include "tap.h"

#define ROOM   4096
#define RECORD sizeof(struct lkst_event_record)
#define BLOCK  LKST_SIZEOF_LKST_BLOCK
#define READS  4
#define LONGER 192 /* header of a later version */

/* What the reads return, one after the other; then there is nothing. */
static struct kernel {
	uint8_t bytes[READS][ROOM];
	ssize_t len[READS]; /* or a negative errno */
	int reads;
	int at;
	size_t asked; /* bytes, by the last read */
	int error; /* of each ioctl */
	unsigned long request; /* the last one */
	union {
		struct lkst_buffer_srmodparam bind;
		struct lkst_block_seekparam seek;
		struct lkst_block_waitparam wait;
	} arg;
	int closed;
} kernel;

static struct lkst_stream *stream;

static int fake_ioctl(void *ctx, unsigned long request, void *arg)
{
	(void)ctx;
	if (request == LKST_IOC_TRC_STATUS) {
		((struct lkst_trc_status *)arg)->online_cpu_len = 8;
		((struct lkst_trc_status *)arg)->cpu_num = 2;
		return 0;
	}
	kernel.request = request;
	if (arg)
		memcpy(&kernel.arg, arg, _IOC_SIZE(request));
	if (request == LKST_IOC_BUFFER_SETRMOD)
		strcpy(((struct lkst_buffer_srmodparam *)arg)->arch, "x86_64");
	return -kernel.error;
}

static ssize_t fake_read(void *ctx, void *to, size_t size)
{
	ssize_t len;

	(void)ctx;
	kernel.asked = size;
	if (kernel.at == kernel.reads)
		return -EAGAIN;
	len = kernel.len[kernel.at];
	if (len > 0)
		memcpy(to, kernel.bytes[kernel.at], (size_t)len);
	kernel.at++;
	return len;
}

static void fake_close(void *ctx)
{
	(void)ctx;
	kernel.closed++;
}

static const struct lkst_device_ops ops = {
	.ioctl = fake_ioctl,
	.read = fake_read,
	.close = fake_close,
};

static struct lkst_stream *try_open(int32_t cpu, size_t room, struct lkst_error *err)
{
	return lkst_stream_new(lkst_device_new(&ops, NULL, NULL), cpu, room, err);
}

static void setup(void)
{
	struct lkst_error err;

	memset(&kernel, 0, sizeof(kernel));
	stream = try_open(-1, ROOM, &err);
	ck_assert_msg(stream != NULL, "%s", err.text);
}

static void teardown(void)
{
	lkst_stream_close(stream);
}

static const struct lkst_block header = {
	.magic = LKST_BLOCK_MAGIC,
	.version = LKST_BLOCK_VERSION,
	.header_size = BLOCK,
	.size = BLOCK,
	.cpu = 1,
	.buffer = 7,
	.clock = LKST_CLOCK_TSC,
	.first_recid = 100,
	.recorded = 110,
	.tsc = 5000,
	.cpu_freq = 2000000,
	.wall = 777,
	.monotonic = 55,
	.boot = "a run of LKST",
};

static void end_read(ssize_t len)
{
	kernel.len[kernel.reads++] = len;
}

/* Adds a block to the next read: @block, but for its size, with as many records. */
static struct lkst_block *add(struct lkst_block block, uint64_t count)
{
	ssize_t *len = &kernel.len[kernel.reads];
	uint8_t *to = kernel.bytes[kernel.reads] + *len;

	block.size = block.header_size + count * RECORD;
	block.count = count;
	ck_assert_uint_le((size_t)*len + block.size, ROOM);
	memcpy(to, &block, sizeof(block));
	for (uint64_t i = 0; i < count; i++) {
		const struct lkst_event_record record = { .clock = 1000 + block.first_recid + i };

		memcpy(to + block.header_size + i * RECORD, &record, sizeof(record));
	}
	*len += (ssize_t)block.size;
	return (void *)to;
}

static struct lkst_run next(void)
{
	struct lkst_error err;
	struct lkst_run run;

	ck_assert_msg(lkst_stream_next(stream, &run, &err) == 1, "%s", err.text);
	for (size_t i = 0; i < run.num; i++)
		ck_assert_uint_eq(run.record[i].clock, 1000 + run.first_recid + i);
	return run;
}

static void nothing_more(void)
{
	struct lkst_run run;

	ck_assert_int_eq(lkst_stream_next(stream, &run, NULL), 0);
}

START_TEST(test_block)
{
	struct lkst_run run;

	ck_assert_uint_eq(kernel.request, LKST_IOC_BUFFER_SETRMOD);
	ck_assert_int_eq(kernel.arg.bind.cpu, -1);
	ck_assert_int_eq(kernel.arg.bind.mode, LKST_READ_MODE_BLOCK);
	nothing_more();
	add(header, 10);
	kernel.reads++;
	run = next();
	ck_assert(run.cpu == 1 && run.buffer == 7 && run.clock == LKST_CLOCK_TSC);
	ck_assert(run.first_recid == 100 && run.num == 10 && run.recorded == 110 && !run.lost);
	ck_assert(run.tsc == 5000 && run.freq_khz == 2000000 && run.xtime_ns == 777 &&
		  run.monotonic_ns == 55 &&
		  !memcmp(run.boot, header.boot, sizeof(run.boot)));
	ck_assert_str_eq(run.arch, "x86_64");
	ck_assert_uint_eq(kernel.asked, ROOM);
	nothing_more();
}
END_TEST

/* One read() has blocks of several CPUs, each of which goes on in the next one. */
START_TEST(test_cpus)
{
	struct lkst_block zero = header, one = header;
	struct lkst_run run;

	zero.cpu = 0;
	zero.first_recid = 1ull << 60;
	add(one, 3);
	add(zero, 5);
	one.first_recid += 3;
	add(one, 0);
	kernel.reads++;
	zero.first_recid += 5;
	add(zero, 1);
	kernel.reads++;
	run = next();
	ck_assert(run.cpu == 1 && run.first_recid == 100 && run.num == 3);
	run = next();
	ck_assert(run.cpu == 0 && run.first_recid == 1ull << 60 && run.num == 5);
	run = next();
	ck_assert(run.cpu == 1 && run.first_recid == 103 && !run.num);
	ck_assert_int_eq(kernel.at, 1);
	run = next();
	ck_assert(run.cpu == 0 && run.first_recid == (1ull << 60) + 5 && run.num == 1);
	nothing_more();
}
END_TEST

START_TEST(test_losses)
{
	struct lkst_block block = header;
	struct lkst_run run;

	block.lost = 90;
	block.dropped = 8;
	block.unfinished = 2;
	add(block, 4);
	add(block, 0);
	kernel.reads++;
	run = next();
	ck_assert(run.lost == 100 && run.dropped == 8 && run.unfinished == 2 && run.num == 4);
	run = next();
	ck_assert(run.lost == 100 && !run.num);
}
END_TEST

/* A later version has more members, and more flags, which may be ignored. */
START_TEST(test_later_version)
{
	struct lkst_block block = header;
	struct lkst_run run;

	block.version = LKST_BLOCK_VERSION + 1;
	block.header_size = LONGER;
	block.flags = ~0u;
	add(block, 2);
	block.first_recid += 2;
	add(block, 1);
	kernel.reads++;
	run = next();
	ck_assert(run.first_recid == 100 && run.num == 2);
	run = next();
	ck_assert(run.first_recid == 102 && run.num == 1);
}
END_TEST

static void bad_magic(struct lkst_block *block)
{
	block->magic = __builtin_bswap32(block->magic);
}

static void old_version(struct lkst_block *block)
{
	block->version = 0;
}

static void short_header(struct lkst_block *block)
{
	block->header_size = BLOCK - RECORD;
}

static void odd_header(struct lkst_block *block)
{
	block->header_size = BLOCK + 8;
}

static void less_than_header(struct lkst_block *block)
{
	block->size = block->header_size - RECORD;
}

static void odd_size(struct lkst_block *block)
{
	block->size += 8;
	block->count--;
}

static void beyond_read(struct lkst_block *block)
{
	block->size += RECORD;
}

static void huge_size(struct lkst_block *block)
{
	block->size = -(uint64_t)RECORD;
}

static void beyond_size(struct lkst_block *block)
{
	block->count++;
}

static void huge_count(struct lkst_block *block)
{
	block->count = 1ull << 58;
}

static void no_cpu(struct lkst_block *block)
{
	block->cpu = -1;
}

static void lost_too_many(struct lkst_block *block)
{
	block->lost = block->first_recid + 1;
}

static void lost_overflow(struct lkst_block *block)
{
	block->lost = block->dropped = 1ull << 63;
}

static void (*const damages[])(struct lkst_block *) = {
	bad_magic, old_version,	  short_header,	 odd_header,  less_than_header,
	odd_size,  beyond_read,	  huge_size,	 beyond_size, huge_count,
	no_cpu,	   lost_too_many, lost_overflow,
};

static void fails_once(void)
{
	struct lkst_error err = { 0 };
	struct lkst_run run;

	ck_assert_int_eq(lkst_stream_next(stream, &run, &err), -1);
	ck_assert_int_eq(err.code, LKST_ERR_FORMAT);
	ck_assert_str_eq(err.text,
			 "/dev/lkst: read() returned no block that these tools understand");
}

/* The block before it is good, what follows in the same read() is left out, the next one is read. */
START_TEST(test_damage)
{
	struct lkst_block block = header;

	add(block, 2);
	damages[_i](add(block, 3));
	kernel.reads++;
	block.first_recid = 200;
	add(block, 1);
	kernel.reads++;
	ck_assert_uint_eq(next().first_recid, 100);
	fails_once();
	ck_assert_uint_eq(next().first_recid, 200);
	nothing_more();
}
END_TEST

/* The end of a read() is cut off, at each byte. */
START_TEST(test_cut)
{
	for (ssize_t len = 1; len < (ssize_t)(BLOCK + RECORD); len++) {
		kernel.reads = kernel.at = 0;
		memset(kernel.len, 0, sizeof(kernel.len));
		add(header, 1);
		end_read(len);
		fails_once();
		nothing_more();
	}
}
END_TEST

START_TEST(test_other_cpu)
{
	struct lkst_error err;

	lkst_stream_close(stream);
	ck_assert_int_eq(kernel.closed, 1);
	stream = try_open(0, ROOM, &err);
	ck_assert_ptr_nonnull(stream);
	ck_assert_int_eq(kernel.arg.bind.cpu, 0);
	add(header, 1);
	kernel.reads++;
	fails_once();
}
END_TEST

/* An interrupted read() is tried again; an offline CPU has nothing; else there is an error. */
START_TEST(test_read_errors)
{
	struct lkst_error err = { 0 };
	struct lkst_run run;

	end_read(-EINTR);
	end_read(0);
	end_read(-EIO);
	nothing_more();
	ck_assert_int_eq(kernel.at, 2);
	ck_assert_int_eq(lkst_stream_next(stream, &run, &err), -1);
	ck_assert_int_eq(err.sys_errno, EIO);
	nothing_more();
}
END_TEST

START_TEST(test_requests)
{
	struct lkst_error err = { 0 };

	ck_assert_int_eq(lkst_stream_timeout(stream, 250, &err), 0);
	ck_assert_uint_eq(kernel.request, LKST_IOC_BLOCK_WAIT);
	ck_assert(kernel.arg.wait.timeout == 250 && !kernel.arg.wait.pad);
	ck_assert_int_eq(lkst_stream_flush(stream, &err), 0);
	ck_assert_uint_eq(kernel.request, LKST_IOC_BLOCK_FLUSH);
	ck_assert_int_eq(lkst_stream_seek(stream, 1, LKST_BLOCK_RECID_END, &err), 0);
	ck_assert_uint_eq(kernel.request, LKST_IOC_BLOCK_SEEK);
	ck_assert(kernel.arg.seek.cpu == 1 && kernel.arg.seek.recid == LKST_BLOCK_RECID_END &&
		  !kernel.arg.seek.pad);
	kernel.error = EINVAL;
	ck_assert_int_eq(lkst_stream_seek(stream, 1, 5, &err), -1);
	ck_assert_int_eq(err.sys_errno, EINVAL);
	ck_assert_int_eq(lkst_stream_timeout(stream, 0, &err), -1);
	ck_assert_int_eq(lkst_stream_flush(stream, &err), -1);
}
END_TEST

/* What was read before it is not handed out after it; where it fails, it is. */
START_TEST(test_seek)
{
	struct lkst_block block = header;

	add(block, 1);
	block.first_recid = 101;
	add(block, 1);
	block.first_recid = 102;
	add(block, 1);
	kernel.reads++;
	block.first_recid = 50;
	add(block, 1);
	kernel.reads++;
	ck_assert_uint_eq(next().first_recid, 100);
	kernel.error = EINVAL;
	ck_assert_int_eq(lkst_stream_seek(stream, 1, 999, NULL), -1);
	ck_assert_uint_eq(next().first_recid, 101);
	kernel.error = 0;
	ck_assert_int_eq(lkst_stream_seek(stream, 1, 50, NULL), 0);
	ck_assert_uint_eq(next().first_recid, 50);
}
END_TEST

/* Blocks of other CPUs that came with the same read() are handed out, and what is damaged is told. */
START_TEST(test_seek_others)
{
	struct lkst_block block = header, other = header;
	struct lkst_error err;
	struct lkst_run run;

	other.cpu = 0;
	add(block, 1);
	block.first_recid = 101;
	add(block, 2);
	other.first_recid = 7;
	add(other, 3);
	block.first_recid = 103;
	add(block, 1);
	other.first_recid = 10;
	add(other, 1);
	add(other, 1)->magic = 0;
	kernel.reads++;
	run = next();
	ck_assert_uint_eq(run.first_recid, 100);
	ck_assert_int_eq(lkst_stream_seek(stream, 1, 50, NULL), 0);
	ck_assert_uint_eq(run.record[0].clock, 1100);
	run = next();
	ck_assert(run.cpu == 0 && run.first_recid == 7 && run.num == 3);
	ck_assert_uint_eq(run.record[2].clock, 1009);
	run = next();
	ck_assert(run.cpu == 0 && run.first_recid == 10 && run.num == 1);
	ck_assert_int_eq(lkst_stream_next(stream, &run, &err), -1);
	ck_assert_int_eq(lkst_stream_next(stream, &run, &err), 0);
}
END_TEST

START_TEST(test_open_errors)
{
	struct lkst_error err = { 0 };

	kernel.error = EINVAL;
	ck_assert_ptr_null(try_open(2, ROOM, &err));
	ck_assert_str_eq(err.text, "no CPU 2 here, only CPUs 0-1");
	ck_assert_ptr_null(try_open(-1, ROOM, &err));
	ck_assert_str_eq(err.text, "the LKST of this kernel does not hand out blocks: it is older "
				   "than these tools");
	ck_assert_int_eq(err.sys_errno, EINVAL);
	kernel.error = EPERM;
	ck_assert_ptr_null(try_open(1, ROOM, &err));
	ck_assert_int_eq(err.code, LKST_ERR_PERMISSION);
	ck_assert_int_eq(kernel.closed, 3);
	ck_assert_ptr_null(lkst_stream_new(NULL, 1, ROOM, &err));
	lkst_stream_close(NULL);
}
END_TEST

/* What was read ahead comes in order, and what is damaged where its turn is. */
START_TEST(test_ahead_keeps_block)
{
	struct lkst_block block = header;
	struct lkst_error err = { 0 };
	struct lkst_run run;

	for (int i = 0; i < 3; i++, kernel.reads++)
		for (int k = 0; k < 2; k++, block.first_recid += 2)
			add(block, 2);
	run = next();
	ck_assert_uint_eq(run.first_recid, 100);
	ck_assert_int_eq(lkst_stream_ahead(stream, &err), 0);
	ck_assert_int_eq(kernel.at, 3);
	ck_assert_uint_eq(run.record[1].clock, 1101);
	ck_assert_int_eq(lkst_stream_ahead(stream, &err), 0);
	for (uint64_t recid = 102; recid < 112; recid += 2) {
		ck_assert(lkst_stream_has_block(stream));
		ck_assert_uint_eq(next().first_recid, recid);
	}
	ck_assert(!lkst_stream_has_block(stream));
	nothing_more();
}
END_TEST

START_TEST(test_ahead_error)
{
	struct lkst_error err = { 0 };

	add(header, 2);
	kernel.reads++;
	end_read(-EIO);
	ck_assert_int_eq(lkst_stream_ahead(stream, &err), -1);
	ck_assert_int_eq(err.sys_errno, EIO);
	ck_assert_uint_eq(next().first_recid, 100);
	nothing_more();
}
END_TEST

/* It ends where there is no room for a block, and goes on when all was handed out. */
START_TEST(test_ahead_is_full)
{
	struct lkst_block block = header;
	struct lkst_error err = { 0 };

	lkst_stream_close(stream);
	stream = try_open(-1, 2 * (BLOCK + RECORD) + BLOCK, NULL);
	for (int i = 0; i < 3; i++, kernel.reads++, block.first_recid++)
		add(block, 1);
	ck_assert_int_eq(lkst_stream_ahead(stream, &err), 0);
	ck_assert_int_eq(kernel.at, 2);
	ck_assert_uint_eq(kernel.asked, BLOCK + RECORD + BLOCK);
	for (uint64_t recid = 100; recid < 103; recid++)
		ck_assert_uint_eq(next().first_recid, recid);
	nothing_more();
}
END_TEST

START_TEST(test_seek_ahead)
{
	struct lkst_block block = header, other = header;
	struct lkst_error err = { 0 };

	other.cpu = 0;
	for (int i = 0; i < 3; i++, kernel.reads++, block.first_recid++, other.first_recid++) {
		add(block, 1);
		add(other, 1);
	}
	ck_assert_int_eq(lkst_stream_ahead(stream, &err), 0);
	ck_assert_int_eq(lkst_stream_seek(stream, 1, 50, &err), 0);
	for (uint64_t recid = 100; recid < 103; recid++) {
		struct lkst_run run = next();

		ck_assert(run.cpu == 0 && run.first_recid == recid);
	}
	nothing_more();
}
END_TEST

/* There always is room for a header and a record. */
START_TEST(test_room)
{
	lkst_stream_close(stream);
	stream = try_open(-1, 1, NULL);
	nothing_more();
	ck_assert_uint_eq(kernel.asked, BLOCK + RECORD);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("stream");
	TCase *tc = tcase_create("stream");

	tcase_add_checked_fixture(tc, setup, teardown);
	check_id(tc, test_block);
	check_id(tc, test_cpus);
	check_id(tc, test_losses);
	check_id(tc, test_later_version);
	tcase_add_loop_test(tc, test_damage, 0, sizeof(damages) / sizeof(damages[0]));
	check_id(tc, test_cut);
	check_id(tc, test_other_cpu);
	check_id(tc, test_read_errors);
	check_id(tc, test_requests);
	check_id(tc, test_seek);
	check_id(tc, test_seek_others);
	check_id(tc, test_ahead_keeps_block);
	check_id(tc, test_ahead_error);
	check_id(tc, test_ahead_is_full);
	check_id(tc, test_seek_ahead);
	check_id(tc, test_open_errors);
	check_id(tc, test_room);
	suite_add_tcase(suite, tc);
	return run_suite(suite);
}
