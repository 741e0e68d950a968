/* SPDX-License-Identifier: LGPL-2.1 */
/* Reads the lists of names that the kernel keeps for readers of memory images. */
#ifndef _LKST_LIB_IMAGE_TEXTS_H
#define _LKST_LIB_IMAGE_TEXTS_H

#include <linux/lkst_image.h>

#include "lib/lkst.h"

struct image;

/*
 * Get a boot's newest complete list of @kind, which the caller frees. Returns 1 if there is one; 0
 * if not; -1 on error.
 */
int image_text(const struct image *image, uint32_t boot, enum lkst_image_text_kind kind,
	       char **text, size_t *len, struct lkst_error *err);
/* Get the event types of the boot and of this library. Returns NULL only on error. */
struct lkst_etypes *image_etypes(const struct image *image, uint32_t boot, struct lkst_error *err);

#endif
