// SPDX-License-Identifier: GPL-2.0
/* Event types: the embedded table, the text format, and the event filter. */
#include <stdlib.h>
#include <string.h>

#include "lib/etype_ids.h"
#include "lib/liblkst.h"
#include "tap.h"

#define HEAD "# lkst_etypes 1\n"

static struct lkst_etypes *parse(const char *text, struct lkst_error *err)
{
	return lkst_etypes_parse(text, strlen(text), "FILE", err);
}

START_TEST(test_embedded)
{
	struct lkst_error err;
	struct lkst_etypes *types = lkst_etypes_embedded(&err);
	const struct lkst_etype *type;

	ck_assert_ptr_nonnull(types);
	type = lkst_etype(types, LKST_ETYPE_PROCESS_CONTEXTSWITCH);
	ck_assert_str_eq(type->name, "process_contextswitch");
	ck_assert_str_eq(type->mnemonic, "PROCESS_CONTEXTSWITCH");
	type = lkst_etype(types, LKST_ETYPE_LKST_BUFF_OVFLOW);
	ck_assert_int_eq(type->number, 0xf01);
	ck_assert_str_eq(type->name, "lkst_buff_ovflow");
	ck_assert_int_eq(type->field[0].format, LKST_FMT_BUF);
	ck_assert_int_eq(type->field[2].format, LKST_FMT_UDEC);
	type = lkst_etype(types, LKST_ETYPE_LKST_BUFF_SHIFT);
	ck_assert_int_eq(type->number, 0xf02);
	ck_assert_str_eq(type->field[1].label, "to");
	/* Events of x86 are known everywhere. */
	ck_assert_str_eq(lkst_etype(types, 0x019)->name, "int_timer_entry");
	ck_assert_ptr_null(lkst_etype(types, 0x123));
	ck_assert_ptr_null(lkst_etype(types, 0xffffffff));
	lkst_etypes_free(types);
}
END_TEST

START_TEST(test_fields)
{
	struct lkst_error err;
	struct lkst_etypes *types = lkst_etypes_embedded(&err);
	const struct lkst_etype *type = lkst_etype(types, LKST_ETYPE_PROCESS_EXEC);

	/* thread:tid,old:dec and a path over three arguments */
	ck_assert_int_eq(type->fields, 3);
	ck_assert_str_eq(type->field[0].label, "thread");
	ck_assert_int_eq(type->field[0].format, LKST_FMT_TID);
	ck_assert_int_eq(type->field[0].part, LKST_PART_HIGH);
	ck_assert_str_eq(type->field[1].label, "old");
	ck_assert_int_eq(type->field[1].part, LKST_PART_LOW);
	ck_assert_str_eq(type->field[2].label, "path");
	ck_assert_int_eq(type->field[2].arg, 1);
	ck_assert_int_eq(type->field[2].args, 3);
	ck_assert_str_eq(type->csv[0], "thread:old");
	/* Two texts with different labels stay two. */
	type = lkst_etype(types, LKST_ETYPE_PROCESS_CONTEXTSWITCH);
	ck_assert_int_eq(type->fields, 6);
	ck_assert_int_eq(type->field[5].args, 1);
	lkst_etypes_free(types);

	types = parse(HEAD
		      "0x100 M UNDEF - present \"n\" \"plain\" \"odd:format\" \"\" \"a:b:dec\"\n",
		      &err);
	ck_assert_ptr_nonnull(types);
	type = lkst_etype(types, 0x100);
	ck_assert_int_eq(type->fields, 4);
	ck_assert_str_eq(type->field[0].label, "plain");
	ck_assert_int_eq(type->field[0].format, LKST_FMT_HEX);
	ck_assert_str_eq(type->field[1].label, "odd");
	ck_assert_int_eq(type->field[1].format, LKST_FMT_HEX);
	ck_assert_str_eq(type->field[2].label, "");
	ck_assert_str_eq(type->field[3].label, "a:b");
	ck_assert_int_eq(type->field[3].format, LKST_FMT_DEC);
	lkst_etypes_free(types);
}
END_TEST

/* What a module registered and has taken back: records of it still have a name. */
START_TEST(test_user_types)
{
	struct lkst_error err;
	struct lkst_etypes *types =
		parse(HEAD "0x100 NEW_EVENT NORMAL hook present \"user added event\" \"data1\" "
			   "\"high:dec,low:hex\" \"\" \"\"\n"
			   "0x1ff OLD_EVENT UNDEF hook absent \"old event\" \"a\" \"\" \"\" \"\"\n",
		      &err);

	ck_assert_ptr_nonnull(types);
	ck_assert_str_eq(lkst_etype(types, 0x100)->source, "hook");
	ck_assert(lkst_etype(types, 0x100)->present);
	ck_assert(!lkst_etype(types, 0x1ff)->present);
	/* Names may contain blanks. */
	ck_assert_int_eq(lkst_etypes_find(types, "user added event", &err), 0x100);
	ck_assert_int_eq(lkst_etypes_find(types, "OLD_EVENT", &err), 0x1ff);
	ck_assert_str_eq(lkst_class_of(0x100)->title, "user-defined");
	lkst_etypes_free(types);
}
END_TEST

START_TEST(test_round_trip)
{
	struct lkst_error err;
	struct lkst_etypes *types, *again;
	size_t len, len2;
	char *text, *text2;

	types = parse(HEAD "0x001 A UNDEF tp:x absent \"with \\\"quotes\\\" and \\\\ and \\011\" "
			   "\"one:dec\" \"\" \"\" \"\"\n",
		      &err);
	ck_assert_ptr_nonnull(types);
	ck_assert_str_eq(lkst_etype(types, 1)->name, "with \"quotes\" and \\ and \\011");
	ck_assert(!lkst_etype(types, 1)->present);
	lkst_etypes_free(types);

	types = lkst_etypes_embedded(&err);
	text = lkst_etypes_text(types, &len, &err);
	again = lkst_etypes_parse(text, len, "text", &err);
	ck_assert_ptr_nonnull(again);
	text2 = lkst_etypes_text(again, &len2, &err);
	ck_assert_uint_eq(len, len2);
	ck_assert_str_eq(text, text2);
	free(text);
	free(text2);
	lkst_etypes_free(types);
	lkst_etypes_free(again);
}
END_TEST

START_TEST(test_bad_text)
{
	static const struct {
		const char *text, *says;
	} bad[] = {
		{ "", "FILE: not a list of event types" },
		{ "0x001 A UNDEF - present \"n\" \"\" \"\" \"\" \"\"\n", "first line" },
		{ "# lkst_etypes 2\n", "first line" },
		{ HEAD "x A UNDEF - present \"n\" \"\" \"\" \"\" \"\"\n",
		  "FILE:2: number expected" },
		{ HEAD "0x1000 A UNDEF - present \"n\" \"\" \"\" \"\" \"\"\n", "out of range" },
		{ HEAD "-1 A UNDEF - present \"n\" \"\" \"\" \"\" \"\"\n", "number expected" },
		{ HEAD "1 A UNDEF - maybe \"n\" \"\" \"\" \"\" \"\"\n",
		  "\"present\" or \"absent\"" },
		{ HEAD "1 A UNDEF - present n \"\" \"\" \"\" \"\"\n", "name in double quotes" },
		{ HEAD "1 A UNDEF - present \"n\" \"\" \"\" \"\"\n", "argument 4" },
		{ HEAD "1 A UNDEF - present \"n\" \"\" \"\" \"\" \"\" \"\"\n", "too many fields" },
		{ HEAD "1 A UNDEF - present \"n\" \"\" \"\" \"\" \"\n", "argument 4" },
		{ HEAD "1 A UNDEF - present \"\\x\" \"\" \"\" \"\" \"\"\n",
		  "name in double quotes" },
		{ HEAD "1 A UNDEF - present \"\\000\" \"\" \"\" \"\" \"\"\n",
		  "name in double quotes" },
		{ HEAD "1 A\n", "hook type expected" },
		{ HEAD "1 A UNDEF - present \"a\033[2J\" \"\" \"\" \"\" \"\"\n", "\"a\\033[2J\"" },
		{ HEAD "\n# c\n1 A UNDEF - present \"n\" \"\" \"\" \"\" \"\"\n"
		       "1 B UNDEF - present \"m\" \"\" \"\" \"\" \"\"\n",
		  "FILE:5: event type listed twice" },
	};
	struct lkst_error err = { 0 };

	ck_assert_ptr_null(parse(bad[_i].text, &err));
	ck_assert_int_eq(err.code, LKST_ERR_FORMAT);
	if (!strstr(err.text, bad[_i].says))
		ck_abort_msg("\"%s\" lacks \"%s\"", err.text, bad[_i].says);
}
END_TEST

START_TEST(test_long_name)
{
	struct lkst_error err = { 0 };
	char text[1024];

	snprintf(text, sizeof(text), HEAD "1 A UNDEF - present \"%0300d\" \"\" \"\" \"\" \"\"\n",
		 1);
	ck_assert_ptr_null(parse(text, &err));
	ck_assert_ptr_nonnull(strstr(err.text, "255"));
}
END_TEST

START_TEST(test_find)
{
	struct lkst_error err;
	struct lkst_etypes *types = lkst_etypes_embedded(&err);

	ck_assert_int_eq(lkst_etypes_find(types, "system_call_entry", &err), 0x030);
	ck_assert_int_eq(lkst_etypes_find(types, "SYSCALL_ENTRY", &err), 0x030);
	ck_assert_int_eq(lkst_etypes_find(types, "0x123", &err), 0x123);
	ck_assert_int_eq(lkst_etypes_find(types, "256", &err), 256);
	ck_assert_int_eq(lkst_etypes_find(types, "0x1000", &err), -1);
	ck_assert_int_eq(lkst_etypes_find(types, "12x", &err), -1);
	ck_assert_int_eq(lkst_etypes_find(types, "system_call_entrx", &err), -1);
	ck_assert_str_eq(err.text, "no event is called \"system_call_entrx\"; did you mean "
				   "\"system_call_entry\" or \"system_call_exit\"?");
	ck_assert_int_eq(err.code, LKST_ERR_NOT_FOUND);
	ck_assert_int_eq(lkst_etypes_find(types, "nothing_like_it", &err), -1);
	ck_assert_str_eq(err.text, "no event is called \"nothing_like_it\"; "
				   "\"lkstbuf print -h\" lists all events");
	lkst_etypes_free(types);
}
END_TEST

/* ---- the filter: E and X are system_call_entry and system_call_exit ---- */

#define E "system_call_entry"
#define X "system_call_exit"

static const struct {
	const char *words;
	bool e, x, other; /* shown? */
} filters[] = {
	/* the specification's examples */
	{ E "," X, true, true, false },
	{ "all,!" E ",!" X, false, false, true },
	{ "all,!" E, false, true, true },
	{ "!" E ",all", true, true, true },
	{ "ALL, ! " E "\t", false, true, true },
	{ " " E " , " X " ", true, true, false },
	{ "!" E "," E, true, false, false },
	{ E ",!" E, false, true, true },
	/* and what follows from the rule */
	{ E, true, false, false },
	{ "!" E, false, true, true },
	{ E ",!" X, true, false, false },
	{ "!" X "," E, true, false, false },
	{ "all", true, true, true },
	{ "!all", false, false, false },
	{ "!all," E, true, false, false },
	{ "all,!all", false, false, false },
	{ "0x030", true, false, false },
	{ "!0x30", false, true, true },
	{ E "," E ",!" E "," E, true, false, false },
};

START_TEST(test_filter)
{
	struct lkst_error err;
	struct lkst_etypes *types = lkst_etypes_embedded(&err);
	struct lkst_filter filter;

	lkst_filter_init(&filter);
	ck_assert_int_eq(lkst_filter_add(&filter, types, filters[_i].words, &err), 0);
	ck_assert_msg(lkst_filter_shows(&filter, 0x030) == filters[_i].e, "%s", filters[_i].words);
	ck_assert_msg(lkst_filter_shows(&filter, 0x031) == filters[_i].x, "%s", filters[_i].words);
	ck_assert_msg(lkst_filter_shows(&filter, 0x001) == filters[_i].other, "%s",
		      filters[_i].words);
	ck_assert_msg(lkst_filter_shows(&filter, 0x200) == filters[_i].other, "%s",
		      filters[_i].words);
	ck_assert_msg(lkst_filter_shows(&filter, 0x1000) == filters[_i].other, "%s",
		      filters[_i].words);
	lkst_etypes_free(types);
}
END_TEST

START_TEST(test_filter_more)
{
	struct lkst_error err;
	struct lkst_etypes *types = lkst_etypes_embedded(&err);
	struct lkst_filter filter;

	lkst_filter_init(&filter);
	ck_assert(lkst_filter_shows(&filter, 0x030));
	/* A second option goes on where the first one stopped. */
	ck_assert_int_eq(lkst_filter_add(&filter, types, "all", &err), 0);
	ck_assert_int_eq(lkst_filter_add(&filter, types, "!" E, &err), 0);
	ck_assert(!lkst_filter_shows(&filter, 0x030));
	ck_assert(lkst_filter_shows(&filter, 0x031));
	lkst_etypes_free(types);
}
END_TEST

/* System calls by name: read and write on x86-64, read of i386 programs there, an interrupt. */
static const struct {
	const char *words;
	const char *shown; /* letters of the events below */
} calls[] = {
	{ "read", "arR" },
	{ "READ,write", "arRw" },
	{ "rea[d]", "arR" },
	{ "!read", "wi" },
	{ "read,!read", "wi" },
	{ "all,!read", "wi" },
	{ "!read,all", "arRwi" },
	{ "read,!" X, "aR" },
	{ "read,!" E, "r" },
	{ E ",!read", "w" },
	{ "!read," E, "aRw" },
	{ "read,int_softirq_entry", "arRi" },
	{ "read,!class:syscall", "i" }, /* no word wants any: those that are not named */
	{ "0x030,!write", "aR" },
	{ "x32_only_or_none_*,read", NULL },
	{ "raed", NULL },
};

START_TEST(test_filter_calls)
{
	static const struct lkst_event events[] = {
		{ .type = 0x030, .machine = LKST_MACHINE_X86_64, .arg = { 0 }, .nth = 'a' },
		{ .type = 0x031, .machine = LKST_MACHINE_X86_64, .arg = { 0 }, .nth = 'r' },
		{ .type = 0x030,
		  .machine = LKST_MACHINE_X86_64,
		  .arg = { 3ull << 32 | 1 },
		  .nth = 'R' },
		{ .type = 0x030, .machine = LKST_MACHINE_X86_64, .arg = { 1ull << 32 }, .nth = 'w' },
		{ .type = 0x012, .machine = LKST_MACHINE_X86_64, .arg = { 0 }, .nth = 'i' },
	};
	struct lkst_error err;
	struct lkst_etypes *types = lkst_etypes_embedded(&err);
	struct lkst_filter *filter = malloc(sizeof(*filter));
	char shown[8] = "", *to = shown;
	int ret;

	lkst_filter_init(filter);
	ret = lkst_filter_add(filter, types, calls[_i].words, &err);
	ck_assert_int_eq(ret, calls[_i].shown ? 0 : -1);
	if (ret)
		ck_assert_msg(!strncmp(err.text, "no event", 8), "%s", err.text);
	for (size_t i = 0; !ret && i < sizeof(events) / sizeof(*events); i++)
		if (lkst_filter_shows_event(filter, &events[i]))
			*to++ = (char)events[i].nth;
	if (!ret)
		ck_assert_msg(!strcmp(shown, calls[_i].shown), "%s: %s", calls[_i].words, shown);
	free(filter);
	lkst_etypes_free(types);
}
END_TEST

START_TEST(test_filter_bad)
{
	static const char *const bad[] = {
		"",	     ",",  "!",	       (E ","),		("," E),
		"all, ,all", "! ", "all,,all", "no_such_event", "!no_such_event",
		"0x1000"
	};
	struct lkst_error err = { 0 };
	struct lkst_etypes *types = lkst_etypes_embedded(&err);
	struct lkst_filter filter;

	lkst_filter_init(&filter);
	ck_assert_int_eq(lkst_filter_add(&filter, types, bad[_i], &err), -1);
	ck_assert_ptr_nonnull(strchr(err.text, '"'));
	lkst_etypes_free(types);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("etypes");
	TCase *tc = tcase_create("etypes");

	check_id(tc, test_embedded);
	check_id(tc, test_fields);
	check_id(tc, test_user_types);
	check_id(tc, test_round_trip);
	tcase_add_loop_test(tc, test_bad_text, 0, 16);
	check_id(tc, test_long_name);
	check_id(tc, test_find);
	tcase_add_loop_test(tc, test_filter, 0, sizeof(filters) / sizeof(*filters));
	tcase_add_loop_test(tc, test_filter_calls, 0, sizeof(calls) / sizeof(*calls));
	check_id(tc, test_filter_more);
	tcase_add_loop_test(tc, test_filter_bad, 0, 11);
	suite_add_tcase(suite, tc);
	return run_suite(suite);
}
