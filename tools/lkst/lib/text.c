// SPDX-License-Identifier: LGPL-2.1
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "messages.h"
#include "put.h"
#include "text.h"

#define FILE_MAX (16 * 1024 * 1024)

const char text_no_memory[] = "no memory";

/**
 * lkst_printable() - text from anywhere, as it can be printed
 * @text: any bytes
 * @len: how many
 * @to: result, ends with 0
 * @size: of @to; what has no room is cut off
 *
 * A character that could control a terminal, end the line or hide text becomes octal escapes,
 * byte by byte, as does what is no UTF-8.
 *
 * Return: @to.
 */
char *lkst_printable(const char *text, size_t len, char *to, size_t size)
{
	char *p = to, *end = to + size - 1;

	for (size_t i = 0, n; i < len; i += n) {
		n = put_printable_length(text + i, len - i);
		if ((n ? n : 4) > (size_t)(end - p))
			break;
		n += !n;
		p = put_printable(p, text + i, n);
	}
	*p = 0;
	return to;
}

/**
 * text_copy_spared() - a text that may be written to, with memory behind it
 * @text: need not end with 0
 * @len: bytes
 * @spare: bytes behind it, all 0
 *
 * Return: ends with 0, to be freed; NULL when there is no memory.
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
 * text_copy() - a text that may be written to
 * @text: need not end with 0
 * @len: bytes
 *
 * Return: ends with 0, to be freed; NULL when there is no memory.
 */
char *text_copy(const char *text, size_t len)
{
	return text_copy_spared(text, len, 0);
}

/**
 * text_read() - a whole file, however it reports its size: files in /proc say 0
 * @path: file
 * @len: bytes, without the 0 that is put behind them
 * @err: why not
 *
 * Return: to be freed.
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
 * text_first_line() - the first line of a small file
 * @path: file
 * @line: result, "" when there is none
 * @size: of @line
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
 * text_parse() - go through a text
 * @format: what it should be
 * @text: is written to
 * @origin: file name, for errors
 * @ctx: for the function that takes the lines
 * @err: what is wrong, with the line
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
		if (!number++ && strcmp(line, format->head)) {
			lkst_error_set(err, LKST_ERR_FORMAT, MSG_TEXT_HEAD, origin, format->what,
				       format->head);
			return -1;
		}
		if (line[0] == '#' || !line[strspn(line, " \t")])
			continue;
		snprintf(shown, sizeof(shown), "%s", line);
		problem = format->line(ctx, line);
		if (!problem)
			continue;
		if (problem == text_no_memory)
			lkst_error_memory(err, format->what);
		else
			lkst_error_set(err, LKST_ERR_FORMAT, MSG_TEXT_LINE, origin, number, problem,
				       shown);
		return -1;
	}
	return 0;
}

/**
 * text_word() - cut the next word off a line
 * @line: the rest of it, then what follows the word
 *
 * Return: the word, "" at the end of the line.
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
