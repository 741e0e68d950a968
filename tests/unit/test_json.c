// SPDX-License-Identifier: GPL-2.0
/* What the commands print as JSON. */
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "tap.h"

static struct lkst_error err;

static void check_line(struct json_object *value, const char *want)
{
	char *line = json_line(value, &err);

	ck_assert_msg(line != NULL, "%s", err.text);
	ck_assert_str_eq(line, want);
	free(line);
}

START_TEST(test_members)
{
	struct json_object *object = json_new(), *list = json_list();

	json_int(object, "least", INT64_MIN);
	json_uint(object, "most", UINT64_MAX);
	json_id(object, "id", 7, 255);
	json_id(object, "none", 255, 255);
	json_flag(object, "yes", true);
	json_flag(object, "no", false);
	json_put(object, "null", NULL);
	json_add(list, json_new());
	json_add_int(list, -1);
	json_add_text(list, "/x");
	json_put(object, "list", list);
	check_line(object, "{\"least\":-9223372036854775808,\"most\":18446744073709551615,"
			   "\"id\":7,\"none\":null,\"yes\":true,\"no\":false,\"null\":null,"
			   "\"list\":[{},-1,\"/x\"]}");
}
END_TEST

#define REPLACEMENT "\\ufffd"

/* What the kernel has in names may be any bytes but 0; JSON is UTF-8. */
static const struct {
	const char *text, *line;
} texts[] = {
	{ "", "" },
	{ "plain", "plain" },
	{ "\"\\\b\n\t\x1f\x7f", "\\\"\\\\\\u0008\\u000a\\u0009\\u001f\\u007f" },
	{ "\xc3\xbc", "\xc3\xbc" },
	{ "\xe2\x82\xac", "\xe2\x82\xac" },
	{ "\xf0\x9f\x99\x82", "\xf0\x9f\x99\x82" },
	{ "\xf4\x8f\xbf\xbf", "\\udbff\\udfff" },
	{ "a\xff"
	  "b",
	  "a" REPLACEMENT "b" },
	{ "\x80", REPLACEMENT },
	{ "\xc3", REPLACEMENT }, /* cut off */
	{ "\xe2\x82", REPLACEMENT REPLACEMENT },
	{ "\xf0\x9f\x99", REPLACEMENT REPLACEMENT REPLACEMENT },
	{ "\xc3"
	  "a",
	  REPLACEMENT "a" },
	{ "\xc0\x80", REPLACEMENT REPLACEMENT }, /* overlong */
	{ "\xe0\x80\x80", REPLACEMENT REPLACEMENT REPLACEMENT },
	{ "\xf0\x80\x80\x80", REPLACEMENT REPLACEMENT REPLACEMENT REPLACEMENT },
	{ "\xed\xa0\x80", REPLACEMENT REPLACEMENT REPLACEMENT }, /* a surrogate */
	{ "\xf4\x90\x80\x80", REPLACEMENT REPLACEMENT REPLACEMENT REPLACEMENT },
};

START_TEST(test_text)
{
	struct json_object *list = json_list();
	char want[128];

	json_add_text(list, texts[_i].text);
	snprintf(want, sizeof(want), "[\"%s\"]", texts[_i].line);
	check_line(list, want);
}
END_TEST

START_TEST(test_etype)
{
	static const char text[] =
		"# lkst_etypes 1\n0x100 OWN UNDEF - present \"event of my own\" \"\" \"\" \"\" \"\"\n";
	struct lkst_etypes *types = lkst_etypes_parse(text, sizeof(text) - 1, "text", &err);
	struct json_object *known = json_new(), *unknown = json_new();

	ck_assert_ptr_nonnull(types);
	json_etype(known, types, 0x100);
	json_etype(unknown, types, 0xffffffff);
	check_line(known, "{\"event_type\":256,\"event_name\":\"event of my own\"}");
	check_line(unknown, "{\"event_type\":4294967295,\"event_name\":null}");
	lkst_etypes_free(types);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("json");
	TCase *tc = tcase_create("json");

	check_id(tc, test_members);
	tcase_add_loop_test(tc, test_text, 0, (int)(sizeof(texts) / sizeof(*texts)));
	check_id(tc, test_etype);
	suite_add_tcase(suite, tc);
	return run_suite(suite);
}
