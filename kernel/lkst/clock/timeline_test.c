// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the timeline: convert timestamps with made-up readings.
 */
#include <linux/time64.h>
#include <linux/lkst.h>

#include "../base/suite_test.h"
#include "timeline.h"

/* A counter at 2 GHz: two ticks per nanosecond. */
#define KHZ	2000000ULL
#define SECOND	((s64)NSEC_PER_SEC)
#define WALL	(1000 * SECOND)		/* wall clock at boot */

/* Add a reading: the counter in ticks, the other clocks in ns. */
static bool reading(struct lkst_timeline *line, u64 counter, s64 monotonic, s64 wall, s64 boot,
		    bool new_rate)
{
	const struct lkst_time time = { counter, monotonic, wall, boot, new_rate };

	return lkst_timeline_add(line, &time, 0);
}

/* Add a reading of clocks that have run at their nominal rates since boot. */
static bool plain_reading(struct lkst_timeline *line, s64 monotonic)
{
	return reading(line, 2 * monotonic, monotonic, WALL + monotonic, monotonic, false);
}

static s64 wall_of(const struct lkst_timeline *line, unsigned int clock, u64 value, u64 khz)
{
	struct lkst_span span;

	lkst_timeline_get_span(line, clock, value, &span);
	return lkst_span_wall(&span, clock, value, khz);
}

static s64 wall(struct lkst_timeline *line, u64 counter)
{
	return wall_of(line, LKST_CLOCK_TSC, counter, KHZ);
}

static void no_reading_gives_zero(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, wall(test_alloc(test, sizeof(struct lkst_timeline)), 12345), 0);
}

static void one_reading_uses_the_nominal_rate(struct kunit *test)
{
	struct lkst_timeline *line = test_alloc(test, sizeof(*line));

	plain_reading(line, 10 * SECOND);
	KUNIT_EXPECT_EQ(test, wall(line, 2 * 10 * SECOND), WALL + 10 * SECOND);
	KUNIT_EXPECT_EQ(test, wall(line, 2 * 11 * SECOND), WALL + 11 * SECOND);
	KUNIT_EXPECT_EQ(test, wall(line, 2 * 9 * SECOND), WALL + 9 * SECOND);
}

/*
 * The kernel makes its clock run faster than the counter: 1 s of the counter is
 * 1.001 s of the clock.
 */
static void line_between_readings(struct kunit *test)
{
	struct lkst_timeline *line = test_alloc(test, sizeof(*line));

	reading(line, 0, 0, WALL, 0, true);
	reading(line, 2 * 60 * SECOND, 60 * SECOND + 60000000, WALL + 60 * SECOND + 60000000,
		60 * SECOND + 60000000, false);
	KUNIT_EXPECT_EQ(test, wall(line, 2 * 30 * SECOND), WALL + 30 * SECOND + 30000000);
	/* The line continues after the last reading. */
	KUNIT_EXPECT_EQ(test, wall(line, 2 * 90 * SECOND), WALL + 90 * SECOND + 90000000);
}

/* Readings have errors, so readings that are close together define no rate. */
static void close_readings_define_no_rate(struct kunit *test)
{
	struct lkst_timeline *line = test_alloc(test, sizeof(*line));
	s64 error;

	reading(line, 2 * 10 * SECOND, 10 * SECOND, WALL + 10 * SECOND, 10 * SECOND, true);
	reading(line, 2 * (10 * SECOND + 1000), 10 * SECOND + 1050, WALL + 10 * SECOND + 1050,
		10 * SECOND + 1050, false);
	error = wall(line, 2 * 40 * SECOND) - (WALL + 40 * SECOND);
	KUNIT_EXPECT_LE(test, abs(error), 100);
	error = wall(line, 0) - WALL;
	KUNIT_EXPECT_LE(test, abs(error), 100);
}

/*
 * CLOCK_MONOTONIC may seem to step back a little. Between two readings, it may
 * also seem to have run much faster than the counter. Converting timestamps
 * with such readings must not trap.
 */
static void implausible_readings_do_not_trap(struct kunit *test)
{
	struct lkst_timeline *line = test_alloc(test, sizeof(*line));

	reading(line, 2 * 10 * SECOND, 10 * SECOND, WALL, 10 * SECOND, true);
	reading(line, 2 * 10 * SECOND + 10, 10 * SECOND - 5, WALL, 10 * SECOND - 5, true);
	reading(line, 2 * 10 * SECOND + 11, 70 * SECOND, WALL, 70 * SECOND, false);
	wall(line, 0);
	wall(line, 1);
	wall(line, 2 * 10 * SECOND + 5);
	wall(line, 2 * 10 * SECOND + 11);
	wall(line, U64_MAX);
	wall(line, 1ULL << 63);
	KUNIT_EXPECT_EQ(test, wall_of(line, LKST_CLOCK_TSC, 5, 0), WALL);
}

/* During a suspend the counter runs on, but CLOCK_MONOTONIC does not. */
static void suspend_breaks_the_line(struct kunit *test)
{
	struct lkst_timeline *line = test_alloc(test, sizeof(*line));
	s64 early = 30 * SECOND, error;

	plain_reading(line, 0);
	plain_reading(line, 10 * SECOND);
	/* The machine was suspended at 40 s, for 100 s. */
	reading(line, 2 * 140 * SECOND, 40 * SECOND, WALL + 140 * SECOND, 140 * SECOND, true);
	error = wall(line, 2 * early) - (WALL + early);
	KUNIT_EXPECT_LE(test, abs(error), 100);
	error = wall(line, 2 * 141 * SECOND) - (WALL + 141 * SECOND);
	KUNIT_EXPECT_LE(test, abs(error), 100);
	/*
	 * A timestamp that was taken during the suspend converts to the time at
	 * which the suspend began.
	 */
	KUNIT_EXPECT_EQ(test, wall(line, 2 * 100 * SECOND), WALL + 40 * SECOND);
}

static void setting_the_clock_affects_later_times_only(struct kunit *test)
{
	struct lkst_timeline *line = test_alloc(test, sizeof(*line));

	plain_reading(line, 0);
	plain_reading(line, 10 * SECOND);
	reading(line, 2 * 20 * SECOND, 20 * SECOND, 5 * WALL + 20 * SECOND, 20 * SECOND, true);
	KUNIT_EXPECT_EQ(test, wall(line, 2 * 15 * SECOND), WALL + 15 * SECOND);
	KUNIT_EXPECT_EQ(test, wall(line, 2 * 25 * SECOND), 5 * WALL + 25 * SECOND);
	KUNIT_EXPECT_EQ(test, wall_of(line, LKST_CLOCK_NS, 15 * SECOND, KHZ),
			WALL + 15 * SECOND);
	KUNIT_EXPECT_EQ(test, wall_of(line, LKST_CLOCK_NS, 25 * SECOND, KHZ),
			5 * WALL + 25 * SECOND);
}

static void counter_is_given_up_when_it_goes_back(struct kunit *test)
{
	struct lkst_timeline *line = test_alloc(test, sizeof(*line));
	const struct lkst_time back = { 100, 90 * SECOND, WALL + 90 * SECOND, 90 * SECOND, true };

	plain_reading(line, 0);
	plain_reading(line, 60 * SECOND);
	KUNIT_EXPECT_FALSE(test, lkst_timeline_add(line, &back, 0));
	lkst_timeline_end_counter(line);
	KUNIT_EXPECT_TRUE(test, lkst_timeline_add(line, &back, 0));
	KUNIT_EXPECT_EQ(test, wall(line, 2 * 30 * SECOND), WALL + 30 * SECOND);
	KUNIT_EXPECT_EQ(test, wall_of(line, LKST_CLOCK_NS, 95 * SECOND, KHZ),
			WALL + 95 * SECOND);
}

static void readings_at_changes_are_kept(struct kunit *test)
{
	struct lkst_timeline *line = test_alloc(test, sizeof(*line));
	s64 at;

	for (at = 0; at < 100; at++)
		plain_reading(line, at * SECOND);
	/* The clock is set an hour ahead at second 100. */
	for (; at < 10 * LKST_TIMELINE_READINGS; at++)
		reading(line, 2 * at * SECOND, at * SECOND, WALL + (at + 3600) * SECOND,
			at * SECOND, at == 100);
	KUNIT_EXPECT_LE(test, line->num, LKST_TIMELINE_READINGS);
	KUNIT_EXPECT_EQ(test, line->counter_num, line->num);
	KUNIT_EXPECT_EQ(test, wall(line, 2 * 50 * SECOND), WALL + 50 * SECOND);
	KUNIT_EXPECT_EQ(test, wall(line, 2 * 101 * SECOND), WALL + (101 + 3600) * SECOND);
	KUNIT_EXPECT_EQ(test, wall(line, 2 * (at - 1) * SECOND), WALL + (at - 1 + 3600) * SECOND);
}

static void table_full_of_changes_drops_the_oldest(struct kunit *test)
{
	struct lkst_timeline *line = test_alloc(test, sizeof(*line));
	s64 at;

	for (at = 0; at < 2 * LKST_TIMELINE_READINGS; at++)
		reading(line, 2 * at * SECOND, at * SECOND, WALL * at, at * SECOND, true);
	KUNIT_EXPECT_EQ(test, line->num, LKST_TIMELINE_READINGS);
	KUNIT_EXPECT_EQ(test, wall(line, 2 * (at - 1) * SECOND), WALL * (at - 1));
}

static struct kunit_case timeline_test_cases[] = {
	KUNIT_CASE(no_reading_gives_zero),
	KUNIT_CASE(one_reading_uses_the_nominal_rate),
	KUNIT_CASE(line_between_readings),
	KUNIT_CASE(close_readings_define_no_rate),
	KUNIT_CASE(implausible_readings_do_not_trap),
	KUNIT_CASE(suspend_breaks_the_line),
	KUNIT_CASE(setting_the_clock_affects_later_times_only),
	KUNIT_CASE(counter_is_given_up_when_it_goes_back),
	KUNIT_CASE(readings_at_changes_are_kept),
	KUNIT_CASE(table_full_of_changes_drops_the_oldest),
	{}
};

LKST_TEST_SUITE("lkst-timeline", timeline_test_cases);
