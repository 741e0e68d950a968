// SPDX-License-Identifier: GPL-2.0
/* Following a kernel that is not there, while things happen in it. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fake_kernel.h"
#include "lib/etype_ids.h"
#include "sample.h"
#include "tap.h"

#define CPUS 3

static struct lkst_device *dev;
static struct lkst_follow *follow;

static void setup(void)
{
	fake_begin(CPUS);
	for (int cpu = 0; cpu < 2; cpu++)
		fake_shift(cpu, 0);
	dev = fake_device(NULL);
	follow = NULL;
}

static void teardown(void)
{
	lkst_follow_close(follow);
	lkst_device_close(dev);
	ck_assert_int_eq(fake.open, 0);
}

static void begin(struct lkst_follow_options opt)
{
	struct lkst_error err = { 0 };

	opt.interval_ms = 1;
	follow = lkst_follow_open(dev, &opt, &err);
	ck_assert_msg(follow != NULL, "%s", err.text);
}

static const struct lkst_follow_options all = { .cpu = -1 };
static const struct lkst_follow_options from_the_start = { .cpu = -1, .history = true };

/* The events that come, as "CPU:RECID ..."; up to 20 of them. */
static const char *come(void)
{
	static char text[512];
	struct lkst_error err = { 0 };
	struct lkst_event event;
	size_t len = 0;
	int ret = 1;

	*text = 0;
	for (int i = 0; i < 20; i++) {
		ret = lkst_follow_next(follow, &event, 20, &err);
		ck_assert_msg(ret >= 0, "%s", err.text);
		if (!ret)
			break;
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%d:%llu", len ? " " : "",
					event.cpu, (unsigned long long)event.recid);
	}
	return text;
}

START_TEST(test_order)
{
	fake_record(0, 5, WHOLE); /* before it begins */
	begin(all);
	ck_assert_str_eq(come(), "");
	fake_record(1, 10, WHOLE);
	fake_record(0, 20, WHOLE);
	fake_record(0, 30, WHOLE);
	fake_record(1, 25, WHOLE);
	ck_assert_str_eq(come(), "1:1 0:2 1:2 0:3");
	fake_record(1, 40, WHOLE);
	ck_assert_str_eq(come(), "1:3");
	ck_assert_str_eq(come(), "");
	ck_assert_uint_eq(lkst_follow_lost(follow), 0);
}
END_TEST

START_TEST(test_history)
{
	fake_record(0, 10, WHOLE);
	fake_record(1, 5, WHOLE);
	fake_shift(0, 2);
	fake_record(0, 20, WHOLE);
	begin(from_the_start);
	ck_assert_str_eq(come(), "1:1 0:1 0:2");
	fake_record(0, 30, WHOLE);
	ck_assert_str_eq(come(), "0:3");
	ck_assert_uint_eq(lkst_follow_lost(follow), 0);
}
END_TEST

/* What history begins with is what there is: what was overwritten long ago is no loss. */
START_TEST(test_history_overwritten)
{
	for (int i = 0; i < 10; i++)
		fake_record(0, i, WHOLE);
	fake.cpu[0].buffer[0].oldest = 9;
	begin(from_the_start);
	ck_assert_str_eq(come(), "0:9 0:10");
	ck_assert_uint_eq(lkst_follow_lost(follow), 0);
}
END_TEST

START_TEST(test_one_cpu)
{
	begin((struct lkst_follow_options){ .cpu = 1 });
	fake_record(0, 10, WHOLE);
	fake_record(1, 20, WHOLE);
	ck_assert_str_eq(come(), "1:1");
}
END_TEST

/* While CPU 1 is looked at, an event happens on CPU 0 and then one on CPU 1. */
static void late_pair(int n)
{
	if (n == 0) {
		fake_record(0, 100, WHOLE);
		fake_record(1, 200, WHOLE);
		fake.at_read = NULL;
	}
}

START_TEST(test_no_event_overtakes)
{
	begin(all);
	fake_record(1, 50, WHOLE); /* so that CPU 1 is read, after CPU 0 had nothing */
	fake.at_read = late_pair;
	ck_assert_str_eq(come(), "1:1 0:1 1:2");
}
END_TEST

/* An interrupt within an event: the time goes back, the order is that of the recids. */
START_TEST(test_interrupted)
{
	begin(all);
	fake_record(0, 100, WHOLE);
	fake_record(0, 90, WHOLE);
	fake_record(1, 95, WHOLE);
	fake_record(1, 105, WHOLE);
	ck_assert_str_eq(come(), "1:1 0:1 0:2 1:2");
}
END_TEST

/* The clock is set back by an hour: nothing waits for an hour. */
START_TEST(test_clock_set_back)
{
	const int64_t hour = 3600000000000;
	struct lkst_error err = { 0 };
	struct lkst_event event;

	begin(all);
	fake_sync(0, 90);
	fake_sync(1, 95);
	fake_record(0, 100, WHOLE);
	ck_assert_str_eq(come(), "0:1 1:1 0:2");
	fake.wall_ns -= hour;
	fake_sync(0, 190);
	fake_sync(1, 195);
	fake_record(0, 200, WHOLE);
	fake_record(1, 300, WHOLE);
	ck_assert_int_eq(lkst_follow_next(follow, &event, 1000, &err), 1);
	ck_assert_int_eq(event.time_ns, SAMPLE_NS - hour + 190);
	ck_assert_str_eq(come(), "1:2 0:4 1:3");
	fake_record(0, 400, WHOLE);
	ck_assert_int_eq(lkst_follow_next(follow, &event, 1000, &err), 1);
	ck_assert_int_eq(event.time_ns, SAMPLE_NS - hour + 400);
	ck_assert_int_eq(event.monotonic_ns, 400);
	ck_assert_uint_eq(event.clock, 400);
	ck_assert_int_eq(event.machine, LKST_MACHINE_X86_64);
	ck_assert_uint_eq(event.flags, 0);
}
END_TEST

START_TEST(test_overwritten)
{
	begin(all);
	fake_record(0, 1, WHOLE);
	ck_assert_str_eq(come(), "0:1");
	for (int i = 0; i < 10; i++)
		fake_record(0, 10 + i, WHOLE);
	fake.cpu[0].buffer[0].oldest = 9;
	ck_assert_str_eq(come(), "0:9 0:10 0:11");
	ck_assert_uint_eq(lkst_follow_lost(follow), 7);
}
END_TEST

START_TEST(test_dropped)
{
	begin(all);
	fake_record(0, 1, WHOLE);
	fake_record(0, 2, DROPPED);
	fake_record(0, 3, WHOLE);
	ck_assert_str_eq(come(), "0:1 0:3");
	ck_assert_uint_eq(lkst_follow_lost(follow), 1);
}
END_TEST

static void finish(int n)
{
	if (n == 5) {
		fake.cpu[0].state[2] = WHOLE;
		fake.at_read = NULL;
	}
}

START_TEST(test_unfinished)
{
	begin(all);
	fake_record(0, 10, WHOLE);
	fake_record(0, 20, UNFINISHED);
	fake_record(0, 30, WHOLE);
	fake_record(1, 25, WHOLE);
	fake.at_read = finish;
	ck_assert_str_eq(come(), "0:1 0:2 1:1 0:3");
	ck_assert_uint_eq(lkst_follow_lost(follow), 0);
}
END_TEST

/* It is waited for, but not for ever. */
START_TEST(test_never_finished)
{
	char text[512] = "";

	begin(all);
	fake_record(0, 20, UNFINISHED);
	fake_record(0, 30, WHOLE);
	fake_record(1, 25, WHOLE);
	for (int i = 0; i < 1000 && strcmp(text, "1:1 0:2") != 0; i++) {
		const char *more = come();

		if (*more)
			snprintf(text, sizeof(text), "%s", more);
	}
	ck_assert_str_eq(text, "1:1 0:2");
	ck_assert_uint_eq(lkst_follow_lost(follow), 1);
}
END_TEST

/* A ring of two: while the older buffer is looked at, it is written again. */
static void reuse(int n)
{
	if (n == 0) {
		fake_shift(0, 0);
		fake_record(0, 40, WHOLE);
		fake.at_read = NULL;
	}
}

START_TEST(test_reused_meanwhile)
{
	begin(from_the_start);
	ck_assert_str_eq(come(), "");
	fake_record(0, 10, WHOLE);
	fake_shift(0, 1);
	fake_record(0, 20, WHOLE);
	fake_record(0, 30, WHOLE);
	fake.reads = 0;
	fake.at_read = reuse;
	/* The first one is gone; those of the other buffer are not skipped for what is newer. */
	ck_assert_str_eq(come(), "0:2 0:3 0:4");
}
END_TEST

START_TEST(test_shifts)
{
	begin(all);
	for (int i = 0; i < 9; i++) {
		fake_record(0, i, WHOLE);
		fake_shift(0, (fake.cpu[0].written + 1) % FAKE_BUFFERS);
		if (i % 3 == 2)
			come();
	}
	fake_record(0, 100, WHOLE);
	ck_assert_str_eq(come(), "0:10");
	ck_assert_uint_eq(lkst_follow_lost(follow), 0);
}
END_TEST

static void delete_it(int n)
{
	(void)n;
	fake.cpu[0].buffer[0].there = false;
}

START_TEST(test_buffers_go_and_come)
{
	begin(all);
	fake_record(0, 10, WHOLE);
	fake_record(1, 20, WHOLE);
	fake.at_read = delete_it;
	ck_assert_str_eq(come(), "1:1");
	fake.at_read = NULL;
	/* A CPU that had none gets one. */
	fake_shift(2, 3);
	fake_record(2, 30, WHOLE);
	ck_assert_str_eq(come(), "2:1");
	fake_shift(0, 0);
	fake_record(0, 40, WHOLE);
	ck_assert_str_eq(come(), "0:2");
	ck_assert_uint_eq(lkst_follow_lost(follow), 1);
}
END_TEST

/* More than may wait: the others go on being looked at, memory stays what it is. */
START_TEST(test_many)
{
	struct lkst_error err = { 0 };
	struct lkst_event event;
	uint64_t next[CPUS] = { 1, 1 };
	int64_t last = 0;

	begin(all);
	for (int i = 0; i < 60000; i++)
		fake_record(0, 10 * i, WHOLE);
	for (int i = 0; i < 600; i++)
		fake_record(1, 1000 * i + 5, WHOLE);
	for (int i = 0; i < 60600; i++) {
		ck_assert_int_eq(lkst_follow_next(follow, &event, 1000, &err), 1);
		ck_assert_uint_eq(event.recid, next[event.cpu]++);
		ck_assert_int_ge(event.time_ns, last);
		last = event.time_ns;
	}
	ck_assert_str_eq(come(), "");
	ck_assert_uint_eq(lkst_follow_lost(follow), 0);
}
END_TEST

static void rename_thread(int64_t time_ns, uint32_t tid, const char *name)
{
	struct lkst_event_record *record = fake_record(0, time_ns, WHOLE);

	record->event_type = LKST_ETYPE_PROCESS_RENAME;
	record->arg[0] = tid;
	record->arg[1] = text8(name);
}

/* Names are those of the last event. */
START_TEST(test_names)
{
	const struct lkst_context *context;
	struct lkst_names *names;
	const uint32_t tid = 4194301; /* as good as never there */
	size_t len;

	begin(all);
	context = lkst_follow_context(follow);
	names = context->names;
	ck_assert_ptr_null(lkst_names_get(names, tid, SAMPLE_NS));
	rename_thread(10, tid, "renamed");
	ck_assert_str_eq(come(), "0:1");
	ck_assert_str_eq(lkst_names_get(names, tid, SAMPLE_NS), "renamed");
	ck_assert(!memcmp(lkst_names_text(names, tid, SAMPLE_NS, &len), "renamed-4194301 ", 16));
	rename_thread(20, tid, "again");
	ck_assert_str_eq(come(), "0:2");
	ck_assert_str_eq(lkst_names_get(names, tid, SAMPLE_NS), "again");
	ck_assert(!memcmp(lkst_names_text(names, tid, SAMPLE_NS, &len), "again-4194301 ", 14));
	ck_assert_uint_eq(len, 13);
	/* Those that were there at the start */
	ck_assert_ptr_nonnull(lkst_names_get(names, (uint32_t)getpid(), SAMPLE_NS));
	ck_assert_str_eq(lkst_etype(lkst_follow_etypes(follow), 0x030)->name, "system_call_entry");
}
END_TEST

START_TEST(test_errors)
{
	struct lkst_error err = { 0 };
	struct lkst_event event;

	ck_assert_ptr_null(lkst_follow_open(dev, &(struct lkst_follow_options){ .cpu = 3 }, &err));
	ck_assert_str_eq(err.text, "no CPU 3 here, only CPUs 0-2");
	fake.error = EPERM;
	ck_assert_ptr_null(lkst_follow_open(dev, &all, &err));
	ck_assert_int_eq(err.code, LKST_ERR_PERMISSION);
	fake.error = 0;
	begin(all);
	fake.error = ENOTTY;
	ck_assert_int_eq(lkst_follow_next(follow, &event, 1000, &err), -1);
	ck_assert_int_eq(err.code, LKST_ERR_NO_DEVICE);
	lkst_follow_close(NULL);
}
END_TEST

/* Threads that have ended are forgotten, those that run are not. */
START_TEST(test_names_stay_few)
{
	struct lkst_names *names = lkst_names_new();
	struct lkst_event event = { .cpu = 0 };

	lkst_names_now(names);
	lkst_names_at_end(names, 7, "daemon");
	for (uint32_t tid = 1000; tid < 101000; tid++) {
		event.type = LKST_ETYPE_PROCESS_FORK;
		event.arg[0] = pack(tid, tid);
		event.arg[2] = text8("child");
		ck_assert_int_eq(lkst_names_observe(names, &event), 0);
		ck_assert_str_eq(lkst_names_get(names, tid, 0), "child");
		event.type = LKST_ETYPE_PROCESS_EXIT;
		event.arg[0] = pack(tid, 120);
		ck_assert_int_eq(lkst_names_observe(names, &event), 0);
		/* Its last events are still to come. */
		ck_assert_str_eq(lkst_names_get(names, tid, 0), "child");
	}
	ck_assert_str_eq(lkst_names_get(names, 7, 0), "daemon");
	ck_assert_ptr_null(lkst_names_get(names, 1000, 0));
	lkst_names_free(names);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("follow");
	TCase *tc = tcase_create("follow");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_set_timeout(tc, 60);
	check_id(tc, test_order);
	check_id(tc, test_history);
	check_id(tc, test_history_overwritten);
	check_id(tc, test_one_cpu);
	check_id(tc, test_no_event_overtakes);
	check_id(tc, test_interrupted);
	check_id(tc, test_clock_set_back);
	check_id(tc, test_overwritten);
	check_id(tc, test_dropped);
	check_id(tc, test_unfinished);
	check_id(tc, test_never_finished);
	check_id(tc, test_reused_meanwhile);
	check_id(tc, test_shifts);
	check_id(tc, test_buffers_go_and_come);
	check_id(tc, test_many);
	check_id(tc, test_names);
	check_id(tc, test_names_stay_few);
	check_id(tc, test_errors);
	suite_add_tcase(suite, tc);
	return run_suite(suite);
}
