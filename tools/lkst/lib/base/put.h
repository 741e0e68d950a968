/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Functions that write text at @p and return a pointer to its end. The caller ensures that there is
 * room for the text and PUT_SPARE more bytes. This lets put_spared() copy PUT_SPARE bytes even if
 * the string is shorter: the size is constant, so the compiler can inline the memcpy().
 */
#ifndef _LKST_PUT_H
#define _LKST_PUT_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>


#define PUT_SPARE 32

extern const char put_two_digits[]; /* "000102...99" */

static inline char *put_char(char *p, char c)
{
	*p = c;
	return p + 1;
}

static inline char *put_bytes(char *p, const char *text, size_t len)
{
	memcpy(p, text, len);
	return p + len;
}

static inline char *put_text(char *p, const char *text)
{
	return __builtin_constant_p(strlen(text)) ? put_bytes(p, text, strlen(text)) :
						    stpcpy(p, text);
}

/*
 * Write @len bytes of a string. PUT_SPARE bytes at @text must be readable, even if @len is smaller.
 */
static inline char *put_spared(char *p, const char *text, size_t len)
{
	memcpy(p, text, PUT_SPARE);
	if (len > PUT_SPARE)
		memcpy(p + PUT_SPARE, text + PUT_SPARE, len - PUT_SPARE);
	return p + len;
}

/*
 * Pad with spaces up to @to, which must be at most PUT_SPARE bytes after @p. If @p is already
 * beyond @to, add no padding.
 */
static inline char *put_blanks(char *p, char *to)
{
	memset(p, ' ', PUT_SPARE);
	return p < to ? to : p;
}

static inline char *put_two(char *p, unsigned int value)
{
	memcpy(p, put_two_digits + 2 * value, 2);
	return p + 2;
}

/* Write a number below 1000 as three decimal digits, with leading zeros. */
static inline char *put_3_digits(char *p, uint32_t value)
{
	return put_two(put_char(p, (char)('0' + value / 100)), value % 100);
}

static inline char *put_9_digits(char *p, uint32_t value)
{
	uint32_t high = value / 100000, low = value % 100000;

	p = put_two(put_two(p, high / 100), high % 100);
	return put_3_digits(put_two(p, low / 1000), low % 1000);
}

char *put_long_udec(char *p, uint64_t value);

static inline char *put_udec(char *p, uint64_t value)
{
	if (value < 10)
		return put_char(p, (char)('0' + value));
	return value < 100 ? put_two(p, (unsigned int)value) : put_long_udec(p, value);
}

static inline char *put_dec(char *p, int64_t value)
{
	if (value >= 0)
		return put_udec(p, (uint64_t)value);
	return put_udec(put_char(p, '-'), -(uint64_t)value);
}

char *put_hex(char *p, uint64_t value, unsigned int digits);
char *put_octal(char *p, uint64_t value);
size_t put_utf8_length(const char *text, size_t len);
size_t put_printable_length(const char *text, size_t len);
char *put_printable(char *p, const char *text, size_t len);
bool put_is_plain(const char *text, size_t len);
char *put_quoted(char *p, const char *text);
char *put_csv(char *p, const char *text);
char *put_utf8(char *p, const char *text, size_t len);
char *put_json(char *p, const char *text, size_t len);

#endif
