// SPDX-License-Identifier: GPL-2.0
/* Reading the records of buffers in images: intact, wrapped, torn, and with damaged pages. */
#include <sys/mman.h>

#include "image_case.h"
#include "lib/device/run.h"
#include "lib/image/records.h"
#include "lib/image/trace.h"
#include "lib/image/selection.h"
#include "lib/text/etypes.h"
#include "lib/trace/write.h"

#define LEN   (64 * KB)
#define SLOTS (LEN / sizeof(struct lkst_event_record))
#define HOUR  (2000000ull * 1000 * 3600) /* in ticks of the clock of mkboot_init() */

static struct mkregion buffer;
static struct lkst_etypes *types;

/* The records that the reader returned */
static struct {
	uint64_t recid;
	struct lkst_event_record record;
} found[SLOTS];
static size_t founds;
static struct lkst_run last_run;
static struct image_counts counts;

static void setup(void)
{
	image_case_begin(4 * MB);
	types = lkst_etypes_embedded(&err);
	assert_made(types);
}

static void teardown(void)
{
	lkst_etypes_free(types);
	image_case_end();
}

static void lay_extents(uint64_t extent, uint64_t first, uint64_t first_recid, uint64_t from,
			uint64_t end)
{
	mkregion_buffer(&buffer, memory, &boot,
			(struct mkbuffer){ .cpu = 1, .id = 3, .at = 1 * MB, .length = LEN,
					   .extent = extent, .first = first,
					   .first_recid = first_recid, .wall = SAMPLE_NS,
					   .from = from, .end = end });
}

/*
 * Lay out a buffer whose session starts at position @first with @first_recid. It has the records
 * from position @from up to @end - 1.
 */
static void lay(uint64_t first, uint64_t first_recid, uint64_t from, uint64_t end)
{
	lay_extents(16 * KB, first, first_recid, from, end);
}

/* Return the slot of a position. A test may change the record there. */
static struct lkst_event_record *slot(uint64_t position)
{
	return (void *)mkimage_at(memory, mkregion_slot_at(&buffer, position % SLOTS));
}

static int put_run(void *ctx, const struct lkst_run *run, struct lkst_error *err)
{
	(void)ctx;
	(void)err;
	last_run = *run;
	for (size_t i = 0; i < run->num; i++) {
		if (!run->record[i].clock)
			continue;
		ck_assert_uint_lt(founds, SLOTS);
		found[founds].recid = run->first_recid + i;
		found[founds++].record = run->record[i];
	}
	return 0;
}

static const struct image_region *find_region(uint32_t kind)
{
	scan();
	for (size_t i = image->regions; i--;)
		if (image->region[i].kind == kind)
			return &image->region[i];
	ck_abort_msg("no region of kind %u", kind);
}

static void read_kind(uint32_t kind)
{
	const struct image_region *region = find_region(kind);

	founds = 0;
	memset(&counts, 0, sizeof(counts));
	assert_ok(image_records(image, region, types, put_run, NULL, &counts, &err));
	ck_assert_uint_eq(counts.records, founds);
}

static void read_buffer(void)
{
	read_kind(LKST_IMAGE_BUFFER);
}

/* Check that all records that were found have the right recids and contents, and are in order. */
static void check_found(void)
{
	const struct lkst_image_session *s = &buffer.session;

	for (size_t i = 0; i < founds; i++) {
		uint64_t position = found[i].recid - s->first_recid + s->first;
		struct lkst_event_record should = mkregion_expected(&buffer, position);

		ck_assert_mem_eq(&found[i].record, &should, sizeof(should));
		ck_assert(!i || found[i].recid > found[i - 1].recid);
	}
}

/* Check all counts but first_recid. */
static void check_counts(struct image_counts should)
{
	should.first_recid = counts.first_recid;
	ck_assert_mem_eq(&counts, &should, sizeof(should));
}

/*
 * Read the buffer, and check all counts. Counts that are not given must be 0. FOUND() also checks
 * the records.
 */
#define COUNTS(...) (read_buffer(), check_counts((struct image_counts){ __VA_ARGS__ }))
#define FOUND(...)  (COUNTS(__VA_ARGS__), check_found())

static const struct {
	uint64_t lap; /* lap and slot in which the session begins */
	uint64_t slot;
	uint64_t num; /* number of records */
} sessions[] = {
	{ 0, 0, 1 },
	{ 0, 64, 1 },
	{ 0, 64, SLOTS - 64 },
	{ 7, 64, SLOTS },
	{ 7, 64, SLOTS + 1 },
	{ 7, 64, SLOTS + SLOTS / 2 },
	{ 2047, 64, 2 * SLOTS },
	{ 2048, 64, 3 * SLOTS + 17 },
	{ 1000, 8, 2100 * SLOTS + 5 },
	{ 1ull << 35, 8, 5 * SLOTS + 5 },
};

TESTS(.name = "records", .setup = setup, .teardown = teardown, .timeout = 120);

TEST_LOOP(test_session, 4 * NUM(sessions))
{
	uint64_t first = sessions[_i / 4].lap * SLOTS + sessions[_i / 4].slot;
	uint64_t num = sessions[_i / 4].num, present = num < SLOTS ? num : SLOTS;

	boot.swapped = _i & 1;
	boot.long_size = _i & 2 ? 4 : 8;
	lay(first, 5000, first + num - present, first + num);
	FOUND(.records = present, .overwritten = num - present);
	ck_assert_uint_eq(found[0].recid, 5000 + num - present);
	ck_assert_int_eq(last_run.cpu, 1);
	ck_assert_int_eq(last_run.buffer, 3);
	ck_assert_uint_eq(last_run.clock, LKST_CLOCK_TSC);
	ck_assert_uint_eq(last_run.freq_khz, boot.khz);
	ck_assert_uint_eq(last_run.tsc, 1000000);
	ck_assert_int_eq(last_run.xtime_ns, SAMPLE_NS);
	ck_assert_str_eq(last_run.arch, "x86_64");
}

/* Store records of a previous session of the buffer, in the slots from @from up to @to - 1. */
static void old_records(uint64_t lap, uint64_t from, uint64_t to, uint64_t clock)
{
	struct lkst_event_record record = mkregion_expected(&buffer, buffer.session.first);

	for (uint64_t i = from; i < to; i++) {
		record.clock = clock + i;
		mkregion_record(&buffer, lap * SLOTS + i, record);
	}
}

TEST(test_old_sessions)
{
	const uint64_t first = 5000 * SLOTS + 64;

	lay(first, 100, first, first + 200);
	old_records(4999, 300, 400, 1000);
	old_records(4990, 400, 600, 500);
	old_records(5000 - 2048, 600, 700, 300); /* the lap bits are those of the current lap */
	old_records(5000 - 2047, 700, 800, 300); /* the lap bits are those of the next lap */
	old_records(5000 - 1500, 800, SLOTS, 300);
	FOUND(.records = 200);
	/* The buffer wraps, and the current session overwrites all old records. */
	mkregion_records(&buffer, first + 200, first + SLOTS - 64 + 10);
	FOUND(.records = SLOTS - 64 + 10);
}

/*
 * One of the two header pages is torn, is missing, or still describes the previous session. The
 * members are numbers of header pages, or NEITHER.
 */
#define NEITHER 2u
static const struct {
	unsigned int old, torn, lost;
	bool wrapped; /* the sequence number has wrapped */
} pages[] = {
	{ 1, NEITHER, NEITHER, false },
	{ 0, NEITHER, NEITHER, false },
	{ NEITHER, 1, NEITHER, false },
	{ NEITHER, 0, NEITHER, false },
	{ NEITHER, NEITHER, 1, false },
	{ NEITHER, NEITHER, 0, false },
	{ 1, NEITHER, NEITHER, true },
};

TEST_EACH(test_session_copies, pages)
{
	const uint64_t old_first = 8 * SLOTS + 64, first = 12 * SLOTS + 64;
	struct lkst_image_session old;

	lay(old_first, 100, old_first, old_first + 500);
	old = buffer.session;
	mkregion_session(&buffer, first, 4000, SAMPLE_NS);
	buffer.session.clock_start += 1000000000;
	if (pages[_i].wrapped) {
		old.sequence = UINT32_MAX;
		buffer.session.sequence = 0;
	}
	mkregion_records(&buffer, first, first + 300);
	for (unsigned int copy = 0; copy < 2; copy++) {
		mkregion_put_session(&buffer, copy, copy == pages[_i].old ? &old : &buffer.session);
		mkregion_state(&buffer, copy)[9] ^= copy == pages[_i].torn ? 0xff : 0;
		if (copy == pages[_i].lost)
			mkregion_lose_header(&buffer, 0, copy);
	}
	FOUND(.records = 300);
	ck_assert_uint_eq(found[0].recid, 4000);
}

/* Laps in the header pages: the right one, 3300, and wrong ones, as after dropped records. */
static const uint64_t laps[] = { 3000, 3100, 3299, 3300, 3301, 2999, 0, 3300 + 1000 };

TEST_EACH(test_header_laps, laps)
{
	const uint64_t first = 3000 * SLOTS + 64, end = 3300 * SLOTS + 9;

	lay(first, 100, end - SLOTS, end);
	mkregion_lap(&buffer, laps[_i]);
	FOUND(.records = SLOTS, .overwritten = end - SLOTS - first);
}

/* Two writers have taken their slots but not committed their records. */
TEST(test_unfinished)
{
	const uint64_t first = 8 * SLOTS + 64, end = first + 2 * SLOTS;

	lay(first, 100, first, end);
	/* One slot still holds the record of the previous lap. The other one has a clock of 0. */
	mkregion_record(&buffer, end - 5 - SLOTS, mkregion_expected(&buffer, end - 5 - SLOTS));
	slot(end - 9)->clock = 0;
	/* The reader also finds the record of the previous lap. */
	FOUND(.records = SLOTS - 1, .unfinished = 2, .overwritten = SLOTS - 1);
	ck_assert_uint_eq(found[0].recid, 100 + SLOTS - 5);
	ck_assert_uint_eq(found[1].recid, 100 + SLOTS);
}

/*
 * While a writer was interrupted, nested writers filled a whole lap. The records after this lap, up
 * to the end of the interrupt, were dropped.
 */
TEST(test_dropped)
{
	const uint64_t first = 8 * SLOTS + 64, floor = first + 3000, gap = 3 * SLOTS + 100;

	lay(first, 100, first, floor + SLOTS);
	mkregion_records(&buffer, floor + SLOTS + gap, floor + SLOTS + gap + 20);
	mkregion_lap(&buffer, (floor + SLOTS) / SLOTS);
	read_buffer();
	ck_assert_uint_eq(counts.records, SLOTS);
	ck_assert_uint_eq(counts.records + counts.unfinished + counts.overwritten,
			  floor + SLOTS + gap + 20 - first);
	check_found();
	ck_assert_uint_eq(found[founds - 1].recid, 100 + floor + SLOTS + gap + 19 - first);
}

/* On 32-bit, the low half of the clock is the commit word. */
TEST_LOOP(test_half_clock, 2)
{
	boot.long_size = _i ? 4 : 8;
	lay(64, 0, 64, 200);
	slot(199)->clock = 1ull << 32;
	COUNTS(.records = _i ? 135 : 136);
}

/*
 * One page is missing. Try each page except the one with the newest record: without that page, the
 * reader cannot know that the last records existed.
 */
TEST_LOOP(test_missing, (int)(SLOTS / 64))
{
	const uint64_t first = 9 * SLOTS + 64, end = first + 3 * SLOTS / 2;

	if (_i == (int)((end - 1) % SLOTS / 64))
		return;
	lay(first, 77, first, end);
	memory->missing[mkregion_slot_at(&buffer, (uint64_t)_i * 64) / PAGE] = 1;
	FOUND(.records = SLOTS - 64, .missing = 64, .overwritten = end - SLOTS - first);
}

/*
 * The image is cut off @bytes bytes after the start of slot number @slot. The buffer has @num
 * records. .fragments counts incomplete extents.
 */
static const struct {
	const char *name;
	uint64_t extent, first, num, slot, bytes;
	struct image_counts counts;
} cuts[] = {
	/* Two extents are missing, and one is cut off. */
	{ "test_cut", 16 * KB, 9 * SLOTS + 64, 2 * SLOTS, 500, 32,
	  { .records = 500, .missing = SLOTS - 500, .overwritten = SLOTS, .fragments = 3 } },
	/* If a buffer has not wrapped, there may have been no records in the part cut off. */
	{ "test_cut_young", 16 * KB, 0, 900, 500, 32, { .records = 500, .fragments = 3 } },
	/* The last extent begins with slot 768. */
	{ "test_cut_last_extent", 16 * KB, 0, 900, 800, 0, { .records = 800, .fragments = 1 } },
	{ "test_cut_last_extent", 16 * KB, 0, 900, 768, 0, { .records = 768, .fragments = 1 } },
	{ "test_cut_last_extent", 16 * KB, 0, 900, SLOTS - 1, 64, { .records = 900 } },
	/* Only a header page is left. */
	{ "test_header_alone", LEN, 0, 900, 0, 0, { .fragments = 1 } },
	{ "test_header_alone", LEN, 9 * SLOTS + 64, SLOTS, 0, 0,
	  { .fragments = 1, .missing = SLOTS - 64 } },
	{ "test_header_alone", LEN, 9 * SLOTS + 64, 2 * SLOTS, 0, 0,
	  { .fragments = 1, .missing = SLOTS, .overwritten = SLOTS - 64 } },
};

TEST_ROWS(test_cuts, cuts)
{
	lay_extents(cuts[_i].extent, cuts[_i].first, 77, 0, cuts[_i].first + cuts[_i].num);
	memory->size = mkregion_slot_at(&buffer, cuts[_i].slot) + cuts[_i].bytes;
	read_buffer();
	check_counts(cuts[_i].counts);
	check_found();
}

/*
 * One extent of the buffer has lost its headers, and a newer region lies in the middle of another
 * extent. The reader counts the extent without headers as incomplete, although the newer region
 * splits the other extent in two.
 */
TEST(test_missing_and_parted)
{
	struct mkregion newer;

	lay(0, 0, 0, 900);
	mkregion_lose_header(&buffer, 2, 0);
	mkregion_lose_header(&buffer, 2, 1);
	mkregion_single(&newer, memory, &boot, LKST_IMAGE_TEXTS, mkregion_slot_at(&buffer, 64),
			PAGE);
	mkregion_lose_header(&newer, 0, 1);
	read_buffer();
	ck_assert_uint_eq(counts.fragments, 1);
}

static const struct {
	uint16_t type;
	uint16_t laps; /* added to the lap */
	uint64_t clock, later; /* the new clock (0: keep the old one), and ticks to add to it */
	bool newest; /* the reader accepts the value in the newest record */
} odd[] = {
	{ .type = 0xffff },
	{ .type = 0xeee },
	{ .laps = 5, .newest = true },
	{ .laps = (uint16_t)-2 },
	{ .clock = 1000 },
	{ .clock = UINT64_MAX / 2 },
	{ .later = 4 * HOUR, .newest = true },
	{ .laps = 5, .later = 4 * HOUR },
};

TEST_LOOP(test_implausible, 4 * NUM(odd))
{
	const uint64_t first = 9 * SLOTS + 64, end = first + 3 * SLOTS + 300;
	const uint64_t at[] = { end - 200, end - SLOTS + 100, end - 64, end - 1 };
	uint64_t position = at[_i / NUM(odd)];
	bool last = position == end - 1, accepted;
	int i = _i % NUM(odd);
	struct lkst_event_record *record;

	lay(first, 77, end - SLOTS, end);
	record = slot(position);
	if (odd[i].type)
		record->event_type = odd[i].type;
	record->flags += (uint16_t)(odd[i].laps << LKST_RECORD_LAP_SHIFT);
	record->clock = (odd[i].clock ? odd[i].clock : record->clock) + odd[i].later;
	read_buffer();
	/*
	 * The reader accepts such a value, because no later record contradicts it: before the
	 * newest record, the CPU may have been idle or may have dropped records.
	 */
	accepted = last && odd[i].newest;
	ck_assert_uint_eq(counts.records, SLOTS - !accepted);
	if (accepted)
		return;
	/*
	 * A slot with an older lap may also count as unfinished: it looks like the slot of a writer
	 * that has not replaced the old record yet.
	 */
	ck_assert_uint_eq(counts.implausible + counts.unfinished, 1);
	if (!last)
		ck_assert_uint_eq(counts.unfinished, odd[i].laps == (uint16_t)-2);
	check_found();
}

/*
 * Records of user-defined event types are accepted even if these types are not in the kernel's list
 * of event types, because the list in the image may be lost or out of date.
 */
TEST(test_module_types)
{
	const uint16_t type[] = { LKST_ETYPE_USER_MIN, 0x1d8, LKST_ETYPE_USER_MAX };

	lay(64, 0, 64, 200);
	for (int i = 0; i < NUM(type); i++)
		slot(100 + (uint64_t)i)->event_type = type[i];
	COUNTS(.records = 136);
	for (int i = 0; i < NUM(type); i++)
		ck_assert_uint_eq(found[36 + i].record.event_type, type[i]);
}

/* Records are returned even if recording was stopped for days, or if the clock was set back. */
TEST_LOOP(test_clock_jumps, 3)
{
	const uint64_t first = 9 * SLOTS + 64, end = first + SLOTS + 300, jump = end - 100;

	lay(first, 77, 0, 0);
	buffer.session.clock_start = 1000 * HOUR;
	mkregion_put_sessions(&buffer, &buffer.session);
	mkregion_records(&buffer, first, end);
	for (uint64_t position = end - SLOTS; position < end; position++) {
		if (position < jump)
			slot(position)->clock += _i == 2 ? 100 * HOUR : 0;
		else if (_i < 2)
			slot(position)->clock += _i ? (position - jump + 1) * 2 * HOUR : 100 * HOUR;
	}
	COUNTS(.records = SLOTS, .overwritten = 300);
}

/* Up to 39 % of the pages are missing or contain noise. All records on other pages are found. */
TEST_LOOP(test_damage, 80)
{
	const uint64_t first = 9 * SLOTS + 64, end = first + 5 * SLOTS / 2;
	uint8_t damaged[4 * MB / LKST_IMAGE_PAGE] = { 0 };
	uint64_t present = 0;

	lay(first, 77, first, end);
	mkimage_damage(memory, _i % 40 * 10, (unsigned int)_i + 1,
		       _i % 2 ? MKIMAGE_NOISE : MKIMAGE_MISSING, damaged);
	/* Repair the headers: test_image_scan.c covers extents that have lost both headers. */
	for (size_t i = 0; i < 2 * buffer.extents; i++) {
		size_t page = mkregion_header_at(&buffer, i / 2, i % 2) / PAGE;

		memory->missing[page] = 0;
		damaged[page] = 0;
	}
	mkregion_sign(&buffer);
	mkregion_put_sessions(&buffer, &buffer.session);
	for (uint64_t i = 0; i < SLOTS; i++)
		present += !damaged[mkregion_slot_at(&buffer, i) / PAGE];
	read_buffer();
	ck_assert_uint_eq(counts.records, present);
	check_found();
}

/* No header page describes the session. All records are returned, with recids that start at 0. */
TEST_LOOP(test_no_session, 2)
{
	const uint64_t first = 9 * SLOTS + 64, end = first + 5 * SLOTS / 2;

	lay(first, 77, 0, 0);
	old_records(4, SLOTS / 2, SLOTS, 300);
	mkregion_records(&buffer, _i ? end - SLOTS : first, _i ? end : first + SLOTS / 4);
	mkregion_lose_sessions(&buffer);
	COUNTS(.records = _i ? SLOTS : SLOTS / 2 + SLOTS / 4, .unknown = 1);
	for (size_t i = 0; i < founds; i++) {
		ck_assert_uint_eq(found[i].recid, i);
		ck_assert(!i || found[i].record.clock > found[i - 1].record.clock);
	}
}

/*
 * A buffer without records. Unless both header pages are damaged or lost, they show that the buffer
 * never had a session, so the buffer has lost nothing. @missing and @cut take away pages that are
 * all 0, which some images leave out.
 */
#define BOTH 3u
static const struct {
	const char *name;
	unsigned int lost, torn; /* bitmaps of header pages: 1 << copy */
	bool missing, cut;
	struct image_counts counts;
} empty[] = {
	{ .name = "test_never_used" },
	{ .name = "test_never_used_one_header", .lost = 1 },
	{ .name = "test_never_used_one_header", .lost = 2 },
	/* The machine died when the first session was being written. */
	{ .name = "test_never_used_torn", .torn = 1 },
	{ .name = "test_never_used_missing", .missing = true },
	{ .name = "test_never_used_cut", .cut = true },
	{ .name = "test_empty_torn", .torn = BOTH, .counts = { .unknown = 1 } },
	{ .name = "test_empty_torn_one_header", .lost = 2, .torn = 1, .counts = { .unknown = 1 } },
	{ .name = "test_empty_no_headers", .lost = BOTH,
	  .counts = { .unknown = 1, .missing = SLOTS / 4, .fragments = 1 } },
};

TEST_ROWS(test_empty, empty)
{
	lay(0, 0, 0, 0);
	mkregion_lose_sessions(&buffer);
	for (unsigned int copy = 0; copy < 2; copy++) {
		if (empty[_i].torn >> copy & 1)
			mkregion_state(&buffer, copy)[9] = 1;
		if (empty[_i].lost >> copy & 1)
			mkregion_lose_header(&buffer, 0, copy);
	}
	if (empty[_i].missing)
		memory->missing[mkregion_slot_at(&buffer, 128) / PAGE] = 1;
	if (empty[_i].cut)
		memory->size = mkregion_slot_at(&buffer, 500);
	read_buffer();
	check_counts(empty[_i].counts);
}

/*
 * The rate of a buffer's clock is missing, or the whole session is missing. The reader takes the
 * missing values, which it needs to calculate times, from another buffer of the same boot.
 */
TEST_LOOP(test_borrowed_session, 2)
{
	struct mkregion other;

	mkregion_buffer(&other, memory, &boot,
			(struct mkbuffer){ .id = 3, .at = 2 * MB, .length = LEN, .extent = LEN,
					   .first = 64, .wall = SAMPLE_NS + 5 });
	lay(64, 0, 64, 200);
	buffer.session.khz = 0;
	if (_i)
		mkregion_lose_sessions(&buffer);
	else
		mkregion_put_sessions(&buffer, &buffer.session);
	COUNTS(.records = 136, .unknown = (uint64_t)_i);
	ck_assert_uint_eq(last_run.clock, LKST_CLOCK_TSC);
	ck_assert_uint_eq(last_run.freq_khz, boot.khz);
	ck_assert_int_eq(last_run.xtime_ns, _i ? SAMPLE_NS + 5 : SAMPLE_NS);
}

/* ---- long rings ---- */

static struct mkregion ring;

/* Lay out the long ring of CPU 1 with @num records. */
static void lay_ring(uint64_t num)
{
	mkregion_buffer(&ring, memory, &boot,
			(struct mkbuffer){ .cpu = 1, .id = LKST_BUFFER_ID_LONG, .at = 2 * MB,
					   .length = LEN, .extent = 16 * KB, .first = 64,
					   .wall = SAMPLE_NS + 5, .end = 64 + num });
}

/* A long ring is read like a buffer. A boot that has nothing else is chosen. */
TEST_LOOP(test_long, 2)
{
	boot.swapped = _i;
	lay_ring(SLOTS + 100);
	read_kind(LKST_IMAGE_LONG);
	check_counts((struct image_counts){ .records = SLOTS, .overwritten = 100 });
	ck_assert_uint_eq(found[0].recid, 100);
	ck_assert_uint_eq(found[SLOTS - 1].recid, SLOTS + 99);
	ck_assert_int_eq(last_run.cpu, 1);
	ck_assert_int_eq(last_run.buffer, LKST_BUFFER_ID_LONG);
	ck_assert_uint_eq(last_run.clock, LKST_CLOCK_NS);
	ck_assert_int_eq(last_run.xtime_ns, SAMPLE_NS + 5);
	ck_assert_int_eq(image->boot[0].newest_ns, SAMPLE_NS + 5);
	ck_assert_int_eq(image_choose_boot(image, NULL, NULL, &err), 0);
}

/*
 * A long ring whose session is lost uses the session of a buffer, but not its clock. Without a
 * buffer, no times are known.
 */
TEST_LOOP(test_long_without_session, 2)
{
	if (_i)
		lay(64, 0, 64, 200);
	lay_ring(100);
	mkregion_lose_sessions(&ring);
	read_kind(LKST_IMAGE_LONG);
	check_counts((struct image_counts){ .records = 100, .unknown = 1 });
	ck_assert_uint_eq(last_run.clock, LKST_CLOCK_NS);
	ck_assert_int_eq(last_run.xtime_ns, _i ? SAMPLE_NS : 0);
	ck_assert_uint_eq(last_run.tsc, _i ? ring.session.clock_start : 0);
	ck_assert_uint_eq(last_run.freq_khz, _i ? 1000000 : 0);
}

/* The clock of a long ring is not that of a buffer whose session is lost. */
TEST(test_long_lends_no_clock)
{
	lay(64, 0, 64, 200);
	lay_ring(100);
	mkregion_lose_sessions(&buffer);
	read_buffer();
	ck_assert_int_eq(last_run.xtime_ns, 0);
}

/* Write the image as a trace. Return its descriptor. */
static int write_image(struct image_counts *total)
{
	const struct image_selection selection = { .cpu = -1, .id = -1, .root = "/nowhere" };

	scan();
	begin_trace(NULL);
	assert_ok(image_trace(image, &selection, NULL, writer, total, &err));
	return commit_trace();
}

/*
 * In a trace, the buffers and the long rings are counted separately. A page that is missing in a
 * long ring does not make the events of the buffers incomplete.
 */
TEST_LOOP(test_long_in_trace, 3)
{
	const bool buffer_lacks = _i == 1, ring_lacks = _i == 2;
	const size_t lost = PAGE / sizeof(struct lkst_event_record);
	struct image_counts total;

	lay(64, 0, 64, 364);
	lay_ring(200);
	if (buffer_lacks)
		memory->missing[mkregion_slot_at(&buffer, 64) / PAGE] = 1;
	if (ring_lacks)
		memory->missing[mkregion_slot_at(&ring, 64) / PAGE] = 1;
	open_trace(write_image(&total));
	ck_assert_uint_eq(total.records, 300 - lost * buffer_lacks);
	ck_assert_uint_eq(total.missing, lost * buffer_lacks);
	ck_assert_uint_eq(read_all(LKST_OLDEST_FIRST), total.records);
	ck_assert_int_eq(lkst_trace_incomplete(trace), buffer_lacks);
	open_long(write_image(&total));
	ck_assert_uint_eq(read_all(LKST_OLDEST_FIRST), 200 - lost * ring_lacks);
	ck_assert_int_eq(events[0].time_ns, SAMPLE_NS + 5 + (int64_t)(lost * ring_lacks * 1000 + 1));
	ck_assert_int_eq(lkst_trace_incomplete(trace), ring_lacks);
	close_trace();
}

/* Impossible values in the description of a session must not crash the reader. */
#define LIE(member, value) MEMBER(lkst_image_session, member, value)
static const struct member bad_values[][2] = {
	{ LIE(first, UINT64_MAX) },
	{ LIE(lap, UINT64_MAX) },
	{ LIE(khz, UINT64_MAX) },
	{ LIE(clock_start, UINT64_MAX) },
	{ LIE(first_recid, UINT64_MAX) },
	{ LIE(first, UINT64_MAX - 5), LIE(lap, UINT64_MAX / 2) },
	{ LIE(clock, 77) },
};

TEST_EACH(test_bad_values, bad_values)
{
	lay(64, 0, 64, SLOTS);
	set_member(&buffer.session, &bad_values[_i][0]);
	set_member(&buffer.session, &bad_values[_i][1]);
	mkregion_put_sessions(&buffer, &buffer.session);
	read_buffer();
	ck_assert_uint_le(counts.records, SLOTS);
}

/* Reading can be stopped even in buffers without records, because there may be many of them. */
TEST(test_stop_without_records)
{
	volatile int stop = 1;
	const struct image_hooks stopped = { .stop = &stop };
	const struct image_selection selection = { .cpu = -1, .id = -1 };
	struct lkst_trace_writer *writer;

	lay(0, 0, 0, 0);
	scan();
	writer = lkst_trace_writer_temporary(memfd_create("trace", MFD_CLOEXEC), &err);
	assert_made(writer);
	ck_assert_int_eq(image_trace(image, &selection, &stopped, writer, NULL, &err), -1);
	ck_assert_int_eq(err.code, LKST_ERR_INTERRUPTED);
	lkst_trace_writer_abort(writer);
}

static struct lkst_log_record logs[600];
static size_t logs_num;

static int put_static(void *ctx, const struct lkst_log_record *record, struct lkst_error *err)
{
	(void)ctx;
	(void)err;
	logs[logs_num++] = *record;
	return 0;
}

TEST_LOOP(test_static, 4)
{
	const uint64_t writing = 512 * 64 + 5 * sizeof(struct lkst_image_slot);
	const struct image_region *found_region;
	struct lkst_event_record record;
	struct mkregion region;

	boot.swapped = _i & 1;
	boot.long_size = _i & 2 ? 4 : 8;
	lay(64, 0, 0, 0);
	mkregion_single(&region, memory, &boot, LKST_IMAGE_STATIC, 2 * MB, 512 * 80);
	for (uint64_t recid = 100; recid < 700; recid++) {
		record = mkregion_expected(&buffer, recid);
		mkregion_static(&region, recid, (int32_t)recid % 3, recid < 300, record);
	}
	/* One slot is being written, one has an unknown event type, and one an invalid CPU. */
	mkregion_put(&region, writing, boot.swapped ? "\0\0\0\0\0\0\0\1" : "\1\0\0\0\0\0\0\0", 8);
	record.event_type = 0xeee;
	mkregion_static(&region, 512 + 6, 0, 0, record);
	mkregion_static(&region, 512 + 7, -5, 0, record);
	logs_num = 0;
	found_region = find_region(LKST_IMAGE_STATIC);
	memset(&counts, 0, sizeof(counts));
	assert_ok(image_static_records(image, found_region, types, put_static, NULL, &counts,
				       &err));
	ck_assert_uint_eq(logs_num, 512 - 3);
	check_counts((struct image_counts){ .records = 512 - 3, .unfinished = 1, .implausible = 2,
					    .overwritten = 700 - 512 });
	for (size_t i = 0; i < logs_num; i++) {
		const struct posix_log_entry *posix = &logs[i].posix;
		uint64_t recid = posix->log_recid;

		ck_assert(!i || recid > logs[i - 1].posix.log_recid);
		ck_assert_uint_eq(logs[i].log_arg1, recid);
		ck_assert_int_eq(posix->log_processor, (int32_t)recid % 3);
		/* Records with TSC timestamps are 1000 ticks apart, at 2 GHz. */
		if (recid < 300)
			ck_assert_int_eq(posix->log_time.tv_sec * 1000000000ll +
						 posix->log_time.tv_nsec,
					 SAMPLE_NS + (int64_t)(recid - 64) * 500);
	}
}
