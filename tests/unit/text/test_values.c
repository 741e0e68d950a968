// SPDX-License-Identifier: GPL-2.0
/* Names of values: parsing a list, looking up values, and the names of the running kernel. */
#include "dir.h"
#include "lib/live/system_values.h"
#include "lib/text/etypes.h"
#include "lib/text/values.h"
#include "tap.h"

#define HEADER LKST_VALUES_HEADER "\n"

static struct lkst_values *parse(const char *text)
{
	return lkst_values_parse(text, strlen(text), "FILE", &err);
}

static struct lkst_values *parse_good(const char *text)
{
	struct lkst_values *values = parse(text);

	assert_made(values);
	return values;
}

/* A value of a format, and its expected name; NULL: it has no name. */
struct name {
	enum lkst_field_format format;
	uint64_t value;
	const char *name;
};

/* Check the names of the @num values in @row, then free @values. */
static void check_names(struct lkst_values *values, const struct name *row, int num)
{
	for (; num--; row++) {
		const char *name = lkst_values_name(values, row->format, row->value);

		ck_assert_msg(!name == !row->name && (!name || !strcmp(name, row->name)),
			      "0x%llx: %s", (unsigned long long)row->value, name);
	}
	lkst_values_free(values);
}

TESTS(.name = "text", .timeout = 60);

TEST(test_enum)
{
	static const struct name names[] = {
		{ LKST_FMT_DROP, 0, "NOTHING" }, { LKST_FMT_DROP, 2, "two words  here" },
		{ LKST_FMT_DROP, 16, "SIXTEEN" }, { LKST_FMT_DROP, UINT64_MAX, "LAST" },
		{ LKST_FMT_DEV, 8 << 20, "sda" }, { LKST_FMT_DROP, 1, NULL },
		{ LKST_FMT_DROP, 17, NULL }, { LKST_FMT_IRQ, 0, NULL },
	};
	struct lkst_values *values = parse_good(HEADER "# a comment\n"
						       "\n"
						       "drop enum 0x10 SIXTEEN\n"
						       "drop enum 2\ttwo words  here\n"
						       "drop enum 0xffffffffffffffff LAST\n"
						       "  drop enum 0 NOTHING\n"
						       "drop enum 0x10 AGAIN\n"
						       "unheard_of flags 1 FLAG\n"
						       "dev enum 0x800000 sda\n");

	ck_assert(!lkst_values_are_flags(values, LKST_FMT_DROP));
	check_names(values, names, NUM(names));
}

TEST(test_flags)
{
	struct lkst_values *values = parse_good(HEADER "gfp flags 0xc0 BOTH\n"
						       "gfp flags 0x0 NONE\n"
						       "gfp flags 0x40 LOW\n"
						       "gfp flags 0x80 HIGH\n"
						       "drop enum 1 ONE\n");
	uint64_t value = 0x1c8;

	ck_assert(lkst_values_are_flags(values, LKST_FMT_GFP));
	ck_assert_str_eq(lkst_values_take(values, LKST_FMT_GFP, &value), "BOTH");
	ck_assert_ptr_null(lkst_values_take(values, LKST_FMT_GFP, &value));
	ck_assert_uint_eq(value, 0x108);
	value = 0x80;
	ck_assert_str_eq(lkst_values_take(values, LKST_FMT_GFP, &value), "HIGH");
	ck_assert_uint_eq(value, 0);
	ck_assert_ptr_null(lkst_values_take(values, LKST_FMT_GFP, &value));
	/* lkst_values_name() finds no names of flags, and lkst_values_take() no names of an enum. */
	ck_assert_ptr_null(lkst_values_name(values, LKST_FMT_GFP, 0x40));
	value = 1;
	ck_assert_ptr_null(lkst_values_take(values, LKST_FMT_DROP, &value));
	lkst_values_free(values);
}

TEST(test_none)
{
	struct lkst_values *values = parse_good(LKST_VALUES_HEADER);
	uint64_t value = 1;

	for (int i = 0; i < 2; i++) {
		const struct lkst_values *which = i ? values : NULL;

		ck_assert(!lkst_values_are_flags(which, LKST_FMT_GFP));
		ck_assert_ptr_null(lkst_values_name(which, LKST_FMT_DROP, 1));
		ck_assert_ptr_null(lkst_values_take(which, LKST_FMT_GFP, &value));
	}
	lkst_values_free(values);
	lkst_values_free(NULL);
}

#define NAME63 "123456789012345678901234567890123456789012345678901234567890123"

static const struct { const char *text, *message; } bad[] = {
	{ "", "FILE: not a list of values: its first line is not \"# lkst_values 1\"" },
	{ "# lkst_values 2\n", "first line" }, { "gfp flags 1 A\n", "first line" },
	{ HEADER "gfp flag 1 A\n", "FILE:2: \"flags\" or \"enum\" expected: \"gfp flag 1 A\"" },
	{ HEADER "gfp\n", "\"flags\" or \"enum\" expected" },
	{ HEADER "\n\ngfp flags x A\n", "FILE:4: value expected" },
	{ HEADER "gfp flags -1 A\n", "value expected" },
	{ HEADER "gfp flags 1x A\n", "value expected" }, { HEADER "gfp flags\n", "value expected" },
	{ HEADER "gfp flags 0x10000000000000000 A\n", "value expected" },
	{ HEADER "gfp flags 1\n", "name of 1 to 63 bytes expected" },
	{ HEADER "gfp flags 1   \n", "name of 1 to 63 bytes expected" },
	{ HEADER "gfp flags 1 " NAME63 "4\n", "name of 1 to 63 bytes expected" },
	{ HEADER "gfp flags 1 \033[2J\n",
	  "name of 1 to 63 bytes expected: \"gfp flags 1 \\033[2J\"" },
	{ HEADER "gfp flags 1 a\"b\n", "name of 1 to 63 bytes expected" },
	{ HEADER "gfp flags 1 A\ngfp enum 2 B\n",
	  "FILE:3: a format cannot have both flags and other values" },
};

TEST_EACH(test_bad, bad)
{
	ck_assert_ptr_null(parse(bad[_i].text));
	ck_assert_int_eq(err.code, LKST_ERR_FORMAT);
	assert_contains(err.text, bad[_i].message);
}

TEST(test_longest_name)
{
	check_names(parse_good(HEADER "drop enum 1 " NAME63 "\n"),
		    &(struct name){ LKST_FMT_DROP, 1, NAME63 }, 1);
}

TEST(test_many)
{
	const unsigned int num = (1 << 20) + 1;
	char *text = malloc((size_t)num * 32 + sizeof(HEADER)), *p = text;

	/* The maximum number of values is accepted, in any order. */
	p += sprintf(p, HEADER);
	for (unsigned int i = 0; i < num - 1; i++)
		p += sprintf(p, "drop enum %u n%u\n", i ^ 0x5555, i ^ 0x5555);
	check_names(parse_good(text), &(struct name){ LKST_FMT_DROP, 77777, "n77777" }, 1);
	/* One more value is refused. */
	sprintf(p, "drop enum %u last\n", num);
	ck_assert_ptr_null(parse(text));
	assert_contains(err.text, "too many values");
	free(text);
}

/* ---- the running kernel, and a tree of files that imitates it ---- */

/* The files of the tree. A file whose text begins with "->" is a symbolic link. */
static const struct { const char *path, *text; } files[] = {
	{ "proc/lkst_values", HEADER "drop enum 2 TWO\n" },
	{ "sys/kernel/irq/24/actions", "virtio0-input.0,virtio1\n" },
	{ "sys/kernel/irq/25/actions", "\n" },
	{ "sys/kernel/irq/26/other", "" },
	{ "sys/kernel/irq/27/actions", "odd\"name\\\033\n" },
	{ "sys/kernel/irq/28/actions", NAME63 NAME63 "\n" },
	{ "sys/kernel/irq/x9/actions", "no\n" },
	{ "sys/dev/block/254:1", "->../../devices/virtio/block/vda/vda1" },
	{ "sys/dev/block/104:0", "->../../devices/block/cciss!c0d0" },
	{ "sys/dev/block/odd", "->../../devices/block/odd" },
	{ "sys/dev/block/9:9", "->/" },
};

static const struct name system_names[] = {
	{ LKST_FMT_DROP, 2, "TWO" }, { LKST_FMT_IRQ, 24, "virtio0-input.0,virtio1" },
	{ LKST_FMT_IRQ, 25, NULL }, { LKST_FMT_IRQ, 26, NULL }, { LKST_FMT_IRQ, 27, "odd?name??" },
	{ LKST_FMT_IRQ, 28, NAME63 }, { LKST_FMT_IRQ, 9, NULL },
	{ LKST_FMT_DEV, 254 << 20 | 1, "vda1" }, { LKST_FMT_DEV, 104 << 20, "cciss/c0d0" },
	{ LKST_FMT_DEV, 9 << 20 | 9, NULL },
};

static void make_file(const char *path, const char *text)
{
	const char *full = dir_path(path);
	char command[512];

	snprintf(command, sizeof(command), "mkdir -p $(dirname '%s')", full);
	ck_assert_int_eq(system(command), 0);
	if (strncmp(text, "->", 2))
		write_text(full, text);
	else
		ck_assert_int_eq(symlink(text + 2, full), 0);
}

static struct lkst_values *system_values(const char *root)
{
	struct lkst_values *values;
	size_t len;
	char *text = lkst_values_system(root, &len, &err);

	assert_made(text);
	values = lkst_values_parse(text, len, "system", &err);
	assert_made(values);
	free(text);
	return values;
}

TESTS(.name = "system", .setup = dir_make, .teardown = dir_remove);

TEST(test_system)
{
	for (int i = 0; i < NUM(files); i++)
		make_file(files[i].path, files[i].text);
	check_names(system_values(dir), system_names, NUM(system_names));
}

TEST(test_system_without)
{
	/* It is not an error if neither /proc/lkst_values nor the files in /sys exist. */
	lkst_values_free(system_values(dir));
}

TEST(test_this_system)
{
	lkst_values_free(system_values(NULL));
}
