// SPDX-License-Identifier: GPL-2.0
/* Finding long operations in a trace and in live events. */
#include "lib/text/etypes.h"
#include "lib/trace/longer.h"
#include "lib/trace/longer_state.h"
#include "trace_case.h"

#define MS(n) ((int64_t)(n)*1000000)

/* An event at @ms. @lost: number of missing events of the CPU before this one */
struct step {
	uint64_t lost;
	int64_t ms;
	int32_t cpu;
	uint32_t type;
	uint32_t tid;
	uint64_t arg[2];
};

#define STEP(lost, ms, cpu, type, tid, arg1, arg2)     \
	{                                              \
		lost, ms, cpu, LKST_ETYPE_##type, tid, \
		{                                      \
			arg1, arg2                     \
		}                                      \
	}
#define CALL(ms, cpu, tid, number)   STEP(0, ms, cpu, SYSCALL_ENTRY, tid, PACK(number, 0), 0)
#define RETURN(ms, cpu, tid, number) STEP(0, ms, cpu, SYSCALL_EXIT, tid, PACK(number, 0), 0)
#define SWITCH(ms, cpu, prev, state, next) \
	STEP(0, ms, cpu, PROCESS_CONTEXTSWITCH, prev, PACK(prev, state), PACK(next, 120))
#define WAKE(ms, cpu, tid)   STEP(0, ms, cpu, PROCESS_WAKING, 0, PACK(tid, 120), 0)
#define ISSUE(ms, sector)    STEP(0, ms, 0, BLOCK_ISSUE, 1, 8 << 20, sector)
#define COMPLETE(ms, sector) STEP(0, ms, 1, BLOCK_COMPLETE, 0, 8 << 20, sector)
#define MARK(ms, cpu, lost)  STEP(lost, ms, cpu, USER_MARK, 1, 0, 0)
#define MASKSET(ms)	     STEP(0, ms, 0, LKST_MASKSET_SET, 1, 0, 0)

#define STEPS_MAX 10

/*
 * @trace: operations that are found in a trace of these events; @live: operations that are found
 * while the events occur
 */
static const struct {
	const char *name;
	struct step step[STEPS_MAX];
	const char *trace;
	const char *live;
} scripts[] = {
	{ "call", { CALL(0, 0, 5, 0), RETURN(3, 1, 5, 0) }, "0 took=3 3 took=3 ", "3 took=3 " },
	{ "short call", { CALL(0, 0, 5, 0), RETURN(1, 0, 5, 0) }, "", "" },
	{ "call of another thread", { CALL(0, 0, 5, 0), RETURN(3, 0, 6, 0) }, "0 took>3 ", "" },
	{ "exit of another call", { CALL(0, 0, 5, 0), RETURN(3, 0, 5, 1) }, "", "" },
	{ "request",
	  { ISSUE(0, 8), ISSUE(1, 16), COMPLETE(4, 8), COMPLETE(5, 24) },
	  "0 took=4 1 took>4 4 took=4 ",
	  "4 took=4 " },
	{ "sleep and wait",
	  { SWITCH(0, 0, 5, 'S', 0), WAKE(4, 1, 5), SWITCH(7, 0, 0, 'R', 5) },
	  "0 prev_sleep=4 4 sleep=4 4 wait=3 7 next_wait=3 ",
	  "4 sleep=4 7 next_wait=3 " },
	{ "sleep without wake-ups",
	  { SWITCH(0, 0, 5, 'S', 0), SWITCH(7, 0, 0, 'R', 5) },
	  "0 prev_sleep=7 7 next_sleep=7 ",
	  "7 next_sleep=7 " },
	{ "preempted",
	  { SWITCH(0, 0, 5, 'R', 6), SWITCH(7, 0, 6, 'S', 5) },
	  "0 prev_wait=7 7 next_wait=7 ",
	  "7 next_wait=7 " },
	{ "sleep with a loss on another CPU",
	  { SWITCH(0, 0, 5, 'S', 0), MARK(1, 1, 0), MARK(2, 1, 3), WAKE(4, 1, 5) },
	  "",
	  "" },
	{ "the first wake-up comes late",
	  { SWITCH(0, 0, 5, 'S', 0), SWITCH(3, 0, 0, 'R', 5), SWITCH(4, 0, 5, 'S', 0),
	    WAKE(7, 1, 5) },
	  "4 prev_sleep=3 7 sleep=3 ",
	  "3 next_sleep=3 7 sleep=3 " },
	{ "wake-ups are masked",
	  { WAKE(0, 1, 6), MASKSET(1), SWITCH(2, 0, 5, 'S', 0), SWITCH(5, 0, 0, 'R', 5) },
	  "",
	  "5 next_sleep=3 " },
	{ "not ended", { CALL(0, 0, 5, 0), MARK(9, 0, 0) }, "0 took>9 ", "" },
};

static void describe(const struct lkst_longer *longer, const struct lkst_event *event, char *text)
{
	struct lkst_format_span span[LKST_FORMAT_SPANS_MAX];
	size_t n = lkst_longer_spans(longer, event, span);

	ck_assert(lkst_longer_has(longer, event) == !!n);
	for (size_t i = 0; i < n; i++)
		sprintf(text + strlen(text), "%lld %s%c%llu ",
			(long long)((event->time_ns - SAMPLE_NS) / MS(1)), span[i].name,
			span[i].ended ? '=' : '>', (unsigned long long)span[i].ns / MS(1));
}

static struct lkst_etypes *types;
static uint64_t recid[2];

static struct lkst_log_record record_of(const struct step *step)
{
	recid[step->cpu] += step->lost;
	return sample_record(step->cpu, recid[step->cpu]++, SAMPLE_NS + MS(step->ms), step->type,
			     step->tid, (const uint64_t[4]){ step->arg[0], step->arg[1] });
}

/* Write the records of each CPU, and open the trace. */
static void open_steps(const struct step *step)
{
	recid[0] = recid[1] = 0;
	begin_trace(NULL);
	for (int32_t cpu = 0; cpu < 2; cpu++)
		for (int i = 0; i < STEPS_MAX && step[i].type; i++) {
			struct lkst_log_record record;

			if (step[i].cpu != cpu)
				continue;
			record = record_of(&step[i]);
			put_records(cpu, 0, &record, 1);
		}
	open_trace(end_trace());
}

static void setup(void)
{
	types = lkst_etypes_embedded(&err);
	assert_made(types);
}

static void teardown(void)
{
	lkst_etypes_free(types);
	close_trace();
}

TESTS(.setup = setup, .teardown = teardown);

TEST_ROWS(test_script, scripts)
{
	struct lkst_longer *found, *live;
	char text[2][256] = { "" };
	size_t num;

	open_steps(scripts[_i].step);
	found = lkst_longer_find(trace, types, MS(2), &err);
	assert_made(found);
	live = lkst_longer_live(types, MS(2), &err);
	assert_made(live);
	num = read_all(LKST_OLDEST_FIRST);
	for (size_t i = 0; i < num; i++) {
		describe(found, &events[i], text[0]);
		assert_ok(lkst_longer_observe(live, &events[i], &err));
		describe(live, &events[i], text[1]);
	}
	ck_assert_str_eq(text[0], scripts[_i].trace);
	ck_assert_str_eq(text[1], scripts[_i].live);
	lkst_longer_free(live);
	lkst_longer_free(found);
}

/* Operations that never end do not use up the memory, and do not hide others. */
TEST(test_no_ends)
{
	struct lkst_event event = { .type = LKST_ETYPE_BLOCK_ISSUE, .arg[0] = 8 << 20 };
	struct lkst_longer *live = lkst_longer_live(types, MS(2), &err);
	char text[64] = "";

	assert_made(live);
	event.time_ns = SAMPLE_NS;
	for (unsigned int i = 0; i < LONGER_OPEN_MAX + 100; i++) {
		event.recid++;
		event.arg[1] = i;
		assert_ok(lkst_longer_observe(live, &event, &err));
		ck_assert_uint_le(live->opened, LONGER_OPEN_MAX);
	}
	event.type = LKST_ETYPE_BLOCK_COMPLETE;
	event.time_ns += MS(3);
	for (int i = 0; i < 2; i++) {
		event.recid++;
		event.arg[1] = i ? LONGER_OPEN_MAX + 99 : 0;
		assert_ok(lkst_longer_observe(live, &event, &err));
		describe(live, &event, text);
	}
	ck_assert_str_eq(text, "3 took=3 ");
	lkst_longer_free(live);
}
