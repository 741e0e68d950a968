// SPDX-License-Identifier: GPL-2.0
/*
 * Select and write masksets while two CPUs record as fast as they can. If both the old and the new
 * maskset record an event, the event must never be missing. At the end the selected maskset must be
 * in effect.
 */
#include "../modules/switching.h"
#include "modules.h"

#define SIZE	    (16 << 20)
#define RECORDS_MAX (SIZE / RECORD_SIZE)
#define SWITCHES    40
#define ROUNDS	    20

#define LOG LKST_EVHANDLER_ID_ENTRY_LOG

/* Write maskset A or B. It records marks and, if @more, events that the other maskset does not. */
static void write_logging(int id, bool more)
{
	static const int a[] = { USER_MARK, PROCESS_CONTEXTSWITCH };
	static const int b[] = { USER_MARK, INT_SOFTIRQ_ENTRY, INT_SOFTIRQ_EXIT };

	if (id == SWITCHING_SET_A)
		need(write_maskset_of(id, "a", a, more ? 2 : 1, LOG), "MASKSET_WRITE");
	else
		need(write_maskset_of(id, "b", b, more ? 3 : 1, LOG), "MASKSET_WRITE");
}

/* Threads that record numbered marks until writers_end is set, or until the buffer is 3/4 full */

static struct writer {
	pthread_t thread;
	int cpu;
	uint64_t marks;
} writers[CPUS];

static volatile bool writers_end;

static void *writer_run(void *arg)
{
	struct writer *writer = arg;

	pin(writer->cpu);
	while (!writers_end && writer->marks < RECORDS_MAX * 3 / 4)
		need(mark(writer->cpu, writer->marks++, 0, 0), "ENTRY_LOG");
	return NULL;
}

/* Check that each mark of a writer is in buffer 1 of its CPU, once and in order. */
static void marks_are_there(const struct writer *writer)
{
	static struct lkst_log_record records[RECORDS_MAX];
	struct lkst_log_buffer param;
	uint64_t next = 0, others = 0;
	size_t num;

	need(read_buffer_max(&param, writer->cpu, 1, records, RECORDS_MAX), "BUFFER_READ");
	num = param.result_read_size / sizeof(*records);
	for (size_t i = 0; i < num; i++) {
		if (records[i].posix.log_event_type != USER_MARK) {
			others++;
			continue;
		}
		if (records[i].log_arg2 != next)
			break;
		next++;
	}
	equal(next, writer->marks, "CPU %d: the buffer has all marks in order", writer->cpu);
	diag("%llu marks and %llu other records, %llu overwritten, %llu dropped", (ull)next,
	     (ull)others, (ull)param.overwritten, (ull)param.dropped);
	ok(others > 0, "CPU %d: the buffer has events that only one of the masksets records",
	   writer->cpu);
}

static void change_masksets(void)
{
	for (int i = 0; i < SWITCHES; i++) {
		need(set_maskset(i & 1 ? SWITCHING_SET_A : SWITCHING_SET_B), "MASKSET_SET");
		/* Overwrite both the current maskset and the other one. */
		write_logging(SWITCHING_SET_A, !(i & 2));
		write_logging(SWITCHING_SET_B, !(i & 4));
	}
}

static void what_both_record_is_not_lost(void)
{
	for (int cpu = 0; cpu < CPUS; cpu++)
		need(create(cpu, 1, VOID, SIZE) ?: jump(cpu, 1), "a new buffer");
	write_logging(SWITCHING_SET_A, true);
	write_logging(SWITCHING_SET_B, true);
	need(set_maskset(SWITCHING_SET_A), "MASKSET_SET");
	for (int cpu = 0; cpu < CPUS; cpu++) {
		writers[cpu].cpu = cpu;
		if (pthread_create(&writers[cpu].thread, NULL, writer_run, &writers[cpu]))
			bail_out("pthread_create");
	}
	change_masksets();
	writers_end = true;
	for (int cpu = 0; cpu < CPUS; cpu++)
		pthread_join(writers[cpu].thread, NULL);
	need(set_maskset(LKST_MASKSET_ID_RNOTHING), "MASKSET_SET");
	for (int cpu = 0; cpu < CPUS; cpu++)
		marks_are_there(&writers[cpu]);
	for (int cpu = 0; cpu < CPUS; cpu++)
		need(jump(cpu, 0) ?: delete_buffer(cpu, 1), "the old buffer");
}

/* Maskset switches by event handlers */

static int handler_a, handler_b;

static void write_switching(int id, const char *name, int handler, unsigned int num)
{
	static const int etypes[] = { USER_MARK,	 PROCESS_CONTEXTSWITCH, PROCESS_WAKEUP,
				      INT_SOFTIRQ_ENTRY, INT_HARDWARE_ENTRY,	SYSCALL_EXIT };

	need(write_maskset_of(id, name, etypes, num, handler), "MASKSET_WRITE %s", name);
}

static struct switching get_switching(bool quiet)
{
	struct switching area = { .quiet = quiet };
	int ret;

	need(control(handler_a, &area, sizeof(area), &ret), "EVHANDLER_CTRL");
	need(-ret, "control function");
	return area;
}

static void need_unless_busy(int error, const char *name)
{
	if (error != EBUSY)
		need(error, "%s", name);
}

/* Create and delete maskset C, and select and overwrite A and B, while handlers switch masksets. */
static void interfere(int round)
{
	unsigned int num = round & 1 ? 6 : 1;

	write_switching(SWITCHING_SET_C, "c", handler_a, num);
	lkst_number(LKST_IOC_TRC_START, 0);
	need_unless_busy(set_maskset(SWITCHING_SET_B), "MASKSET_SET");
	write_switching(SWITCHING_SET_A, "a", handler_a, 7 - num);
	write_switching(SWITCHING_SET_B, "b", handler_b, num);
	need_unless_busy(lkst_number(LKST_IOC_MASKSET_DELETE, SWITCHING_SET_C), "MASKSET_DELETE");
}

/* Whether a mark calls the event handler of the maskset that the status names as selected. */
static bool pointer_is_right(void)
{
	struct switching before = get_switching(true), after;
	struct lkst_trc_status status = get_status();
	bool by_a, by_b;

	pin(0);
	need(mark(0, 0, 0, 0), "ENTRY_LOG");
	after = get_switching(true);
	by_a = after.calls[0] != before.calls[0];
	by_b = after.calls[1] != before.calls[1];
	switch (status.current_maskset_id) {
	case SWITCHING_SET_A:
	case SWITCHING_SET_C:
		return by_a && !by_b;
	case SWITCHING_SET_B:
		return by_b && !by_a;
	default:
		return !by_a && !by_b && status.state == LKST_TRC_STOPPED;
	}
}

static void handlers_switch(void)
{
	struct switching before = get_switching(false);
	unsigned int wrong = 0;

	stress_start();
	for (int round = 0; round < ROUNDS; round++) {
		get_switching(false);
		interfere(round);
		wrong += !pointer_is_right();
	}
	diag("%llu switches by handlers", (ull)(get_switching(true).changes - before.changes));
	ok(get_switching(true).changes - before.changes > ROUNDS, "event handlers switch masksets");
	equal(wrong, 0, "the maskset in effect was always the selected one");
	lkst_number(LKST_IOC_TRC_START, 0);
	ok(stress_continues(), "both CPUs continue");
	stress_stop();
}

/*
 * Switches within switches: a switch in NMI context interrupts another switch, once after each
 * access to each variable that a switch uses.
 */

static uint64_t symbol(const char *name)
{
	FILE *file = fopen("/proc/kallsyms", "r");
	char line[256], found[128];
	ull address;

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "%llx %*c %127s", &address, found) == 2 && !strcmp(found, name)) {
			fclose(file);
			return address;
		}
	printf("Bail out! /proc/kallsyms has no %s\n", name);
	exit(1);
}

/* Set a trap, which replaces the previous one. Return how many accesses the previous trap saw. */
static unsigned int set_trap(struct switching_trap trap)
{
	int ret;

	need(control(handler_b, &trap, sizeof(trap), &ret), "EVHANDLER_CTRL");
	need(-ret, "setting a trap");
	return trap.accesses;
}

static const struct outer {
	const char *name;
	unsigned long request; /* ioctl with the argument @number; MASKSET_WRITE writes maskset B */
	int number;
	int from; /* id of the maskset to select before the call */
	bool stopped; /* whether to stop LKST before the call */
	unsigned int accesses; /* minimum number of accesses to lkst_selected during the call */
} outers[] = {
	{ "SET", LKST_IOC_MASKSET_SET, SWITCHING_SET_B, SWITCHING_SET_A, false, 4 },
	{ "STOP", LKST_IOC_TRC_STOP, 0, SWITCHING_SET_B, false, 4 },
	{ "START", LKST_IOC_TRC_START, 0, SWITCHING_SET_B, true, 4 },
	{ "START after DELETE", LKST_IOC_TRC_START, 0, SWITCHING_SET_C, true, 4 },
	{ "WRITE", LKST_IOC_MASKSET_WRITE, 0, SWITCHING_SET_A, false, 4 },
	{ "WRITE of the current one", LKST_IOC_MASKSET_WRITE, 0, SWITCHING_SET_B, false, 4 },
	{ "WRITE of the saved one", LKST_IOC_MASKSET_WRITE, 0, SWITCHING_SET_B, true, 4 },
	{ "DELETE", LKST_IOC_MASKSET_DELETE, SWITCHING_SET_C, SWITCHING_SET_A, false, 3 },
	{ "DELETE of the saved one", LKST_IOC_MASKSET_DELETE, SWITCHING_SET_C, SWITCHING_SET_C,
	  true, 3 },
};

static int run_outer(const struct outer *outer)
{
	const struct mask mask = { USER_MARK, handler_b };

	return outer->request == LKST_IOC_MASKSET_WRITE ?
		       write_maskset(SWITCHING_SET_B, "", &mask, 1) :
		       lkst_number(outer->request, outer->number);
}

static void before_outer(const struct outer *outer)
{
	lkst_number(LKST_IOC_TRC_START, 0);
	write_switching(SWITCHING_SET_C, "c", handler_a, 1);
	need(set_maskset(outer->from), "MASKSET_SET");
	if (outer->stopped)
		need(lkst_number(LKST_IOC_TRC_STOP, 0), "TRC_STOP");
	if (outer->request == LKST_IOC_TRC_START && outer->from == SWITCHING_SET_C)
		need(lkst_number(LKST_IOC_MASKSET_DELETE, SWITCHING_SET_C), "MASKSET_DELETE");
}

/* Whether the outer call has succeeded, or has failed only because of the switch within it. */
static bool result_is_right(const struct outer *outer, int error)
{
	struct lkst_trc_status status = get_status();

	if (outer->request == LKST_IOC_MASKSET_SET)
		return !error || (error == EBUSY && status.state == LKST_TRC_STOPPED);
	if (outer->request == LKST_IOC_MASKSET_DELETE)
		return error ? error == EBUSY && status.current_maskset_id == SWITCHING_SET_C :
			       status.current_maskset_id != SWITCHING_SET_C &&
				       status.saved_maskset_id != SWITCHING_SET_C;
	return !error;
}

/*
 * Whether the status names a maskset whose handlers are in effect. This is not checked for the
 * default maskset, which START selects when no saved maskset is left.
 */
static bool state_is_right(void)
{
	struct lkst_trc_status status = get_status();

	return status.current_maskset_id == LKST_MASKSET_ID_RDEFAULT || pointer_is_right();
}

/*
 * Repeat the outer call, and let the trap hit after its first access to the variable, then after
 * the second, and so on up to the last. Check the results, and return the number of calls.
 */
static unsigned int trap_outer(const struct outer *outer, struct switching_trap trap,
			       const char *variable)
{
	unsigned int accesses, n = 0;
	int error;

	do {
		trap.at = ++n;
		before_outer(outer);
		set_trap(trap);
		error = run_outer(outer);
		accesses = set_trap((struct switching_trap){ 0 });
		if (!result_is_right(outer, error) || !state_is_right()) {
			struct lkst_trc_status status = get_status();

			ok(false, "%s, change %u after access %u of %s", outer->name, trap.change,
			   n, variable);
			diag("%s; current %d, saved %d", strerror(error), status.current_maskset_id,
			     status.saved_maskset_id);
		}
	} while (n < accesses);
	return n;
}

/* Whether a watchpoint of the processor traps after the access instead of before it. */
#if defined(__x86_64__) || defined(__i386__)
#define TRAPS_AFTER_ACCESS true
#else
#define TRAPS_AFTER_ACCESS false
#endif

static void changes_within_changes(void)
{
	const uint64_t table = symbol("lkst_masksets");
	const struct {
		const char *name;
		uint64_t address;
		unsigned int length;
		bool writes;
	} variables[] = {
		{ "the word", symbol("lkst_selected"), 4, false },
		{ "the pointer", symbol("lkst_maskset_current"), 8, true },
		{ "B's slot in the table", table + SWITCHING_SET_B * 8, 8, false },
		{ "C's slot in the table", table + SWITCHING_SET_C * 8, 8, false },
	};

	get_switching(true);
	for (unsigned int i = 0; i < ARRAY_SIZE(outers); i++) {
		unsigned int failed = tap_failed, total[4] = {};

		for (unsigned int v = 0; v < ARRAY_SIZE(variables); v++)
			for (unsigned int change = 0; change < SWITCHING_CHANGES; change++) {
				struct switching_trap trap = { .address = variables[v].address,
							       .length = variables[v].length,
							       .writes = variables[v].writes,
							       .change = change };

				total[v] += trap_outer(&outers[i], trap, variables[v].name);
			}
		ok(tap_failed == failed && total[0] >= outers[i].accesses * SWITCHING_CHANGES,
		   "switches within %s have the right result", outers[i].name);
		diag("%u after accesses to the word, %u to the pointer, %u and %u to the table",
		     total[0], total[1], total[2], total[3]);
	}
	lkst_number(LKST_IOC_TRC_START, 0);
}

int main(void)
{
	struct lkst_trc_status before;

	open_lkst();
	before = get_status();
	what_both_record_is_not_lost();

	need(load_module("switching"), "loading switching.ko");
	handler_a = handler_id("switching_a");
	handler_b = handler_id("switching_b");
	write_switching(SWITCHING_SET_A, "a", handler_a, 6);
	write_switching(SWITCHING_SET_B, "b", handler_b, 6);
	need(set_maskset(SWITCHING_SET_A), "MASKSET_SET");
	handlers_switch();
	if (TRAPS_AFTER_ACCESS)
		changes_within_changes();
	else
		ok(true, "switches within switches # SKIP this machine traps before an access");
	need(set_maskset(LKST_MASKSET_ID_RNOTHING), "MASKSET_SET");
	ok(!unload_module("switching"), "the module can be unloaded");

	need(set_maskset(before.current_maskset_id), "MASKSET_SET");
	for (int id = SWITCHING_SET_A; id <= SWITCHING_SET_C; id++)
		lkst_number(LKST_IOC_MASKSET_DELETE, id);
	equal(get_status().maskset_num, before.maskset_num, "the number of masksets is as before");
	equal(get_status().memory, before.memory, "the memory is as before");
	return done_testing();
}
