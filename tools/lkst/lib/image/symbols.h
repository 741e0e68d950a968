/* SPDX-License-Identifier: LGPL-2.1 */
/* Finds symbols for the addresses in an image. */
#ifndef _LKST_LIB_IMAGE_SYMBOLS_H
#define _LKST_LIB_IMAGE_SYMBOLS_H

#include "lib/lkst.h"

struct image;
struct image_kernel;
struct image_selection;

/*
 * Get the symbols as text in the format of /proc/kallsyms, with their addresses in the boot that
 * @selection selects. Returns the descriptor of a temporary file; -1 on error. @kernel may be NULL.
 */
int image_symbols(const struct image *image, const struct image_selection *selection,
		  struct image_kernel *kernel, struct lkst_error *err);

#endif
