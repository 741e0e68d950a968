// SPDX-License-Identifier: GPL-2.0
/* Texts in the arguments of events. */
#include <stdlib.h>
#include <string.h>

#include "lib/liblkst.h"
#include "tap.h"

static const char kernel[] =
	"# lkst_etypes 1\n"
	"0x0e0 MARK UNDEF - present \"mark\" \"arg1:hex\" \"arg2:hex\" \"arg3:hex\" \"arg4:hex\"\n"
	"0x0e1 TEXT UNDEF - present \"text\" \"t:text\" \"t:text\" \"t:text\" \"t:text\"\n"
	"0x100 TWO UNDEF - present \"two\" \"a:text\" \"n:dec\" \"b:text\" \"b:text\"\n"
	"0x101 HALF UNDEF - present \"half\" \"a:text,b:text\" \"c:text\" \"\" \"\"\n";

static struct lkst_etypes *types;

static void setup(void)
{
	struct lkst_error err;

	types = lkst_etypes_parse(kernel, sizeof(kernel) - 1, "kernel", &err);
	ck_assert_msg(types != NULL, "%s", err.text);
}

static void teardown(void)
{
	lkst_etypes_free(types);
}

/* Which field is the nth text: its argument, and how many it takes; -1: none. */
static const struct {
	uint16_t type;
	unsigned int nth;
	int arg, args;
} fields[] = {
	{ 0x0e0, 0, -1, 0 }, { 0x0e1, 0, 0, 4 },  { 0x0e1, 1, -1, 0 }, { 0x100, 0, 0, 1 },
	{ 0x100, 1, 2, 2 },  { 0x100, 2, -1, 0 }, { 0x101, 0, 1, 1 },  { 0x101, 1, -1, 0 },
};

START_TEST(test_fields)
{
	const struct lkst_field *field =
		lkst_etype_text(lkst_etype(types, fields[_i].type), fields[_i].nth);

	ck_assert_int_eq(field ? field->arg : -1, fields[_i].arg);
	if (field)
		ck_assert_int_eq(field->args, fields[_i].args);
}
END_TEST

#define TEN "0123456789"

/* Into which field, what, how many bytes go in. */
static const struct {
	uint16_t type;
	unsigned int nth;
	const char *text;
	size_t taken;
} texts[] = {
	{ 0x0e1, 0, "", 0 },
	{ 0x0e1, 0, "a", 1 },
	{ 0x0e1, 0, "12345678", 8 },
	{ 0x0e1, 0, TEN TEN TEN "12", 32 },
	{ 0x0e1, 0, TEN TEN TEN "123", 32 },
	{ 0x0e1, 0, TEN TEN TEN "1\303\274", 31 }, /* 2 bytes: it would be cut */
	{ 0x0e1, 0, TEN TEN TEN "\303\274", 32 }, /* it goes in */
	{ 0x0e1, 0, TEN TEN TEN "\303\274\303\274", 32 }, /* the second one does not */
	{ 0x0e1, 0, TEN TEN "012345678\360\237\231\202", 29 }, /* 4 bytes, of which 3 would go in */
	{ 0x0e1, 0, TEN TEN "01234567\360\237\231\202", 32 },
	{ 0x100, 0, "a\200\200\200\200\200\200\200\200", 8 }, /* no UTF-8 at all */
	{ 0x100, 0, "\200\200\200\200\200\200\200\200\200", 8 },
	{ 0x100, 1, TEN "0123456", 16 },
};

START_TEST(test_put)
{
	const struct lkst_field *field =
		lkst_etype_text(lkst_etype(types, texts[_i].type), texts[_i].nth);
	struct lkst_entry_args args;
	struct lkst_event event = { 0 };
	char text[4 * 8 + 1], want[4 * 8 + 1] = "";

	memset(&args, 0xa5, sizeof(args));
	ck_assert_uint_eq(lkst_entry_put_text(&args, field, texts[_i].text), texts[_i].taken);
	event.arg[0] = args.log_arg1;
	event.arg[1] = args.log_arg2;
	event.arg[2] = args.log_arg3;
	event.arg[3] = args.log_arg4;
	lkst_event_text(&event, field->arg, field->args, text);
	memcpy(want, texts[_i].text, texts[_i].taken);
	ck_assert_mem_eq(text, want, field->args * 8u);
	for (unsigned int i = 0; i < 4; i++)
		if (i < field->arg || i >= (unsigned int)field->arg + field->args)
			ck_assert_uint_eq(event.arg[i], 0xa5a5a5a5a5a5a5a5);
}
END_TEST

#define NUM(array) ((int)(sizeof(array) / sizeof(*(array))))

int main(void)
{
	Suite *suite = suite_create("entry");
	TCase *tc = tcase_create("entry");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, test_fields, 0, NUM(fields));
	tcase_add_loop_test(tc, test_put, 0, NUM(texts));
	suite_add_tcase(suite, tc);
	return run_suite(suite);
}
