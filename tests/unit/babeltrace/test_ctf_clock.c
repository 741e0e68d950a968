// SPDX-License-Identifier: GPL-2.0
/*
 * The clock of the plug-in for Babeltrace. The plug-in calculates the times of events from the
 * monotonic clock, plus the difference between the two clocks at the newest event.
 */
#include "babeltrace/clock.h"
#include "tap.h"

#define S	INT64_C(1000000000)
#define UNKNOWN INT64_MIN

/*
 * Events of a trace in their order. Each has its time by the wall clock, its time by the monotonic
 * clock, and the expected time in the trace of Babeltrace. An event with the time 0 ends the list.
 */
static const struct {
	const char *name;
	int64_t offset;
	struct {
		int64_t wall, monotonic, expected;
	} event[6];
} clocks[] = {
	{ "test_steady", 1000 * S,
	  { { 1005 * S, 5 * S, 1005 * S }, { 1006 * S + 7, 6 * S + 7, 1006 * S + 7 } } },
	{ "test_monotonic_unknown", 0,
	  { { 1005 * S, UNKNOWN, 1005 * S }, { 1006 * S, UNKNOWN, 1006 * S } } },
	/* The two clocks cannot be read at exactly the same time. */
	{ "test_inexact", 1000 * S - 30,
	  { { 1005 * S, 5 * S + 30, 1005 * S }, { 1006 * S + 20, 6 * S, 1006 * S + 20 },
	    { 1007 * S, 7 * S, 1007 * S } } },
	/* The machine slept, or the wall clock was set forward. */
	{ "test_forward", 1000 * S,
	  { { 1005 * S, 5 * S, 1005 * S }, { 1106 * S, 6 * S, 1106 * S } } },
	/* The wall clock was set back by 100 s: earlier events are moved. */
	{ "test_back", 900 * S,
	  { { 1005 * S, 5 * S, 905 * S }, { 1005 * S + 9, 5 * S + 9, 905 * S + 9 },
	    { 906 * S, 6 * S, 906 * S }, { 907 * S, 7 * S, 907 * S } } },
	/* The wall clock was set forward, and then back by less. */
	{ "test_forward_and_back", 1000 * S,
	  { { 1005 * S, 5 * S, 1005 * S }, { 1106 * S, 6 * S, 1056 * S },
	    { 1057 * S, 7 * S, 1057 * S } } },
	/* Damaged times are limited, so that neither the offset nor the sum can overflow. */
	{ "test_limits", -(INT64_MAX / 2),
	  { { INT64_MIN + 1, INT64_MAX, -(INT64_MAX / 2) }, { INT64_MAX, UNKNOWN, INT64_MAX / 2 },
	    { INT64_MIN, UNKNOWN, -(INT64_MAX / 2) } } },
};

TEST_ROWS(test_clock, clocks)
{
	struct clock clock = { 0 };
	struct lkst_event event = { 0 };
	int num = 0;

	while (num < NUM(clocks->event) && clocks[_i].event[num].wall)
		num++;
	for (int pass = 0; pass < 3; pass++) {
		for (int i = 0; i < num; i++) {
			event.time_ns = clocks[_i].event[i].wall;
			event.monotonic_ns = clocks[_i].event[i].monotonic;
			if (!pass && i == num - 1)
				clock_see_newest(&clock, &event);
			else if (pass == 1 && !i)
				clock_see_oldest(&clock, &event);
			else if (pass == 2)
				ck_assert_int_eq((int64_t)clock_value(&clock, &event) + clock.offset_ns,
						 clocks[_i].event[i].expected);
		}
	}
	ck_assert_int_eq(clock.offset_ns, clocks[_i].offset);
}

/*
 * Only the newest event counts, by its monotonic time. An event of another CPU that is seen later,
 * but is older, changes nothing.
 */
TEST(test_newest)
{
	struct lkst_event event = { .time_ns = 1005 * S, .monotonic_ns = 5 * S };
	struct clock clock = { 0 };

	clock_see_newest(&clock, &event);
	event = (struct lkst_event){ .time_ns = 2004 * S, .monotonic_ns = 4 * S };
	clock_see_newest(&clock, &event);
	ck_assert_int_eq(clock.delta_ns, 1000 * S);
	event = (struct lkst_event){ .time_ns = 3006 * S, .monotonic_ns = 6 * S };
	clock_see_newest(&clock, &event);
	ck_assert_int_eq(clock.delta_ns, 3000 * S);
}
