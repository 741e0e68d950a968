// SPDX-License-Identifier: GPL-2.0
/*
 * /proc/lkst_values: its lines are those that tools parse, and say what the kernel says.
 */
#include <kunit/test.h>
#include <linux/gfp.h>
#include <linux/interrupt.h>
#include <linux/kmsg_dump.h>
#include <linux/mm.h>
#include <linux/seq_file.h>
#include <linux/sizes.h>
#include <linux/string.h>

#include "values.h"

static const char first_line[] = "# lkst_values 1\n";

static char *text_of_file(struct kunit *test)
{
	struct seq_file m = { .size = SZ_64K };

	m.buf = kunit_kzalloc(test, m.size, GFP_KERNEL);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, m.buf);
	KUNIT_ASSERT_EQ(test, lkst_values_show(&m, NULL), 0);
	KUNIT_ASSERT_FALSE(test, seq_has_overflowed(&m));
	m.buf[m.count] = 0;
	return m.buf;
}

/* Where the line stands, or NULL. */
static const char *find(const char *text, const char *format, const char *kind,
			unsigned long value, const char *name)
{
	char line[128];

	snprintf(line, sizeof(line), "\n%s %s 0x%lx %s\n", format, kind, value, name);
	return strstr(text, line);
}

/* "word word 0xhex word" */
static bool line_is_good(const char *line)
{
	char format[16], kind[8], name[64], end;
	unsigned long value;

	return sscanf(line, "%15s %7s 0x%lx %63s%c", format, kind, &value, name, &end) == 4 &&
	       (!strcmp(kind, "enum") || (!strcmp(kind, "flags") && value));
}

static void lines_can_be_parsed(struct kunit *test)
{
	char *text = text_of_file(test), *line;
	unsigned int num = 0;

	KUNIT_ASSERT_TRUE(test, !strncmp(text, first_line, strlen(first_line)));
	KUNIT_EXPECT_EQ(test, text[strlen(text) - 1], '\n');
	text[strlen(text) - 1] = 0;
	text += strlen(first_line);
	while ((line = strsep(&text, "\n"))) {
		KUNIT_EXPECT_TRUE_MSG(test, line_is_good(line), "%s", line);
		num++;
	}
	KUNIT_EXPECT_GT(test, num, 50);
}

static void names_match_the_kernel(struct kunit *test)
{
	const char *text = text_of_file(test);

	KUNIT_EXPECT_TRUE(test, find(text, "softirq", "enum", HI_SOFTIRQ, "HI"));
	KUNIT_EXPECT_TRUE(test, find(text, "softirq", "enum", RCU_SOFTIRQ, "RCU"));
	KUNIT_EXPECT_TRUE(test, find(text, "gfp", "flags", (__force unsigned long)GFP_KERNEL,
				     "GFP_KERNEL"));
	KUNIT_EXPECT_TRUE(test, find(text, "gfp", "flags", (__force unsigned long)__GFP_ZERO,
				     "__GFP_ZERO"));
	KUNIT_EXPECT_TRUE(test, find(text, "fault", "flags", FAULT_FLAG_WRITE, "WRITE"));
	KUNIT_EXPECT_TRUE(test, find(text, "migrate", "enum", MIGRATE_MOVABLE, "Movable"));
	KUNIT_EXPECT_TRUE(test, find(text, "lcb", "flags", 0x20, "MUTEX"));
	KUNIT_EXPECT_TRUE(test, find(text, "detector", "enum", 2, "warning"));
	KUNIT_EXPECT_TRUE(test, find(text, "dump", "enum", KMSG_DUMP_PANIC, "Panic"));
	KUNIT_EXPECT_FALSE(test, strstr(text, "\ndump enum 0x0 "));
}

/* A reader takes the first that fits. */
static void flags_of_several_bits_come_first(struct kunit *test)
{
	const char *text = text_of_file(test);
	const char *whole = find(text, "gfp", "flags", (__force unsigned long)GFP_KERNEL,
				 "GFP_KERNEL");
	const char *part = find(text, "gfp", "flags", (__force unsigned long)__GFP_FS, "__GFP_FS");

	KUNIT_ASSERT_TRUE(test, whole && part);
	KUNIT_EXPECT_LT(test, (unsigned long)whole, (unsigned long)part);
}

/* And whether this kernel has what they name. */
static const struct {
	const char *format;
	bool known;
} values_formats[] = {
	{ "gfp", true },
	{ "fault", true },
	{ "migrate", true },
	{ "vec", IS_ENABLED(CONFIG_X86_LOCAL_APIC) },
	{ "blkop", IS_ENABLED(CONFIG_BLOCK) },
	{ "drop", IS_ENABLED(CONFIG_NET) },
	{ "tcp", IS_ENABLED(CONFIG_NET) },
	{ "lcb", true },
	{ "detector", true },
	{ "dump", IS_ENABLED(CONFIG_PRINTK) },
	{ "softirq", true },
};

static bool text_has_format(const char *text, const char *format)
{
	char begin[24];

	snprintf(begin, sizeof(begin), "\n%s ", format);
	return strstr(text, begin);
}

static void every_format_is_listed(struct kunit *test)
{
	const char *text = text_of_file(test);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(values_formats); i++)
		KUNIT_EXPECT_EQ_MSG(test, text_has_format(text, values_formats[i].format),
				    values_formats[i].known, "%s", values_formats[i].format);
}

static struct kunit_case values_test_cases[] = {
	KUNIT_CASE(lines_can_be_parsed),
	KUNIT_CASE(names_match_the_kernel),
	KUNIT_CASE(flags_of_several_bits_come_first),
	KUNIT_CASE(every_format_is_listed),
	{}
};

static struct kunit_suite values_test_suite = {
	.name = "lkst-values",
	.test_cases = values_test_cases,
};

kunit_test_suites(&values_test_suite);
