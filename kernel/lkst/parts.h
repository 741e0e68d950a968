/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How memory that outlives a reset is divided: a part for each boot, struct lkst_image_part.
 */
#ifndef _LKST_PARTS_H
#define _LKST_PARTS_H

#include <linux/sizes.h>
#include <linux/types.h>
#include <linux/lkst_previous.h>

#define LKST_BOOT_SLOT_SIZE_MIN	SZ_64K

/**
 * struct lkst_boot_slots - memory set aside
 * @base: where it is mapped; begins at a multiple of LKST_IMAGE_PAGE
 * @physical: its address
 * @size: bytes
 * @part_size: bytes of a part, both header pages included
 * @part_num: parts, one behind the other from @base on
 * @own: the part that this boot has, or -1
 *
 * After lkst_boot_slots_claim() only the states of parts change, and in lkst_boot_slots_restore() all that is
 * in them; the caller sees to it that one changes at a time, and that nobody reads them meanwhile.
 */
struct lkst_boot_slots {
	void *base;
	phys_addr_t physical;
	size_t size;
	size_t part_size;
	unsigned int part_num;
	int own;
};

/**
 * struct lkst_boot_slots_copy - what the memory was at some moment, to return to it
 * @data: this boot's part: part_size bytes, of the caller's
 * @list: the other boots that were there
 * @num: entries of @list
 */
struct lkst_boot_slots_copy {
	void *data;
	struct lkst_previous_listent list[LKST_IMAGE_PARTS_MAX];
	unsigned int num;
};

/* What lkst_boot_slots_divide() has found. */
enum lkst_parts_found {
	LKST_BOOT_SLOTS_AS_WANTED,	/* parts as they are to be, or nothing that anybody waits for */
	LKST_BOOT_SLOTS_OTHERS,	/* unread boots in other parts */
	LKST_BOOT_SLOTS_ASTRAY,	/* unread boots in parts that do not fit in, or together */
};

enum lkst_parts_found lkst_boot_slots_divide(struct lkst_boot_slots *parts, unsigned int num);
void lkst_boot_slots_clear(struct lkst_boot_slots *parts);
int lkst_boot_slots_claim(struct lkst_boot_slots *parts, bool overwrite);
void *lkst_boot_slots_start(const struct lkst_boot_slots *parts, unsigned int part);
unsigned int lkst_boot_slots_list(const struct lkst_boot_slots *parts,
			     struct lkst_previous_listent list[LKST_IMAGE_PARTS_MAX]);
int lkst_boot_slots_find(const struct lkst_boot_slots *parts, const u8 boot[LKST_IMAGE_BOOT_LEN]);
void lkst_boot_slots_mark_read(struct lkst_boot_slots *parts, unsigned int part);
void lkst_boot_slots_save(const struct lkst_boot_slots *parts, struct lkst_boot_slots_copy *copy);
bool lkst_boot_slots_restore(struct lkst_boot_slots *parts, const struct lkst_boot_slots_copy *copy);

#endif
