// SPDX-License-Identifier: GPL-2.0
/*
 * What lets LKST's memory be found in an image of the machine's memory: header pages, and the name
 * of this run of the kernel (specification 2.2; Documentation/lkst/image.rst).
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

#include "compat.h"
#include "image.h"
#include "image_facts.h"

static_assert(sizeof(struct lkst_image_header) <= LKST_IMAGE_STATE);
static_assert(LKST_IMAGE_STATE + sizeof(struct lkst_image_session) <= LKST_IMAGE_PAGE);
static_assert(LKST_IMAGE_STATE + sizeof(struct lkst_image_part) <= LKST_IMAGE_PAGE);

/* Constant after lkst_image_init(). */
static u8 lkst_image_uuid[LKST_IMAGE_BOOT_LEN] __ro_after_init;
static char lkst_image_metadata[LKST_IMAGE_METADATA_LEN] __ro_after_init;

static atomic64_t lkst_image_areas;

/*
 * What can differ between two boots of the same machine. Where one is fully determined (an emulator
 * that counts instructions) it is the clock that says what time it is, and what the boot loader
 * gave. All else may be 0.
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
 * A UUID of the kind that vendors define (RFC 9562, version 8). Not to be guessed is not asked of
 * it; so it does not ask for more randomness than there is, which the kernel would complain of.
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
 * lkst_image_init() - find out what all headers say
 *
 * Before the first area.
 */
void __init lkst_image_init(void)
{
	lkst_image_make_uuid();
	lkst_metadata_write(lkst_image_metadata, sizeof(lkst_image_metadata), lkst_image_uuid);
}

/* The UUID of this run of the kernel. */
const u8 *lkst_image_boot(void)
{
	return lkst_image_uuid;
}

/* A number for another area. Context: any. */
u64 lkst_image_new_area(void)
{
	return atomic64_inc_return(&lkst_image_areas);
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
 * lkst_image_sign() - make header pages
 * @head: the page before the data
 * @head_physical: its address
 * @tail: the page behind it
 * @tail_physical: its address
 * @place: what the data is
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
		.area = place->area,
		.area_length = place->area_length,
		.offset = place->offset,
		.length = place->length,
		.extent = place->extent,
		.extent_num = place->extent_num,
		.cpu = place->cpu,
		.id = place->id,
		.long_size = sizeof(long),
	};
	memcpy(header->boot, lkst_image_uuid, sizeof(header->boot));
	memcpy(header->facts, lkst_image_metadata, sizeof(header->facts));
	memcpy(tail, head, LKST_IMAGE_PAGE);
	lkst_header_seal(head, 0, head_physical);
	lkst_header_seal(tail, 1, tail_physical);
}

/**
 * lkst_image_wipe() - unmake header pages
 * @head: the page before the data
 * @tail: the page behind it
 *
 * So that nobody takes what the memory holds next for an area. Context: any.
 */
void lkst_image_wipe(void *head, void *tail)
{
	memset(head, 0, LKST_IMAGE_PAGE);
	memset(tail, 0, LKST_IMAGE_PAGE);
}
