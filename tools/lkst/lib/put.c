// SPDX-License-Identifier: LGPL-2.1
/* Numbers and strings as text, without printf(). */
#include "put.h"

#define TEN(d) d "0" d "1" d "2" d "3" d "4" d "5" d "6" d "7" d "8" d "9"

const char put_two_digits[] = TEN("0") TEN("1") TEN("2") TEN("3") TEN("4") TEN("5") TEN("6")
	TEN("7") TEN("8") TEN("9");

/* Of 100 and more. */
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

/* The upper 32 bits as digits, the uppermost first. */
static char *put_8_nibbles(char *p, uint64_t value)
{
	uint64_t x = value >> 32, letters;

	/* One nibble in each byte, the lowest in the lowest. */
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

/* Hexadecimal with 0x, of at least so many digits, 1 to 16. */
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

/* Octal, as C has it. */
char *put_octal(char *p, uint64_t value)
{
	char text[23], *start = text + sizeof(text);

	for (; value; value >>= 3)
		*--start = (char)('0' + (value & 7));
	*--start = '0';
	return put_bytes(p, start, (size_t)(text + sizeof(text) - start));
}

static bool is_plain(unsigned char c)
{
	return c > 0x20 && c != 0x7f && c != '"' && c != '\\';
}

/* Whether a string is one word that needs no quotes. */
bool put_is_plain(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!is_plain((unsigned char)text[i]))
			return false;
	return len;
}

static char *put_escaped(char *p, const char *text)
{
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (c < 0x20 || c == 0x7f) {
			p = put_char(p, '\\');
			p = put_char(p, (char)('0' + (c >> 6)));
			p = put_char(p, (char)('0' + (c >> 3 & 7)));
			p = put_char(p, (char)('0' + (c & 7)));
		} else {
			if (c == '"' || c == '\\')
				p = put_char(p, '\\');
			p = put_char(p, (char)c);
		}
	}
	return p;
}

/* A string as it is when it is one plain word, else in double quotes. */
char *put_quoted(char *p, const char *text)
{
	char *q = p;

	for (const char *s = text; is_plain((unsigned char)*s); s++)
		q = put_char(q, *s);
	if (q > p && !text[q - p])
		return q;
	p = put_escaped(put_char(p, '"'), text);
	return put_char(p, '"');
}

/* A CSV field (RFC 4180). */
char *put_csv(char *p, const char *text)
{
	if (!strpbrk(text, ",\"\r\n"))
		return put_text(p, text);
	p = put_char(p, '"');
	for (; *text; text++) {
		if (*text == '"')
			p = put_char(p, '"');
		p = put_char(p, *text);
	}
	return put_char(p, '"');
}
