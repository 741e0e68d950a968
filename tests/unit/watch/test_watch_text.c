// SPDX-License-Identifier: GPL-2.0
/* The action watch(NAME) in the texts of rules (tools/lkst/lkst/watch_text.c). */
#include "tap.h"
#include "lkst/watch.h"

static void assert_taken(char *text, const char *want)
{
	ck_assert_ptr_nonnull(text);
	ck_assert_str_eq(text, want);
	free(text);
}

TEST(add)
{
	assert_taken(watch_text_add(NULL, "late", NULL), "do watch(late)");
	assert_taken(watch_text_add(NULL, "late", "prio < 100"), "do watch(late) if prio < 100");
	assert_taken(watch_text_add("prio < 100", "late", NULL), "prio < 100 do watch(late)");
	assert_taken(watch_text_add("do drop", "late", NULL), "do drop, watch(late)");
	assert_taken(watch_text_add(WATCH_TEXT_MASKED, "late", "prio < 100"),
		     "do record, watch(late) if prio < 100");
	assert_taken(watch_text_add("name == 'a do' && doing != 1", "late", "tid == 4"),
		     "name == 'a do' && doing != 1 do watch(late) if tid == 4");
	assert_taken(watch_text_add("a == \"b, do\" do off if c & CPUS{0-3,7}", "late", NULL),
		     "a == \"b, do\" do off if c & CPUS{0-3,7}, watch(late)");
}
END_TEST

/* What remains of rules that contain watch(late); NULL: nothing */
static const struct {
	const char *rule, *left;
	int removed;
} removals[] = {
	{ "do watch(late)", NULL, 1 },
	{ "do watch(late) if prio < 100", NULL, 1 },
	{ "do watch(late):5", NULL, 1 },
	{ "prio < 100 do watch(late)", "prio < 100", 1 },
	{ "do drop, watch(late)", "do drop", 1 },
	{ "do watch(late), drop", "do drop", 1 },
	{ "do record, watch(late) if prio < 100", WATCH_TEXT_MASKED, 1 },
	{ "prio == 1 do drop if a & CPUS{0,1}, watch(late) if name == 'x, y', off",
	  "prio == 1 do drop if a & CPUS{0,1}, off", 1 },
	{ "do watch(late), watch(later), watch(late)", "do watch(later)", 2 },
	{ "do watch(later)", "do watch(later)", 0 },
	{ "do hist(keys=a,b:sort=c), watch(late)", "do hist(keys=a,b:sort=c)", 1 },
};

TEST_LOOP(remove_from, NUM(removals))
{
	char *left;

	ck_assert_int_eq(watch_text_remove(removals[_i].rule, "late", &left), removals[_i].removed);
	if (removals[_i].left)
		assert_taken(left, removals[_i].left);
	else
		ck_assert_ptr_null(left);
}
END_TEST

TEST(remove_without_actions)
{
	char *left;

	ck_assert_int_eq(watch_text_remove("prio < 100", "late", &left), 0);
	ck_assert_ptr_null(left);
}
END_TEST

TEST(count)
{
	assert_taken(watch_text_count("off", 1), "off:1");
	assert_taken(watch_text_count("stack, snapshot", 10), "stack:10, snapshot:10");
	assert_taken(watch_text_count("stop(5) if prio < 3, off:2", 10), "stop(5):10 if prio < 3, off:2");
	assert_taken(watch_text_count("hist(keys=a:size=4)", 3), "hist(keys=a:size=4):3");
	assert_taken(watch_text_count("off if name == 'a:b, c'", 3), "off:3 if name == 'a:b, c'");
}
END_TEST
