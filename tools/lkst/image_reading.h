/* SPDX-License-Identifier: GPL-2.0 */
/* Reading an image of memory, or what a previous boot has left: lkstbuf read and print. */
#ifndef _IMAGE_READING_H
#define _IMAGE_READING_H

#include "lib/liblkst.h"

/**
 * struct image_arguments - what to read
 * @path: image; NULL: what a previous boot has left
 * @boot: id of the boot, or how it begins; NULL: the newest
 * @symbols: file with symbols; NULL: they are looked for
 * @cpu: -1: all
 * @id: -1: all
 * @static_buffer: that one and no other
 * @stop: set by a signal handler: give up. May be NULL
 */
struct image_arguments {
	const char *path;
	const char *boot;
	const char *symbols;
	int32_t cpu;
	int32_t id;
	bool static_buffer;
	const volatile int *stop;
};

struct image_reading;

struct image_reading *image_reading_open(const struct image_arguments *args,
					 struct lkst_error *err);
int image_reading_write(struct image_reading *reading, struct lkst_trace_writer *writer,
			struct lkst_error *err);
int image_reading_done(struct image_reading *reading, struct lkst_error *err);
void image_reading_close(struct image_reading *reading);

#endif
