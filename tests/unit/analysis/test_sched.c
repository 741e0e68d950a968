// SPDX-License-Identifier: GPL-2.0
/*
 * lkstla sched: runs, run time, waits for a CPU and the threads that had the CPU, the histogram,
 * and sums over all threads.
 */
#include "analysis_case.h"
#include "lib/base/etype_ids.h"
#include "tap.h"

#define HEAD	"thread,runs,preempted,run_ns,wait_ns,p50_ns,p99_ns,max_ns,at_ns,behind\n"
#define WAITS	"from_ns,below_ns,waits,share,total_ns\n"

/* As in sched.c. */
struct sched_arguments {
	bool histogram;
};

static const struct sched_arguments no_histogram, histogram = { .histogram = true };

/* Thread "reused" has the thread ID of "first", which had ended. "other" is from another source. */
static struct lkst_thread threads[] = {
	{ .index = 0, .tid = 7, .name = "first" },
	{ .index = 1, .tid = 8, .name = "second" },
	{ .index = 40, .tid = 7, .name = "reused" },
	{ .index = 41, .source = 1, .tid = 7, .name = "other" },
};

static void setup(void)
{
	analysis_setup(&analysis_sched, &no_histogram);
}

static void setup_histogram(void)
{
	analysis_setup(&analysis_sched, &histogram);
}

TESTS(.setup = setup, .teardown = analysis_teardown);

/*
 * @thread, @behind: indexes in threads[]. @behind is the thread that had the CPU, or -1 if the CPU
 * was idle or this thread is unknown.
 */
static void wait_for_cpu(int thread, int cpu, int64_t begin_ns, int64_t end_ns, int behind)
{
	analysis_span(&(struct lkst_thread_span){
		.thread = &threads[thread], .state = LKST_STATE_RUNNABLE, .begin_ns = begin_ns,
		.end_ns = end_ns, .begin_known = true, .end = LKST_END_STATE, .cpu = cpu,
		.syscall = LKST_SYSCALL_NONE, .behind = behind < 0 ? NULL : &threads[behind] });
}

static void run_on_cpu(int thread, int cpu, int64_t begin_ns, int64_t end_ns, bool begin_known,
		       enum lkst_end end)
{
	analysis_span(&(struct lkst_thread_span){
		.thread = &threads[thread], .state = LKST_STATE_RUNNING, .begin_ns = begin_ns,
		.end_ns = end_ns, .begin_known = begin_known, .end = end, .cpu = cpu,
		.mode_ns[LKST_MODE_USER] = 1, .syscall = LKST_SYSCALL_NONE });
}

TEST(nothing)
{
	analysis_check(HEAD);
}

/* The time of a run that began before the window counts, but the run itself is not counted. */
TEST(cut_spans)
{
	run_on_cpu(0, 0, 0, 1000, false, LKST_END_STATE);
	run_on_cpu(0, 0, 5000, 7000, true, LKST_END_PREEMPTED);
	run_on_cpu(0, 0, 999000, 1000000, true, LKST_END_CUT);
	analysis_check(HEAD "first-7,2,1,4000,0,,,,,\n");
}

TEST(other_states)
{
	for (int state = 0; state < LKST_STATE_NUM; state++)
		if (state != LKST_STATE_RUNNING && state != LKST_STATE_RUNNABLE)
			analysis_span(&(struct lkst_thread_span){
				.thread = &threads[0], .state = state, .end_ns = 10 });
	analysis_check(HEAD);
}

/* Of two waits that are equally long, the first one is reported. */
TEST(longest)
{
	wait_for_cpu(0, 0, 100, 110, 2);
	wait_for_cpu(0, 0, 200, 260, 1);
	wait_for_cpu(0, 0, 300, 360, 2);
	wait_for_cpu(0, 0, 400, 420, -1);
	wait_for_cpu(1, 0, 500, 500, 0);
	wait_for_cpu(1, 0, 600, 630, -1);
	analysis_check(HEAD "first-7,0,0,0,150,20,60,60,260,second-8\n"
		       "second-8,0,0,0,30,0,30,30,630,\n");
}

/*
 * Threads with the same thread ID have different rows. Rows with equal waits are sorted by run
 * time.
 */
TEST(same_number)
{
	run_on_cpu(0, 0, 0, 50, true, LKST_END_EXIT);
	run_on_cpu(2, 0, 60, 160, true, LKST_END_STATE);
	run_on_cpu(3, 0, 60, 110, true, LKST_END_STATE);
	analysis_check(HEAD "reused-7,1,0,100,0,,,,,\nfirst-7,1,0,50,0,,,,,\nother-7,1,0,50,0,,,,,\n");
}

TEST(one_cpu)
{
	analysis_args.cpu = 8191;
	wait_for_cpu(0, 8191, 0, 10, 1);
	wait_for_cpu(0, 0, 20, 50, 1);
	wait_for_cpu(1, -1, 20, 50, 0);
	run_on_cpu(0, 8191, 10, 15, true, LKST_END_STATE);
	run_on_cpu(0, 1, 50, 60, true, LKST_END_STATE);
	analysis_check(HEAD "first-7,1,0,5,10,10,10,10,10,second-8\n");
}

TEST(one_process)
{
	analysis_selected = &threads[1];
	run_on_cpu(0, 0, 0, 10, true, LKST_END_STATE);
	run_on_cpu(1, 0, 10, 20, true, LKST_END_STATE);
	analysis_check(HEAD "second-8,1,0,10,0,,,,,\n");
}

TEST(over)
{
	analysis_args.over_ns = 30;
	wait_for_cpu(0, 0, 0, 29, 1);
	wait_for_cpu(1, 0, 0, 30, 0);
	wait_for_cpu(1, 0, 40, 45, 0);
	run_on_cpu(2, 0, 0, 100, true, LKST_END_STATE);
	analysis_check(HEAD "second-8,0,0,0,35,5,30,30,30,first-7\n");
}

/* Times of damaged input: spans that end before they begin, and lengths and sums that overflow. */
TEST(overflow)
{
	run_on_cpu(0, 0, 10, 5, true, LKST_END_STATE);
	run_on_cpu(1, 0, INT64_MIN, INT64_MAX, true, LKST_END_STATE);
	run_on_cpu(1, 0, INT64_MIN, INT64_MAX, true, LKST_END_STATE);
	wait_for_cpu(1, 0, INT64_MIN, 0, 0);
	wait_for_cpu(1, 0, 0, INT64_MAX, 0);
	wait_for_cpu(1, 0, 0, INT64_MAX, 0);
	wait_for_cpu(0, 0, 10, 5, 0);
	analysis_check(HEAD "second-8,2,0,9223372036854775807,9223372036854775807,9223372036854775807,"
		       "9223372036854775807,9223372036854775807,0,first-7\n"
		       "first-7,1,0,0,0,0,0,0,5,first-7\n");
}

TESTS(.name = "sched_histogram", .setup = setup_histogram, .teardown = analysis_teardown);

TEST(histogram_empty)
{
	analysis_check(HEAD WAITS);
}

/*
 * A wait as long as the limit between two groups of the histogram belongs to the upper group.
 * When a wait ends, it is compared with --over: a shorter wait is not counted.
 */
TEST(histogram_groups)
{
	static const int64_t lengths[] = { 0, 999, 1000, 1999, 2000, 3999, 16000, 31999 };

	for (int i = 0; i < NUM(lengths); i++)
		wait_for_cpu(i % 2, 0, 0, lengths[i], -1);
	analysis_args.over_ns = 16001;
	wait_for_cpu(0, 0, 0, 16000, -1);
	analysis_args.over_ns = 1 << 20;
	analysis_check(HEAD WAITS "0,1000,2,0.25,999\n1000,2000,2,0.25,2999\n"
		       "2000,4000,2,0.25,5999\n4000,8000,0,0,0\n8000,16000,0,0,0\n"
		       "16000,32000,2,0.25,47999\n");
}

TEST(histogram_longest)
{
	wait_for_cpu(0, 0, 0, INT64_MAX, -1);
	analysis_args.over_ns = INT64_MAX;
	analysis_selected = &threads[1];
	analysis_check(HEAD
		       "first-7,0,0,0,9223372036854775807,9223372036854775807,9223372036854775807,"
		       "9223372036854775807,9223372036854775807,\n" WAITS
		       "9007199254740992000,,1,1,9223372036854775807\n");
}

/* ---- with the state model ---- */

TESTS(.name = "sched_model", .setup = setup, .teardown = analysis_teardown);

static uint64_t random_number(void)
{
	static uint64_t state = 88172645463325252;

	state ^= state << 13;
	state ^= state >> 7;
	return state ^= state << 17;
}

static uint64_t pack_random(uint32_t high_max, uint32_t low)
{
	return random_number() % high_max << 32 | low;
}

/*
 * Return an event of one of three CPUs. The threads are chosen at random, so most events contradict
 * earlier ones.
 */
static struct lkst_event random_event(int64_t time_ns, const uint32_t running[3])
{
	uint32_t cpu = (uint32_t)(random_number() % 3), next = (uint32_t)(random_number() % 8);
	struct lkst_event event = { .time_ns = time_ns, .cpu = (int32_t)cpu,
				    .type = LKST_ETYPE_PROCESS_CONTEXTSWITCH, .tid = running[cpu] };

	switch (random_number() % 4) {
	case 0:
		event.type = LKST_ETYPE_PROCESS_WAKEUP;
		event.arg[0] = pack_random(8, 120);
		event.arg[1] = pack_random(3, 0);
		break;
	case 1:
		event.type = LKST_ETYPE_PROCESS_WAKING;
		event.arg[0] = pack_random(8, 120);
		break;
	default:
		event.arg[0] = (uint64_t)running[cpu] << 32 | "SDRR"[random_number() % 4];
		event.arg[1] = (uint64_t)next << 32 | 120;
	}
	return event;
}

static void add_busy(void *ctx, const struct lkst_cpu_span *cpu_span)
{
	if (cpu_span->thread)
		*(int64_t *)ctx += cpu_span->end_ns - cpu_span->begin_ns;
}

static const struct lkst_model_ops busy_ops = { .cpu = add_busy };

/* Return the sum of a column of the table. */
static int64_t column_sum(const char *text, int column)
{
	int64_t sum = 0;

	for (const char *line = strchr(text, '\n') + 1; *line; line = strchr(line, '\n') + 1) {
		const char *cell = line;

		for (int i = 0; i < column; i++)
			cell = strchr(cell, ',') + 1;
		sum += strtoll(cell, NULL, 10);
	}
	return sum;
}

/* The run time of all threads is the time in which the CPUs ran threads. */
TEST_LOOP(run_time_of_all, 20)
{
	struct lkst_model *model = lkst_model_new(false, &err);
	uint32_t running[3] = { 0 };
	int64_t time_ns = 0, busy_ns = 0;
	uint64_t recid[3] = { 0 };
	char *text;

	assert_made(model);
	analysis_run.model = model;
	assert_ok(lkst_model_add(model, &analysis_sched.ops, analysis_ctx(), &err));
	assert_ok(lkst_model_add(model, &busy_ops, &busy_ns, &err));
	lkst_model_open_window(model, 50000);
	for (int i = 0; i < 2000; i++) {
		struct lkst_event event = random_event(time_ns, running);

		if (event.type == LKST_ETYPE_PROCESS_CONTEXTSWITCH)
			running[event.cpu] = (uint32_t)(event.arg[1] >> 32);
		event.recid = recid[event.cpu]++;
		assert_ok(lkst_model_event(model, &event, &err));
		time_ns += (int64_t)(random_number() % 1000);
	}
	assert_ok(lkst_model_cut(model, time_ns, &err));
	ck_assert(!analysis_out_of_memory());
	text = analysis_csv();
	ck_assert_int_gt(busy_ns, 0);
	ck_assert_int_eq(column_sum(text, 3), busy_ns);
	free(text);
	lkst_model_free(model);
}
