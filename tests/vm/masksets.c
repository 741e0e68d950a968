// SPDX-License-Identifier: GPL-2.0
/*
 * Masksets change while two CPUs record as fast as they can: what both masksets record is
 * recorded throughout, and in the end the one that counts is the one that was selected.
 */
#include "../modules/switching.h"
#include "modules.h"

#define SIZE	    (16 << 20)
#define RECORDS_MAX (SIZE / RECORD_SIZE)
#define SWITCHES    40
#define ROUNDS	    20

#define LOG LKST_EVHANDLER_ID_ENTRY_LOG

static const struct mask mark_alone[] = { { USER_MARK, LOG } };
static const struct mask mark_and_switch[] = { { USER_MARK, LOG }, { PROCESS_CONTEXTSWITCH, LOG } };
static const struct mask mark_and_softirq[] = { { USER_MARK, LOG },
						{ INT_SOFTIRQ_ENTRY, LOG },
						{ INT_SOFTIRQ_EXIT, LOG } };

/* Marks in order, as many as there is room for, until there is no need for more. */

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

static void fresh_buffers(void)
{
	int cpu;

	for (cpu = 0; cpu < CPUS; cpu++) {
		need(create(cpu, 1, VOID, SIZE), "CREATE");
		need(jump(cpu, 1), "JUMP");
	}
}

static void old_buffers(void)
{
	int cpu;

	for (cpu = 0; cpu < CPUS; cpu++) {
		need(jump(cpu, 0), "JUMP");
		need(delete_buffer(cpu, 1), "DELETE");
	}
}

/* Each mark of a writer is in its CPU's buffer, once and in its place. */
static void marks_are_there(const struct writer *writer)
{
	static struct lkst_log_record records[RECORDS_MAX];
	struct lkst_log_buffer param;
	uint64_t next = 0, others = 0;
	size_t i, num;

	need(read_buffer_max(&param, writer->cpu, 1, records, RECORDS_MAX), "BUFFER_READ");
	num = param.result_read_size / sizeof(*records);
	for (i = 0; i < num; i++) {
		if (records[i].posix.log_event_type != USER_MARK) {
			others++;
			continue;
		}
		if (records[i].log_arg2 != next)
			break;
		next++;
	}
	equal(next, writer->marks, "CPU %d: all marks are there, in order", writer->cpu);
	diag("%llu marks and %llu other records, %llu overwritten, %llu dropped", (ull)next,
	     (ull)others, (ull)param.overwritten, (ull)param.dropped);
	ok(others > 0, "CPU %d: and events that not all masksets record", writer->cpu);
}

static void change_masksets(void)
{
	int i;

	for (i = 0; i < SWITCHES; i++) {
		need(set_maskset(i & 1 ? SWITCHING_SET_A : SWITCHING_SET_B), "MASKSET_SET");
		/* The current one, and the other one. */
		need(write_maskset(SWITCHING_SET_A, "a", i & 2 ? mark_alone : mark_and_switch,
				   i & 2 ? 1 : 2),
		     "MASKSET_WRITE");
		need(write_maskset(SWITCHING_SET_B, "b", i & 4 ? mark_alone : mark_and_softirq,
				   i & 4 ? 1 : 3),
		     "MASKSET_WRITE");
	}
}

static void what_both_record_is_not_lost(void)
{
	int cpu;

	fresh_buffers();
	need(write_maskset(SWITCHING_SET_A, "a", mark_and_switch, 2), "MASKSET_WRITE");
	need(write_maskset(SWITCHING_SET_B, "b", mark_and_softirq, 3), "MASKSET_WRITE");
	need(set_maskset(SWITCHING_SET_A), "MASKSET_SET");
	for (cpu = 0; cpu < CPUS; cpu++) {
		writers[cpu].cpu = cpu;
		if (pthread_create(&writers[cpu].thread, NULL, writer_run, &writers[cpu]))
			bail_out("pthread_create");
	}
	change_masksets();
	writers_end = true;
	for (cpu = 0; cpu < CPUS; cpu++)
		pthread_join(writers[cpu].thread, NULL);
	need(set_maskset(LKST_MASKSET_ID_RNOTHING), "MASKSET_SET");
	for (cpu = 0; cpu < CPUS; cpu++)
		marks_are_there(&writers[cpu]);
	old_buffers();
}

/* Switching by event handlers */

static int handler_a, handler_b;

static void write_switching(int id, const char *name, int handler, unsigned int num)
{
	const struct mask masks[] = {
		{ USER_MARK, handler },		 { PROCESS_CONTEXTSWITCH, handler },
		{ PROCESS_WAKEUP, handler },	 { INT_SOFTIRQ_ENTRY, handler },
		{ INT_HARDWARE_ENTRY, handler }, { SYSCALL_EXIT, handler },
	};

	need(write_maskset(id, name, masks, num), "MASKSET_WRITE %s", name);
}

static struct switching tell(bool quiet)
{
	struct switching area = { .quiet = quiet };
	int ret;

	need(control(handler_a, &area, sizeof(area), &ret), "EVHANDLER_CTRL");
	need(-ret, "control function");
	return area;
}

/* Whatever the handlers do: the maskset C comes and goes, and the others are written anew. */
static void interfere(int round)
{
	unsigned int num = round & 1 ? 6 : 1;
	int error;

	write_switching(SWITCHING_SET_C, "c", handler_a, num);
	lkst_number(LKST_IOC_TRC_START, 0);
	error = set_maskset(SWITCHING_SET_B);
	if (error && error != EBUSY)
		need(error, "MASKSET_SET");
	write_switching(SWITCHING_SET_A, "a", handler_a, 7 - num);
	write_switching(SWITCHING_SET_B, "b", handler_b, num);
	error = lkst_number(LKST_IOC_MASKSET_DELETE, SWITCHING_SET_C);
	if (error && error != EBUSY)
		need(error, "MASKSET_DELETE");
}

/* Who handles events is who the status says. Returns whether. */
static bool pointer_is_right(void)
{
	struct lkst_trc_status status;
	struct switching before, after;
	bool by_a, by_b;

	before = tell(true);
	status = get_status();
	pin(0);
	need(mark(0, 0, 0, 0), "ENTRY_LOG");
	after = tell(true);
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
	unsigned int wrong = 0;
	struct switching before;
	int round;

	before = tell(false);
	storm_begin();
	for (round = 0; round < ROUNDS; round++) {
		tell(false);
		interfere(round);
		wrong += !pointer_is_right();
	}
	diag("%llu changes by handlers", (ull)(tell(true).changes - before.changes));
	ok(tell(true).changes - before.changes > ROUNDS, "event handlers switch masksets");
	equal(wrong, 0, "each time the one that handles events is the selected one");
	lkst_number(LKST_IOC_TRC_START, 0);
	ok(storm_blows(), "events go on");
	storm_stop();
}

/* Changes within changes: after each access of what they change and look at. */

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

/* Returns how many accesses there were since the last one was set. */
static unsigned int set_trap(struct switching_trap trap)
{
	int ret;

	need(control(handler_b, &trap, sizeof(trap), &ret), "EVHANDLER_CTRL");
	need(-ret, "setting a trap");
	return trap.accesses;
}

static int outer_set(void)
{
	return set_maskset(SWITCHING_SET_B);
}

static int outer_stop(void)
{
	return lkst_number(LKST_IOC_TRC_STOP, 0);
}

static int outer_start(void)
{
	return lkst_number(LKST_IOC_TRC_START, 0);
}

static int outer_write(void)
{
	const struct mask mask = { USER_MARK, handler_b };

	return write_maskset(SWITCHING_SET_B, "", &mask, 1);
}

static int outer_delete(void)
{
	return lkst_number(LKST_IOC_MASKSET_DELETE, SWITCHING_SET_C);
}

static const struct outer {
	const char *name;
	int (*run)(void);
	int from; /* maskset that is selected before */
	bool stopped; /* and LKST is stopped */
	unsigned int accesses; /* of the word, at least */
} outers[] = {
	{ "SET", outer_set, SWITCHING_SET_A, false, 4 },
	{ "STOP", outer_stop, SWITCHING_SET_B, false, 4 },
	{ "START", outer_start, SWITCHING_SET_B, true, 4 },
	{ "START after DELETE", outer_start, SWITCHING_SET_C, true, 4 },
	{ "WRITE", outer_write, SWITCHING_SET_A, false, 4 },
	{ "WRITE of the current one", outer_write, SWITCHING_SET_B, false, 4 },
	{ "WRITE of the saved one", outer_write, SWITCHING_SET_B, true, 4 },
	{ "DELETE", outer_delete, SWITCHING_SET_A, false, 3 },
	{ "DELETE of the saved one", outer_delete, SWITCHING_SET_C, true, 3 },
};

static void before_outer(const struct outer *outer)
{
	lkst_number(LKST_IOC_TRC_START, 0);
	write_switching(SWITCHING_SET_C, "c", handler_a, 1);
	need(set_maskset(outer->from), "MASKSET_SET");
	if (outer->stopped)
		need(lkst_number(LKST_IOC_TRC_STOP, 0), "TRC_STOP");
	if (outer->stopped && outer->run == outer_start && outer->from == SWITCHING_SET_C)
		need(outer_delete(), "MASKSET_DELETE");
}

/* It succeeds, or what came in between is the reason why it does not. */
static bool result_is_right(const struct outer *outer, int error)
{
	struct lkst_trc_status status = get_status();

	if (outer->run == outer_set)
		return !error || (error == EBUSY && status.state == LKST_TRC_STOPPED);
	if (outer->run == outer_delete)
		return error ? error == EBUSY && status.current_maskset_id == SWITCHING_SET_C :
			       status.current_maskset_id != SWITCHING_SET_C &&
				       status.saved_maskset_id != SWITCHING_SET_C;
	return !error;
}

/* The default maskset is what START selects when nothing is left to go back to: who marks there? */
static bool state_is_right(void)
{
	struct lkst_trc_status status = get_status();

	return status.current_maskset_id == LKST_MASKSET_ID_RDEFAULT || pointer_is_right();
}

/* Returns how many accesses it has. */
static unsigned int trap_outer(const struct outer *outer, struct switching_trap trap,
			       const char *variable)
{
	unsigned int accesses, n = 0;
	int error;

	do {
		trap.at = ++n;
		before_outer(outer);
		set_trap(trap);
		error = outer->run();
		accesses = set_trap((struct switching_trap){ 0 });
		if (!result_is_right(outer, error) || !state_is_right()) {
			struct lkst_trc_status status = get_status();

			ok(false, "%s, change %u after access %u of %s", outer->name, trap.what, n,
			   variable);
			diag("%s; current %d, saved %d", strerror(error), status.current_maskset_id,
			     status.saved_maskset_id);
		}
	} while (n < accesses);
	return n;
}

/* Whether the processor can trap after an access, as that needs. */
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
		{ "B's place in the table", table + SWITCHING_SET_B * 8, 8, false },
		{ "C's place in the table", table + SWITCHING_SET_C * 8, 8, false },
	};
	unsigned int i, v, what;

	tell(true);
	for (i = 0; i < sizeof(outers) / sizeof(outers[0]); i++) {
		unsigned int failed = tap_failed, total[4] = {};

		for (v = 0; v < sizeof(variables) / sizeof(variables[0]); v++)
			for (what = 0; what < SWITCHING_WHATS; what++) {
				struct switching_trap trap = { .address = variables[v].address,
							       .length = variables[v].length,
							       .writes = variables[v].writes,
							       .what = what };

				total[v] += trap_outer(&outers[i], trap, variables[v].name);
			}
		ok(tap_failed == failed && total[0] >= outers[i].accesses * SWITCHING_WHATS,
		   "changes within %s end right", outers[i].name);
		diag("%u after accesses of the word, %u of the pointer, %u and %u of the table",
		     total[0], total[1], total[2], total[3]);
	}
	lkst_number(LKST_IOC_TRC_START, 0);
}

int main(void)
{
	struct lkst_trc_status before;
	int id;

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
		ok(true, "changes within changes # SKIP traps come before an access here");
	need(set_maskset(LKST_MASKSET_ID_RNOTHING), "MASKSET_SET");
	ok(!unload_module("switching"), "the module can go");

	need(set_maskset(before.current_maskset_id), "MASKSET_SET");
	for (id = SWITCHING_SET_A; id <= SWITCHING_SET_C; id++)
		lkst_number(LKST_IOC_MASKSET_DELETE, id);
	equal(get_status().maskset_num, before.maskset_num, "as many masksets as before");
	equal(get_status().memory, before.memory, "and as much memory");
	return done_testing();
}
