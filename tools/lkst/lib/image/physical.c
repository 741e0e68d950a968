// SPDX-License-Identifier: LGPL-2.1
/*
 * Translates physical addresses in raw memory. Offsets may differ from addresses: QEMU leaves out
 * the PCI hole, so the offsets of memory above the hole are lower than its addresses. The image
 * then consists of pieces in which the difference between address and offset is constant. Nothing
 * in the image states where a piece begins. But each header states its own address, and on a PC,
 * memory above the hole begins at 4 GB.
 */
#include <sys/types.h>

#include "image.h"
#include "source.h"

#define HOLE_END (4ull << 30)

/*
 * Return the first address of piece @i. The first piece above the hole begins at 4 GB, even if the
 * lowest extent found in it is at a higher address. This piece is recognized by its addresses,
 * which exceed the offsets by less than 4 GB. Any other piece is assumed to begin at the lowest
 * extent found in it or, if it is the first piece of the image, at address 0.
 */
static uint64_t image_physical_begin_of(const struct image *image, size_t i)
{
	const struct image_delta *delta = &image->delta[i];
	const struct image_delta *before = i ? delta - 1 : NULL;
	uint64_t last = before ? before->physical + (before->last - before->at) : 0;

	if (delta->physical >= HOLE_END && last < HOLE_END && delta->physical > delta->at &&
	    delta->physical - delta->at < HOLE_END)
		return HOLE_END;
	return before ? delta->physical : 0;
}

/* Return the offset of an address; IMAGE_NOWHERE if the address is not in the image. */
static uint64_t physical_offset_of(const struct image *image, uint64_t physical)
{
	uint64_t best = 0, distance = 0, offset;

	/* Below the first piece, offsets equal addresses, because no hole precedes this memory. */
	for (size_t i = 0; i < image->deltas; i++) {
		const struct image_delta *delta = &image->delta[i];
		uint64_t begin = image_physical_begin_of(image, i);

		if (physical >= begin && begin >= best) {
			best = begin;
			distance = delta->physical - delta->at;
		}
	}
	offset = physical - distance;
	return offset < image->source->size ? offset : IMAGE_NOWHERE;
}

/**
 * image_physical_read() - read at a physical address
 * @image: image
 * @buf: result
 * @len: number of bytes to read
 * @physical: address
 * @err: set on failure
 *
 * Return: number of bytes read; 0 if the first byte is not in the image; -1 on error.
 */
ssize_t image_physical_read(const struct image *image, void *buf, size_t len, uint64_t physical,
			    struct lkst_error *err)
{
	struct image_source *source = image->source;
	uint64_t at = source->physical ? physical : physical_offset_of(image, physical);

	return at == IMAGE_NOWHERE ? 0 : source->read(source->ctx, buf, len, at, err);
}
