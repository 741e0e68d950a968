// SPDX-License-Identifier: GPL-2.0
/* Looking up threads by index, thread ID and time, and callbacks that make the model fail. */
#include "lib/model.h"
#include "sample.h"
#include "tap.h"

static struct lkst_model *model;

static int feed(int64_t time_ns, uint32_t tid, uint32_t type, uint64_t arg0, uint64_t arg1)
{
	static uint64_t recid;
	const struct lkst_event event = {
		.time_ns = time_ns, .recid = recid++, .type = type, .tid = tid,
		.arg = { arg0, arg1 },
	};

	return lkst_model_event(model, &event, &err);
}

static void setup(void)
{
	model = lkst_model_new(true, &err);
	assert_made(model);
}

static void teardown(void)
{
	lkst_model_free(model);
}

TESTS(.setup = setup, .teardown = teardown);

TEST(test_index)
{
	assert_ok(feed(10, 100, LKST_ETYPE_USER_MARK, 0, 0));
	ck_assert_uint_eq(lkst_model_threads(model), 1);
	ck_assert_uint_eq(lkst_model_thread(model, 0)->tid, 100);
	ck_assert_ptr_null(lkst_model_thread(model, 1));
	ck_assert_ptr_null(lkst_model_thread(model, UINT32_MAX));
}
END_TEST

/* Three threads have the ID 200: from 10 to 40, from 60 to 80, and from 80 on. */
static const struct { int64_t time_ns; int index; } at[] = {
	{ INT64_MIN, -1 }, { 9, -1 }, { 10, 1 }, { 39, 1 }, { 40, -1 }, { 59, -1 }, { 60, 2 },
	{ 79, 2 }, { 80, 3 }, { INT64_MAX, 3 },
};

TEST_EACH(test_find_at, at)
{
	const struct lkst_thread *thread;

	assert_ok(feed(5, 100, LKST_ETYPE_USER_MARK, 0, 0));
	assert_ok(feed(10, 100, LKST_ETYPE_PROCESS_FORK, pack(200, 200), 0));
	assert_ok(feed(20, 100, LKST_ETYPE_PROCESS_CONTEXTSWITCH, pack(100, 'S'), pack(200, 120)));
	assert_ok(feed(40, 200, LKST_ETYPE_PROCESS_CONTEXTSWITCH, pack(200, 'X'), pack(100, 120)));
	assert_ok(feed(60, 100, LKST_ETYPE_PROCESS_FORK, pack(200, 200), 0));
	/* The end of the second thread was not recorded. */
	assert_ok(feed(80, 100, LKST_ETYPE_PROCESS_FORK, pack(200, 200), 0));
	thread = lkst_model_find_at(model, 0, 200, at[_i].time_ns);
	ck_assert_int_eq(thread ? (int)thread->index : -1, at[_i].index);
	ck_assert_uint_eq(lkst_model_find(model, 0, 200)->index, 3);
	ck_assert_ptr_null(lkst_model_find_at(model, 1, 200, at[_i].time_ns));
	ck_assert_ptr_null(lkst_model_find_at(model, 0, 201, at[_i].time_ns));
}
END_TEST

/* ---- failures ---- */

static void fail_with(const char *text)
{
	struct lkst_error why;

	lkst_error_set(&why, LKST_ERR_ARGUMENT, "%s", text);
	lkst_model_fail(model, &why);
}

static void on_event(void *ctx, const struct lkst_event *event)
{
	(void)ctx;
	if (event->type == LKST_ETYPE_USER_MARK)
		fail_with("the first");
	fail_with("the second");
}

static void on_cpu(void *ctx, const struct lkst_cpu_span *span)
{
	(void)ctx;
	(void)span;
	fail_with("a span");
}

TEST(test_fail_in_event)
{
	static const struct lkst_model_ops ops = { .event = on_event };

	assert_ok(lkst_model_add(model, &ops, NULL, &err));
	ck_assert_int_eq(feed(10, 100, LKST_ETYPE_USER_MARK, 0, 0), -1);
	ck_assert_int_eq(err.code, LKST_ERR_ARGUMENT);
	ck_assert_str_eq(err.text, "the first");
	ck_assert_int_eq(lkst_model_cut(model, 20, NULL), -1);
}
END_TEST

TEST(test_fail_in_cut)
{
	static const struct lkst_model_ops ops = { .cpu = on_cpu };

	assert_ok(lkst_model_add(model, &ops, NULL, &err));
	assert_ok(feed(10, 100, LKST_ETYPE_USER_MARK, 0, 0));
	ck_assert_int_eq(lkst_model_cut(model, 20, &err), -1);
	ck_assert_str_eq(err.text, "a span");
}
END_TEST
