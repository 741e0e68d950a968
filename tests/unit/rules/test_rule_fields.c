// SPDX-License-Identifier: GPL-2.0
/*
 * The fields of events for rules (kernel/lkst/device/rule_fields.c): where the kernel finds them,
 * and that they are the fields that the tools print. Also tests which value a name in a condition
 * has.
 */
#include "device/rule_fields.h"
#include "filter_case.h"
#include "lib/text/etypes.h"
#include "tap.h"

static struct lkst_rule_fields fields;

/* Print the fields: "NAME@PLACE" for each. */
static const char *places(void)
{
	static char text[4096];
	FILE *to = fmemopen(text, sizeof(text), "w");

	*text = 0;
	for (unsigned int i = 0; i < fields.num; i++) {
		const struct lkst_filter_field *field = &fields.field[i];
		static const char *const texts[] = {
			[LKST_TEXT_ARGS] = "args",	 [LKST_TEXT_DATA] = "data",
			[LKST_TEXT_CHAIN] = "chain",	 [LKST_TEXT_DATA_LOC] = "data_loc",
			[LKST_TEXT_REL_LOC] = "rel_loc",
		};

		fprintf(to, "%s%.*s@", i ? " " : "", field->name_len, field->name);
		if (field->is_opaque)
			fprintf(to, "opaque");
		else if (field->text)
			fprintf(to, "%s+%u/%u", texts[field->text], field->offset, field->size);
		else if (field->load == LKST_LOAD_DATA)
			fprintf(to, "%c%u+%u", field->is_signed ? 's' : 'u', field->size * 8,
				field->offset);
		else
			fprintf(to, "%c%u.arg%u>>%u:%.*s", field->is_signed ? 's' : 'u',
				field->size * 8, field->load - LKST_LOAD_ARG1 + 1, field->shift,
				field->format_len, field->format);
	}
	fclose(to);
	return text;
}

static const struct {
	const char *args[4], *places;
} kernel_events[] = {
	{ { "", "", "", "" }, "" },
	{ { "a", "", "", "" }, "a@u64.arg1>>0:" },
	{ { "a:dec", "", "b:ptr", "" }, "a@s64.arg1>>0:dec b@u64.arg3>>0:ptr" },
	{ { "a:tid,b:cpu", "", "", "" }, "a@u32.arg1>>32:tid b@s32.arg1>>0:cpu" },
	{ { "", "", "", "a:sys,b" }, "a@s32.arg4>>32:sys b@u32.arg4>>0:" },
	{ { "a:text", "b:text", "b:text", "c:text" }, "a@args+0/8 b@args+8/16 c@args+24/8" },
	{ { "a:text", "a:text", "a:text", "a:text" }, "a@args+0/32" },
	{ { "chain:chain", "path:text", "path:text", "path:text" }, "path@chain+0/0" },
	{ { "chain:chain", "a:level,b:udec", "c:text", "c:text" },
	  "a@s32.arg2>>32:level b@u32.arg2>>0:udec c@chain+8/0" },
	{ { "chain:chain", "a:text", "b:hex", "c:text" },
	  "a@args+8/8 b@u64.arg3>>0:hex c@chain+16/0" },
	{ { "chain:chain", "stack:sym", "stack:sym", "stack:sym" }, "stack@u64.arg2>>0:sym" },
	{ { "a:sym", "b:sym", "", "" }, "a@u64.arg1>>0:sym b@u64.arg2>>0:sym" },
	{ { "a:unknown", "b:decimal", "", "" }, "a@u64.arg1>>0:unknown b@u64.arg2>>0:decimal" },
};

TEST_LOOP(fields_of_kernel_events, NUM(kernel_events))
{
	lkst_rule_fields_of_args(&fields, kernel_events[_i].args);
	ck_assert_str_eq(places(), kernel_events[_i].places);
}
END_TEST

static const struct {
	const char *text, *places;
} program_events[] = {
	{ "", "" },
	{ "u8 a; s16 b; int c; unsigned long d", "" },
	{ "u8 a; s16 b; int c; u64 d", "a@u8+0 b@s16+1 c@s32+3 d@u64+7" },
	{ "char a; unsigned char b; s64 c", "a@s8+0 b@u8+1 c@s64+2" },
	{ "char[20] a; u32 b", "a@data+0/20 b@u32+20" },
	{ "u32 a; __rel_loc char[] b; __data_loc char[] c",
	  "a@u32+0 b@rel_loc+4/0 c@data_loc+8/0" },
	{ "__rel_loc u64[] a; __data_loc x b; struct x c 12; u8 d",
	  "a@opaque b@opaque c@opaque d@u8+20" },
};

TEST_LOOP(fields_of_program_events, NUM(program_events))
{
	int ret = lkst_rule_fields_of_format(&fields, program_events[_i].text);

	/* A type that user_events does not know makes the text wrong. */
	ck_assert_int_eq(!!ret, !!strstr(program_events[_i].text, "unsigned long"));
	ck_assert_str_eq(places(), program_events[_i].places);
}
END_TEST

TEST(as_many_fields_as_possible)
{
	char text[LKST_FORMAT_COMMAND_MAX] = "";

	for (size_t len = 0; len + 4 < sizeof(text); len += 4)
		memcpy(text + len, "u8 ;", 5);
	ck_assert_int_eq(lkst_rule_fields_of_format(&fields, text), 0);
	ck_assert_uint_eq(fields.num, sizeof(text) / 4 - 1);
	/* Fields without a name cannot be compared. */
	ck_assert_uint_eq(fields.field[fields.num - 1].name_len, 0);
}
END_TEST

/* ---- the fields of the tools ---- */

static const struct {
	unsigned int number;
	const char *args[4];
} builtin[] = {
#define LKST_ETYPE_DEF(number, hook, mnemonic, name, a1, a2, a3, a4) { number, { a1, a2, a3, a4 } },
#include "linux/lkst_etypes.h"
#undef LKST_ETYPE_DEF
};

static const struct lkst_etypes *types;

static void setup(void)
{
	types = lkst_etypes_embedded(&err);
	assert_made(types);
}

static void teardown(void)
{
	lkst_etypes_free((struct lkst_etypes *)types);
}

TESTS(.setup = setup, .teardown = teardown);

static const struct lkst_filter_field *field_named(const char *label)
{
	for (unsigned int i = 0; i < fields.num; i++)
		if (fields.field[i].name_len == strlen(label) &&
		    !strncmp(fields.field[i].name, label, strlen(label)))
			return &fields.field[i];
	return NULL;
}

/* A field of the kernel is where the tools read the value with the same label. */
TEST_LOOP(fields_of_tools, NUM(builtin))
{
	const struct lkst_etype *type = lkst_etype(types, builtin[_i].number);

	ck_assert_ptr_nonnull(type);
	lkst_rule_fields_of_args(&fields, builtin[_i].args);
	for (int i = 0; i < type->fields; i++) {
		const struct lkst_field *tool = &type->field[i];
		const struct lkst_filter_field *field;

		if (!*tool->label || tool->format == LKST_FMT_CHAIN)
			continue;
		field = field_named(tool->label);
		ck_assert_msg(field != NULL, "%s: %s", type->name, tool->label);
		if (field->text == LKST_TEXT_CHAIN) {
			ck_assert(tool->continues);
			ck_assert_uint_eq(field->offset, (tool->arg - 1) * sizeof(uint64_t));
		} else if (field->text) {
			ck_assert_uint_eq(field->offset, tool->arg * sizeof(uint64_t));
			ck_assert_uint_eq(field->size, tool->args * sizeof(uint64_t));
		} else {
			ck_assert_uint_eq(field->load, LKST_LOAD_ARG1 + tool->arg);
			ck_assert_uint_eq(field->shift, tool->part == LKST_PART_HIGH ? 32 : 0);
			ck_assert_uint_eq(field->size, tool->part == LKST_PART_WHOLE ? 8 : 4);
		}
	}
}
END_TEST

/* ---- names ---- */

static const char names[] = "number openat 257\n"
			    "number read 0x0\n"
			    "result -ENOENT 0xfffffffffffffffe\n"
			    "wrong text x\n"
			    "wrong none\n"
			    "wrong long 0x00000000000000001\n"
			    "number twice 1\n"
			    "number twice 2";

static const struct {
	const char *field, *name;
	uint64_t value;
	bool found;
} name_cases[] = {
	{ "number", "openat", 257, true },
	{ "number", "read", 0, true },
	{ "result", "-ENOENT", (uint64_t)-2, true },
	{ "result", "openat", 0, false },
	{ "num", "openat", 0, false },
	{ "number", "open", 0, false },
	{ "number", "openat2", 0, false },
	{ "number", "twice", 1, true },
	{ "wrong", "text", 0, false },
	{ "wrong", "none", 0, false },
	{ "wrong", "long", 0, false },
};

TEST_LOOP(values_of_names, NUM(name_cases))
{
	struct lkst_filter_field field = {
		.name = name_cases[_i].field,
		.name_len = (uint16_t)strlen(name_cases[_i].field),
	};
	__u64 value = 0;
	bool found = lkst_rule_name_value(names, &field, name_cases[_i].name,
					  strlen(name_cases[_i].name), &value);

	ck_assert_int_eq(found, name_cases[_i].found);
	if (found)
		ck_assert_uint_eq(value, name_cases[_i].value);
	ck_assert(!lkst_rule_name_value(NULL, &field, "openat", 6, &value));
	ck_assert(!lkst_rule_name_value("", &field, "openat", 6, &value));
}
END_TEST

/* ---- a condition for an event of a program ---- */

static bool constant(void *ctx, const struct lkst_filter_field *field, const char *name, size_t len,
		     __u64 *value)
{
	return lkst_rule_name_value(ctx, field, name, len, value);
}

TEST(condition_of_program_event)
{
	/* code 7, the location of "hello", a byte -1 */
	static const char payload[] = "\7\0\0\0\1\0\6\0\xffhello";
	const struct lkst_filter_record record = { .data = payload, .bytes = sizeof(payload) };
	static const struct {
		const char *text;
		bool matches;
	} conditions[] = {
		{ "code == 7 && text == hello && byte == -1", true },
		{ "text ~ 'h*o'", true },
		{ "text != hello || byte >= 0 || code > 7", false },
	};
	static struct lkst_filter_parser parser;
	struct lkst_filter_scope scope = { .constant = constant };

	ck_assert_int_eq(
		lkst_rule_fields_of_format(&fields, "u32 code; __rel_loc char[] text; s8 byte"), 0);
	scope.field = fields.field;
	scope.fields = fields.num;
	for (int i = 0; i < NUM(conditions); i++) {
		struct lkst_rule_filter *filter = compile(&parser, &scope, conditions[i].text);

		ck_assert_msg(filter != NULL, "%s: %s", conditions[i].text, parser.error);
		ck_assert_msg(lkst_rule_filter_matches(filter, &record) == conditions[i].matches,
			      "%s", conditions[i].text);
		free(filter);
	}
}
END_TEST
