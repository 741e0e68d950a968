// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzzes the parser of the names of values, such as flags. A name that the parser accepts has 1 to
 * 63 bytes.
 */
#include <string.h>

#include "fuzz.h"
#include "lib/text/etypes.h"
#include "lib/text/values.h"

static void check_format(const struct lkst_values *values, enum lkst_field_format format)
{
	for (int bit = -1; bit < 64; bit++) {
		uint64_t value = bit < 0 ? 0 : 1ull << bit, rest = ~value, before;
		const char *name = lkst_values_name(values, format, value);

		MUST(!name || (*name && strlen(name) < 64));
		/* Each call that returns a name clears bits of the value, and sets none. */
		do {
			before = rest;
			name = lkst_values_take(values, format, &rest);
			MUST(!name || (rest != before && !(rest & ~before)));
		} while (name);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct lkst_error err = { 0 };
	struct lkst_values *values = lkst_values_parse((const char *)data, size, "T", &err);

	if (!values)
		MUST_EXPLAIN(err);
	for (int i = 0; values && i < LKST_FMT_NUM; i++)
		if (lkst_values_are_flags(values, i))
			check_format(values, i);
		else
			lkst_values_name(values, i, 0);
	lkst_values_free(values);
	return 0;
}
