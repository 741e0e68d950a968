// SPDX-License-Identifier: GPL-2.0
/* Process names: each rule at the top of names.c. */
#include <stdlib.h>
#include <string.h>

#include "lib/etype_ids.h"
#include "lib/liblkst.h"
#include "sample.h"
#include "tap.h"

static struct lkst_names *names;

static void setup(void)
{
	names = lkst_names_new();
	ck_assert_ptr_nonnull(names);
}

static void teardown(void)
{
	lkst_names_free(names);
}

static void see(int64_t time, uint32_t type, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4)
{
	struct lkst_event event = { .time_ns = time, .type = type, .arg = { a1, a2, a3, a4 } };

	ck_assert_int_eq(lkst_names_observe(names, &event), 0);
}

static void see_switch(int64_t time, uint32_t prev, const char *prev_name, uint32_t next,
		       const char *next_name)
{
	see(time, LKST_ETYPE_PROCESS_CONTEXTSWITCH, pack(prev, 'S'), pack(next, 120),
	    text8(prev_name), text8(next_name));
}

static void see_long(int64_t time, uint32_t type, uint32_t tid, const char *name)
{
	char padded[16] = { 0 };

	memcpy(padded, name, strnlen(name, 15));
	see(time, type, pack(tid, 0), 0, text8(padded), text8(padded + 8));
}

static void see_wakeup(int64_t time, uint32_t tid, const char *name)
{
	see_long(time, LKST_ETYPE_PROCESS_WAKEUP, tid, name);
}

static void see_fork(int64_t time, uint32_t tid, const char *name)
{
	see_long(time, LKST_ETYPE_PROCESS_FORK, tid, name);
}

static void see_exec(int64_t time, uint32_t tid, const char *path)
{
	char end[24] = { 0 };
	size_t len = strlen(path);

	memcpy(end, path + (len > 24 ? len - 24 : 0), len > 24 ? 24 : len);
	see(time, LKST_ETYPE_PROCESS_EXEC, pack(tid, tid), text8(end), text8(end + 8),
	    text8(end + 16));
}

/* As it is printed it is the same, with the number. */
static void check_text(uint32_t tid, int64_t time, const char *name)
{
	char expected[80];
	size_t len;
	const char *text = lkst_names_text(names, tid, time, &len);

	ck_assert_int_eq(!text, !name);
	if (!name)
		return;
	snprintf(expected, sizeof(expected), "%s-%u", name, tid);
	ck_assert_uint_eq(len, strlen(expected));
	snprintf(expected, sizeof(expected), "%s-%u%32s", name, tid, "");
	ck_assert(!memcmp(text, expected, 32));
}

static const char *name(uint32_t tid, int64_t time)
{
	const char *text = lkst_names_get(names, tid, time);

	check_text(tid, time, text);
	return text ? text : "(unknown)";
}

START_TEST(test_first_holds_before)
{
	see_switch(50, 10, "bash", 20, "cat");
	lkst_names_finalize(names);
	ck_assert_str_eq(name(10, 0), "bash");
	ck_assert_str_eq(name(10, 50), "bash");
	ck_assert_str_eq(name(10, 1000), "bash");
	ck_assert_str_eq(name(20, 0), "cat");
	ck_assert_str_eq(name(30, 0), "(unknown)");
}
END_TEST

START_TEST(test_exec)
{
	see_fork(10, 20, "bash");
	see_exec(20, 20, "/usr/bin/gzip");
	see_switch(30, 20, "gzip", 0, "swapper/");
	lkst_names_finalize(names);
	ck_assert_str_eq(name(20, 9), "(unknown)");
	ck_assert_str_eq(name(20, 10), "bash");
	ck_assert_str_eq(name(20, 19), "bash");
	ck_assert_str_eq(name(20, 20), "gzip");
	ck_assert_str_eq(name(20, 99), "gzip");
	/* any order of questions */
	ck_assert_str_eq(name(20, 15), "bash");
	ck_assert_str_eq(name(20, 25), "gzip");
}
END_TEST

START_TEST(test_exec_long_path)
{
	see_exec(10, 20, "/a/very/long/directory/name/tool");
	see_exec(10, 30, "relative");
	/* The name itself is longer than what is recorded of the path: its start is lost. */
	see_exec(10, 40, "/bin/a_name_of_far_more_than_twenty-four_bytes");
	see_exec(10, 50, "/bin/sixteen_or_more_bytes");
	lkst_names_finalize(names);
	ck_assert_str_eq(name(20, 10), "tool");
	ck_assert_str_eq(name(30, 10), "relative");
	ck_assert_str_eq(name(40, 10), "(unknown)");
	ck_assert_str_eq(name(50, 10), "sixteen_or_more");
}
END_TEST

START_TEST(test_short_is_completed)
{
	see_switch(10, 20, "kworker/0:1", 0, "");
	see_wakeup(30, 20, "kworker/0:1");
	see_switch(40, 20, "kworker/0:1", 0, "");
	see_switch(10, 21, "kworker/1:2", 0, "");
	lkst_names_finalize(names);
	ck_assert_str_eq(name(20, 10), "kworker/0:1");
	ck_assert_str_eq(name(20, 50), "kworker/0:1");
	ck_assert_str_eq(name(21, 50), "kworker/");
}
END_TEST

START_TEST(test_short_is_completed_at_end)
{
	see_switch(10, 20, "kworker/0:1", 0, "");
	see_switch(10, 21, "kworker/0:1", 0, "");
	lkst_names_at_end(names, 20, "kworker/0:1-events");
	lkst_names_at_end(names, 21, "other");
	lkst_names_at_end(names, 22, "only_at_end");
	lkst_names_at_end(names, 0, "swapper");
	lkst_names_finalize(names);
	ck_assert_str_eq(name(20, 0), "kworker/0:1-eve");
	ck_assert_str_eq(name(21, 0), "kworker/");
	ck_assert_str_eq(name(22, 0), "only_at_end");
}
END_TEST

START_TEST(test_rename_does_not_complete)
{
	char new[16] = "longname_two";

	/* Another name with the same 8 bytes: what was before is not known beyond them. */
	see_switch(10, 20, "longname_one", 0, "");
	see(20, LKST_ETYPE_PROCESS_RENAME, 20, text8(new), text8(new + 8), 0);
	lkst_names_finalize(names);
	ck_assert_str_eq(name(20, 10), "longname");
	ck_assert_str_eq(name(20, 20), "longname_two");
}
END_TEST

START_TEST(test_buffers_one_after_the_other)
{
	/* CPU 0, then CPU 1: the thread moved there and back, and called itself anew. */
	see_switch(10, 20, "one", 0, "");
	see_switch(50, 20, "three", 0, "");
	see_switch(30, 20, "two", 0, "");
	see_switch(40, 20, "three", 0, "");
	lkst_names_finalize(names);
	ck_assert_str_eq(name(20, 29), "one");
	ck_assert_str_eq(name(20, 30), "two");
	ck_assert_str_eq(name(20, 39), "two");
	ck_assert_str_eq(name(20, 40), "three");
	ck_assert_str_eq(name(20, 60), "three");
}
END_TEST

static void see_exit(int64_t time, uint32_t tid, const char *name)
{
	see(time, LKST_ETYPE_PROCESS_EXIT, pack(tid, 120), 0, text8(name), 0);
}

/* The switch that a thread does not come back from. */
static void see_last_switch(int64_t time, uint32_t tid, const char *name)
{
	see(time, LKST_ETYPE_PROCESS_CONTEXTSWITCH, pack(tid, 'Z'), pack(0, 120), text8(name), 0);
}

START_TEST(test_reused_number)
{
	see_switch(10, 20, "first", 0, "");
	see_exit(15, 20, "first");
	see_fork(30, 20, "second");
	lkst_names_finalize(names);
	ck_assert_str_eq(name(20, 16), "first");
	ck_assert_str_eq(name(20, 30), "second");
}
END_TEST

START_TEST(test_reused_number_without_fork)
{
	/* What it does before an event tells its name is the new one's. */
	see_switch(10, 20, "first", 0, "");
	see_exit(15, 20, "first");
	see_last_switch(18, 20, "first");
	see_switch(50, 20, "second", 0, "");
	/* dead at once, as a thread is that nobody waits for */
	see(10, LKST_ETYPE_PROCESS_CONTEXTSWITCH, pack(21, 'X'), pack(0, 120), text8("one"), 0);
	see_switch(50, 21, "two", 0, "");
	lkst_names_finalize(names);
	ck_assert_str_eq(name(20, 0), "first");
	ck_assert_str_eq(name(20, 17), "first");
	ck_assert_str_eq(name(20, 18), "first");
	ck_assert_str_eq(name(20, 19), "second");
	ck_assert_str_eq(name(20, 60), "second");
	ck_assert_str_eq(name(21, 10), "one");
	ck_assert_str_eq(name(21, 11), "two");
}
END_TEST

START_TEST(test_reused_number_without_switches)
{
	see_exit(15, 20, "first");
	see_exit(50, 20, "second");
	/* forked by one of the same name, which then was another */
	see_exit(15, 21, "bash");
	see_fork(30, 21, "bash");
	see_wakeup(50, 21, "cat");
	lkst_names_finalize(names);
	ck_assert_str_eq(name(20, 15), "first");
	ck_assert_str_eq(name(20, 16), "second");
	ck_assert_str_eq(name(21, 49), "bash");
	ck_assert_str_eq(name(21, 50), "cat");
}
END_TEST

START_TEST(test_reused_many_times)
{
	char text[16];

	for (int64_t i = 0; i < 100; i++) {
		snprintf(text, sizeof(text), "t%d", (int)i);
		see_fork(i * 100 + 10, 20, "sh");
		see_exec(i * 100 + 20, 20, text);
		see_exit(i * 100 + 30, 20, text);
		see_last_switch(i * 100 + 40, 20, text);
	}
	lkst_names_finalize(names);
	for (int64_t i = 0; i < 100; i++) {
		snprintf(text, sizeof(text), "t%d", (int)i);
		ck_assert_str_eq(name(20, i * 100 + 15), "sh");
		ck_assert_str_eq(name(20, i * 100 + 20), text);
		ck_assert_str_eq(name(20, i * 100 + 40), text);
	}
}
END_TEST

START_TEST(test_short_is_not_the_next_ones)
{
	/* Of both only 8 bytes are told, which are the same. */
	see_wakeup(10, 20, "kworker/0:1");
	see_last_switch(15, 20, "kworker/0:1");
	see_switch(50, 20, "kworker/1:2", 0, "");
	see_switch(10, 21, "kworker/0:1", 0, "");
	see_last_switch(15, 21, "kworker/0:1");
	see_wakeup(50, 21, "kworker/1:2");
	lkst_names_finalize(names);
	ck_assert_str_eq(name(20, 15), "kworker/0:1");
	ck_assert_str_eq(name(20, 50), "kworker/");
	ck_assert_str_eq(name(21, 15), "kworker/");
	ck_assert_str_eq(name(21, 50), "kworker/1:2");
}
END_TEST

START_TEST(test_listed_after_end)
{
	/* A number whose owner has gone, and that is another's when the trace is read out. */
	see_last_switch(15, 20, "first");
	lkst_names_at_end(names, 20, "second");
	see_last_switch(15, 21, "kworker/0:1");
	lkst_names_at_end(names, 21, "kworker/1:2");
	see_exit(15, 22, "first");
	lkst_names_at_end(names, 22, "second");
	/* on its way out while the list was made */
	see_exit(15, 23, "same");
	lkst_names_at_end(names, 23, "same");
	/* still there: a list does not contradict what was seen */
	see_switch(15, 24, "seen", 0, "");
	lkst_names_at_end(names, 24, "listed");
	lkst_names_finalize(names);
	ck_assert_str_eq(name(20, 15), "first");
	ck_assert_str_eq(name(20, 16), "second");
	ck_assert_str_eq(name(21, 15), "kworker/");
	ck_assert_str_eq(name(21, 16), "kworker/1:2");
	ck_assert_str_eq(name(22, 15), "first");
	ck_assert_str_eq(name(22, 16), "second");
	ck_assert_str_eq(name(23, 99), "same");
	ck_assert_str_eq(name(24, 99), "seen");
}
END_TEST

START_TEST(test_exec_gives_names)
{
	char comm[16] = "gzip";

	/* The kernel renames first; then it tells of the exec. */
	see_fork(10, 20, "bash");
	see(19, LKST_ETYPE_PROCESS_RENAME, 20, text8(comm), text8(comm + 8), 0);
	see_exec(20, 20, "/usr/bin/gzip");
	/* A thread that is not the first takes that one's number, and its name with it. */
	see_exec(30, 40, "/usr/bin/xz");
	lkst_names_finalize(names);
	ck_assert_str_eq(name(20, 18), "bash");
	ck_assert_str_eq(name(20, 19), "gzip");
	ck_assert_str_eq(name(20, 99), "gzip");
	ck_assert_str_eq(name(40, 30), "xz");
}
END_TEST

START_TEST(test_there_and_back)
{
	/* Renames that were not recorded, told by the switches of two CPUs. */
	see_switch(10, 20, "one", 0, "");
	see_switch(20, 20, "one", 0, "");
	see_switch(30, 20, "one", 0, "");
	see_switch(15, 20, "two", 0, "");
	see_switch(10, 21, "two", 0, "");
	see_switch(5, 21, "one", 0, "");
	see_switch(30, 21, "one", 0, "");
	lkst_names_finalize(names);
	ck_assert_str_eq(name(20, 10), "one");
	ck_assert_str_eq(name(20, 15), "two");
	ck_assert_str_eq(name(20, 30), "one");
	ck_assert_str_eq(name(20, 99), "one");
	ck_assert_str_eq(name(21, 5), "one");
	ck_assert_str_eq(name(21, 10), "two");
	ck_assert_str_eq(name(21, 30), "one");
}
END_TEST

START_TEST(test_kernel_thread)
{
	struct lkst_event event = {
		.time_ns = 10,
		.type = LKST_ETYPE_PROCESS_LTHREADGEN,
		.tid = 20,
		.arg = { 0xffffffff81000000, 0, text8("my_kthre"), text8("ad/7") },
	};

	ck_assert_int_eq(lkst_names_observe(names, &event), 0);
	lkst_names_finalize(names);
	ck_assert_str_eq(name(20, 10), "my_kthread/7");
}
END_TEST

START_TEST(test_other_events)
{
	see_long(5, LKST_ETYPE_PROCESS_STATE, 30, "state_dump_name");
	see(5, LKST_ETYPE_PROCESS_SIGSEND, pack(9, 0), pack(31, 0), 0, text8("victim"));
	see(5, LKST_ETYPE_SYSCALL_ENTRY, pack(32, 0), pack(33, 0), text8("no"), text8("no"));
	lkst_names_finalize(names);
	ck_assert_str_eq(name(30, 0), "state_dump_name");
	ck_assert_str_eq(name(31, 0), "victim");
	ck_assert_str_eq(name(32, 0), "(unknown)");
	ck_assert_str_eq(name(33, 0), "(unknown)");
}
END_TEST

START_TEST(test_no_name)
{
	/* Neither an empty name nor the idle thread's is one. */
	see_switch(10, 20, "", 0, "swapper/");
	lkst_names_at_end(names, 21, "");
	lkst_names_finalize(names);
	ck_assert_str_eq(name(20, 10), "(unknown)");
	ck_assert_str_eq(name(21, 10), "(unknown)");
	ck_assert_str_eq(name(0, 10), "(unknown)");
}
END_TEST

START_TEST(test_many)
{
	char text[16];

	for (uint32_t tid = 1; tid < 5000; tid++) {
		snprintf(text, sizeof(text), "t%u", tid);
		see_switch(tid, tid, text, 0, "");
	}
	lkst_names_finalize(names);
	for (uint32_t tid = 1; tid < 5000; tid++) {
		snprintf(text, sizeof(text), "t%u", tid);
		ck_assert_str_eq(name(tid, 0), text);
	}
}
END_TEST

START_TEST(test_other_byte_order)
{
	struct lkst_event event = {
		.type = LKST_ETYPE_PROCESS_WAKEUP,
		.arg = { pack(20, 0), 0, __builtin_bswap64(text8("kworker/")),
			 __builtin_bswap64(text8("u8:0")) },
		.swapped = true,
	};

	ck_assert_int_eq(lkst_names_observe(names, &event), 0);
	lkst_names_finalize(names);
	ck_assert_str_eq(name(20, 0), "kworker/u8:0");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("names");
	TCase *tc = tcase_create("names");

	tcase_add_checked_fixture(tc, setup, teardown);
	check_id(tc, test_first_holds_before);
	check_id(tc, test_exec);
	check_id(tc, test_exec_long_path);
	check_id(tc, test_short_is_completed);
	check_id(tc, test_short_is_completed_at_end);
	check_id(tc, test_rename_does_not_complete);
	check_id(tc, test_buffers_one_after_the_other);
	check_id(tc, test_reused_number);
	check_id(tc, test_reused_number_without_fork);
	check_id(tc, test_reused_number_without_switches);
	check_id(tc, test_reused_many_times);
	check_id(tc, test_short_is_not_the_next_ones);
	check_id(tc, test_listed_after_end);
	check_id(tc, test_exec_gives_names);
	check_id(tc, test_there_and_back);
	check_id(tc, test_kernel_thread);
	check_id(tc, test_other_events);
	check_id(tc, test_no_name);
	check_id(tc, test_many);
	check_id(tc, test_other_byte_order);
	suite_add_tcase(suite, tc);
	return run_suite(suite);
}
