// SPDX-License-Identifier: GPL-2.0
/* lkstla pair: pairs of events, unmatched events, selecting and grouping, and wrong operands. */
#include "calls_case.h"
#include "cli/command.h"
#include "lib/text/etypes.h"
#include "tap.h"

static bool no_memory;

void *__real_calloc(size_t num, size_t size);
void *__wrap_calloc(size_t num, size_t size);

void *__wrap_calloc(size_t num, size_t size)
{
	return no_memory ? NULL : __real_calloc(num, size);
}

#define WORDS_MAX 9

/* Split a command line into operands. Underscores and "=" are part of words. */
static char **pair_operands(const char *line)
{
	static char text[256], *words[WORDS_MAX + 1];
	char *rest = text;
	int num = 0;

	snprintf(text, sizeof(text), "%s", line);
	while (num < WORDS_MAX && (words[num] = strsep(&rest, " ")) != NULL)
		num += *words[num] != 0;
	words[num] = NULL;
	return words;
}

static void start(const char *line)
{
	analysis_operands = pair_operands(line);
	calls_setup(&analysis_pair, NULL);
}

/* The latest note; "": none */
static char noted[256];

void print_note(const char *text)
{
	snprintf(noted, sizeof(noted), "%s", text);
}

static void teardown(void)
{
	no_memory = false;
	*noted = 0;
	calls_teardown();
}

TESTS(.teardown = teardown);

/* Values of type, a1 and a2 for a step */
#define ENTRY(number)	    LKST_ETYPE_SYSCALL_ENTRY, PACK(number, 0), 0
#define EXIT(number)	    LKST_ETYPE_SYSCALL_EXIT, PACK(number, 0), 0
#define LOCK(lock, flags)   LKST_ETYPE_LOCK_CONTENTION_BEGIN, lock, flags
#define LOCKED(lock, error) LKST_ETYPE_LOCK_CONTENTION_END, lock, error
#define IRQ(irq)	    LKST_ETYPE_INT_HARDWARE_ENTRY, irq, 0x306f6974726976 /* "virtio0" */
#define IRQ_END(irq)	    LKST_ETYPE_INT_HARDWARE_EXIT, irq, 1
#define IDLE		    LKST_ETYPE_CPU_IDLE_ENTRY, 1, 0
#define BUSY		    LKST_ETYPE_CPU_IDLE_EXIT, 0, 0
#define WAKEUP(tid)	    LKST_ETYPE_PROCESS_WAKEUP, PACK(tid, 120), 0
#define SWITCH(prev, next)  LKST_ETYPE_PROCESS_CONTEXTSWITCH, PACK(prev, 'R'), PACK(next, 120)
#define LOSS		    UINT32_MAX, 0, 0 /* records of CPU 0 are missing */

#define CALLS	 "system_call_entry system_call_exit "
#define LOCKS	 "lock_contention_begin lock_contention_end "
#define IRQS	 "int_hardware_entry int_hardware_exit "
#define VALUES	 "count,total_ns,p50_ns,p99_ns,max_ns,at_ns\n"
#define EVENTS	 "event,events,unmatched\n"
#define CALL_EVENTS(begins, lone_begins, ends, lone_ends)		\
	EVENTS "system_call_entry," begins "," lone_begins "\n"		\
	"system_call_exit," ends "," lone_ends "\n"
#define LOCK_EVENTS(begins, lone_begins, ends, lone_ends)		\
	EVENTS "lock_contention_begin," begins "," lone_begins "\n"	\
	"lock_contention_end," ends "," lone_ends "\n"
#define IRQ_EVENTS(begins, lone_begins, ends, lone_ends)		\
	EVENTS "int_hardware_entry," begins "," lone_begins "\n"	\
	"int_hardware_exit," ends "," lone_ends "\n"

#define STEPS_MAX 8

/* Events and the expected tables. All durations are below 64 ns, so that percentiles are exact. */
static const struct {
	const char *name;
	const char *operands;
	struct {
		int64_t time;
		int32_t cpu;
		uint32_t tid;
		uint32_t type;
		uint64_t a1, a2;
	} step[STEPS_MAX];
	const char *csv;
} cases[] = {
	{ "two threads, one of which migrates", CALLS "by tid",
	  { { 0, 0, 100, ENTRY(0) }, { 10, 0, 101, ENTRY(0) }, { 15, 0, 101, EXIT(0) },
	    { 50, 1, 100, EXIT(0) } },
	  VALUES "2,55,5,50,50,50\n" CALL_EVENTS("2", "0", "2", "0") },
	{ "idle threads of two CPUs", "cpu_idle_entry cpu_idle_exit by tid",
	  { { 0, 0, 0, IDLE }, { 10, 1, 0, IDLE }, { 20, 0, 0, BUSY }, { 40, 1, 0, BUSY } },
	  VALUES "2,50,20,30,30,40\n" EVENTS "cpu_idle_entry,2,0\ncpu_idle_exit,2,0\n" },
	{ "by CPU, other threads", CALLS "by cpu",
	  { { 0, 0, 100, ENTRY(0) }, { 10, 1, 100, EXIT(0) }, { 20, 0, 101, EXIT(0) } },
	  VALUES "1,20,20,20,20,20\n" CALL_EVENTS("1", "0", "2", "1") },
	{ "by an argument, other threads and CPUs", LOCKS "by lock",
	  { { 0, 0, 100, LOCK(8, 1) }, { 1, 1, 101, LOCK(16, 1) }, { 2, 1, 102, LOCKED(8, 0) },
	    { 5, 0, 103, LOCKED(16, 0) } },
	  VALUES "2,6,2,4,4,5\n" LOCK_EVENTS("2", "0", "2", "0") },
	{ "arguments of different names", "process_wakeup process_contextswitch by thread=next",
	  { { 0, 0, 100, WAKEUP(102) }, { 2, 0, 100, WAKEUP(103) }, { 5, 1, 0, SWITCH(0, 103) },
	    { 9, 0, 100, SWITCH(100, 102) }, { 20, 0, 102, SWITCH(102, 101) } },
	  VALUES "2,12,3,9,9,9\n"
	  EVENTS "process_wakeup,2,0\nprocess_contextswitch,3,1\n" },
	{ "a thread that is an argument, and one that is not",
	  "process_wakeup system_call_exit by thread=tid",
	  { { 0, 0, 100, WAKEUP(102) }, { 5, 1, 102, EXIT(0) } },
	  VALUES "1,5,5,5,5,5\n" EVENTS "process_wakeup,1,0\nsystem_call_exit,1,0\n" },
	{ "a second begin, an end without a begin, a begin without an end", LOCKS "by lock",
	  { { 0, 0, 100, LOCKED(8, 0) }, { 1, 0, 100, LOCK(8, 1) }, { 2, 0, 100, LOCK(8, 1) },
	    { 5, 0, 100, LOCKED(8, 0) }, { 6, 0, 100, LOCK(8, 1) }, { 7, 0, 100, LOCK(16, 1) } },
	  VALUES "1,3,3,3,3,5\n" LOCK_EVENTS("4", "3", "2", "1") },
	{ "an end before its begin: clocks differ", LOCKS "by lock",
	  { { 9, 0, 100, LOCK(8, 1) }, { 5, 1, 100, LOCKED(8, 0) } },
	  VALUES "1,0,0,0,0,5\n" LOCK_EVENTS("1", "0", "1", "0") },
	{ "only the window", LOCKS "by lock",
	  { { -1, 0, 100, LOCK(8, 1) }, { 5, 0, 100, LOCKED(8, 0) },
	    { 1000000, 0, 100, LOCK(8, 1) }, { 1000001, 0, 100, LOCKED(8, 0) } },
	  VALUES LOCK_EVENTS("1", "1", "1", "1") },
	{ "a loss: its end may be lost", LOCKS "by lock",
	  { { 0, 1, 100, LOCK(8, 1) }, { 5, 0, 0, LOSS }, { 6, 1, 100, LOCKED(8, 0) },
	    { 7, 1, 100, LOCK(8, 1) }, { 9, 1, 100, LOCKED(8, 0) } },
	  VALUES "1,2,2,2,2,9\n" LOCK_EVENTS("2", "1", "2", "1") },
	{ "a loss on one CPU, by CPU", IRQS "by cpu",
	  { { 0, 0, 100, IRQ(9) }, { 1, 1, 100, IRQ(9) }, { 5, 0, 0, LOSS },
	    { 6, 0, 100, IRQ_END(9) }, { 7, 1, 100, IRQ_END(9) } },
	  VALUES "1,6,6,6,6,7\n" IRQ_EVENTS("2", "1", "2", "1") },
	{ "events of one type: the time between two of them",
	  "int_hardware_entry int_hardware_entry by irq",
	  { { 0, 0, 100, IRQ(9) }, { 1, 1, 100, IRQ(10) }, { 5, 0, 0, IRQ(9) },
	    { 15, 1, 100, IRQ(9) }, { 20, 0, 0, IRQ_END(9) } },
	  VALUES "2,15,5,10,10,15\n" EVENTS "int_hardware_entry,4,\n" },
	{ "if: an argument of both events, by its name", CALLS "by tid if number=write",
	  { { 0, 0, 100, ENTRY(0) }, { 3, 0, 101, ENTRY(1) }, { 4, 0, 100, EXIT(0) },
	    { 9, 0, 101, EXIT(1) } },
	  VALUES "1,6,6,6,6,9\n" CALL_EVENTS("1", "0", "1", "0") },
	{ "if: other events between the two are ignored", IRQS "by cpu if irq=9",
	  { { 0, 0, 100, IRQ(9) }, { 3, 0, 100, IRQ(0x109) }, { 4, 0, 100, IRQ_END(0x109) },
	    { 9, 0, 100, IRQ_END(9) } },
	  VALUES "1,9,9,9,9,9\n" IRQ_EVENTS("1", "0", "1", "0") },
	{ "if: an argument of the begin", LOCKS "by lock if flags=0x2",
	  { { 0, 0, 100, LOCK(8, 1) }, { 1, 0, 100, LOCK(16, 2) }, { 2, 0, 100, LOCKED(8, 0) },
	    { 4, 0, 100, LOCKED(16, 0) }, { 5, 0, 100, LOCK(8, 1) }, { 6, 0, 100, LOCK(16, 2) } },
	  VALUES "1,3,3,3,3,4\n" LOCK_EVENTS("2", "1", "1", "0") },
	{ "if: an argument of the end, by its name", LOCKS "by lock if result=-EINTR",
	  { { 0, 0, 100, LOCK(8, 1) }, { 2, 0, 100, LOCKED(8, 0) }, { 4, 0, 100, LOCK(8, 1) },
	    { 9, 0, 100, LOCKED(8, (uint64_t)-4) } },
	  VALUES "1,5,5,5,5,9\n" LOCK_EVENTS("2", "0", "1", "0") },
	{ "if: a negative number", LOCKS "by lock if result=-4",
	  { { 0, 0, 100, LOCK(8, 1) }, { 2, 0, 100, LOCKED(8, 4) }, { 4, 0, 100, LOCK(8, 1) },
	    { 9, 0, 100, LOCKED(8, (uint64_t)-4) } },
	  VALUES "1,5,5,5,5,9\n" LOCK_EVENTS("2", "0", "1", "0") },
	{ "if: half an argument", "process_wakeup process_contextswitch by thread=next if new=-1",
	  { { 0, 0, 100, LKST_ETYPE_PROCESS_WAKEUP, PACK(102, 0), PACK(0, -1) },
	    { 1, 0, 100, WAKEUP(103) }, { 2, 0, 0, SWITCH(0, 102) }, { 3, 0, 0, SWITCH(0, 103) } },
	  VALUES "1,2,2,2,2,2\n" EVENTS "process_wakeup,1,0\nprocess_contextswitch,1,0\n" },
	{ "if: a string", IRQS "by irq if name=virtio0",
	  { { 0, 0, 100, IRQ(9) }, { 1, 0, 100, IRQ_END(9) },
	    { 2, 0, 100, LKST_ETYPE_INT_HARDWARE_ENTRY, 9, 'x' }, { 4, 0, 100, IRQ_END(9) } },
	  VALUES "1,1,1,1,1,1\n" IRQ_EVENTS("1", "0", "1", "0") },
	{ "group: threads, by the begin", LOCKS "by lock group tid",
	  { { 0, 0, 100, LOCK(8, 1) }, { 1, 0, 101, LOCKED(8, 0) }, { 2, 0, 101, LOCK(8, 1) },
	    { 9, 0, 100, LOCKED(8, 0) }, { 10, 1, 0, LOCK(8, 1) }, { 13, 0, 0, LOCKED(8, 0) },
	    { 20, 1, 7, LOCK(8, 1) }, { 22, 0, 0, LOCKED(8, 0) } },
	  "group," VALUES "b-101,1,7,7,7,7,9\nswapper/1,1,3,3,3,3,13\n<7>,1,2,2,2,2,22\n"
	  "a-100,1,1,1,1,1,1\n" LOCK_EVENTS("4", "0", "4", "0") },
	{ "group: CPUs", LOCKS "by lock group cpu",
	  { { 0, 2, 100, LOCK(8, 1) }, { 1, 0, 101, LOCKED(8, 0) }, { 2, 1, 101, LOCK(8, 1) },
	    { 9, 2, 100, LOCKED(8, 0) }, { 10, 2, 101, LOCK(8, 1) }, { 20, 1, 0, LOCKED(8, 0) } },
	  "group," VALUES "2,2,11,1,10,10,20\n1,1,7,7,7,7,9\n" LOCK_EVENTS("3", "0", "3", "0") },
	{ "group: processes", LOCKS "by lock group process",
	  { { 0, 2, 100, LOCK(8, 1) }, { 1, 0, 101, LOCKED(8, 0) }, { 2, 1, 9, LOCK(8, 1) },
	    { 9, 2, 100, LOCKED(8, 0) } },
	  "group," VALUES "<9>,1,7,7,7,7,9\na-100,1,1,1,1,1,1\n" LOCK_EVENTS("2", "0", "2", "0") },
	{ "group: an argument of the begin; a group without pairs", CALLS "by tid group number",
	  { { 0, 0, 100, ENTRY(0) }, { 3, 0, 101, ENTRY(1) }, { 4, 0, 100, EXIT(0) },
	    { 9, 0, 101, EXIT(1) }, { 10, 0, 102, ENTRY(2) } },
	  "group," VALUES "write,1,6,6,6,6,9\nread,1,4,4,4,4,4\n"
	  CALL_EVENTS("3", "1", "2", "0") },
	{ "group: an argument of the end", LOCKS "by lock group result",
	  { { 0, 0, 100, LOCK(8, 1) }, { 2, 0, 100, LOCKED(8, 0) }, { 4, 0, 100, LOCK(8, 1) },
	    { 9, 0, 100, LOCKED(8, (uint64_t)-4) } },
	  "group," VALUES "-EINTR,1,5,5,5,5,9\n0,1,2,2,2,2,2\n"
	  LOCK_EVENTS("2", "0", "2", "0") },
	{ "group: a string", IRQS "by irq group name",
	  { { 0, 0, 100, IRQ(9) }, { 1, 0, 100, IRQ_END(9) } },
	  "group," VALUES "virtio0,1,1,1,1,1,1\n" IRQ_EVENTS("1", "0", "1", "0") },
	{ "words in another order and case", CALLS "GROUP CPU If Number=0 BY TID",
	  { { 0, 1, 100, ENTRY(0) }, { 4, 0, 100, EXIT(0) } },
	  "group," VALUES "1,1,4,4,4,4,4\n" CALL_EVENTS("1", "0", "1", "0") },
	{ "damaged values", LOCKS "by cpu group tid",
	  { { 0, INT32_MIN, UINT32_MAX, LOCK(8, 1) }, { 1000000, INT32_MIN, 0, LOCKED(0, 0) },
	    { INT64_MAX, 0, 0, LOCK(0, 0) }, { INT64_MIN, 0, 0, LOCKED(0, 0) },
	    { 2, -1, 0, LOCK(8, 1) }, { 4, -1, 0, LOCKED(8, 1) } },
	  "group," VALUES "<4294967295>,1,1000000,1000000,1000000,1000000,1000000\n"
	  "swapper/-1,1,2,2,2,2,4\n" LOCK_EVENTS("2", "0", "2", "0") },
	{ "no events", LOCKS "by lock", { { 0 } }, VALUES LOCK_EVENTS("0", "0", "0", "0") },
};

TEST_ROWS(test_pairs, cases)
{
	start(cases[_i].operands);
	for (int i = 0; i < STEPS_MAX && cases[_i].step[i].type; i++) {
		int64_t time = cases[_i].step[i].time;

		if (cases[_i].step[i].type == UINT32_MAX)
			calls_loss(time, time);
		else
			calls_event(time, cases[_i].step[i].cpu, cases[_i].step[i].tid,
				    cases[_i].step[i].type, cases[_i].step[i].a1,
				    cases[_i].step[i].a2, 0, 0);
	}
	analysis_check(cases[_i].csv);
	ck_assert(!analysis_out_of_memory());
}

static void lock_event(int64_t time_ns, int32_t cpu, uint32_t tid, uint32_t type, uint64_t lock)
{
	calls_event(time_ns, cpu, tid, type, lock, 0, 0, 0);
}

#define BEGIN LKST_ETYPE_LOCK_CONTENTION_BEGIN
#define END   LKST_ETYPE_LOCK_CONTENTION_END

/*
 * -p and -c select pairs by their begins. The end of a selected pair may be on another CPU or in
 * another thread.
 */
TEST_LOOP(test_selected, 2)
{
	start(LOCKS "by lock");
	if (_i) {
		analysis_args.cpu = 1;
	} else {
		analysis_args.processes.num = 1;
		analysis_selected = &calls_threads[1];
	}
	lock_event(0, 1, 101, BEGIN, 8);
	lock_event(5, 0, 100, END, 8);
	lock_event(10, 0, 100, BEGIN, 8);
	lock_event(11, 1, 101, END, 8);
	lock_event(12, 0, 100, END, 16);
	lock_event(13, 1, 101, END, 16);
	lock_event(14, 0, 100, BEGIN, 16);
	analysis_check(VALUES "1,5,5,5,5,5\n" LOCK_EVENTS("1", "0", "2", "1"));
}

/* --over leaves out short pairs, but their events are matched. */
TEST(test_over)
{
	start(LOCKS "by lock group tid");
	analysis_args.over_ns = 10;
	lock_event(0, 0, 100, BEGIN, 8);
	lock_event(9, 0, 100, END, 8);
	lock_event(10, 0, 101, BEGIN, 8);
	lock_event(20, 0, 100, END, 8);
	analysis_check("group," VALUES "b-101,1,10,10,10,10,20\n" LOCK_EVENTS("2", "0", "2", "0"));
}

/* The values of a group are shown with their names in the trace. */
TEST(test_names_of_values)
{
	start("int_timer_entry int_timer_exit by cpu if vector=local_timer group vector");
	calls_values("vec enum 0xec LOCAL_TIMER\n");
	calls_event(0, 0, 100, LKST_ETYPE_INT_TIMER_ENTRY, 0xec, 0, 0, 0);
	calls_event(1, 0, 100, LKST_ETYPE_INT_TIMER_EXIT, 0xec, 0, 0, 0);
	calls_event(2, 0, 100, LKST_ETYPE_INT_TIMER_ENTRY, 0xed, 0, 0, 0);
	analysis_check("group," VALUES "LOCAL_TIMER,1,1,1,1,1,1\n"
		       EVENTS "int_timer_entry,1,0\nint_timer_exit,1,0\n");
}

/* Strings in three arguments: two that differ only in the last one, and two that are equal. */
TEST(test_long_strings)
{
	const uint64_t virtio = text8("virtio0-");

	start(IRQS "by irq group name");
	for (int i = 0; i < 3; i++) {
		calls_event(10 * i, 0, 100, LKST_ETYPE_INT_HARDWARE_ENTRY, 9, virtio, virtio,
			    i == 1 ? 'b' : 'a');
		calls_event(10 * i + 1, 0, 100, LKST_ETYPE_INT_HARDWARE_EXIT, 9, 1, 0, 0);
	}
	analysis_check("group," VALUES "virtio0-virtio0-a,2,2,1,1,1,1\n"
		       "virtio0-virtio0-b,1,1,1,1,1,11\n" IRQ_EVENTS("3", "0", "3", "0"));
}

#define TEXTS "user_long_text system_call_exit "
#define LONG  "a_text_that_needs_more_than_one_record:_"

/* Add a text in a chain, and the event that ends its pair. */
static void text_pair(int64_t time_ns, const char *text, int64_t length_ns)
{
	struct lkst_payload payload = { .size = (uint32_t)strlen(text), .parts = 1 };
	uint8_t data[128] = { 0 };

	payload.data = data;
	payload.bytes = payload.size;
	memcpy(data, text, payload.size);
	calls_payload(time_ns, LKST_ETYPE_USER_LONG_TEXT, &payload);
	calls_event(time_ns + length_ns, 0, 100, EXIT(1), 0, 0);
}

/* Strings in chains: two that differ only behind the first record, and two that are equal. */
TEST(test_chains)
{
	start(TEXTS "by tid group text");
	text_pair(0, LONG "a", 1);
	text_pair(10, LONG "b", 2);
	text_pair(20, LONG "a", 3);
	analysis_check("group," VALUES LONG "a,2,4,1,3,3,23\n" LONG "b,1,2,2,2,2,12\n"
		       EVENTS "user_long_text,3,0\nsystem_call_exit,3,0\n");
}

/* A note is printed if no event meets the condition, but not if --over leaves out all pairs. */
TEST(test_if_value)
{
	start(CALLS "by tid if number=9");
	calls_event(0, 0, 100, ENTRY(0), 0, 0);
	calls_event(1, 0, 100, EXIT(0), 0, 0);
	analysis_check(VALUES CALL_EVENTS("0", "0", "0", "0"));
	ck_assert_str_eq(noted, "if \"number=9\": no event in the window has this value");
	teardown();
	start(CALLS "by tid if number=9");
	analysis_args.over_ns = 5;
	calls_event(0, 0, 100, ENTRY(9), 0, 0);
	calls_event(1, 0, 100, EXIT(9), 0, 0);
	analysis_check(VALUES CALL_EVENTS("1", "0", "1", "0"));
	ck_assert_str_eq(noted, "");
}

/* "if" compares the whole string. */
TEST(test_if_chain)
{
	start(TEXTS "by tid if text=" LONG "b");
	text_pair(0, LONG "a", 1);
	text_pair(10, LONG "b", 2);
	analysis_check(VALUES "1,2,2,2,2,12\n" EVENTS "user_long_text,1,0\nsystem_call_exit,1,0\n");
}

/* ---- a generated list of events ---- */

/* Return the next number of a fixed sequence (xorshift64). */
static uint64_t pair_random(void)
{
	static uint64_t state = 88172645463325252;

	state ^= state << 13;
	state ^= state >> 7;
	return state ^= state << 17;
}

#define KEYS 3000

/* The expected pairs of a lock, computed with an array of all locks */
struct expected {
	bool open;
	int64_t since;
	uint64_t count, total, max, at;
};

/* Return the sum of a column of the rows up to the next table. */
static uint64_t column_sum(const char *csv, int column, int *rows)
{
	uint64_t sum = 0;

	*rows = 0;
	for (csv = strchr(csv, '\n') + 1; strncmp(csv, "event,", 6); csv = strchr(csv, '\n') + 1) {
		const char *cell = csv;

		for (int i = 0; i < column; i++)
			cell = strchr(cell, ',') + 1;
		sum += strtoull(cell, NULL, 10);
		++*rows;
	}
	return sum;
}

/* Many locks: 60 % of the events are begins, and records are lost now and then. */
TEST(test_generated)
{
	static struct expected lock[KEYS];
	uint64_t pairs = 0, total = 0, begins = 0, ends = 0, lone_ends = 0;
	int expected_rows = 0, rows;
	char line[128], *csv;

	start(LOCKS "by lock group lock");
	for (int64_t time = 0; time < 100000; time++) {
		int n = (int)(pair_random() % (pair_random() % KEYS + 1));
		bool begin = pair_random() % 10 < 6;
		struct expected *of = &lock[n];

		if (pair_random() % 5000 == 0) {
			calls_loss(time, time);
			for (int i = 0; i < KEYS; i++)
				lock[i].open = false;
		}
		lock_event(time, n % 3, 100, begin ? BEGIN : END, 0xffff888000000000 + 64 * n);
		begins += begin;
		ends += !begin;
		lone_ends += !begin && !of->open;
		if (!begin && of->open) {
			uint64_t ns = (uint64_t)(time - of->since);

			pairs++;
			total += ns;
			of->total += ns;
			if (!of->count++ || ns > of->max) {
				of->max = ns;
				of->at = (uint64_t)time;
			}
		}
		of->open = begin;
		of->since = time;
	}
	csv = analysis_csv();
	for (int i = 0; i < KEYS; i++) {
		const char *row;

		if (!lock[i].count)
			continue;
		expected_rows++;
		snprintf(line, sizeof(line), "\n0x%llx,%llu,%llu,", 0xffff888000000000 + 64ull * i,
			 (unsigned long long)lock[i].count, (unsigned long long)lock[i].total);
		row = strstr(csv, line);
		ck_assert_msg(row != NULL, "no row %s", line + 1);
		snprintf(line, sizeof(line), ",%llu,%llu\n", (unsigned long long)lock[i].max,
			 (unsigned long long)lock[i].at);
		ck_assert_ptr_nonnull(strstr(row + 1, line));
		ck_assert_ptr_eq(strchr(row + 1, '\n') + 1, strstr(row + 1, line) + strlen(line));
	}
	ck_assert_uint_eq(column_sum(csv, 1, &rows), pairs);
	ck_assert_uint_eq(column_sum(csv, 2, &rows), total);
	ck_assert_int_eq(rows, expected_rows);
	snprintf(line, sizeof(line), "lock_contention_begin,%llu,%llu\n", (unsigned long long)begins,
		 (unsigned long long)(begins - pairs));
	assert_contains(csv, line);
	snprintf(line, sizeof(line), "lock_contention_end,%llu,%llu\n", (unsigned long long)ends,
		 (unsigned long long)lone_ends);
	assert_contains(csv, line);
	free(csv);
}

/* ---- limits ---- */

/* Beyond the maximum number of groups, all pairs are in one group. */
TEST(test_many_groups)
{
	const int num = 8192 + 100;
	char *csv;
	int rows;

	start(LOCKS "by lock group lock");
	for (int i = 0; i < num; i++) {
		lock_event(i, 0, 100, BEGIN, (uint64_t)i);
		lock_event(i, 0, 100, END, (uint64_t)i);
	}
	csv = analysis_csv();
	ck_assert_uint_eq(column_sum(csv, 1, &rows), (uint64_t)num);
	ck_assert_int_eq(rows, 8193);
	assert_contains(csv, "\n(others),100,0,0,0,0,8192\n");
	free(csv);
}

/*
 * There are more begins without ends than fit in the table. Those that do not fit count as
 * unmatched, and so do their ends.
 */
TEST(test_many_begins)
{
	const uint64_t max = 3u << 18;

	start(LOCKS "by lock");
	for (uint64_t i = 0; i < max + 5; i++)
		lock_event(1, 0, 100, BEGIN, i);
	lock_event(2, 0, 100, END, 7);
	lock_event(3, 0, 100, END, max + 1);
	analysis_check(VALUES "1,1,1,1,1,2\n" LOCK_EVENTS("786437", "786436", "2", "1"));
}

TEST_LOOP(test_no_memory, 2)
{
	start(_i ? LOCKS "by lock" : LOCKS "by lock group tid");
	no_memory = true;
	lock_event(0, 0, 100, BEGIN, 8);
	ck_assert(analysis_out_of_memory());
}

/* ---- wrong operands ---- */

static const struct { const char *operands, *message;
} wrong[] = {
	{ "", "BEGIN is missing (want BEGIN END by KEY [if LABEL=VALUE] [group LABEL])" },
	{ "spin_lock", "END is missing (want BEGIN END by KEY" },
	{ LOCKS, "by KEY is missing (want BEGIN END by KEY" },
	{ LOCKS "if flags=1", "by KEY is missing (want " },
	{ "system_cal_entry system_call_exit by tid",
	  "unknown event \"system_cal_entry\"; did you mean \"system_call_entry\"" },
	{ LOCKS "bu lock",
	  "unexpected argument \"bu\"; did you mean \"by\"? (after BEGIN and END: by, if, group)" },
	{ LOCKS "lock", "unexpected argument \"lock\" (after BEGIN and END: by, if, group)" },
	{ LOCKS "by", "\"by\" needs a word after it: tid, cpu, or an argument of both events" },
	{ LOCKS "by lock by tid", "\"by\" may be given only once" },
	{ LOCKS "by lokc",
	  "by \"lokc\": not a key of lock_contention_begin; did you mean \"lock\"?\n"
	  "Its keys are tid, cpu, lock, flags, owner." },
	{ LOCKS "by flags", "by \"flags\": not a key of lock_contention_end\n"
			    "Its keys are tid, cpu, lock, result." },
	{ LOCKS "by lock=loc",
	  "by \"loc\": not a key of lock_contention_end; did you mean \"lock\"?" },
	{ LOCKS "by =lock", "by \"\": not a key of lock_contention_begin" },
	{ "int_hardware_entry int_hardware_entry by name",
	  "by \"name\": not a key of int_hardware_entry\nIts keys are tid, cpu, irq." },
	{ "0xeee 0xeef by x", "by \"x\": not a key of 0xeee\nIts keys are tid, cpu." },
	{ LOCKS "by lock if flags", "if \"flags\": \"=\" is missing (want LABEL=VALUE)" },
	{ LOCKS "by lock if flag=1",
	  "if \"flag\": not an argument of lock_contention_begin or lock_contention_end; did you mean "
	  "\"flags\"?\nPossible words are lock, flags, owner, result." },
	{ "cpu_idle_exit cpu_idle_exit by cpu if x=1",
	  "if \"x\": cpu_idle_exit and cpu_idle_exit have no arguments" },
	{ LOCKS "by lock group proces",
	  "group \"proces\": not an argument of lock_contention_begin or lock_contention_end; did you "
	  "mean \"process\"?\nPossible words are tid, cpu, process, lock, flags, owner, result." },
};

TESTS(.name = "operands");

TEST_EACH(test_wrong, wrong)
{
	struct lkst_etypes *types = lkst_etypes_embedded(&err);
	const struct common_arguments args = { .cpu = -1 };
	const struct run run = {
		.args = &args, .types = types, .operands = pair_operands(wrong[_i].operands),
	};

	ck_assert_ptr_null(analysis_pair.start(&run, &err));
	assert_begins(err.text, wrong[_i].message);
	lkst_etypes_free(types);
}
