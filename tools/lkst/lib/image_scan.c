// SPDX-License-Identifier: LGPL-2.1
/* Finding LKST's data in an image: once through it, from front to back. */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "image_scan.h"
#include "messages.h"

#define BLOCK (256 * IMAGE_PAGE) /* more do not stay in the CPU's cache */

/* Tell of what is damaged or left out. */
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

/* Facts as lines of printable characters. */
static char *scan_copy_metadata(const struct lkst_image_header *head)
{
	size_t len = strnlen(head->facts, sizeof(head->facts));
	char *facts = strndup(head->facts, len);

	for (char *p = facts; p && *p; p++)
		if (*p != '\n' && ((unsigned char)*p < 0x20 || (unsigned char)*p >= 0x7f))
			*p = '?';
	return facts;
}

static bool same_boot(const struct image_boot *boot, const struct lkst_image_header *head,
		      bool swapped)
{
	return !memcmp(boot->id, head->boot, sizeof(boot->id)) && boot->swapped == swapped &&
	       boot->long_size == head->long_size;
}

/* Of a boot that is new, or whose facts were not all known yet where they have been found so far. */
static int scan_take_metadata(struct image_boot *boot, const struct lkst_image_header *head,
		      struct lkst_error *err)
{
	char *facts;

	if (boot->facts && strnlen(head->facts, sizeof(head->facts)) <= strlen(boot->facts))
		return 0;
	facts = scan_copy_metadata(head);
	if (!facts) {
		lkst_error_memory(err, "an image");
		return -1;
	}
	free(boot->facts);
	boot->facts = facts;
	return 0;
}

/* Index of the header's boot; the number of boots: there are too many; -1: error. */
static int64_t boot_of(struct image_scan *scan, const struct lkst_image_header *head, bool swapped,
		       struct lkst_error *err)
{
	struct image *image = scan->image;
	struct image_boot *boot;
	size_t i = 0;

	while (i < image->boots && !same_boot(&image->boot[i], head, swapped))
		i++;
	if (i == IMAGE_BOOTS_MAX)
		return (int64_t)i;
	boot = &image->boot[i];
	if (i == image->boots) {
		image->boots++;
		*boot = (struct image_boot){ .swapped = swapped, .long_size = head->long_size };
		memcpy(boot->id, head->boot, sizeof(boot->id));
		lkst_boot_text(boot->id, boot->id_text);
	}
	return scan_take_metadata(boot, head, err) ? -1 : (int64_t)i;
}

static int make_room(struct image_scan *scan, struct lkst_error *err)
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

static int add_header(struct image_scan *scan, uint64_t at, const struct lkst_image_header *head,
		      bool swapped, struct lkst_error *err)
{
	uint64_t before = head->copy ? image_pages(head->length) : 0;
	int64_t boot;

	/* Its data would begin before the image does. */
	if (at < before)
		return 0;
	if (scan->num == IMAGE_HEADERS_MAX) {
		scan->too_many++;
		return 0;
	}
	boot = boot_of(scan, head, swapped, err);
	if (boot < 0 || make_room(scan, err))
		return -1;
	if (boot == IMAGE_BOOTS_MAX) {
		scan->too_many++;
		return 0;
	}
	scan->found[scan->num++] = (struct image_found){
		.at = at,
		.physical = head->physical,
		.area = head->area,
		.area_length = head->area_length,
		.offset = head->offset,
		.length = head->length,
		.boot = (uint32_t)boot,
		.kind = head->kind,
		.extent = head->extent,
		.extent_num = head->extent_num,
		.cpu = head->cpu,
		.id = head->id,
		.copy = head->copy,
	};
	return 0;
}

/* Headers in so many bytes; one that is cut off by their end counts if it is there itself. */
static int look_at(struct image_scan *scan, const uint8_t *block, size_t len, uint64_t at,
		   struct lkst_error *err)
{
	struct lkst_image_header head;
	bool swapped;

	for (size_t i = 0; i + sizeof(head) <= len; i += IMAGE_PAGE)
		if (image_is_header(block + i) && image_header_get(block + i, &head, &swapped) &&
		    add_header(scan, at + i, &head, swapped, err))
			return -1;
	return 0;
}

static bool stopped(const struct image_hooks *hooks, struct lkst_error *err)
{
	if (!hooks || !hooks->stop || !*hooks->stop)
		return false;
	lkst_error_set(err, LKST_ERR_INTERRUPTED, MSG_IMAGE_STOPPED);
	return true;
}

static int look_through(struct image_scan *scan, struct lkst_error *err)
{
	struct image_source *source = scan->image->source;
	const struct image_hooks *hooks = scan->hooks;
	uint8_t *block = aligned_alloc(IMAGE_PAGE, BLOCK); /* else copying is half as fast */
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
		ret = n < 0 || look_at(scan, block, (size_t)n, at, err) || stopped(hooks, err) ?
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

static void tell(const struct image_scan *scan)
{
	const struct image *image = scan->image;

	if (image->source->unreadable)
		image_report(image, scan->hooks,
			     "%llu pages that should be there cannot be read, or are cut off",
			     (unsigned long long)image->source->unreadable);
	if (scan->too_many)
		image_report(
			image, scan->hooks,
			"%llu headers are left out: only %u of %u boots and %u areas are kept, and\n"
			"areas that are not much longer in all than what is in the image",
			(unsigned long long)scan->too_many, IMAGE_HEADERS_MAX, IMAGE_BOOTS_MAX,
			IMAGE_AREAS_MAX);
}

/**
 * image_scan() - find LKST's data in an image
 * @source: image; it belongs to the result and, if there is none, is closed
 * @hooks: whom to tell; may be NULL
 * @err: why not. That there is nothing is no error
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
		ret = look_through(&scan, err) || image_place(&scan, err) ? -1 : 0;
	else
		lkst_error_memory(err, "an image");
	free(scan.found);
	if (ret) {
		image_free(image);
		return NULL;
	}
	tell(&scan);
	return image;
}

/**
 * image_free() - free what was found, and close the image
 * @image: may be NULL
 */
void image_free(struct image *image)
{
	if (!image)
		return;
	for (size_t i = 0; i < image->boots; i++)
		free(image->boot[i].facts);
	for (size_t i = 0; i < image->areas; i++)
		free(image->area[i].extent);
	free(image->boot);
	free(image->area);
	free(image->delta);
	image_source_close(image->source);
	free(image);
}
