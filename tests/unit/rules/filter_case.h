/* SPDX-License-Identifier: GPL-2.0 */
/* What the tests of filters (kernel/lkst/rules/) share: an event, and the values of a thread. */
#ifndef _FILTER_CASE_H
#define _FILTER_CASE_H

#include <stdint.h>
#include <stdlib.h>

#include "rules/filter_compat.h"
#include "rules/filter.h"

static uint64_t thread_value[LKST_LOAD_FLAGS + 1];
static char thread_comm[16];

/* Addresses of strings in a program are indexes of this array. */
static const char *user_text[] = { NULL, "/etc/passwd", "" };
static int user_texts_open;

static inline uint64_t lkst_filter_context(unsigned int load)
{
	return thread_value[load];
}

static inline const char *lkst_filter_comm(uint32_t *size)
{
	*size = sizeof(thread_comm);
	return thread_comm;
}

static inline const char *lkst_filter_user_text(uint64_t address, uint32_t *size)
{
	if (address >= ARRAY_SIZE(user_text) || !user_text[address])
		return NULL;
	*size = (uint32_t)strlen(user_text[address]);
	user_texts_open++;
	return user_text[address];
}

static inline void lkst_filter_user_done(void)
{
	user_texts_open--;
}

#include "rules/filter_eval.h"

#define FIELD(_name, ...) { .name = (_name), .name_len = sizeof(_name) - 1, __VA_ARGS__ }
#define FORMAT(_format)	  .format = (_format), .format_len = sizeof(_format) - 1

/* Compile a filter. Returns NULL after an error, which is in *@parser. */
static inline struct lkst_rule_filter *compile(struct lkst_filter_parser *parser,
					  const struct lkst_filter_scope *scope, const char *text)
{
	struct lkst_rule_filter *filter;

	memset(parser, 0, sizeof(*parser));
	parser->scope = scope;
	parser->text = text;
	if (!lkst_filter_parse(parser))
		return NULL;
	filter = calloc(1, lkst_filter_bytes(parser));
	if (filter)
		lkst_filter_store(parser, filter);
	return filter;
}

#endif
