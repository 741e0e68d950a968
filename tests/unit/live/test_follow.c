// SPDX-License-Identifier: GPL-2.0
/* Following the events of a fake kernel whose state changes while it is read. */
#include <errno.h>
#include "fake_kernel.h"
#include "lib/text/context.h"
#include "lib/text/etypes.h"
#include "lib/text/names.h"
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
	dev = fake_device();
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
	opt.interval_ms = 1;
	follow = lkst_follow_open(dev, &opt, &err);
	assert_made(follow);
}

static const struct lkst_follow_options all = { .cpu = -1 };

/* Play a script, and check which events are returned. @events lists them as "CPU:RECID ". */
static void expect(const char *script, const char *events)
{
	char text[512] = "";
	struct lkst_event event;
	int ret = 1;

	fake_play(script);
	/* Allow a long time for an expected event, because the machine may be busy. */
	while ((ret = lkst_follow_next(follow, &event, strlen(text) < strlen(events) ? 5000 : 20,
				       &err)) > 0)
		sprintf(text + strlen(text), "%d:%d ", event.cpu, (int)event.recid);
	ck_assert_msg(!ret, "%s", err.text);
	ck_assert_str_eq(text, events);
}

TESTS(.setup = setup, .teardown = teardown, .timeout = 60);

static const struct {
	const char *name;
	struct lkst_follow_options opt;
	const char *before; /* script that is played before lkst_follow_open() is called */
	struct {
		const char *script, *events;
	} step[4];
	uint64_t lost;
} scenes[] = {
	/* The first event is not returned, because it was recorded before lkst_follow_open(). */
	{ "test_order", { .cpu = -1 }, "0@5",
	  { { "", "" }, { "1@10 0@20 0@30 1@25", "1:1 0:2 1:2 0:3 " }, { "1@40", "1:3 " },
	    { "", "" } }, 0 },
	{ "test_history", { .cpu = -1, .history = true }, "0@10 1@5 0>2 0@20",
	  { { "", "1:1 0:1 0:2 " }, { "0@30", "0:3 " } }, 0 },
	/* The history begins with the oldest record. Overwritten records do not count as lost. */
	{ "test_history_overwritten", { .cpu = -1, .history = true },
	  "0@0 0@1 0@2 0@3 0@4 0@5 0@6 0@7 0@8 0@9 0<9", { { "", "0:9 0:10 " } }, 0 },
	{ "test_one_cpu", { .cpu = 1 }, "", { { "0@10 1@20", "1:1 " } }, 0 },
	/*
	 * When lkst_follow_next() starts to read, CPU 0 has recorded nothing. The later event of
	 * CPU 1 must not be returned before the event of CPU 0.
	 */
	{ "test_no_event_overtakes", { .cpu = -1 }, "",
	  { { "1@50 |0 0@100 1@200", "1:1 0:1 1:2 " } }, 0 },
	/*
	 * If an interrupt arrives while an event is recorded, the times of a CPU's records may
	 * decrease. The events of a CPU stay in the order of their recids.
	 */
	{ "test_interrupted", { .cpu = -1 }, "",
	  { { "0@100 0@90 1@95 1@105", "1:1 0:1 0:2 1:2 " } }, 0 },
	{ "test_overwritten", { .cpu = -1 }, "", { { "0@1", "0:1 " },
	    { "0@10 0@11 0@12 0@13 0@14 0@15 0@16 0@17 0@18 0@19 0<9", "0:9 0:10 0:11 " } }, 7 },
	{ "test_dropped", { .cpu = -1 }, "", { { "0@1 0@2! 0@3", "0:1 0:3 " } }, 1 },
	{ "test_unfinished", { .cpu = -1 }, "",
	  { { "0@10 0@20? 0@30 1@25 |5 0=2", "0:1 0:2 1:1 0:3 " } }, 0 },
	/*
	 * The CPU shifts back to buffer 0, and so overwrites the first record. Buffer 0 then has
	 * the newest record, but the records of buffer 1 must not be skipped.
	 */
	{ "test_reused_meanwhile", { .cpu = -1, .history = true }, "",
	  { { "", "" }, { "0@10 0>1 0@20 0@30 |0 0>0 0@40", "0:2 0:3 0:4 " } }, 0 },
	{ "test_shifts", { .cpu = -1 }, "", { { "0@0 0>1 0@1 0>2 0@2 0>3", "0:1 0:2 0:3 " },
	    { "0@3 0>0 0@4 0>1 0@5 0>2", "0:4 0:5 0:6 " },
	    { "0@6 0>3 0@7 0>0 0@8 0>1", "0:7 0:8 0:9 " }, { "0@100", "0:10 " } }, 0 },
	/* In the second step, a CPU that had no buffer gets one. */
	{ "test_buffers_go_and_come", { .cpu = -1 }, "",
	  { { "0@10 1@20 |0 0-0", "1:1 " }, { "2>3 2@30", "2:1 " }, { "0>0 0@40", "0:2 " } }, 1 },
};

TEST_ROWS(test_scene, scenes)
{
	fake_play(scenes[_i].before);
	begin(scenes[_i].opt);
	for (int i = 0; i < 4 && scenes[_i].step[i].script; i++)
		expect(scenes[_i].step[i].script, scenes[_i].step[i].events);
	ck_assert_uint_eq(lkst_follow_lost(follow), scenes[_i].lost);
}

/* If the clock is set back by an hour, events must not be held back for an hour. */
TEST(test_clock_set_back)
{
	const int64_t hour = 3600000000000;
	struct lkst_event event;

	begin(all);
	fake_sync(0, 90);
	fake_sync(1, 95);
	expect("0@100", "0:1 1:1 0:2 ");
	fake.wall_ns -= hour;
	fake_sync(0, 190);
	fake_sync(1, 195);
	fake_play("0@200 1@300");
	ck_assert_int_eq(lkst_follow_next(follow, &event, 1000, &err), 1);
	ck_assert_int_eq(event.time_ns, SAMPLE_NS - hour + 190);
	expect("", "1:2 0:4 1:3 ");
	fake_play("0@400");
	ck_assert_int_eq(lkst_follow_next(follow, &event, 1000, &err), 1);
	ck_assert_int_eq(event.time_ns, SAMPLE_NS - hour + 400);
	ck_assert(event.monotonic_ns == 400 && event.clock == 400);
	ck_assert(event.machine == LKST_MACHINE_X86_64 && !event.flags);
}

/* After a while, lkst_follow_next() gives up on an unfinished record, and counts it as lost. */
TEST(test_never_finished)
{
	begin(all);
	expect("0@20? 0@30 1@25", "1:1 0:2 ");
	ck_assert_uint_eq(lkst_follow_lost(follow), 1);
}

/* One CPU has more events than are kept in memory. The events of all CPUs stay in order. */
TEST(test_many)
{
	struct lkst_event event;
	uint64_t next[CPUS] = { 1, 1 };
	int64_t last = 0;

	begin(all);
	for (int i = 0; i < 60000; i++)
		fake_record(0, 10 * i + 10, WHOLE);
	for (int i = 0; i < 600; i++)
		fake_record(1, 1000 * i + 5, WHOLE);
	for (int i = 0; i < 60600; i++) {
		ck_assert_int_eq(lkst_follow_next(follow, &event, 1000, &err), 1);
		ck_assert_uint_eq(event.recid, next[event.cpu]++);
		ck_assert_int_ge(event.time_ns, last);
		last = event.time_ns;
	}
	expect("", "");
	ck_assert_uint_eq(lkst_follow_lost(follow), 0);
}

static void rename_thread(int64_t time_ns, uint32_t tid, const char *name)
{
	struct lkst_event_record *record = fake_record(0, time_ns, WHOLE);

	record->event_type = LKST_ETYPE_PROCESS_RENAME;
	record->arg[0] = tid;
	record->arg[1] = text8(name);
}

/* The context has the process names at the time of the last event that was returned. */
TEST(test_names)
{
	struct lkst_names *names;
	const uint32_t tid = 4194301; /* presumably no thread of this machine */
	size_t len;

	begin(all);
	names = lkst_follow_context(follow)->names;
	ck_assert_ptr_null(lkst_names_get(names, tid, SAMPLE_NS));
	rename_thread(10, tid, "renamed");
	expect("", "0:1 ");
	ck_assert_str_eq(lkst_names_get(names, tid, SAMPLE_NS), "renamed");
	ck_assert(!memcmp(lkst_names_text(names, tid, SAMPLE_NS, &len), "renamed-4194301 ", 16));
	rename_thread(20, tid, "again");
	expect("", "0:2 ");
	ck_assert_str_eq(lkst_names_get(names, tid, SAMPLE_NS), "again");
	ck_assert(!memcmp(lkst_names_text(names, tid, SAMPLE_NS, &len), "again-4194301 ", 14));
	ck_assert_uint_eq(len, 13);
	/* The event types and the names of the machine's threads are known from the start. */
	ck_assert_ptr_nonnull(lkst_names_get(names, (uint32_t)getpid(), SAMPLE_NS));
	ck_assert_str_eq(lkst_etype(lkst_follow_etypes(follow), 0x030)->name, "system_call_entry");
}

static void chain_record(int64_t time_ns, uint32_t type, uint64_t chain)
{
	struct lkst_event_record *record = fake_record(0, time_ns, WHOLE);

	record->event_type = (uint16_t)type;
	record->arg[0] = chain;
	record->arg[1] = text8("payload");
}

static struct lkst_event next_event(void)
{
	struct lkst_event event;

	ck_assert_int_eq(lkst_follow_next(follow, &event, 5000, &err), 1);
	return event;
}

/*
 * An event that takes two records, a head and a part, is returned as one event. If the part does
 * not arrive, the event is returned without it, and other events are not delayed.
 */
TEST(test_chains)
{
	const uint64_t head = LKST_CHAIN_HEAD(1, 1, 0, 48), part = LKST_CHAIN_PART(1, 1, 24);
	struct lkst_event event;

	begin(all);
	chain_record(10, LKST_ETYPE_LKST_MORE, part);
	chain_record(20, LKST_ETYPE_PROCESS_BLOCK, head);
	chain_record(30, LKST_ETYPE_LKST_MORE, part);
	event = next_event();
	ck_assert_uint_eq(event.type, LKST_ETYPE_PROCESS_BLOCK);
	ck_assert_uint_eq(event.parts_before, 1);
	ck_assert_uint_eq(event.payload->size, 48);
	ck_assert(!event.payload->cut);
	ck_assert_str_eq((const char *)event.payload->data + 24, "payload");
	chain_record(40, LKST_ETYPE_PROCESS_BLOCK, LKST_CHAIN_HEAD(2, 1, 0, 48));
	fake_play("0@50 1@45");
	event = next_event();
	ck_assert(event.payload->cut && event.payload->size == 24);
	ck_assert_uint_eq(event.parts_before, 1);
	expect("", "1:1 0:5 ");
	ck_assert_uint_eq(lkst_follow_parts_skipped(follow), 1);
}

TEST(test_errors)
{
	struct lkst_event event;

	ck_assert_ptr_null(lkst_follow_open(dev, &(struct lkst_follow_options){ .cpu = 3 }, &err));
	ck_assert_str_eq(err.text, "no CPU 3, only CPUs 0-2");
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

/* The names of exited threads are forgotten after a while. Other names are kept. */
TEST(test_names_stay_few)
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
		/* The name is still known, because the thread's last events follow its exit. */
		ck_assert_str_eq(lkst_names_get(names, tid, 0), "child");
	}
	ck_assert_str_eq(lkst_names_get(names, 7, 0), "daemon");
	ck_assert_ptr_null(lkst_names_get(names, 1000, 0));
	lkst_names_free(names);
}
