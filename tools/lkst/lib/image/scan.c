// SPDX-License-Identifier: LGPL-2.1
/* Finds LKST's data in an image by reading it once, from front to back. */
#include <errno.h>
#include <linux/lkst_image.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "image.h"
#include "lib/base/error.h"
#include "lib/device/previous.h"
#include "messages.h"
#include "scan.h"
#include "source.h"

#define BLOCK (256 * IMAGE_PAGE) /* fits into the caches of the CPU */

/* Report damaged or skipped data in an image. */
void image_report(const struct image *image, const struct image_hooks *hooks, const char *format,
		  ...)
{
	char text[512], line[600];
	va_list args;

	if (!hooks || !hooks->report)
		return;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	snprintf(line, sizeof(line), "%s: %s", image->source->name, text);
	hooks->report(hooks->ctx, line);
}

/* Copy the metadata of a header, with unprintable characters replaced. */
static char *scan_copy_metadata(const struct lkst_image_header *header)
{
	size_t len = strnlen(header->metadata, sizeof(header->metadata));
	char *text = strndup(header->metadata, len);

	for (char *p = text; p && *p; p++)
		if (*p != '\n' && ((unsigned char)*p < 0x20 || (unsigned char)*p >= 0x7f))
			*p = '?';
	return text;
}

static bool scan_same_boot(const struct image_boot *boot, const struct lkst_image_header *header,
			   bool swapped)
{
	return !memcmp(boot->id, header->boot, sizeof(boot->id)) && boot->swapped == swapped &&
	       boot->long_size == header->long_size;
}

/* Store the metadata of a header, unless an earlier header of the boot had as much or more. */
static int scan_take_metadata(struct image_boot *boot, const struct lkst_image_header *header,
		      struct lkst_error *err)
{
	char *text;

	if (boot->metadata &&
	    strnlen(header->metadata, sizeof(header->metadata)) <= strlen(boot->metadata))
		return 0;
	text = scan_copy_metadata(header);
	if (!text) {
		lkst_error_memory(err, "an image");
		return -1;
	}
	free(boot->metadata);
	boot->metadata = text;
	return 0;
}

/*
 * Return the index of the header's boot, and add the boot if it is new. Returns struct image.boots
 * if there are too many boots, and -1 on error.
 */
static int64_t image_scan_boot_of(struct image_scan *scan, const struct lkst_image_header *header,
				  bool swapped, struct lkst_error *err)
{
	struct image *image = scan->image;
	struct image_boot *boot;
	size_t i = 0;

	while (i < image->boots && !scan_same_boot(&image->boot[i], header, swapped))
		i++;
	if (i == IMAGE_BOOTS_MAX)
		return (int64_t)i;
	boot = &image->boot[i];
	if (i == image->boots) {
		image->boots++;
		*boot = (struct image_boot){ .swapped = swapped, .long_size = header->long_size };
		memcpy(boot->id, header->boot, sizeof(boot->id));
		lkst_boot_text(boot->id, boot->id_text);
	}
	return scan_take_metadata(boot, header, err) ? -1 : (int64_t)i;
}

static int image_scan_make_room(struct image_scan *scan, struct lkst_error *err)
{
	size_t room = scan->room ? scan->room * 2 : 256;
	struct image_found *found;

	if (scan->num < scan->room)
		return 0;
	found = realloc(scan->found, room * sizeof(*found));
	if (!found) {
		lkst_error_memory(err, "an image");
		return -1;
	}
	scan->found = found;
	scan->room = room;
	return 0;
}

static int scan_add_header(struct image_scan *scan, uint64_t at,
			   const struct lkst_image_header *header, bool swapped,
			   struct lkst_error *err)
{
	uint64_t before = header->copy ? image_pages(header->length) : 0;
	int64_t boot;

	/* Ignore the header if its data would begin before the image does. */
	if (at < before)
		return 0;
	if (scan->num == IMAGE_HEADERS_MAX) {
		scan->too_many++;
		return 0;
	}
	boot = image_scan_boot_of(scan, header, swapped, err);
	if (boot < 0 || image_scan_make_room(scan, err))
		return -1;
	if (boot == IMAGE_BOOTS_MAX) {
		scan->too_many++;
		return 0;
	}
	scan->found[scan->num++] = (struct image_found){
		.at = at,
		.physical = header->physical,
		.region = header->region,
		.region_length = header->region_length,
		.offset = header->offset,
		.length = header->length,
		.boot = (uint32_t)boot,
		.kind = header->kind,
		.extent = header->extent,
		.extent_num = header->extent_num,
		.cpu = header->cpu,
		.id = header->id,
		.copy = header->copy,
	};
	return 0;
}

/* Find headers in a block. A header counts if its page is complete, even if its extent is not. */
static int scan_block(struct image_scan *scan, const uint8_t *block, size_t len, uint64_t at,
		      struct lkst_error *err)
{
	struct lkst_image_header header;
	bool swapped;

	for (size_t i = 0; i + sizeof(header) <= len; i += IMAGE_PAGE)
		if (image_is_header(block + i) && image_header_get(block + i, &header, &swapped) &&
		    scan_add_header(scan, at + i, &header, swapped, err))
			return -1;
	return 0;
}

static bool image_scan_stopped(const struct image_hooks *hooks, struct lkst_error *err)
{
	if (!hooks || !hooks->stop || !*hooks->stop)
		return false;
	lkst_error_set(err, LKST_ERR_INTERRUPTED, MSG_IMAGE_STOPPED);
	return true;
}

static int scan_blocks(struct image_scan *scan, struct lkst_error *err)
{
	struct image_source *source = scan->image->source;
	const struct image_hooks *hooks = scan->hooks;
	uint8_t *block = aligned_alloc(IMAGE_PAGE, BLOCK); /* aligned copies are twice as fast */
	uint64_t at = 0;
	int ret = 0;

	if (!block) {
		lkst_error_memory(err, "an image");
		return -1;
	}
	while (!ret && (at = source->next(source->ctx, at)) < UINT64_MAX - BLOCK) {
		ssize_t n;

		at = image_pages(at);
		n = source->read(source->ctx, block, BLOCK, at, err);
		ret = n < 0 || scan_block(scan, block, (size_t)n, at, err) ||
				      image_scan_stopped(hooks, err) ?
			      -1 :
			      0;
		scan->bytes += n > 0 ? (uint64_t)n : 0;
		at += n > 0 ? image_pages((uint64_t)n) : IMAGE_PAGE;
		if (hooks && hooks->progress)
			hooks->progress(hooks->ctx, at < source->size ? at : source->size,
					source->size);
	}
	free(block);
	return ret;
}

static void image_scan_report(const struct image_scan *scan)
{
	const struct image *image = scan->image;

	if (image->source->unreadable)
		image_report(image, scan->hooks,
			     "%llu pages of the image are unreadable or truncated",
			     (unsigned long long)image->source->unreadable);
	if (scan->too_many)
		image_report(
			image, scan->hooks,
			"%llu headers are left out: only %u of %u boots and %u regions are kept, and "
			"regions that are not much longer in all than what is in the image",
			(unsigned long long)scan->too_many, IMAGE_HEADERS_MAX, IMAGE_BOOTS_MAX,
			IMAGE_REGIONS_MAX);
}

/**
 * image_scan() - find LKST's data in an image
 * @source: image; the result takes ownership of it. On failure, this function closes it
 * @hooks: functions that report damage and progress; may be NULL
 * @err: set on failure; an image without LKST data is not an error
 */
struct image *image_scan(struct image_source *source, const struct image_hooks *hooks,
			 struct lkst_error *err)
{
	struct image *image = calloc(1, sizeof(*image));
	struct image_scan scan = { .image = image, .hooks = hooks };
	int ret = -1;

	if (!image) {
		lkst_error_memory(err, "an image");
		image_source_close(source);
		return NULL;
	}
	image->source = source;
	image->boot = calloc(IMAGE_BOOTS_MAX, sizeof(*image->boot));
	if (image->boot)
		ret = scan_blocks(&scan, err) || image_place(&scan, err) ? -1 : 0;
	else
		lkst_error_memory(err, "an image");
	free(scan.found);
	if (ret) {
		image_free(image);
		return NULL;
	}
	image_scan_report(&scan);
	return image;
}

/**
 * image_free() - free the result of image_scan(), and close its source
 * @image: may be NULL
 */
void image_free(struct image *image)
{
	if (!image)
		return;
	for (size_t i = 0; i < image->boots; i++)
		free(image->boot[i].metadata);
	for (size_t i = 0; i < image->regions; i++)
		free(image->region[i].extent);
	free(image->boot);
	free(image->region);
	free(image->delta);
	image_source_close(image->source);
	free(image);
}
