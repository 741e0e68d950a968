/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reserved memory, which survives a reset: boot parameters lkst.reserved=,
 * lkst.boots= and lkst.overwrite. Each boot uses one slot of it.
 */
#ifndef _LKST_RESERVED_H
#define _LKST_RESERVED_H

#include <linux/types.h>
#include <linux/lkst_previous.h>

struct iov_iter;

/*
 * Take a slot for this boot, if memory is reserved. Must be called after
 * lkst_image_init(), and before any lkst_region is allocated.
 */
void lkst_reserved_init(void);
void lkst_reserved_end(void);

/*
 * Allocate zeroed, contiguous memory in this boot's slot. @bytes must be a
 * multiple of LKST_IMAGE_PAGE. Returns NULL if this boot has no slot, or if the
 * slot is full. May sleep.
 */
void *lkst_reserved_alloc(size_t bytes, phys_addr_t *physical);
void lkst_reserved_free(void *address, size_t bytes);

/* Carry out the ioctls LKST_IOC_PREVIOUS_*. May sleep. Return 0 or -EINVAL. */
int lkst_previous_list(struct lkst_previous_listparam *param);
int lkst_previous_read(struct lkst_previous_readparam *param, struct iov_iter *to);
int lkst_previous_done(const struct lkst_previous_doneparam *param);

#endif
