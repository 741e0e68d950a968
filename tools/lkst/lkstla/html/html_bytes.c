// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "html_bytes.h"

/**
 * html_bytes_grow() - make room for more bytes
 * @to: bytes
 * @len: number of bytes that must fit
 *
 * Return: false if an allocation fails or has failed before. Then @to->failed is set.
 */
bool html_bytes_grow(struct html_bytes *to, size_t len)
{
	size_t room = to->room ? 2 * to->room : 64;
	uint8_t *grown;

	while (room - to->len < len && room < SIZE_MAX / 2)
		room *= 2;
	grown = to->failed || room - to->len < len ? NULL : realloc(to->data, room);
	if (!grown) {
		to->failed = true;
		return false;
	}
	to->data = grown;
	to->room = room;
	return true;
}

void html_put_bytes(struct html_bytes *to, const void *data, size_t len)
{
	if (!len || !html_bytes_reserve(to, len))
		return;
	memcpy(to->data + to->len, data, len);
	to->len += len;
}

void html_put_text(struct html_bytes *to, const char *text)
{
	html_put_bytes(to, text, strlen(text));
}

/* Write the number of bytes in @from, and then the bytes. */
void html_put_all(struct html_bytes *to, const struct html_bytes *from)
{
	html_put_number(to, from->len);
	html_put_bytes(to, from->data, from->len);
	to->failed |= from->failed;
}

void html_bytes_free(struct html_bytes *bytes)
{
	free(bytes->data);
	*bytes = (struct html_bytes){ 0 };
}
