// SPDX-License-Identifier: LGPL-2.1
/* Bytes of what was found in an image, and the facts that its headers tell. */
#include <stdlib.h>
#include <string.h>

#include "image.h"

/**
 * image_metadata() - a fact of a boot
 * @boot: boot
 * @key: of the fact
 * @len: bytes of the value
 *
 * Return: the value, not ended by 0; NULL: there is no such fact.
 */
const char *image_metadata(const struct image_boot *boot, const char *key, size_t *len)
{
	size_t key_len = strlen(key);

	for (const char *line = boot->facts; *line; line += strcspn(line, "\n")) {
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
 * image_metadata_u64() - a fact of a boot that is a number
 * @boot: boot
 * @key: of the fact
 * @value: result; hexadecimal with 0x, or decimal
 *
 * Return: whether there is one.
 */
bool image_metadata_u64(const struct image_boot *boot, const char *key, uint64_t *value)
{
	char text[32], *end;
	const char *fact;
	size_t len;

	fact = image_metadata(boot, key, &len);
	if (!fact || !len || len >= sizeof(text))
		return false;
	memcpy(text, fact, len);
	text[len] = 0;
	*value = strtoull(text, &end, 0);
	return !*end && *text != '-';
}

/**
 * image_area_read() - bytes of an area
 * @image: image
 * @area: area
 * @buf: for the bytes
 * @len: how many
 * @offset: of the first one in the area
 * @err: why not
 *
 * Return: how many from @offset on are there, 0: it is missing; -1: error.
 */
ssize_t image_area_read(const struct image *image, const struct image_area *area, void *buf,
			size_t len, uint64_t offset, struct lkst_error *err)
{
	size_t done = 0, low = 0, high = area->extents;

	/* The first extent that ends behind the offset. */
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct image_extent *e = &area->extent[middle];

		if (e->offset + e->length <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < area->extents && done < len; low++) {
		const struct image_extent *e = &area->extent[low];
		uint64_t from = offset + done - e->offset;
		size_t want = len - done;
		ssize_t n;

		if (offset + done < e->offset)
			break;
		if (want > e->length - from)
			want = (size_t)(e->length - from);
		n = image->source->read(image->source->ctx, (char *)buf + done, want, e->at + from,
					err);
		if (n < 0)
			return -1;
		done += (size_t)n;
		if ((size_t)n < want)
			break;
	}
	return (ssize_t)done;
}
