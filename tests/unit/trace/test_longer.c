// SPDX-License-Identifier: GPL-2.0
/* Finding operations that take long: pairs of events, and threads that sleep or wait for a CPU. */
#include "lib/text/etypes.h"
#include "lib/trace/longer.h"
#include "trace_case.h"

/* Values of type and arg0 for a step */
#define EVENT(mnemonic, value) .type = LKST_ETYPE_##mnemonic, .arg0 = (value)
#define READ_ENTRY EVENT(SYSCALL_ENTRY, 0)
#define READ_EXIT  EVENT(SYSCALL_EXIT, 0)
#define WRITE_EXIT EVENT(SYSCALL_EXIT, 1ull << 32)
#define MARK	   EVENT(USER_MARK, 0)

#define STEPS_MAX 6

struct step {
	int time; /* in ns; increases from step to step */
	int32_t cpu;
	uint32_t tid;
	uint32_t type;
	uint64_t arg0;
	uint64_t arg1;
	int lost; /* number of events of the CPU that are missing before this one */
};

static const struct {
	const char *desc;
	struct step step[STEPS_MAX];
	const char *longer; /* times of the events of operations of 100 ns or more */
} cases[] = {
	{ "a call of exactly 100 ns, and a shorter one",
	  { { 0, 0, 5, READ_ENTRY }, { 100, 0, 5, READ_EXIT },
	    { 200, 0, 5, READ_ENTRY }, { 299, 0, 5, READ_EXIT } }, "0 100 " },
	{ "calls of two threads, one of which migrates",
	  { { 0, 0, 5, READ_ENTRY }, { 10, 0, 6, READ_ENTRY },
	    { 20, 0, 6, READ_EXIT }, { 150, 1, 5, READ_EXIT } }, "0 150 " },
	{ "idle threads of two CPUs, both with thread ID 0",
	  { { 0, 0, 0, EVENT(CPU_IDLE_ENTRY, 1) }, { 10, 1, 0, EVENT(CPU_IDLE_ENTRY, 3) },
	    { 20, 0, 0, EVENT(CPU_IDLE_EXIT, 0) }, { 150, 1, 0, EVENT(CPU_IDLE_EXIT, 0) } },
	  "10 150 " },
	{ "an interrupt within a call",
	  { { 0, 0, 5, READ_ENTRY }, { 10, 0, 5, EVENT(INT_HARDWARE_ENTRY, 9) },
	    { 120, 0, 5, EVENT(INT_HARDWARE_EXIT, 9) }, { 130, 0, 5, READ_EXIT } },
	  "0 10 120 130 " },
	{ "the exit of another system call: events between were lost",
	  { { 0, 0, 5, READ_ENTRY }, { 150, 0, 5, WRITE_EXIT }, { 300, 0, 5, READ_EXIT } }, "" },
	{ "a second entry: the exit between was lost",
	  { { 0, 0, 5, READ_ENTRY }, { 150, 0, 5, READ_ENTRY }, { 160, 0, 5, READ_EXIT } }, "" },
	{ "an exit without an entry", { { 0, 0, 5, MARK }, { 150, 0, 5, READ_EXIT } }, "" },
	{ "a call that is still in progress at the end of the trace",
	  { { 0, 0, 5, READ_ENTRY }, { 60, 0, 6, READ_ENTRY }, { 150, 0, 7, MARK } }, "0 " },
	{ "a call of a thread that exits",
	  { { 0, 0, 5, READ_ENTRY }, { 50, 0, 5, EVENT(PROCESS_EXIT, 5ull << 32 | 120) },
	    { 150, 0, 7, MARK } }, "" },
	{ "begin and end events, and pairs with different first arguments",
	  { { 0, 0, 5, EVENT(LOCK_CONTENTION_BEGIN, 0x1000) },
	    { 10, 0, 5, EVENT(MEM_RECLAIM_ENTRY, 3) },
	    { 110, 0, 5, EVENT(MEM_RECLAIM_EXIT, 77) },
	    { 120, 0, 5, EVENT(LOCK_CONTENTION_END, 0x1000) } }, "0 10 110 120 " },
	{ "other events do not form pairs",
	  { { 0, 0, 5, EVENT(PROCESS_FORK, 6ull << 32 | 6) },
	    { 150, 0, 6, EVENT(PROCESS_EXIT, 6ull << 32 | 120) } }, "" },
};

/* Values of type, arg0 and arg1 for a step */
#define SWITCH(prev, state, next) \
	EVENT(PROCESS_CONTEXTSWITCH, PACK(prev, state)), .arg1 = PACK(next, 120)
#define WAKING(tid) EVENT(PROCESS_WAKING, PACK(tid, 120)), .arg1 = 1
#define WAKEUP(tid) EVENT(PROCESS_WAKEUP, PACK(tid, 120)), .arg1 = 1
#define ISSUE(at) EVENT(BLOCK_ISSUE, 8), .arg1 = (at)
#define COMPLETE(at) EVENT(BLOCK_COMPLETE, 8), .arg1 = (at)
#define START EVENT(LKST_TRC_START, 2)
#define PREEMPTED	 (0x100 | 'R')

static const struct {
	const char *desc;
	struct step step[STEPS_MAX];
	const char *spans; /* spans of 100 ns or more, after the time of their event */
} span_cases[] = {
	{ "a sleep and a wait", { { 0, 0, 5, SWITCH(5, 'S', 0) }, { 150, 1, 6, WAKING(5) },
	    { 160, 0, 0, WAKEUP(5) }, { 400, 0, 0, SWITCH(0, 'R', 5) } },
	  "0 prev_sleep=150, 150 sleep=150 wait=250, 400 next_wait=250" },
	{ "a sleep of a thread that has not been woken up", { { 0, 0, 5, SWITCH(5, 'D', 0) },
	    { 150, 1, 6, WAKING(6) }, { 160, 0, 0, MARK } }, "0 prev_sleep>160" },
	{ "a wait of a thread that has not run", { { 0, 0, 5, SWITCH(5, 'S', 0) },
	    { 50, 1, 6, WAKEUP(5) }, { 160, 0, 0, MARK } }, "50 wait>110" },
	{ "a thread that was preempted", { { 0, 0, 5, SWITCH(5, PREEMPTED, 6) },
	    { 100, 0, 6, SWITCH(6, 'R', 5) }, { 150, 0, 5, MARK } },
	  "0 prev_wait=100, 100 next_wait=100" },
	{ "one thread's wait ends where the sleep of the other begins",
	  { { 0, 0, 5, SWITCH(5, PREEMPTED, 6) }, { 120, 0, 6, SWITCH(6, 'S', 5) },
	    { 130, 1, 7, WAKING(7) }, { 300, 0, 5, WAKING(6) } },
	  "0 prev_wait=120, 120 next_wait=120 prev_sleep=180, 300 sleep=180" },
	{ "without wake-ups, a sleep ends when the thread runs", { { 0, 0, 5, SWITCH(5, 'S', 0) },
	    { 150, 0, 0, SWITCH(0, 'R', 5) } }, "0 prev_sleep=150, 150 next_sleep=150" },
	{ "with wake-ups, one without its wake-up says nothing",
	  { { 0, 0, 5, SWITCH(5, 'S', 0) }, { 10, 0, 0, WAKEUP(9) },
	    { 150, 0, 0, SWITCH(0, 'R', 5) } }, "" },
	{ "a thread that exits does not sleep", { { 0, 0, 5, SWITCH(5, 'Z', 0) },
	    { 150, 1, 6, MARK } }, "" },
	{ "idle threads neither sleep nor wait", { { 0, 0, 0, SWITCH(0, 'S', 5) },
	    { 150, 0, 5, SWITCH(5, 'R', 0) }, { 200, 0, 0, SWITCH(0, 'R', 5) } }, "" },
	{ "a wake-up of a running thread", { { 0, 0, 5, WAKING(5) }, { 150, 1, 6, MARK } }, "" },
	{ "a wake-up before the thread goes to sleep", { { 0, 1, 6, WAKING(5) },
	    { 150, 0, 5, SWITCH(5, 'S', 0) }, { 160, 0, 0, WAKEUP(5) },
	    { 170, 0, 0, SWITCH(0, 'R', 5) }, { 400, 0, 5, MARK } }, "" },
	{ "a wake-up at the start of the trace", { { 0, 1, 6, WAKING(5) },
	    { 150, 0, 0, SWITCH(0, 'R', 5) } }, "0 wait=150, 150 next_wait=150" },
	{ "missing events of another CPU", { { 0, 0, 5, SWITCH(5, 'S', 0) }, { 20, 1, 6, MARK },
	    { 30, 1, 6, MARK, .lost = 3 }, { 150, 1, 6, WAKING(5) },
	    { 300, 0, 0, SWITCH(0, 'R', 5) } }, "150 wait=150, 300 next_wait=150" },
	{ "parts of a chain are not missing", { { 0, 0, 5, SWITCH(5, 'S', 0) },
	    { 10, 0, 0, EVENT(PROCESS_BLOCK, 7ull << 32 | 1 << 24 | 32) },
	    { 11, 0, 0, EVENT(LKST_MORE, 7ull << 32 | 1 << 24 | 8 << 16) }, { 20, 0, 0, MARK },
	    { 150, 1, 6, WAKING(5) } }, "0 prev_sleep=150, 150 sleep=150" },
	{ "recording was off", { { 0, 0, 5, SWITCH(5, 'S', 0) }, { 20, 1, 6, START },
	    { 150, 1, 6, WAKING(5) } }, "" },
	{ "block requests", { { 0, 0, 5, ISSUE(64) }, { 10, 0, 5, ISSUE(72) },
	    { 109, 1, 0, COMPLETE(72) }, { 120, 1, 0, COMPLETE(64) }, { 130, 0, 5, ISSUE(64) },
	    { 300, 1, 0, COMPLETE(80) } }, "0 took=120, 120 took=120, 130 took>170" },
	{ "a system call that sleeps", { { 0, 0, 5, READ_ENTRY }, { 10, 0, 5, SWITCH(5, 'S', 0) },
	    { 120, 0, 0, WAKEUP(5) }, { 130, 0, 0, SWITCH(0, 'R', 5) }, { 140, 0, 5, READ_EXIT } },
	  "0 took=140, 10 prev_sleep=110, 120 sleep=110, 140 took=140" },
};

static struct lkst_etypes *types;
static struct lkst_longer *longer;

static void teardown(void)
{
	lkst_longer_free(longer);
	lkst_etypes_free(types);
	longer = NULL;
	close_trace();
}

TESTS(.teardown = teardown);

/* Write the steps as a trace with one buffer for each CPU, and find the operations in it. */
static size_t find(const struct step *step)
{
	begin_trace(NULL);
	for (int32_t cpu = 0; cpu < 2; cpu++) {
		struct lkst_log_record record[STEPS_MAX];
		uint64_t recid = 0;
		size_t num = 0;

		for (int i = 0; i < STEPS_MAX && step[i].type; i++) {
			const uint64_t arg[4] = { step[i].arg0, step[i].arg1 };

			if (step[i].cpu != cpu)
				continue;
			recid += (uint64_t)step[i].lost;
			record[num++] = sample_record(cpu, recid++, SAMPLE_NS + step[i].time,
						      step[i].type, step[i].tid, arg);
		}
		put_records(cpu, 0, record, num);
	}
	open_trace(end_trace());
	types = lkst_etypes_embedded(&err);
	longer = lkst_longer_find(trace, types, 100, &err);
	assert_made(longer);
	return read_all(LKST_OLDEST_FIRST);
}

TEST_EACH(test_longer, cases)
{
	char text[256] = "";
	size_t num = find(cases[_i].step);

	for (size_t i = 0; i < num; i++)
		if (lkst_longer_has(longer, &events[i]))
			sprintf(text + strlen(text), "%d ", (int)(events[i].time_ns - SAMPLE_NS));
	ck_assert_msg(!strcmp(text, cases[_i].longer), "%s: %s", cases[_i].desc, text);
}

TEST_EACH(test_spans, span_cases)
{
	struct lkst_format_span span[LKST_FORMAT_SPANS_MAX];
	char text[512] = "", *p = text;
	size_t num = find(span_cases[_i].step);

	for (size_t i = 0; i < num; i++) {
		size_t spans = lkst_longer_spans(longer, &events[i], span);

		ck_assert(lkst_longer_has(longer, &events[i]) == (spans > 0));
		if (spans)
			p += sprintf(p, "%s%d", p > text ? ", " : "",
				     (int)(events[i].time_ns - SAMPLE_NS));
		for (size_t k = 0; k < spans; k++)
			p += sprintf(p, " %s%c%d", span[k].name, span[k].ended ? '=' : '>',
				     (int)span[k].ns);
	}
	ck_assert_msg(!strcmp(text, span_cases[_i].spans), "%s: %s", span_cases[_i].desc, text);
}
