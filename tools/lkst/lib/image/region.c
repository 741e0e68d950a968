// SPDX-License-Identifier: LGPL-2.1
/* Reads regions of an image, and the metadata in their headers. */
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "image.h"
#include "source.h"

/**
 * image_metadata() - get a value from the metadata of a boot
 * @boot: boot
 * @key: key of the value
 * @len: set to the length of the value in bytes
 *
 * Return: the value, not 0-terminated; NULL if the key does not exist.
 */
const char *image_metadata(const struct image_boot *boot, const char *key, size_t *len)
{
	size_t key_len = strlen(key);

	for (const char *line = boot->metadata; *line; line += strcspn(line, "\n")) {
		line += *line == '\n';
		if (!strncmp(line, key, key_len) && line[key_len] == '=') {
			line += key_len + 1;
			*len = strcspn(line, "\n");
			return line;
		}
	}
	return NULL;
}

/**
 * image_metadata_u64() - get a number from the metadata of a boot
 * @boot: boot
 * @key: key of the number
 * @value: set to the number, which is written in decimal, or in hexadecimal with 0x
 *
 * Return: whether the key exists and has a number as its value.
 */
bool image_metadata_u64(const struct image_boot *boot, const char *key, uint64_t *value)
{
	char text[32], *end;
	const char *entry;
	size_t len;

	entry = image_metadata(boot, key, &len);
	if (!entry || !len || len >= sizeof(text))
		return false;
	memcpy(text, entry, len);
	text[len] = 0;
	*value = strtoull(text, &end, 0);
	return !*end && *text != '-';
}

/**
 * image_region_read() - read from a region
 * @image: image
 * @region: region
 * @buf: result
 * @len: number of bytes to read
 * @offset: offset in the region, in bytes
 * @err: set on failure
 *
 * Return: number of bytes read; 0 if the byte at @offset is not in the image; -1 on error. If fewer
 * than @len bytes were read, the next byte may still be in the image.
 */
ssize_t image_region_read(const struct image *image, const struct image_region *region, void *buf,
			  size_t len, uint64_t offset, struct lkst_error *err)
{
	size_t done = 0, low = 0, high = region->extents;

	/* Find the first extent that ends after the offset. */
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct image_extent *e = &region->extent[middle];

		if (e->offset + e->length <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < region->extents && done < len; low++) {
		const struct image_extent *e = &region->extent[low];
		uint64_t from = offset + done - e->offset;
		size_t size = len - done;
		ssize_t n;

		if (offset + done < e->offset)
			break;
		if (size > e->length - from)
			size = (size_t)(e->length - from);
		n = image->source->read(image->source->ctx, (char *)buf + done, size, e->at + from,
					err);
		if (n < 0)
			return -1;
		done += (size_t)n;
		if ((size_t)n < size)
			break;
	}
	return (ssize_t)done;
}
