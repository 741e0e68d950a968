// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of rules and limits. They write a rule or a limit to a maskset,
 * and check which events are recorded. tests/unit/rules tests conditions in
 * user space.
 */
#include <linux/err.h>
#include <linux/sched.h>
#include <linux/smp.h>

#include "../dispatch/maskset_test.h"
#include "../memory/memory.h"
#include "../rules/limit.h"
#include "../rules/tid_set.h"
#include "limit.h"
#include "rule.h"
#include "watch.h"

static int write_rule(int etype, const char *text)
{
	struct lkst_rule_param param = {
		.id = A,
		.event_type = etype,
		.text = (unsigned long)text,
		.text_size = strlen(text),
	};

	return lkst_rule_write(&param);
}

static int write_limit(const char *text, char *error)
{
	struct lkst_limit_param param = {
		.id = A,
		.text = (unsigned long)text,
		.text_size = strlen(text),
		.error = (unsigned long)error,
		.error_size = error ? LKST_RULE_ERROR_LEN : 0,
	};

	return lkst_limit_call(&param);
}

/* Create and select a maskset that records marks. */
static void begin(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, PUT(A, "rules", { LKST_ETYPE_USER_MARK, LOG }), A);
	KUNIT_ASSERT_EQ(test, lkst_maskset_set_wait(A), 0);
}

/*
 * Conditions, and whether a mark with the arguments 1, 2, 3 and 4 meets them.
 */
static const struct {
	const char *text;
	bool expected;
} conditions[] = {
	{ "arg1 == 1", true },
	{ "arg1 != 1", false },
	{ "arg2 > 1 && arg3 < 4", true },
	{ "arg2 > 2 || arg4 >= 5", false },
	{ "!(arg1 == 1 && arg4 & 4)", false },
	{ "arg3 == 2..3", true },
	{ "arg3 & CPUS{0-2,4}", false },
	{ "comm ~ '*' && tid >= 0 && uid == 0", true },
	{ "comm == 'no such thread'", false },
};

static void conditions_decide(struct kunit *test)
{
	int i;

	begin(test);
	for (i = 0; i < ARRAY_SIZE(conditions); i++) {
		KUNIT_EXPECT_EQ_MSG(test, write_rule(LKST_ETYPE_USER_MARK, conditions[i].text), 0,
				    "%s", conditions[i].text);
		KUNIT_EXPECT_EQ_MSG(test, marks_recorded(), conditions[i].expected, "%s",
				    conditions[i].text);
	}
	KUNIT_EXPECT_EQ(test, write_rule(LKST_ETYPE_USER_MARK, "arg1 = 1"), -EINVAL);
	KUNIT_EXPECT_EQ(test, write_rule(LKST_ETYPE_LKST_SYNC_TIME, "cpu == 0"), -EINVAL);
	KUNIT_EXPECT_EQ(test, marks_recorded(), 0);
	KUNIT_EXPECT_EQ(test, write_rule(LKST_ETYPE_USER_MARK, ""), 0);
	KUNIT_EXPECT_EQ(test, marks_recorded(), 1);
}

/* Limits, and whether the current thread passes. Its user is root. */
static const struct {
	const char *text;
	bool expected;
} limits[] = {
	{ "uid 0", true },
	{ "uid 1,2", false },
	{ " uid\t1,0 ", true },
	{ "cpu 0-63", true },
	{ "pid 1", false },
	{ "pid 1 uid 0", false },
};

static void limits_decide(struct kunit *test)
{
	char text[32];
	int i;

	begin(test);
	for (i = 0; i < ARRAY_SIZE(limits); i++) {
		/* UML may have fewer CPUs. */
		if (!strcmp(limits[i].text, "cpu 0-63") && nr_cpu_ids < 64)
			continue;
		KUNIT_EXPECT_EQ_MSG(test, write_limit(limits[i].text, NULL), 0, "%s",
				    limits[i].text);
		KUNIT_EXPECT_EQ_MSG(test, marks_recorded(), limits[i].expected, "%s",
				    limits[i].text);
	}
	snprintf(text, sizeof(text), "pid 1,%d children", current->pid);
	KUNIT_EXPECT_EQ(test, write_limit(text, NULL), 0);
	KUNIT_EXPECT_EQ(test, marks_recorded(), 1);
	KUNIT_EXPECT_EQ(test, write_limit("", NULL), 0);
	KUNIT_EXPECT_EQ(test, marks_recorded(), 1);
}

static const struct {
	const char *text;
	const char *error;
} wrong_limits[] = {
	{ " ", "empty limit" },
	{ "pid", "\"pid\" without a value" },
	{ "pid 1 pid 1", "\"pid\" is given twice" },
	{ "pid 1,,2", "\"\" is not a process ID (want a number)" },
	{ "pid 4194303", "no process 4194303" },
	{ "pid 0", "no process 0" },
	{ "pid -1", "no process -1" },
	{ "children", "\"children\" without \"pid\"" },
	{ "uid -1", "\"-1\" is not a user ID (want a number)" },
	{ "uid 4294967296", "\"4294967296\" is not a user ID (want a number)" },
	{ "gid 0", "unknown word \"gid\" (want pid, children, cpu, uid or cgroup)" },
};

/* A wrong limit is refused, and the old one stays in force. */
static void wrong_limits_are_refused(struct kunit *test)
{
	char error[LKST_RULE_ERROR_LEN];
	int i;

	begin(test);
	KUNIT_ASSERT_EQ(test, write_limit("uid 1", NULL), 0);
	for (i = 0; i < ARRAY_SIZE(wrong_limits); i++) {
		*error = 0;
		KUNIT_EXPECT_EQ(test, write_limit(wrong_limits[i].text, error), -EINVAL);
		KUNIT_EXPECT_STREQ(test, error, wrong_limits[i].error);
		KUNIT_EXPECT_EQ(test, marks_recorded(), 0);
	}
}

/* A limit and a rule apply together. Changes of the maskset keep the limit. */
static void limits_are_kept(struct kunit *test)
{
	begin(test);
	KUNIT_ASSERT_EQ(test, write_limit("uid 1", NULL), 0);
	KUNIT_ASSERT_EQ(test, write_rule(LKST_ETYPE_USER_MARK, "arg1 == 1"), 0);
	KUNIT_EXPECT_EQ(test, marks_recorded(), 0);
	KUNIT_EXPECT_EQ(test, handler_of(test, A, LKST_ETYPE_USER_MARK), LOG);
	KUNIT_ASSERT_EQ(test, write_limit("uid 0", NULL), 0);
	KUNIT_EXPECT_EQ(test, marks_recorded(), 1);
	KUNIT_ASSERT_EQ(test, write_rule(LKST_ETYPE_USER_MARK, "arg1 != 1"), 0);
	KUNIT_EXPECT_EQ(test, marks_recorded(), 0);
	KUNIT_ASSERT_EQ(test, write_rule(LKST_ETYPE_USER_MARK, ""), 0);
	KUNIT_EXPECT_EQ(test, write_rule(LKST_ETYPE_USER_MARK, ""), -ENOENT);
	KUNIT_EXPECT_EQ(test, marks_recorded(), 1);
	KUNIT_ASSERT_EQ(test, write_limit("uid 1", NULL), 0);
	KUNIT_ASSERT_EQ(test, PUT(A, "", { LKST_ETYPE_USER_MARK, LOG }), A);
	KUNIT_EXPECT_EQ(test, marks_recorded(), 0);
}

/*
 * A new event of a program may get the number of an event that has ended. In a
 * limited maskset, the new event is limited, too.
 */
static void new_events_are_limited(struct kunit *test)
{
	const int etype = LKST_ETYPE_PROGRAM_MAX;

	KUNIT_ASSERT_EQ(test, PUT(A, "rules", { LKST_ETYPE_USER_EVENTS_NEW, LOG }), A);
	KUNIT_ASSERT_EQ(test, lkst_maskset_set_wait(A), 0);
	KUNIT_ASSERT_EQ(test, write_limit("uid 1", NULL), 0);
	KUNIT_ASSERT_EQ(test, lkst_maskset_renew_begin(etype), 0);
	lkst_maskset_renew_end();
	KUNIT_EXPECT_TRUE(test, lkst_rule_is(lkst_maskset_handler(etype)));
	KUNIT_EXPECT_EQ(test, lkst_rule_handler(lkst_maskset_handler(etype)), LOG);
	KUNIT_ASSERT_EQ(test, write_limit("", NULL), 0);
	KUNIT_EXPECT_EQ(test, lkst_maskset_handler(etype), LOG);
}

static void limits_are_freed(struct kunit *test)
{
	u64 memory = lkst_memory_used();

	begin(test);
	KUNIT_ASSERT_EQ(test, write_limit("pid 1 children uid 0", NULL), 0);
	KUNIT_EXPECT_GT(test, lkst_memory_used(), memory + sizeof(struct lkst_tid_set));
	KUNIT_ASSERT_EQ(test, lkst_maskset_set_wait(LKST_MASKSET_ID_RDEFAULT), 0);
	KUNIT_ASSERT_EQ(test, lkst_maskset_delete(A), 0);
	KUNIT_EXPECT_EQ(test, lkst_memory_used(), memory);
}

/* Watches: the key, and the event types that begin and end spans. */
static const struct {
	const char *name;
	const char *key;
	int begin;
	int end;
} watches[] = {
	{ "begin", "arg1", LKST_ETYPE_USER_MARK, LKST_ETYPE_USER_TEXT },
	{ "end", "arg1", LKST_ETYPE_USER_TEXT, LKST_ETYPE_USER_MARK },
	{ "begin-tid", "tid", LKST_ETYPE_USER_MARK, LKST_ETYPE_USER_TEXT },
	{ "end-tid", "tid", LKST_ETYPE_USER_TEXT, LKST_ETYPE_USER_MARK },
	{ "both", "arg1", LKST_ETYPE_USER_MARK, LKST_ETYPE_USER_MARK },
	{ "two-fields", "arg1,arg2", LKST_ETYPE_USER_MARK, LKST_ETYPE_USER_TEXT },
	{ "other-field", "cpu", LKST_ETYPE_USER_MARK, LKST_ETYPE_USER_TEXT },
};

static int write_watch(unsigned int i)
{
	struct lkst_watch_param param = {
		.over_ns = U64_MAX,
		.text = (unsigned long)watches[i].key,
		.text_size = strlen(watches[i].key),
		.spans = LKST_WATCH_SPANS_MIN,
		.begin = watches[i].begin,
		.end = watches[i].end,
	};

	strscpy(param.name, watches[i].name, sizeof(param.name));
	return lkst_watch_write(&param);
}

#define IF(direct)	((direct) | LKST_RULE_COMPARES)
#define IF_ALL(direct)	((direct) | LKST_RULE_FILTERS)

/*
 * Rules, whether their events take a fast path, and whether events that do not
 * meet the condition are dropped.
 */
static const struct {
	const char *text;
	unsigned int direct;
	bool drops;
} fast_rules[] = {
	{ "do watch(begin)", LKST_RULE_BEGIN_ARG },
	{ "do record, watch(end)", LKST_RULE_END_ARG },
	{ "do watch(begin-tid), record", LKST_RULE_BEGIN_TID },
	{ "do watch(end-tid)", LKST_RULE_END_TID },
	{ "arg1 == 1 do watch(begin)", IF(LKST_RULE_BEGIN_ARG), true },
	{ "arg2 > 1 do watch(end-tid)", IF(LKST_RULE_END_TID), true },
	{ "do watch(end) if arg1 != 1", IF(LKST_RULE_END_ARG) },
	{ "do record, watch(begin-tid) if arg1 == 1", IF(LKST_RULE_BEGIN_TID) },
	{ "do record", LKST_RULE_RECORD },
	{ "arg1 == 1", IF(LKST_RULE_RECORD), true },
	{ "arg3 == 1 do record", IF(LKST_RULE_RECORD), true },
	{ "arg1 == 1 || comm == a", IF_ALL(LKST_RULE_RECORD), true },
	{ "arg1 == 1 && arg2 == 2 do watch(begin)", IF_ALL(LKST_RULE_BEGIN_ARG), true },
	{ "do watch(end) if arg1 == 1 || arg2 == 2", IF_ALL(LKST_RULE_END_ARG) },
	{ "tid > 0 do watch(begin-tid)", IF_ALL(LKST_RULE_BEGIN_TID), true },
	{ "do watch(end-tid) if comm == a", IF_ALL(LKST_RULE_END_TID) },
	{ "do drop" },
	{ "arg1 == 1 do drop" },
	{ "do record if arg1 == 1" },
	{ "do record:9" },
	{ "arg1 == 1 do watch(begin) if arg2 == 2" },
	{ "do watch(begin):1000" },
	{ "do record:1000, watch(begin)" },
	{ "do record if arg1 == 1, watch(begin)" },
	{ "do drop, watch(begin)" },
	{ "do watch(begin), watch(end)" },
	{ "do watch(begin), off if arg1 == 9" },
	{ "do watch(both)" },
	{ "do watch(two-fields)" },
	{ "do watch(other-field)" },
};

/* The rule of marks in the selected maskset */
static const struct lkst_rule *rule_of_marks(struct kunit *test)
{
	unsigned int entry = lkst_maskset_handler(LKST_ETYPE_USER_MARK);

	KUNIT_ASSERT_TRUE(test, lkst_rule_is(entry));
	return lkst_rule_find(entry);
}

/* A rule takes the fast path only if it has neither a limit nor a gate. */
static void simple_rules_are_fast(struct kunit *test)
{
	const struct lkst_rule *rule;
	int i;

	KUNIT_ASSERT_EQ(test, PUT(A, "rules", { LKST_ETYPE_USER_MARK, LOG },
				  { LKST_ETYPE_USER_TEXT, LOG }), A);
	KUNIT_ASSERT_EQ(test, lkst_maskset_set_wait(A), 0);
	for (i = 0; i < ARRAY_SIZE(watches); i++)
		KUNIT_ASSERT_EQ(test, write_watch(i), 0);
	for (i = 0; i < ARRAY_SIZE(fast_rules); i++) {
		const char *text = fast_rules[i].text;

		KUNIT_ASSERT_EQ_MSG(test, write_rule(LKST_ETYPE_USER_MARK, text), 0, "%s", text);
		rule = rule_of_marks(test);
		KUNIT_EXPECT_EQ_MSG(test, rule->direct, fast_rules[i].direct, "%s", text);
		if (rule->direct & ~LKST_RULE_KIND)
			KUNIT_EXPECT_EQ_MSG(test, rule->drops, fast_rules[i].drops, "%s", text);

		KUNIT_ASSERT_EQ(test, write_limit("uid 0", NULL), 0);
		rule = rule_of_marks(test);
		KUNIT_EXPECT_EQ_MSG(test, rule->direct, LKST_RULE_INDIRECT, "%s", text);
		KUNIT_ASSERT_EQ(test, write_limit("", NULL), 0);
		rule = rule_of_marks(test);
		KUNIT_EXPECT_EQ_MSG(test, rule->direct, fast_rules[i].direct, "%s", text);

		KUNIT_ASSERT_EQ(test, write_rule(LKST_ETYPE_USER_TEXT, "do enable(user_mark)"), 0);
		rule = rule_of_marks(test);
		KUNIT_EXPECT_EQ_MSG(test, rule->direct, LKST_RULE_INDIRECT, "%s", text);
		KUNIT_ASSERT_EQ(test, write_rule(LKST_ETYPE_USER_TEXT, ""), 0);
		rule = rule_of_marks(test);
		KUNIT_EXPECT_EQ_MSG(test, rule->direct, fast_rules[i].direct, "%s", text);
	}
	for (i = 0; i < ARRAY_SIZE(watches); i++)
		KUNIT_EXPECT_EQ(test, lkst_watch_delete(watches[i].name), 0);
}

static void sets_of_threads(struct kunit *test)
{
	struct lkst_tid_set *set = lkst_tid_set_new(0);

	KUNIT_ASSERT_FALSE(test, IS_ERR(set));
	KUNIT_EXPECT_EQ(test, lkst_tid_set_next(set, 0), -1);
	KUNIT_EXPECT_EQ(test, lkst_tid_set_add(set, 7), 0);
	KUNIT_EXPECT_EQ(test, lkst_tid_set_add(set, PID_MAX_LIMIT - 1), 0);
	KUNIT_EXPECT_EQ(test, lkst_tid_set_add(set, PID_MAX_LIMIT), -EINVAL);
	KUNIT_EXPECT_EQ(test, lkst_tid_set_add(set, -1), -EINVAL);
	KUNIT_EXPECT_TRUE(test, lkst_tid_set_has(set, 7));
	KUNIT_EXPECT_FALSE(test, lkst_tid_set_has(set, 8));
	KUNIT_EXPECT_FALSE(test, lkst_tid_set_has(set, -1));
	KUNIT_EXPECT_EQ(test, lkst_tid_set_next(set, 0), 7);
	KUNIT_EXPECT_EQ(test, lkst_tid_set_next(set, 8), PID_MAX_LIMIT - 1);
	lkst_tid_set_remove(set, 7);
	KUNIT_EXPECT_FALSE(test, lkst_tid_set_has(set, 7));
	KUNIT_EXPECT_EQ(test, lkst_tid_set_add_process(set, PID_MAX_LIMIT - 1), -ESRCH);
	lkst_tid_set_put(set);
}

static struct kunit_case rule_test_cases[] = {
	KUNIT_CASE(conditions_decide),
	KUNIT_CASE(limits_decide),
	KUNIT_CASE(wrong_limits_are_refused),
	KUNIT_CASE(limits_are_kept),
	KUNIT_CASE(new_events_are_limited),
	KUNIT_CASE(limits_are_freed),
	KUNIT_CASE(sets_of_threads),
	KUNIT_CASE(simple_rules_are_fast),
	{}
};

LKST_TEST_SUITE("lkst-rule", rule_test_cases, .exit = forget_masksets);
