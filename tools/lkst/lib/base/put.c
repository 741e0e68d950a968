// SPDX-License-Identifier: LGPL-2.1
/* Formats numbers and strings without printf(). */
#include "put.h"

#define TEN(d) d "0" d "1" d "2" d "3" d "4" d "5" d "6" d "7" d "8" d "9"

const char put_two_digits[] = TEN("0") TEN("1") TEN("2") TEN("3") TEN("4") TEN("5") TEN("6")
	TEN("7") TEN("8") TEN("9");

/* Write a number of at least 100 in decimal. */
char *put_long_udec(char *p, uint64_t value)
{
	char text[20], *start = text + sizeof(text);

	for (; value >= 100; value /= 100)
		put_two(start -= 2, (unsigned int)(value % 100));
	if (value < 10)
		*--start = (char)('0' + value);
	else
		put_two(start -= 2, (unsigned int)value);
	return put_bytes(p, start, (size_t)(text + sizeof(text) - start));
}

/* Write the upper 32 bits as eight hexadecimal digits, the most significant digit first. */
static char *put_8_nibbles(char *p, uint64_t value)
{
	uint64_t x = value >> 32, letters;

	/* Spread the eight nibbles over eight bytes, the lowest nibble into the lowest byte. */
	x = (x << 16 | x) & 0x0000ffff0000ffff;
	x = (x << 8 | x) & 0x00ff00ff00ff00ff;
	x = (x << 4 | x) & 0x0f0f0f0f0f0f0f0f;
	letters = (x + 0x0606060606060606) >> 4 & 0x0101010101010101;
	x += 0x3030303030303030 + letters * ('a' - '0' - 10);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	x = __builtin_bswap64(x);
#endif
	memcpy(p, &x, sizeof(x));
	return p + sizeof(x);
}

/* Write a number in hexadecimal, with 0x and at least @digits digits. @digits is 1 to 16. */
char *put_hex(char *p, uint64_t value, unsigned int digits)
{
	unsigned int needed = (67 - (unsigned int)__builtin_clzll(value | 1)) / 4;

	if (digits < needed)
		digits = needed;
	value <<= 64 - 4 * digits;
	p = put_char(put_char(p, '0'), 'x');
	put_8_nibbles(p, value);
	if (digits > 8)
		put_8_nibbles(p + 8, value << 32);
	return p + digits;
}

/* Write a number in octal, with a leading 0 as in C. */
char *put_octal(char *p, uint64_t value)
{
	char text[23], *start = text + sizeof(text);

	for (; value; value >>= 3)
		*--start = (char)('0' + (value & 7));
	*--start = '0';
	return put_bytes(p, start, (size_t)(text + sizeof(text) - start));
}

/*
 * Characters that control a terminal, or that reorder or hide text: the control and format
 * characters of Unicode, line and paragraph separators, surrogates and noncharacters.
 */
static const struct {
	uint32_t first, last;
} unprintable[] = {
	{ 0x0000, 0x001f },   { 0x007f, 0x009f },   { 0x00ad, 0x00ad },	  { 0x0600, 0x0605 },
	{ 0x061c, 0x061c },   { 0x06dd, 0x06dd },   { 0x070f, 0x070f },	  { 0x0890, 0x0891 },
	{ 0x08e2, 0x08e2 },   { 0x180e, 0x180e },   { 0x200b, 0x200f },	  { 0x2028, 0x202e },
	{ 0x2060, 0x206f },   { 0xd800, 0xdfff },   { 0xfdd0, 0xfdef },	  { 0xfeff, 0xfeff },
	{ 0xfff0, 0xfffb },   { 0x110bd, 0x110bd }, { 0x110cd, 0x110cd }, { 0x13430, 0x1343f },
	{ 0x1bca0, 0x1bca3 }, { 0x1d173, 0x1d17a }, { 0xe0000, 0xe0fff },
};

static bool put_is_printable(uint32_t c)
{
	for (size_t i = 0; i < sizeof(unprintable) / sizeof(*unprintable); i++)
		if (c >= unprintable[i].first && c <= unprintable[i].last)
			return false;
	return (c & 0xfffe) != 0xfffe;
}

/* Decode the UTF-8 character at @text. Returns its length in bytes, 0 if it is invalid. */
static size_t put_decode(const char *text, size_t len, uint32_t *c)
{
	static const struct {
		unsigned char mask, lead;
		uint32_t min;
	} forms[] = {
		{ 0x80, 0x00, 0 },
		{ 0xe0, 0xc0, 0x80 },
		{ 0xf0, 0xe0, 0x800 },
		{ 0xf8, 0xf0, 0x10000 },
	};
	unsigned char lead = (unsigned char)*text;

	for (size_t form = 0; form < 4 && form < len; form++) {
		if ((lead & forms[form].mask) != forms[form].lead)
			continue;
		*c = lead & ~(uint32_t)forms[form].mask;
		for (size_t i = 1; i <= form; i++) {
			if ((text[i] & 0xc0) != 0x80)
				return 0;
			*c = *c << 6 | (text[i] & 0x3f);
		}
		if (*c < forms[form].min || *c > 0x10ffff || (*c >= 0xd800 && *c <= 0xdfff))
			return 0;
		return form + 1;
	}
	return 0;
}

/**
 * put_printable_length() - check whether the first character of a string is printable
 * @text: any bytes
 * @len: length in bytes, not 0
 *
 * Return: length of the character in bytes; 0 if it must be escaped.
 */
size_t put_printable_length(const char *text, size_t len)
{
	uint32_t c;
	size_t n;

	if ((unsigned char)*text >= 0x20 && (unsigned char)*text < 0x7f)
		return 1;
	n = put_decode(text, len, &c);
	return n && put_is_printable(c) ? n : 0;
}

/**
 * put_utf8_length() - count the bytes before the first one that is not part of valid UTF-8
 * @text: any bytes
 * @len: length in bytes
 */
size_t put_utf8_length(const char *text, size_t len)
{
	uint32_t c;
	size_t valid = 0, n = 1;

	while (n && valid < len) {
		n = put_decode(text + valid, len - valid, &c);
		valid += n;
	}
	return valid;
}

/* Write a byte as an octal escape: a backslash and three digits. */
static char *put_escape(char *p, char byte)
{
	unsigned char c = (unsigned char)byte;

	p = put_char(put_char(p, '\\'), (char)('0' + (c >> 6)));
	return put_char(put_char(p, (char)('0' + (c >> 3 & 7))), (char)('0' + (c & 7)));
}

/*
 * Write a string. Unprintable characters are escaped, and @before is written in front of each
 * character that is in @special.
 */
static char *put_escaped(char *p, const char *text, size_t len, const char *special, char before)
{
	for (size_t i = 0, n; i < len; i += n ? n : 1) {
		n = put_printable_length(text + i, len - i);
		if (n == 1 && strchr(special, text[i]))
			p = put_char(p, before);
		p = n ? put_bytes(p, text + i, n) : put_escape(p, text[i]);
	}
	return p;
}

/**
 * put_printable() - write a string, escaped so that it is safe on a terminal and stays on one line
 * @p: destination, with room for 4 * @len bytes
 * @text: any bytes
 * @len: length in bytes
 *
 * Unprintable characters become octal escapes, one for each byte.
 */
char *put_printable(char *p, const char *text, size_t len)
{
	return put_escaped(p, text, len, "", 0);
}

static bool is_plain(unsigned char c)
{
	return c > 0x20 && c < 0x7f && c != '"' && c != '\\';
}

/* Return whether a string is a word that needs no quotes. */
bool put_is_plain(const char *text, size_t len)
{
	for (size_t i = 0, n; i < len; i += n) {
		n = put_printable_length(text + i, len - i);
		if (!n || (n == 1 && !is_plain((unsigned char)text[i])))
			return false;
	}
	return len;
}

/* Write a string, in double quotes unless it is a word that needs no quotes. */
char *put_quoted(char *p, const char *text)
{
	char *q = p;
	size_t len;

	for (const char *s = text; is_plain((unsigned char)*s); s++)
		q = put_char(q, *s);
	if (q > p && !text[q - p])
		return q;
	len = strlen(text);
	if (put_is_plain(text, len))
		return put_bytes(p, text, len);
	p = put_escaped(put_char(p, '"'), text, len, "\"\\", '\\');
	return put_char(p, '"');
}

static char *put_u16(char *p, uint32_t value)
{
	p = put_text(p, "\\u");
	for (int shift = 12; shift >= 0; shift -= 4)
		p = put_char(p, "0123456789abcdef"[value >> shift & 15]);
	return p;
}

/**
 * put_json() - write the contents of a JSON string (RFC 8259), without the quotes
 * @p: destination, with room for 6 * @len bytes
 * @text: any bytes
 * @len: length in bytes
 *
 * Unprintable characters are escaped, so that the JSON is safe on a terminal. Each byte that is not
 * part of valid UTF-8 becomes U+FFFD.
 */
char *put_json(char *p, const char *text, size_t len)
{
	uint32_t c;

	for (size_t i = 0, n; i < len; i += n ? n : 1) {
		n = put_decode(text + i, len - i, &c);
		if (!n)
			c = 0xfffd;
		if (n && put_is_printable(c)) {
			if (c == '"' || c == '\\')
				p = put_char(p, '\\');
			p = put_bytes(p, text + i, n);
		} else if (c < 0x10000) {
			p = put_u16(p, c);
		} else {
			p = put_u16(p, 0xd800 + ((c - 0x10000) >> 10));
			p = put_u16(p, 0xdc00 + (c & 0x3ff));
		}
	}
	return p;
}

/**
 * put_utf8() - write a string as valid UTF-8
 * @p: destination; gets @len bytes. May be @text
 * @text: string
 * @len: length in bytes
 *
 * Each byte that is not part of valid UTF-8 becomes a question mark.
 */
char *put_utf8(char *p, const char *text, size_t len)
{
	uint32_t c;

	for (size_t i = 0, n; i < len; i += n ? n : 1) {
		n = put_decode(text + i, len - i, &c);
		if (n)
			memmove(p, text + i, n);
		else
			*p = '?';
		p += n ? n : 1;
	}
	return p;
}

/* Write a string as a CSV field (RFC 4180). */
char *put_csv(char *p, const char *text)
{
	size_t len = strlen(text);

	if (!strpbrk(text, ",\""))
		return put_printable(p, text, len);
	return put_char(put_escaped(put_char(p, '"'), text, len, "\"", '"'), '"');
}
