// SPDX-License-Identifier: LGPL-2.1
/*
 * Physical addresses in raw memory, where offsets need not be the same: QEMU leaves out the PCI hole, so
 * that what lies above it comes earlier. Where the pieces meet nobody tells. Each header says where it
 * is, and on a PC what lies above the hole begins at 4 GB.
 */
#include "image.h"

#define HOLE_END (4ull << 30)

/*
 * The first address that is in the piece. A header stands at or behind it; what is in front of the
 * first piece's has the same distance.
 */
static uint64_t begin_of(const struct image *image, size_t i)
{
	const struct image_delta *delta = &image->delta[i];
	const struct image_delta *before = i ? delta - 1 : NULL;
	uint64_t last = before ? before->physical + (before->last - before->at) : 0;

	if (delta->physical >= HOLE_END && last < HOLE_END && delta->physical > delta->at &&
	    delta->physical - delta->at < HOLE_END)
		return HOLE_END;
	return before ? delta->physical : 0;
}

/* Offset of an address; IMAGE_NOWHERE: it is not in the image. */
static uint64_t offset_of(const struct image *image, uint64_t physical)
{
	uint64_t best = 0, distance = 0, offset;

	/* Below all pieces, offsets are addresses: the hole is the first. */
	for (size_t i = 0; i < image->deltas; i++) {
		const struct image_delta *delta = &image->delta[i];
		uint64_t begin = begin_of(image, i);

		if (physical >= begin && begin >= best) {
			best = begin;
			distance = delta->physical - delta->at;
		}
	}
	offset = physical - distance;
	return offset < image->source->size ? offset : IMAGE_NOWHERE;
}

/**
 * image_physical_read() - bytes at a physical address
 * @image: image
 * @buf: for the bytes
 * @len: how many
 * @physical: address of the first one
 * @err: why not
 *
 * Return: how many from there on are in the image, 0: it is missing; -1: error.
 */
ssize_t image_physical_read(const struct image *image, void *buf, size_t len, uint64_t physical,
			    struct lkst_error *err)
{
	struct image_source *source = image->source;
	uint64_t at = source->physical ? physical : offset_of(image, physical);

	return at == IMAGE_NOWHERE ? 0 : source->read(source->ctx, buf, len, at, err);
}
