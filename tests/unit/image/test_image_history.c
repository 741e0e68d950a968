// SPDX-License-Identifier: GPL-2.0
/*
 * The compressed history in images: chunks in any place and order, damaged and missing chunks, and
 * records that the history and the buffers both contain.
 */
#include "image_case.h"
#include "lib/image/find.h"
#include "lib/image/history.h"
#include "lib/image/records.h"
#include "lib/image/selection.h"
#include "lib/image/trace.h"
#include "lib/base/crc32c.h"
#include "lib/text/etypes.h"
#include "mkchunk.h"

#define BUFFER_LEN  (64 * KB) /* 1024 records */
#define SLOTS	    (BUFFER_LEN / sizeof(struct lkst_event_record))
#define HISTORY_LEN (256 * KB)
#define CPU	    1
#define ID	    3

static struct mkregion buffer, history;
static struct lkst_etypes *types;
static uint8_t chunk[LKST_HISTORY_CHUNK_MAX];
static struct lkst_event_record records[LKST_CHUNK_RECORDS];

static void setup(void)
{
	image_case_begin(4 * MB);
	types = lkst_etypes_embedded(&err);
	assert_made(types);
}

static void teardown(void)
{
	close_trace();
	lkst_etypes_free(types);
	image_case_end();
}

TESTS(.setup = setup, .teardown = teardown, .timeout = 120);

/* Lay out the history of a CPU. It has four extents. */
static void lay_history(int32_t cpu, uint64_t at)
{
	mkregion_init(&history, memory, &boot, LKST_IMAGE_HISTORY, cpu, LKST_BUFFER_ID_VOID);
	mkregion_lay(&history, at, HISTORY_LEN, HISTORY_LEN / 4);
}

/*
 * Lay out the buffer, with a session that has the records with these recids, and the history. A
 * recid is a position. The clock and the times of a record depend only on its recid.
 */
static void lay(uint64_t from, uint64_t end)
{
	struct lkst_image_session session;

	mkregion_buffer(&buffer, memory, &boot,
			(struct mkbuffer){ .cpu = CPU, .id = ID, .at = 1 * MB, .length = BUFFER_LEN,
					   .extent = BUFFER_LEN / 4, .first = from,
					   .first_recid = from, .wall = SAMPLE_NS, .end = from });
	session = buffer.session;
	session.clock_start += from * 1000;
	session.monotonic += (int64_t)from * 500;
	session.wall += (int64_t)from * 500;
	mkregion_put_sessions(&buffer, &session);
	buffer.session = session;
	mkregion_records(&buffer, from, end);
	lay_history(CPU, 2 * MB);
}

/* Return how to make a chunk with the records that the buffer has, or had. */
static struct mkchunk make_of(uint64_t first, uint64_t num)
{
	for (uint64_t i = 0; i < num; i++)
		records[i] = mkregion_expected(&buffer, first + i);
	return (struct mkchunk){
		.cpu = history.cpu,
		.buffer = ID,
		.clock = buffer.session.clock,
		.first_recid = first,
		.num = num,
		.record = records,
		.tsc = buffer.session.clock_start,
		.khz = buffer.session.khz,
		.monotonic = buffer.session.monotonic,
		.wall = buffer.session.wall,
		.compression = LKST_CHUNK_COLUMNS,
		.swapped = boot.swapped,
	};
}

/* Store a chunk at an offset of the history. Return the offset after it. */
static uint64_t put(uint64_t at, const struct mkchunk *make)
{
	size_t size = mkchunk(chunk, make);

	mkregion_put(&history, at, chunk, size);
	return at + size;
}

static uint64_t put_chunk(uint64_t at, uint64_t first, uint64_t num)
{
	const struct mkchunk make = make_of(first, num);

	return put(at, &make);
}

/* Read the image into a trace, with a selection. */
static void read_selected(struct image_selection selection, struct image_counts *total)
{
	selection.root = "/nowhere";
	scan();
	begin_trace(NULL);
	assert_ok(image_trace(image, &selection, NULL, writer, total, &err));
	open_trace(commit_trace());
}

static const struct image_selection everything = { .cpu = -1, .id = -1 };

/*
 * Check that the trace has exactly the events of these recids, in this order. @ranges is a list of
 * "FIRST-LAST" words.
 */
static void check_recids(const char *ranges, int32_t cpu)
{
	size_t num = read_all(LKST_OLDEST_FIRST), at = 0;
	unsigned long long first, last;

	for (int len; sscanf(ranges, " %llu-%llu%n", &first, &last, &len) == 2; ranges += len) {
		for (; first <= last; first++, at++) {
			const struct lkst_event *event = &events[at];
			struct lkst_event_record should = mkregion_expected(&buffer, first);

			ck_assert_uint_lt(at, num);
			ck_assert_uint_eq(event->recid, first);
			ck_assert_int_eq(event->cpu, cpu);
			ck_assert_uint_eq(event->type, should.event_type);
			ck_assert_uint_eq(event->tid, should.thread);
			ck_assert_uint_eq(event->clock, should.clock);
			ck_assert_mem_eq(event->arg, should.arg, sizeof(should.arg));
			/* 2 GHz, see mkboot_init(). The clock is odd, so the time is rounded. */
			ck_assert_int_le(event->time_ns - SAMPLE_NS - (int64_t)first * 500, 1);
			ck_assert_int_ge(event->time_ns - SAMPLE_NS - (int64_t)first * 500, 0);
		}
	}
	ck_assert_str_eq(ranges, "");
	ck_assert_uint_eq(num, at);
	ck_assert_uint_eq(read_all(LKST_NEWEST_FIRST), num);
}

static uint64_t system_number(const char *key)
{
	size_t len;
	const char *value = lkst_trace_system(trace, key, &len);

	ck_assert_ptr_nonnull(value);
	return strtoull(value, NULL, 10);
}

static uint64_t damaged_of_trace(void)
{
	return system_number("image_history_damaged");
}

static uint64_t missing_of_trace(void)
{
	return system_number("image_history_missing");
}

/* ---- the records of the history and of the buffer ---- */

/* Chunks, in the order of their offsets, and the records that are still in the buffer. */
struct place {
	uint64_t first, num;
};

static const struct {
	const char *name;
	struct place chunk[6];
	uint64_t from, end; /* recids in the buffer */
	const char *recids; /* in the trace */
	uint64_t damaged, lost;
} places[] = {
	{ "test_empty", { { 0, 0 } }, 10, 60, "10-59", 0, 0 },
	{ "test_no_buffer", { { 0, 100 }, { 100, 50 } }, 0, 0, "0-149", 0, 0 },
	{ "test_continued", { { 0, 1000 } }, 1000, 1100, "0-1099", 0, 0 },
	{ "test_overlapped", { { 0, 500 }, { 500, 500 } }, 300, 1100, "0-1099", 0, 0 },
	{ "test_all_repeated", { { 0, 500 }, { 500, 500 } }, 600, 1000, "0-999", 0, 0 },
	{ "test_newer_than_the_buffer", { { 0, 500 }, { 500, 500 } }, 600, 900, "0-999", 0, 0 },
	{ "test_gap_before_the_buffer", { { 0, 100 } }, 150, 160, "0-99 150-159", 0, 50 },
	{ "test_gap_in_the_history", { { 0, 100 }, { 130, 10 } }, 0, 0, "0-99 130-139", 0, 30 },
	{ "test_gap_filled", { { 0, 100 }, { 130, 10 } }, 90, 150, "0-149", 0, 0 },
	{ "test_gap_filled_in_part", { { 0, 100 }, { 130, 10 } }, 120, 150, "0-99 120-149", 0, 20 },
	{ "test_two_gaps", { { 5, 5 }, { 20, 5 }, { 40, 5 } }, 0, 60, "0-59", 0, 0 },
	{ "test_wrapped", { { 200, 100 }, { 300, 100 }, { 0, 100 }, { 100, 100 } }, 390, 420,
	  "0-419", 0, 0 },
	{ "test_later", { { 2000, 100 } }, 2050, 2200, "2000-2199", 0, 0 },
	{ "test_largest", { { 0, 4096 }, { 4096, 4096 } }, 8000, 9000, "0-8999", 0, 0 },
	{ "test_twice", { { 0, 100 }, { 0, 100 } }, 0, 0, "0-99", 1, 0 },
	{ "test_overlapping_chunks", { { 0, 100 }, { 90, 100 }, { 190, 10 } }, 0, 0, "0-99 190-199",
	  1, 90 },
	{ "test_overlapping_with_buffer", { { 0, 100 }, { 90, 100 }, { 190, 10 } }, 0, 210, "0-209",
	  1, 0 },
	{ "test_single_records", { { 7, 1 }, { 8, 1 }, { 9, 1 } }, 10, 11, "7-10", 0, 0 },
};

TEST_ROWS(test_places, places)
{
	uint64_t at = 64;

	lay(places[_i].from, places[_i].end);
	for (int i = 0; i < NUM(places[_i].chunk) && places[_i].chunk[i].num; i++)
		at = put_chunk(at, places[_i].chunk[i].first, places[_i].chunk[i].num);
	read_selected(everything, NULL);
	check_recids(places[_i].recids, CPU);
	ck_assert_uint_eq(damaged_of_trace(), places[_i].damaged);
	ck_assert_uint_eq(lkst_trace_lost(trace), places[_i].lost);
	ck_assert(lkst_trace_incomplete(trace) == (places[_i].damaged != 0));
	ck_assert_uint_eq(lkst_trace_buffers(trace), 1);
}

/*
 * The counters of a buffer that has wrapped: events that are in the history were not overwritten.
 * The events of earlier sessions in the history count as well.
 */
static const struct {
	const char *name;
	struct place chunk[4];
	uint64_t from, end; /* recids in the session of the buffer */
	uint64_t recorded, overwritten, records;
} counters[] = {
	{ "test_no_history", { { 0, 0 } }, 100, 100 + SLOTS + 50, SLOTS + 50, 50, SLOTS },
	{ "test_all_in_history", { { 100, 50 } }, 100, 100 + SLOTS + 50, SLOTS + 50, 0, SLOTS + 50 },
	{ "test_more_in_history", { { 100, 200 } }, 100, 100 + SLOTS + 50, SLOTS + 50, 0, SLOTS + 50 },
	{ "test_some_in_history", { { 110, 30 } }, 100, 100 + SLOTS + 50, SLOTS + 50, 20, SLOTS + 30 },
	{ "test_earlier_session", { { 0, 40 }, { 40, 60 } }, 100, 100 + SLOTS + 50, SLOTS + 150, 50,
	  SLOTS + 100 },
	{ "test_newer_in_history", { { 100, 80 } }, 100, 150, 80, 0, 80 },
	{ "test_both_sessions", { { 90, 10 }, { 100, 40 } }, 100, 100 + SLOTS + 50, SLOTS + 60, 10,
	  SLOTS + 50 },
};

TEST_ROWS(test_counters, counters)
{
	struct lkst_trace_buffer b;
	uint64_t at = 64;

	lay(counters[_i].from, counters[_i].end);
	for (int i = 0; i < NUM(counters[_i].chunk) && counters[_i].chunk[i].num; i++)
		at = put_chunk(at, counters[_i].chunk[i].first, counters[_i].chunk[i].num);
	read_selected(everything, NULL);
	lkst_trace_buffer(trace, 0, &b);
	ck_assert_uint_eq(b.recorded, counters[_i].recorded);
	ck_assert_uint_eq(b.overwritten, counters[_i].overwritten);
	ck_assert_uint_eq(b.records, counters[_i].records);
	ck_assert_uint_eq(b.recorded, b.records + b.overwritten);
	ck_assert(!lkst_trace_incomplete(trace));
}

/*
 * A page of a buffer is missing, and the history contains its newest records: this does not reduce
 * the number of overwritten events. In the first case, the page is the one with the end of the
 * records, so the records of the history are the last ones in the trace. Nothing in the buffer shows
 * that they have overwritten 22 records of the page.
 */
static const struct {
	const char *name;
	uint64_t page, num; /* the missing page, and the number of its records in the history */
	uint64_t overwritten;
} recovered[] = {
	{ "test_recovered_end", 18, 22, 28 },
	{ "test_recovered_middle", 17, 64, 50 },
};

TEST_ROWS(test_recovered, recovered)
{
	const uint64_t per_page = PAGE / sizeof(struct lkst_event_record);
	const uint64_t first = recovered[_i].page * per_page, num = recovered[_i].num;
	struct lkst_trace_buffer b;

	lay(100, 100 + SLOTS + 50);
	memory->missing[mkregion_slot_at(&buffer, first % SLOTS) / PAGE] = 1;
	put_chunk(0, first, num);
	read_selected(everything, NULL);
	lkst_trace_buffer(trace, 0, &b);
	ck_assert_uint_eq(b.recorded, SLOTS + 50);
	ck_assert_uint_eq(b.overwritten, recovered[_i].overwritten);
	ck_assert_uint_eq(b.records, SLOTS - per_page + num);
	ck_assert_uint_eq(system_number("image_missing"), per_page);
}

/* The offset of a chunk does not matter, and what is between the chunks has no meaning. */
TEST_LOOP(test_offset, 8)
{
	uint64_t at = HISTORY_LEN / 4 - 256 + (uint64_t)_i * 64;

	lay(0, 0);
	for (uint64_t i = 0; i < HISTORY_LEN; i += 8)
		mkregion_put(&history, i, "remains", 8);
	put_chunk(at, 0, 100);
	put_chunk(HISTORY_LEN - 16 * KB + 8, 100, 100);
	read_selected(everything, NULL);
	check_recids("0-199", CPU);
}

/* A chunk may end where the region ends. */
TEST(test_end_of_region)
{
	struct mkchunk make;

	lay(0, 0);
	make = make_of(0, 100);
	mkregion_put(&history, HISTORY_LEN - mkchunk(chunk, &make), chunk, mkchunk(chunk, &make));
	read_selected(everything, NULL);
	check_recids("0-99", CPU);
	ck_assert_uint_eq(damaged_of_trace(), 0);
}

/* All compressions and byte orders are read. Strings in arguments are not swapped. */
TEST_LOOP(test_forms, 6)
{
	struct lkst_event_record record;
	struct mkchunk make;

	boot.swapped = _i & 1;
	lay(100, 200);
	make = make_of(0, 150);
	make.compression = (unsigned int)_i / 2;
	put(0, &make);
	read_selected(everything, NULL);
	check_recids("0-199", CPU);
	ck_assert_uint_eq(damaged_of_trace(), 0);
	/* lkst_mark(text), whose arguments are a string */
	record = mkregion_expected(&buffer, 0);
	record.event_type = LKST_ETYPE_OOPS_PANIC;
	for (int i = 0; i < 4; i++)
		record.arg[i] = text8("abcdefg");
	records[0] = record;
	/* On a machine with the opposite byte order, the same bytes are other numbers. */
	for (int i = 0; i < 4 && boot.swapped; i++)
		records[0].arg[i] = __builtin_bswap64(record.arg[i]);
	put(0, &make);
	read_selected(everything, NULL);
	ck_assert_uint_eq(read_all(LKST_OLDEST_FIRST), 200);
	ck_assert_uint_eq(events[0].type, LKST_ETYPE_OOPS_PANIC);
	ck_assert_mem_eq(events[0].arg, record.arg, sizeof(record.arg));
}

/* Records with clock 0 are holes. They are neither read nor counted as lost. */
TEST(test_holes)
{
	struct image_counts total;
	struct mkchunk make;

	lay(100, 200);
	make = make_of(0, 100);
	records[0].clock = records[50].clock = records[99].clock = 0;
	put(0, &make);
	read_selected(everything, &total);
	check_recids("1-49 51-98 100-199", CPU);
	ck_assert_uint_eq(lkst_trace_lost(trace), 0);
	ck_assert_uint_eq(total.records, 197);
	ck_assert(!lkst_trace_incomplete(trace));
}

/* Each CPU has a history and recids of its own. A CPU may have a history, but no buffer. */
TEST(test_cpus)
{
	struct image_counts total;
	size_t num[3] = { 0 };

	lay(50, 200);
	put_chunk(0, 0, 100);
	lay_history(0, 3 * MB);
	put_chunk(8 * KB, 10, 30);
	put_chunk(64 * KB, 40, 30);
	lay_history(2, 3 * MB + 512 * KB);
	put_chunk(0, 0, 20);
	read_selected(everything, &total);
	ck_assert_uint_eq(total.records, 200 + 60 + 20);
	ck_assert_uint_eq(read_all(LKST_OLDEST_FIRST), total.records);
	for (size_t i = 0; i < total.records; i++)
		num[events[i].cpu]++;
	ck_assert(num[0] == 60 && num[1] == 200 && num[2] == 20);
	read_selected((struct image_selection){ .cpu = 0, .id = -1 }, &total);
	check_recids("10-69", 0);
	ck_assert_uint_eq(total.records, 60);
}

/* The history is left out if a buffer is selected. */
TEST(test_selected_buffer)
{
	struct image_counts total;

	lay(50, 200);
	put_chunk(0, 0, 100);
	read_selected((struct image_selection){ .cpu = -1, .id = ID }, &total);
	check_recids("50-199", CPU);
	ck_assert_uint_eq(total.records, 150);
}

/* Two buffers of a CPU: the region of the newer records comes first in the image. */
TEST(test_two_buffers)
{
	struct mkregion older;

	lay(1000, 1100);
	mkregion_buffer(&older, memory, &boot,
			(struct mkbuffer){ .cpu = CPU, .id = ID + 1, .at = 3 * MB, .length = 64 * KB,
					   .extent = 64 * KB, .wall = SAMPLE_NS, .end = 990 });
	read_selected(everything, NULL);
	ck_assert_uint_eq(read_all(LKST_OLDEST_FIRST), 1090);
	put_chunk(0, 980, 50);
	read_selected(everything, NULL);
	ck_assert_uint_eq(read_all(LKST_OLDEST_FIRST), 1100);
	for (size_t i = 0; i < 1100; i++)
		ck_assert_uint_eq(events[i].recid, i);
	ck_assert_uint_eq(lkst_trace_lost(trace), 0);
	ck_assert_uint_eq(lkst_trace_buffers(trace), 2);
}

/*
 * If the session of the buffer is lost, its recids are unknown. Then neither the history nor the
 * buffer may lose records.
 */
TEST(test_unknown_session)
{
	lay(200, 300);
	put_chunk(0, 0, 100);
	mkregion_lose_sessions(&buffer);
	read_selected(everything, NULL);
	ck_assert_uint_eq(read_all(LKST_OLDEST_FIRST), 200);
	ck_assert(lkst_trace_incomplete(trace));
}

/* ---- damage ---- */

#define FIRST_LEN (sizeof(struct lkst_chunk_header) + 100) /* less than the size of a chunk */

static uint8_t *byte_at(uint64_t offset)
{
	for (size_t i = 0; i < history.extents; i++) {
		if (offset < history.extent[i].length)
			return mkimage_at(memory, history.extent[i].physical + PAGE + offset);
		offset -= history.extent[i].length;
	}
	ck_abort_msg("outside of the history");
}

/* Damage to the middle one of three chunks, which begins at @at and ends at @end. */
static void flip_header(uint64_t at, uint64_t end)
{
	(void)end;
	*byte_at(at + offsetof(struct lkst_chunk_header, length)) ^= 8;
}

static void flip_checksum(uint64_t at, uint64_t end)
{
	(void)end;
	*byte_at(at + offsetof(struct lkst_chunk_header, payload_checksum)) ^= 1;
}

static void clear_magic(uint64_t at, uint64_t end)
{
	(void)end;
	memset(byte_at(at), 0, 4);
}

/* The kernel writes the magic last. */
static void half_header(uint64_t at, uint64_t end)
{
	(void)end;
	memset(byte_at(at), 0, 16);
}

static void half_payload(uint64_t at, uint64_t end)
{
	(void)end;
	memset(byte_at(at), 0, FIRST_LEN);
}

static void no_payload(uint64_t at, uint64_t end)
{
	for (at += sizeof(struct lkst_chunk_header); at < end; at++)
		*byte_at(at) = 0;
}

static void flip_payload(uint64_t at, uint64_t end)
{
	*byte_at(at + (end - at) / 2) ^= 0x10;
}

static void flip_last_byte(uint64_t at, uint64_t end)
{
	struct lkst_chunk_header header;

	(void)end;
	memcpy(&header, byte_at(at), sizeof(header));
	*byte_at(at + sizeof(header) + header.length - 1) ^= 0x80;
}

static void missing_page(uint64_t at, uint64_t end)
{
	(void)end;
	memory->missing[(size_t)(byte_at(at) - memory->data) / PAGE] = 1;
}

static void other_type(uint64_t at, uint64_t end)
{
	(void)end;
	((struct lkst_chunk_header *)(void *)byte_at(at))->type = 5;
	mkchunk_sign(byte_at(at), false);
}

static void other_compression(uint64_t at, uint64_t end)
{
	(void)end;
	((struct lkst_chunk_header *)(void *)byte_at(at))->compression = 3;
	mkchunk_sign(byte_at(at), false);
}

/* A wrong compression: the payload does not decompress to what the header says. */
static void as_plain(uint64_t at, uint64_t end)
{
	(void)end;
	((struct lkst_chunk_header *)(void *)byte_at(at))->compression = LKST_CHUNK_NONE;
	mkchunk_sign(byte_at(at), false);
}

static void as_zstd(uint64_t at, uint64_t end)
{
	(void)end;
	((struct lkst_chunk_header *)(void *)byte_at(at))->compression = LKST_CHUNK_ZSTD;
	mkchunk_sign(byte_at(at), false);
}

static void put_length(uint64_t at, uint64_t length, uint64_t raw_length)
{
	struct lkst_chunk_header *header = (void *)byte_at(at);

	header->length = length;
	header->raw_length = raw_length;
	header->checksum = lkst_crc32c(header, offsetof(struct lkst_chunk_header, checksum));
}

static void no_length(uint64_t at, uint64_t end)
{
	(void)end;
	put_length(at, 0, 1000);
}

static void longest(uint64_t at, uint64_t end)
{
	(void)end;
	put_length(at, UINT64_MAX, 1000);
}

static void beyond_the_region(uint64_t at, uint64_t end)
{
	(void)end;
	put_length(at, HISTORY_LEN - 100, 1000);
}

static void over_the_next(uint64_t at, uint64_t end)
{
	put_length(at, end + 3000 - at, 1000);
}

static void long_when_unpacked(uint64_t at, uint64_t end)
{
	put_length(at, end - at - sizeof(struct lkst_chunk_header), UINT64_MAX);
}

static const struct {
	const char *name;
	void (*damage)(uint64_t at, uint64_t end);
	uint64_t damaged, missing;
} damages[] = {
	{ "test_flip_header", flip_header, 1, 0 },
	{ "test_flip_checksum", flip_checksum, 1, 0 },
	{ "test_clear_magic", clear_magic, 0, 0 },
	{ "test_half_header", half_header, 0, 0 },
	{ "test_half_payload", half_payload, 0, 0 },
	{ "test_no_payload", no_payload, 1, 0 },
	{ "test_flip_payload", flip_payload, 1, 0 },
	{ "test_flip_last_byte", flip_last_byte, 1, 0 },
	{ "test_missing_page", missing_page, 0, PAGE },
	{ "test_other_type", other_type, 1, 0 },
	{ "test_other_compression", other_compression, 1, 0 },
	{ "test_as_plain", as_plain, 1, 0 },
	{ "test_as_zstd", as_zstd, 1, 0 },
	{ "test_no_length", no_length, 1, 0 },
	{ "test_longest", longest, 1, 0 },
	{ "test_beyond_the_region", beyond_the_region, 1, 0 },
	{ "test_over_the_next", over_the_next, 1, 0 },
	{ "test_long_when_unpacked", long_when_unpacked, 1, 0 },
};

/* A damaged chunk is lost, and nothing else. Its records that are in the buffer are not lost. */
TEST_ROWS(test_damage, damages)
{
	uint64_t at = 3 * PAGE + 64, end;

	lay(150, 350);
	put_chunk(64, 0, 100);
	end = put_chunk(at, 100, 100);
	ck_assert_uint_gt(end, at + FIRST_LEN);
	put_chunk((end + PAGE) / PAGE * PAGE, 200, 100);
	damages[_i].damage(at, end);
	read_selected(everything, NULL);
	check_recids("0-99 150-349", CPU);
	ck_assert_uint_eq(damaged_of_trace(), damages[_i].damaged);
	ck_assert_uint_eq(missing_of_trace(), damages[_i].missing);
	ck_assert_uint_eq(lkst_trace_lost(trace), 50);
	ck_assert_ptr_nonnull(strstr(reports, "50 events are missing between those in the history "
					      "and in the buffers"));
	ck_assert(lkst_trace_incomplete(trace) == (damages[_i].damaged || damages[_i].missing));
}

#define HEADER(name, member, value)                                  \
	static void name(struct lkst_records_header *header)         \
	{                                                            \
		header->member = value;                              \
	}

HEADER(no_count, count, 0)
HEADER(count_less, count, 99)
HEADER(count_more, count, 101)
HEADER(count_4097, count, LKST_CHUNK_RECORDS + 1)
HEADER(count_most, count, UINT64_MAX)
HEADER(std_records, record_size, sizeof(struct lkst_log_record))
HEADER(no_records, record_size, 0)
HEADER(other_cpu, cpu, CPU + 1)
HEADER(static_cpu, cpu, -1)
HEADER(negative_buffer, buffer, -1)
HEADER(static_buffer, buffer, LKST_BUFFER_ID_VOID)
HEADER(long_ring, buffer, LKST_BUFFER_ID_LONG)
HEADER(other_clock, clock_kind, LKST_CLOCK_TSC + 1)
HEADER(last_recid, first_recid, UINT64_MAX - 99)
HEADER(latest_second, xtime_s, INT64_MAX)
HEADER(negative_second, xtime_s, -1)
HEADER(long_second, xtime_us, 1000000)
HEADER(negative_us, xtime_us, -1)
HEADER(long_us, xtime_ns, 1000)

static const struct {
	const char *name;
	void (*change)(struct lkst_records_header *header);
} headers[] = {
	{ "test_no_count", no_count },
	{ "test_count_less", count_less },
	{ "test_count_more", count_more },
	{ "test_count_4097", count_4097 },
	{ "test_count_most", count_most },
	{ "test_std_records", std_records },
	{ "test_no_records", no_records },
	{ "test_other_cpu", other_cpu },
	{ "test_static_cpu", static_cpu },
	{ "test_negative_buffer", negative_buffer },
	{ "test_static_buffer", static_buffer },
	{ "test_long_ring", long_ring },
	{ "test_other_clock", other_clock },
	{ "test_last_recid", last_recid },
	{ "test_latest_second", latest_second },
	{ "test_negative_second", negative_second },
	{ "test_long_second", long_second },
	{ "test_negative_us", negative_us },
	{ "test_long_us", long_us },
};

/* Values that the kernel never writes: the checksums are correct, but the chunk is left out. */
TEST_ROWS(test_impossible, headers)
{
	for (unsigned int compression = 0; compression <= LKST_CHUNK_COLUMNS; compression++) {
		uint64_t at = 0;
		struct mkchunk make;

		lay(100, 200);
		at = put_chunk(at, 0, 50);
		make = make_of(50, 100);
		make.change = headers[_i].change;
		make.compression = compression;
		put(at, &make);
		read_selected(everything, NULL);
		check_recids("0-49 100-199", CPU);
		ck_assert_uint_eq(damaged_of_trace(), 1);
	}
}

/* A window that is larger than any payload would take memory for nothing. */
TEST(test_window)
{
	for (int log = 19; log <= 22; log++) {
		struct mkchunk make;

		lay(100, 200);
		make = make_of(0, 150);
		make.window_log = log;
		put(0, &make);
		read_selected(everything, NULL);
		check_recids(log <= 20 ? "0-199" : "100-199", CPU);
		ck_assert_uint_eq(damaged_of_trace(), log > 20);
	}
}

/* Damage anywhere: the reader returns records as they were written, or counts what it lacks. */
TEST(test_noise)
{
	for (unsigned int seed = 0; seed < 60; seed++) {
		uint64_t at = 0, got, gone;

		lay(1500, 2000);
		for (uint64_t first = 0; first < 2000; first += 50)
			at = put_chunk(at, first, 50);
		srand48(seed);
		for (unsigned int i = 0; i <= seed; i++) {
			uint64_t place = (uint64_t)lrand48() % at;

			*byte_at(place) ^= (uint8_t)(1 + lrand48() % 255);
		}
		read_selected(everything, NULL);
		got = read_all(LKST_OLDEST_FIRST);
		gone = events[0].recid + lkst_trace_lost(trace);
		ck_assert_uint_eq(got + gone, 2000);
		ck_assert_uint_gt(got, 500);
		for (size_t i = 0; i < got; i++) {
			struct lkst_event_record should =
				mkregion_expected(&buffer, events[i].recid);

			ck_assert(!i || events[i].recid > events[i - 1].recid);
			ck_assert_mem_eq(events[i].arg, should.arg, sizeof(should.arg));
		}
	}
}

/*
 * Headers that claim the longest payload follow each other. Checking each of them completely would
 * take time that grows with the square of the size, so after a while the reader steps over them.
 * Chunks before them are found.
 */
TEST(test_forged_headers)
{
	struct lkst_chunk_header header = {
		.magic = LKST_CHUNK_MAGIC,
		.type = LKST_CHUNK_RECORDS_RAW,
		.compression = LKST_CHUNK_COLUMNS,
		.length = 100000,
		.raw_length = 1000,
	};
	const uint64_t size = sizeof(header) + header.length, ends = size / sizeof(header);
	uint64_t at;

	header.checksum = lkst_crc32c(&header, offsetof(struct lkst_chunk_header, checksum));
	lay(0, 0);
	at = put_chunk(0, 0, 100);
	for (; at + sizeof(header) <= HISTORY_LEN; at += sizeof(header))
		mkregion_put(&history, at, &header, sizeof(header));
	read_selected(everything, NULL);
	check_recids("0-99", CPU);
	/*
	 * The whole region was read four times in vain, and then once more. The headers at the end
	 * of the region, where there is no room for their payloads, need no such check.
	 */
	ck_assert_uint_le(damaged_of_trace(), ends + 5 * HISTORY_LEN / size + 1);
}

/* Without some of the extents, the chunks in the others are found. */
TEST_LOOP(test_lost_extent, 4)
{
	static const char *const recids[] = { "100-399", "0-99 200-399", "0-199 300-399", "0-299" };

	lay(0, 0);
	for (uint64_t i = 0; i < 4; i++)
		put_chunk(i * HISTORY_LEN / 4, i * 100, 100);
	mkregion_lose_header(&history, (size_t)_i, 0);
	read_selected(everything, NULL);
	check_recids("0-399", CPU);
	ck_assert_uint_eq(missing_of_trace(), 0);
	mkregion_lose_header(&history, (size_t)_i, 1);
	read_selected(everything, NULL);
	check_recids(recids[_i], CPU);
	ck_assert_uint_eq(damaged_of_trace(), 0);
	ck_assert_uint_eq(missing_of_trace(), HISTORY_LEN / 4);
	ck_assert(lkst_trace_incomplete(trace));
}

/*
 * Pages that are not in the image: they count as missing, except after the last chunk, because
 * tools that save images leave out pages that are all 0.
 */
static const struct {
	const char *name;
	struct place chunk[2]; /* at the offsets 0 and HISTORY_LEN / 2 */
	uint64_t from, end; /* offsets of the missing pages */
	uint64_t missing;
} pages[] = {
	{ "test_no_page_missing", { { 0, 100 }, { 100, 100 } }, 0, 0, 0 },
	{ "test_pages_between", { { 0, 100 }, { 100, 100 } }, 64 * KB, 80 * KB, 16 * KB },
	{ "test_unused_pages", { { 0, 100 }, { 100, 100 } }, 192 * KB, 256 * KB, 0 },
	{ "test_unused_history", { { 0, 0 }, { 0, 0 } }, 0, 256 * KB, 0 },
	{ "test_unused_end_of_full_history", { { 100, 100 }, { 0, 100 } }, 192 * KB, 256 * KB, 0 },
};

TEST_ROWS(test_missing_pages, pages)
{
	lay(0, 0);
	for (uint64_t i = 0; i < 2; i++)
		if (pages[_i].chunk[i].num)
			put_chunk(i * HISTORY_LEN / 2, pages[_i].chunk[i].first,
				  pages[_i].chunk[i].num);
	for (uint64_t at = pages[_i].from; at < pages[_i].end; at += PAGE)
		missing_page(at, 0);
	read_selected(everything, NULL);
	ck_assert_uint_eq(missing_of_trace(), pages[_i].missing);
	ck_assert_uint_eq(damaged_of_trace(), 0);
	ck_assert(lkst_trace_incomplete(trace) == (pages[_i].missing != 0));
}

/* A full history whose last chunks are missing: the end is larger than a chunk. */
TEST(test_missing_end)
{
	const uint64_t length = 1 * MB;

	lay(0, 0);
	mkregion_init(&history, memory, &boot, LKST_IMAGE_HISTORY, CPU + 1, LKST_BUFFER_ID_VOID);
	mkregion_lay(&history, 2 * MB + 512 * KB, length, length);
	put_chunk(0, 100, 100);
	put_chunk(64 * KB, 0, 100);
	for (uint64_t at = length / 2; at < length; at += PAGE)
		missing_page(at, 0);
	read_selected(everything, NULL);
	ck_assert_uint_eq(missing_of_trace(), length / 2);
	ck_assert(lkst_trace_incomplete(trace));
}

/* The history of a boot without buffers can be read. */
TEST(test_history_only)
{
	lay(0, 0);
	put_chunk(0, 0, 100);
	for (size_t i = 0; i < buffer.extents; i++)
		for (unsigned int copy = 0; copy < 2; copy++)
			mkregion_lose_header(&buffer, i, copy);
	read_selected(everything, NULL);
	check_recids("0-99", CPU);
}

TEST(test_stop)
{
	volatile int stop = 1;
	const struct image_hooks stopped = { .stop = &stop };
	struct image_history found;

	lay(0, 0);
	put_chunk(0, 0, 100);
	scan();
	assert_ok(image_history_open(&found, image, types, &stopped, &err));
	ck_assert_int_eq(image_history_find(&found, 0, CPU, &err), -1);
	ck_assert_int_eq(err.code, LKST_ERR_INTERRUPTED);
	image_history_close(&found);
}

/* ---- counting ---- */

/* lkstbuf find: each event is counted once, and damaged chunks are counted. */
TEST(test_contents)
{
	struct image_contents contents[2];
	struct image_history found;
	uint64_t at;

	lay(150, 350);
	at = put_chunk(0, 0, 100);
	*byte_at(put_chunk(at, 100, 100) - 8) ^= 1;
	put_chunk(64 * KB, 200, 100);
	scan();
	assert_ok(image_history_open(&found, image, types, NULL, &err));
	assert_ok(image_history_find(&found, 0, CPU, &err));
	for (size_t i = 0; i < image->regions; i++)
		assert_ok(image_contents(image, &image->region[i], types, &found,
					 &contents[image->region[i].kind == LKST_IMAGE_HISTORY],
					 &err));
	ck_assert_uint_eq(contents[0].counts.records, 200);
	ck_assert_uint_eq(contents[0].repeated, 100);
	ck_assert_uint_eq(contents[1].counts.records, 200);
	ck_assert_uint_eq(contents[1].damaged, 1);
	ck_assert_uint_eq(contents[1].present, HISTORY_LEN);
	ck_assert(contents[1].timed);
	ck_assert_int_eq(contents[1].first_ns / 10, SAMPLE_NS / 10);
	ck_assert_int_eq(contents[1].last_ns / 10, (SAMPLE_NS + 299 * 500) / 10);
	image_history_close(&found);
}

/* A CPU may have two histories: each of them counts its own damaged chunks. */
TEST(test_contents_of_regions)
{
	struct image_contents contents;
	struct image_history found;
	size_t num = 0;

	lay(0, 0);
	*byte_at(put_chunk(0, 0, 100) - 8) ^= 1;
	lay_history(CPU, 3 * MB);
	put_chunk(0, 100, 50);
	scan();
	assert_ok(image_history_open(&found, image, types, NULL, &err));
	assert_ok(image_history_find(&found, 0, CPU, &err));
	for (size_t i = 0; i < image->regions; i++) {
		if (image->region[i].kind != LKST_IMAGE_HISTORY)
			continue;
		assert_ok(image_contents(image, &image->region[i], types, &found, &contents, &err));
		ck_assert_uint_eq(contents.damaged, !num);
		ck_assert_uint_eq(contents.counts.records, num * 50);
		num++;
	}
	ck_assert_uint_eq(num, 2);
	image_history_close(&found);
}
