/* SPDX-License-Identifier: LGPL-2.1 */
/* Opens the trace files or the memory image that a component reads. */
#ifndef _BABELTRACE_INPUT_H
#define _BABELTRACE_INPUT_H

#include "lib/lkst.h"

/**
 * struct input_options - what to read
 * @num: number of files, at least 1
 * @path: their names: one memory image, or any number of trace files
 * @boot: of an image: UUID of the boot, or its beginning; NULL: the newest boot
 * @symbols: of an image: file with symbols; NULL: search the image for them
 * @report: called with one sentence about each problem that does not prevent reading; may be NULL
 * @ctx: passed to @report
 */
struct input_options {
	size_t num;
	const char **path;
	const char *boot;
	const char *symbols;
	void (*report)(void *ctx, const char *text);
	void *ctx;
};

/**
 * struct input - open input
 * @trace: the trace, which is temporary if the input is an image
 * @fd: descriptor of the temporary trace; -1: none
 */
struct input {
	struct lkst_trace *trace;
	int fd;
};

int input_is_image(const char *path, struct lkst_error *err);
int input_has_lkst(const char *path, struct lkst_error *err);
int input_open(struct input *input, const struct input_options *options, struct lkst_error *err);
void input_close(struct input *input);

#endif
