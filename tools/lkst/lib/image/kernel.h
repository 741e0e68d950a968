/* SPDX-License-Identifier: LGPL-2.1 */
/* Reads the kernel's own memory in an image: symbols and processes. */
#ifndef _LKST_LIB_IMAGE_KERNEL_H
#define _LKST_LIB_IMAGE_KERNEL_H

#include <stdio.h>

#include "lib/lkst.h"

struct image;
struct image_boot;
struct image_kernel;
struct lkst_process;

struct image_kernel *image_kernel_open(const struct image *image, const struct image_boot *boot,
				       struct lkst_error *err);
/*
 * Write the symbols to a temporary file in the format of /proc/kallsyms. Returns the descriptor of
 * the file; -1 on error.
 */
int image_kernel_symbols(struct image_kernel *kernel, struct lkst_error *err);
struct lkst_process *image_kernel_processes(struct image_kernel *kernel, size_t *num,
					    struct lkst_error *err);
void image_kernel_close(struct image_kernel *kernel);

/* Read at a virtual address. Returns false unless all bytes are in the image. */
bool image_kernel_read(struct image_kernel *kernel, void *buf, size_t len, uint64_t address);
/* These functions return numbers in this machine's byte order. "long" is a long of the kernel. */
bool image_kernel_u32(struct image_kernel *kernel, uint64_t address, uint32_t *value);
bool image_kernel_long(struct image_kernel *kernel, uint64_t address, uint64_t *value);
unsigned int image_kernel_long_size(const struct image_kernel *kernel);
bool image_kernel_swapped(const struct image_kernel *kernel);

/* A number to get from the metadata of the kernel. */
struct image_kernel_number {
	const char *key;
	uint64_t *value;
};

/* Get several numbers. Fails if one is missing; @err names it. */
int image_kernel_numbers(const struct image_kernel *kernel, const struct image_kernel_number *number,
		       size_t num, struct lkst_error *err);
bool image_kernel_u64(const struct image_kernel *kernel, const char *key, uint64_t *value);

/* kallsyms.c, modules.c: write lines in the format of /proc/kallsyms. */
int image_kallsyms(struct image_kernel *kernel, FILE *to, struct lkst_error *err);
void image_modules(struct image_kernel *kernel, FILE *to);

#endif
