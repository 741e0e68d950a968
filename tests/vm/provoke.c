// SPDX-License-Identifier: GPL-2.0
/*
 * Provokes events and counts them: provoke [--without ETYPE | --more N] [TEST...]. Without TEST it
 * runs all that do the machine no harm. The records of the last tests stay, for lkstbuf.
 *
 * The options show that tests fail: --without masks an event type that they want, --more has the
 * module do N things more than they want.
 */
/* also: -m32 */
#include "proc_etypes.h"
#include "provoke.h"

#define MASKSET	    30
#define NAME	    "provoke"
#define BUFFER	    100
#define BUFFER_SIZE (4 << 20)
#define RECORDS	    (BUFFER_SIZE / RECORD_SIZE)

static const char *without = "";
static unsigned int more;

/* Event types */

static int etype_number(const char *name)
{
	int etype;

	for (etype = 0; etype < LKST_ETYPE_NUM; etype++)
		if (!strcmp(proc_etypes[etype].name, name))
			return etype;
	if (is_of_other_machine(name))
		return NO_ETYPE;
	printf("Bail out! no event type %s\n", name);
	exit(1);
}

/* The event types of a test that it records: those that the kernel has to have. */
static unsigned int list_etypes(const char *words, struct mask masks[WANTS_MAX])
{
	char *text = strdup(words), *word, *rest = text;
	unsigned int num = 0;

	if (!text)
		bail_out("memory");
	while ((word = strsep(&rest, " "))) {
		if (num == WANTS_MAX) {
			printf("Bail out! too many event types: %s\n", words);
			exit(1);
		}
		if (strcmp(word, without) && !may_be_absent(etype_number(word)))
			masks[num++] =
				(struct mask){ etype_number(word), LKST_EVHANDLER_ID_ENTRY_LOG };
	}
	free(text);
	return num;
}

/* What a test wants */

struct expectation {
	unsigned int count;
	int etype;
	const char *name;
	struct look look;
};

static struct expectation expects[EXPECTS_MAX];
static unsigned int expects_num;
static const char *skipped;

void expect_look(unsigned int count, const char *etype, const struct look *look)
{
	if (expects_num == EXPECTS_MAX) {
		printf("Bail out! too many expectations\n");
		exit(1);
	}
	expects[expects_num++] = (struct expectation){ count, etype_number(etype), etype, *look };
}

void cannot(const char *why)
{
	skipped = why;
}

/* Modules' memory, from /proc/modules: those that a test may own. */
static bool in_own_module(uint64_t address)
{
	static struct {
		uint64_t start, size;
	} modules[8];
	static unsigned int num;
	char line[256], name[64];
	ull start, size;
	unsigned int i;
	FILE *file;

	if (!num) {
		file = fopen("/proc/modules", "r");
		if (!file)
			bail_out("/proc/modules");
		while (num < 8 && fgets(line, sizeof(line), file)) {
			if (sscanf(line, "%63s %llu %*s %*s %*s %llx", name, &size, &start) != 3)
				continue;
			modules[num].start = start;
			modules[num++].size = size;
		}
		fclose(file);
	}
	for (i = 0; i < num; i++)
		if (address - modules[i].start < modules[i].size)
			return true;
	return false;
}

static bool looks_like(const struct lkst_log_record *record, const struct look *look)
{
	const uint64_t args[4] = { record->log_arg1, record->log_arg2, record->log_arg3,
				   record->log_arg4 };
	const uint32_t interrupt = LKST_LOG_HARDIRQ | LKST_LOG_SOFTIRQ | LKST_LOG_NMI;
	unsigned int i;

	for (i = 0; i < 4; i++)
		if ((args[i] ^ look->arg[i]) & look->mask[i])
			return false;
	if (look->thread && record->posix.log_thread != look->thread)
		return false;
	if (look->in_interrupt && !(record->posix.log_flags & interrupt))
		return false;
	if (look->preemptible && record->posix.log_flags & (interrupt | LKST_LOG_PREEMPT_OFF))
		return false;
	return !look->code || in_own_module(args[look->code - 1]);
}

/* Records */

static struct lkst_log_record records[CPUS][RECORDS];
static size_t records_num[CPUS];

/* Two buffers on each CPU that take turns. */
static void create_buffers(void)
{
	int cpu, id;

	for (cpu = 0; cpu < CPUS; cpu++)
		for (id = BUFFER; id < BUFFER + 2; id++)
			if (!buffer_exists(cpu, id))
				need(create(cpu, id, VOID, BUFFER_SIZE), "BUFFER_CREATE");
}

/* Where a test's records begin. */
static uint64_t first_recid[CPUS];

/* A test has half a buffer at least. */
static void begin_records(void)
{
	struct lkst_buffer_listent ent;
	int cpu, id;

	for (cpu = 0; cpu < CPUS; cpu++) {
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

/* Returns whether they are complete. */
static bool read_records(void)
{
	struct lkst_log_buffer param;
	uint64_t lost = 0;
	int cpu;

	for (cpu = 0; cpu < CPUS; cpu++) {
		need(read_buffer_max(&param, cpu, written_buffer(cpu), records[cpu], RECORDS),
		     "BUFFER_READ");
		records_num[cpu] = param.result_read_size / sizeof(records[0][0]);
		lost += param.overwritten + param.dropped + param.unfinished;
		forget_earlier(cpu);
	}
	return !lost;
}

static void show_record(const struct lkst_log_record *record)
{
	diag("cpu %d thread %u flags %#x: %#llx %#llx %#llx %#llx", record->posix.log_processor,
	     record->posix.log_thread, record->posix.log_flags, (ull)record->log_arg1,
	     (ull)record->log_arg2, (ull)record->log_arg3, (ull)record->log_arg4);
}

static unsigned int count_like(const struct expectation *wanted)
{
	unsigned int found = 0;
	int cpu;
	size_t i;

	for (cpu = 0; cpu < CPUS; cpu++)
		for (i = 0; i < records_num[cpu]; i++)
			if (records[cpu][i].posix.log_event_type == wanted->etype &&
			    looks_like(&records[cpu][i], &wanted->look))
				found++;
	return found;
}

/* Why there are not as many as there should be. */
static void explain(const struct expectation *wanted)
{
	const struct look *look = &wanted->look;
	unsigned int i, shown = 0;
	int cpu;
	size_t at;

	for (i = 0; i < 4; i++)
		if (look->mask[i])
			diag("wanted: argument %u: %#llx of %#llx", i + 1, (ull)look->arg[i],
			     (ull)look->mask[i]);
	if (look->thread || look->code)
		diag("wanted: thread %u, argument %d of the module", look->thread, look->code);
	for (cpu = 0; cpu < CPUS; cpu++)
		for (at = 0; at < records_num[cpu] && shown < 12; at++)
			if (records[cpu][at].posix.log_event_type == wanted->etype) {
				show_record(&records[cpu][at]);
				shown++;
			}
}

/* Running tests */

static void record_during(const struct test *test, int maskset)
{
	expects_num = 0;
	skipped = NULL;
	begin_records();
	need(set_maskset(maskset), "MASKSET_SET");
	test->run();
	need(set_maskset(LKST_MASKSET_ID_RNOTHING), "MASKSET_SET");
}

static void none_when_masked(const struct test *test)
{
	unsigned int i, found = 0;

	record_during(test, LKST_MASKSET_ID_RNOTHING);
	read_records();
	for (i = 0; i < expects_num; i++)
		found += count_like(&expects[i]);
	if (!skipped)
		equal(found, 0, "%s, masked: nothing", test->name);
}

static bool is_expected(int etype)
{
	unsigned int i;

	for (i = 0; i < expects_num; i++)
		if (expects[i].etype == etype)
			return true;
	return false;
}

static void as_many_as_provoked(const struct test *test)
{
	struct mask masks[WANTS_MAX];
	unsigned int i, num = list_etypes(test->etypes, masks), found;

	if (!gives(write_maskset(MASKSET, NAME, masks, num), 0, "%s: %s can be recorded",
		   test->name, test->etypes))
		return;
	record_during(test, MASKSET);
	if (skipped) {
		ok(true, "%s # SKIP %s", test->name, skipped);
		return;
	}
	ok(read_records(), "%s: all that was recorded is there", test->name);
	for (i = 0; i < num; i++)
		if (!is_expected(masks[i].etype))
			ok(false, "%s: looks at event type %#x", test->name, masks[i].etype);
	for (i = 0; i < expects_num; i++) {
		if (may_be_absent(expects[i].etype))
			continue;
		found = count_like(&expects[i]);
		if (!equal(found, expects[i].count, "%s: %u %s", test->name, expects[i].count,
			   expects[i].name))
			explain(&expects[i]);
	}
}

static const struct test *const harmless[] = { trap_tests,   fault_tests, ipc_tests,
					       module_tests, lock_tests,  machine_tests };

static void run_test(const struct test *test)
{
	struct mask masks[WANTS_MAX];

	if (!list_etypes(test->etypes, masks)) {
		ok(true, "%s # SKIP no trace points in this kernel for %s", test->name,
		   test->etypes);
		return;
	}
	if (!test->once)
		none_when_masked(test);
	as_many_as_provoked(test);
}

static bool run_named(const struct test *tests, const char *name)
{
	for (; tests->name; tests++)
		if (!strcmp(tests->name, name)) {
			run_test(tests);
			return true;
		}
	return false;
}

#define LISTS (sizeof(harmless) / sizeof(harmless[0]))

static void run_all(void)
{
	const struct test *test;
	unsigned int i;

	for (i = 0; i < LISTS; i++)
		for (test = harmless[i]; test->name; test++)
			run_test(test);
}

static void run_tests(const char *name)
{
	bool found = run_named(trouble_tests, name);
	unsigned int i;

	for (i = 0; i < LISTS && !found; i++)
		found = run_named(harmless[i], name);
	if (!found) {
		printf("Bail out! no test %s\n", name);
		exit(1);
	}
}

/* The module */

#define PROC_FILE "/proc/lkst_provoke"

struct values read_values(const char *path)
{
	ull value[PROVOKE_VALUES];
	struct values values;
	char text[128];
	int i;

	need(read_file(path, text, sizeof(text)), "%s", path);
	if (sscanf(text, "%llx %llx %llx %llx", &value[0], &value[1], &value[2], &value[3]) !=
	    PROVOKE_VALUES)
		bail_out(path);
	for (i = 0; i < PROVOKE_VALUES; i++)
		values.at[i] = value[i];
	return values;
}

struct values ask(const char *what, unsigned int count)
{
	char text[64];

	snprintf(text, sizeof(text), "%s %u", what, count + more);
	need(write_file(PROC_FILE, text), "%s", text);
	return read_values(PROC_FILE);
}

static void load_modules(void)
{
	static const char *const names[] = { "provoke", "lkst_sample", "lkst_sample_locks" };
	unsigned int i;
	int error;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		error = load_module(names[i]);
		if (error != EEXIST)
			need(error, "module %s", names[i]);
	}
}

/* Processes */

pid_t in_child(void (*func)(void))
{
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid < 0)
		bail_out("fork");
	if (pid)
		return pid;
	pin(1);
	func();
	_exit(0);
}

int wait_for(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) != pid)
		bail_out("waitpid");
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
		run_all();
	for (; i < argc; i++)
		run_tests(argv[i]);
	return done_testing();
}
