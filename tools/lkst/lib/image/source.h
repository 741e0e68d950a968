/* SPDX-License-Identifier: LGPL-2.1 */
/* Reads a memory image of any format at any offset. */
#ifndef _LKST_LIB_IMAGE_SOURCE_H
#define _LKST_LIB_IMAGE_SOURCE_H

#include <linux/lkst_image.h>
#include <linux/lkst_previous.h>
#include <sys/types.h>

#include "lib/lkst.h"

#define IMAGE_NOWHERE UINT64_MAX

/**
 * struct image_source - a memory image
 * @name: for messages
 * @form: name of its format: "raw memory", "ELF core", "kdump-compressed" or "previous boot"
 * @size: offset after the last byte that the image is known to contain
 * @physical: offsets are physical addresses; otherwise they are offsets in the file or the slot of
 *	reserved memory, and headers state their physical addresses
 * @next: returns the first offset at or after @at that has data, or IMAGE_NOWHERE; lets a scan skip
 *	holes
 * @read: reads up to @len bytes at @at, across pages if necessary; returns the number of bytes
 *	read, 0 if the byte at @at is missing, -1 on error. A missing page is not an error
 * @close: frees @ctx and everything that belongs to it
 * @ctx: passed to the functions
 * @unreadable: number of failed attempts to read a page that should be in the image: the file or
 *	medium is damaged, or access to the memory is denied
 */
struct image_source {
	char *name;
	const char *form;
	uint64_t size;
	bool physical;
	uint64_t (*next)(void *ctx, uint64_t at);
	ssize_t (*read)(void *ctx, void *buf, size_t len, uint64_t at, struct lkst_error *err);
	void (*close)(void *ctx);
	void *ctx;
	uint64_t unreadable;
};

/*
 * Check whether a file is a memory image rather than a trace or another file. Returns 1 if it is, 0
 * if not, -1 on error. Traces, ELF files, kdump-compressed and flattened files, and the formats
 * that file_kind() knows are recognized by their first bytes. Any other file of at least a page
 * counts as raw memory. A pipe, socket or directory does not count as a memory image.
 */
int image_is_one(int fd, struct lkst_error *err);
struct image_source *image_source_open(const char *path, struct lkst_error *err);
/* source_previous.c: reads with LKST_IOC_PREVIOUS_READ. */
struct image_source *image_source_previous(struct lkst_device *dev,
					   const struct lkst_previous_listent *boot,
					   struct lkst_error *err);
void image_source_close(struct image_source *source);

#define IMAGE_PAGE ((uint64_t)LKST_IMAGE_PAGE)

#endif
