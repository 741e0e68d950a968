/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Memory that was set aside at boot and outlives it: boot parameters lkst.reserved=, lkst.boots=,
 * lkst.overwrite. Each boot has a part of it.
 */
#ifndef _LKST_RESERVED_H
#define _LKST_RESERVED_H

#include <linux/types.h>
#include <linux/lkst_previous.h>

struct iov_iter;

/* Take a part for this boot, if memory was set aside; after lkst_image_init(), before any area. */
void lkst_reserved_init(void);
void lkst_reserved_end(void);

/* @bytes, a multiple of LKST_IMAGE_PAGE, zeroed and contiguous; NULL: there is none. May sleep. */
void *lkst_reserved_alloc(size_t bytes, phys_addr_t *physical);
void lkst_reserved_free(void *address, size_t bytes);

/* For the device; may sleep. 0 or -EINVAL. */
int lkst_previous_list(struct lkst_previous_listparam *param);
int lkst_previous_read(struct lkst_previous_readparam *param, struct iov_iter *to);
int lkst_previous_done(const struct lkst_previous_doneparam *param);

#endif
