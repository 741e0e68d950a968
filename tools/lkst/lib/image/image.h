/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Reads LKST's data in a memory image (Documentation/lkst/image.rst). Some of the interfaces below
 * are internal to lib/image.
 *
 * source.c and the formats (raw.c, elf.c, kdump.c, flat.c) provide the bytes of the image. scan.c
 * finds regions in the image (scan.h), region.c reads regions, and records.c reads their records.
 * kernel.c reads symbols and processes from the kernel's own memory. trace.c writes a trace file,
 * and find.c counts what a region contains.
 *
 * Nothing in an image is trusted: sizes and offsets are checked before they are used, and each loop
 * over a list in the image has a limit.
 */
#ifndef _LKST_LIB_IMAGE_IMAGE_H
#define _LKST_LIB_IMAGE_IMAGE_H

#include <linux/lkst_image.h>
#include <sys/types.h>

#include "lib/lkst.h"

struct image_source;

/**
 * struct image_extent - contiguous data of a region
 * @at: offset of the data in the source
 * @offset: offset of the data in the region
 * @length: length of the data in bytes
 * @number: struct lkst_image_header.extent; several entries have the same number if newer data
 *	overwrote the middle of the extent
 * @found: bitmap of the copies of the header that were found: 1 << copy
 * @cut: the image ends before the extent does
 */
struct image_extent {
	uint64_t at;
	uint64_t offset;
	uint64_t length;
	uint32_t number;
	unsigned int found;
	bool cut;
};

/**
 * struct image_region - memory of LKST: a buffer, the static buffer, lists of names, or a slot
 * @boot: index in struct image.boot
 * @number: struct lkst_image_header.region
 * @kind: enum lkst_image_kind
 * @cpu: CPU, for a buffer
 * @id: id of the buffer
 * @length: length of the data in bytes, according to the headers
 * @extents: number of entries in @extent
 * @extent: extents that were found, sorted by offset, without overlaps
 * @extent_num: number of extents of the complete region, according to the headers
 * @state: the data at offset LKST_IMAGE_STATE in both header pages of extent 0
 * @has_state: bitmap of the copies in @state that could be read: 1 << copy
 */
#define IMAGE_STATE_LEN 128
struct image_region {
	uint32_t boot;
	uint64_t number;
	uint32_t kind;
	int32_t cpu;
	int32_t id;
	uint64_t length;
	size_t extents;
	struct image_extent *extent;
	uint32_t extent_num;
	uint8_t state[2][IMAGE_STATE_LEN];
	unsigned int has_state;
};

/**
 * struct image_boot - one boot of a kernel
 * @id: UUID of the boot
 * @id_text: the UUID as text
 * @metadata: metadata from the headers, as "key=value" lines
 * @swapped: the boot is from a machine of the opposite byte order
 * @long_size: size in bytes of the kernel's long
 * @placed: offsets in the image are physical addresses, and at least one header is at the address
 *	that it states. If offsets are physical addresses but no header is at the address that it
 *	states, the boot is a boot of a virtual machine whose memory is in the image, or all of its
 *	headers are copies
 * @newest_ns: wall clock time in ns at which the latest session of a buffer or of a long ring
 *	began; 0: unknown. Boots with @placed set are sorted before the others, and newer boots
 *	before older ones
 * @session: for each enum lkst_clock, the session that is used to convert timestamps of this clock:
 *	the first session that states the rate of the clock or, if no session does, the first
 *	session
 * @has_session: for each enum lkst_clock, whether @session is valid
 * @monotonic: session that is used to convert timestamps of the monotonic clock if there is no
 *	@session of a buffer for LKST_CLOCK_NS. Every session contains a reading of this clock
 * @has_monotonic: whether @monotonic is valid
 */
struct image_boot {
	uint8_t id[LKST_IMAGE_BOOT_LEN];
	char id_text[37];
	char *metadata;
	bool swapped;
	uint32_t long_size;
	bool placed;
	int64_t newest_ns;
	struct lkst_image_session session[LKST_CLOCK_TSC + 1];
	bool has_session[LKST_CLOCK_TSC + 1];
	struct lkst_image_session monotonic;
	bool has_monotonic;
};

/* A piece of an image with a constant difference between offset and physical address. */
struct image_delta {
	uint64_t at; /* offset of the data of the first extent with this difference */
	uint64_t last; /* offset of the data of the last such extent */
	uint64_t physical; /* physical address of the data at @at */
};

/**
 * struct image - the LKST data in an image
 * @source: the image
 * @boot: boots, newest first
 * @region: regions, sorted by boot, kind, CPU and number
 * @copies: number of headers ignored because they are part of a copy
 * @delta: pieces of the image, for raw memory
 */
struct image {
	struct image_source *source;
	size_t boots;
	struct image_boot *boot;
	size_t regions;
	struct image_region *region;
	uint64_t copies;
	size_t deltas;
	struct image_delta *delta;
};

struct image_hooks {
	void *ctx;
	void (*report)(void *ctx, const char *text);
	void (*progress)(void *ctx, uint64_t done, uint64_t total);
	const volatile int *stop;
};

struct image *image_scan(struct image_source *source, const struct image_hooks *hooks,
			 struct lkst_error *err);
void image_free(struct image *image); /* also closes the source */

/* Return a value from a boot's metadata, not 0-terminated; NULL if the key does not exist. */
const char *image_metadata(const struct image_boot *boot, const char *key, size_t *len);
bool image_metadata_u64(const struct image_boot *boot, const char *key, uint64_t *value);

/*
 * Read from a region. Returns the number of bytes read; 0 if the byte at @offset is missing; -1 on
 * error.
 */
ssize_t image_region_read(const struct image *image, const struct image_region *region, void *buf,
			  size_t len, uint64_t offset, struct lkst_error *err);
/* Read at a physical address. Returns the same as image_region_read(). */
ssize_t image_physical_read(const struct image *image, void *buf, size_t len, uint64_t physical,
			    struct lkst_error *err);

#endif
