// SPDX-License-Identifier: GPL-2.0
/*
 * Following a kernel that is not there: what its buffers hold changes between two looks, and
 * during one. Each read of a buffer is a step, at which a test can let something happen.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/etype_ids.h"
#include "lib/liblkst.h"
#include "sample.h"
#include "tap.h"

#define CPUS	3
#define BUFFERS 4
#define RECORDS 70000 /* of a CPU that the kernel remembers */

/* Records from first to before end; those before oldest were overwritten. */
struct buffer {
	bool there;
	uint64_t first, oldest, end;
};

/* A record that never was, or is not whole yet. */
enum state {
	WHOLE,
	UNFINISHED,
	DROPPED
};

static struct cpu {
	struct buffer buffer[BUFFERS];
	int written;
	uint64_t next;
	int64_t time_ns[RECORDS];
	uint8_t state[RECORDS];
	uint32_t type[RECORDS];
	uint64_t arg[RECORDS];
	uint64_t arg2[RECORDS];
	uint32_t tid;
} cpus[CPUS];

static int reads; /* BUFFER_READs so far */
static void (*at_read)(int n); /* something happens just before the n-th */
static int error; /* that every call gives */

static struct lkst_device *dev;
static struct lkst_follow *follow;

/* ---- the kernel ---- */

static void record(int cpu, int64_t time_ns, enum state state)
{
	struct cpu *c = &cpus[cpu];
	uint64_t recid = c->next++;

	ck_assert_uint_lt(recid, RECORDS);
	c->time_ns[recid] = SAMPLE_NS + time_ns;
	c->state[recid] = (uint8_t)state;
	c->type[recid] = LKST_ETYPE_USER_MARK;
	c->buffer[c->written].end = c->next;
}

/* Writing goes on in a buffer, which begins anew. */
static void shift(int cpu, int to)
{
	struct cpu *c = &cpus[cpu];

	c->written = to;
	c->buffer[to] = (struct buffer){ true, c->next, c->next, c->next };
}

static int do_status(struct lkst_trc_status *trc)
{
	trc->online_cpu_len = 8;
	trc->cpu_num = CPUS;
	return 0;
}

static int do_list(struct lkst_buffer_listparam *param)
{
	struct lkst_buffer_listent *ent = (void *)(uintptr_t)param->listent;
	const struct cpu *c = &cpus[param->cpu];
	int num = 0;

	for (int i = 0; i < BUFFERS; i++) {
		const struct buffer *b = &c->buffer[i];

		if (!b->there)
			continue;
		/* Slot 0 has an id of its own: base and offset are not what is asked for. */
		ent[num++] = (struct lkst_buffer_listent){
			.id = i,
			.first_recid = b->first,
			.baseid = (int64_t)b->end - 5,
			.write_offset = 5,
			.size = 64 * 64,
		};
	}
	param->buffer_num = num;
	return 0;
}

static int do_read(struct lkst_log_buffer *buffer)
{
	struct lkst_log_record *to = (void *)(uintptr_t)buffer->buffer;
	uint64_t room = buffer->read_size / sizeof(*to), num = 0, from = buffer->first_recid;
	const struct cpu *c = &cpus[buffer->cpu];
	const struct buffer *b = &c->buffer[buffer->id];
	const uint64_t none[4] = { 0 };

	if (at_read)
		at_read(reads);
	reads++;
	if (!b->there)
		return -EINVAL;
	if (from < b->oldest)
		from = b->oldest;
	buffer->unfinished = 0;
	for (uint64_t recid = from; recid < b->end && num < room; recid++) {
		buffer->unfinished += c->state[recid] == UNFINISHED;
		if (c->state[recid] != WHOLE)
			continue;
		to[num] = sample_record(buffer->cpu, recid, c->time_ns[recid], c->type[recid],
					c->tid, none);
		to[num].log_arg1 = c->arg[recid];
		to[num++].log_arg2 = c->arg2[recid];
	}
	buffer->result_read_size = num * sizeof(*to);
	buffer->first_recid = b->first;
	buffer->recorded = b->end - b->first;
	buffer->overwritten = b->oldest - b->first;
	strcpy(buffer->arch, "x86_64");
	return 0;
}

static int fake_ioctl(void *ctx, unsigned long request, void *arg)
{
	(void)ctx;
	if (error)
		return -error;
	switch (request) {
	case LKST_IOC_TRC_STATUS:
		return do_status(arg);
	case LKST_IOC_BUFFER_LIST:
		return do_list(arg);
	case LKST_IOC_BUFFER_READ:
		return do_read(arg);
	}
	return -ENOTTY;
}

static const struct lkst_device_ops ops = { .ioctl = fake_ioctl };

/* ---- what the tests do ---- */

static void setup(void)
{
	memset(cpus, 0, sizeof(cpus));
	reads = 0;
	at_read = NULL;
	error = 0;
	for (int cpu = 0; cpu < 2; cpu++) {
		cpus[cpu].next = 1;
		cpus[cpu].tid = 4194300 + (uint32_t)cpu;
		shift(cpu, 0);
	}
	dev = lkst_device_new(&ops, NULL, NULL);
	follow = NULL;
}

static void teardown(void)
{
	lkst_follow_close(follow);
	lkst_device_close(dev);
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
	record(0, 5, WHOLE); /* before it begins */
	begin(all);
	ck_assert_str_eq(come(), "");
	record(1, 10, WHOLE);
	record(0, 20, WHOLE);
	record(0, 30, WHOLE);
	record(1, 25, WHOLE);
	ck_assert_str_eq(come(), "1:1 0:2 1:2 0:3");
	record(1, 40, WHOLE);
	ck_assert_str_eq(come(), "1:3");
	ck_assert_str_eq(come(), "");
	ck_assert_uint_eq(lkst_follow_lost(follow), 0);
}
END_TEST

START_TEST(test_history)
{
	record(0, 10, WHOLE);
	record(1, 5, WHOLE);
	shift(0, 2);
	record(0, 20, WHOLE);
	begin(from_the_start);
	ck_assert_str_eq(come(), "1:1 0:1 0:2");
	record(0, 30, WHOLE);
	ck_assert_str_eq(come(), "0:3");
	ck_assert_uint_eq(lkst_follow_lost(follow), 0);
}
END_TEST

/* What history begins with is what there is: what was overwritten long ago is no loss. */
START_TEST(test_history_overwritten)
{
	for (int i = 0; i < 10; i++)
		record(0, i, WHOLE);
	cpus[0].buffer[0].oldest = 9;
	begin(from_the_start);
	ck_assert_str_eq(come(), "0:9 0:10");
	ck_assert_uint_eq(lkst_follow_lost(follow), 0);
}
END_TEST

START_TEST(test_one_cpu)
{
	begin((struct lkst_follow_options){ .cpu = 1 });
	record(0, 10, WHOLE);
	record(1, 20, WHOLE);
	ck_assert_str_eq(come(), "1:1");
}
END_TEST

/* While CPU 1 is looked at, an event happens on CPU 0 and then one on CPU 1. */
static void late_pair(int n)
{
	if (n == 0) {
		record(0, 100, WHOLE);
		record(1, 200, WHOLE);
		at_read = NULL;
	}
}

START_TEST(test_no_event_overtakes)
{
	begin(all);
	record(1, 50, WHOLE); /* so that CPU 1 is read, after CPU 0 had nothing */
	at_read = late_pair;
	ck_assert_str_eq(come(), "1:1 0:1 1:2");
}
END_TEST

/* An interrupt within an event: the time goes back, the order is that of the recids. */
START_TEST(test_interrupted)
{
	begin(all);
	record(0, 100, WHOLE);
	record(0, 90, WHOLE);
	record(1, 95, WHOLE);
	record(1, 105, WHOLE);
	ck_assert_str_eq(come(), "1:1 0:1 0:2 1:2");
}
END_TEST

/* The clock is set back by an hour: nothing waits for an hour. */
START_TEST(test_clock_set_back)
{
	begin(all);
	record(0, 100, WHOLE);
	ck_assert_str_eq(come(), "0:1");
	record(0, 200 - 3600000000000, WHOLE);
	record(1, 300 - 3600000000000, WHOLE);
	record(0, 400 - 3600000000000, WHOLE);
	ck_assert_str_eq(come(), "0:2 1:1 0:3");
}
END_TEST

START_TEST(test_overwritten)
{
	begin(all);
	record(0, 1, WHOLE);
	ck_assert_str_eq(come(), "0:1");
	for (int i = 0; i < 10; i++)
		record(0, 10 + i, WHOLE);
	cpus[0].buffer[0].oldest = 9;
	ck_assert_str_eq(come(), "0:9 0:10 0:11");
	ck_assert_uint_eq(lkst_follow_lost(follow), 7);
}
END_TEST

START_TEST(test_dropped)
{
	begin(all);
	record(0, 1, WHOLE);
	record(0, 2, DROPPED);
	record(0, 3, WHOLE);
	ck_assert_str_eq(come(), "0:1 0:3");
	ck_assert_uint_eq(lkst_follow_lost(follow), 1);
}
END_TEST

static void finish(int n)
{
	if (n == 5) {
		cpus[0].state[2] = WHOLE;
		at_read = NULL;
	}
}

START_TEST(test_unfinished)
{
	begin(all);
	record(0, 10, WHOLE);
	record(0, 20, UNFINISHED);
	record(0, 30, WHOLE);
	record(1, 25, WHOLE);
	at_read = finish;
	ck_assert_str_eq(come(), "0:1 0:2 1:1 0:3");
	ck_assert_uint_eq(lkst_follow_lost(follow), 0);
}
END_TEST

/* It is waited for, but not for ever. */
START_TEST(test_never_finished)
{
	char text[512] = "";

	begin(all);
	record(0, 20, UNFINISHED);
	record(0, 30, WHOLE);
	record(1, 25, WHOLE);
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
		shift(0, 0);
		record(0, 40, WHOLE);
		at_read = NULL;
	}
}

START_TEST(test_reused_meanwhile)
{
	begin(from_the_start);
	ck_assert_str_eq(come(), "");
	record(0, 10, WHOLE);
	shift(0, 1);
	record(0, 20, WHOLE);
	record(0, 30, WHOLE);
	reads = 0;
	at_read = reuse;
	/* The first one is gone; those of the other buffer are not skipped for what is newer. */
	ck_assert_str_eq(come(), "0:2 0:3 0:4");
}
END_TEST

START_TEST(test_shifts)
{
	begin(all);
	for (int i = 0; i < 9; i++) {
		record(0, i, WHOLE);
		shift(0, (cpus[0].written + 1) % BUFFERS);
		if (i % 3 == 2)
			come();
	}
	record(0, 100, WHOLE);
	ck_assert_str_eq(come(), "0:10");
	ck_assert_uint_eq(lkst_follow_lost(follow), 0);
}
END_TEST

static void delete_it(int n)
{
	(void)n;
	cpus[0].buffer[0].there = false;
}

START_TEST(test_buffers_go_and_come)
{
	begin(all);
	record(0, 10, WHOLE);
	record(1, 20, WHOLE);
	at_read = delete_it;
	ck_assert_str_eq(come(), "1:1");
	at_read = NULL;
	/* A CPU that had none gets one. */
	cpus[2].next = 1;
	shift(2, 3);
	record(2, 30, WHOLE);
	ck_assert_str_eq(come(), "2:1");
	shift(0, 0);
	record(0, 40, WHOLE);
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
		record(0, 10 * i, WHOLE);
	for (int i = 0; i < 600; i++)
		record(1, 1000 * i + 5, WHOLE);
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
	record(0, 10, WHOLE);
	cpus[0].type[1] = LKST_ETYPE_PROCESS_RENAME;
	cpus[0].arg[1] = tid;
	cpus[0].arg2[1] = text8("renamed");
	ck_assert_str_eq(come(), "0:1");
	ck_assert_str_eq(lkst_names_get(names, tid, SAMPLE_NS), "renamed");
	ck_assert(!memcmp(lkst_names_text(names, tid, SAMPLE_NS, &len), "renamed-4194301 ", 16));
	record(0, 20, WHOLE);
	cpus[0].type[2] = LKST_ETYPE_PROCESS_RENAME;
	cpus[0].arg[2] = tid;
	cpus[0].arg2[2] = text8("again");
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
	error = EPERM;
	ck_assert_ptr_null(lkst_follow_open(dev, &all, &err));
	ck_assert_int_eq(err.code, LKST_ERR_PERMISSION);
	error = 0;
	begin(all);
	error = ENOTTY;
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
	tcase_add_test(tc, test_order);
	tcase_add_test(tc, test_history);
	tcase_add_test(tc, test_history_overwritten);
	tcase_add_test(tc, test_one_cpu);
	tcase_add_test(tc, test_no_event_overtakes);
	tcase_add_test(tc, test_interrupted);
	tcase_add_test(tc, test_clock_set_back);
	tcase_add_test(tc, test_overwritten);
	tcase_add_test(tc, test_dropped);
	tcase_add_test(tc, test_unfinished);
	tcase_add_test(tc, test_never_finished);
	tcase_add_test(tc, test_reused_meanwhile);
	tcase_add_test(tc, test_shifts);
	tcase_add_test(tc, test_buffers_go_and_come);
	tcase_add_test(tc, test_many);
	tcase_add_test(tc, test_names);
	tcase_add_test(tc, test_names_stay_few);
	tcase_add_test(tc, test_errors);
	suite_add_tcase(suite, tc);
	return run_suite(suite);
}
