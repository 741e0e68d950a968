// SPDX-License-Identifier: GPL-2.0
/* Process names: tests of each rule in the comment at the top of names.c. */
#include <inttypes.h>

#include "lib/text/names.h"
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

static void observe(uint32_t type, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4)
{
	struct lkst_event event = {
		.time_ns = 10, .type = type, .tid = 20, .arg = { a1, a2, a3, a4 },
	};

	ck_assert_int_eq(lkst_names_observe(names, &event), 0);
}

/* The KIND words that see() accepts, and where an event of each kind holds the name. */
static const struct kind {
	const char *text;
	uint32_t type, low; /* low is the lower half of the first argument */
	int first; /* index of the argument that the name begins in */
	size_t bytes; /* maximum length of the name, in bytes */
} kinds[] = {
	{ "switch", LKST_ETYPE_PROCESS_CONTEXTSWITCH, 'S', 2, 8 },
	/* the last switch of a thread that has exited: as a zombie (Z), or if no parent waits (X) */
	{ "dead", LKST_ETYPE_PROCESS_CONTEXTSWITCH, 'Z', 2, 8 },
	{ "gone", LKST_ETYPE_PROCESS_CONTEXTSWITCH, 'X', 2, 8 },
	{ "exit", LKST_ETYPE_PROCESS_EXIT, 120, 2, 8 },
	{ "wakeup", LKST_ETYPE_PROCESS_WAKEUP, 0, 2, 15 },
	{ "waking", LKST_ETYPE_PROCESS_WAKING, 0, 2, 15 },
	{ "fork", LKST_ETYPE_PROCESS_FORK, 0, 2, 15 },
	{ "state", LKST_ETYPE_PROCESS_STATE, 0, 2, 15 },
	{ "rename", LKST_ETYPE_PROCESS_RENAME, 0, 1, 15 },
	{ "exec", LKST_ETYPE_PROCESS_EXEC, 0, 1, 24 },
};

static void see_one(int64_t time, const char *text, uint32_t tid, const char *name)
{
	const struct kind *kind = kinds;
	struct lkst_event event = { .time_ns = time };
	size_t len = strlen(name);

	while (strcmp(kind->text, text))
		ck_assert_msg(++kind < kinds + NUM(kinds), "unknown event \"%s\"", text);
	event.type = kind->type;
	event.arg[0] = kind->type == LKST_ETYPE_PROCESS_RENAME ? tid : pack(tid, kind->low);
	/* The kernel records the end of a path, but the start of any other name. */
	if (kind->type == LKST_ETYPE_PROCESS_EXEC && len > kind->bytes)
		name += len - kind->bytes;
	memcpy(&event.arg[kind->first], name, strnlen(name, kind->bytes));
	ck_assert_int_eq(lkst_names_observe(names, &event), 0);
}

/*
 * Observe events that are written as "TIME KIND TID NAME, ...". "end TID NAME" means that this
 * thread exists at the end of the trace.
 */
static void see(const char *events)
{
	char copy[256], *rest = copy, *text;

	ck_assert_uint_lt(strlen(events), sizeof(copy));
	strcpy(copy, events);
	while ((text = strsep(&rest, ",")) != NULL) {
		char kind[16], name[64];
		uint32_t tid;
		int64_t time;

		if (sscanf(text, " end %u %63s", &tid, name) == 2)
			lkst_names_at_end(names, tid, name);
		else if (sscanf(text, "%" SCNd64 " %15s %u %63s", &time, kind, &tid, name) == 4)
			see_one(time, kind, tid, name);
		else
			ck_abort_msg("not an event: \"%s\"", text);
	}
}

/*
 * Return the name of a thread at a time, or "?" if it is unknown. Check that its printed form is
 * the name, followed by "-" and the tid.
 */
static const char *name(uint32_t tid, int64_t time)
{
	const char *name = lkst_names_get(names, tid, time), *text;
	char expected[80];
	size_t len;

	text = lkst_names_text(names, tid, time, &len);
	ck_assert_int_eq(!text, !name);
	if (!name)
		return "?";
	snprintf(expected, sizeof(expected), "%s-%u%32s", name, tid, "");
	ck_assert(!memcmp(text, expected, 32));
	ck_assert_uint_eq(len, strcspn(expected, " "));
	return name;
}

/*
 * Finalize the names, then check them. All events must have been observed. @expected lists names as
 * "TID@TIME=NAME ...", with "?" for an unknown name.
 */
static void named(const char *expected)
{
	char expected_name[64];
	uint32_t tid;
	int64_t time;
	int n, len;

	lkst_names_finalize(names);
	for (; *expected; expected += len) {
		const char *got;

		n = sscanf(expected, "%u@%" SCNd64 "=%63s %n", &tid, &time, expected_name, &len);
		ck_assert_int_eq(n, 3);
		got = name(tid, time);
		ck_assert_msg(!strcmp(got, expected_name), "%s, not %s", got, expected);
	}
}

TESTS(.setup = setup, .teardown = teardown);

TEST(test_first_holds_before)
{
	observe(LKST_ETYPE_PROCESS_CONTEXTSWITCH, pack(10, 'S'), pack(20, 120), text8("bash"),
		text8("cat"));
	named("10@0=bash 10@10=bash 10@1000=bash 20@0=cat 30@0=?");
}

TEST(test_exec)
{
	see("10 fork 20 bash, 20 exec 20 /usr/bin/gzip, 30 switch 20 gzip");
	/* Names can be looked up for times in any order. */
	named("20@9=? 20@10=bash 20@19=bash 20@20=gzip 20@99=gzip 20@15=bash 20@25=gzip");
}

TEST(test_exec_long_path)
{
	see("10 exec 20 /a/very/long/directory/name/tool, 10 exec 30 relative");
	/* A name that is longer than the recorded end of the path is unknown: its start is lost. */
	see("10 exec 40 /bin/a_name_of_far_more_than_twenty-four_bytes");
	see("10 exec 50 /bin/sixteen_or_more_bytes");
	named("20@10=tool 30@10=relative 40@10=? 50@10=sixteen_or_more");
}

TEST(test_short_is_completed)
{
	see("10 switch 20 kworker/0:1, 30 wakeup 20 kworker/0:1, 40 switch 20 kworker/0:1");
	see("10 switch 21 kworker/1:2");
	named("20@10=kworker/0:1 20@50=kworker/0:1 21@50=kworker/");
}

TEST(test_short_is_completed_at_end)
{
	see("10 switch 20 kworker/0:1, 10 switch 21 kworker/0:1");
	see("end 20 kworker/0:1-events, end 21 other, end 22 only_at_end, end 0 swapper");
	named("20@0=kworker/0:1-eve 21@0=kworker/ 22@0=only_at_end");
}

/*
 * A context switch records only 8 bytes of a name. A later rename to a name that begins with the
 * same 8 bytes must not complete the earlier name.
 */
TEST(test_rename_does_not_complete)
{
	see("10 switch 20 longname_one, 20 rename 20 longname_two");
	named("20@10=longname 20@20=longname_two");
}

/* CPU 0's events are read before those of CPU 1, on which the thread changed its name. */
TEST(test_buffers_one_after_the_other)
{
	see("10 switch 20 one, 50 switch 20 three, 30 switch 20 two, 40 switch 20 three");
	named("20@29=one 20@30=two 20@39=two 20@40=three 20@60=three");
}

TEST(test_reused_number)
{
	see("10 switch 20 first, 15 exit 20 first, 30 fork 20 second");
	named("20@16=first 20@30=second");
}

/* After the first thread has exited, the next event with its tid gives the new name. */
TEST(test_reused_number_without_fork)
{
	see("10 switch 20 first, 15 exit 20 first, 18 dead 20 first, 50 switch 20 second");
	see("10 gone 21 one, 50 switch 21 two");
	named("20@0=first 20@17=first 20@18=first 20@19=second 20@60=second 21@10=one 21@11=two");
}

TEST(test_reused_number_without_switches)
{
	see("15 exit 20 first, 50 exit 20 second");
	/* The new thread was forked by a thread of the same name, and changed its name later. */
	see("15 exit 21 bash, 30 fork 21 bash, 50 wakeup 21 cat");
	named("20@15=first 20@16=second 21@49=bash 21@50=cat");
}

/* Each of 2000 tids is used five times. */
TEST(test_reused_many_times)
{
	char text[16];

	for (uint32_t i = 0; i < 10000; i++) {
		uint32_t tid = 1 + i % 2000;

		snprintf(text, sizeof(text), "t%u", i);
		see_one(i * 100 + 10, "fork", tid, "sh");
		see_one(i * 100 + 20, "exec", tid, text);
		see_one(i * 100 + 30, "exit", tid, text);
		see_one(i * 100 + 40, "dead", tid, text);
	}
	lkst_names_finalize(names);
	for (uint32_t i = 0; i < 10000; i++) {
		uint32_t tid = 1 + i % 2000;

		snprintf(text, sizeof(text), "t%u", i);
		ck_assert_str_eq(name(tid, i * 100 + 15), "sh");
		ck_assert_str_eq(name(tid, i * 100 + 20), text);
		ck_assert_str_eq(name(tid, i * 100 + 40), text);
	}
}

/*
 * Two threads had the same tid, and their names begin with the same 8 bytes. A context switch
 * records only these 8 bytes. The name of one thread must not complete that of the other.
 */
TEST(test_short_is_not_the_next_ones)
{
	see("10 wakeup 20 kworker/0:1, 15 dead 20 kworker/0:1, 50 switch 20 kworker/1:2");
	see("10 switch 21 kworker/0:1, 15 dead 21 kworker/0:1, 50 wakeup 21 kworker/1:2");
	named("20@15=kworker/0:1 20@50=kworker/ 21@15=kworker/ 21@50=kworker/1:2");
}

TEST(test_listed_after_end)
{
	/* The thread exited, and another one has its tid in the list of threads. */
	see("15 dead 20 first, end 20 second, 15 dead 21 kworker/0:1, end 21 kworker/1:2");
	see("15 exit 22 first, end 22 second");
	/* The thread exits while the threads are listed. */
	see("15 exit 23 same, end 23 same");
	/* The thread still exists, so the name in an event takes precedence over the list. */
	see("15 switch 24 seen, end 24 listed");
	named("20@15=first 20@16=second 21@15=kworker/ 21@16=kworker/1:2 22@15=first 22@16=second "
	      "23@99=same 24@99=seen");
}

TEST(test_exec_gives_names)
{
	/* The kernel renames a thread before it records the exec. */
	see("10 fork 20 bash, 19 rename 20 gzip, 20 exec 20 /usr/bin/gzip");
	/* If a thread other than the leader calls exec, the leader's tid gets the new name. */
	see("30 exec 40 /usr/bin/xz");
	named("20@18=bash 20@19=gzip 20@99=gzip 40@30=xz");
}

/* Renames that were not recorded, but are visible in the context switches of two CPUs. */
TEST(test_unrecorded_renames)
{
	see("10 switch 20 one, 20 switch 20 one, 30 switch 20 one, 15 switch 20 two");
	see("10 switch 21 two, 5 switch 21 one, 30 switch 21 one");
	named("20@10=one 20@15=two 20@30=one 20@99=one 21@5=one 21@10=two 21@30=one");
}

TEST(test_kernel_thread)
{
	observe(LKST_ETYPE_PROCESS_LTHREADGEN, 0xffffffff81000000, 0, text8("my_kthre"),
		text8("ad/7"));
	named("20@10=my_kthread/7");
}

TEST(test_other_events)
{
	see("5 state 30 state_dump_name");
	observe(LKST_ETYPE_PROCESS_SIGSEND, pack(9, 0), pack(31, 0), 0, text8("victim"));
	observe(LKST_ETYPE_SYSCALL_ENTRY, pack(32, 0), pack(33, 0), text8("no"), text8("no"));
	named("30@0=state_dump_name 31@0=victim 32@0=? 33@0=?");
}

/* An empty name is ignored, and so is the name of the idle thread. */
TEST(test_no_name)
{
	observe(LKST_ETYPE_PROCESS_CONTEXTSWITCH, pack(20, 'S'), pack(0, 120), 0,
		text8("swapper/"));
	lkst_names_at_end(names, 21, "");
	named("20@10=? 21@10=? 0@10=?");
}

TEST(test_other_byte_order)
{
	struct lkst_event event = {
		.type = LKST_ETYPE_PROCESS_WAKEUP,
		.arg = { pack(20, 0), 0, __builtin_bswap64(text8("kworker/")),
			 __builtin_bswap64(text8("u8:0")) },
		.swapped = true,
	};

	ck_assert_int_eq(lkst_names_observe(names, &event), 0);
	named("20@0=kworker/u8:0");
}
