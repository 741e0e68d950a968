// SPDX-License-Identifier: GPL-2.0
/*
 * The reader of memory images. Each input is read twice: with offsets that are physical addresses, and
 * with some that need not be. Checksums are made right before, unless a header says not to.
 */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "image_pages.h"
#include "lib/image.h"

#define PAGE	 ((size_t)LKST_IMAGE_PAGE)
#define AREA_MAX (1u << 20) /* of more, nothing is read: it takes its time */

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned int seed);

struct input {
	const uint8_t *data;
	size_t size;
};

static bool there(const struct input *in, uint64_t at)
{
	size_t page = (size_t)at / PAGE * PAGE;

	return at < in->size && (in->size - page < sizeof(MISSING_MAGIC) ||
				 memcmp(in->data + page, MISSING_MAGIC, sizeof(MISSING_MAGIC)));
}

static uint64_t input_next(void *ctx, uint64_t at)
{
	const struct input *in = ctx;

	while (at < in->size && !there(in, at))
		at = (at / PAGE + 1) * PAGE;
	return at < in->size ? at : IMAGE_NOWHERE;
}

static ssize_t input_read(void *ctx, void *buf, size_t len, uint64_t at, struct lkst_error *err)
{
	const struct input *in = ctx;
	uint64_t end = at;

	(void)err;
	while (end - at < len && there(in, end))
		end = (end / PAGE + 1) * PAGE;
	if (end > in->size)
		end = in->size;
	if (end <= at)
		return 0;
	if (len > end - at)
		len = (size_t)(end - at);
	memcpy(buf, in->data + at, len);
	return (ssize_t)len;
}

static void input_close(void *ctx)
{
	(void)ctx;
}

static struct image_source *source_of(struct input *in, bool physical)
{
	struct image_source *source = calloc(1, sizeof(*source));

	MUST(source);
	*source = (struct image_source){
		.name = strdup("I"),
		.form = "raw memory",
		.size = in->size,
		.physical = physical,
		.next = input_next,
		.read = input_read,
		.close = input_close,
		.ctx = in,
	};
	return source;
}

static void count_report(void *ctx, const char *text)
{
	(void)ctx;
	MUST(*text);
}

/* As image.h says of it. */
static void check_area(const struct image *image, const struct image_area *area)
{
	uint64_t end = 0;

	MUST(area->boot < image->boots);
	MUST(area->extents <= area->extent_num || area->kind != LKST_IMAGE_PART);
	for (size_t i = 0; i < area->extents; i++) {
		const struct image_extent *e = &area->extent[i];

		MUST(e->offset >= end && e->length);
		MUST(e->found && e->found <= 3);
		end = e->offset + e->length;
		MUST(end > e->offset && end <= area->length);
	}
}

static void read_area(const struct image *image, const struct image_area *area)
{
	struct lkst_error err = { 0 };
	struct lkst_image_part part;
	uint8_t buf[5000];

	image_part(image, area, &part);
	for (uint64_t at = 0; area->length <= AREA_MAX && at < area->length; at += sizeof(buf)) {
		ssize_t n = image_area_read(image, area, buf, sizeof(buf), at, &err);

		MUST(n >= 0 && n <= (ssize_t)sizeof(buf));
		MUST((uint64_t)n <= area->length - at);
	}
}

/* Memory that two areas have, one of which is not within a part. */
static void check_overlap(const struct image *image, const struct image_area *a,
			  const struct image_area *b)
{
	if (a->kind == LKST_IMAGE_PART || b->kind == LKST_IMAGE_PART)
		return;
	for (size_t i = 0; i < a->extents; i++)
		for (size_t k = 0; k < b->extents; k++)
			MUST(a->extent[i].at + a->extent[i].length <= b->extent[k].at ||
			     b->extent[k].at + b->extent[k].length <= a->extent[i].at);
	(void)image;
}

static void ask(const struct image *image, const uint8_t *data, size_t size)
{
	struct lkst_error err = { 0 };
	uint64_t value;
	uint8_t buf[64];
	size_t len;

	for (size_t i = 0; i < image->boots; i++) {
		MUST(strlen(image->boot[i].id_text) == 36);
		image_metadata(&image->boot[i], "release", &len);
		image_metadata_u64(&image->boot[i], "cpus", &value);
	}
	for (size_t at = 0; at + 8 <= size && at < 4096; at += 256) {
		ssize_t n;

		memcpy(&value, data + at, 8);
		n = image_physical_read(image, buf, sizeof(buf), value, &err);
		MUST(n >= 0 && n <= (ssize_t)sizeof(buf));
	}
}

static void check_contents(const struct image *image)
{
	struct lkst_error err = { 0 };
	struct lkst_etypes *types = image_etypes(image, 0, &err);

	MUST(types);
	for (size_t i = 0; i < image->areas; i++) {
		const struct image_area *area = &image->area[i];
		struct image_contents contents;

		if (area->length > AREA_MAX)
			continue;
		MUST(!image_contents(image, area, types, &contents, &err));
		MUST(contents.there <= area->length);
		MUST(contents.counts.records <= area->length / sizeof(struct lkst_event_record));
		MUST(!contents.timed || contents.first_ns <= contents.last_ns);
	}
	lkst_etypes_free(types);
}

/* All records as a trace, and what the kernel's memory tells. */
static void make_trace(const struct image *image, const struct image_hooks *hooks)
{
	const struct image_want want = { .cpu = -1, .id = -1, .root = "/nowhere" };
	struct lkst_error err = { 0 };
	struct lkst_trace_writer *writer;
	int fd;

	for (size_t i = 0; i < image->areas; i++)
		if (image->area[i].kind != LKST_IMAGE_PART && image->area[i].length > AREA_MAX)
			return;
	fd = memfd_create("trace", MFD_CLOEXEC);
	writer = fd < 0 ? NULL : lkst_trace_writer_fd(fd, "trace", &err);
	MUST(writer);
	if (image_trace(image, &want, hooks, writer, NULL, &err))
		MUST_EXPLAIN(err);
	lkst_trace_writer_abort(writer);
	close(fd);
}

static void read_image(struct input *in, bool physical)
{
	const struct image_hooks hooks = { .report = count_report };
	struct lkst_error err = { 0 };
	struct image *image = image_scan(source_of(in, physical), &hooks, &err);

	MUST(image);
	for (size_t i = 0; i < image->areas; i++) {
		check_area(image, &image->area[i]);
		read_area(image, &image->area[i]);
		for (size_t k = i + 1; k < image->areas; k++)
			check_overlap(image, &image->area[i], &image->area[k]);
		MUST(!i || image->area[i].boot >= image->area[i - 1].boot);
	}
	ask(image, in->data, in->size);
	if (image->boots) {
		check_contents(image);
		make_trace(image, &hooks);
	}
	image_free(image);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size + 1);
	struct input in = { copy, size };

	MUST(copy);
	memcpy(copy, data, size);
	sign_image(copy, size);
	read_image(&in, true);
	read_image(&in, false);
	free(copy);
	return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned int seed)
{
	return mutate_image(data, size, max, seed);
}
