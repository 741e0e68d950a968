/* SPDX-License-Identifier: LGPL-2.1 */
/* Reads text files, and parses text line by line. */
#ifndef _LKST_LIB_TEXT_TEXT_H
#define _LKST_LIB_TEXT_TEXT_H

#include <string.h>

#include "lib/lkst.h"

/**
 * struct text_format - a text format with one entry on each line
 * @name: name of the format, for error messages
 * @header: its first line; other lines that begin with # are comments
 * @line: parses a line, which it may modify; returns NULL, or a description of the error
 */
struct text_format {
	const char *name;
	const char *header;
	const char *(*line)(void *ctx, char *line);
};

/* Returned by struct text_format.line if an allocation fails. */
extern const char text_no_memory[];

char *text_copy(const char *text, size_t len);
char *text_copy_spared(const char *text, size_t len, size_t spare);
char *text_read(const char *path, size_t *len, struct lkst_error *err);
void text_first_line(const char *path, char *line, size_t size);
int text_parse(const struct text_format *format, char *text, const char *origin, void *ctx,
	       struct lkst_error *err);
char *text_word(char **line);

#endif
