/* SPDX-License-Identifier: GPL-2.0 */
/* The lines of a file of folded stacks, each with the sum of its times. */
#ifndef _LKSTBUF_EXPORT_FOLDED_LINES_H
#define _LKSTBUF_EXPORT_FOLDED_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lkst_out;

/* Room for the longest line: a stack of 32 functions, whose names can have 511 bytes each */
#define FOLDED_LINE_SIZE (24 * 1024)

/**
 * struct folded_text - a line without its sum: frames with ";" between them
 * @len: length in bytes
 * @text: the frames; not terminated
 */
struct folded_text {
	size_t len;
	char text[FOLDED_LINE_SIZE];
};

/**
 * struct folded_lines - the lines. Initialize all members to 0
 * @num: number of lines
 * @bytes: memory that the lines take
 * @slots: number of slots: 0 or a power of two
 * @slot: hash table
 * @others_ns: sum of all lines for which there was no room
 */
struct folded_lines {
	size_t num;
	size_t bytes;
	size_t slots;
	struct folded_line **slot;
	int64_t others_ns;
};

void folded_text_add(struct folded_text *text, const char *frame);
int folded_lines_add(struct folded_lines *lines, const struct folded_text *text, int64_t ns);
int folded_lines_write(const struct folded_lines *lines, struct lkst_out *out);
void folded_lines_free(struct folded_lines *lines);

#endif
