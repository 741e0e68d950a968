// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzzes the parser of event types. A list that the parser accepts must survive being written and
 * parsed again.
 */
#include <string.h>

#include "fuzz.h"
#include "lib/text/etypes.h"

static void check(const struct lkst_etypes *types)
{
	struct lkst_error err = { 0 };
	struct lkst_etypes *again;
	char *text, *text2;
	size_t len, len2;

	text = lkst_etypes_text(types, &len, &err);
	MUST(text && strlen(text) == len);
	again = lkst_etypes_parse(text, len, "again", &err);
	if (!again)
		fprintf(stderr, "%s\n", err.text);
	MUST(again);
	text2 = lkst_etypes_text(again, &len2, &err);
	MUST(text2 && len == len2 && !memcmp(text, text2, len));
	for (uint32_t i = 0; i < LKST_ETYPE_NUM; i++) {
		const struct lkst_etype *type = lkst_etype(types, i);

		MUST(!type || (type->number == i && type->fields <= LKST_FIELDS_MAX));
	}
	lkst_etypes_free(again);
	free(text);
	free(text2);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct lkst_error err = { 0 };
	struct lkst_etypes *types = lkst_etypes_parse((const char *)data, size, "T", &err);

	if (types)
		check(types);
	else
		MUST_EXPLAIN(err);
	lkst_etypes_free(types);
	return 0;
}
