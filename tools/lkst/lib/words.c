// SPDX-License-Identifier: LGPL-2.1
/* Words by which users name event types. */
#include <ctype.h>
#include <string.h>

#include "messages.h"

static const char *type_name(void *ctx, size_t i)
{
	const struct lkst_etypes *types = ctx;

	return types->type[i] ? types->type[i]->name : NULL;
}

/**
 * lkst_etypes_find() - the event type that a user names
 * @types: to look in
 * @word: name, mnemonic, or number; a number need not be in @types
 * @err: unknown, with the names that are near
 *
 * Return: the number, -1 when there is none.
 */
int lkst_etypes_find(const struct lkst_etypes *types, const char *word, struct lkst_error *err)
{
	const char *near[LKST_NEAR_MAX];
	char text[512];
	size_t n;

	for (int i = 0; i < LKST_ETYPE_NUM; i++) {
		const struct lkst_etype *type = types->type[i];

		if (type && (!strcasecmp(type->name, word) || !strcasecmp(type->mnemonic, word)))
			return i;
	}
	if (isdigit((unsigned char)*word)) {
		uint64_t value;

		if (lkst_parse_u64("event type", word, &value, err))
			return -1;
		if (value < LKST_ETYPE_NUM)
			return (int)value;
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_NO_EVENT_NUMBER, word);
		return -1;
	}
	n = lkst_near(word, type_name, (void *)types, LKST_ETYPE_NUM, near);
	lkst_near_text(near, n, text, sizeof(text));
	lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_NO_EVENT, word, n ? text : MSG_ALL_EVENTS);
	return -1;
}
