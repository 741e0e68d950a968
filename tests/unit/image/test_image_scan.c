// SPDX-License-Identifier: GPL-2.0
/* Finding LKST's data in images: intact, damaged, with copies, and with forged headers. */
#include "image_case.h"
#include "lib/base/crc32c.h"

#define BUFFER_LEN (64 * KB)
#define EXTENT_LEN (16 * KB)
#define SLOTS	   (BUFFER_LEN / sizeof(struct lkst_event_record))

static struct mkregion buffer[4];

static void setup(void)
{
	image_case_begin(16 * MB);
}

/* Lay out a buffer of four extents that has wrapped. Return the address after it. */
static uint64_t lay_buffer(int i, struct mkboot *of, int32_t cpu, int32_t id, uint64_t at)
{
	return mkregion_buffer(&buffer[i], memory, of,
			       (struct mkbuffer){ .cpu = cpu, .id = id, .at = at,
						  .length = BUFFER_LEN, .extent = EXTENT_LEN,
						  .wall = SAMPLE_NS, .end = SLOTS + 100 });
}

/* Lay out buffer 0 of CPU 0, which most tests then damage. Return the address after it. */
static uint64_t lay(void)
{
	return lay_buffer(0, &boot, 0, 0, 1 * MB);
}

static void lose_headers(size_t extent)
{
	mkregion_lose_header(&buffer[0], extent, 0);
	mkregion_lose_header(&buffer[0], extent, 1);
}

/*
 * Read the region page by page, and check the contents of the pages that can be read. Return the
 * number of bytes that can be read.
 *
 * If @damaged is not NULL, it has an entry for each page of the image: 0 if the page is intact, and
 * otherwise its enum mkimage_damage. In this case, also check that the readable pages are exactly
 * those that are not missing and belong to an extent with at least one intact header.
 */
static uint64_t compare(const struct image_region *region, struct mkregion *made,
			const uint8_t *damaged)
{
	uint8_t is[PAGE];
	uint64_t sum = 0;

	ck_assert_uint_eq(region->length, made->length);
	for (uint64_t at = 0; at < region->length; at += PAGE) {
		size_t len = region->length - at < PAGE ? (size_t)(region->length - at) : PAGE;
		ssize_t n = image_region_read(image, region, is, len, at, &err);
		uint64_t physical = mkregion_slot_at(made, at / sizeof(struct lkst_event_record));
		size_t extent = (size_t)(at / EXTENT_LEN);

		if (damaged) {
			bool headers = !damaged[mkregion_header_at(made, extent, 0) / PAGE] ||
				       !damaged[mkregion_header_at(made, extent, 1) / PAGE];

			ck_assert(!n == (!headers || damaged[physical / PAGE] == MKIMAGE_MISSING));
		}
		ck_assert_msg(n == 0 || n == (ssize_t)len, "%zd at %ju", n, (uintmax_t)at);
		if (!damaged || damaged[physical / PAGE] != MKIMAGE_NOISE)
			ck_assert_mem_eq(is, mkimage_at(memory, physical), (size_t)n);
		sum += (size_t)n;
	}
	return sum;
}

/* Check that region @i of the image is @made, with all of its data. */
static void check_region(size_t i, struct mkregion *made)
{
	ck_assert_uint_lt(i, image->regions);
	ck_assert_uint_eq(image->region[i].kind, made->kind);
	ck_assert_int_eq(image->region[i].cpu, made->cpu);
	ck_assert_int_eq(image->region[i].id, made->id);
	ck_assert_uint_eq(image->region[i].number, made->number);
	ck_assert_uint_eq(compare(&image->region[i], made, NULL), made->length);
}

/*
 * Check that exactly these buffers were found, in this order. Each digit of @made is an index of
 * buffer[].
 */
static void check_buffers(const char *made)
{
	ck_assert_uint_eq(image->regions, strlen(made));
	for (size_t i = 0; made[i]; i++)
		check_region(i, &buffer[made[i] - '0']);
}

/*
 * Try to read one byte at a physical address. Check that this reads @present bytes, and that the
 * byte is the one at @offset in the image.
 */
static void check_physical(uint64_t physical, int present, uint64_t offset)
{
	uint8_t byte;

	ck_assert_int_eq(image_physical_read(image, &byte, 1, physical, &err), present);
	if (present)
		ck_assert_uint_eq(byte, memory->data[offset]);
}

TESTS(.timeout = 120, .setup = setup, .teardown = image_case_end);

TEST_LOOP(test_whole, 4)
{
	const struct image_region *region;
	uint64_t next;

	boot.swapped = _i & 1;
	boot.long_size = _i & 2 ? 4 : 8;
	next = lay_buffer(0, &boot, 1, 0, 1 * MB);
	lay_buffer(1, &boot, 0, 7, next);
	lay_buffer(2, &boot, 0, 3, 8 * MB);
	scan();
	ck_assert_uint_eq(image->boots, 1);
	ck_assert_str_eq(image->boot[0].id_text, "01010101-0101-0101-0101-010101010101");
	ck_assert(image->boot[0].swapped == (_i & 1));
	ck_assert_uint_eq(image->boot[0].long_size, boot.long_size);
	check_buffers("120"); /* sorted by CPU, then by the order of creation */
	region = image->region;
	ck_assert_uint_eq(region->extents, 4);
	ck_assert_uint_eq(region->extent_num, 4);
	ck_assert_uint_eq(region->extent[0].found, 3);
	ck_assert_uint_eq(region->has_state, 3);
	ck_assert_uint_eq(image->copies, 0);
	ck_assert_str_eq(reports, "");
}

TEST(test_nothing)
{
	scan();
	ck_assert_uint_eq(image->boots, 0);
	ck_assert_uint_eq(image->regions, 0);
}

TEST(test_read_across)
{
	const size_t len = sizeof(struct lkst_event_record);
	uint8_t is[BUFFER_LEN + 100], should[BUFFER_LEN];
	const struct image_region *region;

	lay();
	for (uint64_t i = 0; i < SLOTS; i++)
		memcpy(should + i * len, mkimage_at(memory, mkregion_slot_at(&buffer[0], i)), len);
	scan();
	region = image->region;
	ck_assert_int_eq(image_region_read(image, region, is, sizeof(is), 0, &err), BUFFER_LEN);
	ck_assert_mem_eq(is, should, BUFFER_LEN);
	ck_assert_int_eq(image_region_read(image, region, is, 40 * KB, 5000, &err), 40 * KB);
	ck_assert_mem_eq(is, should + 5000, 40 * KB);
	ck_assert_int_eq(image_region_read(image, region, is, 1, BUFFER_LEN, &err), 0);
	ck_assert_int_eq(image_region_read(image, region, is, 1, UINT64_MAX, &err), 0);
}

TEST_LOOP(test_one_header_lost, 8)
{
	size_t extent = (size_t)_i / 2;
	unsigned int copy = (unsigned int)_i % 2;

	lay();
	mkregion_lose_header(&buffer[0], extent, copy);
	scan();
	check_buffers("0");
	ck_assert_uint_eq(image->region[0].extent[extent].found, copy ? 1 : 2);
	ck_assert_uint_eq(image->region[0].has_state, extent ? 3 : copy ? 1 : 2);
}

TEST_LOOP(test_both_headers_lost, 4)
{
	uint64_t at = (uint64_t)_i * EXTENT_LEN;
	uint8_t byte;

	lay();
	lose_headers((size_t)_i);
	scan();
	ck_assert_uint_eq(image->regions, 1);
	ck_assert_uint_eq(image->region[0].extents, 3);
	ck_assert_uint_eq(image->region[0].extent_num, 4);
	ck_assert_uint_eq(compare(&image->region[0], &buffer[0], NULL), BUFFER_LEN - EXTENT_LEN);
	ck_assert_int_eq(image_region_read(image, &image->region[0], &byte, 1, at, &err), 0);
}

/* The image is cut off at each page boundary and in the middle of each page. */
TEST_LOOP(test_cut_off, 50)
{
	uint64_t half = PAGE / 2, halves = (uint64_t)_i, sum = 0, should = 0;
	uint8_t is[64];

	lay();
	memory->size = 1 * MB + halves * half;
	scan();
	for (uint64_t at = 0; image->regions && at < BUFFER_LEN; at += sizeof(is))
		sum += image_region_read(image, image->region, is, sizeof(is), at, &err) ==
		       sizeof(is);
	/*
	 * An extent has 4 pages of data between 2 header pages. Even half of a header page contains
	 * the whole header, so the data is found with it.
	 */
	if (halves >= 2) {
		uint64_t rest = halves % 12 > 1 ? halves % 12 - 2 : 0; /* half pages of data */

		should = halves / 12 * 8 + (rest < 8 ? rest : 8);
	}
	ck_assert_uint_eq(sum, should * (half / sizeof(is)));
}

/*
 * Some pages of four buffers are damaged. Other pages are found if their extent still has a header.
 */
TEST_LOOP(test_damaged_pages, 20)
{
	const unsigned int permille = _i < 10 ? 100 : _i % 2 ? 10 : 200;
	uint8_t *damaged = calloc(1, memory->size / PAGE);
	uint64_t next = 0;

	for (int i = 0; i < 4; i++)
		next = lay_buffer(i, &boot, i, 0, next);
	mkimage_damage(memory, permille, (unsigned int)_i,
		       _i < 10 ? MKIMAGE_NOISE : MKIMAGE_MISSING, damaged);
	scan();
	ck_assert_uint_eq(image->boots, 1);
	if (permille == 10)
		ck_assert_uint_eq(image->regions, 4);
	for (size_t i = 0; i < image->regions; i++)
		compare(&image->region[i], &buffer[image->region[i].cpu], damaged);
	free(damaged);
}

static const char *const around_hole[] = { "01", "1", "0" };

TEST_EACH(test_hole, around_hole)
{
	const uint64_t above = 4096 * MB;

	memory->hole = 8 * MB;
	memory->hole_length = above - 8 * MB;
	if (_i != 1)
		lay_buffer(0, &boot, 0, 0, 6 * MB);
	if (_i != 2)
		lay_buffer(1, &boot, 1, 0, above + 2 * MB);
	for (size_t at = 512; at < memory->size; at += MB)
		memory->data[at] = (uint8_t)(1 + at / MB);
	scan();
	check_buffers(around_hole[_i]);
	ck_assert_uint_eq(image->deltas, image->regions);
	check_physical(512, 1, 512);
	check_physical(5 * MB + 512, 1, 5 * MB + 512);
	/*
	 * Addresses above the hole can be read even if they are far from any header, because the
	 * memory above the hole begins at 4 GB.
	 */
	if (_i != 2) {
		check_physical(above + 512, 1, 8 * MB + 512);
		check_physical(above + 7 * MB + 512, 1, 15 * MB + 512);
	}
	check_physical(above + 9 * MB, 0, 0);
}

/* The image consists only of a slot of reserved memory, which may begin at any address. */
TEST_LOOP(test_part_of_memory, 2)
{
	const uint64_t at = _i ? 5000 * MB : 256 * MB;

	memory->hole = PAGE;
	memory->hole_length = at - PAGE;
	mkregion_single(&buffer[2], memory, &boot, LKST_IMAGE_BOOT_SLOT, at, 4 * MB);
	mkregion_boot_slot(&buffer[2], 1, 3, 17, LKST_BOOT_SLOT_UNREAD);
	lay_buffer(0, &boot, 0, 0, at + 64 * KB);
	lay_buffer(1, &boot, 1, 0, at + 2 * MB);
	scan();
	ck_assert_uint_eq(image->regions, 3);
	check_region(0, &buffer[0]);
	check_region(1, &buffer[1]);
	ck_assert_uint_eq(image->region[2].kind, LKST_IMAGE_BOOT_SLOT);
	ck_assert_uint_eq(image->region[2].extent[0].length, 4 * MB);
	ck_assert_uint_eq(image->region[2].has_state, 3);
	ck_assert_str_eq(reports, "");
	/* The kernel's own memory is not in the image. */
	check_physical(16 * MB, 0, 0);
}

/*
 * Put copies of @pages pages at @to, as if a dump of the machine were still in its page cache. Only
 * the headers are copied. The other pages get different bytes, so that a test notices if the reader
 * uses the copies.
 */
static void copy_pages(uint64_t from, uint64_t to, size_t pages)
{
	for (uint64_t at = 0; at < pages * PAGE; at += PAGE)
		if (memcmp(mkimage_at(memory, from + at), LKST_IMAGE_MAGIC, 8) == 0)
			memcpy(mkimage_at(memory, to + at), mkimage_at(memory, from + at), PAGE);
		else
			memset(mkimage_at(memory, to + at), 0x55, PAGE);
}

TEST_LOOP(test_copies, 2)
{
	struct image_source *source = mkimage_source(memory);
	uint64_t end = lay_buffer(0, &boot, 0, 0, 2 * MB);

	/* Put copies before and after the buffer: whole extents, and single pages. */
	copy_pages(2 * MB, 1 * MB, 6);
	copy_pages(2 * MB + 6 * PAGE, 3 * MB, 6);
	copy_pages(2 * MB, 5 * MB, 1);
	copy_pages(end - PAGE, 6 * MB, 1);
	source->physical = _i == 0;
	scan_source(source);
	check_buffers("0");
	ck_assert_uint_eq(image->copies, 6);
	ck_assert_uint_eq(image->deltas, _i ? 1 : 0);
}

/*
 * A host's memory contains that of a guest, whose headers have the guest's physical addresses. The
 * guest's data is found relative to its headers.
 */
TEST(test_guest)
{
	struct mkboot guest;

	mkboot_init(&guest, 2);
	lay();
	lay_buffer(1, &guest, 0, 0, 4 * MB);
	memcpy(memory->data + 12 * MB, memory->data + 4 * MB, 1 * MB);
	memset(memory->data + 4 * MB, 0, 1 * MB);
	scan();
	ck_assert_uint_eq(image->boots, 2);
	ck_assert(image->boot[0].placed && !image->boot[1].placed);
	ck_assert_uint_eq(image->regions, 2);
	ck_assert_uint_eq(image->region[1].extent[0].at, 12 * MB + PAGE);
	check_region(0, &buffer[0]);
	/* Copy the guest's buffer back, because check_region() compares with the original place. */
	memcpy(memory->data + 4 * MB, memory->data + 12 * MB, 1 * MB);
	check_region(1, &buffer[1]);
}

/*
 * A buffer was freed. Another buffer now uses the memory of its third extent, and part of its
 * fourth one.
 */
TEST(test_freed)
{
	lay();
	mkregion_init(&buffer[1], memory, &boot, LKST_IMAGE_BUFFER, 0, 1);
	mkregion_add(&buffer[1], 1 * MB + 12 * PAGE, 7 * PAGE);
	mkregion_sign(&buffer[1]);
	mkregion_records(&buffer[1], 0, 100);
	scan();
	ck_assert_uint_eq(image->regions, 2);
	check_region(1, &buffer[1]);
	ck_assert_uint_eq(compare(&image->region[0], &buffer[0], NULL),
			  BUFFER_LEN - EXTENT_LEN - 2 * PAGE);
	assert_contains(reports, "image: 24576 bytes of freed memory are left out");
}

/*
 * The newest boot is neither the first nor the last in the image, and one boot has no wall clock
 * time.
 */
TEST(test_boots)
{
	static const int64_t wall[] = { SAMPLE_NS, SAMPLE_NS - 5000000000, SAMPLE_NS + 5000000000,
					0 };
	static const uint8_t order[] = { 2, 0, 1, 3 };
	struct mkboot boots[4];

	for (int i = 0; i < 4; i++) {
		mkboot_init(&boots[i], 1 + (unsigned int)i);
		boots[i].swapped = i == 2;
		lay_buffer(i, &boots[i], 0, 0, (1 + (uint64_t)i) * MB);
		mkregion_session(&buffer[i], 0, 0, wall[i]);
	}
	scan();
	ck_assert_uint_eq(image->boots, 4);
	for (int i = 0; i < 4; i++) {
		ck_assert_uint_eq(image->boot[i].id[0], 1 + order[i]);
		ck_assert_int_eq(image->boot[i].newest_ns, wall[order[i]]);
		ck_assert(image->boot[i].swapped == (order[i] == 2));
	}
	check_buffers("2013");
}

/* The metadata in a header. @number is 0 if the value is not a number. */
static const struct {
	const char *key, *value;
	uint64_t number;
} metadata[] = {
	{ "release", "6.1.0-mkimage", 0 },
	{ "text", "0xffffffff81000000", 0xffffffff81000000 },
	{ "cpus", "0x2", 2 },
	{ "bad", "0x12z", 0 },
	{ "none", "", 0 },
	{ "ext", "(no such key)", 0 },
	{ "tex", "(no such key)", 0 },
	{ "evil", "?[2J?", 0 },
};

TEST(test_facts)
{
	mkboot_fact(&boot, "text", "0xffffffff81000000");
	mkboot_fact(&boot, "bad", "0x12z");
	mkboot_fact(&boot, "none", "");
	mkboot_fact(&boot, "evil", "\033[2J\001");
	lay();
	scan();
	for (int i = 0; i < NUM(metadata); i++) {
		size_t len;
		const char *value = image_metadata(&image->boot[0], metadata[i].key, &len);
		uint64_t number;
		bool is_number = image_metadata_u64(&image->boot[0], metadata[i].key, &number);

		ck_assert_str_eq(value ? strndupa(value, len) : "(no such key)", metadata[i].value);
		ck_assert_msg((is_number ? number : 0) == metadata[i].number, "%s",
			      metadata[i].key);
	}
}

/* Impossible values in the only header, whose checksum is valid. Nothing is found. */
#define LIE(member, value) MEMBER(lkst_image_header, member, value)
static const struct member bad_values[] = {
	LIE(version, 0),
	LIE(byte_order, 0x01020305),
	LIE(kind, 0),
	LIE(kind, LKST_IMAGE_HISTORY + 1),
	LIE(physical, 1),
	LIE(physical, 0xfffffffffffff000),
	LIE(region_length, 0),
	LIE(region_length, UINT64_MAX),
	LIE(offset, 64),
	LIE(offset, 0xfffffffffffff000),
	LIE(offset, 4096), /* the first extent must have offset 0 */
	LIE(length, 0),
	LIE(length, 4097),
	LIE(length, 0xfffffffffffff000),
	LIE(length, 65 * KB),
	LIE(extent, 1), /* only the first extent has offset 0 */
	LIE(extent, 4),
	LIE(extent_num, 0),
	LIE(copy, 2),
	LIE(id, LKST_BUFFER_ID_LONG), /* only a long ring has this id, and it has no other */
	LIE(kind, LKST_IMAGE_LONG),
	LIE(kind, LKST_IMAGE_HISTORY), /* the buffer has an id, which a history has not */
	LIE(long_size, 0),
	LIE(long_size, 16),
};

TEST_EACH(test_bad_values, bad_values)
{
	struct lkst_image_header header;

	lay();
	mkregion_lose_header(&buffer[0], 0, 1);
	for (size_t i = 1; i < 4; i++)
		lose_headers(i);
	mkregion_get_header(&buffer[0], 0, 0, &header);
	scan();
	ck_assert_uint_eq(image->regions, 1);
	set_member(&header, &bad_values[_i]);
	mkregion_put_header(&buffer[0], 0, 0, &header);
	scan();
	ck_assert_uint_eq(image->regions, 0);
}

/*
 * The only header left is at the start of the image. It is a header that follows the data of its
 * extent, so this data would be before the start of the image.
 */
TEST(test_data_before_image)
{
	lay();
	copy_pages(mkregion_header_at(&buffer[0], 0, 1), 0, 1);
	for (size_t i = 0; i < 4; i++)
		lose_headers(i);
	scan();
	ck_assert_uint_eq(image->regions, 0);
}

/* ---- more regions than the reader keeps ---- */

static struct lkst_image_header flood; /* header of the page that flood_read() returns */
static bool flood_boots; /* every page has a new boot; false: every second page has a new region */

static uint64_t flood_next(void *ctx, uint64_t at)
{
	const struct image_source *source = ctx;

	return at < source->size ? at : IMAGE_NOWHERE;
}

static ssize_t flood_read(void *ctx, void *buf, size_t len, uint64_t at, struct lkst_error *err)
{
	(void)ctx;
	(void)err;
	len = len < PAGE ? len : PAGE;
	memset(buf, 0, len);
	if (len < PAGE)
		return (ssize_t)len;
	flood.physical = at;
	if (flood_boots)
		memcpy(flood.boot, &at, sizeof(at));
	else
		flood.region = at / PAGE / 2;
	flood.checksum = lkst_crc32c(&flood.version,
				     sizeof(flood) - offsetof(struct lkst_image_header, version));
	memcpy(buf, &flood, sizeof(flood));
	return PAGE;
}

TEST_LOOP(test_flood, 2)
{
	struct image_source *source = mkimage_source(memory);

	mkregion_init(&buffer[0], memory, &boot, LKST_IMAGE_BUFFER, 0, 0);
	mkregion_lay(&buffer[0], 1 * MB, PAGE, PAGE);
	mkregion_get_header(&buffer[0], 0, 0, &flood);
	flood_boots = _i;
	source->size = (_i ? 100000 : 1200000) * PAGE;
	source->next = flood_next;
	source->read = flood_read;
	source->ctx = source;
	scan_source(source);
	ck_assert_uint_le(image->boots, 256);
	ck_assert_uint_le(image->regions, 1u << 17);
	assert_contains(reports, "headers are left out: only");
	assert_contains(reports, " regions are kept, and regions that");
}

/* Make a header whose region would extend far beyond the image. */
static void forge(uint64_t physical)
{
	struct lkst_image_header header;
	struct mkregion region;

	mkregion_init(&region, memory, &boot, LKST_IMAGE_BUFFER, 0, 0);
	mkregion_lay(&region, physical, PAGE, PAGE);
	mkregion_lose_header(&region, 0, 1);
	mkregion_get_header(&region, 0, 0, &header);
	header.length = header.region_length = 1024 * MB;
	mkregion_put_header(&region, 0, 0, &header);
}

/*
 * Even if each header claims a very long region, reading all regions must not take forever, no
 * matter where the image ends. So the reader limits the sum of the lengths.
 */
TEST_LOOP(test_claims, 2)
{
	struct image_source *source = mkimage_source(memory);
	uint64_t sum = 0;

	for (uint64_t i = 0; i < 200; i++)
		forge(1 * MB + i * 3 * PAGE);
	lay_buffer(0, &boot, 1, 0, 8 * MB);
	if (_i)
		source->size = 1ull << 59;
	scan_source(source);
	for (size_t i = 0; i < image->regions; i++)
		sum += image->region[i].length;
	ck_assert_uint_le(sum, 64 * 1024 * MB + 4 * memory->size);
	assert_contains(reports, "headers are left out: only");
	/* The real region is found despite the forged ones. */
	check_region(image->regions - 1, &buffer[0]);
}

TEST(test_stopped)
{
	volatile int stop = 1;
	const struct image_hooks stopped = { .stop = &stop };

	lay();
	ck_assert_ptr_null(image_scan(mkimage_source(memory), &stopped, &err));
	ck_assert_int_eq(err.code, LKST_ERR_INTERRUPTED);
}

static void count_progress(void *ctx, uint64_t done, uint64_t total)
{
	uint64_t *last = ctx;

	ck_assert_uint_gt(done, *last);
	ck_assert_uint_le(done, total);
	*last = done;
}

TEST(test_progress)
{
	uint64_t last = 0;
	const struct image_hooks counting = { .ctx = &last, .progress = count_progress };

	image = image_scan(mkimage_source(memory), &counting, &err);
	ck_assert_uint_eq(last, memory->size);
}
