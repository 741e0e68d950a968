/* SPDX-License-Identifier: LGPL-2.1 */
/* Reads the lists of names that the kernel keeps for readers of memory images. */
#ifndef _LKST_LIB_IMAGE_TEXTS_H
#define _LKST_LIB_IMAGE_TEXTS_H

#include <linux/lkst_image.h>

#include "lib/lkst.h"

struct image;

/*
 * Get a boot's newest complete list of @kind. The caller must free @text. Returns 1 on success; 0
 * if there is no such list; -1 on error.
 */
int image_text(const struct image *image, uint32_t boot, enum lkst_image_text_kind kind,
	       char **text, size_t *len, struct lkst_error *err);
/* Get all event types that the boot's kernel or this library knows. Returns NULL only on error. */
struct lkst_etypes *image_etypes(const struct image *image, uint32_t boot, struct lkst_error *err);

#endif
