// SPDX-License-Identifier: GPL-2.0
/* Finding LKST's data in images: whole, damaged, with copies and lies in them. */
#include <stdlib.h>
#include <string.h>

#include "lib/crc32c.h"
#include "lib/image.h"
#include "mkimage.h"
#include "sample.h"
#include "tap.h"

#define PAGE	   LKST_IMAGE_PAGE
#define KB	   1024ull
#define MB	   (1024 * KB)
#define BUFFER_LEN (64 * KB)
#define EXTENT_LEN (16 * KB)

static struct mkimage *memory;
static struct mkboot boot;
static struct mkarea buffer[4];
static char reports[4096];

static void add_report(void *ctx, const char *text)
{
	(void)ctx;
	strncat(reports, text, sizeof(reports) - strlen(reports) - 2);
	strcat(reports, "\n");
}

static const struct image_hooks hooks = { .report = add_report };

static void setup(void)
{
	memory = mkimage_new(16 * MB);
	mkboot_init(&boot, 1);
	reports[0] = 0;
}

static void teardown(void)
{
	mkimage_free(memory);
}

/* A buffer of four extents, which has gone round. */
static uint64_t lay_buffer(struct mkarea *area, struct mkboot *of, int32_t cpu, int32_t id,
			   uint64_t physical)
{
	mkarea_init(area, memory, of, LKST_IMAGE_BUFFER, cpu, id);
	physical = mkarea_lay(area, physical, BUFFER_LEN, EXTENT_LEN);
	mkarea_session(area, 0, 0, SAMPLE_NS);
	mkarea_records(area, 0, mkarea_slots(area) + 100);
	return physical;
}

static struct image *scan_source(struct image_source *source)
{
	struct lkst_error err = { 0 };
	struct image *image = image_scan(source, &hooks, &err);

	ck_assert_msg(image != NULL, "%s", err.text);
	return image;
}

static struct image *scan(void)
{
	return scan_source(mkimage_source(memory));
}

/* All that the area has is what was put there. Returns how many bytes that are. */
static uint64_t compare(const struct image *image, const struct image_area *area,
			struct mkarea *made)
{
	uint8_t is[PAGE], should[PAGE];
	struct lkst_error err = { 0 };
	uint64_t sum = 0;

	ck_assert_uint_eq(area->length, made->length);
	for (uint64_t at = 0; at < area->length; at += PAGE) {
		size_t len = area->length - at < PAGE ? (size_t)(area->length - at) : PAGE;
		ssize_t n = image_area_read(image, area, is, len, at, &err);

		ck_assert_msg(n == 0 || n == (ssize_t)len, "%zd at %llu", n,
			      (unsigned long long)at);
		mkarea_get(made, at, should, len);
		ck_assert_mem_eq(is, should, (size_t)n);
		sum += (size_t)n;
	}
	return sum;
}

static void check_buffer(const struct image *image, size_t i, struct mkarea *made)
{
	ck_assert_uint_lt(i, image->areas);
	ck_assert_uint_eq(image->area[i].kind, made->kind);
	ck_assert_int_eq(image->area[i].cpu, made->cpu);
	ck_assert_int_eq(image->area[i].id, made->id);
	ck_assert_uint_eq(image->area[i].number, made->number);
	ck_assert_uint_eq(compare(image, &image->area[i], made), made->length);
}

START_TEST(test_whole)
{
	struct image *image;
	uint64_t next = 1 * MB;

	boot.swapped = _i & 1;
	boot.long_size = _i & 2 ? 4 : 8;
	next = lay_buffer(&buffer[0], &boot, 1, 0, next);
	next = lay_buffer(&buffer[1], &boot, 0, 7, next);
	lay_buffer(&buffer[2], &boot, 0, 3, 8 * MB);
	image = scan();
	ck_assert_uint_eq(image->boots, 1);
	ck_assert_str_eq(image->boot[0].id_text, "01010101-0101-0101-0101-010101010101");
	ck_assert(image->boot[0].swapped == (_i & 1));
	ck_assert_uint_eq(image->boot[0].long_size, boot.long_size);
	ck_assert_uint_eq(image->areas, 3);
	check_buffer(image, 0, &buffer[1]); /* by CPU, and the order they were made in */
	check_buffer(image, 1, &buffer[2]);
	check_buffer(image, 2, &buffer[0]);
	ck_assert_uint_eq(image->area[0].extents, 4);
	ck_assert_uint_eq(image->area[0].extent_num, 4);
	ck_assert_uint_eq(image->area[0].extent[0].found, 3);
	ck_assert_uint_eq(image->area[0].has_state, 3);
	ck_assert_uint_eq(image->copies, 0);
	ck_assert_str_eq(reports, "");
	image_free(image);
}
END_TEST

START_TEST(test_nothing)
{
	struct image *image = scan();

	ck_assert_uint_eq(image->boots, 0);
	ck_assert_uint_eq(image->areas, 0);
	image_free(image);
}
END_TEST

/* What the area lacks where pages of the image are gone: those, and nothing else. */
static void check_pages(const struct image *image, const struct image_area *area,
			struct mkarea *made, const uint8_t *gone)
{
	uint8_t is[PAGE], should[PAGE];
	struct lkst_error err = { 0 };

	for (uint64_t at = 0; at < area->length; at += PAGE) {
		uint64_t physical = mkarea_slot_at(made, at / sizeof(struct lkst_event_record));
		size_t extent = (size_t)(at / EXTENT_LEN);
		bool headers = gone[mkarea_header_at(made, extent, 0) / PAGE] &&
			       gone[mkarea_header_at(made, extent, 1) / PAGE];
		ssize_t n = image_area_read(image, area, is, PAGE, at, &err);

		if (headers || gone[physical / PAGE] == 1) {
			ck_assert_int_eq(n, 0);
			continue;
		}
		ck_assert_int_eq(n, PAGE);
		mkarea_get(made, at, should, PAGE);
		if (gone[physical / PAGE] != 2)
			ck_assert_mem_eq(is, should, PAGE);
	}
}

START_TEST(test_read_across)
{
	uint8_t is[BUFFER_LEN + 100], should[BUFFER_LEN];
	struct lkst_error err = { 0 };
	struct image *image;

	lay_buffer(&buffer[0], &boot, 0, 0, 1 * MB);
	mkarea_get(&buffer[0], 0, should, sizeof(should));
	image = scan();
	ck_assert_int_eq(image_area_read(image, image->area, is, sizeof(is), 0, &err), BUFFER_LEN);
	ck_assert_mem_eq(is, should, BUFFER_LEN);
	ck_assert_int_eq(image_area_read(image, image->area, is, 40 * KB, 5000, &err), 40 * KB);
	ck_assert_mem_eq(is, should + 5000, 40 * KB);
	ck_assert_int_eq(image_area_read(image, image->area, is, 1, BUFFER_LEN, &err), 0);
	ck_assert_int_eq(image_area_read(image, image->area, is, 1, UINT64_MAX, &err), 0);
	image_free(image);
}
END_TEST

START_TEST(test_one_header_gone)
{
	size_t extent = (size_t)_i / 2;
	unsigned int copy = (unsigned int)_i % 2;
	struct image *image;

	lay_buffer(&buffer[0], &boot, 0, 0, 1 * MB);
	mkarea_lose_header(&buffer[0], extent, copy);
	image = scan();
	ck_assert_uint_eq(image->areas, 1);
	check_buffer(image, 0, &buffer[0]);
	ck_assert_uint_eq(image->area[0].extent[extent].found, copy ? 1 : 2);
	ck_assert_uint_eq(image->area[0].has_state, extent ? 3 : copy ? 1 : 2);
	image_free(image);
}
END_TEST

START_TEST(test_both_headers_gone)
{
	struct lkst_error err = { 0 };
	struct image *image;
	uint8_t byte;

	lay_buffer(&buffer[0], &boot, 0, 0, 1 * MB);
	mkarea_lose_header(&buffer[0], (size_t)_i, 0);
	mkarea_lose_header(&buffer[0], (size_t)_i, 1);
	image = scan();
	ck_assert_uint_eq(image->areas, 1);
	ck_assert_uint_eq(image->area[0].extents, 3);
	ck_assert_uint_eq(image->area[0].extent_num, 4);
	ck_assert_uint_eq(compare(image, &image->area[0], &buffer[0]), BUFFER_LEN - EXTENT_LEN);
	ck_assert_int_eq(image_area_read(image, &image->area[0], &byte, 1,
					 (uint64_t)_i * EXTENT_LEN, &err),
			 0);
	image_free(image);
}
END_TEST

START_TEST(test_cut_off)
{
	size_t size = 1 * MB + (size_t)_i * PAGE / 2; /* within a page, too */
	uint64_t sum = 0;
	struct image *image;

	lay_buffer(&buffer[0], &boot, 0, 0, 1 * MB);
	memory->size = size;
	image = scan();
	if (image->areas) {
		uint8_t is[BUFFER_LEN];
		struct lkst_error err = { 0 };

		for (uint64_t at = 0; at < BUFFER_LEN; at += 64)
			sum += image_area_read(image, image->area, is, 64, at, &err) == 64;
	}
	/* The first page is the header; each extent has two. A page of a header is as good as whole. */
	if (size >= 1 * MB + PAGE) {
		uint64_t pages = (size - 1 * MB) / (PAGE / 2), extents = pages / 12, rest;

		rest = pages % 12 > 1 ? pages % 12 - 2 : 0; /* halves */
		if (rest > 8)
			rest = 8;
		ck_assert_uint_eq(sum, (extents * 8 + rest) * (PAGE / 2 / 64));
	} else {
		ck_assert_uint_eq(sum, 0);
	}
	image_free(image);
}
END_TEST

START_TEST(test_pages_gone)
{
	uint8_t *gone = calloc(1, memory->size / PAGE);
	struct image *image;
	uint64_t next = 0;

	/* As much as there is room for, so that one in a hundred is some. */
	for (int i = 0; i < 4; i++)
		next = lay_buffer(&buffer[i], &boot, i, 0, next);
	ck_assert_uint_gt(mkimage_damage(memory, _i % 2 ? 10 : 200, (unsigned int)_i,
					 MKIMAGE_MISSING, gone),
			  0);
	image = scan();
	for (size_t i = 0; i < image->areas; i++)
		check_pages(image, &image->area[i], &buffer[image->area[i].cpu], gone);
	if (_i % 2)
		ck_assert_uint_eq(image->areas, 4);
	image_free(image);
	free(gone);
}
END_TEST

START_TEST(test_noise)
{
	uint8_t *gone = calloc(1, memory->size / PAGE);
	struct image *image;
	uint64_t next = 0;

	for (int i = 0; i < 4; i++)
		next = lay_buffer(&buffer[i], &boot, i, 0, next);
	ck_assert_uint_gt(mkimage_damage(memory, 100, (unsigned int)_i, MKIMAGE_NOISE, gone), 0);
	for (size_t i = 0; i < memory->size / PAGE; i++)
		gone[i] *= 2; /* it is there, with something in it */
	image = scan();
	ck_assert_uint_eq(image->boots, 1);
	for (size_t i = 0; i < image->areas; i++)
		check_pages(image, &image->area[i], &buffer[image->area[i].cpu], gone);
	image_free(image);
	free(gone);
}
END_TEST

static void check_physical(const struct image *image, uint64_t physical, uint64_t offset)
{
	uint8_t byte = 0, should = memory->data[offset];
	struct lkst_error err = { 0 };

	ck_assert_int_eq(image_physical_read(image, &byte, 1, physical, &err), 1);
	ck_assert_uint_eq(byte, should);
}

START_TEST(test_hole)
{
	const uint64_t above = 4096 * MB;
	struct lkst_error err = { 0 };
	struct image *image;
	uint8_t byte;

	memory->hole = 8 * MB;
	memory->hole_length = above - 8 * MB;
	if (_i != 1)
		lay_buffer(&buffer[0], &boot, 0, 0, 6 * MB);
	if (_i != 2)
		lay_buffer(&buffer[1], &boot, 1, 0, above + 2 * MB);
	for (size_t at = 512; at < memory->size; at += MB)
		memory->data[at] = (uint8_t)(1 + at / MB);
	image = scan();
	ck_assert_uint_eq(image->areas, _i ? 1 : 2);
	ck_assert_uint_eq(image->deltas, _i ? 1 : 2);
	if (_i != 1)
		check_buffer(image, 0, &buffer[0]);
	if (_i != 2)
		check_buffer(image, image->areas - 1, &buffer[1]);
	check_physical(image, 512, 512);
	check_physical(image, 5 * MB + 512, 5 * MB + 512);
	/* Also where no header is: what lies above the hole begins at 4 GB. */
	if (_i != 2) {
		check_physical(image, above + 512, 8 * MB + 512);
		check_physical(image, above + 7 * MB + 512, 15 * MB + 512);
	}
	ck_assert_int_eq(image_physical_read(image, &byte, 1, above + 9 * MB, &err), 0);
	image_free(image);
}
END_TEST

/* Memory set aside, which is the image and whose first byte is anywhere. */
START_TEST(test_part_of_memory)
{
	const uint64_t at = _i ? 5000 * MB : 256 * MB;
	struct lkst_error err = { 0 };
	struct mkarea part;
	struct image *image;
	uint8_t byte;

	memory->hole = PAGE;
	memory->hole_length = at - PAGE;
	mkarea_init(&part, memory, &boot, LKST_IMAGE_PART, -1, LKST_BUFFER_ID_VOID);
	mkarea_lay(&part, at, 4 * MB, 4 * MB);
	mkarea_part(&part, 1, 3, 17, LKST_PART_UNREAD);
	lay_buffer(&buffer[0], &boot, 0, 0, at + 64 * KB);
	lay_buffer(&buffer[1], &boot, 1, 0, at + 2 * MB);
	image = scan();
	ck_assert_uint_eq(image->areas, 3);
	check_buffer(image, 0, &buffer[0]);
	check_buffer(image, 1, &buffer[1]);
	ck_assert_uint_eq(image->area[2].kind, LKST_IMAGE_PART);
	ck_assert_uint_eq(image->area[2].extent[0].length, 4 * MB);
	ck_assert_uint_eq(image->area[2].has_state, 3);
	ck_assert_str_eq(reports, "");
	/* The kernel's own memory is not there. */
	ck_assert_int_eq(image_physical_read(image, &byte, 1, 16 * MB, &err), 0);
	image_free(image);
}
END_TEST

/* Headers and data, as a dump of this machine in the page cache has them. */
static void copy_pages(uint64_t from, uint64_t to, size_t pages)
{
	memcpy(mkimage_at(memory, to), mkimage_at(memory, from), pages * PAGE);
}

/* Copies have other data: so it shows which was taken. */
static void spoil(uint64_t at, size_t pages)
{
	for (size_t i = 0; i < pages; i++)
		if (memcmp(mkimage_at(memory, at + i * PAGE), LKST_IMAGE_MAGIC, 8) != 0)
			memset(mkimage_at(memory, at + i * PAGE), 0x55, PAGE);
}

START_TEST(test_copies)
{
	struct image_source *source;
	struct image *image;
	uint64_t end;

	/* Before it, and behind; one extent as a whole, others by the page. */
	end = lay_buffer(&buffer[0], &boot, 0, 0, 2 * MB);
	copy_pages(2 * MB, 1 * MB, 6);
	copy_pages(2 * MB + 6 * PAGE, 3 * MB, 6);
	copy_pages(2 * MB, 5 * MB, 1);
	copy_pages(end - PAGE, 6 * MB, 1);
	spoil(1 * MB, 6);
	spoil(3 * MB, 6);
	source = mkimage_source(memory);
	source->physical = _i == 0;
	image = scan_source(source);
	ck_assert_uint_eq(image->areas, 1);
	check_buffer(image, 0, &buffer[0]);
	ck_assert_uint_eq(image->copies, 6);
	ck_assert_uint_eq(image->deltas, _i ? 1 : 0);
	image_free(image);
}
END_TEST

/* A guest's memory in that of its host: nothing is where it says. */
START_TEST(test_guest)
{
	struct mkboot guest;
	struct image *image;

	mkboot_init(&guest, 2);
	lay_buffer(&buffer[0], &boot, 0, 0, 1 * MB);
	lay_buffer(&buffer[1], &guest, 0, 0, 4 * MB);
	memcpy(memory->data + 12 * MB, memory->data + 4 * MB, 1 * MB);
	memset(memory->data + 4 * MB, 0, 1 * MB);
	image = scan();
	ck_assert_uint_eq(image->boots, 2);
	ck_assert(image->boot[0].placed && !image->boot[1].placed);
	ck_assert_uint_eq(image->areas, 2);
	ck_assert_uint_eq(image->area[1].extent[0].at, 12 * MB + PAGE);
	check_buffer(image, 0, &buffer[0]);
	/* What was made lies elsewhere now. */
	memcpy(memory->data + 4 * MB, memory->data + 12 * MB, 1 * MB);
	check_buffer(image, 1, &buffer[1]);
	image_free(image);
}
END_TEST

START_TEST(test_freed)
{
	struct image *image;

	/* The second one got the third extent of the first, and a page of the fourth. */
	lay_buffer(&buffer[0], &boot, 0, 0, 1 * MB);
	mkarea_init(&buffer[1], memory, &boot, LKST_IMAGE_BUFFER, 0, 1);
	mkarea_add(&buffer[1], 1 * MB + 12 * PAGE, 7 * PAGE);
	mkarea_sign(&buffer[1]);
	mkarea_records(&buffer[1], 0, 100);
	image = scan();
	ck_assert_uint_eq(image->areas, 2);
	check_buffer(image, 1, &buffer[1]);
	ck_assert_uint_eq(compare(image, &image->area[0], &buffer[0]),
			  BUFFER_LEN - EXTENT_LEN - 2 * PAGE);
	ck_assert_ptr_nonnull(strstr(reports, "image: 24576 bytes of freed memory are left out"));
	image_free(image);
}
END_TEST

START_TEST(test_boots)
{
	struct mkboot others[3];
	struct image *image;

	/* The newest is neither the first nor the last, and one does not know the time. */
	for (unsigned int i = 0; i < 3; i++)
		mkboot_init(&others[i], 2 + i);
	others[1].swapped = true;
	lay_buffer(&buffer[0], &boot, 0, 0, 1 * MB);
	for (int i = 1; i < 4; i++)
		lay_buffer(&buffer[i], &others[i - 1], 0, 0, 1 * MB + (uint64_t)i * MB);
	mkarea_session(&buffer[2], 0, 0, SAMPLE_NS + 5000000000);
	mkarea_session(&buffer[1], 0, 0, SAMPLE_NS - 5000000000);
	mkarea_session(&buffer[3], 0, 0, 0);
	image = scan();
	ck_assert_uint_eq(image->boots, 4);
	ck_assert_uint_eq(image->boot[0].id[0], 3);
	ck_assert(image->boot[0].swapped);
	ck_assert_uint_eq(image->boot[1].id[0], 1);
	ck_assert_uint_eq(image->boot[2].id[0], 2);
	ck_assert_uint_eq(image->boot[3].id[0], 4);
	ck_assert_int_eq(image->boot[0].newest_ns, SAMPLE_NS + 5000000000);
	ck_assert_int_eq(image->boot[3].newest_ns, 0);
	check_buffer(image, 0, &buffer[2]);
	check_buffer(image, 3, &buffer[3]);
	image_free(image);
}
END_TEST

START_TEST(test_facts)
{
	const struct image_boot *found;
	struct image *image;
	const char *value;
	uint64_t number;
	size_t len;

	mkboot_fact(&boot, "text", "0xffffffff81000000");
	mkboot_fact(&boot, "bad", "0x12z");
	mkboot_fact(&boot, "none", "");
	mkboot_fact(&boot, "evil", "\033[2J\001");
	lay_buffer(&buffer[0], &boot, 0, 0, 1 * MB);
	image = scan();
	found = &image->boot[0];
	value = image_metadata(found, "release", &len);
	ck_assert_uint_eq(len, strlen("6.1.0-mkimage"));
	ck_assert_mem_eq(value, "6.1.0-mkimage", len);
	ck_assert(image_metadata_u64(found, "text", &number));
	ck_assert_uint_eq(number, 0xffffffff81000000);
	ck_assert(image_metadata_u64(found, "cpus", &number));
	ck_assert_uint_eq(number, 2);
	ck_assert(!image_metadata_u64(found, "bad", &number));
	ck_assert(!image_metadata_u64(found, "none", &number));
	ck_assert_ptr_null(image_metadata(found, "ext", &len));
	ck_assert_ptr_null(image_metadata(found, "tex", &len));
	value = image_metadata(found, "evil", &len);
	ck_assert_mem_eq(value, "?[2J?", len);
	image_free(image);
}
END_TEST

/* What a header with right checksums says that cannot be: nothing is found where it is the only one. */
static const struct lie {
	size_t offset, size;
	uint64_t value;
} lies[] = {
#define LIE(member, v)                                                     \
	{                                                                  \
		offsetof(struct lkst_image_header, member),                \
			sizeof(((struct lkst_image_header *)0)->member), v \
	}
	LIE(version, 0),
	LIE(byte_order, 0x01020305),
	LIE(kind, 0),
	LIE(kind, 5),
	LIE(physical, 1),
	LIE(physical, 0xfffffffffffff000),
	LIE(area_length, 0),
	LIE(area_length, UINT64_MAX),
	LIE(offset, 64),
	LIE(offset, 0xfffffffffffff000),
	LIE(offset, 4096), /* of the first extent */
	LIE(length, 0),
	LIE(length, 4097),
	LIE(length, 0xfffffffffffff000),
	LIE(length, 65 * KB),
	LIE(extent, 1), /* at offset 0 */
	LIE(extent, 4),
	LIE(extent_num, 0),
	LIE(copy, 2),
	LIE(long_size, 0),
	LIE(long_size, 16),
};

START_TEST(test_lies)
{
	const struct lie *lie = &lies[_i];
	struct lkst_image_header head;
	struct image *image;

	mkarea_init(&buffer[0], memory, &boot, LKST_IMAGE_BUFFER, 0, 0);
	mkarea_add(&buffer[0], 1 * MB, 16 * KB);
	mkarea_add(&buffer[0], 2 * MB, 16 * KB);
	mkarea_add(&buffer[0], 3 * MB, 16 * KB);
	mkarea_add(&buffer[0], 4 * MB, 16 * KB);
	mkarea_sign(&buffer[0]);
	for (size_t i = 0; i < 4; i++)
		for (unsigned int copy = 0; copy < 2; copy++)
			if (i || copy)
				mkarea_lose_header(&buffer[0], i, copy);
	mkarea_get_header(&buffer[0], 0, 0, &head);
	image = scan();
	ck_assert_uint_eq(image->areas, 1);
	image_free(image);
	memcpy((char *)&head + lie->offset, &lie->value, lie->size);
	mkarea_put_header(&buffer[0], 0, 0, &head);
	image = scan();
	ck_assert_uint_eq(image->areas, 0);
	image_free(image);
}
END_TEST

/* A copy at the beginning of the image, whose data would be before it. */
START_TEST(test_data_before_image)
{
	struct image *image;

	lay_buffer(&buffer[0], &boot, 0, 0, 1 * MB);
	copy_pages(mkarea_header_at(&buffer[0], 0, 1), 0, 1);
	for (size_t i = 0; i < 4; i++)
		for (unsigned int copy = 0; copy < 2; copy++)
			mkarea_lose_header(&buffer[0], i, copy);
	image = scan();
	ck_assert_uint_eq(image->areas, 0);
	image_free(image);
}
END_TEST

/* ---- more than can be kept ---- */

struct flood {
	struct lkst_image_header head;
	uint64_t pages;
	bool boots;
};

static uint64_t flood_next(void *ctx, uint64_t at)
{
	const struct flood *flood = ctx;

	return at < flood->pages * PAGE ? at : IMAGE_NOWHERE;
}

static ssize_t flood_read(void *ctx, void *buf, size_t len, uint64_t at, struct lkst_error *err)
{
	const size_t from = offsetof(struct lkst_image_header, version);
	struct flood *flood = ctx;
	size_t i;

	(void)err;
	memset(buf, 0, len);
	for (i = 0; i + PAGE <= len && at + i < flood->pages * PAGE; i += PAGE) {
		flood->head.physical = at + i;
		if (flood->boots)
			memcpy(flood->head.boot, &flood->head.physical, 8);
		else
			flood->head.area = (at + i) / PAGE / 2;
		flood->head.checksum =
			lkst_crc32c((char *)&flood->head + from, sizeof(flood->head) - from);
		memcpy((char *)buf + i, &flood->head, sizeof(flood->head));
	}
	return (ssize_t)(i ? i : len);
}

static void flood_close(void *ctx)
{
	(void)ctx;
}

START_TEST(test_flood)
{
	struct flood flood = { .pages = _i ? 100000 : 1200000, .boots = _i };
	struct image_source *source = calloc(1, sizeof(*source));
	struct image *image;

	mkarea_init(&buffer[0], memory, &boot, LKST_IMAGE_BUFFER, 0, 0);
	mkarea_lay(&buffer[0], 1 * MB, PAGE, PAGE);
	mkarea_get_header(&buffer[0], 0, 0, &flood.head);
	*source = (struct image_source){
		.name = strdup("flood"),
		.size = flood.pages * PAGE,
		.physical = true,
		.next = flood_next,
		.read = flood_read,
		.close = flood_close,
		.ctx = &flood,
	};
	image = scan_source(source);
	ck_assert_uint_le(image->boots, 256);
	ck_assert_uint_le(image->areas, 1u << 17);
	ck_assert_ptr_nonnull(strstr(reports, "headers are left out: only"));
	image_free(image);
}
END_TEST

#define FORGED 200

/* A header, whose area would go on far behind the image. */
static void forge(uint64_t physical)
{
	struct lkst_image_header head;
	struct mkarea area;

	mkarea_init(&area, memory, &boot, LKST_IMAGE_BUFFER, 0, 0);
	mkarea_lay(&area, physical, PAGE, PAGE);
	mkarea_lose_header(&area, 0, 1);
	mkarea_get_header(&area, 0, 0, &head);
	head.length = 1024 * MB;
	head.area_length = 1024 * MB;
	mkarea_put_header(&area, 0, 0, &head);
}

/*
 * Who goes through all areas gets to the end, however much each of them claims, and however high the
 * last page of the image lies.
 */
START_TEST(test_claims)
{
	struct image_source *source;
	struct image *image;
	uint64_t sum = 0;

	for (uint64_t i = 0; i < FORGED; i++)
		forge(1 * MB + i * 3 * PAGE);
	lay_buffer(&buffer[0], &boot, 1, 0, 8 * MB);
	source = mkimage_source(memory);
	if (_i)
		source->size = 1ull << 59;
	image = scan_source(source);
	for (size_t i = 0; i < image->areas; i++)
		sum += image->area[i].length;
	ck_assert_uint_le(sum, 64 * 1024 * MB + 4 * memory->size);
	ck_assert_ptr_nonnull(strstr(reports, "headers are left out: only"));
	/* One that is there is not left out for those. */
	check_buffer(image, image->areas - 1, &buffer[0]);
	image_free(image);
}
END_TEST

START_TEST(test_stopped)
{
	volatile int stop = 1;
	const struct image_hooks stopped = { .stop = &stop };
	struct lkst_error err = { 0 };

	lay_buffer(&buffer[0], &boot, 0, 0, 1 * MB);
	ck_assert_ptr_null(image_scan(mkimage_source(memory), &stopped, &err));
	ck_assert_int_eq(err.code, LKST_ERR_INTERRUPTED);
}
END_TEST

static void count_progress(void *ctx, uint64_t done, uint64_t total)
{
	uint64_t *last = ctx;

	ck_assert_uint_gt(done, *last);
	ck_assert_uint_le(done, total);
	*last = done;
}

START_TEST(test_progress)
{
	uint64_t last = 0;
	const struct image_hooks counting = { .ctx = &last, .progress = count_progress };
	struct lkst_error err = { 0 };
	struct image *image = image_scan(mkimage_source(memory), &counting, &err);

	ck_assert_uint_eq(last, memory->size);
	image_free(image);
}
END_TEST

#define NUM(a) ((int)(sizeof(a) / sizeof(*(a))))

int main(void)
{
	Suite *suite = suite_create("image_scan");
	TCase *tc = tcase_create("image_scan");

	tcase_set_timeout(tc, 120);
	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, test_whole, 0, 4);
	check_id(tc, test_nothing);
	check_id(tc, test_read_across);
	tcase_add_loop_test(tc, test_one_header_gone, 0, 8);
	tcase_add_loop_test(tc, test_both_headers_gone, 0, 4);
	tcase_add_loop_test(tc, test_cut_off, 0, 50);
	tcase_add_loop_test(tc, test_pages_gone, 0, 10);
	tcase_add_loop_test(tc, test_noise, 0, 10);
	tcase_add_loop_test(tc, test_hole, 0, 3);
	tcase_add_loop_test(tc, test_part_of_memory, 0, 2);
	tcase_add_loop_test(tc, test_copies, 0, 2);
	check_id(tc, test_guest);
	check_id(tc, test_freed);
	check_id(tc, test_boots);
	check_id(tc, test_facts);
	tcase_add_loop_test(tc, test_lies, 0, NUM(lies));
	check_id(tc, test_data_before_image);
	tcase_add_loop_test(tc, test_flood, 0, 2);
	tcase_add_loop_test(tc, test_claims, 0, 2);
	check_id(tc, test_stopped);
	check_id(tc, test_progress);
	suite_add_tcase(suite, tc);
	return run_suite(suite);
}
