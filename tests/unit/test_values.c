// SPDX-License-Identifier: GPL-2.0
/* What values are called: the text, looking up, and what the running kernel tells. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/liblkst.h"
#include "tap.h"

#define HEAD LKST_VALUES_HEAD "\n"

static struct lkst_values *parse(const char *text, struct lkst_error *err)
{
	return lkst_values_parse(text, strlen(text), "FILE", err);
}

static struct lkst_values *parse_good(const char *text)
{
	struct lkst_error err = { 0 };
	struct lkst_values *values = parse(text, &err);

	ck_assert_msg(values != NULL, "%s", err.text);
	return values;
}

START_TEST(test_enum)
{
	struct lkst_values *values = parse_good(HEAD "# a comment\n"
						     "\n"
						     "drop enum 0x10 SIXTEEN\n"
						     "drop enum 2\ttwo words  here\n"
						     "drop enum 0xffffffffffffffff LAST\n"
						     "  drop enum 0 NOTHING\n"
						     "drop enum 0x10 AGAIN\n"
						     "unheard_of flags 1 FLAG\n"
						     "dev enum 0x800000 sda\n");

	ck_assert_str_eq(lkst_values_name(values, LKST_FMT_DROP, 0), "NOTHING");
	ck_assert_str_eq(lkst_values_name(values, LKST_FMT_DROP, 2), "two words  here");
	ck_assert_str_eq(lkst_values_name(values, LKST_FMT_DROP, 16), "SIXTEEN");
	ck_assert_str_eq(lkst_values_name(values, LKST_FMT_DROP, UINT64_MAX), "LAST");
	ck_assert_str_eq(lkst_values_name(values, LKST_FMT_DEV, 8 << 20), "sda");
	ck_assert_ptr_null(lkst_values_name(values, LKST_FMT_DROP, 1));
	ck_assert_ptr_null(lkst_values_name(values, LKST_FMT_DROP, 17));
	ck_assert_ptr_null(lkst_values_name(values, LKST_FMT_IRQ, 0));
	ck_assert(!lkst_values_are_flags(values, LKST_FMT_DROP));
	lkst_values_free(values);
}
END_TEST

START_TEST(test_flags)
{
	struct lkst_values *values = parse_good(HEAD "gfp flags 0xc0 BOTH\n"
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
	/* One kind is not the other. */
	ck_assert_ptr_null(lkst_values_name(values, LKST_FMT_GFP, 0x40));
	value = 1;
	ck_assert_ptr_null(lkst_values_take(values, LKST_FMT_DROP, &value));
	lkst_values_free(values);
}
END_TEST

START_TEST(test_none)
{
	struct lkst_values *values = parse_good(LKST_VALUES_HEAD);
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
END_TEST

#define NAME63 "123456789012345678901234567890123456789012345678901234567890123"

static const struct {
	const char *text, *says;
} bad[] = {
	{ "", "FILE: not a list of values: its first line is not \"# lkst_values 1\"" },
	{ "# lkst_values 2\n", "first line" },
	{ "gfp flags 1 A\n", "first line" },
	{ HEAD "gfp flag 1 A\n", "FILE:2: \"flags\" or \"enum\" expected: \"gfp flag 1 A\"" },
	{ HEAD "gfp\n", "\"flags\" or \"enum\" expected" },
	{ HEAD "\n\ngfp flags x A\n", "FILE:4: value expected" },
	{ HEAD "gfp flags -1 A\n", "value expected" },
	{ HEAD "gfp flags 1x A\n", "value expected" },
	{ HEAD "gfp flags\n", "value expected" },
	{ HEAD "gfp flags 0x10000000000000000 A\n", "value expected" },
	{ HEAD "gfp flags 1\n", "name of 1 to 63 bytes expected" },
	{ HEAD "gfp flags 1   \n", "name of 1 to 63 bytes expected" },
	{ HEAD "gfp flags 1 " NAME63 "4\n", "name of 1 to 63 bytes expected" },
	{ HEAD "gfp flags 1 \033[2J\n", "name of 1 to 63 bytes expected: \"gfp flags 1 \\033[2J\"" },
	{ HEAD "gfp flags 1 a\"b\n", "name of 1 to 63 bytes expected" },
	{ HEAD "gfp flags 1 A\ngfp enum 2 B\n",
	  "FILE:3: a format is either of flags or an enumeration" },
};

START_TEST(test_bad)
{
	struct lkst_error err = { 0 };

	ck_assert_ptr_null(parse(bad[_i].text, &err));
	ck_assert_int_eq(err.code, LKST_ERR_FORMAT);
	if (!strstr(err.text, bad[_i].says))
		ck_abort_msg("\"%s\" lacks \"%s\"", err.text, bad[_i].says);
}
END_TEST

START_TEST(test_longest_name)
{
	struct lkst_values *values = parse_good(HEAD "drop enum 1 " NAME63 "\n");

	ck_assert_str_eq(lkst_values_name(values, LKST_FMT_DROP, 1), NAME63);
	lkst_values_free(values);
}
END_TEST

START_TEST(test_many)
{
	const unsigned int num = (1 << 20) + 1;
	size_t room = (size_t)num * 32 + sizeof(HEAD), len;
	char *text = malloc(room), *p = text;
	struct lkst_values *values;
	struct lkst_error err = { 0 };

	/* In no order */
	p += sprintf(p, HEAD);
	for (unsigned int i = 0; i < num - 1; i++)
		p += sprintf(p, "drop enum %u n%u\n", i ^ 0x5555, i ^ 0x5555);
	len = (size_t)(p - text);
	values = lkst_values_parse(text, len, "FILE", &err);
	ck_assert_msg(values != NULL, "%s", err.text);
	ck_assert_str_eq(lkst_values_name(values, LKST_FMT_DROP, 77777), "n77777");
	lkst_values_free(values);
	/* And one more */
	len += (size_t)sprintf(p, "drop enum %u last\n", num);
	ck_assert_ptr_null(lkst_values_parse(text, len, "FILE", &err));
	ck_assert_ptr_nonnull(strstr(err.text, "too many values"));
	free(text);
}
END_TEST

/* ---- the running kernel, or what looks like one ---- */

static char root[] = "/tmp/lkst-test-XXXXXX";

static void make_dir(const char *path)
{
	char command[256];

	snprintf(command, sizeof(command), "mkdir -p '%s%s'", root, path);
	ck_assert_int_eq(system(command), 0);
}

static void make_file(const char *path, const char *text)
{
	char full[256];
	FILE *to;

	snprintf(full, sizeof(full), "%s%s", root, path);
	to = fopen(full, "w");
	ck_assert_ptr_nonnull(to);
	fputs(text, to);
	fclose(to);
}

static void make_link(const char *path, const char *target)
{
	char full[256];

	snprintf(full, sizeof(full), "%s%s", root, path);
	ck_assert_int_eq(symlink(target, full), 0);
}

static void setup_root(void)
{
	strcpy(root + sizeof(root) - 7, "XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(root));
}

static void teardown_root(void)
{
	char command[64];

	snprintf(command, sizeof(command), "rm -rf %s", root);
	ck_assert_int_eq(system(command), 0);
}

static struct lkst_values *system_values(void)
{
	struct lkst_values *values;
	struct lkst_error err = { 0 };
	size_t len;
	char *text = lkst_values_system(root, &len, &err);

	ck_assert_msg(text != NULL, "%s", err.text);
	values = lkst_values_parse(text, len, "system", &err);
	ck_assert_msg(values != NULL, "%s", err.text);
	free(text);
	return values;
}

START_TEST(test_system)
{
	struct lkst_values *values;

	make_dir("/proc");
	make_file("/proc/lkst_values", HEAD "drop enum 2 TWO\n");
	make_dir("/sys/kernel/irq/24");
	make_file("/sys/kernel/irq/24/actions", "virtio0-input.0,virtio1\n");
	make_dir("/sys/kernel/irq/25");
	make_file("/sys/kernel/irq/25/actions", "\n");
	make_dir("/sys/kernel/irq/26");
	make_dir("/sys/kernel/irq/27");
	make_file("/sys/kernel/irq/27/actions", "odd\"name\\\033\n");
	make_dir("/sys/kernel/irq/28");
	make_file("/sys/kernel/irq/28/actions", NAME63 NAME63 "\n");
	make_dir("/sys/kernel/irq/x9");
	make_file("/sys/kernel/irq/x9/actions", "no\n");
	make_dir("/sys/dev/block");
	make_link("/sys/dev/block/254:1", "../../devices/virtio/block/vda/vda1");
	make_link("/sys/dev/block/104:0", "../../devices/block/cciss!c0d0");
	make_link("/sys/dev/block/odd", "../../devices/block/odd");
	make_link("/sys/dev/block/9:9", "/");
	values = system_values();
	ck_assert_str_eq(lkst_values_name(values, LKST_FMT_DROP, 2), "TWO");
	ck_assert_str_eq(lkst_values_name(values, LKST_FMT_IRQ, 24), "virtio0-input.0,virtio1");
	ck_assert_ptr_null(lkst_values_name(values, LKST_FMT_IRQ, 25));
	ck_assert_ptr_null(lkst_values_name(values, LKST_FMT_IRQ, 26));
	ck_assert_str_eq(lkst_values_name(values, LKST_FMT_IRQ, 27), "odd?name??");
	ck_assert_str_eq(lkst_values_name(values, LKST_FMT_IRQ, 28), NAME63);
	ck_assert_ptr_null(lkst_values_name(values, LKST_FMT_IRQ, 9));
	ck_assert_str_eq(lkst_values_name(values, LKST_FMT_DEV, 254 << 20 | 1), "vda1");
	ck_assert_str_eq(lkst_values_name(values, LKST_FMT_DEV, 104 << 20), "cciss/c0d0");
	ck_assert_ptr_null(lkst_values_name(values, LKST_FMT_DEV, 9 << 20 | 9));
	lkst_values_free(values);
}
END_TEST

START_TEST(test_system_without)
{
	/* An older kernel: nothing of it is there. */
	lkst_values_free(system_values());
}
END_TEST

START_TEST(test_this_system)
{
	struct lkst_values *values;
	struct lkst_error err = { 0 };
	size_t len;
	char *text = lkst_values_system(NULL, &len, &err);

	ck_assert_msg(text != NULL, "%s", err.text);
	values = lkst_values_parse(text, len, "system", &err);
	ck_assert_msg(values != NULL, "%s", err.text);
	lkst_values_free(values);
	free(text);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("values");
	TCase *tc = tcase_create("text"), *sys = tcase_create("system");

	tcase_set_timeout(tc, 60);
	check_id(tc, test_enum);
	check_id(tc, test_flags);
	check_id(tc, test_none);
	tcase_add_loop_test(tc, test_bad, 0, sizeof(bad) / sizeof(*bad));
	check_id(tc, test_longest_name);
	check_id(tc, test_many);
	suite_add_tcase(suite, tc);
	tcase_add_checked_fixture(sys, setup_root, teardown_root);
	check_id(sys, test_system);
	check_id(sys, test_system_without);
	check_id(sys, test_this_system);
	suite_add_tcase(suite, sys);
	return run_suite(suite);
}
