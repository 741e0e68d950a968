// SPDX-License-Identifier: LGPL-2.1
/* Reads the slots of a buffer in an image, IMAGE_BATCH_SLOTS at a time. */
#include <byteswap.h>
#include <linux/lkst_image.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "image.h"
#include "lib/base/error.h"
#include "lib/text/etypes.h"
#include "ring.h"

#define SLOT	   sizeof(struct lkst_event_record)
#define PAGE_SLOTS (LKST_IMAGE_PAGE / SLOT)

_Static_assert(LKST_IMAGE_PAGE % SLOT == 0, "a page that is missing takes whole slots with it");

/*
 * Fill in @texts and @known. User-defined event types may occur even if the kernel's list of event
 * types is lost.
 */
static void slots_set_types(struct image_slots *slots, const struct lkst_etypes *types)
{
	for (int i = 0; i < LKST_ETYPE_NUM; i++) {
		const struct lkst_etype *type = types->type[i];

		slots->known[i] = type || (i >= LKST_ETYPE_USER_MIN && i <= LKST_ETYPE_USER_MAX);
		if (type)
			slots->texts[i] = (uint8_t)lkst_etype_texts(type);
	}
}

/**
 * image_slots_open() - prepare to read the slots of a region
 * @slots: result; the caller must close it even after an error
 * @image: image
 * @region: region that begins with records
 * @num: number of slots
 * @types: event types that may occur
 * @err: set if an allocation fails
 */
int image_slots_open(struct image_slots *slots, const struct image *image,
		     const struct image_region *region, uint64_t num,
		     const struct lkst_etypes *types, struct lkst_error *err)
{
	const struct image_boot *boot = &image->boot[region->boot];

	memset(slots, 0, sizeof(*slots));
	slots->image = image;
	slots->region = region;
	slots->swapped = boot->swapped;
	slots->word = boot->long_size == 4 ? UINT32_MAX : UINT64_MAX;
	slots->num = num;
	slots->raw = malloc(IMAGE_BATCH_SLOTS * SLOT);
	slots->absent = malloc(IMAGE_BATCH_SLOTS * sizeof(*slots->absent));
	if (!slots->raw || !slots->absent) {
		lkst_error_memory(err, "records of an image");
		return -1;
	}
	slots_set_types(slots, types);
	return 0;
}

/**
 * image_slots_close() - free the slots
 * @slots: opened, or all zero
 */
void image_slots_close(struct image_slots *slots)
{
	free(slots->raw);
	free(slots->absent);
	slots->raw = NULL;
	slots->absent = NULL;
}

static bool image_slots_is_blank(const struct lkst_event_record *page)
{
	const char *p = (const char *)page;

	return !*p && !memcmp(p, p + 1, LKST_IMAGE_PAGE - 1);
}

/* Mark the slots of pages that are all 0. */
static void slots_mark_blank(struct image_slots *slots)
{
	for (uint64_t i = 0; i + PAGE_SLOTS <= slots->loaded; i += PAGE_SLOTS)
		if (slots->absent[i] == IMAGE_SLOT_RECORD && image_slots_is_blank(&slots->raw[i]))
			memset(&slots->absent[i], IMAGE_SLOT_BLANK, PAGE_SLOTS);
}

/*
 * Read a batch of slots, beginning with the page of @slot. If a slot is not completely in the
 * image, this slot and the rest of its page are marked as missing.
 */
static int image_slots_load(struct image_slots *slots, uint64_t slot, struct lkst_error *err)
{
	uint64_t offset, len, at = 0;

	slot -= slot % PAGE_SLOTS;
	offset = slot * SLOT;
	len = (slots->num - slot) * SLOT;

	if (len > IMAGE_BATCH_SLOTS * SLOT)
		len = IMAGE_BATCH_SLOTS * SLOT;
	slots->first = slot;
	slots->loaded = len / SLOT;
	memset(slots->absent, IMAGE_SLOT_RECORD, slots->loaded * sizeof(*slots->absent));
	while (at < len) {
		uint64_t page = LKST_IMAGE_PAGE - (offset + at) % LKST_IMAGE_PAGE, end;
		ssize_t n = image_region_read(slots->image, slots->region, (char *)slots->raw + at,
					      len - at, offset + at, err);

		if (n < 0) {
			slots->loaded = 0;
			return -1;
		}
		at += (uint64_t)n / SLOT * SLOT;
		if (n && (uint64_t)n % SLOT == 0)
			continue;
		page = LKST_IMAGE_PAGE - (offset + at) % LKST_IMAGE_PAGE;
		end = at + page < len ? at + page : len;
		for (; at < end; at += SLOT)
			slots->absent[at / SLOT] = IMAGE_SLOT_MISSING;
	}
	slots_mark_blank(slots);
	return 0;
}

static void slots_swap_record(const struct image_slots *slots, struct lkst_event_record *record)
{
	record->clock = bswap_64(record->clock);
	record->event_type = bswap_16(record->event_type);
	record->flags = bswap_16(record->flags);
	record->thread = bswap_32(record->thread);
	record->pid = bswap_32(record->pid);
	record->pgrp = bswap_32(record->pgrp);
	record->uid = bswap_32(record->uid);
	record->gid = bswap_32(record->gid);
	for (int i = 0; i < 4; i++)
		if (record->event_type >= LKST_ETYPE_NUM ||
		    !(slots->texts[record->event_type] >> i & 1))
			record->arg[i] = bswap_64(record->arg[i]);
}

/**
 * image_slot() - read a slot
 * @slots: slots; reading them in order is fastest
 * @slot: index, less than @slots->num
 * @record: set to the record
 * @err: set on failure
 *
 * Return: what the slot contains; IMAGE_SLOT_ERROR on failure.
 */
enum image_slot image_slot(struct image_slots *slots, uint64_t slot,
			   struct lkst_event_record *record, struct lkst_error *err)
{
	if ((slot < slots->first || slot - slots->first >= slots->loaded) &&
	    image_slots_load(slots, slot, err))
		return IMAGE_SLOT_ERROR;
	if (slots->absent[slot - slots->first] != IMAGE_SLOT_RECORD)
		return (enum image_slot)slots->absent[slot - slots->first];
	*record = slots->raw[slot - slots->first];
	if (slots->swapped)
		slots_swap_record(slots, record);
	if (!(record->clock & slots->word))
		return IMAGE_SLOT_EMPTY;
	return record->event_type < LKST_ETYPE_NUM && slots->known[record->event_type] ?
		       IMAGE_SLOT_RECORD :
		       IMAGE_SLOT_INVALID;
}
