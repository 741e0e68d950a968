// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "wrap.h"

/**
 * wrap_text() - write a text, with line breaks at blanks
 * @text: text
 * @column: column at which it begins, and at which each further line begins
 * @width: width of the terminal in characters; 0: unlimited
 * @to: output
 */
void wrap_text(const char *text, size_t column, unsigned int width, FILE *to)
{
	size_t at = column;

	while (*text) {
		size_t len = strcspn(text, " ");

		if (width && at > column && at + 1 + len > width) {
			fprintf(to, "\n%*s", (int)column, "");
			at = column;
		} else if (at > column) {
			putc(' ', to);
			at++;
		}
		fwrite(text, 1, len, to);
		at += len;
		text += len;
		text += strspn(text, " ");
	}
}
