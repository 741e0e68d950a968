// SPDX-License-Identifier: GPL-2.0
/* The JSON that the commands print. */
#include <json-c/json.h>
#include <math.h>
#include "cli/json.h"
#include "sample.h"
#include "tap.h"

static void check_line(struct json_object *value, const char *expected)
{
	const int flags = JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE;

	ck_assert_str_eq(json_object_to_json_string_ext(value, flags), expected);
	json_free(value);
}

TEST(test_members)
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
	json_add_text(list, "/x");
	json_put(object, "list", list);
	check_line(object, "{\"least\":-9223372036854775808,\"most\":18446744073709551615,"
			   "\"id\":7,\"none\":null,\"yes\":true,\"no\":false,\"null\":null,"
			   "\"list\":[{},\"/x\"]}");
}

TEST(test_real)
{
	struct json_object *object = json_new();

	json_real(object, "tenth", 0.1);
	json_real(object, "third", 1.0 / 3);
	json_real(object, "whole", -5);
	json_real(object, "huge", 1e300);
	json_real(object, "nan", NAN);
	json_real(object, "infinite", -INFINITY);
	check_line(object, "{\"tenth\":0.1,\"third\":0.333333333333333,\"whole\":-5,"
			   "\"huge\":1e+300,\"nan\":null,\"infinite\":null}");
}

/* Strings, and how JSON represents them. test_put.c tests all kinds of bytes. */
static const struct { const char *text, *line; } texts[] = {
	{ "", "" }, { "plain", "plain" },
	{ "\"\\\b\n\x1f\x7f", "\\\"\\\\\\u0008\\u000a\\u001f\\u007f" },
	{ "\xf0\x9f\x99\x82", "\xf0\x9f\x99\x82" }, { "\xf4\x8f\xbf\xbf", "\\udbff\\udfff" },
	{ "a\xff" "b", "a\\ufffdb" }, { "\xe2\x82", "\\ufffd\\ufffd" },
};

TEST_EACH(test_text, texts)
{
	struct json_object *list = json_list();
	char expected[128];

	json_add_text(list, texts[_i].text);
	snprintf(expected, sizeof(expected), "[\"%s\"]", texts[_i].line);
	check_line(list, expected);
}

TEST(test_print_line)
{
	struct json_object *list = json_list();
	char *text = NULL;
	FILE *saved = stdout;
	size_t len;

	json_add_text(list, "a");
	json_add_text(list, "b");
	stdout = open_memstream(&text, &len);
	assert_ok(json_print_line(list, &err));
	fclose(stdout);
	stdout = saved;
	ck_assert_str_eq(text, "[ \"a\", \"b\" ]\n");
	free(text);
}

TEST(test_etype)
{
	struct lkst_etypes *types =
		etypes_of("0x100 OWN UNDEF - present \"event of my own\" \"\" \"\" \"\" \"\"\n");
	struct json_object *known = json_new(), *unknown = json_new();

	json_etype(known, types, 0x100);
	json_etype(unknown, types, 0xffffffff);
	check_line(known, "{\"event_type\":256,\"event_name\":\"event of my own\"}");
	check_line(unknown, "{\"event_type\":4294967295,\"event_name\":null}");
	lkst_etypes_free(types);
}
