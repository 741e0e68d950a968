// SPDX-License-Identifier: GPL-2.0
/*
 * The table of event types: the mistakes that a new row can have.
 */
#include <kunit/test.h>
#include <linux/string.h>

#include "etype.h"
#include "source.h"

static const char *const formats[] = {
	"dec", "udec", "hex", "ptr", "text", "tid", "state", "sig", "err", "sys", "abi",
	"clone", "wstatus", "softirq", "cpu", "clock", "sec", "nsec", "mset", "evh", "buf",
	"code",
};

/* One "label:format", up to a comma or the end. */
static bool field_is_good(const char *field, size_t len)
{
	const char *colon = memchr(field, ':', len);
	unsigned int i;

	if (!colon || colon == field)
		return false;
	len -= colon + 1 - field;
	for (i = 0; i < ARRAY_SIZE(formats); i++)
		if (strlen(formats[i]) == len && !memcmp(formats[i], colon + 1, len))
			return true;
	return false;
}

static void arguments_have_known_formats(struct kunit *test)
{
	int etype, i;

	for (etype = 0; etype < LKST_ETYPE_NUM; etype++) {
		for (i = 0; lkst_etype_registered(etype) && i < 4; i++) {
			const char *arg = lkst_etypes[etype].args[i];
			const char *comma = strchrnul(arg, ',');

			if (!*arg)
				continue;
			KUNIT_EXPECT_TRUE_MSG(test, field_is_good(arg, comma - arg),
					      "0x%03x %s", etype, arg);
			if (*comma)
				KUNIT_EXPECT_TRUE_MSG(test,
						      field_is_good(comma + 1, strlen(comma + 1)),
						      "0x%03x %s", etype, arg);
		}
	}
}

static void names_are_unique(struct kunit *test)
{
	int a, b;

	for (a = 0; a < LKST_ETYPE_NUM; a++) {
		if (!lkst_etype_registered(a))
			continue;
		for (b = 0; b < a; b++) {
			if (!lkst_etype_registered(b))
				continue;
			KUNIT_EXPECT_STRNEQ(test, lkst_etypes[a].name, lkst_etypes[b].name);
			KUNIT_EXPECT_STRNEQ(test, lkst_etypes[a].mnemonic,
					    lkst_etypes[b].mnemonic);
		}
	}
}

static void numbers_out_of_range_are_not_registered(struct kunit *test)
{
	KUNIT_EXPECT_FALSE(test, lkst_etype_registered(-1));
	KUNIT_EXPECT_FALSE(test, lkst_etype_registered(0));
	KUNIT_EXPECT_FALSE(test, lkst_etype_registered(LKST_ETYPE_NUM));
	KUNIT_EXPECT_TRUE(test, lkst_etype_registered(LKST_ETYPE_PROCESS_CONTEXTSWITCH));
}

static void every_source_is_found(struct kunit *test)
{
	int etype;

	for (etype = 0; etype < LKST_ETYPE_NUM; etype++)
		if (lkst_etype_registered(etype) && etype < 0x030)
			KUNIT_EXPECT_TRUE_MSG(test, lkst_source_present(etype), "0x%03x", etype);
}

static struct kunit_case etype_test_cases[] = {
	KUNIT_CASE(arguments_have_known_formats),
	KUNIT_CASE(names_are_unique),
	KUNIT_CASE(numbers_out_of_range_are_not_registered),
	KUNIT_CASE(every_source_is_found),
	{}
};

static struct kunit_suite etype_test_suite = {
	.name = "lkst-etype",
	.test_cases = etype_test_cases,
};

kunit_test_suites(&etype_test_suite);
