/* SPDX-License-Identifier: LGPL-2.1 */
/* The kernel's own memory in an image, by its virtual addresses. */
#ifndef _LKST_LIB_IMAGE_KERNEL_H
#define _LKST_LIB_IMAGE_KERNEL_H

#include "image.h"

/* All of it, or false; @err is only set by what ends the reading altogether. */
bool image_kernel_read(struct image_kernel *kernel, void *buf, size_t len, uint64_t address);
/* Numbers in the byte order of this machine; a long is one of the kernel's. */
bool image_kernel_u32(struct image_kernel *kernel, uint64_t address, uint32_t *value);
bool image_kernel_long(struct image_kernel *kernel, uint64_t address, uint64_t *value);
unsigned int image_kernel_long_size(const struct image_kernel *kernel);
bool image_kernel_swapped(const struct image_kernel *kernel);

/* What the image says of its kernel. */
struct image_kernel_u64 {
	const char *key;
	uint64_t *value;
};

/* All of them; else @err names the one that is missing. */
int image_kernel_numbers(const struct image_kernel *kernel, const struct image_kernel_u64 *fact,
		       size_t num, struct lkst_error *err);
bool image_kernel_u64(const struct image_kernel *kernel, const char *key, uint64_t *value);

/* image_kallsyms.c, image_modules.c: lines as in /proc/kallsyms. */
int image_kallsyms(struct image_kernel *kernel, FILE *to, struct lkst_error *err);
void image_modules(struct image_kernel *kernel, FILE *to);

#endif
