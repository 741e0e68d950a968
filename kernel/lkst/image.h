/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What makes LKST's memory readable from an image of it: linux/lkst_image.h.
 */
#ifndef _LKST_IMAGE_H
#define _LKST_IMAGE_H

#include <linux/types.h>
#include <linux/lkst_image.h>

struct lkst_region;
struct lkst_session;

/**
 * struct lkst_image_place - which extent of which area a pair of header pages belongs to
 * @kind: enum lkst_image_kind
 * @cpu: as in struct lkst_image_header
 * @id: likewise
 * @area: likewise
 * @area_length: likewise
 * @offset: likewise
 * @length: likewise
 * @extent: likewise
 * @extent_num: likewise
 */
struct lkst_image_place {
	u32 kind;
	s32 cpu;
	s32 id;
	u64 area;
	u64 area_length;
	u64 offset;
	u64 length;
	u32 extent;
	u32 extent_num;
};

/* Makes the UUID and the facts; before the first area. */
void lkst_image_init(void);
const u8 *lkst_image_boot(void);
u64 lkst_image_new_area(void);
/* @head, @tail: the pages before and behind the data, zeroed or not; any context. */
void lkst_image_sign(void *head, phys_addr_t head_physical, void *tail, phys_addr_t tail_physical,
		     const struct lkst_image_place *place);
/* So that nobody takes what the memory holds next for an area. */
void lkst_image_wipe(void *head, void *tail);

/* Of a buffer. Any context, NMI included; by its CPU, or while that does not run. */
void lkst_image_session(struct lkst_region *area, const struct lkst_session *stretch, u64 lap);
void lkst_image_lap(struct lkst_region *area, u64 lap);

/* The event types have changed, or are known for the first time: may sleep. */
void lkst_image_texts_changed(void);
void lkst_image_start(void);
void lkst_image_stop(void);

#endif
