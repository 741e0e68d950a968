// SPDX-License-Identifier: GPL-2.0
/*
 * Event types: the embedded table, the text format, the event filter, and storing text in the
 * arguments of an event.
 */
#include "lib/text/classes.h"
#include "lib/text/entry.h"
#include "lib/text/etypes.h"
#include "lib/text/filter.h"
#include "sample.h"
#include "tap.h"

#define HEADER "# lkst_etypes 1\n"

static struct lkst_etypes *types;

static void setup(void)
{
	types = lkst_etypes_embedded(&err);
	assert_made(types);
}

static void teardown(void)
{
	lkst_etypes_free(types);
}

static void use_types(const char *rows)
{
	lkst_etypes_free(types);
	types = etypes_of(rows);
}

TESTS(.setup = setup, .teardown = teardown);

TEST(test_embedded)
{
	const struct lkst_etype *type = lkst_etype(types, LKST_ETYPE_PROCESS_CONTEXTSWITCH);

	ck_assert_str_eq(type->name, "process_contextswitch");
	ck_assert_str_eq(type->mnemonic, "PROCESS_CONTEXTSWITCH");
	/* The embedded table contains the event types of x86 on every machine. */
	ck_assert_str_eq(lkst_etype(types, 0x019)->name, "int_timer_entry");
	ck_assert_ptr_null(lkst_etype(types, 0x123));
	ck_assert_ptr_null(lkst_etype(types, 0xffffffff));
}

TEST(test_fields)
{
	const struct lkst_etype *type = lkst_etype(types, LKST_ETYPE_PROCESS_EXEC);

	/* The type's arguments are "thread:tid,old:dec" and three parts of a path. */
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
	/* Two strings with different labels are separate fields. */
	type = lkst_etype(types, LKST_ETYPE_PROCESS_CONTEXTSWITCH);
	ck_assert_int_eq(type->fields, 6);
	ck_assert_int_eq(type->field[5].args, 1);

	use_types("0x100 M UNDEF - present \"n\" \"plain\" \"odd:format\" \"\" \"a:b:dec\"\n");
	type = lkst_etype(types, 0x100);
	ck_assert_int_eq(type->fields, 4);
	ck_assert_str_eq(type->field[0].label, "plain");
	ck_assert_int_eq(type->field[0].format, LKST_FMT_HEX);
	ck_assert_str_eq(type->field[1].label, "odd");
	ck_assert_int_eq(type->field[1].format, LKST_FMT_HEX);
	ck_assert_str_eq(type->field[2].label, "");
	ck_assert_str_eq(type->field[3].label, "a:b");
	ck_assert_int_eq(type->field[3].format, LKST_FMT_DEC);
}

/* Types that a module has registered and then unregistered keep their names for old records. */
TEST(test_user_types)
{
	use_types("0x100 NEW_EVENT NORMAL hook present \"user added event\" \"data1\" "
		  "\"high:dec,low:hex\" \"\" \"\"\n"
		  "0x1ff OLD_EVENT UNDEF hook absent \"old event\" \"a\" \"\" \"\" \"\"\n");
	ck_assert_str_eq(lkst_etype(types, 0x100)->source, "hook");
	ck_assert(lkst_etype(types, 0x100)->present);
	ck_assert(!lkst_etype(types, 0x1ff)->present);
	/* Names may contain spaces. */
	ck_assert_int_eq(lkst_etypes_find(types, "user added event", &err), 0x100);
	ck_assert_int_eq(lkst_etypes_find(types, "OLD_EVENT", &err), 0x1ff);
	ck_assert_str_eq(lkst_class_of(0x100)->title, "user-defined");
}

TEST(test_quotes)
{
	use_types("0x001 A UNDEF tp:x absent \"with \\\"quotes\\\" and \\\\ and \\011\" "
		  "\"one:dec\" \"\" \"\" \"\"\n");
	ck_assert_str_eq(lkst_etype(types, 1)->name, "with \"quotes\" and \\ and \\011");
	ck_assert(!lkst_etype(types, 1)->present);
}

TEST(test_round_trip)
{
	size_t len, len2;
	char *text = lkst_etypes_text(types, &len, &err), *text2;
	struct lkst_etypes *again = lkst_etypes_parse(text, len, "text", &err);

	assert_made(again);
	text2 = lkst_etypes_text(again, &len2, &err);
	ck_assert_uint_eq(len, len2);
	ck_assert_str_eq(text, text2);
	free(text);
	free(text2);
	lkst_etypes_free(again);
}

#define PRESENT HEADER "1 A UNDEF - present "

static const struct { const char *text, *message; } bad[] = {
	{ "", "FILE: not a list of event types" },
	{ "0x001 A UNDEF - present \"n\" \"\" \"\" \"\" \"\"\n", "first line" },
	{ "# lkst_etypes 2\n", "first line" },
	{ HEADER "x A UNDEF - present \"n\" \"\" \"\" \"\" \"\"\n", "FILE:2: number expected" },
	{ HEADER "0x1000 A UNDEF - present \"n\" \"\" \"\" \"\" \"\"\n", "out of range" },
	{ HEADER "-1 A UNDEF - present \"n\" \"\" \"\" \"\" \"\"\n", "number expected" },
	{ HEADER "1 A UNDEF - maybe \"n\" \"\" \"\" \"\" \"\"\n", "\"present\" or \"absent\"" },
	{ PRESENT "n \"\" \"\" \"\" \"\"\n", "name in double quotes" },
	{ PRESENT "\"n\" \"\" \"\" \"\"\n", "argument 4" },
	{ PRESENT "\"n\" \"\" \"\" \"\" \"\" \"\"\n", "too many fields" },
	{ PRESENT "\"n\" \"\" \"\" \"\" \"\n", "argument 4" },
	{ PRESENT "\"\\x\" \"\" \"\" \"\" \"\"\n", "name in double quotes" },
	{ PRESENT "\"\\000\" \"\" \"\" \"\" \"\"\n", "name in double quotes" },
	{ HEADER "1 A\n", "hook type expected" },
	{ PRESENT "\"a\033[2J\" \"\" \"\" \"\" \"\"\n", "\"a\\033[2J\"" },
	{ HEADER "\n# c\n1 A UNDEF - present \"n\" \"\" \"\" \"\" \"\"\n"
	       "1 B UNDEF - present \"m\" \"\" \"\" \"\" \"\"\n",
	  "FILE:5: event type listed twice" },
};

static void parse_bad(const char *text, const char *message)
{
	ck_assert_ptr_null(lkst_etypes_parse(text, strlen(text), "FILE", &err));
	ck_assert_int_eq(err.code, LKST_ERR_FORMAT);
	assert_contains(err.text, message);
}

TEST_EACH(test_bad_text, bad)
{
	parse_bad(bad[_i].text, bad[_i].message);
}

/* An unprintable byte of a name becomes an escape of four bytes. */
TEST(test_long_escape)
{
	size_t len;
	char text[1024], *again;

	snprintf(text, sizeof(text), "0x001 A UNDEF - present \"%0251d\\001\" \"\" \"\" \"\" \"\"\n"
		 "0x002 B UNDEF - present \"%0252d\\001\" \"\" \"\" \"\" \"\"\n", 1, 2);
	use_types(text);
	ck_assert_uint_eq(strlen(lkst_etype(types, 1)->name), 255);
	ck_assert_uint_eq(strlen(lkst_etype(types, 2)->name), 252);
	again = lkst_etypes_text(types, &len, &err);
	ck_assert_ptr_nonnull(again);
	use_types(again + strlen(HEADER));
	ck_assert_uint_eq(strlen(lkst_etype(types, 1)->name), 255);
	free(again);
}

TEST(test_long_name)
{
	char text[1024];

	snprintf(text, sizeof(text), PRESENT "\"%0300d\" \"\" \"\" \"\" \"\"\n", 1);
	parse_bad(text, "255");
}

/* ---- names of system calls in the event filter ---- */

#define E "system_call_entry"
#define X "system_call_exit"

/* Filters with names of system calls. Such a name selects the entry and exit of the call. */
static const struct {
	const char *words;
	const char *shown; /* the letters (.nth) of the events below that are shown */
} calls[] = {
	{ "read", "arR" }, { "READ,write", "arRw" }, { "rea[d]", "arR" }, { "!read", "wi" },
	{ "read,!read", "wi" }, { "all,!read", "wi" }, { "!read,all", "arRwi" },
	{ "read,!" X, "aR" }, { "read,!" E, "r" }, { E ",!read", "w" }, { "!read," E, "aRw" },
	{ "read,int_softirq_entry", "arRi" },
	/* "!class:syscall" cancels "read", so the filter shows all events that no word names */
	{ "read,!class:syscall", "i" },
	{ "0x030,!write", "aR" },
};

TEST_EACH(test_filter_calls, calls)
{
	static const struct lkst_event events[] = {
		{ .type = 0x030, .arg = { 0 }, .nth = 'a' },
		{ .type = 0x031, .arg = { 0 }, .nth = 'r' },
		{ .type = 0x030, .arg = { PACK(3, 1) }, .nth = 'R' },
		{ .type = 0x030, .arg = { PACK(1, 0) }, .nth = 'w' },
		{ .type = 0x012, .arg = { 0 }, .nth = 'i' },
	};
	struct lkst_filter filter;
	char shown[8] = "", *to = shown;

	lkst_filter_init(&filter);
	assert_ok(lkst_filter_add(&filter, types, calls[_i].words, &err));
	for (int i = 0; i < NUM(events); i++) {
		struct lkst_event event = events[i];

		event.machine = LKST_MACHINE_X86_64;
		if (lkst_filter_shows_event(&filter, &event))
			*to++ = (char)event.nth;
	}
	ck_assert_msg(!strcmp(shown, calls[_i].shown), "%s: %s", calls[_i].words, shown);
}

static const char *const bad_filters[] = {
	"", ",", "!", E ",", "," E, "all, ,all", "! ", "all,,all", "no_such_event",
	"!no_such_event", "0x1000", "x32_only_or_none_*,read", "raed",
};

TEST_EACH(test_filter_bad, bad_filters)
{
	struct lkst_filter filter;

	lkst_filter_init(&filter);
	ck_assert_int_eq(lkst_filter_add(&filter, types, bad_filters[_i], &err), -1);
	assert_contains(err.text, "\"");
	/* NOT_FOUND: "unknown event ..." or "no event ..." */
	ck_assert_int_eq(err.code, strchr("un", err.text[0]) ? LKST_ERR_NOT_FOUND : LKST_ERR_ARGUMENT);
}

/* ---- text in the arguments of an event ---- */

static const char text_types[] =
	"0x0e0 MARK UNDEF - present \"mark\" \"arg1:hex\" \"arg2:hex\" \"arg3:hex\" \"arg4:hex\"\n"
	"0x0e1 TEXT UNDEF - present \"text\" \"t:text\" \"t:text\" \"t:text\" \"t:text\"\n"
	"0x100 TWO UNDEF - present \"two\" \"a:text\" \"n:dec\" \"b:text\" \"b:text\"\n"
	"0x101 HALF UNDEF - present \"half\" \"a:text,b:text\" \"c:text\" \"\" \"\"\n";

static void setup_text(void)
{
	types = etypes_of(text_types);
}

TESTS(.name = "entry", .setup = setup_text, .teardown = teardown);

/*
 * The nth text of an event type: the index of the first argument that contains it, or -1 if the
 * type has no such text, and the number of arguments that contain it.
 */
static const struct { uint16_t type; unsigned int nth; int arg, args; } fields[] = {
	{ 0x0e0, 0, -1, 0 }, { 0x0e1, 0, 0, 4 }, { 0x0e1, 1, -1, 0 }, { 0x100, 0, 0, 1 },
	{ 0x100, 1, 2, 2 }, { 0x100, 2, -1, 0 }, { 0x101, 0, 1, 1 }, { 0x101, 1, -1, 0 },
};

TEST_EACH(test_text_fields, fields)
{
	const struct lkst_field *field =
		lkst_etype_text(lkst_etype(types, fields[_i].type), fields[_i].nth);

	ck_assert_int_eq(field ? field->arg : -1, fields[_i].arg);
	if (field)
		ck_assert_int_eq(field->args, fields[_i].args);
}

#define TEN "0123456789"

/* A text field, a string, and the number of bytes of the string that the field stores. */
static const struct {
	uint16_t type;
	unsigned int nth;
	const char *text;
	size_t taken;
} texts[] = {
	{ 0x0e1, 0, "", 0 }, { 0x0e1, 0, "a", 1 }, { 0x0e1, 0, "12345678", 8 },
	{ 0x0e1, 0, TEN TEN TEN "12", 32 }, { 0x0e1, 0, TEN TEN TEN "123", 32 },
	{ 0x0e1, 0, TEN TEN TEN "1\303\274", 31 }, /* only 1 byte of the character would fit */
	{ 0x0e1, 0, TEN TEN TEN "\303\274", 32 }, /* the character fits */
	{ 0x0e1, 0, TEN TEN TEN "\303\274\303\274", 32 }, /* the second character does not fit */
	{ 0x0e1, 0, TEN TEN "012345678\360\237\231\202", 29 }, /* 3 of 4 bytes would fit */
	{ 0x0e1, 0, TEN TEN "01234567\360\237\231\202", 32 },
	{ 0x100, 0, "a\200\200\200\200\200\200\200\200", 8 }, /* not UTF-8 at all */
	{ 0x100, 0, "\200\200\200\200\200\200\200\200\200", 8 },
	{ 0x100, 1, TEN "0123456", 16 },
};

TEST_EACH(test_put, texts)
{
	const struct lkst_field *field =
		lkst_etype_text(lkst_etype(types, texts[_i].type), texts[_i].nth);
	struct lkst_entry_args args;
	char text[4 * 8 + 1], expected[4 * 8 + 1] = "";
	struct lkst_event event;

	memset(&args, 0xa5, sizeof(args));
	ck_assert_uint_eq(lkst_entry_put_text(&args, field, texts[_i].text), texts[_i].taken);
	event = (struct lkst_event){
		.arg = { args.log_arg1, args.log_arg2, args.log_arg3, args.log_arg4 },
	};
	lkst_event_text(&event, field->arg, field->args, text);
	memcpy(expected, texts[_i].text, texts[_i].taken);
	ck_assert_mem_eq(text, expected, field->args * 8u);
	for (unsigned int i = 0; i < 4; i++)
		if (i < field->arg || i >= (unsigned int)field->arg + field->args)
			ck_assert_uint_eq(event.arg[i], 0xa5a5a5a5a5a5a5a5);
}
