/* SPDX-License-Identifier: GPL-2.0 */
/* Writes JSON into a growing array, for lists that are too long for cli/json.h. */
#ifndef _LKSTLA_HTML_JSON_H
#define _LKSTLA_HTML_JSON_H

#include "html_bytes.h"

/* In all of these, @name is the name of a member; NULL: the value is an element of a list. */
void html_json_open(struct html_bytes *to, const char *name, char bracket);
void html_json_close(struct html_bytes *to, char bracket);
void html_json_raw(struct html_bytes *to, const char *name, const char *json);
void html_json_text(struct html_bytes *to, const char *name, const char *text);
void html_json_int(struct html_bytes *to, const char *name, int64_t value);
void html_json_flag(struct html_bytes *to, const char *name, bool value);

#endif
