// SPDX-License-Identifier: GPL-2.0
/* The formats of lkstbuf export. */
#include <stdio.h>
#include <string.h>

#include "export.h"
#include "formats.h"
#include "lib/base/error.h"

static const struct export_format *const formats[] = {
	&export_perfetto,
	&export_chrome,
	&export_folded,
	&export_tracedat,
};

#define FORMATS (sizeof(formats) / sizeof(*formats))

/**
 * export_format_names() - list the names of all formats
 * @text: result
 * @size: size of @text in bytes
 */
void export_format_names(char *text, size_t size)
{
	size_t len = 0;

	*text = 0;
	for (size_t i = 0; i < FORMATS && len < size; i++)
		len += (size_t)snprintf(text + len, size - len, "%s%s",
					!i		? "" :
					i + 1 < FORMATS ? ", " :
							  " or ",
					formats[i]->name);
}

/**
 * export_format_find() - find a format by its name
 * @name: name
 * @err: set if there is no such format
 */
const struct export_format *export_format_find(const char *name, struct lkst_error *err)
{
	char names[256];

	for (size_t i = 0; i < FORMATS; i++)
		if (!strcmp(formats[i]->name, name))
			return formats[i];
	export_format_names(names, sizeof(names));
	lkst_error_set(err, LKST_ERR_ARGUMENT, "unknown format \"%s\" (want %s)", name, names);
	return NULL;
}

/**
 * export_format_of() - guess the format from the name of a file
 * @path: name
 *
 * Return: the format; NULL if no format has this suffix.
 */
const struct export_format *export_format_of(const char *path)
{
	size_t len = strlen(path);

	for (size_t i = 0; i < FORMATS; i++) {
		size_t suffix = strlen(formats[i]->suffix);

		if (len > suffix && !strcmp(path + len - suffix, formats[i]->suffix))
			return formats[i];
	}
	return NULL;
}
