/* SPDX-License-Identifier: GPL-2.0 */
/* Reads a memory image or a previous boot, for lkstbuf read and print. */
#ifndef _IMAGE_READING_H
#define _IMAGE_READING_H

#include "lib/lkst.h"

struct lkst_trace_writer;

/**
 * struct image_arguments - what to read
 * @path: memory image; NULL: a previous boot
 * @boot: UUID of the boot, or the beginning of the UUID. NULL: with @path, the newest boot in the
 *	image; without @path, the newest unread boot or, if all boots have been read, the newest
 * @symbols: file with symbols; NULL: search the image for them
 * @cpu: CPU to read; -1: all
 * @id: id of the buffers to read; -1: all
 * @static_buffer: read only the static buffer
 * @stop: flag that a signal handler sets to stop reading; may be NULL
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
