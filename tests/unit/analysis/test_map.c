// SPDX-License-Identifier: GPL-2.0
/* lkstla map: the cells of CPUs and threads, the letters, and the text. */
#include "analysis_case.h"
#include "lib/base/etype_ids.h"
#include "tap.h"

#define CPU_HEAD	"cpu,begin_ns,end_ns,letter,what,share\n"
#define THREAD_HEAD	"thread,begin_ns,end_ns,letter,what,share\n"
#define LETTERS		"letter,what,total_ns,share\n"

/* As in map.c. */
struct map_arguments {
	int64_t width;
};

/* Labels of CPUs are 9 characters wide, and labels of threads are 24 characters wide. */
static const struct map_arguments two_columns = { 9 + 2 }, ten_columns = { 9 + 10 },
				  no_width = { 0 }, four_for_threads = { 24 + 4 };

static struct lkst_thread threads[60];

/* The map calls this if it has no --width. Returns 0: there is no terminal. */
unsigned int terminal_width(void)
{
	return 0;
}

static void begin(const struct map_arguments *own, int64_t begin_ns, int64_t end_ns)
{
	for (int i = 0; i < NUM(threads); i++) {
		threads[i] = (struct lkst_thread){ .index = (uint32_t)i, .tid = (uint32_t)i + 1 };
		strcpy(threads[i].name, i ? "b" : "a");
	}
	/* The window must be known when the analysis starts. */
	analysis_setup(&analysis_map, own);
	analysis_teardown();
	analysis_run.begin_ns = begin_ns;
	analysis_run.end_ns = end_ns;
	analysis_restart();
	analysis_args.csv = true;
}

static void setup(void)
{
	begin(&two_columns, 0, 1000);
}

TESTS(.setup = setup, .teardown = analysis_teardown);

/* @thread: index in threads[]; -1: none */
static void cpu(int32_t number, enum lkst_mode mode, int thread, int64_t begin_ns, int64_t end_ns)
{
	analysis_map.ops.cpu(analysis_ctx(), &(struct lkst_cpu_span){
		.cpu = number, .mode = mode, .thread = thread < 0 ? NULL : &threads[thread],
		.begin_ns = begin_ns, .end_ns = end_ns });
}

static void span(int thread, enum lkst_state state, int64_t begin_ns, int64_t end_ns,
		 enum lkst_end end)
{
	analysis_span(&(struct lkst_thread_span){
		.thread = &threads[thread], .state = state, .begin_ns = begin_ns,
		.end_ns = end_ns, .end = end });
}

TEST(nothing)
{
	analysis_check(CPU_HEAD LETTERS);
}

/* A cell shows what took the most time of its column, even if this time is not in one piece. */
TEST(most)
{
	cpu(0, LKST_MODE_USER, 0, 0, 150);
	cpu(0, LKST_MODE_KERNEL, 1, 150, 350);
	cpu(0, LKST_MODE_THREAD, 0, 350, 500);
	cpu(0, LKST_MODE_IDLE, -1, 500, 700);
	cpu(0, LKST_MODE_HARDIRQ, 1, 700, 850);
	cpu(0, LKST_MODE_SOFTIRQ, -1, 850, 950);
	cpu(0, LKST_MODE_IDLE, -1, 950, 1000);
	analysis_check(CPU_HEAD "0,0,500,A,a-1,0.6\n0,500,1000,.,idle,0.5\n" LETTERS
		       "A,a-1,300,0.3\n*,other threads,200,0.2\n.,idle,250,0.25\n"
		       "!,interrupts and softirqs,250,0.25\n");
}

/*
 * A CPU without events is shown as unknown. If the mode of a CPU is unknown but its thread is
 * known, the thread is shown.
 */
TEST(unknown)
{
	cpu(8191, LKST_MODE_UNKNOWN, -1, 0, 500);
	cpu(3, LKST_MODE_UNKNOWN, 1, 749, 1000);
	cpu(3, LKST_MODE_UNKNOWN, 1, 1000, 2000);
	cpu(-1, LKST_MODE_IDLE, -1, 0, 1000);
	cpu(8192, LKST_MODE_IDLE, -1, 0, 1000);
	analysis_check(CPU_HEAD "3,0,500,?,unknown,1\n3,500,1000,A,b-2,0.502\n"
		       "8191,0,500,?,unknown,1\n8191,500,1000,?,unknown,1\n" LETTERS
		       "A,b-2,251,0.1255\n?,unknown,1749,0.8745\n");
}

/* Of equally long parts, a known one is shown. If both are threads, the older one is shown. */
TEST(ties)
{
	cpu(0, LKST_MODE_USER, 1, 0, 100);
	cpu(0, LKST_MODE_USER, 0, 100, 200);
	cpu(0, LKST_MODE_IDLE, -1, 200, 300);
	cpu(0, LKST_MODE_IDLE, -1, 750, 1000);
	analysis_check(CPU_HEAD "0,0,500,?,unknown,0.4\n0,500,1000,.,idle,0.5\n" LETTERS
		       "*,other threads,200,0.2\n.,idle,350,0.35\n?,unknown,450,0.45\n");
	cpu(1, LKST_MODE_USER, 1, 0, 250);
	cpu(1, LKST_MODE_USER, 0, 250, 500);
	analysis_check(CPU_HEAD "0,0,500,?,unknown,0.4\n0,500,1000,.,idle,0.5\n"
		       "1,0,500,A,a-1,0.5\n1,500,1000,?,unknown,1\n" LETTERS
		       "A,a-1,350,0.175\n*,other threads,350,0.175\n"
		       ".,idle,350,0.175\n?,unknown,950,0.475\n");
}

/* The thread that ran longer gets the first letter. --top limits the number of letters. */
TEST(top)
{
	analysis_args.top = 1;
	cpu(0, LKST_MODE_USER, 0, 0, 499);
	cpu(0, LKST_MODE_USER, 1, 500, 1000);
	analysis_check(CPU_HEAD "0,0,500,*,a-1,0.998\n0,500,1000,A,b-2,1\n" LETTERS
		       "A,b-2,500,0.5\n*,other threads,499,0.499\n?,unknown,1,0.001\n");
}

TEST(one_cpu)
{
	analysis_args.cpu = 1;
	cpu(0, LKST_MODE_USER, 0, 0, 1000);
	cpu(1, LKST_MODE_IDLE, -1, 0, 1000);
	analysis_check(CPU_HEAD "1,0,500,.,idle,1\n1,500,1000,.,idle,1\n" LETTERS
		       ".,idle,1000,1\n");
}

/* Spans may be outside of the window, end before they begin, or overlap. */
TEST(damage)
{
	cpu(0, LKST_MODE_USER, 0, INT64_MIN, 100);
	cpu(0, LKST_MODE_USER, 1, 50, 150);
	cpu(0, LKST_MODE_USER, 1, 140, 20);
	cpu(0, LKST_MODE_IDLE, -1, 150, INT64_MAX);
	cpu(0, LKST_MODE_USER, 1, 2000, 3000);
	analysis_check(CPU_HEAD "0,0,500,.,idle,0.7\n0,500,1000,.,idle,1\n" LETTERS
		       "*,other threads,150,0.15\n.,idle,850,0.85\n");
}

/* ---- windows ---- */

TESTS(.name = "map_windows", .teardown = analysis_teardown);

/* A window of fewer nanoseconds than columns has one column for each nanosecond. */
TEST(short_window)
{
	begin(&ten_columns, 5, 7);
	cpu(0, LKST_MODE_USER, 0, 5, 6);
	analysis_check(CPU_HEAD "0,5,6,A,a-1,1\n0,6,7,?,unknown,1\n" LETTERS
		       "A,a-1,1,0.5\n?,unknown,1,0.5\n");
}

TEST(long_window)
{
	begin(&two_columns, -INT64_MAX / 2, INT64_MAX / 2);
	cpu(0, LKST_MODE_USER, 0, -INT64_MAX / 2, 0);
	cpu(1, LKST_MODE_USER, 0, 0, INT64_MAX / 2);
	analysis_check(CPU_HEAD "0,-4611686018427387903,0,A,a-1,1\n"
		       "0,0,4611686018427387903,?,unknown,1\n"
		       "1,-4611686018427387903,0,?,unknown,1\n"
		       "1,0,4611686018427387903,A,a-1,1\n" LETTERS
		       "A,a-1,9223372036854775806,0.5\n?,unknown,9223372036854775806,0.5\n");
}

/* Without a terminal, the map is 80 columns wide. */
TEST(default_width)
{
	char *text;
	int lines = 0;

	begin(&no_width, 0, 1000);
	cpu(0, LKST_MODE_IDLE, -1, 0, 1000);
	text = analysis_csv();
	for (const char *at = text; (at = strstr(at, "\n0,")); at++)
		lines++;
	ck_assert_int_eq(lines, 80 - 9);
	free(text);
}

/* ---- text ---- */

static char *map_text(void)
{
	struct tables tables = { 0 };

	analysis_args.csv = false;
	assert_ok(analysis_map.report(analysis_ctx(), &analysis_run, &tables, &err));
	ck_assert_uint_eq(tables.num, 0);
	ck_assert_ptr_nonnull(tables.text);
	return tables.text;
}

TEST(text)
{
	char *text;

	begin(&ten_columns, 0, 1000000);
	cpu(0, LKST_MODE_USER, 1, 0, 310000);
	cpu(0, LKST_MODE_HARDIRQ, 1, 310000, 500000);
	cpu(0, LKST_MODE_USER, 0, 500000, 900000);
	cpu(12, LKST_MODE_IDLE, -1, 200000, 1000000);
	text = map_text();
	assert_contains(text, "\nCPU 0    BBB!!AAAA?\nCPU 12   ??........\n\n"
			      "Each column is 100.0 us, and shows what took most of it.\n\n"
			      "letter  what                     total ms  share %\n"
			      "A       a-1                          0.40     20.0\n"
			      "B       b-2                          0.31     15.5\n"
			      ".       idle                         0.80     40.0\n"
			      "!       interrupts and softirqs      0.19      9.5\n"
			      "?       unknown                      0.30     15.0\n");
	assert_begins(text, "         |");
	free(text);
}

/* The scale has a time every 20 columns, except where the end of the row would cut it. */
TEST(scale)
{
	static const struct map_arguments own = { 9 + 65 };
	char *text, *line;

	begin(&own, 0, 65000000000);
	cpu(0, LKST_MODE_IDLE, -1, 0, 1000);
	text = map_text();
	line = strchr(text, '\n');
	ck_assert_ptr_nonnull(line);
	*line = 0;
	ck_assert_int_eq(text[9], '|');
	ck_assert_str_eq(text + 9 + 20, "|+20.0 s            |+40.0 s");
	free(text);
}

/* There are 52 letters. */
TEST(many_threads)
{
	static const struct map_arguments own = { 9 + 60 };
	char *text;

	begin(&own, 0, 6000);
	for (int i = 0; i < 60; i++)
		cpu(0, LKST_MODE_USER, i, i * 100, i * 100 + 100 - i);
	text = map_text();
	assert_contains(text, "\nCPU 0    ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxy????????");
	free(text);
	analysis_teardown();
	begin(&own, 0, 6000);
	for (int i = 0; i < 60; i++)
		cpu(0, LKST_MODE_USER, i, i * 100, i * 100 + 100);
	text = map_text();
	assert_contains(text, "\nCPU 0    ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz********\n");
	free(text);
}

/* ---- threads as rows ---- */

static void setup_threads(void)
{
	begin(&four_for_threads, 0, 400);
	analysis_teardown();
	analysis_args.processes = (struct option_words){ 1, { "a" } };
	analysis_restart();
	analysis_selected = &threads[0];
}

TESTS(.name = "map_threads", .setup = setup_threads, .teardown = analysis_teardown);

TEST(thread_states)
{
	span(0, LKST_STATE_BLOCKED, 0, 100, LKST_END_STATE);
	span(0, LKST_STATE_RUNNABLE, 100, 190, LKST_END_STATE);
	cpu(1, LKST_MODE_USER, 0, 190, 280);
	cpu(1, LKST_MODE_SOFTIRQ, 0, 280, 300);
	span(0, LKST_STATE_RUNNING, 190, 300, LKST_END_STATE);
	cpu(0, LKST_MODE_USER, 1, 0, 400);
	span(1, LKST_STATE_RUNNABLE, 0, 400, LKST_END_STATE);
	analysis_check(THREAD_HEAD "a-1,0,100,.,sleeping,1\na-1,100,200,-,waiting for a CPU,0.9\n"
		       "a-1,200,300,A,a-1,0.8\na-1,300,400,?,unknown,1\n" LETTERS
		       "A,a-1,90,0.225\n-,waiting for a CPU,90,0.225\n.,sleeping,100,0.25\n"
		       "!,interrupts and softirqs,20,0.05\n?,unknown,100,0.25\n");
}

/* A thread that did not exist is neither sleeping nor unknown. */
TEST(lifetime)
{
	threads[0].created = true;
	threads[0].first_ns = 100;
	span(0, LKST_STATE_RUNNABLE, 100, 200, LKST_END_STATE);
	cpu(0, LKST_MODE_USER, 0, 200, 300);
	span(0, LKST_STATE_RUNNING, 200, 300, LKST_END_EXIT);
	analysis_check(THREAD_HEAD "a-1,0,100, ,\"not started, not yet selected, or ended\",1\n"
		       "a-1,100,200,-,waiting for a CPU,1\na-1,200,300,A,a-1,1\n"
		       "a-1,300,400, ,\"not started, not yet selected, or ended\",1\n" LETTERS
		       "A,a-1,100,0.25\n-,waiting for a CPU,100,0.25\n"
		       " ,\"not started, not yet selected, or ended\",200,0.5\n");
}

/* A thread stays in the map when it gets a name that does not select it. */
TEST(renamed)
{
	threads[1].first_ns = 100;
	span(1, LKST_STATE_BLOCKED, 100, 200, LKST_END_STATE);
	analysis_selected = &threads[1];
	span(1, LKST_STATE_RUNNABLE, 200, 300, LKST_END_STATE);
	analysis_selected = &threads[0];
	span(1, LKST_STATE_BLOCKED, 300, 400, LKST_END_STATE);
	analysis_check(THREAD_HEAD "b-2,0,100,?,unknown,1\n"
		       "b-2,100,200, ,\"not started, not yet selected, or ended\",1\n"
		       "b-2,200,300,-,waiting for a CPU,1\nb-2,300,400,.,sleeping,1\n" LETTERS
		       "-,waiting for a CPU,100,0.25\n.,sleeping,100,0.25\n"
		       " ,\"not started, not yet selected, or ended\",100,0.25\n"
		       "?,unknown,100,0.25\n");
}

/* ---- a trace ---- */

TESTS(.name = "map_trace", .teardown = analysis_teardown);

static struct lkst_event event(int64_t time_ns, int32_t number, uint32_t tid, uint32_t type,
			       uint64_t arg0, uint64_t arg1)
{
	return (struct lkst_event){ .time_ns = time_ns, .cpu = number, .tid = tid, .type = type,
				    .arg = { arg0, arg1 } };
}

static struct lkst_event switch_to(int64_t time_ns, int32_t number, uint32_t prev, uint32_t next)
{
	return event(time_ns, number, prev, LKST_ETYPE_PROCESS_CONTEXTSWITCH,
		     (uint64_t)prev << 32 | 'S', (uint64_t)next << 32 | 120);
}

/* Two CPUs run threads, are idle, and handle an interrupt that takes most of a column. */
TEST(trace)
{
	struct lkst_model *model = lkst_model_new(false, &err);
	struct lkst_event events[] = {
		switch_to(100, 0, 0, 11),
		switch_to(250, 1, 12, 0),
		event(320, 0, 11, LKST_ETYPE_INT_HARDWARE_ENTRY, 9, 0),
		event(390, 0, 11, LKST_ETYPE_INT_HARDWARE_EXIT, 9, 0),
		switch_to(560, 0, 11, 0),
		switch_to(800, 1, 0, 12),
	};
	uint64_t recid[2] = { 0 };
	char *text;

	begin(&ten_columns, 0, 1000);
	assert_made(model);
	assert_ok(lkst_model_add(model, &analysis_map.ops, analysis_ctx(), &err));
	lkst_model_open_window(model, 0);
	events[2].flags = events[3].flags = LKST_LOG_HARDIRQ;
	for (int i = 0; i < NUM(events); i++) {
		events[i].recid = recid[events[i].cpu]++;
		assert_ok(lkst_model_event(model, &events[i], &err));
	}
	assert_ok(lkst_model_cut(model, 1000, &err));
	text = map_text();
	assert_contains(text, "\nCPU 0    ?AA!AA....\nCPU 1    ??......BB\n");
	free(text);
	lkst_model_free(model);
}

/* ---- compared with an array that has an entry for each nanosecond ---- */

#define BRUTE_NS	1000
#define BRUTE_CPUS	3
#define BRUTE_THREADS	5
#define BRUTE_IDLE	BRUTE_THREADS
#define BRUTE_IRQ	(BRUTE_THREADS + 1)
#define BRUTE_UNKNOWN	(BRUTE_THREADS + 2)

TESTS(.name = "map_random", .teardown = analysis_teardown);

static uint64_t random_number(void)
{
	static uint64_t state = 88172645463325252;

	state ^= state << 13;
	state ^= state >> 7;
	return state ^= state << 17;
}

/*
 * Pass spans that tile a part of the window, and store in @what what the CPU did in each
 * nanosecond.
 */
static void random_spans(int32_t number, unsigned char what[BRUTE_NS])
{
	static const enum lkst_mode modes[] = {
		[0 ... BRUTE_THREADS - 1] = LKST_MODE_USER, LKST_MODE_IDLE, LKST_MODE_SOFTIRQ,
		LKST_MODE_UNKNOWN,
	};
	int64_t at = (int64_t)(random_number() % 300);

	memset(what, BRUTE_UNKNOWN, BRUTE_NS);
	while (at < BRUTE_NS) {
		int64_t end = at + (int64_t)(random_number() % 120);
		int i = (int)(random_number() % (BRUTE_UNKNOWN + 1));

		end = end < BRUTE_NS ? end : BRUTE_NS;
		memset(what + at, i, (size_t)(end - at));
		cpu(number, modes[i], i < BRUTE_THREADS ? i : -1, at, end);
		at = end;
	}
}

static int what_of(const char *name)
{
	if (!strncmp(name, "idle,", 5))
		return BRUTE_IDLE;
	if (!strncmp(name, "interrupts", 10))
		return BRUTE_IRQ;
	return !strncmp(name, "unknown,", 8) ? BRUTE_UNKNOWN : atoi(name + 2) - 1;
}

/* Check a cell, and return its end. */
static int check_cell(const char *line, unsigned char what[BRUTE_CPUS][BRUTE_NS], int number,
		      int begin_ns)
{
	int count[BRUTE_UNKNOWN + 1] = { 0 }, cell_cpu, from, to, shown;
	char letter, name[40];
	double share;

	ck_assert_int_eq(sscanf(line, "%d,%d,%d,%c,%39[^,],%lf", &cell_cpu, &from, &to, &letter,
				name, &share), 6);
	strcat(name, ",");
	shown = what_of(name);
	ck_assert_int_eq(cell_cpu, number);
	ck_assert_int_eq(from, begin_ns);
	ck_assert_int_gt(to, from);
	for (int ns = from; ns < to; ns++)
		count[what[number][ns]]++;
	for (int i = 0; i <= BRUTE_UNKNOWN; i++)
		ck_assert_int_le(count[i], count[shown]);
	ck_assert_double_eq_tol(share, (double)count[shown] / (to - from), 1e-6);
	return to;
}

TEST_LOOP(each_nanosecond, 50)
{
	const struct map_arguments own = { 9 + 1 + _i };
	unsigned char what[BRUTE_CPUS][BRUTE_NS];
	const char *line;
	char *text;

	begin(&own, 0, BRUTE_NS);
	for (int number = 0; number < BRUTE_CPUS; number++)
		random_spans(number, what[number]);
	text = analysis_csv();
	line = strchr(text, '\n') + 1;
	for (int number = 0; number < BRUTE_CPUS; number++) {
		int at = 0;

		for (int column = 0; column < 1 + _i; column++) {
			at = check_cell(line, what, number, at);
			line = strchr(line, '\n') + 1;
		}
		ck_assert_int_eq(at, BRUTE_NS);
	}
	assert_begins(line, LETTERS);
	free(text);
}
