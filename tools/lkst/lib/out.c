// SPDX-License-Identifier: LGPL-2.1
/* Buffered output, and numbers without printf(). */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "messages.h"
#include "out.h"

/**
 * lkst_out_open() - write to a file descriptor
 * @out: to set up
 * @fd: stays the caller's
 * @err: no memory
 */
int lkst_out_open(struct lkst_out *out, int fd, struct lkst_error *err)
{
	memset(out, 0, sizeof(*out));
	out->fd = fd;
	out->buf = malloc(OUT_SIZE);
	if (!out->buf) {
		lkst_error_memory(err, "the output");
		return -1;
	}
	return 0;
}

/**
 * lkst_out_flush() - write what is buffered
 * @out: output
 *
 * After a write that failed nothing more is written.
 *
 * Return: 0, or the errno of the first write that failed.
 */
int lkst_out_flush(struct lkst_out *out)
{
	size_t done = 0;

	while (!out->error && done < out->len) {
		ssize_t n = write(out->fd, out->buf + done, out->len - done);

		if (n >= 0)
			done += (size_t)n;
		else if (errno != EINTR)
			out->error = errno;
	}
	out->len = 0;
	return out->error;
}

/**
 * lkst_out_close() - free the buffer, without writing it
 * @out: output
 */
void lkst_out_close(struct lkst_out *out)
{
	free(out->buf);
	out->buf = NULL;
}

void out_udec(struct lkst_out *out, uint64_t value)
{
	char text[20], *p = text + sizeof(text);

	do {
		*--p = (char)('0' + value % 10);
		value /= 10;
	} while (value);
	out_bytes(out, p, (size_t)(text + sizeof(text) - p));
}

void out_dec(struct lkst_out *out, int64_t value)
{
	if (value < 0)
		out_char(out, '-');
	out_udec(out, value < 0 ? -(uint64_t)value : (uint64_t)value);
}

/* Decimal, with leading zeros. */
void out_digits(struct lkst_out *out, uint64_t value, unsigned int digits)
{
	char *to = out->buf + out->len, *p = to + digits;

	/* Two at a time: a division costs more than the rest. */
	for (; p - to >= 2; value /= 100) {
		unsigned int two = (unsigned int)(value % 100);

		*--p = (char)('0' + two % 10);
		*--p = (char)('0' + two / 10);
	}
	if (p > to)
		*to = (char)('0' + value % 10);
	out->len += digits;
}

/* Hexadecimal with 0x, of at least so many digits. */
void out_hex(struct lkst_out *out, uint64_t value, unsigned int digits)
{
	char text[16], *p = text + sizeof(text);

	do {
		*--p = "0123456789abcdef"[value & 15];
		value >>= 4;
	} while (value || (size_t)(text + sizeof(text) - p) < digits);
	out_text(out, "0x");
	out_bytes(out, p, (size_t)(text + sizeof(text) - p));
}

/* Octal, as C has it. */
void out_octal(struct lkst_out *out, uint64_t value)
{
	char text[23], *p = text + sizeof(text);

	for (; value; value >>= 3)
		*--p = (char)('0' + (value & 7));
	*--p = '0';
	out_bytes(out, p, (size_t)(text + sizeof(text) - p));
}

static void out_escaped(struct lkst_out *out, const char *text)
{
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (c < 0x20 || c == 0x7f) {
			out_char(out, '\\');
			out_char(out, (char)('0' + (c >> 6)));
			out_char(out, (char)('0' + (c >> 3 & 7)));
			out_char(out, (char)('0' + (c & 7)));
		} else {
			if (c == '"' || c == '\\')
				out_char(out, '\\');
			out_char(out, (char)c);
		}
	}
}

/* A string as it is when it is one plain word, else in double quotes. */
void out_quoted(struct lkst_out *out, const char *text)
{
	bool plain = *text;

	if (out->bare) {
		out_text(out, text);
		return;
	}
	for (const char *p = text; *p && plain; p++) {
		unsigned char c = (unsigned char)*p;

		plain = c > 0x20 && c != 0x7f && c != '"' && c != '\\';
	}
	if (plain) {
		out_text(out, text);
		return;
	}
	out_char(out, '"');
	out_escaped(out, text);
	out_char(out, '"');
}

/* A CSV field (RFC 4180). */
void out_csv(struct lkst_out *out, const char *text)
{
	if (!strpbrk(text, ",\"\r\n")) {
		out_text(out, text);
		return;
	}
	out_char(out, '"');
	for (; *text; text++) {
		if (*text == '"')
			out_char(out, '"');
		out_char(out, *text);
	}
	out_char(out, '"');
}
