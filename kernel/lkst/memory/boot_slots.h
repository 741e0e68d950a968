/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Divide reserved memory, which survives a reset, into slots, one for each boot
 * (struct lkst_image_boot_slot).
 */
#ifndef _LKST_BOOT_SLOTS_H
#define _LKST_BOOT_SLOTS_H

#include <linux/sizes.h>
#include <linux/types.h>
#include <linux/lkst_previous.h>

#define LKST_BOOT_SLOT_SIZE_MIN	SZ_64K

/**
 * struct lkst_boot_slots - reserved memory
 * @base: address at which the memory is mapped; a multiple of LKST_IMAGE_PAGE
 * @physical: physical address of @base
 * @size: size in bytes
 * @slot_size: size of a slot in bytes, including its two header pages
 * @slot_num: number of slots, which follow one another, starting at @base
 * @own: number of this boot's slot, or -1
 *
 * After lkst_boot_slots_claim(), the functions below change only the states of
 * slots, except that lkst_boot_slots_restore() changes all contents. The caller
 * must ensure that only one change is made at a time, and that nothing reads
 * the slots during the change.
 */
struct lkst_boot_slots {
	void *base;
	phys_addr_t physical;
	size_t size;
	size_t slot_size;
	unsigned int slot_num;
	int own;
};

/**
 * struct lkst_boot_slots_copy - a copy of this boot's slot, for hibernation
 * @data: contents of the slot, slot_size bytes; owned by the caller
 * @list: the previous boots when the copy was made
 * @num: number of entries of @list
 */
struct lkst_boot_slots_copy {
	void *data;
	struct lkst_previous_listent list[LKST_IMAGE_BOOT_SLOTS_MAX];
	unsigned int num;
};

/* Result of lkst_boot_slots_divide(). */
enum lkst_boot_slots_found {
	LKST_BOOT_SLOTS_AS_REQUESTED,	/* divided as requested */
	LKST_BOOT_SLOTS_AS_UNREAD,	/* divided as unread boots require */
	LKST_BOOT_SLOTS_CONFLICT,	/* no division fits all unread boots */
};

enum lkst_boot_slots_found lkst_boot_slots_divide(struct lkst_boot_slots *slots, unsigned int num);
void lkst_boot_slots_clear(struct lkst_boot_slots *slots);
int lkst_boot_slots_claim(struct lkst_boot_slots *slots, bool overwrite);
void *lkst_boot_slots_start(const struct lkst_boot_slots *slots, unsigned int slot);
unsigned int lkst_boot_slots_list(const struct lkst_boot_slots *slots,
				  struct lkst_previous_listent list[LKST_IMAGE_BOOT_SLOTS_MAX]);
int lkst_boot_slots_find(const struct lkst_boot_slots *slots, const u8 boot[LKST_IMAGE_BOOT_LEN]);
void lkst_boot_slots_mark_read(struct lkst_boot_slots *slots, unsigned int slot);
void lkst_boot_slots_save(const struct lkst_boot_slots *slots, struct lkst_boot_slots_copy *copy);
bool lkst_boot_slots_restore(struct lkst_boot_slots *slots,
			     const struct lkst_boot_slots_copy *copy);

#endif
