// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "lib/base/put.h"
#include "wrap.h"

/* Return the length of a word after characters that could control a terminal have been escaped. */
static size_t wrap_length(const char *word, size_t len)
{
	size_t sum = 0;

	for (size_t i = 0, n; i < len; i += n) {
		n = put_printable_length(word + i, len - i);
		sum += n ? n : 4;
		n += !n;
	}
	return sum;
}

static void wrap_word(const char *word, size_t len, FILE *to)
{
	for (size_t i = 0, n; i < len; i += n) {
		char text[16];

		n = put_printable_length(word + i, len - i);
		n += !n;
		fwrite(text, 1, (size_t)(put_printable(text, word + i, n) - text), to);
	}
}

/**
 * wrap_text() - write a text, with line breaks at blanks
 * @text: text. It may contain names from the trace, so characters that could control a terminal are
 *	escaped
 * @column: column at which the text begins; further lines begin there, too
 * @width: width of the terminal in characters; 0: unlimited
 * @to: output
 */
void wrap_text(const char *text, size_t column, unsigned int width, FILE *to)
{
	size_t at = column;

	while (*text) {
		size_t len = strcspn(text, " "), shown = wrap_length(text, len);

		if (width && at > column && at + 1 + shown > width) {
			fprintf(to, "\n%*s", (int)column, "");
			at = column;
		} else if (at > column) {
			putc(' ', to);
			at++;
		}
		wrap_word(text, len, to);
		at += shown;
		text += len;
		text += strspn(text, " ");
	}
}
