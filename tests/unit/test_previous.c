// SPDX-License-Identifier: GPL-2.0
/* Which of the previous boots is meant. */
#include <string.h>

#include "lib/liblkst.h"
#include "tap.h"

/* The ids are 10000000-..., 12000000-..., 20000000-...; the oldest first. */
static const uint8_t ids[] = { 0x10, 0x12, 0x20 };
#define NUM ((int)(sizeof(ids) / sizeof(*ids)))

static struct lkst_previous previous;

/* @state: of the boots, from the first on */
static void set_up(const uint32_t *state)
{
	previous = (struct lkst_previous){ .part_num = 4, .num = (size_t)NUM };
	for (int i = 0; i < NUM; i++) {
		previous.boot[i].boot[0] = ids[i];
		previous.boot[i].state = state[i];
	}
}

/* @index: of the boot; -1: none, as @why tells. */
static void check(const char *id, int index, const char *why)
{
	struct lkst_error err = { 0 };
	const struct lkst_previous_listent *found = lkst_previous_find(&previous, id, &err);

	ck_assert_ptr_eq(found, index < 0 ? NULL : &previous.boot[index]);
	if (index < 0)
		ck_assert_msg(strstr(err.text, why) != NULL, "%s", err.text);
}

START_TEST(test_id)
{
	set_up((const uint32_t[]){ LKST_PART_UNREAD, LKST_PART_READ, LKST_PART_UNREAD });
	check("12", 1, NULL);
	check("2", 2, NULL);
	check("10000000-0000-0000-0000-000000000000", 0, NULL);
	check("1", -1, "\"1\" begins the ids of several previous boots");
	check("3", -1, "no previous boot \"3\" is there");
	check("10000000-0000-0000-0000-0000000000000", -1, "no previous boot");
	check("", -1, "no previous boot \"\" is there");
}
END_TEST

/* Without an id: the newest that nobody has read; if all were read, the newest. */
START_TEST(test_no_id)
{
	set_up((const uint32_t[]){ LKST_PART_UNREAD, LKST_PART_UNREAD, LKST_PART_READ });
	check(NULL, 1, NULL);
	set_up((const uint32_t[]){ LKST_PART_READ, LKST_PART_READ, LKST_PART_READ });
	check(NULL, 2, NULL);
}
END_TEST

START_TEST(test_none)
{
	previous = (struct lkst_previous){ .part_num = 3 };
	check(NULL, -1, "nothing is there of a boot before this one");
	check("1", -1, "nothing is there of a boot before this one");
	previous.part_num = 0;
	check(NULL, -1, "no memory is set aside");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("previous");
	TCase *tc = tcase_create("previous");

	check_id(tc, test_id);
	check_id(tc, test_no_id);
	check_id(tc, test_none);
	suite_add_tcase(suite, tc);
	return run_suite(suite);
}
