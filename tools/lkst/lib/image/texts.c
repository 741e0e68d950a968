// SPDX-License-Identifier: LGPL-2.1
/* Reads the lists of names that the kernel keeps for readers of memory images. */
#include <byteswap.h>
#include <linux/lkst_image.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "image.h"
#include "lib/base/crc32c.h"
#include "lib/base/error.h"
#include "lib/text/etypes.h"
#include "texts.h"

#define TEXTS_MAX (64u << 20) /* maximum size of a list, in bytes */

/* Read @len bytes of a region. Returns 1 on success; 0 if a byte is missing; -1 on error. */
static int texts_read_whole(const struct image *image, const struct image_region *region, void *buf,
			    size_t len, uint64_t offset, struct lkst_error *err)
{
	for (size_t done = 0; done < len;) {
		ssize_t n = image_region_read(image, region, (char *)buf + done, len - done,
					      offset + done, err);

		if (n <= 0)
			return (int)n;
		done += (size_t)n;
	}
	return 1;
}

/* Read the list after a header. Returns 1 on success; 0 if missing or damaged; -1 on error. */
static int image_texts_take_text(const struct image *image, const struct image_region *region,
				 uint64_t offset, const struct lkst_image_text *header, char **text,
				 struct lkst_error *err)
{
	int ret;

	*text = malloc(header->length + 1);
	if (!*text) {
		lkst_error_memory(err, "texts of an image");
		return -1;
	}
	ret = texts_read_whole(image, region, *text, header->length, offset, err);
	if (ret > 0 && lkst_crc32c(*text, header->length) == header->checksum) {
		(*text)[header->length] = 0;
		return 1;
	}
	free(*text);
	*text = NULL;
	return ret < 0 ? -1 : 0;
}

static int find_text(const struct image *image, const struct image_region *region,
		     enum lkst_image_text_kind kind, char **text, size_t *len,
		     struct lkst_error *err)
{
	const bool swapped = image->boot[region->boot].swapped;
	struct lkst_image_text header;
	uint64_t offset = 0;

	while (offset + sizeof(header) <= region->length) {
		int ret = texts_read_whole(image, region, &header, sizeof(header), offset, err);

		if (ret <= 0)
			return ret;
		if (swapped) {
			header.kind = bswap_32(header.kind);
			header.checksum = bswap_32(header.checksum);
			header.length = bswap_64(header.length);
		}
		offset += sizeof(header);
		if (header.kind == LKST_IMAGE_TEXT_END || header.length > TEXTS_MAX ||
		    header.length > region->length - offset)
			return 0;
		*len = header.length;
		if (header.kind == kind)
			return image_texts_take_text(image, region, offset, &header, text, err);
		offset += (header.length + 7) / 8 * 8;
	}
	return 0;
}

/**
 * image_text() - read a list that the kernel kept as text
 * @image: image
 * @boot: index of the boot
 * @kind: kind of list
 * @text: result, 0-terminated, to be freed by the caller
 * @len: set to the length of @text in bytes
 * @err: set on failure
 *
 * Return: 1 on success; 0 if there is no complete list; -1 on error.
 */
int image_text(const struct image *image, uint32_t boot, enum lkst_image_text_kind kind,
	       char **text, size_t *len, struct lkst_error *err)
{
	int ret = 0;

	*text = NULL;
	/*
	 * Regions are sorted by number, so the last complete list is the newest one.
	 */
	for (size_t i = image->regions; i && !ret; i--) {
		const struct image_region *region = &image->region[i - 1];

		if (region->boot == boot && region->kind == LKST_IMAGE_TEXTS)
			ret = find_text(image, region, kind, text, len, err);
	}
	return ret;
}

/* Add event types that only the library knows, because the kernel's list may be out of date. */
static void texts_add_embedded(struct lkst_etypes *types, struct lkst_etypes *embedded)
{
	for (int i = 0; i < LKST_ETYPE_NUM; i++) {
		if (types->type[i])
			continue;
		types->type[i] = embedded->type[i];
		embedded->type[i] = NULL;
	}
}

/**
 * image_etypes() - get the event types that may occur
 * @image: image
 * @boot: index of the boot
 * @err: set if an allocation fails, or the image cannot be read
 */
struct lkst_etypes *image_etypes(const struct image *image, uint32_t boot, struct lkst_error *err)
{
	struct lkst_etypes *embedded, *types = NULL;
	struct lkst_error why;
	char *text;
	size_t len;

	if (image_text(image, boot, LKST_IMAGE_TEXT_ETYPES, &text, &len, err) < 0)
		return NULL;
	if (text)
		types = lkst_etypes_parse(text, len, "event types", &why);
	free(text);
	embedded = lkst_etypes_embedded(err);
	if (!embedded || !types) {
		lkst_etypes_free(embedded ? types : NULL);
		return embedded;
	}
	texts_add_embedded(types, embedded);
	lkst_etypes_free(embedded);
	return types;
}
