// SPDX-License-Identifier: LGPL-2.1
/* Makes strings from any source safe to print. */
#include "printable.h"
#include "put.h"

/**
 * lkst_printable() - make a string safe to print
 * @text: any bytes
 * @len: length in bytes
 * @to: result, 0-terminated
 * @size: size of @to in bytes; a longer string is truncated
 *
 * Characters that could control a terminal, end the line or hide text become octal escapes, one for
 * each byte, and so does invalid UTF-8.
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
