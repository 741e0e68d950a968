// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests which check that tools can parse /proc/lkst_values, and that its
 * names match the names in the kernel.
 */
#include <linux/gfp.h>
#include <linux/interrupt.h>
#include <linux/kmsg_dump.h>
#include <linux/mm.h>
#include <linux/string.h>

#include "../base/suite_test.h"
#include "values.h"

static const char first_line[] = "# lkst_values 1\n";

/* Return a pointer to the line for this value in @text, or NULL. */
static const char *find(const char *text, const char *format, const char *kind,
			unsigned long value, const char *name)
{
	char line[128];

	snprintf(line, sizeof(line), "\n%s %s 0x%lx %s\n", format, kind, value, name);
	return strstr(text, line);
}

/* Whether a line has the form "format kind 0xvalue name". */
static bool line_is_good(const char *line)
{
	char format[16], kind[8], name[64], end;
	unsigned long value;

	return sscanf(line, "%15s %7s 0x%lx %63s%c", format, kind, &value, name, &end) == 4 &&
	       (!strcmp(kind, "enum") || (!strcmp(kind, "flags") && value));
}

static void lines_can_be_parsed(struct kunit *test)
{
	char *text = text_of_file(test, lkst_values_show), *line;
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
	const char *text = text_of_file(test, lkst_values_show);

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

/*
 * Tools use the first name that fits, so the name of a mask of several bits
 * must precede the names of its bits.
 */
static void flags_of_several_bits_come_first(struct kunit *test)
{
	const char *text = text_of_file(test, lkst_values_show);
	const char *whole = find(text, "gfp", "flags", (__force unsigned long)GFP_KERNEL,
				 "GFP_KERNEL");
	const char *part = find(text, "gfp", "flags", (__force unsigned long)__GFP_FS, "__GFP_FS");

	KUNIT_ASSERT_TRUE(test, whole && part);
	KUNIT_EXPECT_LT(test, (unsigned long)whole, (unsigned long)part);
}

/* Formats of /proc/lkst_values, and whether this kernel has values for them. */
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
	const char *text = text_of_file(test, lkst_values_show);

	for (unsigned int i = 0; i < ARRAY_SIZE(values_formats); i++)
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

LKST_TEST_SUITE("lkst-values", values_test_cases);
