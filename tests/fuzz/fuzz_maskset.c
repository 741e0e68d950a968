// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzzes the parser of masksets. Printing a maskset and parsing the text must result in the same
 * maskset.
 */
#include <string.h>

#include "fuzz.h"
#include "lib/text/etypes.h"
#include "lib/text/maskset.h"
#include "lib/text/words.h"

static struct lkst_evhandler_listent handler_ent[] = {
	{ 0, "none" },
	{ 1, "entry_log" },
	{ 3, "buffer_shift_dw" },
	{ 0x20, "my handler" },
};

static const struct lkst_evhandler_list handlers = {
	.num = sizeof(handler_ent) / sizeof(*handler_ent),
	.ent = handler_ent,
};

static struct lkst_etypes *types;

/* Room for the longest possible maskset. */
union whole {
	struct lkst_maskset_body body;
	char room[LKST_MASKSET_SIZE_MAX];
};

static int parse(const void *text, size_t len, union whole *to, struct lkst_error *err)
{
	struct lkst_etype_set left_out = { 0 };
	FILE *from = fmemopen((void *)text, len, "r");
	int ret;

	MUST(from);
	memset(to, 0, sizeof(*to));
	ret = lkst_maskset_parse(from, "T", types, &handlers, &to->body, &left_out, err);
	fclose(from);
	return ret;
}

static void check(const struct lkst_maskset_body *body)
{
	static const struct lkst_maskset_style styles[] = {
		{ 0 }, { .unregistered = true }, { .plain = true },
	};
	static union whole again;
	struct lkst_error err = { 0 };

	for (size_t i = 0; i < sizeof(styles) / sizeof(*styles); i++) {
		char *text = NULL;
		size_t len = 0;
		FILE *to = open_memstream(&text, &len);
		int ret;

		MUST(to);
		lkst_maskset_print(to, 3, body, types, &styles[i]);
		fclose(to);
		ret = parse(text, len, &again, &err);
		/* Styles without .unregistered may leave out entries of unregistered events. */
		if (styles[i].unregistered)
			MUST(!ret && again.body.len == body->len &&
			     !memcmp(again.body.entry, body->entry,
				     body->len * sizeof(*body->entry)));
		else if (ret)
			MUST_EXPLAIN(err);
		free(text);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static union whole whole;
	struct lkst_error err = { 0 };

	if (!types)
		types = lkst_etypes_embedded(&err);
	MUST(types);
	if (!size)
		return 0;
	if (!parse(data, size, &whole, &err)) {
		MUST(whole.body.len > 0 && whole.body.len <= LKST_ETYPE_NUM);
		check(&whole.body);
	} else {
		MUST_EXPLAIN(err);
	}
	return 0;
}
