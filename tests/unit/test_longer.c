// SPDX-License-Identifier: GPL-2.0
/* What took long in a trace: pairs of an entry and its exit. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/etype_ids.h"
#include "sample.h"
#include "tap.h"
#include "trace_case.h"

#define PACK(high, low) ((uint64_t)(high) << 32 | (low))
#define READ		PACK(0, 0)
#define WRITE		PACK(1, 0)

struct step {
	int time; /* in order */
	int32_t cpu;
	uint32_t type;
	uint32_t tid;
	uint64_t arg0;
};

#define STEPS_MAX 8

static const struct {
	const char *what;
	struct step step[STEPS_MAX];
	const char *longer; /* times of the events that enclose 100 ns or more */
} cases[] = {
	{ "a call that took as long, and one that did not",
	  { { 0, 0, LKST_ETYPE_SYSCALL_ENTRY, 5, READ },
	    { 100, 0, LKST_ETYPE_SYSCALL_EXIT, 5, READ },
	    { 200, 0, LKST_ETYPE_SYSCALL_ENTRY, 5, READ },
	    { 299, 0, LKST_ETYPE_SYSCALL_EXIT, 5, READ } },
	  "0 100 " },
	{ "threads are told apart, and migrate",
	  { { 0, 0, LKST_ETYPE_SYSCALL_ENTRY, 5, READ },
	    { 10, 0, LKST_ETYPE_SYSCALL_ENTRY, 6, READ },
	    { 20, 0, LKST_ETYPE_SYSCALL_EXIT, 6, READ },
	    { 150, 1, LKST_ETYPE_SYSCALL_EXIT, 5, READ } },
	  "0 150 " },
	{ "idle threads are those of their CPUs",
	  { { 0, 0, LKST_ETYPE_CPU_IDLE_ENTRY, 0, 1 },
	    { 10, 1, LKST_ETYPE_CPU_IDLE_ENTRY, 0, 3 },
	    { 20, 0, LKST_ETYPE_CPU_IDLE_EXIT, 0, 0 },
	    { 150, 1, LKST_ETYPE_CPU_IDLE_EXIT, 0, 0 } },
	  "10 150 " },
	{ "an interrupt within a call",
	  { { 0, 0, LKST_ETYPE_SYSCALL_ENTRY, 5, READ },
	    { 10, 0, LKST_ETYPE_INT_HARDWARE_ENTRY, 5, 9 },
	    { 120, 0, LKST_ETYPE_INT_HARDWARE_EXIT, 5, 9 },
	    { 130, 0, LKST_ETYPE_SYSCALL_EXIT, 5, READ } },
	  "0 10 120 130 " },
	{ "events between the two were lost",
	  { { 0, 0, LKST_ETYPE_SYSCALL_ENTRY, 5, READ },
	    { 150, 0, LKST_ETYPE_SYSCALL_EXIT, 5, WRITE },
	    { 300, 0, LKST_ETYPE_SYSCALL_EXIT, 5, READ } },
	  "" },
	{ "an entry again: the exit between was lost",
	  { { 0, 0, LKST_ETYPE_SYSCALL_ENTRY, 5, READ },
	    { 150, 0, LKST_ETYPE_SYSCALL_ENTRY, 5, READ },
	    { 160, 0, LKST_ETYPE_SYSCALL_EXIT, 5, READ } },
	  "" },
	{ "an exit alone",
	  { { 0, 0, LKST_ETYPE_USER_MARK, 5, 0 }, { 150, 0, LKST_ETYPE_SYSCALL_EXIT, 5, READ } },
	  "" },
	{ "what does not end before the trace does",
	  { { 0, 0, LKST_ETYPE_SYSCALL_ENTRY, 5, READ },
	    { 60, 0, LKST_ETYPE_SYSCALL_ENTRY, 6, READ },
	    { 150, 0, LKST_ETYPE_USER_MARK, 7, 0 } },
	  "0 " },
	{ "but not a thread that exits",
	  { { 0, 0, LKST_ETYPE_SYSCALL_ENTRY, 5, READ },
	    { 50, 0, LKST_ETYPE_PROCESS_EXIT, 5, PACK(5, 120) },
	    { 150, 0, LKST_ETYPE_USER_MARK, 7, 0 } },
	  "" },
	{ "beginnings and ends; first arguments that differ by nature",
	  { { 0, 0, LKST_ETYPE_LOCK_CONTENTION_BEGIN, 5, 0x1000 },
	    { 10, 0, LKST_ETYPE_MEM_RECLAIM_ENTRY, 5, 3 },
	    { 110, 0, LKST_ETYPE_MEM_RECLAIM_EXIT, 5, 77 },
	    { 120, 0, LKST_ETYPE_LOCK_CONTENTION_END, 5, 0x1000 } },
	  "0 10 110 120 " },
	{ "other events are none of them",
	  { { 0, 0, LKST_ETYPE_PROCESS_FORK, 5, PACK(6, 6) },
	    { 150, 0, LKST_ETYPE_PROCESS_EXIT, 6, PACK(6, 120) } },
	  "" },
};

/* A buffer for each CPU. */
static struct lkst_trace *trace_of(const struct step *step, int *fd)
{
	struct lkst_trace_writer *writer;
	struct lkst_error err;

	*fd = lkst_temporary_file(&err);
	writer = lkst_trace_writer_fd(*fd, "steps", &err);
	for (int32_t cpu = 0; cpu < 2; cpu++) {
		struct lkst_log_buffer buffer = sample_buffer(cpu, 0);
		struct lkst_log_record record[STEPS_MAX];
		size_t num = 0;

		for (int i = 0; i < STEPS_MAX && step[i].type; i++) {
			const uint64_t arg[4] = { step[i].arg0 };

			if (step[i].cpu != cpu)
				continue;
			record[num] = sample_record(cpu, num, SAMPLE_NS + step[i].time,
						    step[i].type, step[i].tid, arg);
			num++;
		}
		ck_assert_int_eq(lkst_trace_write_records(writer, &buffer, record, num, &err), 0);
	}
	ck_assert_int_eq(lkst_trace_write_end(writer, &err), 0);
	ck_assert_int_eq(lkst_trace_writer_commit(writer, &err), 0);
	return open_fd(*fd);
}

START_TEST(test_longer)
{
	struct lkst_error err;
	struct lkst_etypes *types = lkst_etypes_embedded(&err);
	struct lkst_longer *longer;
	struct lkst_trace *trace;
	char text[256] = "";
	size_t num;
	int fd;

	trace = trace_of(cases[_i].step, &fd);
	longer = lkst_longer_find(trace, types, 100, &err);
	ck_assert_msg(longer != NULL, "%s", err.text);
	num = read_all(trace, LKST_OLDEST_FIRST);
	for (size_t i = 0; i < num; i++)
		if (lkst_longer_has(longer, &events[i]))
			snprintf(text + strlen(text), sizeof(text) - strlen(text), "%d ",
				 (int)(events[i].time_ns - SAMPLE_NS));
	ck_assert_msg(!strcmp(text, cases[_i].longer), "%s: %s", cases[_i].what, text);
	lkst_longer_free(longer);
	lkst_trace_close(trace);
	close(fd);
	lkst_etypes_free(types);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("longer");
	TCase *tc = tcase_create("longer");

	tcase_add_loop_test(tc, test_longer, 0, sizeof(cases) / sizeof(*cases));
	suite_add_tcase(suite, tc);
	return run_suite(suite);
}
