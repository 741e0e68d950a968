/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * The formats of memory images. Each format has a C file that opens images of this format, and
 * source.c recognizes the format.
 */
#ifndef _LKST_LIB_IMAGE_FORMS_H
#define _LKST_LIB_IMAGE_FORMS_H

#include <sys/types.h>

#include "lib/lkst.h"

struct image_source;

#define FLAT_MAGIC "makedumpfile" /* padded to 16 bytes with zeros */

ssize_t image_pread(int fd, void *buf, size_t len, uint64_t at);
ssize_t image_read_pages(struct image_source *source, int fd, void *buf, size_t len, uint64_t at,
			 struct lkst_error *err);

/* These functions take ownership of the descriptor, even on failure. */
struct image_source *image_raw_open(int fd, const char *path, struct lkst_error *err);
struct image_source *image_elf_open(int fd, const char *path, struct lkst_error *err);
struct image_source *image_kdump_open(int fd, const char *path, struct lkst_error *err);
/* Convert a flattened file into an unnamed temporary file. Returns its descriptor; -1 on error. */
int image_flat_to_file(int fd, const char *path, struct lkst_error *err);

/* Allocate a source. The functions that open an image call this, and set the remaining members. */
struct image_source *image_source_new(const char *name, const char *form, void *ctx,
				      struct lkst_error *err);

#endif
