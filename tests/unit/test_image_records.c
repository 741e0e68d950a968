// SPDX-License-Identifier: GPL-2.0
/* The records that images hold: whole, going round, torn, with pages missing or written over. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "lib/image.h"
#include "mkimage.h"
#include "room.h"
#include "sample.h"
#include "tap.h"

#define KB    1024ull
#define MB    (1024 * KB)
#define LEN   (64 * KB)
#define SLOTS (LEN / sizeof(struct lkst_event_record))
#define HOUR  (2000000ull * 1000 * 3600) /* ticks of mkboot's clock */

static struct mkimage *memory;
static struct mkboot boot;
static struct mkarea buffer;
static struct lkst_etypes *types;

/* What the reader gave. */
#define FOUND_MAX 40000
static struct {
	uint64_t recid;
	struct lkst_event_record record;
} *found;
static size_t founds;
static struct lkst_run last_run;
static struct image_counts counts;

static void setup(void)
{
	struct lkst_error err = { 0 };

	memory = mkimage_new(4 * MB);
	found = room(FOUND_MAX * sizeof(*found));
	mkboot_init(&boot, 1);
	types = lkst_etypes_embedded(&err);
	ck_assert_msg(types != NULL, "%s", err.text);
}

static void teardown(void)
{
	lkst_etypes_free(types);
	mkimage_free(memory);
	room_free(found, FOUND_MAX * sizeof(*found));
}

static void lay(uint64_t first, uint64_t first_recid)
{
	mkarea_init(&buffer, memory, &boot, LKST_IMAGE_BUFFER, 1, 3);
	mkarea_lay(&buffer, 1 * MB, LEN, 16 * KB);
	mkarea_session(&buffer, first, first_recid, SAMPLE_NS);
}

static int put_run(void *ctx, const struct lkst_run *run, struct lkst_error *err)
{
	(void)ctx;
	(void)err;
	last_run = *run;
	for (size_t i = 0; i < run->num; i++) {
		if (!run->record[i].clock)
			continue;
		ck_assert_uint_lt(founds, FOUND_MAX);
		found[founds].recid = run->first_recid + i;
		found[founds++].record = run->record[i];
	}
	return 0;
}

static void read_area(uint32_t kind)
{
	struct lkst_error err = { 0 };
	struct image *image = image_scan(mkimage_source(memory), NULL, &err);
	int ret = -1;

	founds = 0;
	memset(&counts, 0, sizeof(counts));
	ck_assert_msg(image != NULL, "%s", err.text);
	for (size_t i = 0; i < image->areas; i++)
		if (image->area[i].kind == kind)
			ret = image_records(image, &image->area[i], types, put_run, NULL, &counts,
					    &err);
	ck_assert_msg(!ret, "%s", err.text);
	ck_assert_uint_eq(counts.records, founds);
	image_free(image);
}

static void read_buffer(void)
{
	read_area(LKST_IMAGE_BUFFER);
}

/* All of them are at their recids, and what they were. */
static void check_found(void)
{
	const struct lkst_image_session *s = &buffer.stretch;

	for (size_t i = 0; i < founds; i++) {
		uint64_t position = found[i].recid - s->first_recid + s->first;
		struct lkst_event_record should = mkarea_expected(&buffer, position);

		ck_assert_mem_eq(&found[i].record, &should, sizeof(should));
		ck_assert(!i || found[i].recid > found[i - 1].recid);
	}
}

static void check_counts(uint64_t records, uint64_t missing, uint64_t implausible,
			 uint64_t unfinished, uint64_t overwritten)
{
	ck_assert_uint_eq(counts.records, records);
	ck_assert_uint_eq(counts.missing, missing);
	ck_assert_uint_eq(counts.implausible, implausible);
	ck_assert_uint_eq(counts.unfinished, unfinished);
	ck_assert_uint_eq(counts.overwritten, overwritten);
}

static const struct {
	uint64_t lap; /* of the stretch */
	uint64_t slot;
	uint64_t num; /* records */
} stretches[] = {
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

#define STRETCHES (int)(sizeof(stretches) / sizeof(*stretches))

START_TEST(test_stretch)
{
	uint64_t first = stretches[_i / 4].lap * SLOTS + stretches[_i / 4].slot;
	uint64_t num = stretches[_i / 4].num, there = num < SLOTS ? num : SLOTS;

	boot.swapped = _i & 1;
	boot.long_size = _i & 2 ? 4 : 8;
	lay(first, 5000);
	mkarea_records(&buffer, first + num - there, first + num);
	read_buffer();
	check_counts(there, 0, 0, 0, num - there);
	check_found();
	ck_assert_uint_eq(found[0].recid, 5000 + num - there);
	ck_assert_int_eq(last_run.cpu, 1);
	ck_assert_int_eq(last_run.buffer, 3);
	ck_assert_uint_eq(last_run.clock, LKST_CLOCK_TSC);
	ck_assert_uint_eq(last_run.freq_khz, boot.khz);
	ck_assert_uint_eq(last_run.tsc, 1000000);
	ck_assert_int_eq(last_run.xtime_ns, SAMPLE_NS);
	ck_assert_str_eq(last_run.arch, "x86_64");
}
END_TEST

/* A stretch before this one, as far as it was not written over. */
static void old_records(uint64_t lap, uint64_t from, uint64_t to, uint64_t clock)
{
	for (uint64_t slot = from; slot < to; slot++) {
		struct lkst_event_record record = mkarea_expected(&buffer, buffer.stretch.first);

		record.clock = clock + slot;
		mkarea_record(&buffer, lap * SLOTS + slot, &record);
	}
}

START_TEST(test_old_stretches)
{
	const uint64_t first = 5000 * SLOTS + 64;

	lay(first, 100);
	old_records(4999, 300, 400, 1000);
	old_records(4990, 400, 600, 500);
	old_records(5000 - 2048, 600, 700, 300); /* the same bits of the lap */
	old_records(5000 - 2047, 700, 800, 300); /* those of a lap to come */
	old_records(5000 - 1500, 800, SLOTS, 300);
	mkarea_records(&buffer, first, first + 200);
	read_buffer();
	check_counts(200, 0, 0, 0, 0);
	check_found();
	/* It goes round, and in the last slots there are still the old ones. */
	mkarea_records(&buffer, first + 200, first + SLOTS - 64 + 10);
	read_buffer();
	check_counts(SLOTS - 64 + 10, 0, 0, 0, 0);
	check_found();
}
END_TEST

/* A note of which one copy, or the other, is as it was before, or torn. */
START_TEST(test_notes)
{
	const uint64_t old_first = 8 * SLOTS + 64, first = 12 * SLOTS + 64;
	struct lkst_image_session old, torn;

	lay(old_first, 100);
	mkarea_records(&buffer, old_first, old_first + 500);
	old = buffer.stretch;
	mkarea_session(&buffer, first, 4000, SAMPLE_NS);
	buffer.stretch.clock_start += 1000000000;
	torn = buffer.stretch;
	torn.first++;
	switch (_i) {
	case 0: /* both are whole, and the newer one is first */
		mkarea_put_session(&buffer, 0, &buffer.stretch);
		mkarea_put_session(&buffer, 1, &old);
		break;
	case 1:
		mkarea_put_session(&buffer, 0, &old);
		mkarea_put_session(&buffer, 1, &buffer.stretch);
		break;
	case 2: /* the second is being written */
	case 3: /* the first was destroyed */
		mkarea_put_session(&buffer, 0, &buffer.stretch);
		mkarea_put_session(&buffer, 1, &buffer.stretch);
		mkimage_at(memory, mkarea_header_at(&buffer, 0, _i == 2))[LKST_IMAGE_STATE + 9] ^=
			0xff;
		break;
	case 4: /* there is one page only */
	case 5:
		mkarea_put_session(&buffer, 0, &buffer.stretch);
		mkarea_put_session(&buffer, 1, &buffer.stretch);
		mkarea_lose_header(&buffer, 0, _i == 4);
		break;
	case 6: /* sequence numbers wrap */
		old.sequence = UINT32_MAX;
		buffer.stretch.sequence = 0;
		mkarea_put_session(&buffer, 0, &buffer.stretch);
		mkarea_put_session(&buffer, 1, &old);
	}
	for (uint64_t position = first; position < first + 300; position++) {
		struct lkst_event_record record = mkarea_expected(&buffer, position);

		mkarea_record(&buffer, position, &record);
	}
	read_buffer();
	check_counts(300, 0, 0, 0, 0);
	check_found();
	ck_assert_uint_eq(found[0].recid, 4000);
}
END_TEST

/* The new stretch is noted nowhere yet: what is there is the old one. */
START_TEST(test_torn_note)
{
	const uint64_t first = 8 * SLOTS + 64;

	lay(first, 100);
	mkarea_records(&buffer, first, first + 500);
	mkimage_at(memory, mkarea_header_at(&buffer, 0, 0))[LKST_IMAGE_STATE + 20] ^= 0xff;
	read_buffer();
	check_counts(500, 0, 0, 0, 0);
	check_found();
}
END_TEST

/* The lap that was noted is off, as where records were dropped. */
START_TEST(test_lap_note)
{
	const uint64_t first = 3000 * SLOTS + 64, end = 3300 * SLOTS + 9;
	const uint64_t lap[] = { 3000, 3100, 3299, 3300, 3301, 2999, 0, 3300 + 1000 };

	lay(first, 100);
	mkarea_records(&buffer, end - SLOTS, end);
	mkarea_lap(&buffer, lap[_i]);
	read_buffer();
	check_counts(SLOTS, 0, 0, 0, end - SLOTS - first);
	check_found();
}
END_TEST

/* Writers that had their slots and did not come to write, and one that came round again. */
START_TEST(test_unfinished)
{
	const uint64_t first = 8 * SLOTS + 64, end = first + 2 * SLOTS;
	struct lkst_event_record record;

	lay(first, 100);
	mkarea_records(&buffer, first, end);
	/* Taken, with the old record as it was; taken, and the clock is 0. */
	record = mkarea_expected(&buffer, end - 5 - SLOTS);
	mkarea_record(&buffer, end - 5 - SLOTS, &record);
	record = mkarea_expected(&buffer, end - 9);
	record.clock = 0;
	mkarea_record(&buffer, end - 9, &record);
	read_buffer();
	/* The old one is there all the same. */
	check_counts(SLOTS - 1, 0, 0, 2, SLOTS - 1);
	check_found();
	ck_assert_uint_eq(found[0].recid, 100 + SLOTS - 5);
	ck_assert_uint_eq(found[1].recid, 100 + SLOTS);
}
END_TEST

/* An interrupt filled more than a lap while a writer was at its slot: the rest was dropped. */
START_TEST(test_dropped)
{
	const uint64_t first = 8 * SLOTS + 64, floor = first + 3000, gap = 3 * SLOTS + 100;

	lay(first, 100);
	mkarea_records(&buffer, first, floor + SLOTS);
	mkarea_records(&buffer, floor + SLOTS + gap, floor + SLOTS + gap + 20);
	mkarea_lap(&buffer, (floor + SLOTS) / SLOTS);
	read_buffer();
	ck_assert_uint_eq(counts.records, SLOTS);
	ck_assert_uint_eq(counts.records + counts.unfinished + counts.overwritten,
			  floor + SLOTS + gap + 20 - first);
	check_found();
	ck_assert_uint_eq(found[founds - 1].recid, 100 + floor + SLOTS + gap + 19 - first);
}
END_TEST

/* 32-bit: the low half of the clock commits. */
START_TEST(test_half_clock)
{
	struct lkst_event_record record;

	boot.long_size = _i ? 4 : 8;
	lay(64, 0);
	mkarea_records(&buffer, 64, 200);
	record = mkarea_expected(&buffer, 199);
	record.clock = 1ull << 32;
	mkarea_record(&buffer, 199, &record);
	read_buffer();
	check_counts(_i ? 135 : 136, 0, 0, 0, 0);
}
END_TEST

START_TEST(test_missing)
{
	const uint64_t first = 9 * SLOTS + 64, end = first + 3 * SLOTS / 2;
	uint64_t at, slot;
	size_t page;

	lay(first, 77);
	mkarea_records(&buffer, first, end);
	/* Each page in turn, but that of the newest record: what is behind the last one is not known. */
	slot = (uint64_t)_i * 64;
	if (slot / 64 == (end - 1) % SLOTS / 64)
		return;
	at = mkarea_slot_at(&buffer, slot);
	page = at / LKST_IMAGE_PAGE;
	memory->missing[page] = 1;
	read_buffer();
	check_counts(SLOTS - 64, 64, 0, 0, end - SLOTS - first);
	check_found();
}
END_TEST

/* What lies in an image that was cut off. */
START_TEST(test_cut)
{
	const uint64_t first = 9 * SLOTS + 64;

	lay(first, 77);
	mkarea_records(&buffer, first, first + 2 * SLOTS);
	memory->size = mkarea_slot_at(&buffer, 500) + 32;
	read_buffer();
	check_counts(500, SLOTS - 500, 0, 0, SLOTS);
	ck_assert_uint_eq(counts.pieces, 3); /* two, and the rest of one */
	check_found();
}
END_TEST

/* Of a buffer that has not gone round nobody knows whether what is cut off held records. */
START_TEST(test_cut_young)
{
	lay(0, 0);
	mkarea_records(&buffer, 0, 900);
	memory->size = mkarea_slot_at(&buffer, 500) + 32;
	read_buffer();
	check_counts(500, 0, 0, 0, 0);
	ck_assert_uint_eq(counts.pieces, 3);
	check_found();
}
END_TEST

/* All extents have a header in the image, and the last one ends behind it. */
START_TEST(test_cut_last_extent)
{
	const uint64_t slot[] = { 800, 768, SLOTS };

	lay(0, 0);
	mkarea_records(&buffer, 0, 900);
	memory->size = mkarea_slot_at(&buffer, 768) + (slot[_i] - 768) * sizeof(found->record);
	read_buffer();
	check_counts(slot[_i] < 900 ? slot[_i] : 900, 0, 0, 0, 0);
	ck_assert_uint_eq(counts.pieces, slot[_i] < SLOTS);
	check_found();
}
END_TEST

/* There is a header and nothing else: what the notes in it tell is what is missing. */
static const struct {
	uint64_t first;
	uint64_t num;
	uint64_t missing;
	uint64_t overwritten;
} headers[] = {
	{ 0, 900, 0, 0 },
	{ 9 * SLOTS + 64, SLOTS, SLOTS - 64, 0 },
	{ 9 * SLOTS + 64, 2 * SLOTS, SLOTS, SLOTS - 64 },
};

START_TEST(test_header_alone)
{
	mkarea_init(&buffer, memory, &boot, LKST_IMAGE_BUFFER, 1, 3);
	mkarea_lay(&buffer, 1 * MB, LEN, LEN);
	mkarea_session(&buffer, headers[_i].first, 77, SAMPLE_NS);
	mkarea_records(&buffer, headers[_i].first, headers[_i].first + headers[_i].num);
	memory->size = mkarea_slot_at(&buffer, 0);
	read_buffer();
	check_counts(0, headers[_i].missing, 0, 0, headers[_i].overwritten);
	ck_assert_uint_eq(counts.pieces, 1);
}
END_TEST

/* An extent that something newer lies in the middle of is not two, and does not stand for another. */
START_TEST(test_missing_and_parted)
{
	struct mkarea newer;

	lay(0, 0);
	mkarea_records(&buffer, 0, 900);
	mkarea_lose_header(&buffer, 2, 0);
	mkarea_lose_header(&buffer, 2, 1);
	mkarea_init(&newer, memory, &boot, LKST_IMAGE_TEXTS, -1, LKST_BUFFER_ID_VOID);
	mkarea_lay(&newer, mkarea_slot_at(&buffer, 64), LKST_IMAGE_PAGE, LKST_IMAGE_PAGE);
	mkarea_lose_header(&newer, 0, 1);
	read_buffer();
	ck_assert_uint_eq(counts.pieces, 1);
}
END_TEST

enum odd {
	ODD_TYPE,
	ODD_NO_TYPE,
	ODD_LAP_AHEAD,
	ODD_LAP_BEHIND,
	ODD_CLOCK_BEFORE,
	ODD_CLOCK_NEVER,
	ODD_CLOCK_LATER,
	ODD_NUM
};

START_TEST(test_implausible)
{
	const uint64_t first = 9 * SLOTS + 64, end = first + 3 * SLOTS + 300;
	const uint64_t at[] = { end - 200, end - SLOTS + 100, end - 64, end - 1 };
	uint64_t position = at[_i / ODD_NUM], where = position;
	enum odd odd = (enum odd)(_i % ODD_NUM);
	struct lkst_event_record record;
	bool last = position == end - 1;

	lay(first, 77);
	mkarea_records(&buffer, end - SLOTS, end);
	record = mkarea_expected(&buffer, position);
	switch (odd) {
	case ODD_TYPE:
		record.event_type = 0xffff;
		break;
	case ODD_NO_TYPE:
		record.event_type = 0xeee;
		break;
	case ODD_LAP_AHEAD:
		where += 5 * SLOTS;
		break;
	case ODD_LAP_BEHIND:
		where -= 2 * SLOTS;
		break;
	case ODD_CLOCK_BEFORE:
		record.clock = 1000;
		break;
	case ODD_CLOCK_NEVER:
		record.clock = UINT64_MAX / 2;
		break;
	default:
		record.clock += 4 * HOUR;
	}
	mkarea_record(&buffer, where, &record);
	read_buffer();
	if (last && (odd == ODD_CLOCK_LATER || odd == ODD_LAP_AHEAD)) {
		/* Nothing follows it: the CPU may have told nothing for so long, or dropped the rest. */
		ck_assert_uint_eq(counts.records, SLOTS);
		return;
	}
	/* Whether a slot was left to an older record, or its lap was changed, cannot be told. */
	ck_assert_uint_eq(counts.records, SLOTS - 1);
	ck_assert_uint_eq(counts.implausible + counts.unfinished, 1);
	if (!last)
		ck_assert_uint_eq(counts.unfinished, odd == ODD_LAP_BEHIND);
	check_found();
}
END_TEST

/* The recording was stopped for days, or the clock was set back: no reason to leave anything out. */
/* The kernel's list of event types may be lost, or older: records of modules are known by their range. */
START_TEST(test_module_types)
{
	const uint16_t type[] = { LKST_ETYPE_USER_MIN, 0x1d8, LKST_ETYPE_USER_MAX };
	struct lkst_event_record record;

	lay(64, 0);
	mkarea_records(&buffer, 64, 200);
	for (uint64_t i = 0; i < 3; i++) {
		record = mkarea_expected(&buffer, 100 + i);
		record.event_type = type[i];
		mkarea_record(&buffer, 100 + i, &record);
	}
	read_buffer();
	check_counts(136, 0, 0, 0, 0);
	for (uint64_t i = 0; i < 3; i++)
		ck_assert_uint_eq(found[36 + i].record.event_type, type[i]);
}
END_TEST

START_TEST(test_clock_jumps)
{
	const uint64_t first = 9 * SLOTS + 64, end = first + SLOTS + 300;
	struct lkst_event_record record;

	lay(first, 77);
	buffer.stretch.clock_start = 1000 * HOUR;
	mkarea_put_session(&buffer, 0, &buffer.stretch);
	mkarea_put_session(&buffer, 1, &buffer.stretch);
	mkarea_records(&buffer, first, end);
	for (uint64_t position = end - 100; position < end; position++) {
		record = mkarea_expected(&buffer, position);
		if (_i == 0)
			record.clock += 100 * HOUR;
		else if (_i == 1)
			record.clock += (position - end + 101) * 2 * HOUR;
		mkarea_record(&buffer, position, &record);
	}
	for (uint64_t position = end - SLOTS; _i == 2 && position < end - 100; position++) {
		record = mkarea_expected(&buffer, position);
		record.clock += 100 * HOUR;
		mkarea_record(&buffer, position, &record);
	}
	read_buffer();
	check_counts(SLOTS, 0, 0, 0, 300);
}
END_TEST

/* Noise in one of a hundred pages, or so many that are not there: all the others are read. */
START_TEST(test_damage)
{
	const uint64_t first = 9 * SLOTS + 64, end = first + 5 * SLOTS / 2;
	uint8_t damaged[4 * MB / LKST_IMAGE_PAGE] = { 0 };
	uint64_t there = 0;

	lay(first, 77);
	mkarea_records(&buffer, first, end);
	mkimage_damage(memory, _i % 40 * 10, (unsigned int)_i + 1,
		       _i % 2 ? MKIMAGE_NOISE : MKIMAGE_MISSING, damaged);
	/* Extents of which both headers are gone are a matter of the scan. */
	for (size_t i = 0; i < buffer.extents; i++)
		for (unsigned int copy = 0; copy < 2; copy++) {
			size_t page = mkarea_header_at(&buffer, i, copy) / LKST_IMAGE_PAGE;

			memory->missing[page] = 0;
			damaged[page] = 0;
		}
	mkarea_sign(&buffer);
	mkarea_put_session(&buffer, 0, &buffer.stretch);
	mkarea_put_session(&buffer, 1, &buffer.stretch);
	for (uint64_t position = end - SLOTS; position < end; position++) {
		uint64_t at = mkarea_slot_at(&buffer, position % SLOTS);

		there += !damaged[at / LKST_IMAGE_PAGE];
	}
	read_buffer();
	ck_assert_uint_eq(counts.records, there);
	check_found();
}
END_TEST

/* Nobody knows what the records are: they are there all the same. */
START_TEST(test_no_note)
{
	const uint64_t first = 9 * SLOTS + 64, end = first + 5 * SLOTS / 2;

	lay(first, 77);
	old_records(4, SLOTS / 2, SLOTS, 300);
	mkarea_records(&buffer, _i ? end - SLOTS : first, _i ? end : first + SLOTS / 4);
	memset(mkimage_at(memory, mkarea_header_at(&buffer, 0, 0)) + LKST_IMAGE_STATE, 0, 128);
	memset(mkimage_at(memory, mkarea_header_at(&buffer, 0, 1)) + LKST_IMAGE_STATE, 0, 128);
	read_buffer();
	ck_assert_uint_eq(counts.unknown, 1);
	check_counts(_i ? SLOTS : SLOTS / 2 + SLOTS / 4, 0, 0, 0, 0);
	for (size_t i = 0; i < founds; i++) {
		ck_assert_uint_eq(found[i].recid, i);
		ck_assert(!i || found[i].record.clock > found[i - 1].record.clock);
	}
}
END_TEST

/* What a buffer does not know of its clock, another one does; those of a boot are read by CPU. */
START_TEST(test_borrowed_note)
{
	struct mkarea other;
	uint32_t unknown = 0;

	mkarea_init(&other, memory, &boot, LKST_IMAGE_BUFFER, 0, 3);
	mkarea_lay(&other, 2 * MB, LEN, LEN);
	mkarea_session(&other, 64, 0, SAMPLE_NS + 5);
	lay(64, 0);
	mkarea_records(&buffer, 64, 200);
	if (_i == 0) {
		/* Its rate, but not when it began. */
		buffer.stretch.khz = 0;
		mkarea_put_session(&buffer, 0, &buffer.stretch);
		mkarea_put_session(&buffer, 1, &buffer.stretch);
	} else {
		memset(mkimage_at(memory, mkarea_header_at(&buffer, 0, 0)) + LKST_IMAGE_STATE, 0,
		       128);
		memset(mkimage_at(memory, mkarea_header_at(&buffer, 0, 1)) + LKST_IMAGE_STATE, 0,
		       128);
		unknown = 1;
	}
	read_buffer();
	check_counts(136, 0, 0, 0, 0);
	ck_assert_uint_eq(counts.unknown, unknown);
	ck_assert_uint_eq(last_run.clock, LKST_CLOCK_TSC);
	ck_assert_uint_eq(last_run.freq_khz, boot.khz);
	ck_assert_int_eq(last_run.xtime_ns, unknown ? SAMPLE_NS + 5 : SAMPLE_NS);
}
END_TEST

/* What is said of the area is not believed. */
START_TEST(test_lies)
{
	struct lkst_image_session lies;

	lay(64, 0);
	mkarea_records(&buffer, 64, SLOTS);
	lies = buffer.stretch;
	switch (_i) {
	case 0:
		lies.first = UINT64_MAX;
		break;
	case 1:
		lies.lap = UINT64_MAX;
		break;
	case 2:
		lies.khz = UINT64_MAX;
		break;
	case 3:
		lies.clock_start = UINT64_MAX;
		break;
	case 4:
		lies.first_recid = UINT64_MAX;
		break;
	case 5:
		lies.first = UINT64_MAX - 5;
		lies.lap = UINT64_MAX / 2;
		break;
	case 6:
		lies.clock = 77;
	}
	mkarea_put_session(&buffer, 0, &lies);
	mkarea_put_session(&buffer, 1, &lies);
	read_buffer();
	ck_assert_uint_le(counts.records, SLOTS);
}
END_TEST

/* Who is to stop does so where there are no records, too: there may be many such buffers. */
START_TEST(test_stop_without_records)
{
	volatile int stop = 1;
	const struct image_hooks hooks = { .stop = &stop };
	const struct image_want want = { .cpu = -1, .id = -1 };
	int fd = memfd_create("trace", MFD_CLOEXEC);
	struct lkst_trace_writer *writer;
	struct lkst_error err = { 0 };
	struct image *image;

	lay(0, 0);
	image = image_scan(mkimage_source(memory), NULL, &err);
	ck_assert_msg(image != NULL, "%s", err.text);
	writer = lkst_trace_writer_temporary(fd, &err);
	ck_assert_msg(writer != NULL, "%s", err.text);
	ck_assert_int_eq(image_trace(image, &want, &hooks, writer, NULL, &err), -1);
	ck_assert_int_eq(err.code, LKST_ERR_INTERRUPTED);
	lkst_trace_writer_abort(writer);
	image_free(image);
}
END_TEST

static struct lkst_log_record logs[600];
static size_t logs_num;

static int put_static(void *ctx, const struct lkst_log_record *record, struct lkst_error *err)
{
	(void)ctx;
	(void)err;
	logs[logs_num++] = *record;
	return 0;
}

START_TEST(test_static)
{
	struct mkarea area;
	struct lkst_error err = { 0 };
	struct image *image;
	struct lkst_event_record record;
	struct lkst_image_slot slot = { .state = 1 };

	boot.swapped = _i & 1;
	boot.long_size = _i & 2 ? 4 : 8;
	lay(64, 0);
	mkarea_init(&area, memory, &boot, LKST_IMAGE_STATIC, -1, LKST_BUFFER_ID_VOID);
	mkarea_lay(&area, 2 * MB, 512 * 80, 512 * 80);
	for (uint64_t recid = 100; recid < 700; recid++) {
		record = mkarea_expected(&buffer, recid);
		mkarea_static(&area, recid, (int32_t)recid % 3, recid < 300, &record);
	}
	/* One is being written, one is no record, one says another place. */
	mkarea_put(&area, 512 * 64 + 5 * sizeof(slot), &slot, sizeof(slot));
	if (boot.swapped)
		mkimage_at(memory, mkarea_header_at(&area, 0, 0) +
					   LKST_IMAGE_PAGE)[512 * 64 + 5 * sizeof(slot) + 7] = 1;
	record.event_type = 0xeee;
	mkarea_static(&area, 512 + 6, 0, 0, &record);
	mkarea_static(&area, 512 + 7, -5, 0, &record);
	logs_num = 0;
	image = image_scan(mkimage_source(memory), NULL, &err);
	ck_assert_msg(image != NULL, "%s", err.text);
	for (size_t i = 0; i < image->areas; i++)
		if (image->area[i].kind == LKST_IMAGE_STATIC)
			ck_assert(!image_static_records(image, &image->area[i], types, put_static,
							NULL, &counts, &err));
	ck_assert_uint_eq(logs_num, 512 - 3);
	ck_assert_uint_eq(counts.records, 512 - 3);
	ck_assert_uint_eq(counts.unfinished, 1);
	ck_assert_uint_eq(counts.implausible, 2);
	for (size_t i = 0; i < logs_num; i++) {
		uint64_t recid = logs[i].posix.log_recid;

		ck_assert(!i || recid > logs[i - 1].posix.log_recid);
		ck_assert_uint_eq(logs[i].log_arg1, recid);
		ck_assert_int_eq(logs[i].posix.log_processor, (int32_t)recid % 3);
		/* 1000 ticks of 2 GHz each; those of the other clock are of long ago. */
		if (recid < 300)
			ck_assert_int_eq(logs[i].posix.log_time.tv_sec * 1000000000ll +
						 logs[i].posix.log_time.tv_nsec,
					 SAMPLE_NS + (int64_t)(recid - 64) * 500);
	}
	image_free(image);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("image_records");
	TCase *tcase = tcase_create("records");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_set_timeout(tcase, 120);
	tcase_add_loop_test(tcase, test_stretch, 0, 4 * STRETCHES);
	check_id(tcase, test_old_stretches);
	tcase_add_loop_test(tcase, test_notes, 0, 7);
	check_id(tcase, test_torn_note);
	tcase_add_loop_test(tcase, test_lap_note, 0, 8);
	check_id(tcase, test_unfinished);
	check_id(tcase, test_dropped);
	tcase_add_loop_test(tcase, test_half_clock, 0, 2);
	tcase_add_loop_test(tcase, test_missing, 0, (int)(SLOTS / 64));
	check_id(tcase, test_cut);
	check_id(tcase, test_cut_young);
	tcase_add_loop_test(tcase, test_cut_last_extent, 0, 3);
	tcase_add_loop_test(tcase, test_header_alone, 0, 3);
	check_id(tcase, test_missing_and_parted);
	tcase_add_loop_test(tcase, test_implausible, 0, 4 * ODD_NUM);
	check_id(tcase, test_module_types);
	tcase_add_loop_test(tcase, test_clock_jumps, 0, 3);
	tcase_add_loop_test(tcase, test_damage, 0, 80);
	tcase_add_loop_test(tcase, test_no_note, 0, 2);
	tcase_add_loop_test(tcase, test_borrowed_note, 0, 2);
	tcase_add_loop_test(tcase, test_lies, 0, 7);
	check_id(tcase, test_stop_without_records);
	tcase_add_loop_test(tcase, test_static, 0, 4);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
