/* SPDX-License-Identifier: LGPL-2.1 */
/* Text files: read whole, and read line by line. */
#ifndef _LKST_TEXT_H
#define _LKST_TEXT_H

#include "liblkst.h"

/**
 * struct text_format - a kind of text that has one thing on each line
 * @what: it is, for errors
 * @head: its first line; other lines that begin with # are comments
 * @line: takes a line, which it may write to. Returns NULL, or what is wrong with it
 */
struct text_format {
	const char *what;
	const char *head;
	const char *(*line)(void *ctx, char *line);
};

/* What @line returns when there is no memory. */
extern const char text_no_memory[];

char *text_copy(const char *text, size_t len);
char *text_copy_spared(const char *text, size_t len, size_t spare);
char *text_read(const char *path, size_t *len, struct lkst_error *err);
void text_first_line(const char *path, char *line, size_t size);
int text_parse(const struct text_format *format, char *text, const char *origin, void *ctx,
	       struct lkst_error *err);
char *text_word(char **line);

#endif
