// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the clock, and of the conversion to wall-clock time.
 */
#include <linux/delay.h>
#include <linux/timekeeping.h>

#include "../base/suite_test.h"
#include "clock.h"
#include "../ring/context.h"

static void readings_are_simultaneous(struct kunit *test)
{
	struct lkst_time time;
	s64 monotonic = ktime_get_ns(), wall = ktime_get_real_ns();

	lkst_time_read(&time);
	KUNIT_EXPECT_GE(test, time.monotonic, monotonic);
	KUNIT_EXPECT_GE(test, time.wall, wall);
	KUNIT_EXPECT_LE(test, time.monotonic, (s64)ktime_get_ns());
	KUNIT_EXPECT_LE(test, time.wall, (s64)ktime_get_real_ns());
	KUNIT_EXPECT_EQ(test, lkst_time_clock(&time, LKST_CLOCK_NS), (u64)time.monotonic);
}

/* Setting the clock must not change the wall-clock time of older records. */
static void setting_the_clock_affects_later_records_only(struct kunit *test)
{
	unsigned int clock = lkst_clock_current();
	u64 early = lkst_clock_read(clock), late;
	s64 early_wall, late_wall, step = 1000 * (s64)NSEC_PER_SEC;
	struct timespec64 now;

	lkst_time_refresh();
	early_wall = lkst_time_to_wall(clock, early);

	now = ns_to_timespec64(ktime_get_real_ns() + step);
	KUNIT_ASSERT_EQ(test, do_settimeofday64(&now), 0);
	msleep(20);	/* wait for the irq_work that notifies LKST */

	late = lkst_clock_read(clock);
	late_wall = lkst_time_to_wall(clock, late);
	KUNIT_EXPECT_LT(test, abs(lkst_time_to_wall(clock, early) - early_wall), 1000);
	KUNIT_EXPECT_GE(test, late_wall - early_wall, step);

	now = ns_to_timespec64(ktime_get_real_ns() - step);
	do_settimeofday64(&now);
	msleep(20);
	KUNIT_EXPECT_LT(test, lkst_time_to_wall(clock, lkst_clock_read(clock)), late_wall);
}

static struct kunit_case clock_test_cases[] = {
	KUNIT_CASE(readings_are_simultaneous),
	KUNIT_CASE(setting_the_clock_affects_later_records_only),
	{}
};

LKST_TEST_SUITE("lkst-clock", clock_test_cases);
