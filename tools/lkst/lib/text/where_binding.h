/* SPDX-License-Identifier: LGPL-2.1 */
/* Shared by the files that find out what a condition means for each event type. */
#ifndef _LKST_WHERE_BINDING_H
#define _LKST_WHERE_BINDING_H

#include "where_program.h"

#define WHERE_CPUS_PREFIX "CPUS{"

/**
 * struct where_binding - state while a comparison is bound
 * @where: condition
 * @scope: scope of the condition
 * @test: comparison
 * @index: index of the comparison
 * @found: at least one event type has the field
 * @valid: the comparison is valid for at least one event type
 * @failed: @err is set
 * @err: why the comparison is not valid for the first type that has the field
 */
struct where_binding {
	struct lkst_where *where;
	const struct lkst_where_scope *scope;
	const struct where_test *test;
	unsigned int index;
	bool found;
	bool valid;
	bool failed;
	struct lkst_error err;
};

/* Report an error, unless the comparison already failed for another event type. */
#define where_refuse(binding, at, ...)                                     \
	do {                                                               \
		if (!(binding)->failed)                                    \
			where_error(&(binding)->err, at, __VA_ARGS__);     \
		(binding)->failed = true;                                  \
	} while (0)

static inline bool where_is_equality(const struct where_test *test)
{
	return test->op == WHERE_EQ || test->op == WHERE_NE;
}

static inline bool where_is_text_op(const struct where_test *test)
{
	return where_is_equality(test) || test->op == WHERE_GLOB;
}

/* where_operand.c */
bool where_take(struct where_binding *binding, struct where_ref *ref);

/* where_cpus.c */
int where_take_cpus(const struct where_word *word, struct where_cpus *cpus, struct lkst_error *err);

#endif
