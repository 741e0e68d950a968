// SPDX-License-Identifier: GPL-2.0
/*
 * Header pages, which let a tool find LKST's memory in an image of the
 * machine's memory, and the UUID of this boot (specification 2.2;
 * Documentation/lkst/image.rst).
 */
#include <linux/atomic.h>
#include <linux/build_bug.h>
#include <linux/cache.h>
#include <linux/init.h>
#include <linux/ktime.h>
#include <linux/random.h>
#include <linux/siphash.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include <linux/timex.h>
#include <asm/archrandom.h>
#include <asm/lkst.h>

#include "../base/compat.h"
#include "image.h"
#include "metadata.h"

static_assert(sizeof(struct lkst_image_header) <= LKST_IMAGE_STATE);
static_assert(LKST_IMAGE_STATE + sizeof(struct lkst_image_session) <= LKST_IMAGE_PAGE);
static_assert(LKST_IMAGE_STATE + sizeof(struct lkst_image_boot_slot) <= LKST_IMAGE_PAGE);

/* Constant after lkst_image_init(). */
static u8 lkst_image_uuid[LKST_IMAGE_BOOT_LEN] __ro_after_init;
static char lkst_image_metadata[LKST_IMAGE_METADATA_LEN] __ro_after_init;

static atomic64_t lkst_image_regions;

/*
 * Everything that can differ between two boots of the same machine, as input
 * for the UUID. On a machine that is fully deterministic, such as an emulator
 * that counts instructions, only the wall clock and the command line differ.
 * Other members may be 0.
 */
struct lkst_image_entropy {
	struct timespec64 wall;
	u64 counter;
	size_t arch_num;
	unsigned long arch[4];
	unsigned long kaslr;
	u64 pool[2];
	u64 command_line;
};

static const siphash_key_t lkst_image_keys[] __initconst = {
	{ { 0x4c4b535420696d61, 0x676520626f6f7420 } },
	{ { 0x75756964206c6f77, 0x75756964206f6464 } },
};

/*
 * Generate a version 8 UUID, whose contents are up to the vendor (RFC 9562). It
 * need not be unpredictable. So read the random number generator only if it is
 * initialized; otherwise the kernel would print a warning.
 */
static void __init lkst_image_make_uuid(void)
{
	struct lkst_image_entropy entropy = {
		.counter = random_get_entropy(),
		.kaslr = lkst_arch_kaslr_offset(lkst_text()),
	};
	unsigned int i;

#ifdef MODULE
	ktime_get_real_ts64(&entropy.wall);
#else
	entropy.command_line = siphash(boot_command_line, strlen(boot_command_line),
				       &lkst_image_keys[0]);
	read_persistent_clock64(&entropy.wall);
#endif
	entropy.arch_num = arch_get_random_longs(entropy.arch, ARRAY_SIZE(entropy.arch));
	if (rng_is_initialized())
		get_random_bytes(entropy.pool, sizeof(entropy.pool));
	for (i = 0; i < ARRAY_SIZE(lkst_image_keys); i++) {
		u64 half = siphash(&entropy, sizeof(entropy), &lkst_image_keys[i]);

		memcpy(lkst_image_uuid + i * sizeof(half), &half, sizeof(half));
	}
	lkst_image_uuid[6] = (lkst_image_uuid[6] & 0x0f) | 0x80;
	lkst_image_uuid[8] = (lkst_image_uuid[8] & 0x3f) | 0x80;
}

/**
 * lkst_image_init() - prepare the contents of all header pages
 *
 * Context: while LKST starts, before any lkst_region is allocated.
 */
void __init lkst_image_init(void)
{
	lkst_image_make_uuid();
	lkst_metadata_write(lkst_image_metadata, sizeof(lkst_image_metadata), lkst_image_uuid);
}

/* Return the UUID of this boot, LKST_IMAGE_BOOT_LEN bytes. */
const u8 *lkst_image_boot(void)
{
	return lkst_image_uuid;
}

/* Return a number for a new region, unique during this boot. Context: any. */
u64 lkst_image_new_region(void)
{
	return atomic64_inc_return(&lkst_image_regions);
}

static void lkst_header_seal(struct lkst_image_header *header, unsigned int copy,
			     phys_addr_t physical)
{
	header->copy = copy;
	header->physical = physical;
	header->checksum = lkst_crc32c(&header->version, sizeof(*header) -
				       offsetof(struct lkst_image_header, version));
}

/**
 * lkst_image_sign() - write the header pages of an extent
 * @head: page before the data
 * @head_physical: physical address of @head
 * @tail: page after the data
 * @tail_physical: physical address of @tail
 * @place: description of the extent
 *
 * Context: any.
 */
void lkst_image_sign(void *head, phys_addr_t head_physical, void *tail, phys_addr_t tail_physical,
		     const struct lkst_image_place *place)
{
	struct lkst_image_header *header = head;

	memset(head, 0, LKST_IMAGE_PAGE);
	*header = (struct lkst_image_header) {
		.magic = LKST_IMAGE_MAGIC,
		.version = LKST_IMAGE_VERSION,
		.byte_order = LKST_IMAGE_BYTE_ORDER,
		.kind = place->kind,
		.region = place->region,
		.region_length = place->region_length,
		.offset = place->offset,
		.length = place->length,
		.extent = place->extent,
		.extent_num = place->extent_num,
		.cpu = place->cpu,
		.id = place->id,
		.long_size = sizeof(long),
	};
	memcpy(header->boot, lkst_image_uuid, sizeof(header->boot));
	memcpy(header->metadata, lkst_image_metadata, sizeof(header->metadata));
	memcpy(tail, head, LKST_IMAGE_PAGE);
	lkst_header_seal(head, 0, head_physical);
	lkst_header_seal(tail, 1, tail_physical);
}

/**
 * lkst_image_wipe() - erase the header pages of an extent
 * @head: page before the data
 * @tail: page after the data
 *
 * Afterwards, a reader of a memory image cannot mistake new contents of the
 * memory for a region.
 *
 * Context: any.
 */
void lkst_image_wipe(void *head, void *tail)
{
	memset(head, 0, LKST_IMAGE_PAGE);
	memset(tail, 0, LKST_IMAGE_PAGE);
}
