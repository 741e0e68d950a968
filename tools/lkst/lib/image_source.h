/* SPDX-License-Identifier: LGPL-2.1 */
/* The forms of images among themselves: each file opens one, image_source.c knows them all. */
#ifndef _LKST_LIB_IMAGE_FORMS_H
#define _LKST_LIB_IMAGE_FORMS_H

#include "image.h"

#define IMAGE_PAGE ((uint64_t)LKST_IMAGE_PAGE)

#define FLAT_MAGIC "makedumpfile" /* and zeroes up to 16 bytes */

ssize_t image_pread(int fd, void *buf, size_t len, uint64_t at);
ssize_t image_read_pages(struct image_source *source, int fd, void *buf, size_t len, uint64_t at,
			 struct lkst_error *err);

/* They take the descriptor, also when they fail. */
struct image_source *image_raw_open(int fd, const char *path, struct lkst_error *err);
struct image_source *image_elf_open(int fd, const char *path, struct lkst_error *err);
struct image_source *image_kdump_open(int fd, const char *path, struct lkst_error *err);
/* A file without a name that has what a flattened one says. */
int image_flat_to_file(int fd, const char *path, struct lkst_error *err);

/* For them: what is to be known is filled in by each. */
struct image_source *image_source_new(const char *name, const char *form, void *ctx,
				      struct lkst_error *err);

#endif
