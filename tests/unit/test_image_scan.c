// SPDX-License-Identifier: GPL-2.0
/* Finding LKST's data in images: whole, damaged, with copies and lies in them. */
#include <stdlib.h>
#include <string.h>

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
	mkarea_stretch(area, 0, 0, SAMPLE_NS);
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

int main(void)
{
	Suite *suite = suite_create("image_scan");
	TCase *tc = tcase_create("image_scan");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, test_whole, 0, 4);
	tcase_add_test(tc, test_nothing);
	suite_add_tcase(suite, tc);
	return run_suite(suite);
}
