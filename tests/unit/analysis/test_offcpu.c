// SPDX-License-Identifier: GPL-2.0
/*
 * lkstla offcpu: causes of sleeps, the wakers that ended them, and sums equal to those of lkstla
 * sched and thread.
 */
#include "analysis_case.h"
#include "lib/base/etype_ids.h"
#include "lkstla/waker_counts.h"
#include "tap.h"

#define HEAD	"thread,cause,sleeps,blocked_ns,p50_ns,p99_ns,max_ns,at_ns,woken_by\n"

#define STACKS_HEAD "thread,cause,sleeps,blocked_ns,max_ns,at_ns,stack\n"

/* As in offcpu.c. */
struct offcpu_arguments {
	bool folded;
};

static const struct offcpu_arguments no_folded, folded = { .folded = true };

static struct lkst_thread p, q, kworker;

static void make_threads(void)
{
	p = (struct lkst_thread){ .index = 0, .tid = 1, .name = "p",
				  .machine = LKST_MACHINE_X86_64 };
	q = (struct lkst_thread){ .index = 1, .tid = 2, .name = "q" };
	kworker = (struct lkst_thread){ .index = 70, .tid = 3, .name = "kw", .kernel = true,
					.machine = LKST_MACHINE_X86_64 };
}

static void setup(void)
{
	make_threads();
	analysis_setup(&analysis_offcpu, &no_folded);
}

static void setup_folded(void)
{
	make_threads();
	analysis_setup(&analysis_offcpu, &folded);
}

TESTS(.setup = setup, .teardown = analysis_teardown);

static void block_in(struct lkst_thread *thread, char letter, int32_t syscall, int context,
		     uint64_t number, int64_t begin_ns, int64_t end_ns)
{
	analysis_span(&(struct lkst_thread_span){
		.thread = thread, .state = LKST_STATE_BLOCKED, .begin_ns = begin_ns,
		.end_ns = end_ns, .begin_known = true, .end = LKST_END_STATE, .letter = letter,
		.syscall = syscall, .context = context, .number = number });
}

static void block(struct lkst_thread *thread, char letter, int32_t syscall, int64_t begin_ns,
		  int64_t end_ns)
{
	block_in(thread, letter, syscall, -1, 0, begin_ns, end_ns);
}

static void span(struct lkst_thread *thread, enum lkst_state state, struct lkst_wake wake)
{
	analysis_span(&(struct lkst_thread_span){
		.thread = thread, .state = state, .syscall = LKST_SYSCALL_NONE, .context = -1,
		.wake = wake });
}

static void wake_by(struct lkst_thread *thread, const struct lkst_thread *by)
{
	span(thread, LKST_STATE_RUNNABLE,
	     (struct lkst_wake){ .known = true, .context = -1, .thread = by });
}

static void call(struct lkst_thread *thread, int32_t number, bool begin_known)
{
	analysis_offcpu.ops.syscall(analysis_ctx(), &(struct lkst_syscall_span){
		.thread = thread, .number = number, .begin_known = begin_known,
		.end_known = true });
}

TEST(nothing)
{
	analysis_check(HEAD);
}

TEST(other_states)
{
	for (int state = 0; state < LKST_STATE_NUM; state++)
		if (state != LKST_STATE_BLOCKED)
			span(&p, state, (struct lkst_wake){ 0 });
	analysis_check(HEAD);
}

/* The time of a sleep that began before the window counts, but the sleep itself is not counted. */
TEST(cut_spans)
{
	analysis_span(&(struct lkst_thread_span){
		.thread = &p, .state = LKST_STATE_BLOCKED, .end_ns = 100, .letter = 'S',
		.syscall = 0, .context = -1 });
	block(&p, 'S', 0, 200, 230);
	analysis_check(HEAD "p-1,S in call_0,1,130,30,100,100,100,\n");
}

TEST(causes)
{
	static const struct {
		bool kernel;
		char letter;
		int32_t syscall;
		int context;
		uint64_t number;
		const char *cause;
	} rows[] = {
		{ false, 'S', 5, -1, 0, "S in call_5" },
		{ false, 'D', 5, LKST_CONTEXT_EXCEPTION, 14, "D page fault in call_5" },
		{ false, 'D', -1, LKST_CONTEXT_EXCEPTION, 14, "D page fault" },
		{ false, 'D', -1, LKST_CONTEXT_EXCEPTION, 0, "D exception #DE" },
		{ false, 'D', -1, LKST_CONTEXT_EXCEPTION, 12345, "D exception 12345" },
		{ true, 'I', -1, -1, 0, "I outside of a call" },
		{ true, 'D', -1, LKST_CONTEXT_WORK, 16, "D in work 0:0x10" },
		{ true, 'D', -1, LKST_CONTEXT_WORK, UINT64_MAX, "D in work 0:0xffffffffffffffff" },
		{ false, 'T', -1, -1, 0, "T" },
		{ false, 't', -5, -1, 0, "- in call_-5" },
		{ false, 0, INT32_MAX, -1, 0, "- in call_2147483647" },
	};

	for (int i = 0; i < NUM(rows); i++) {
		char want[128];

		analysis_teardown();
		setup();
		block_in(rows[i].kernel ? &kworker : &p, rows[i].letter, rows[i].syscall,
			 rows[i].context, rows[i].number, 100, 200);
		snprintf(want, sizeof(want), HEAD "%s,%s,1,100,100,100,100,200,\n",
			 rows[i].kernel ? "kw-3" : "p-1", rows[i].cause);
		analysis_check(want);
	}
}

/* Vector 14 is a page fault only on x86. */
TEST(other_machine)
{
	p.machine = LKST_MACHINE_ARM64;
	block_in(&p, 'D', -1, LKST_CONTEXT_EXCEPTION, 14, 100, 200);
	analysis_check(HEAD "p-1,D exception 14,1,100,100,100,100,200,\n");
}

/*
 * The return from a call whose start was not recorded shows that the earlier sleeps were in this
 * call.
 */
TEST(pending)
{
	block(&p, 'S', 7, 0, 10);
	wake_by(&p, &q);
	span(&p, LKST_STATE_UNKNOWN, (struct lkst_wake){ 0 });
	block(&p, 'S', -1, 100, 120);
	wake_by(&p, &kworker);
	block(&p, 'D', -1, 200, 250);
	wake_by(&p, &kworker);
	block(&p, 'S', -1, 300, 330);
	wake_by(&p, &kworker);
	call(&p, 7, false);
	block(&p, 'S', -1, 400, 405);
	analysis_check(HEAD "p-1,S in call_7,3,60,20,30,30,330,kw-3\n"
			    "p-1,D in call_7,1,50,50,50,50,250,kw-3\n"
			    "p-1,S outside of a call,1,5,5,5,5,405,\n");
}

/*
 * The window ends while the thread waits after its sleep, still in the call. The model then reports
 * the span of the call before the span of the wait, which names the waker.
 */
TEST(pending_cut)
{
	block(&p, 'S', -1, 100, 120);
	call(&p, 7, false);
	wake_by(&p, &q);
	analysis_check(HEAD "p-1,S in call_7,1,20,20,20,20,120,q-2\n");
}

TEST(pending_lost)
{
	block(&p, 'S', -1, 100, 120);
	span(&p, LKST_STATE_UNKNOWN, (struct lkst_wake){ 0 });
	call(&p, 7, false);
	block(&q, 'S', -1, 100, 110);
	call(&q, 7, true);
	analysis_check(HEAD "p-1,S,1,20,20,20,20,120,\nq-2,S outside of a call,1,10,10,10,10,110,\n");
}

/* ---- what ended the sleeps ---- */

/* Let the thread sleep for @length_ns and be woken up by @by, @times times. */
static void sleeps(const struct lkst_wake *by, int times, int64_t length_ns)
{
	for (int i = 0; i < times; i++) {
		block(&p, 'S', 0, 0, length_ns);
		span(&p, LKST_STATE_RUNNABLE, *by);
		span(&p, LKST_STATE_RUNNING, (struct lkst_wake){ 0 });
	}
}

static void check_waker(const char *name)
{
	char *text = analysis_csv(), *last = strrchr(text, ',');

	ck_assert_ptr_nonnull(last);
	last[strlen(last) - 1] = 0;
	ck_assert_str_eq(last + 1, name);
	free(text);
}

static const struct lkst_wake by_q = { .known = true, .context = -1, .thread = &q };
static const struct lkst_wake by_kworker = { .known = true, .context = -1, .thread = &kworker };
static const struct lkst_wake by_disk = { .known = true, .context = LKST_CONTEXT_IRQ, .number = 9,
					  .name = "disk" };
static const struct lkst_wake by_unknown = { .context = -1 };

TEST(most_frequent)
{
	sleeps(&by_q, 2, 1000);
	sleeps(&by_disk, 4, 1);
	sleeps(&by_kworker, 1, 1000);
	sleeps(&by_q, 1, 1000);
	check_waker("irq disk");
}

/* Of wakers that are equally frequent, the one that ended the longer sleeps is shown. */
TEST(equally_frequent)
{
	sleeps(&by_q, 2, 10);
	sleeps(&by_disk, 2, 11);
	sleeps(&by_kworker, 2, 9);
	check_waker("irq disk");
}

TEST(mostly_unknown)
{
	sleeps(&by_q, 2, 10);
	sleeps(&by_unknown, 2, 10);
	check_waker("q-2");
	sleeps(&by_unknown, 1, 10);
	check_waker("");
}

/* Only a wait that directly follows a sleep shows what ended the sleep. */
TEST(only_after_a_sleep)
{
	block(&p, 'S', 0, 0, 10);
	span(&p, LKST_STATE_UNKNOWN, (struct lkst_wake){ 0 });
	span(&p, LKST_STATE_RUNNABLE, by_q);
	sleeps(&by_kworker, 1, 10);
	span(&p, LKST_STATE_RUNNABLE, by_q);
	span(&p, LKST_STATE_RUNNABLE, by_q);
	check_waker("kw-3");
}

/*
 * The number of wakers that are counted is limited. If too many wake-ups came from wakers beyond
 * this limit, the most frequent waker is unknown.
 */
TEST(too_many_wakers)
{
	struct lkst_wake by = { .known = true, .context = LKST_CONTEXT_TIMER };

	sleeps(&by_q, 3, 10);
	for (int i = 1; i < WAKER_COUNTS_MAX + 3; i++) {
		by.number = (uint64_t)i;
		sleeps(&by, 1, 10);
	}
	check_waker("q-2");
	by.number++;
	sleeps(&by, 1, 10);
	check_waker("");
}

/* ---- selection ---- */

TEST(one_process)
{
	analysis_selected = &q;
	block(&p, 'S', 0, 0, 10);
	block(&q, 'S', 0, 0, 20);
	analysis_check(HEAD "q-2,S in call_0,1,20,20,20,20,20,\n");
}

TEST(over)
{
	analysis_args.over_ns = 20;
	block(&p, 'S', 0, 0, 19);
	block(&p, 'S', 1, 0, 20);
	block(&p, 'S', 1, 30, 35);
	analysis_check(HEAD "p-1,S in call_1,2,25,5,20,20,20,\n");
}

TEST(overflow)
{
	block(&p, 'S', 0, 10, 5);
	block(&q, 'S', 0, INT64_MIN, INT64_MAX);
	block(&q, 'S', 0, INT64_MIN, INT64_MAX);
	block(&q, 'S', 0, INT64_MIN, INT64_MAX);
	analysis_check(HEAD "q-2,S in call_0,3,9223372036854775807,9223372036854775807,"
			    "9223372036854775807,9223372036854775807,9223372036854775807,\n"
			    "p-1,S in call_0,1,0,0,0,0,5,\n");
}

/* ---- lines for flame graphs ---- */

TESTS(.name = "offcpu_folded", .setup = setup_folded, .teardown = analysis_teardown);

/*
 * A sleep that has not ended has no waker. Times are rounded, and the name of a thread is a single
 * frame even if it contains a semicolon.
 */
TEST(lines)
{
	char *text;

	strcpy(p.name, "a;b c\33");
	sleeps(&by_q, 2, 1000000);
	sleeps(&by_disk, 1, 499);
	sleeps(&by_unknown, 1, 1000);
	block(&p, 'S', 0, 0, 2500);
	text = analysis_printed();
	ck_assert_str_eq(text, "a:b c\\033-1;S in call_0;q-2 2000\n"
			       "a:b c\\033-1;S in call_0;irq disk 0\n"
			       "a:b c\\033-1;S in call_0;- 4\n");
	free(text);
}

/* ---- with the state model ---- */

TESTS(.name = "offcpu_model", .setup = make_threads);

static uint64_t random_state;

static uint64_t random_number(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	return random_state ^= random_state << 17;
}

static uint64_t pack_random(uint32_t high_max, uint32_t low)
{
	return random_number() % high_max << 32 | low;
}

/* Fill in what a thread does on its CPU. Many events contradict earlier ones. */
static void random_act(struct lkst_event *event)
{
	static const uint32_t types[] = {
		LKST_ETYPE_SYSCALL_ENTRY, LKST_ETYPE_SYSCALL_EXIT, LKST_ETYPE_EXCEPTION_ENTRY,
		LKST_ETYPE_EXCEPTION_EXIT, LKST_ETYPE_WORK_ENTRY, LKST_ETYPE_WORK_EXIT,
		LKST_ETYPE_PROCESS_FORK,
	};

	event->type = types[random_number() % NUM(types)];
	event->arg[0] = pack_random(4, 0);
	event->arg[1] = random_number() % 3;
	if (event->type == LKST_ETYPE_PROCESS_FORK)
		event->arg[0] = pack_random(8, 1);
}

/* Make @event a record of one of 16 stacks with which a thread goes to sleep. */
static void random_stack(struct lkst_event *event)
{
	static uint64_t stack[2];
	static const struct lkst_payload payload = { .data = (const uint8_t *)stack,
						     .size = sizeof(stack) };

	stack[0] = random_number() % 4;
	stack[1] = random_number() % 4;
	event->type = LKST_ETYPE_PROCESS_BLOCK;
	event->payload = &payload;
}

static struct lkst_event random_event(int64_t time_ns, uint32_t running[3])
{
	uint32_t cpu = (uint32_t)(random_number() % 3), next = (uint32_t)(random_number() % 8);
	struct lkst_event event = { .time_ns = time_ns, .cpu = (int32_t)cpu, .tid = running[cpu],
				    .type = LKST_ETYPE_PROCESS_CONTEXTSWITCH,
				    .machine = LKST_MACHINE_X86_64 };

	switch (random_number() % 7) {
	case 6:
		random_stack(&event);
		break;
	case 0:
		event.type = LKST_ETYPE_PROCESS_WAKEUP;
		event.arg[0] = pack_random(8, 120);
		event.arg[1] = pack_random(3, 0);
		break;
	case 1:
		event.type = LKST_ETYPE_PROCESS_WAKING;
		event.arg[0] = pack_random(8, 120);
		break;
	case 2:
	case 3:
		random_act(&event);
		break;
	default:
		event.arg[0] = (uint64_t)running[cpu] << 32 | "SDRI"[random_number() % 4];
		event.arg[1] = (uint64_t)next << 32 | 120;
		running[cpu] = next;
	}
	return event;
}

static void add_state(void *ctx, const struct lkst_thread_span *tile)
{
	((int64_t *)ctx)[tile->state] += tile->end_ns - tile->begin_ns;
}

static const struct lkst_model_ops state_ops = { .thread = add_state };

/* Run an analysis on random events, and return its tables. Equal seeds give equal events. */
static char *run_random(const struct analysis *analysis, const void *own, int seed,
			int64_t state_ns[LKST_STATE_NUM])
{
	struct lkst_model *model = lkst_model_new(false, &err);
	uint32_t running[3] = { 0 };
	uint64_t recid[3] = { 0 };
	int64_t time_ns = 1;
	char *text;

	random_state = 88172645463325252 + (uint64_t)seed;
	assert_made(model);
	analysis_setup(analysis, own);
	analysis_run.model = model;
	assert_ok(lkst_model_add(model, &analysis->ops, analysis_ctx(), &err));
	if (state_ns)
		assert_ok(lkst_model_add(model, &state_ops, state_ns, &err));
	lkst_model_open_window(model, 20000);
	for (int i = 0; i < 2000; i++) {
		struct lkst_event event = random_event(time_ns, running);

		/* Sometimes records are missing. */
		event.recid = recid[event.cpu]++ + i / 1000;
		assert_ok(lkst_model_event(model, &event, &err));
		time_ns += (int64_t)(random_number() % 400);
	}
	assert_ok(lkst_model_cut(model, time_ns, &err));
	ck_assert(!analysis_out_of_memory());
	text = analysis_csv();
	analysis_teardown();
	lkst_model_free(model);
	return text;
}

/* Return a cell of a line; the text continues after it. */
static const char *cell_at(const char *line, int column)
{
	while (column-- > 0)
		line = strchr(line, ',') + 1;
	return line;
}

/*
 * Add up a column of the first table, in the rows whose first cell is @thread and whose second one
 * begins with @second. NULL matches any cell.
 */
static int64_t sum_of(const char *text, const char *thread, const char *second, int column)
{
	int64_t sum = 0;

	for (const char *line = strchr(text, '\n') + 1; *line; line = strchr(line, '\n') + 1) {
		if (!strncmp(line, "thread,", 7))
			break; /* the next table */
		if ((!thread || !strncmp(line, thread, strlen(thread))) &&
		    (!second || !strncmp(cell_at(line, 1), second, strlen(second))))
			sum += strtoll(cell_at(line, column), NULL, 10);
	}
	return sum;
}

/*
 * The total time and the number of the sleeps are the same as in lkstla thread, and are the sums
 * over all causes and over all stacks. The total time of the sleeps and the times in which threads
 * ran and waited according to lkstla sched add up to all the time that is known.
 */
TEST_LOOP(same_sums, 20)
{
	static const struct { bool histogram; } no_histogram; /* as in sched.c */
	int64_t state_ns[LKST_STATE_NUM] = { 0 };
	char *offcpu = run_random(&analysis_offcpu, &no_folded, _i, state_ns);
	char *sched = run_random(&analysis_sched, &no_histogram, _i, NULL);
	char *thread = run_random(&analysis_thread, NULL, _i, NULL);
	const char *stacks = strstr(offcpu, STACKS_HEAD);

	ck_assert_ptr_nonnull(stacks);
	ck_assert_int_gt(state_ns[LKST_STATE_BLOCKED], 0);
	ck_assert_int_eq(sum_of(offcpu, NULL, NULL, 3), state_ns[LKST_STATE_BLOCKED]);
	ck_assert_int_eq(sum_of(sched, NULL, NULL, 3), state_ns[LKST_STATE_RUNNING]);
	ck_assert_int_eq(sum_of(sched, NULL, NULL, 4), state_ns[LKST_STATE_RUNNABLE]);
	for (int tid = 1; tid < 8; tid++) {
		char name[16];

		snprintf(name, sizeof(name), "-%d,", tid);
		ck_assert_int_eq(sum_of(offcpu, name, NULL, 3),
				 sum_of(thread, name, "blocked", 4));
		ck_assert_int_eq(sum_of(offcpu, name, NULL, 2),
				 sum_of(thread, name, "blocked", 3));
		for (int column = 2; column < 4; column++)
			ck_assert_int_eq(sum_of(stacks, name, NULL, column),
					 sum_of(offcpu, name, NULL, column));
	}
	free(offcpu);
	free(sched);
	free(thread);
}
