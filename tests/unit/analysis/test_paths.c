// SPDX-License-Identifier: GPL-2.0
/* lkstla syscall and lkstla thread: to which call a path belongs, for any order of the events. */
#include "analysis_case.h"
#include "lib/base/etype_ids.h"
#include "sample.h"
#include "tap.h"

#define HEAD	 "call,max_ns,file\n"
#define HEAD_TWO "call,max_ns,file,new_path\n"

#define THREADS 8192 /* thread N runs on CPU N, and the model accepts no more CPUs */

static struct lkst_model *model;
static int64_t now_ns;
static uint64_t recid[THREADS];

static void start(const struct analysis *analysis)
{
	model = lkst_model_new(false, &err);
	assert_made(model);
	now_ns = 0;
	memset(recid, 0, sizeof(recid));
	analysis_setup(analysis, NULL);
	analysis_run.model = model;
	assert_ok(lkst_model_add(model, &analysis->ops, analysis_ctx(), &err));
}

static void setup(void)
{
	start(&analysis_syscall);
}

static void setup_thread(void)
{
	start(&analysis_thread);
}

static void teardown(void)
{
	analysis_teardown();
	lkst_model_free(model);
}

TESTS(.setup = setup, .teardown = teardown);

/* Record an event, 100 ns after the previous one. Thread N runs on CPU N. */
static void event(uint32_t type, uint32_t tid, uint64_t a1, const struct lkst_payload *payload)
{
	const struct lkst_event at = { .time_ns = now_ns += 100, .recid = recid[tid]++,
				       .cpu = (int32_t)tid, .type = type, .tid = tid, .tgid = tid,
				       .arg = { a1 }, .payload = payload,
				       .machine = LKST_MACHINE_X86_64 };

	assert_ok(lkst_model_event(model, &at, &err));
}

/* Record the path of an argument of a system call. */
static void path(uint32_t tid, uint32_t call, uint32_t argument, const char *text, bool cut)
{
	const uint64_t before[2] = { pack(call, 0), pack(argument, (uint32_t)-100) };
	size_t len = strlen(text);
	uint8_t data[LKST_CHAIN_BYTES_MAX];
	const struct lkst_payload payload = { .data = data, .size = (uint32_t)(16 + len),
					      .bytes = (uint32_t)(16 + len), .cut = cut };

	ck_assert_uint_le(16 + len, sizeof(data));
	memcpy(data, before, 16);
	memcpy(data + 16, text, len);
	event(LKST_ETYPE_SYSCALL_PATH, tid, 0, &payload);
}

/* Record the path that a word such as 5:1/x means. */
static void run_path(uint32_t tid, char *word)
{
	unsigned int call, argument;
	size_t len = strlen(word);
	bool cut = word[len - 1] == '!';
	int at = 0;

	if (cut)
		word[len - 1] = 0;
	ck_assert_int_eq(sscanf(word, "%u:%1u%n", &call, &argument, &at), 2);
	path(tid, call, argument, word + at, cut);
}

/*
 * Record events of threads. Each word means an event:
 *	tN	the following words are about thread N (initially 1)
 *	(N	the thread enters system call N
 *	)N	the thread returns from system call N
 *	.	time passes
 *	N:A/x	the path /x is recorded, which is argument A of call N. Without /x, the path is
 *		empty. With "!" at the end, the path was cut or, if it is empty, could not be read
 *	x	the thread ends
 *	lost	records are lost
 */
static void run(const char *words)
{
	char copy[512], *rest = copy, *word;
	uint32_t tid = 1;

	snprintf(copy, sizeof(copy), "%s", words);
	while ((word = strsep(&rest, " ")) != NULL) {
		uint32_t number = (uint32_t)atoi(word + 1);

		if (*word == 't')
			tid = number;
		else if (*word == '(')
			event(LKST_ETYPE_SYSCALL_ENTRY, tid, pack(number, 0), NULL);
		else if (*word == ')')
			event(LKST_ETYPE_SYSCALL_EXIT, tid, pack(number, 0), NULL);
		else if (*word == '.')
			now_ns += 1000;
		else if (*word == 'x')
			event(LKST_ETYPE_PROCESS_CONTEXTSWITCH, tid, pack(tid, 'X'), NULL);
		else if (*word == 'l')
			recid[tid] += 10;
		else
			run_path(tid, word);
	}
	assert_ok(lkst_model_cut(model, now_ns, &err));
	ck_assert(!analysis_out_of_memory());
}

/* Words for run(), and the expected table of files, or "" if there is no table */
static const struct {
	const char *what, *table;
} cases[] = {
	/* The path is recorded when the call begins or ends, before or after the event of the call. */
	{ "(5 5:1/a . )5", HEAD "call_5,1200,/a\n" },
	{ "5:1/a (5 . )5", HEAD "call_5,1100,/a\n" },
	{ "(5 . 5:1/a )5", HEAD "call_5,1200,/a\n" },
	{ "(5 . )5 5:1/a", HEAD "call_5,1100,/a\n" },
	/* The path of the longest call is shown. */
	{ "(5 5:1/a . )5 (5 5:1/b . . )5 (5 5:1/c . )5", HEAD "call_5,2200,/b\n" },
	{ "5:1/a (5 . )5 5:1/b (5 . . )5 5:1/c (5 . )5", HEAD "call_5,2100,/b\n" },
	{ "(5 . 5:1/a )5 (5 . . 5:1/b )5 (5 . 5:1/c )5", HEAD "call_5,2200,/b\n" },
	{ "(5 . )5 5:1/a (5 . . )5 5:1/b (5 . )5 5:1/c", HEAD "call_5,2100,/b\n" },
	{ "(5 5:1/a . )5 (5 . . )5 5:1/b (5 5:1/c . )5", HEAD "call_5,2100,/b\n" },
	{ "5:1/a (5 . )5 (5 . . 5:1/b )5 5:1/c (5 . )5", HEAD "call_5,2200,/b\n" },
	/* Calls of another kind do not get the path. */
	{ "(5 5:1/a )5 (6 . )6", HEAD "call_5,200,/a\n" },
	{ "(5 5:1/a )5 (6 . 6:2/b )6", HEAD "call_6,1200,/b\ncall_5,200,/a\n" },
	{ "5:1/a (6 )6 (5 )5", "" },
	{ "(5 5:1/a lost . )6", "" },
	/* The longest call has no path. */
	{ "(5 5:1/a )5 (5 . )5", "" },
	/* A call may have two paths. */
	{ "(7 7:2/old 7:4/new )7", HEAD_TWO "call_7,300,/old,/new\n" },
	{ "7:2/old 7:4/new (7 )7", HEAD_TWO "call_7,100,/old,/new\n" },
	{ "(7 7:2/old . 7:4/new )7", HEAD_TWO "call_7,1300,/old,/new\n" },
	{ "(7 7:4/new . )7 7:2/old", HEAD_TWO "call_7,1200,/old,/new\n" },
	{ "7:2/old (7 . 7:4/new )7", HEAD_TWO "call_7,1200,/old,/new\n" },
	{ "7:2/old (7 . )7 7:4/new", HEAD_TWO "call_7,1100,/old,/new\n" },
	{ "(7 )7 7:2/old 7:4/new (7 . )7 7:2/a 7:4/b", HEAD_TWO "call_7,1100,/a,/b\n" },
	{ "7:2/old 7:4/new (7 )7 7:2/a 7:4/b (7 . )7", HEAD_TWO "call_7,1100,/a,/b\n" },
	{ "(7 7:4/new )7 (5 5:1/a . )5", HEAD_TWO "call_5,1200,/a,\ncall_7,200,,/new\n" },
	{ "(7 7:2/old 7:4/new 7:1/a 7:2/b )7", HEAD "call_7,500,/b\n" },
	/* The kernel may have cut a path, or may not have been able to read it. */
	{ "(5 5:1/a! )5", HEAD "call_5,200,/a [cut]\n" },
	{ "(5 5:1! )5", "" },
	{ "(5 5:1 )5", HEAD "call_5,200,\n" },
	{ "(7 7:2! 7:4/new )7", HEAD_TWO "call_7,300,,/new\n" },
	/* It is unknown whether the path belongs to the first call, which has no begin. */
	{ ")5 5:1/a (5 . )5", "" },
	{ ")5 5:1/a (5 . )5 5:1/b", HEAD "call_5,1100,/b\n" },
	{ ")5 5:1/a (5 . )5 5:1/b (5 )5 5:1/c", HEAD "call_5,1100,/b\n" },
	{ ")5 5:1/a (5 5:1/b . )5", HEAD "call_5,1200,/b\n" },
	/* Records are missing. */
	{ "(5 5:1/a lost . )5", "" },
	{ "(5 5:1/a lost (5 . )5", "" },
	{ "(5 5:1/a . )5 lost 5:1/b (5 )5", HEAD "call_5,1200,/a\n" },
	{ "5:1/a lost (5 . )5", "" },
	{ "5:1/a lost (5 . )5 5:1/b", HEAD "call_5,1100,/b\n" },
	{ "7:2/a lost 7:4/b (7 . )7", HEAD_TWO "call_7,1100,,/b\n" },
	{ "7:2/a lost (7 . 7:4/b )7", HEAD_TWO "call_7,1200,,/b\n" },
	{ "(5 . )5 lost 5:1/b", "" },
	{ "(5 . )5 lost 5:1/b (5 . . )5", "" },
	{ "(5 . t2 (6 lost )6 t1 )5 5:1/a", HEAD "call_5,1300,/a\n" },
	{ "(7 7:2/a t2 (6 lost )6 t1 )7 7:4/b", HEAD_TWO "call_7,400,/a,/b\n" },
	{ "7:2/a (7 7:4/b t2 (6 lost )6 t1 )7", HEAD_TWO "call_7,400,/a,/b\n" },
	/* Threads do not share paths. */
	{ "(5 5:1/a t2 (5 5:1/b . )5 t1 )5", HEAD "call_5,1500,/a\n" },
	{ "(5 5:1/a t2 (5 . )5 t1 5:1/c )5", HEAD "call_5,1500,/c\n" },
	{ "(5 t2 (5 . t1 )5 t2 )5 t1 5:1/a t2 5:1/b", HEAD "call_5,1200,/a\n" },
	{ "(5 5:1/a . )5 x t2 (5 . . )5 5:1/b", HEAD "call_5,2100,/b\n" },
	{ "(5 5:1/a x t2 (5 . )5", "" },
	{ "5:1/a t2 (5 . )5", "" },
};

TEST_EACH(path_of, cases)
{
	char *text, *files;

	run(cases[_i].what);
	text = analysis_csv();
	files = strstr(text, "call,max_ns,file");
	ck_assert_msg(!strcmp(files ? files : "", cases[_i].table), "%s: %s, not %s",
		      cases[_i].what, files, cases[_i].table);
	free(text);
}

static void call_with_path(uint32_t tid, const char *text, int64_t ns)
{
	event(LKST_ETYPE_SYSCALL_ENTRY, tid, pack(5, 0), NULL);
	path(tid, 5, 2, text, false);
	path(tid, 5, 4, text, false);
	now_ns += ns;
	event(LKST_ETYPE_SYSCALL_EXIT, tid, pack(5, 0), NULL);
}

/*
 * Only the longest call is kept. The paths of all other calls must be freed: together they would
 * exceed the memory limit.
 */
TEST(reused)
{
	char text[1000], *csv;

	memset(text, 'x', sizeof(text));
	text[sizeof(text) - 1] = 0;
	for (int i = 0; i < 50000; i++)
		call_with_path(1, text, i % 7);
	call_with_path(1, "/the/longest", 1000);
	csv = analysis_csv();
	assert_contains(csv, HEAD_TWO "call_5,1300,/the/longest,/the/longest\n");
	free(csv);
}

/* The memory for paths is limited. */
TEST(limit)
{
	char text[4096], *csv;

	memset(text, 'x', sizeof(text));
	text[sizeof(text) - 1] = 0;
	for (uint32_t tid = 1; tid < THREADS; tid++)
		call_with_path(tid, text, tid == 20 ? 1000 : 0);
	ck_assert(!analysis_out_of_memory());
	csv = analysis_csv();
	assert_contains(csv, text);
	free(csv);
	call_with_path(THREADS - 1, text, 2000);
	ck_assert(!analysis_out_of_memory());
	csv = analysis_csv();
	ck_assert_ptr_null(strstr(csv, "call,max_ns,file"));
	free(csv);
}

/* Threads that have ended do not take memory. */
TEST(ended)
{
	char text[4096], *csv;

	memset(text, 'x', sizeof(text));
	text[sizeof(text) - 1] = 0;
	for (uint32_t tid = 1; tid < THREADS - 1; tid++) {
		event(LKST_ETYPE_SYSCALL_ENTRY, tid, pack(5, 0), NULL);
		path(tid, 5, 2, text, false);
		path(tid, 5, 4, text, false);
		event(LKST_ETYPE_PROCESS_CONTEXTSWITCH, tid, pack(tid, 'X'), NULL);
	}
	call_with_path(THREADS - 1, text, 0);
	ck_assert(!analysis_out_of_memory());
	csv = analysis_csv();
	assert_contains(csv, text);
	free(csv);
}

/* ---- lkstla thread ---- */

TESTS(.name = "paths_thread", .setup = setup_thread, .teardown = teardown);

#define HEAD_THREAD "thread,call,max_ns,at_ns,file\n"

/*
 * Unlike lkstla syscall, lkstla thread also counts calls that the window cuts, and calls in which
 * the thread ended.
 */
static const struct {
	const char *what, *table;
} thread_cases[] = {
	{ "(5 5:1/a . )5 t2 (5 5:1/b . . )5",
	  HEAD_THREAD "2,call_5,2200,3600,/b\n1,call_5,1200,1300,/a\n" },
	{ "(5 5:1/a .", HEAD_THREAD "1,call_5,1100,1200,/a\n" },
	{ "(5 5:1/a . x", HEAD_THREAD "1,call_5,1200,1300,/a\n" },
	{ "(5 5:1/a . x t2 (5 . 5:1/b )5",
	  HEAD_THREAD "1,call_5,1200,1300,/a\n2,call_5,1200,2600,/b\n" },
	{ "5:1/a . )5 5:1/b (5 5:1/c )5", "" },
	{ "(7 7:2/old 7:4/new )7",
	  "thread,call,max_ns,at_ns,file,new_path\n1,call_7,300,400,/old,/new\n" },
};

TEST_EACH(path_of_thread, thread_cases)
{
	char *text, *files, *end;

	run(thread_cases[_i].what);
	text = analysis_csv();
	files = strstr(text, "thread,call,max_ns");
	end = strstr(text, "thread,woken_by");
	ck_assert_ptr_nonnull(end);
	*end = 0;
	ck_assert_msg(!strcmp(files ? files : "", thread_cases[_i].table), "%s: %s, not %s",
		      thread_cases[_i].what, files, thread_cases[_i].table);
	free(text);
}
