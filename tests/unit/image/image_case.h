/* SPDX-License-Identifier: GPL-2.0 */
/* Shared by the tests of the image reader: an image, its first boot, and the result of a scan. */
#ifndef _IMAGE_CASE_H
#define _IMAGE_CASE_H

#include "lib/image/image.h"
#include "lib/image/source.h"
#include "mkimage.h"
#include "sample.h"
#include "tap.h"
#include "trace_case.h"

#define PAGE ((size_t)LKST_IMAGE_PAGE)

extern struct mkimage *memory;
extern struct mkboot boot;
extern struct image *image; /* result of the last scan */

/* Set up an image of @size bytes and boot 1 before a test, and free everything after the test. */
void image_case_begin(size_t size);
void image_case_end(void);
/* Scan the image, or another source. Afterwards, reports[] holds the reports of this scan. */
void scan(void);
void scan_source(struct image_source *source);

/* A member of a structure and a value for it */
struct member {
	size_t offset, size;
	uint64_t value;
};

#define MEMBER(type, member, v) \
	{ offsetof(struct type, member), sizeof(((struct type *)0)->member), v }

void set_member(void *structure, const struct member *member);

#endif
