/* SPDX-License-Identifier: LGPL-2.1 */
/* Lists and reads the previous boots in reserved memory, and marks them as read. */
#ifndef _LKST_LIB_DEVICE_PREVIOUS_H
#define _LKST_LIB_DEVICE_PREVIOUS_H

#include <linux/lkst_image.h>
#include <linux/lkst_previous.h>
#include <sys/types.h>

#include "lib/lkst.h"

#define LKST_BOOT_TEXT	37	/* size of a boot's UUID as text, including the terminating 0 */

void lkst_boot_text(const uint8_t id[LKST_IMAGE_BOOT_LEN], char text[LKST_BOOT_TEXT]);
bool lkst_boot_begins(const char *text, const char *id);

/**
 * struct lkst_previous - reserved memory, and the boots in it
 * @num: number of entries in @boot
 * @boot: previous boots, oldest first
 * @slot_num: number of slots; 0: no memory is reserved, or it cannot be used
 * @slot_size: size of a slot in bytes
 * @own: slot to which the running kernel records; -1 if it does not record to reserved memory
 */
struct lkst_previous {
	size_t num;
	struct lkst_previous_listent boot[LKST_IMAGE_BOOT_SLOTS_MAX];
	uint32_t slot_num;
	uint64_t slot_size;
	int32_t own;
};

int lkst_previous_get(struct lkst_device *dev, struct lkst_previous *previous,
		      struct lkst_error *err);
size_t lkst_previous_unread(const struct lkst_previous *previous);
const struct lkst_previous_listent *lkst_previous_find(const struct lkst_previous *previous,
						       const char *id, struct lkst_error *err);
ssize_t lkst_previous_read(struct lkst_device *dev, const uint8_t boot[LKST_IMAGE_BOOT_LEN],
			   void *buf, size_t len, uint64_t offset, struct lkst_error *err);
int lkst_previous_done(struct lkst_device *dev, const uint8_t boot[LKST_IMAGE_BOOT_LEN],
		       struct lkst_error *err);

#endif
