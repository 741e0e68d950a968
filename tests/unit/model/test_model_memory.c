// SPDX-License-Identifier: GPL-2.0
/* Checks that the model and a history report each failed allocation, and that nothing leaks. */
#include "lib/base/etype_ids.h"
#include "lib/model.h"
#include "sample.h"
#include "tap.h"

static bool limited; /* false while the Check library allocates memory, which must not fail */
static int left; /* number of allocations that succeed while @limited */
static bool failed;

void *__real_calloc(size_t num, size_t size);
void *__wrap_calloc(size_t num, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_realloc(void *old, size_t size);

static bool allocation_fails(void)
{
	if (!limited)
		return false;
	failed |= !left;
	left -= !failed;
	return failed;
}

void *__wrap_calloc(size_t num, size_t size)
{
	return allocation_fails() ? NULL : __real_calloc(num, size);
}

void *__wrap_realloc(void *old, size_t size)
{
	return allocation_fails() ? NULL : __real_realloc(old, size);
}

static const struct lkst_event events[] = {
	{ .type = LKST_ETYPE_USER_MARK, .tid = 1 },
	{ .type = LKST_ETYPE_USER_MARK, .tid = 1, .cpu = 40 },
	{ .type = LKST_ETYPE_PROCESS_FORK, .tid = 1, .arg = { 2ull << 32 } },
	{ .type = LKST_ETYPE_PROCESS_WAKEUP, .tid = 1, .arg = { 2ull << 32, 100ull << 32 } },
	{ .type = LKST_ETYPE_PROCESS_MIGRATE, .tid = 1, .arg = { 2, 100ull << 32 | 200 } },
	{ .type = LKST_ETYPE_EXCEPTION_ENTRY, .tid = 1, .arg = { 14ull << 32 } },
	{ .type = LKST_ETYPE_SYSCALL_ENTRY, .tid = 1 },
	{ .type = LKST_ETYPE_PROCESS_CONTEXTSWITCH, .tid = 1,
	  .arg = { 1ull << 32 | 'S', 3ull << 32 } },
	{ .type = LKST_ETYPE_INT_HARDWARE_ENTRY, .tid = 3, .arg = { 9 } },
	{ .type = LKST_ETYPE_PROCESS_WAKING, .tid = 3, .arg = { 1ull << 32 } },
	{ .type = LKST_ETYPE_PROCESS_STATE, .tid = 3, .arg = { 4ull << 32 } },
	{ .type = LKST_ETYPE_USER_MARK, .tid = 1, .source = 9 },
};

static bool feed(struct lkst_model *model)
{
	bool ok = true;

	for (size_t i = 0; ok && i < sizeof(events) / sizeof(*events); i++) {
		struct lkst_event event = events[i];

		event.recid = i;
		event.time_ns = (int64_t)i;
		limited = true;
		ok = !lkst_model_event(model, &event, &err);
		limited = false;
		ck_assert_msg(ok != failed, "event %zu", i);
	}
	return ok;
}

/* Feed the events to a new model. Returns false if it reports that an allocation failed. */
static bool feed_all(void)
{
	static const struct lkst_model_ops ops = { 0 };
	struct lkst_history *history = NULL;
	struct lkst_model *model;
	bool ok;

	limited = true;
	model = lkst_model_new(false, &err);
	if (model)
		history = lkst_history_new(model, 0, &err);
	ok = history && !lkst_model_add(model, &ops, NULL, &err) && feed(model);
	limited = true;
	ok = ok && !lkst_model_cut(model, 100, &err) && !lkst_history_sort_wakes(history, &err);
	limited = false;
	lkst_history_free(history);
	lkst_model_free(model);
	return ok;
}

TESTS();

TEST(test_each_allocation)
{
	int num = 0;

	for (; left = num, !feed_all(); num++, failed = false)
		ck_assert(failed);
	ck_assert_int_gt(num, 20);
}
END_TEST
