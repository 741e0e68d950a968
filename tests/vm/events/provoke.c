// SPDX-License-Identifier: GPL-2.0
/*
 * Provoke events and count their records: provoke [--without ETYPE | --more N] [TEST...]. Without
 * TEST, run all tests that do not damage the kernel. The records of the last tests stay in the
 * buffers, so that lkstbuf can print them.
 *
 * The options are for checking the tests themselves, which must then fail: --without masks an event
 * type that the tests expect, and --more makes the module carry out each command N more times than
 * the tests expect.
 */
/* also: -m32 */
#include "processes.h"
#include "provoke.h"

#define MASKSET	    30
#define NAME	    "provoke"
#define BUFFER	    100
#define BUFFER_SIZE (4 << 20)
#define RECORDS	    (BUFFER_SIZE / RECORD_SIZE)

static const char *without = "";
static unsigned int more;

struct values values;
const struct test *current;

/* Event types */

static int etype_number(const char *name)
{
	for (int etype = 0; etype < LKST_ETYPE_NUM; etype++)
		if (!strcmp(proc_etypes[etype].name, name))
			return etype;
	if (is_of_other_machine(name))
		return NO_ETYPE;
	printf("Bail out! no event type %s\n", name);
	exit(1);
}

#define for_each_expected(e) \
	for (e = current->expected; e < current->expected + EXPECTED_MAX && e->etype; e++)

/*
 * The event types that a test expects. @masks holds the event types to record: all except absent
 * event types and the event type that is given with --without.
 */
struct etypes {
	char names[512];
	struct mask masks[EXPECTED_MAX]; /* types to record */
	unsigned int num;
};

static bool is_repeated(const struct expected *expected)
{
	for (const struct expected *earlier = current->expected; earlier < expected; earlier++)
		if (!strcmp(earlier->etype, expected->etype))
			return true;
	return false;
}

static struct etypes list_etypes(void)
{
	struct etypes list = {};
	const struct expected *expected;

	for_each_expected(expected) {
		int etype = etype_number(expected->etype);
		size_t len = strlen(list.names);

		if (is_repeated(expected))
			continue;
		snprintf(list.names + len, sizeof(list.names) - len, "%s%s", len ? " " : "",
			 expected->etype);
		if (strcmp(expected->etype, without) && !may_be_absent(etype))
			list.masks[list.num++] =
				(struct mask){ etype, LKST_EVHANDLER_ID_ENTRY_LOG };
	}
	return list;
}

/* Whether an address is in one of the eight newest modules, which include the test modules. */
static bool in_own_module(uint64_t address)
{
	static struct {
		ull size, start;
	} modules[8];
	static unsigned int num;
	FILE *file;

	if (!num) {
		file = fopen("/proc/modules", "r");
		bail_if(!file, "/proc/modules");
		while (num < ARRAY_SIZE(modules) &&
		       fscanf(file, "%*s %llu %*s %*s %*s %llx%*[^\n]", &modules[num].size,
			      &modules[num].start) == 2)
			num++;
		fclose(file);
	}
	for (unsigned int i = 0; i < num; i++)
		if (address - modules[i].start < modules[i].size)
			return true;
	return false;
}

/* Return the first eight bytes of a string, padded with 0, as LKST stores them in an argument. */
static uint64_t text8(const char *text)
{
	uint64_t word = 0;

	memcpy(&word, text, strnlen(text, sizeof(word)));
	return word;
}

static uint64_t expected_arg(const struct expected *expected, unsigned int i)
{
	if (expected->text[i])
		return text8(expected->text[i]);
	return expected->arg[i] + (expected->value[i] ? values.at[expected->value[i] - 1] : 0);
}

static uint32_t expected_thread(const struct expected *expected)
{
	return expected->by == CHILD ? values.child : expected->by == OWN ? syscall(SYS_gettid) : 0;
}

static bool looks_like(const struct lkst_log_record *record, const struct expected *expected)
{
	const uint64_t args[4] = { record->log_arg1, record->log_arg2, record->log_arg3,
				   record->log_arg4 };
	const uint32_t interrupt = LKST_LOG_HARDIRQ | LKST_LOG_SOFTIRQ | LKST_LOG_NMI;

	for (unsigned int i = 0; i < 4; i++)
		if ((args[i] ^ expected_arg(expected, i)) & expected->mask[i])
			return false;
	if (expected->by && record->posix.log_thread != expected_thread(expected))
		return false;
	if (expected->in_interrupt && !(record->posix.log_flags & interrupt))
		return false;
	if (expected->preemptible && record->posix.log_flags & (interrupt | LKST_LOG_PREEMPT_OFF))
		return false;
	return !expected->code || in_own_module(args[expected->code - 1]);
}

/* Records */

static struct lkst_log_record records[CPUS][RECORDS];
static size_t records_num[CPUS];

/* Create two buffers on each CPU. The tests use them alternately. */
static void create_buffers(void)
{
	for (int cpu = 0; cpu < CPUS; cpu++)
		for (int id = BUFFER; id < BUFFER + 2; id++)
			if (!buffer_exists(cpu, id))
				need(create(cpu, id, VOID, BUFFER_SIZE), "BUFFER_CREATE");
}

/* For each CPU, the recid at which the records of the current test begin. */
static uint64_t first_recid[CPUS];

/* Prepare the buffers for a test: make sure that at least half a buffer is free on each CPU. */
static void begin_records(void)
{
	struct lkst_buffer_listent ent;
	int id;

	for (int cpu = 0; cpu < CPUS; cpu++) {
		id = written_buffer(cpu);
		ent = buffer_of(cpu, id);
		if (id < BUFFER || ent.write_offset > RECORDS / 2)
			need(jump(cpu, id == BUFFER ? BUFFER + 1 : BUFFER), "BUFFER_JUMP");
		first_recid[cpu] = cpu_recid(cpu);
	}
}

static void forget_earlier(int cpu)
{
	struct lkst_log_record *from = records[cpu], *end = from + records_num[cpu];

	while (from < end && from->posix.log_recid < first_recid[cpu])
		from++;
	records_num[cpu] = end - from;
	memmove(records[cpu], from, records_num[cpu] * sizeof(*from));
}

/* Read the records of the test. Return whether they are complete. */
static bool read_records(void)
{
	struct lkst_log_buffer param;
	uint64_t lost = 0;

	for (int cpu = 0; cpu < CPUS; cpu++) {
		need(read_buffer_max(&param, cpu, written_buffer(cpu), records[cpu], RECORDS),
		     "BUFFER_READ");
		records_num[cpu] = param.result_read_size / sizeof(records[0][0]);
		lost += param.overwritten + param.dropped + param.unfinished;
		forget_earlier(cpu);
	}
	return !lost;
}

static unsigned int count_like(const struct expected *expected)
{
	int etype = etype_number(expected->etype);
	unsigned int found = 0;

	for (int cpu = 0; cpu < CPUS; cpu++)
		for (size_t i = 0; i < records_num[cpu]; i++)
			if (records[cpu][i].posix.log_event_type == etype &&
			    looks_like(&records[cpu][i], expected))
				found++;
	return found;
}

/* Print the expectation, and up to 12 records of its event type. */
static void explain(const struct expected *expected)
{
	int etype = etype_number(expected->etype);
	unsigned int shown = 0;

	diag("wanted: thread %u: %#llx %#llx %#llx %#llx", expected_thread(expected),
	     (ull)expected_arg(expected, 0), (ull)expected_arg(expected, 1),
	     (ull)expected_arg(expected, 2), (ull)expected_arg(expected, 3));
	for (int cpu = 0; cpu < CPUS; cpu++)
		for (size_t i = 0; i < records_num[cpu]; i++) {
			const struct lkst_log_record *record = &records[cpu][i];

			if (record->posix.log_event_type == etype && shown++ < 12)
				diag("CPU %d, thread %u, flags %#x: %#llx %#llx %#llx %#llx", cpu,
				     record->posix.log_thread, record->posix.log_flags,
				     (ull)record->log_arg1, (ull)record->log_arg2,
				     (ull)record->log_arg3, (ull)record->log_arg4);
		}
}

/* Running tests */

static void record_during(int maskset)
{
	begin_records();
	memset(&values, 0, sizeof(values));
	need(set_maskset(maskset), "MASKSET_SET");
	if (current->run)
		current->run();
	else
		run_command(current->command, current->times);
	need(set_maskset(LKST_MASKSET_ID_RNOTHING), "MASKSET_SET");
}

static void none_when_masked(void)
{
	const struct expected *expected;
	unsigned int found = 0;

	record_during(LKST_MASKSET_ID_RNOTHING);
	read_records();
	for_each_expected(expected)
		found += count_like(expected);
	if (!values.skip)
		equal(found, 0, "%s: while masked, nothing is recorded", current->name);
}

/* Check an expectation, unless its event type may be absent in this kernel. */
static void check_expected(const struct expected *expected)
{
	unsigned int count = expected->on_stock && !kernel_is_stock() ? 0 : expected->count;
	unsigned int found = count_like(expected), all = found;
	struct expected sort = { .etype = expected->etype };

	if (may_be_absent(etype_number(expected->etype)))
		return;
	if (expected->all == ALL_OF_ARG1) {
		sort.arg[0] = expected_arg(expected, 0);
		sort.mask[0] = expected->mask[0];
	}
	if (expected->all != SOME)
		all = count_like(&sort);
	if (ok(found == count && all == count, "%s: %u %s", current->name, count, expected->etype))
		return;
	diag("got %u; together with others of this sort, %u", found, all);
	explain(expected);
}

static void as_many_as_provoked(const struct etypes *list)
{
	const struct expected *expected;

	if (!gives(write_maskset(MASKSET, NAME, list->masks, list->num), 0,
		   "%s: %s can be recorded", current->name, list->names))
		return;
	record_during(MASKSET);
	if (values.skip) {
		ok(true, "%s # SKIP %s", current->name, values.skip);
		return;
	}
	ok(read_records(), "%s: all records are available", current->name);
	for_each_expected(expected)
		check_expected(expected);
}

static void run_test(void)
{
	struct etypes list = list_etypes();

	if (!list.num) {
		ok(true, "%s # SKIP no tracepoints in this kernel for %s", current->name,
		   list.names);
		return;
	}
	if (!current->once)
		none_when_masked();
	as_many_as_provoked(&list);
}

/* All tests. The tests in the last array damage the kernel. */
static const struct test *const tests[] = { trap_tests,	  fault_tests,	 ipc_tests,
					    module_tests, machine_tests, trouble_tests };

/* Run the test called @name. If @name is NULL, run all tests that do not damage the kernel. */
static void run_tests(const char *name)
{
	bool found = false;

	for (unsigned int i = 0; i < ARRAY_SIZE(tests) - (name ? 0 : 1); i++)
		for (const struct test *test = tests[i]; test->name; test++)
			if (!name || !strcmp(test->name, name)) {
				current = test;
				run_test();
				found = true;
			}
	if (found)
		return;
	printf("Bail out! no test %s\n", name);
	exit(1);
}

/* The module */

#define PROC_FILE "/proc/lkst_provoke"

void read_values(const char *path)
{
	ull at[4] = {};
	char text[128];

	need(read_file(path, text, sizeof(text)), "%s", path);
	bail_if(sscanf(text, "%llx %llx %llx %llx", &at[0], &at[1], &at[2], &at[3]) < 2, path);
	for (unsigned int i = 0; i < 4; i++)
		values.at[i] = at[i];
}

void run_command(const char *command, unsigned int count)
{
	char text[64];

	snprintf(text, sizeof(text), "%s %u", command, count + more);
	need(write_file(PROC_FILE, text), "%s", text);
	read_values(PROC_FILE);
}

static void load_modules(void)
{
	static const char *const names[] = { "provoke", "lkst_sample", "lkst_sample_locks" };
	int error;

	for (unsigned int i = 0; i < ARRAY_SIZE(names); i++) {
		error = load_module(names[i]);
		if (error != EEXIST)
			need(error, "module %s", names[i]);
	}
}

/* Processes */

pid_t in_child(void (*func)(void))
{
	return spawn({
		pin(1);
		func();
	});
}

int wait_for(pid_t pid)
{
	int status;

	bail_if(waitpid(pid, &status, 0) != pid, "waitpid");
	return status;
}

int main(int argc, char **argv)
{
	int i;

	for (i = 1; i + 1 < argc; i += 2) {
		if (!strcmp(argv[i], "--without"))
			without = argv[i + 1];
		else if (!strcmp(argv[i], "--more"))
			more = strtoul(argv[i + 1], NULL, 10);
		else
			break;
	}
	open_lkst();
	pin(0);
	load_modules();
	read_proc_etypes();
	create_buffers();
	if (i == argc)
		run_tests(NULL);
	for (; i < argc; i++)
		run_tests(argv[i]);
	return done_testing();
}
