// SPDX-License-Identifier: GPL-2.0
/* Finding pairs of an entry event and its exit event that are far apart in time. */
#include "lib/text/etypes.h"
#include "lib/trace/longer.h"
#include "trace_case.h"

/* Values of type and arg0 for a step */
#define READ_ENTRY LKST_ETYPE_SYSCALL_ENTRY, 0
#define READ_EXIT  LKST_ETYPE_SYSCALL_EXIT, 0
#define WRITE_EXIT LKST_ETYPE_SYSCALL_EXIT, 1ull << 32
#define MARK	   LKST_ETYPE_USER_MARK, 0

#define STEPS_MAX 4

static const struct {
	const char *desc;
	struct {
		int time; /* in ns; increases from step to step */
		int32_t cpu;
		uint32_t tid;
		uint32_t type;
		uint64_t arg0;
	} step[STEPS_MAX];
	const char *longer; /* times of the events of pairs that span 100 ns or more */
} cases[] = {
	{ "a call of exactly 100 ns, and a shorter one",
	  { { 0, 0, 5, READ_ENTRY }, { 100, 0, 5, READ_EXIT },
	    { 200, 0, 5, READ_ENTRY }, { 299, 0, 5, READ_EXIT } }, "0 100 " },
	{ "calls of two threads, one of which migrates",
	  { { 0, 0, 5, READ_ENTRY }, { 10, 0, 6, READ_ENTRY },
	    { 20, 0, 6, READ_EXIT }, { 150, 1, 5, READ_EXIT } }, "0 150 " },
	{ "idle threads of two CPUs, both with thread ID 0",
	  { { 0, 0, 0, LKST_ETYPE_CPU_IDLE_ENTRY, 1 }, { 10, 1, 0, LKST_ETYPE_CPU_IDLE_ENTRY, 3 },
	    { 20, 0, 0, LKST_ETYPE_CPU_IDLE_EXIT, 0 }, { 150, 1, 0, LKST_ETYPE_CPU_IDLE_EXIT, 0 } },
	  "10 150 " },
	{ "an interrupt within a call",
	  { { 0, 0, 5, READ_ENTRY }, { 10, 0, 5, LKST_ETYPE_INT_HARDWARE_ENTRY, 9 },
	    { 120, 0, 5, LKST_ETYPE_INT_HARDWARE_EXIT, 9 }, { 130, 0, 5, READ_EXIT } },
	  "0 10 120 130 " },
	{ "the exit of another system call: events between were lost",
	  { { 0, 0, 5, READ_ENTRY }, { 150, 0, 5, WRITE_EXIT }, { 300, 0, 5, READ_EXIT } }, "" },
	{ "a second entry: the exit between was lost",
	  { { 0, 0, 5, READ_ENTRY }, { 150, 0, 5, READ_ENTRY }, { 160, 0, 5, READ_EXIT } }, "" },
	{ "an exit without an entry", { { 0, 0, 5, MARK }, { 150, 0, 5, READ_EXIT } }, "" },
	{ "a call that is still in progress at the end of the trace",
	  { { 0, 0, 5, READ_ENTRY }, { 60, 0, 6, READ_ENTRY }, { 150, 0, 7, MARK } }, "0 " },
	{ "a call of a thread that exits",
	  { { 0, 0, 5, READ_ENTRY }, { 50, 0, 5, LKST_ETYPE_PROCESS_EXIT, 5ull << 32 | 120 },
	    { 150, 0, 7, MARK } }, "" },
	{ "begin and end events, and pairs with different first arguments",
	  { { 0, 0, 5, LKST_ETYPE_LOCK_CONTENTION_BEGIN, 0x1000 },
	    { 10, 0, 5, LKST_ETYPE_MEM_RECLAIM_ENTRY, 3 },
	    { 110, 0, 5, LKST_ETYPE_MEM_RECLAIM_EXIT, 77 },
	    { 120, 0, 5, LKST_ETYPE_LOCK_CONTENTION_END, 0x1000 } }, "0 10 110 120 " },
	{ "other events do not form pairs",
	  { { 0, 0, 5, LKST_ETYPE_PROCESS_FORK, 6ull << 32 | 6 },
	    { 150, 0, 6, LKST_ETYPE_PROCESS_EXIT, 6ull << 32 | 120 } }, "" },
};

TESTS(.teardown = close_trace);

/* Write the steps as a trace with one buffer for each CPU, and find the pairs in it. */
TEST_EACH(test_longer, cases)
{
	struct lkst_etypes *types = lkst_etypes_embedded(&err);
	struct lkst_longer *longer;
	char text[256] = "";
	size_t num;

	begin_trace(NULL);
	for (int32_t cpu = 0; cpu < 2; cpu++) {
		struct lkst_log_record record[STEPS_MAX];

		num = 0;
		for (int i = 0; i < STEPS_MAX && cases[_i].step[i].type; i++) {
			const uint64_t arg[4] = { cases[_i].step[i].arg0 };

			if (cases[_i].step[i].cpu != cpu)
				continue;
			record[num] = sample_record(cpu, num, SAMPLE_NS + cases[_i].step[i].time,
						    cases[_i].step[i].type, cases[_i].step[i].tid,
						    arg);
			num++;
		}
		put_records(cpu, 0, record, num);
	}
	open_trace(end_trace());
	longer = lkst_longer_find(trace, types, 100, &err);
	assert_made(longer);
	num = read_all(LKST_OLDEST_FIRST);
	for (size_t i = 0; i < num; i++)
		if (lkst_longer_has(longer, &events[i]))
			sprintf(text + strlen(text), "%d ", (int)(events[i].time_ns - SAMPLE_NS));
	ck_assert_msg(!strcmp(text, cases[_i].longer), "%s: %s", cases[_i].desc, text);
	lkst_longer_free(longer);
	lkst_etypes_free(types);
}
