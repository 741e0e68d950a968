/* SPDX-License-Identifier: GPL-2.0 */
/* Helpers that the KUnit tests share. */
#ifndef _LKST_SUITE_TEST_H
#define _LKST_SUITE_TEST_H

#include <kunit/test.h>
#include <linux/seq_file.h>
#include <linux/sizes.h>

/*
 * Define the KUnit suite of a file. Further arguments initialize other members
 * of the suite, such as .exit.
 */
#define LKST_TEST_SUITE(suite_name, cases, ...)			\
	static struct kunit_suite lkst_test_suite = {		\
		.name = suite_name,				\
		.test_cases = cases,				\
		__VA_ARGS__					\
	};							\
	kunit_test_suites(&lkst_test_suite)

/* Return zeroed memory that is freed when the test ends. */
static inline void *test_alloc(struct kunit *test, size_t size)
{
	void *memory = kunit_kzalloc(test, size, GFP_KERNEL);

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, memory);
	return memory;
}

/* Return the contents of the /proc file that @show generates. */
static inline char *text_of_file(struct kunit *test, int (*show)(struct seq_file *m, void *v))
{
	struct seq_file m = { .size = SZ_64K };

	m.buf = test_alloc(test, m.size);
	KUNIT_ASSERT_EQ(test, show(&m, NULL), 0);
	KUNIT_ASSERT_FALSE(test, seq_has_overflowed(&m));
	m.buf[m.count] = 0;
	return m.buf;
}

#endif
