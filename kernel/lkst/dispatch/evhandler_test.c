// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the registry of event handlers, and of masksets whose event
 * handler is unregistered.
 */
#include <linux/completion.h>
#include <linux/kthread.h>
#include <linux/sched/task.h>
#include <linux/lkst_class.h>
#include <linux/lkst_private.h>

#include "maskset_test.h"

#define FIRST		LKST_EVHANDLER_ID_USER_MIN
/* Number of event handlers that LKST itself registers. */
#define OWN_HANDLERS	(LKST_EVHANDLER_ID_BUFFER_JUMP + 1)

static unsigned int handled;

static void count_handler(void *phookrec, int event_type, lkst_arg_t log_arg1,
			  lkst_arg_t log_arg2, lkst_arg_t log_arg3, lkst_arg_t log_arg4)
{
	handled++;
}

static int register_as(lkst_evhandler_id id, const char *name)
{
	return lkst_evhandler_register(id, name, count_handler, NULL);
}

static int register_any(const char *name)
{
	return register_as(LKST_EVHANDLER_ID_VOID, name);
}

static void lowest_free_id_is_taken(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, register_any("a"), FIRST);
	KUNIT_EXPECT_EQ(test, register_as(FIRST + 1, "b"), FIRST + 1);
	KUNIT_EXPECT_EQ(test, register_any("c"), FIRST + 2);
	KUNIT_EXPECT_EQ(test, lkst_evhandler_num(), OWN_HANDLERS + 3);
	KUNIT_EXPECT_EQ(test, lkst_evhandler_unregister(FIRST), 0);
	KUNIT_EXPECT_EQ(test, register_any("d"), FIRST);
	KUNIT_EXPECT_EQ(test, lkst_evhandler_get_id("d"), FIRST);
	KUNIT_EXPECT_EQ(test, lkst_evhandler_get_id("a"), LKST_EVHANDLER_ID_VOID);
	KUNIT_EXPECT_EQ(test, lkst_evhandler_unregister(FIRST), 0);
	KUNIT_EXPECT_EQ(test, lkst_evhandler_unregister(FIRST + 1), 0);
	KUNIT_EXPECT_EQ(test, lkst_evhandler_unregister(FIRST + 2), 0);
	KUNIT_EXPECT_EQ(test, lkst_evhandler_num(), OWN_HANDLERS);
}

static void bad_ids_are_refused(struct kunit *test)
{
	static const lkst_evhandler_id ids[] = {
		-1, INT_MIN, LKST_EVHANDLER_ID_NONE, LKST_EVHANDLER_ID_ENTRY_LOG, FIRST - 1,
		LKST_EVHANDLER_ID_MAX, LKST_EVHANDLER_ID_VOID + 1, INT_MAX,
	};

	KUNIT_EXPECT_EQ(test, register_as(LKST_EVHANDLER_ID_MAX, "taken"), LKST_EVHANDLER_ID_MAX);
	for (int i = 0; i < ARRAY_SIZE(ids); i++)
		KUNIT_EXPECT_EQ_MSG(test, register_as(ids[i], "x"), -EINVAL, "id %d", ids[i]);
	KUNIT_EXPECT_EQ(test, lkst_evhandler_unregister(LKST_EVHANDLER_ID_MAX), 0);
	/* None of these ids can be unregistered. */
	for (int i = 0; i < ARRAY_SIZE(ids); i++)
		KUNIT_EXPECT_EQ_MSG(test, lkst_evhandler_unregister(ids[i]), -EINVAL, "id %d",
				    ids[i]);
	KUNIT_EXPECT_EQ(test, lkst_evhandler_unregister(LKST_EVHANDLER_ID_VOID), -EINVAL);
	KUNIT_EXPECT_EQ(test, lkst_evhandler_num(), OWN_HANDLERS);
}

static void bad_names_are_refused(struct kunit *test)
{
	static const char *const bad[] = {
		NULL, "", ".", "..", "a/b", "/", "line\nend", "\t", "\x7f", "taken",
		"entry_log", "12345678901234567890123456789012",
	};
	static const char *const good[] = {
		"1234567890123456789012345678901", "two words", "...", "caf\xc3\xa9", "none2",
	};
	int id = register_any("taken");

	KUNIT_ASSERT_EQ(test, id, FIRST);
	for (int i = 0; i < ARRAY_SIZE(bad); i++)
		KUNIT_EXPECT_EQ_MSG(test, register_any(bad[i]), -EINVAL, "%s", bad[i]);
	for (int i = 0; i < ARRAY_SIZE(good); i++) {
		KUNIT_EXPECT_EQ_MSG(test, register_any(good[i]), FIRST + 1, "%s", good[i]);
		KUNIT_EXPECT_EQ_MSG(test, lkst_evhandler_get_id(good[i]), FIRST + 1, "%s", good[i]);
		KUNIT_EXPECT_EQ(test, lkst_evhandler_unregister(FIRST + 1), 0);
	}
	KUNIT_EXPECT_EQ(test, lkst_evhandler_register(LKST_EVHANDLER_ID_VOID, "x", NULL, NULL),
			-EINVAL);
}

static void name_is_copied(struct kunit *test)
{
	char name[] = "before";

	KUNIT_EXPECT_EQ(test, register_any(name), FIRST);
	strscpy(name, "after", sizeof(name));
	KUNIT_EXPECT_EQ(test, lkst_evhandler_get_id("before"), FIRST);
	KUNIT_EXPECT_EQ(test, lkst_evhandler_get_id("after"), LKST_EVHANDLER_ID_VOID);
}

static void ids_run_out(struct kunit *test)
{
	char name[16];
	int id;

	for (id = FIRST; id <= LKST_EVHANDLER_ID_MAX; id++) {
		snprintf(name, sizeof(name), "h%d", id);
		if (register_any(name) != id)
			break;
	}
	KUNIT_EXPECT_EQ(test, id, LKST_EVHANDLER_ID_MAX + 1);
	KUNIT_EXPECT_EQ(test, register_any("more"), -ENOSPC);
	while (--id >= FIRST)
		if (lkst_evhandler_unregister(id))
			break;
	KUNIT_EXPECT_EQ(test, id, FIRST - 1);
	KUNIT_EXPECT_EQ(test, lkst_evhandler_num(), OWN_HANDLERS);
}

static void lookup_needs_a_name(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, lkst_evhandler_get_id(NULL), -EINVAL);
	KUNIT_EXPECT_EQ(test, lkst_evhandler_get_id(""), -EINVAL);
	KUNIT_EXPECT_EQ(test, lkst_evhandler_get_id("entry_lo"), LKST_EVHANDLER_ID_VOID);
	KUNIT_EXPECT_EQ(test, lkst_evhandler_get_id("entry_log2"), LKST_EVHANDLER_ID_VOID);
}

static DECLARE_COMPLETION(ctrl_begun);
static DECLARE_COMPLETION(ctrl_may_end);

static int waiting_ctrl(void *buf, size_t bufsize)
{
	complete(&ctrl_begun);
	wait_for_completion(&ctrl_may_end);
	return 7;
}

static int call_ctrl(void *param)
{
	return lkst_evhandler_ctrl(param);
}

static int unregister_first(void *done)
{
	int ret = lkst_evhandler_unregister(FIRST);

	complete(done);
	return ret;
}

static struct task_struct *start(int (*func)(void *arg), void *arg)
{
	struct task_struct *task = kthread_run(func, arg, "lkst-test");

	return IS_ERR(task) ? NULL : get_task_struct(task);
}

/*
 * Wait until a thread that start() created has finished. Return the result of
 * its function.
 */
static int result(struct task_struct *task)
{
	int ret = kthread_stop(task);

	put_task_struct(task);
	return ret;
}

static void unregister_waits_for_control_functions(struct kunit *test)
{
	struct lkst_evhandler_ctrl_param param = { .id = FIRST };
	struct task_struct *caller, *unregisterer;
	DECLARE_COMPLETION_ONSTACK(done);

	KUNIT_ASSERT_EQ(test, lkst_evhandler_register(FIRST, "waits", count_handler, waiting_ctrl),
			FIRST);
	caller = start(call_ctrl, &param);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, caller);
	wait_for_completion(&ctrl_begun);
	unregisterer = start(unregister_first, &done);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, unregisterer);

	KUNIT_EXPECT_EQ(test, wait_for_completion_timeout(&done, HZ / 5), 0);
	/* The handler can no longer be found, but its id is still in use. */
	KUNIT_EXPECT_EQ(test, lkst_evhandler_get_id("waits"), LKST_EVHANDLER_ID_VOID);
	KUNIT_EXPECT_EQ(test, register_as(FIRST, "other"), -EINVAL);
	KUNIT_EXPECT_EQ(test, register_any("other"), FIRST + 1);
	KUNIT_EXPECT_EQ(test, lkst_evhandler_unregister(FIRST), -EINVAL);

	complete(&ctrl_may_end);
	wait_for_completion(&done);
	KUNIT_EXPECT_EQ(test, result(caller), 0);
	KUNIT_EXPECT_EQ(test, param.ret, 7);
	KUNIT_EXPECT_EQ(test, result(unregisterer), 0);
	KUNIT_EXPECT_EQ(test, register_any("again"), FIRST);
}

static void masksets_fall_back_to_the_default_handler(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, register_any("count"), FIRST);
	KUNIT_ASSERT_EQ(test, PUT(A, "selected", { LKST_ETYPE_USER_MARK, FIRST }), A);
	KUNIT_ASSERT_EQ(test, PUT(B, "other", { LKST_ETYPE_USER_MARK, FIRST }), B);
	KUNIT_ASSERT_EQ(test, lkst_maskset_set(A), 0);
	handled = 0;
	lkst_event_preemptible(LKST_ETYPE_USER_MARK, 1, 2, 3, 4);
	KUNIT_EXPECT_EQ(test, handled, 1);

	KUNIT_EXPECT_EQ(test, lkst_evhandler_unregister(FIRST), 0);
	KUNIT_EXPECT_EQ(test, handler_of(test, A, LKST_ETYPE_USER_MARK), LOG);
	KUNIT_EXPECT_EQ(test, handler_of(test, B, LKST_ETYPE_USER_MARK), LOG);
	lkst_event_preemptible(LKST_ETYPE_USER_MARK, 1, 2, 3, 4);
	KUNIT_EXPECT_EQ(test, handled, 1);

	/*
	 * A new handler with the same id does not inherit the event types of
	 * the old one.
	 */
	KUNIT_ASSERT_EQ(test, register_any("next"), FIRST);
	lkst_event_preemptible(LKST_ETYPE_USER_MARK, 1, 2, 3, 4);
	KUNIT_EXPECT_EQ(test, handled, 1);
	KUNIT_EXPECT_EQ(test, lkst_evhandler_unregister(FIRST), 0);
	/* A handler that is not registered cannot be used. */
	KUNIT_EXPECT_EQ(test, PUT(B, "other", { LKST_ETYPE_USER_MARK, FIRST }), -EINVAL);
}

LKST_EH_DEV_DEF(any_id, count_handler, NULL, NULL, NULL);
LKST_EH_DEV_DEF(this_id, count_handler, NULL, NULL, NULL);

static void devices_are_handlers(struct kunit *test)
{
	LKST_EH_DEV(this_id).id = 0x100;
	KUNIT_EXPECT_EQ(test, lkst_eh_device_register(&LKST_EH_DEV(this_id)), 0x100);
	KUNIT_EXPECT_EQ(test, lkst_evhandler_get_id("this_id"), 0x100);
	KUNIT_EXPECT_EQ(test, lkst_eh_device_register(&LKST_EH_DEV(any_id)), FIRST);
	KUNIT_EXPECT_EQ(test, LKST_EH_DEV(any_id).id, FIRST);
	KUNIT_EXPECT_EQ(test, lkst_evhandler_get_id("any_id"), FIRST);

	lkst_eh_device_unregister(&LKST_EH_DEV(any_id));
	lkst_eh_device_unregister(&LKST_EH_DEV(this_id));
	KUNIT_EXPECT_EQ(test, lkst_evhandler_num(), OWN_HANDLERS);
	KUNIT_EXPECT_EQ(test, LKST_EH_DEV(any_id).id, LKST_EVHANDLER_ID_VOID);
	KUNIT_EXPECT_EQ(test, LKST_EH_DEV(this_id).id, 0x100);

	/* A device can be registered again. A second unregister is ignored. */
	KUNIT_EXPECT_EQ(test, lkst_eh_device_register(&LKST_EH_DEV(any_id)), FIRST);
	lkst_eh_device_unregister(&LKST_EH_DEV(any_id));
	lkst_eh_device_unregister(&LKST_EH_DEV(any_id));
	KUNIT_EXPECT_EQ(test, lkst_evhandler_num(), OWN_HANDLERS);
}

static struct lkst_eh_device bad_devices[] = {
	{ .id = LKST_EVHANDLER_ID_VOID, .name = "", .evhandler = count_handler },
	{ .id = LKST_EVHANDLER_ID_VOID, .name = "x" },
	{ .id = FIRST - 1, .name = "x", .evhandler = count_handler },
	{ .id = LKST_EVHANDLER_ID_VOID, .name = "entry_log", .evhandler = count_handler },
	/* the name of LKST's own device */
	{ .id = LKST_EVHANDLER_ID_VOID, .name = "lkst", .evhandler = count_handler },
};

static void bad_devices_are_refused(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, lkst_eh_device_register(NULL), -EINVAL);
	for (int i = 0; i < ARRAY_SIZE(bad_devices); i++) {
		lkst_evhandler_id id = bad_devices[i].id;

		KUNIT_EXPECT_EQ_MSG(test, lkst_eh_device_register(&bad_devices[i]), -EINVAL,
				    "%d", i);
		KUNIT_EXPECT_EQ(test, bad_devices[i].id, id);
	}
	KUNIT_EXPECT_EQ(test, lkst_eh_device_register(&LKST_EH_DEV(any_id)), FIRST);
	KUNIT_EXPECT_EQ(test, lkst_eh_device_register(&LKST_EH_DEV(any_id)), -EINVAL);
	lkst_eh_device_unregister(&LKST_EH_DEV(any_id));
	lkst_eh_device_unregister(NULL);
	KUNIT_EXPECT_EQ(test, lkst_evhandler_num(), OWN_HANDLERS);
}

static struct kunit_case evhandler_test_cases[] = {
	KUNIT_CASE(lowest_free_id_is_taken),
	KUNIT_CASE(bad_ids_are_refused),
	KUNIT_CASE(bad_names_are_refused),
	KUNIT_CASE(name_is_copied),
	KUNIT_CASE(ids_run_out),
	KUNIT_CASE(lookup_needs_a_name),
	KUNIT_CASE(unregister_waits_for_control_functions),
	KUNIT_CASE(masksets_fall_back_to_the_default_handler),
	KUNIT_CASE(devices_are_handlers),
	KUNIT_CASE(bad_devices_are_refused),
	{}
};

LKST_TEST_SUITE("lkst-evhandler", evhandler_test_cases, .exit = forget_masksets);
