// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>

#include "html_json.h"
#include "lib/base/put.h"

/* Begin a value: write the comma before it, and its name. */
static void json_begin(struct html_bytes *to, const char *name)
{
	if (to->len && !strchr("{[", to->data[to->len - 1]))
		html_put_text(to, ",");
	if (!name)
		return;
	html_put_text(to, "\"");
	html_put_text(to, name);
	html_put_text(to, "\":");
}

/* Begin an object, "{", or a list, "[". */
void html_json_open(struct html_bytes *to, const char *name, char bracket)
{
	json_begin(to, name);
	html_put_bytes(to, &bracket, 1);
}

void html_json_close(struct html_bytes *to, char bracket)
{
	html_put_bytes(to, &bracket, 1);
}

/* Write a value that is JSON already. */
void html_json_raw(struct html_bytes *to, const char *name, const char *json)
{
	json_begin(to, name);
	html_put_text(to, json);
}

/* Write a string, or null. @text may contain any bytes. */
void html_json_text(struct html_bytes *to, const char *name, const char *text)
{
	size_t len = text ? strlen(text) : 0;
	char *p;

	if (!text) {
		html_json_raw(to, name, "null");
		return;
	}
	json_begin(to, name);
	html_put_text(to, "\"");
	if (html_bytes_reserve(to, 6 * len + PUT_SPARE)) {
		p = (char *)to->data + to->len;
		to->len += (size_t)(put_json(p, text, len) - p);
	}
	html_put_text(to, "\"");
}

void html_json_int(struct html_bytes *to, const char *name, int64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "%lld", (long long)value);
	html_json_raw(to, name, text);
}

void html_json_flag(struct html_bytes *to, const char *name, bool value)
{
	html_json_raw(to, name, value ? "true" : "false");
}
