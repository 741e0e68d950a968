// SPDX-License-Identifier: GPL-2.0
/* lkstla syscall: calls, errors, durations, what the calls spent their time on, and cut calls. */
#include <errno.h>

#include "analysis_case.h"
#include "tap.h"

#define CALLS	"call,calls,errors,cut,total_ns,p50_ns,p99_ns,max_ns,at_ns,worst\n"
#define TIMES	"call,total_ns,running_ns,runnable_ns,blocked_ns,unknown_ns\n"
#define ERRORS	"call,error,number,last_ns,last_by\n"

static struct lkst_thread threads[] = {
	{ .index = 0, .tid = 7, .name = "a", .machine = LKST_MACHINE_X86_64 },
	{ .index = 1, .tid = 8, .name = "b", .machine = LKST_MACHINE_X86_64, .cpu = 1 },
	{ .index = 2, .tid = 9, .name = "arm", .machine = LKST_MACHINE_ARM64 },
};

static void setup(void)
{
	analysis_setup(&analysis_syscall, NULL);
}

TESTS(.setup = setup, .teardown = analysis_teardown);

static void call_span(struct lkst_syscall_span span, int thread)
{
	span.thread = &threads[thread];
	analysis_syscall.ops.syscall(analysis_ctx(), &span);
}

/* A complete call, which runs for 10 ns, waits for 20 ns, and sleeps for the rest of its time. */
static void call(int thread, int32_t number, int64_t begin_ns, int64_t end_ns, int64_t result)
{
	call_span((struct lkst_syscall_span){
		.number = number, .result = result, .begin_ns = begin_ns, .end_ns = end_ns,
		.begin_known = true, .end_known = true,
		.state_ns = { [LKST_STATE_RUNNING] = 10, [LKST_STATE_RUNNABLE] = 20,
			      [LKST_STATE_BLOCKED] = end_ns - begin_ns - 30 } }, thread);
}

TEST(nothing)
{
	analysis_check(CALLS TIMES ERRORS);
}

TEST(calls)
{
	call(0, 1, 100, 150, 0);
	call(0, 1, 200, 260, 7);
	call(1, 1, 300, 360, -EAGAIN);
	call(0, 2, 400, 700, 0);
	analysis_check(CALLS "call_2,1,0,0,300,300,300,300,700,a-7\n"
		       "call_1,3,1,0,170,60,60,60,260,a-7\n"
		       TIMES "call_2,300,10,20,270,0\n"
		       "call_1,170,30,60,80,0\n"
		       ERRORS "call_1,-EAGAIN,1,360,b-8\n");
}

/* Errors are from -4095 to -1. Those without a name are shown as numbers. */
static const struct { int64_t result; const char *error; } results[] = {
	{ -1, "-EPERM" }, { -ENOENT, "-ENOENT" }, { -512, "-ERESTARTSYS" }, { -4095, "-4095" },
	{ -4096, NULL }, { 0, NULL }, { 1, NULL }, { INT64_MIN, NULL }, { INT64_MAX, NULL },
};

TEST_EACH(result, results)
{
	char expected[512], error[64] = "";

	call(0, 3, 0, 50, results[_i].result);
	if (results[_i].error)
		snprintf(error, sizeof(error), "call_3,%s,1,50,a-7\n", results[_i].error);
	snprintf(expected, sizeof(expected), "%scall_3,1,%d,0,50,50,50,50,50,a-7\n%s"
		 "call_3,50,10,20,20,0\n%s%s", CALLS, results[_i].error ? 1 : 0, TIMES, ERRORS, error);
	analysis_check(expected);
}

/* Each errno of a call has a row, the most frequent first, with the thread of the last error. */
TEST(errors)
{
	call(0, 1, 0, 30, -ENOENT);
	call(0, 2, 0, 31, -EAGAIN);
	call(1, 2, 0, 32, -EAGAIN);
	call(1, 2, 0, 33, -ENOENT);
	analysis_check(CALLS "call_2,3,3,0,96,32,33,33,33,b-8\n"
		       "call_1,1,1,0,30,30,30,30,30,a-7\n"
		       TIMES "call_2,96,30,60,6,0\n"
		       "call_1,30,10,20,0,0\n"
		       ERRORS "call_2,-EAGAIN,2,32,b-8\n"
		       "call_1,-ENOENT,1,30,a-7\n"
		       "call_2,-ENOENT,1,33,b-8\n");
}

/* If the window cuts a call, its time in the window counts, but not as the duration of a call. */
TEST(cut)
{
	const struct lkst_syscall_span before = { .number = 1, .end_ns = 400, .end_known = true,
						  .result = -EINTR,
						  .state_ns[LKST_STATE_UNKNOWN] = 400 };
	const struct lkst_syscall_span after = { .number = 1, .begin_ns = 500, .end_ns = 600,
						 .begin_known = true, .result = -EIO,
						 .state_ns[LKST_STATE_BLOCKED] = 100 };

	call_span(before, 0);
	call_span(after, 1);
	analysis_check(CALLS "call_1,2,1,2,500,,,,,\n"
		       TIMES "call_1,500,0,0,100,400\n"
		       ERRORS "call_1,-EINTR,1,400,a-7\n");
}

/* The same number means different calls for different machines and ABIs. */
TEST(same_number)
{
	const struct lkst_syscall_span ia32 = { .number = 5, .abi = 1, .begin_known = true,
						.end_known = true, .end_ns = 90 };
	const struct lkst_syscall_span odd = { .number = 5, .abi = 99, .begin_known = true,
					       .end_known = true, .end_ns = 80 };

	call(0, 5, 0, 100, 0);
	call(2, 5, 0, 70, 0);
	call_span(ia32, 0);
	call_span(odd, 0);
	analysis_check(CALLS "call_5,1,0,0,100,100,100,100,100,a-7\n"
		       "call_5/1/ia32,1,0,0,90,90,90,90,90,a-7\n"
		       "call_5/99/99,1,0,0,80,80,80,80,80,a-7\n"
		       "call_5,1,0,0,70,70,70,70,70,arm-9\n"
		       TIMES "call_5,100,10,20,70,0\n"
		       "call_5/1/ia32,90,0,0,0,0\n"
		       "call_5/99/99,80,0,0,0,0\n"
		       "call_5,70,10,20,40,0\n" ERRORS);
}

/* Of two calls that are equally long, the first one is reported. */
TEST(longest)
{
	call(1, 1, 0, 90, 0);
	call(0, 1, 100, 190, 0);
	analysis_check(CALLS "call_1,2,0,0,180,90,90,90,90,b-8\n"
		       TIMES "call_1,180,20,40,120,0\n" ERRORS);
}

TEST(selection)
{
	analysis_selected = &threads[1];
	call(0, 1, 0, 60, -EIO);
	call(1, 1, 0, 70, 0);
	analysis_check(CALLS "call_1,1,0,0,70,70,70,70,70,b-8\n" TIMES "call_1,70,10,20,40,0\n" ERRORS);
}

TEST(on_cpu)
{
	analysis_args.cpu = 1;
	call(0, 1, 0, 60, -EIO);
	call(1, 1, 0, 70, 0);
	analysis_check(CALLS "call_1,1,0,0,70,70,70,70,70,b-8\n" TIMES "call_1,70,10,20,40,0\n" ERRORS);
}

TEST(over)
{
	analysis_args.over_ns = 70;
	call(0, 1, 0, 69, -EIO);
	call(0, 1, 0, 70, 0);
	call(1, 2, 5, 74, -EIO);
	analysis_check(CALLS "call_1,1,0,0,70,70,70,70,70,a-7\n" TIMES "call_1,70,10,20,40,0\n" ERRORS);
}

/* Sums saturate, and a span that ends before its start has the length 0. */
TEST(limits)
{
	for (int i = 0; i < 3; i++)
		call_span((struct lkst_syscall_span){
			.number = INT32_MIN, .begin_ns = INT64_MIN, .end_ns = INT64_MAX,
			.begin_known = true, .end_known = true,
			.state_ns[LKST_STATE_UNKNOWN] = INT64_MAX }, 0);
	call_span((struct lkst_syscall_span){ .number = -1, .begin_ns = 5, .end_ns = 4,
					      .begin_known = true, .end_known = true }, 1);
	analysis_check(CALLS "call_-2147483648,3,0,0,9223372036854775807,9223372036854775807,"
		       "9223372036854775807,9223372036854775807,9223372036854775807,a-7\n"
		       "call_-1,1,0,0,0,0,0,0,4,b-8\n"
		       TIMES "call_-2147483648,9223372036854775807,0,0,0,9223372036854775807\n"
		       "call_-1,0,0,0,0,0\n" ERRORS);
}

/* The number of rows has a limit. Calls beyond it share a row. */
TEST(many)
{
	struct tables tables = { 0 };
	char *text;
	size_t len;
	FILE *to;

	for (int32_t i = 0; i < 65536 + 10; i++)
		call(0, i, 0, 100 + (i == 65540), -EIO);
	assert_ok(analysis_syscall.report(analysis_ctx(), &analysis_run, &tables, &err));
	ck_assert_uint_eq(table_rows(tables.table[0]), 65537);
	ck_assert_uint_eq(table_rows(tables.table[2]), 65537);
	table_limit(tables.table[0], 1);
	to = open_memstream(&text, &len);
	table_print_csv(tables.table[0], to);
	fclose(to);
	ck_assert_str_eq(text, CALLS "(others),10,10,0,1001,100,101,101,101,a-7\n");
	free(text);
	for (size_t i = 0; i < tables.num; i++)
		table_free(tables.table[i]);
	ck_assert(!analysis_out_of_memory());
}
