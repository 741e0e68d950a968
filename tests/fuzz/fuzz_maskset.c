// SPDX-License-Identifier: GPL-2.0
/* The reader of masksets. What it has read, printed and read again, is the same. */
#include <string.h>

#include "fuzz.h"
#include "lib/liblkst.h"

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

static int parse(const void *text, size_t len, struct lkst_maskset_body *body,
		 struct lkst_error *err)
{
	struct lkst_etype_set left_out = { 0 };
	FILE *from = fmemopen((void *)text, len, "r");
	int ret;

	MUST(from);
	ret = lkst_maskset_parse(from, "T", types, &handlers, body, &left_out, err);
	fclose(from);
	return ret;
}

/* The longest there can be. */
union whole {
	struct lkst_maskset_body body;
	char room[LKST_MASKSET_SIZE_MAX];
};

static void check(const struct lkst_maskset_body *body)
{
	static union whole again;
	static const struct lkst_maskset_style styles[] = { { 0 },
							    { .unregistered = true },
							    { .plain = true } };
	struct lkst_error err = { 0 };

	for (size_t i = 0; i < sizeof(styles) / sizeof(*styles); i++) {
		char *text = NULL;
		size_t len = 0;
		FILE *to = open_memstream(&text, &len);

		MUST(to);
		lkst_maskset_print(to, 3, body, types, &styles[i]);
		fclose(to);
		memset(&again, 0, sizeof(again));
		/* Entries of events that are not registered are not printed by all styles. */
		if (!styles[i].unregistered && parse(text, len, &again.body, &err)) {
			MUST_EXPLAIN(err);
		} else if (styles[i].unregistered) {
			MUST(!parse(text, len, &again.body, &err));
			MUST(again.body.len == body->len);
			MUST(!memcmp(again.body.entry, body->entry,
				     body->len * sizeof(*body->entry)));
		}
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
	memset(&whole, 0, sizeof(whole));
	if (!parse(data, size, &whole.body, &err)) {
		MUST(whole.body.len > 0 && whole.body.len <= LKST_ETYPE_NUM);
		check(&whole.body);
	} else {
		MUST_EXPLAIN(err);
	}
	return 0;
}
