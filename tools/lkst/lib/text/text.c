// SPDX-License-Identifier: LGPL-2.1
/* Reads text files, and parses text line by line. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "lib/base/error.h"
#include "lib/base/put.h"
#include "messages.h"
#include "text.h"

#define FILE_MAX (16 * 1024 * 1024)

const char text_no_memory[] = "no memory";

/**
 * text_copy_spared() - make a writable copy of a string, followed by zero bytes
 * @text: need not be 0-terminated
 * @len: length in bytes
 * @spare: number of 0 bytes to add, so that put_spared() can read beyond the end of a string
 *
 * Return: 0-terminated copy, to be freed by the caller; NULL if an allocation fails.
 */
char *text_copy_spared(const char *text, size_t len, size_t spare)
{
	char *copy = malloc(len + 1 + spare);

	if (copy) {
		memcpy(copy, text, len);
		memset(copy + len, 0, 1 + spare);
	}
	return copy;
}

/**
 * text_copy() - make a writable copy of a string
 * @text: need not be 0-terminated
 * @len: length in bytes
 *
 * Return: 0-terminated copy, to be freed by the caller; NULL if an allocation fails.
 */
char *text_copy(const char *text, size_t len)
{
	return text_copy_spared(text, len, 0);
}

/**
 * text_read() - read a file; works for files in /proc, which report size 0
 * @path: file
 * @len: set to the length in bytes, without the terminating 0 that is added
 * @err: set on failure
 *
 * Stops reading without an error when it has read FILE_MAX bytes or more.
 *
 * Return: the text, to be freed by the caller; NULL on failure.
 */
char *text_read(const char *path, size_t *len, struct lkst_error *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t cap = 64 * 1024;
	char *text = NULL;
	ssize_t n;

	*len = 0;
	if (fd < 0) {
		lkst_error_system(err, errno, path, "open");
		return NULL;
	}
	do {
		char *grown = *len + 4096 > cap || !text ? realloc(text, (cap *= 2) + 1) : text;

		if (!grown) {
			lkst_error_memory(err, path);
			goto fail;
		}
		text = grown;
		n = read(fd, text + *len, cap - *len);
		if (n < 0) {
			lkst_error_system(err, errno, path, "read");
			goto fail;
		}
		*len += (size_t)n;
	} while (n && *len < FILE_MAX);
	close(fd);
	text[*len] = 0;
	return text;

fail:
	free(text);
	close(fd);
	return NULL;
}

/**
 * text_first_line() - read the first line of a small file
 * @path: file
 * @line: result; "" on failure
 * @size: size of @line in bytes
 */
void text_first_line(const char *path, char *line, size_t size)
{
	FILE *from = fopen(path, "re");

	line[0] = 0;
	if (!from)
		return;
	if (!fgets(line, (int)size, from))
		line[0] = 0;
	line[strcspn(line, "\n")] = 0;
	fclose(from);
}

/**
 * text_parse() - parse text line by line
 * @format: expected format
 * @text: text, which is modified
 * @origin: file name, for error messages
 * @ctx: passed to the function that parses a line
 * @err: set if the text is invalid; names the line
 */
int text_parse(const struct text_format *format, char *text, const char *origin, void *ctx,
	       struct lkst_error *err)
{
	unsigned int number = 0;
	char *next;

	for (char *line = text; line; line = next) {
		const char *problem;
		char shown[61];

		next = strchr(line, '\n');
		if (next)
			*next++ = 0;
		if (!number++ && strcmp(line, format->header)) {
			lkst_error_set(err, LKST_ERR_FORMAT, MSG_TEXT_HEADER, origin, format->name,
				       format->header);
			return -1;
		}
		if (line[0] == '#' || !line[strspn(line, " \t")])
			continue;
		snprintf(shown, sizeof(shown), "%s", line);
		problem = format->line(ctx, line);
		if (!problem)
			continue;
		if (problem == text_no_memory)
			lkst_error_memory(err, format->name);
		else
			lkst_error_set(err, LKST_ERR_FORMAT, MSG_TEXT_LINE, origin, number, problem,
				       shown);
		return -1;
	}
	return 0;
}

/**
 * text_word() - cut the next word off a line
 * @line: rest of the line; updated
 *
 * Return: the word; "" at the end of the line.
 */
char *text_word(char **line)
{
	char *word = *line + strspn(*line, " \t"), *end = word + strcspn(word, " \t");

	*line = end;
	if (*end) {
		*end = 0;
		*line = end + 1;
	}
	return word;
}
