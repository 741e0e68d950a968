// SPDX-License-Identifier: GPL-2.0
/* Streams of blocks from a fake device: valid blocks, and damaged ones. */
#include <errno.h>
#include <inttypes.h>

#include "lib/device/device.h"
#include "lib/device/run.h"
#include "lib/live/stream.h"
#include "tap.h"

#define ROOM   4096
#define RECORD sizeof(struct lkst_event_record)
#define BLOCK  LKST_SIZEOF_LKST_BLOCK
#define READS  4
#define LONGER 192 /* size of a later version's header, in bytes */

/* A fake kernel, with the results of successive read() calls. Later calls return -EAGAIN. */
static struct kernel {
	uint8_t bytes[READS][ROOM];
	ssize_t len[READS]; /* result of each read(): bytes, or a negative errno */
	int reads; /* number of results */
	int at; /* index of the next result */
	size_t requested; /* size that the last read() requested, in bytes */
	int error; /* errno with which each ioctl fails; 0: none fails */
	unsigned long request; /* number of the last ioctl */
	union {
		struct lkst_buffer_srmodparam bind;
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
	kernel.requested = size;
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
	.ioctl = fake_ioctl, .read = fake_read, .close = fake_close,
};

static struct lkst_stream *try_open(int32_t cpu, size_t room, struct lkst_error *err)
{
	return lkst_stream_new(lkst_device_new(&ops, NULL, NULL), cpu, room, err);
}

static void setup(void)
{
	memset(&kernel, 0, sizeof(kernel));
	stream = try_open(-1, ROOM, &err);
	assert_made(stream);
}

static void teardown(void)
{
	lkst_stream_close(stream);
}

static const struct lkst_block header = {
	.magic = LKST_BLOCK_MAGIC, .version = LKST_BLOCK_VERSION, .header_size = BLOCK,
	.size = BLOCK, .cpu = 1, .buffer = 7, .clock = LKST_CLOCK_TSC, .first_recid = 100,
	.recorded = 110, .tsc = 5000, .cpu_freq = 2000000, .wall = 777, .monotonic = 55,
	.boot = "a run of LKST",
};

/* Complete the next read(): it returns the blocks that were added, or @result if that is not 0. */
static void end_read(ssize_t result)
{
	if (result)
		kernel.len[kernel.reads] = result;
	kernel.reads++;
}

/* Add a copy of @block with @count records to the next read(). Return the copy. */
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

#define BLOCK_SCAN "%d:%" SCNu64 "+%" SCNu64 " %n"

/* Add blocks, written as "CPU:RECID+COUNT ". RECID is the first recid. "|" ends a read(). */
static void add_blocks(const char *script)
{
	struct lkst_block block = header;
	uint64_t recid, count;
	int len;

	for (; sscanf(script, BLOCK_SCAN, &block.cpu, &recid, &count, &len) == 3; script += len) {
		block.first_recid = recid;
		add(block, count);
		if (script[len] != '|')
			continue;
		end_read(0);
		len += script[len + 1] ? 2 : 1;
	}
	ck_assert_str_eq(script, "");
}

static struct lkst_run next(void)
{
	struct lkst_run run;

	ck_assert_msg(lkst_stream_next(stream, &run, &err) == 1, "%s", err.text);
	for (size_t i = 0; i < run.num; i++)
		ck_assert_uint_eq(run.record[i].clock, 1000 + run.first_recid + i);
	return run;
}

/*
 * Run the words of a script:
 *	1:100+3	check that the next block is from CPU 1 and has 3 records, starting with recid 100
 *	damage	check that the next block is reported as damaged
 *	end	check that no further block is returned
 *	ahead	read ahead
 *	seek	seek to recid 50 of CPU 1
 *	fail	try the same seek while the kernel refuses it, and check that the seek fails
 *	reads=2	check that read() has returned two results so far
 */
static void expect(const char *script)
{
	char word[64], text[64];
	struct lkst_run run;
	int len;

	for (; sscanf(script, "%63s%n", word, &len) == 1; script += len) {
		kernel.error = !strcmp(word, "fail") ? EINVAL : 0;
		if (!strcmp(word, "damage")) {
			ck_assert_int_eq(lkst_stream_next(stream, &run, &err), -1);
			ck_assert_int_eq(err.code, LKST_ERR_FORMAT);
			ck_assert_str_eq(err.text, "/dev/lkst: read() returned a block that these "
						   "tools do not understand");
		} else if (!strcmp(word, "end")) {
			ck_assert_int_eq(lkst_stream_next(stream, &run, NULL), 0);
		} else if (!strcmp(word, "ahead")) {
			assert_ok(lkst_stream_ahead(stream, &err));
		} else if (!strcmp(word, "seek") || !strcmp(word, "fail")) {
			ck_assert_int_eq(lkst_stream_seek(stream, 1, 50, &err), -!!kernel.error);
		} else if (!strncmp(word, "reads=", 6)) {
			ck_assert_int_eq(kernel.at, atoi(word + 6));
		} else {
			run = next();
			sprintf(text, "%d:%" PRIu64 "+%zu", run.cpu, run.first_recid, run.num);
			ck_assert_str_eq(text, word);
		}
	}
}

TESTS(.setup = setup, .teardown = teardown);

static const struct {
	const char *name, *blocks, *script;
} scripts[] = {
	/* One read() returns blocks of several CPUs. The next read() continues with one of them. */
	{ "test_cpus", "1:100+3 0:1152921504606846976+5 1:103+0 | 0:1152921504606846981+1 |",
	  "1:100+3 0:1152921504606846976+5 1:103+0 reads=1 0:1152921504606846981+1 end" },
	/*
	 * A failed seek changes nothing. A successful seek skips the blocks of that CPU that were
	 * read before the seek, but not yet returned.
	 */
	{ "test_seek", "1:100+1 1:101+1 1:102+1 | 1:50+1 |", "1:100+1 fail 1:101+1 seek 1:50+1" },
	/* A seek skips only blocks of its own CPU. The last block is damaged: it has no CPU. */
	{ "test_seek_others", "1:100+1 1:101+2 0:7+3 1:103+1 0:10+1 -1:0+1 |",
	  "1:100+1 seek 0:7+3 0:10+1 damage end" },
	/* Blocks that were read ahead are returned in order. */
	{ "test_ahead", "1:100+2 1:102+2 | 1:104+2 1:106+2 | 1:108+2 1:110+2 |",
	  "1:100+2 ahead reads=3 ahead 1:102+2 1:104+2 1:106+2 1:108+2 1:110+2 end" },
	{ "test_seek_ahead", "1:100+1 0:100+1 | 1:101+1 0:101+1 | 1:102+1 0:102+1 |",
	  "ahead seek 0:100+1 0:101+1 0:102+1 end" },
};

TEST_ROWS(test_script, scripts)
{
	add_blocks(scripts[_i].blocks);
	expect(scripts[_i].script);
}

TEST(test_block)
{
	struct lkst_run run;

	ck_assert_uint_eq(kernel.request, LKST_IOC_BUFFER_SETRMOD);
	ck_assert_int_eq(kernel.arg.bind.cpu, -1);
	ck_assert_int_eq(kernel.arg.bind.mode, LKST_READ_MODE_BLOCK);
	expect("end");
	add(header, 10);
	end_read(0);
	run = next();
	ck_assert(run.cpu == 1 && run.buffer == 7 && run.clock == LKST_CLOCK_TSC);
	ck_assert(run.first_recid == 100 && run.num == 10 && run.recorded == 110 && !run.lost);
	ck_assert(run.tsc == 5000 && run.freq_khz == 2000000 && run.xtime_ns == 777 &&
		  run.monotonic_ns == 55 &&
		  !memcmp(run.boot, header.boot, sizeof(run.boot)));
	ck_assert_str_eq(run.arch, "x86_64");
	ck_assert_uint_eq(kernel.requested, ROOM);
	expect("end");
}

TEST(test_losses)
{
	struct lkst_block block = header;
	struct lkst_run run;

	block.lost = 90;
	block.dropped = 8;
	block.unfinished = 2;
	add(block, 4);
	add(block, 0);
	end_read(0);
	run = next();
	ck_assert(run.lost == 100 && run.dropped == 8 && run.unfinished == 2 && run.num == 4);
	run = next();
	ck_assert(run.lost == 100 && !run.num);
}

/* The header of a later version has more members and flags, which the stream ignores. */
TEST(test_later_version)
{
	struct lkst_block block = header;

	block.version = LKST_BLOCK_VERSION + 1;
	block.header_size = LONGER;
	block.flags = ~0u;
	add(block, 2);
	block.first_recid += 2;
	add(block, 1);
	end_read(0);
	expect("1:100+2 1:102+1 ");
}

/* Wrong values for members in the header of a block that has 3 records, starting with recid 200. */
#define SET(member, value) \
	{ offsetof(struct lkst_block, member), sizeof(((struct lkst_block *)0)->member), value }

static const struct {
	const char *name;
	struct {
		size_t at, size;
		uint64_t value;
	} set[2];
} damages[] = {
	{ "test_damage_bad_magic", { SET(magic, __builtin_bswap32(LKST_BLOCK_MAGIC)) } },
	{ "test_damage_old_version", { SET(version, 0) } },
	{ "test_damage_short_header", { SET(header_size, BLOCK - RECORD) } },
	{ "test_damage_odd_header", { SET(header_size, BLOCK + 8) } },
	{ "test_damage_less_than_header", { SET(size, BLOCK - RECORD) } },
	{ "test_damage_odd_size", { SET(size, BLOCK + 3 * RECORD + 8), SET(count, 2) } },
	{ "test_damage_beyond_read", { SET(size, BLOCK + 4 * RECORD) } },
	{ "test_damage_huge_size", { SET(size, -(uint64_t)RECORD) } },
	{ "test_damage_beyond_size", { SET(count, 4) } },
	{ "test_damage_huge_count", { SET(count, 1ull << 58) } },
	{ "test_damage_no_cpu", { SET(cpu, (uint32_t)-1) } },
	{ "test_damage_lost_too_many", { SET(lost, 201) } },
	{ "test_damage_lost_overflow", { SET(lost, 1ull << 63), SET(dropped, 1ull << 63) } },
};

/*
 * The stream returns the undamaged block, then reports the damage in the block after it, and skips
 * the rest of this read(). The stream continues with the next read().
 */
TEST_ROWS(test_damage, damages)
{
	uint8_t *damaged = kernel.bytes[0] + BLOCK + 2 * RECORD;

	add_blocks("1:100+2 1:200+3 | 1:300+1 |");
	for (int i = 0; i < 2; i++)
		memcpy(damaged + damages[_i].set[i].at, &damages[_i].set[i].value,
		       damages[_i].set[i].size);
	expect("1:100+2 damage 1:300+1 end");
}

/* A read() that ends within a block is reported as damage, wherever in the block it ends. */
TEST(test_cut)
{
	for (ssize_t len = 1; len < (ssize_t)(BLOCK + RECORD); len++) {
		kernel.reads = kernel.at = 0;
		memset(kernel.len, 0, sizeof(kernel.len));
		add(header, 1);
		end_read(len);
		expect("damage end");
	}
}

TEST(test_other_cpu)
{
	lkst_stream_close(stream);
	ck_assert_int_eq(kernel.closed, 1);
	stream = try_open(0, ROOM, &err);
	ck_assert_ptr_nonnull(stream);
	ck_assert_int_eq(kernel.arg.bind.cpu, 0);
	add_blocks("1:100+1 |");
	expect("damage");
}

/*
 * After EINTR, the stream calls read() again. A result of 0 means that there is nothing to read.
 * Other errors are reported.
 */
TEST(test_read_errors)
{
	struct lkst_run run;

	end_read(-EINTR);
	end_read(0);
	end_read(-EIO);
	expect("end");
	ck_assert_int_eq(kernel.at, 2);
	ck_assert_int_eq(lkst_stream_next(stream, &run, &err), -1);
	ck_assert_int_eq(err.sys_errno, EIO);
	expect("end");
}

TEST(test_requests)
{
	assert_ok(lkst_stream_timeout(stream, 250, &err));
	ck_assert_uint_eq(kernel.request, LKST_IOC_BLOCK_WAIT);
	ck_assert(kernel.arg.wait.timeout == 250 && !kernel.arg.wait.pad);
	kernel.error = EINVAL;
	ck_assert_int_eq(lkst_stream_timeout(stream, 0, &err), -1);
	ck_assert_int_eq(lkst_stream_flush(stream, &err), -1);
	ck_assert_int_eq(err.sys_errno, EINVAL);
}

TEST(test_open_errors)
{
	kernel.error = EINVAL;
	ck_assert_ptr_null(try_open(2, ROOM, &err));
	ck_assert_str_eq(err.text, "no CPU 2, only CPUs 0-1");
	ck_assert_ptr_null(try_open(-1, ROOM, &err));
	ck_assert_str_eq(err.text,
			 "the LKST of this kernel does not support block mode: it is older "
				   "than these tools");
	ck_assert_int_eq(err.sys_errno, EINVAL);
	kernel.error = EPERM;
	ck_assert_ptr_null(try_open(1, ROOM, &err));
	ck_assert_int_eq(err.code, LKST_ERR_PERMISSION);
	ck_assert_int_eq(kernel.closed, 3);
	ck_assert_ptr_null(lkst_stream_new(NULL, 1, ROOM, &err));
	lkst_stream_close(NULL);
}

/* Reading ahead does not change the records of the block that was returned last. */
TEST(test_ahead_keeps_block)
{
	struct lkst_run run;

	add_blocks("1:100+2 1:102+2 | 1:104+2 |");
	run = next();
	assert_ok(lkst_stream_ahead(stream, &err));
	ck_assert_uint_eq(run.record[1].clock, 1101);
	for (int i = 0; i < 2; i++) {
		ck_assert(lkst_stream_has_block(stream));
		next();
	}
	ck_assert(!lkst_stream_has_block(stream));
}

TEST(test_ahead_error)
{
	add_blocks("1:100+2 |");
	end_read(-EIO);
	ck_assert_int_eq(lkst_stream_ahead(stream, &err), -1);
	ck_assert_int_eq(err.sys_errno, EIO);
	expect("1:100+2 end");
}

/* Reading ahead stops when another block might not fit. Later calls read the rest. */
TEST(test_ahead_is_full)
{
	lkst_stream_close(stream);
	stream = try_open(-1, 2 * (BLOCK + RECORD) + BLOCK, NULL);
	add_blocks("1:100+1 | 1:101+1 | 1:102+1 |");
	expect("ahead reads=2");
	ck_assert_uint_eq(kernel.requested, BLOCK + RECORD + BLOCK);
	expect("1:100+1 1:101+1 1:102+1 end");
}

/* A stream has room for a header and a record, however small the requested room is. */
TEST(test_room)
{
	lkst_stream_close(stream);
	stream = try_open(-1, 1, NULL);
	expect("end");
	ck_assert_uint_eq(kernel.requested, BLOCK + RECORD);
}
