// SPDX-License-Identifier: GPL-2.0
/*
 * Which threads -p and --children select, and the names of threads and system calls. In the sample
 * trace, bash-100 and bash-101 create cat-200 and cat-201, which have the name bash until they
 * execute cat.
 */
#include "cli/processes.h"
#include "lib/model/trim.h"
#include "lib/trace/select.h"
#include "lib/trace/trace.h"
#include "lkstla/run.h"
#include "sample.h"
#include "tap.h"

static struct common_arguments args;
static struct runner runner;
static int fd;

/* Replaces the function of run.c. */
void run_out_of_memory(const struct run *run)
{
	(void)run;
	ck_abort_msg("out of memory");
}

static void setup(void)
{
	fd = sample_fd();
	args = (struct common_arguments){ .cpu = -1 };
	runner = (struct runner){ .run.args = &args };
	runner.run.trace = lkst_trace_open_fd(fd, "sample", NULL, &err);
	assert_made(runner.run.trace);
	runner.run.model = lkst_model_new(false, &err);
	assert_made(runner.run.model);
}

static void teardown(void)
{
	lkst_processes_free(runner.processes);
	lkst_model_free(runner.run.model);
	lkst_trace_close(runner.run.trace);
	free(runner.choice);
	close(fd);
}

TESTS(.setup = setup, .teardown = teardown);

/* Feed the model as run.c does. */
static void feed(void)
{
	struct lkst_model *model = runner.run.model;
	struct lkst_event event;

	assert_ok(lkst_trace_rewind(runner.run.trace, LKST_OLDEST_FIRST, &err));
	while (lkst_trace_next(runner.run.trace, &event, &err) > 0) {
		runner.now_ns = event.time_ns;
		assert_ok(lkst_model_event(model, &event, &err));
		for (; runner.processes && runner.threads < lkst_model_threads(model);
		     runner.threads++)
			names_choose(&runner, lkst_model_thread(model, (uint32_t)runner.threads));
	}
}

static const uint32_t tids[] = { 100, 101, 200, 201 };

static const struct {
	const char *name, *words;
	bool children;
	const char *selected; /* a character for each of tids[]: '1' if selected */
} choices[] = {
	{ "a name", "bash", false, "1100" },
	{ "a name, after exec", "cat", false, "0011" },
	{ "a pattern", "c*", false, "0011" },
	{ "a thread", "201", false, "0001" },
	{ "two words", "100,cat", false, "1011" },
	{ "all", "all", false, "1111" },
	{ "all but a name", "!cat", false, "1100" },
	{ "all but a thread", "!100", false, "0111" },
	{ "the last word decides", "all,!cat,201", false, "1101" },
	{ "nothing", "dog", false, "0000" },
	{ "the children of a name", "bash", true, "1111" },
	{ "the child of a thread", "100", true, "1010" },
	{ "without the child of a thread", "!100", true, "0101" },
	{ "children, but not one of them", "bash,!201", true, "1110" },
	{ "without children, but with one of them", "!bash,201", true, "0001" },
};

TEST_ROWS(test_choice, choices)
{
	struct option_words words = { 1, { choices[_i].words } };
	char got[NUM(tids) + 1] = "";

	args.children = choices[_i].children;
	runner.processes = processes_take(&words, &err);
	assert_made(runner.processes);
	feed();
	for (int i = 0; i < NUM(tids); i++) {
		const struct lkst_thread *thread = lkst_model_find(runner.run.model, 0, tids[i]);

		ck_assert_ptr_nonnull(thread);
		got[i] = run_selects(&runner.run, thread) ? '1' : '0';
		/* The second call finds the answer in the cache. */
		ck_assert_int_eq(run_selects(&runner.run, thread), got[i] == '1');
	}
	ck_assert_str_eq(got, choices[_i].selected);
	ck_assert(!run_selects(&runner.run, NULL));
	ck_assert_int_eq(runner.any_selected, strchr(choices[_i].selected, '1') != NULL);
}
END_TEST

TEST(test_no_choice)
{
	feed();
	ck_assert(run_selects(&runner.run, lkst_model_find(runner.run.model, 0, 100)));
	ck_assert(run_selects(&runner.run, NULL));
}
END_TEST

/* run_selects() may be called for a new thread before names_choose() has seen it. */
TEST(test_unseen)
{
	const struct lkst_thread thread = { .index = 5000, .tid = 100, .name = "bash" };
	struct option_words words = { 1, { "bash" } };

	runner.processes = processes_take(&words, &err);
	assert_made(runner.processes);
	ck_assert(run_selects(&runner.run, &thread));
}
END_TEST

TEST(test_names)
{
	/* The trace names thread 300, but has no event that shows it to the model. */
	const struct lkst_thread thread = { .tid = 100, .name = "shell" }, late = { .tid = 300 },
				 unknown = { .tid = 999 },
				 longest = { .tid = UINT32_MAX, .name = "123456789012345" };
	char text[40];

	ck_assert_str_eq(run_thread_name(&runner.run, &thread, text), "shell-100");
	ck_assert_str_eq(run_thread_name(&runner.run, &late, text), "sleeper-300");
	ck_assert_str_eq(run_thread_name(&runner.run, &unknown, text), "999");
	ck_assert_str_eq(run_thread_name(&runner.run, &longest, text),
			 "123456789012345-4294967295");
	ck_assert_str_eq(run_thread_name(&runner.run, NULL, text), "-");
}
END_TEST

/* lkstla top can change -p, and the model renumbers its threads. */
TEST(test_forget)
{
	const struct lkst_thread *thread;

	runner.processes = lkst_processes_new(&err);
	assert_made(runner.processes);
	assert_ok(lkst_processes_add(runner.processes, "100", &err));
	feed();
	thread = lkst_model_find(runner.run.model, 0, 100);
	ck_assert(run_selects(&runner.run, thread));
	lkst_processes_free(runner.processes);
	runner.processes = lkst_processes_new(&err);
	assert_made(runner.processes);
	assert_ok(lkst_processes_add(runner.processes, "101", &err));
	ck_assert(run_selects(&runner.run, thread));
	names_forget(&runner);
	ck_assert_uint_eq(runner.threads, 0);
	ck_assert(!run_selects(&runner.run, thread));
	ck_assert(run_selects(&runner.run, lkst_model_find(runner.run.model, 0, 101)));
}
END_TEST

/* Feed the model with the creation of a thread, or a switch from a thread that ends. */
static void feed_event(uint32_t type, uint32_t tid, uint32_t other)
{
	static uint64_t recid;
	struct lkst_event event = {
		.type = type, .tid = tid, .tgid = tid, .recid = recid, .time_ns = (int64_t)++recid };

	event.arg[0] = type == LKST_ETYPE_PROCESS_FORK ? pack(other, other) : pack(tid, 'X');
	event.arg[1] = type == LKST_ETYPE_PROCESS_FORK ? 0 : pack(other, 0);
	assert_ok(lkst_model_event(runner.run.model, &event, &err));
	for (; runner.threads < lkst_model_threads(runner.run.model); runner.threads++)
		names_choose(&runner, lkst_model_thread(runner.run.model,
							(uint32_t)runner.threads));
}

/* A thread stays selected after its parent, which -p names, has been forgotten. */
TEST(test_trim)
{
	args.children = true;
	runner.processes = lkst_processes_new(&err);
	assert_made(runner.processes);
	assert_ok(lkst_processes_add(runner.processes, "500", &err));
	feed_event(LKST_ETYPE_PROCESS_FORK, 400, 401);
	feed_event(LKST_ETYPE_PROCESS_CONTEXTSWITCH, 400, 500);
	feed_event(LKST_ETYPE_PROCESS_FORK, 500, 501);
	feed_event(LKST_ETYPE_PROCESS_CONTEXTSWITCH, 500, 600);
	lkst_model_trim(runner.run.model);
	names_trim(&runner);
	ck_assert_uint_eq(lkst_model_threads(runner.run.model), 3);
	ck_assert_uint_eq(runner.threads, 3);
	for (uint32_t i = 0; i < 3; i++) {
		const struct lkst_thread *thread = lkst_model_thread(runner.run.model, i);

		ck_assert_int_eq(run_selects(&runner.run, thread), thread->tid == 501);
	}
}
END_TEST

/*
 * The model is trimmed before it has been decided whether -p selects the thread. The decision can
 * still be made later.
 */
TEST(test_trim_before_a_choice)
{
	runner.processes = lkst_processes_new(&err);
	assert_made(runner.processes);
	assert_ok(lkst_processes_add(runner.processes, "700", &err));
	feed_event(LKST_ETYPE_PROCESS_CONTEXTSWITCH, 650, 700);
	runner.choice[1] = (struct thread_choice){ 0 };
	lkst_model_trim(runner.run.model);
	names_trim(&runner);
	ck_assert_uint_eq(runner.threads, 0);
	ck_assert(run_selects(&runner.run, lkst_model_thread(runner.run.model, 0)));
}
END_TEST

TEST(test_syscall_names)
{
	const struct lkst_thread thread = { .machine = LKST_MACHINE_X86_64 },
				 other = { .machine = LKST_MACHINE_OTHER };
	char text[32];

	ck_assert_str_eq(run_syscall_name(&thread, 0, 0, text), "read");
	ck_assert_str_eq(run_syscall_name(&thread, 3, 1, text), "read");
	ck_assert_str_eq(run_syscall_name(&thread, 5000, 0, text), "5000");
	ck_assert_str_eq(run_syscall_name(&thread, -1, 0, text), "-1");
	ck_assert_str_eq(run_syscall_name(&other, 0, 0, text), "0");
}
END_TEST

TEST(test_symbols)
{
	int oops = sample_oops_fd();
	struct lkst_trace *trace = lkst_trace_open_fd(oops, "oops", NULL, &err);
	const struct runner other = { .run.trace = trace };
	const struct run *run = &other.run;
	char text[64];

	assert_made(trace);
	ck_assert_str_eq(run_symbol(run, 0, SAMPLE_CODE, text, sizeof(text)), "do_it");
	ck_assert_str_eq(run_symbol(run, 0, SAMPLE_CODE + 0x10, text, sizeof(text)), "do_it+0x10");
	ck_assert_str_eq(run_symbol(run, 0, SAMPLE_CODE + 0x101, text, sizeof(text)),
			 "do_more+0x1[mod]");
	ck_assert_str_eq(run_symbol(run, 0, 0x1234, text, sizeof(text)), "0x1234");
	ck_assert_str_eq(run_symbol(run, 0, SAMPLE_CODE + 0x101, text, 4), "do_");
	lkst_trace_close(trace);
	close(oops);
}
END_TEST
