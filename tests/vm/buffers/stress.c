// SPDX-License-Identifier: GPL-2.0
/*
 * Writers record on two CPUs as fast as they can, while one other process reads the records, and
 * another switches masksets, and stops and starts LKST. All records that are read must be complete
 * and in order, and at the end the counts must add up.
 *
 *	stress SECONDS [steady]		"steady": do not switch masksets or stop LKST
 */
#include <sys/syscall.h>

#include "etypes.h"
#include "marks.h"
#include "records.h"

#define CPUS	2
#define WRITERS 3 /* one on each CPU, and one that moves from CPU to CPU */

/* Memory that all processes share. */
static struct shared {
	volatile bool stop_writers; /* whether the writers must exit */
	volatile bool stop_others; /* whether the other processes must exit */
	volatile pid_t tid[WRITERS]; /* thread id of each writer */
	volatile unsigned long calls[WRITERS]; /* number of marks that each writer has recorded */
	unsigned long reads; /* number of BUFFER_READ calls whose records were checked */
	unsigned long records; /* number of records that these calls returned */
	unsigned long marks[CPUS]; /* how many of these records are marks of a writer */
	unsigned long again; /* how many of these records the previous call had already returned */
	unsigned long switches; /* number of maskset switches */
	unsigned long stops; /* how many times LKST was stopped */
} * shared;

/* Time and recids when this test starts. Earlier marks belong to other tests in the same boot. */
static time_t began;
static uint64_t began_recid[CPUS];

static void writer(unsigned int self)
{
	__u64 args[4];

	shared->tid[self] = getpid();
	pin(self % CPUS);
	for (uint64_t serial = 1; !shared->stop_writers; serial++) {
		if (self >= CPUS && serial % 1000 == 0)
			pin(serial / 1000 % CPUS);
		mark_fill(args, self, serial);
		if (mark(args[0], args[1], args[2], args[3]))
			wrong("ENTRY_LOG: %s", strerror(errno));
		shared->calls[self] = serial;
	}
}

/* Reading */

static struct lkst_buffer_listent list(int cpu)
{
	return buffer_of(cpu, written_buffer(cpu));
}

static size_t slots(void)
{
	return list(0).size / RECORD_SIZE;
}

/* Read up to @max records of the current buffer of a CPU. */
static void read_written(struct reading *reading, int cpu, size_t max)
{
	need(read_some(reading, cpu, list(cpu).id, max), "BUFFER_READ");
}

/* The conversion of timestamps to the time of day may change by this number of ns during a read. */
#define TIME_SLACK 100000

/* For each writer: the number of its last mark in one read, and the time of that mark in ns. */
struct progress {
	uint64_t serial[WRITERS];
	int64_t time[WRITERS];
};

static void check_mark(const struct lkst_log_record *record, int cpu, struct progress *progress)
{
	const struct posix_log_entry *posix = &record->posix;
	unsigned int writer = mark_writer(record->log_arg1);
	uint64_t serial = mark_number(record->log_arg1);

	if (writer >= WRITERS || !has_pattern(record) ||
	    (pid_t)posix->log_thread != shared->tid[writer] ||
	    posix->log_pid != shared->tid[writer]) {
		wrong_record(record, "torn");
		return;
	}
	if (serial <= progress->serial[writer])
		wrong("CPU %d recid %#llx: mark %llu after %llu", cpu, (ull)posix->log_recid,
		      (ull)serial, (ull)progress->serial[writer]);
	if (record_ns(record) < progress->time[writer] - TIME_SLACK ||
	    posix->log_time.tv_sec < began || posix->log_time.tv_sec > time(NULL) + 1)
		wrong("CPU %d recid %#llx: time %lld after %lld", cpu, (ull)posix->log_recid,
		      (long long)record_ns(record), (long long)progress->time[writer]);
	progress->serial[writer] = serial;
	progress->time[writer] = record_ns(record);
	shared->marks[cpu]++;
}

/* Check a system call entry: the only ioctl of the writer on @cpu is LKST_IOC_ENTRY_LOG. */
static void check_syscall(const struct lkst_log_record *record, int cpu)
{
	if (record->posix.log_thread == (uint32_t)shared->tid[cpu] &&
	    record->log_arg1 >> 32 == SYS_ioctl && record->log_arg3 != LKST_IOC_ENTRY_LOG)
		wrong("CPU %d recid %#llx: ioctl %#llx", cpu, (ull)record->posix.log_recid,
		      (ull)record->log_arg3);
}

static void check_reading(const struct reading *reading, int cpu)
{
	struct progress progress = {};

	check_sum(reading);
	for (size_t i = 0; i < reading->num; i++) {
		const struct lkst_log_record *record = &reading->records[i];

		check_record(reading, i);
		if (record->posix.log_recid < began_recid[cpu])
			continue;
		if (record->posix.log_event_type == USER_MARK)
			check_mark(record, cpu, &progress);
		else if (record->posix.log_event_type == SYSCALL_ENTRY)
			check_syscall(record, cpu);
	}
	shared->reads++;
	shared->records += reading->num;
}

/*
 * Compare the records that two reads have in common. They must be equal except for their times,
 * which are not compared. Return the number of these records.
 */
static size_t check_again(const struct reading *a, const struct reading *b, int cpu)
{
	size_t j = 0, both = 0;

	for (size_t i = 0; i < a->num; i++) {
		struct lkst_log_record first = a->records[i], second;

		while (j < b->num && b->records[j].posix.log_recid < first.posix.log_recid)
			j++;
		if (j == b->num)
			break;
		second = b->records[j];
		if (second.posix.log_recid != first.posix.log_recid)
			continue;
		second.posix.log_time = first.posix.log_time;
		if (memcmp(&first, &second, sizeof(first)))
			wrong("CPU %d: recid %#llx has changed", cpu, (ull)first.posix.log_recid);
		both++;
	}
	return both;
}

/* While both CPUs are recording, read and check each CPU's current buffer from the other CPU. */
static void reader(void)
{
	struct reading readings[CPUS][2];

	for (int i = 0; i < 2 * CPUS; i++)
		reading_init(&readings[i / 2][i % 2], slots());
	for (unsigned long n = 0; !shared->stop_others; n++) {
		int cpu = n / 16 % CPUS;
		struct reading *now = &readings[cpu][n % 2];

		if (n % 16 == 0)
			pin(!cpu);
		read_written(now, cpu, n % 8 == 7 ? 1 + n % 100 : slots());
		check_reading(now, cpu);
		shared->again += check_again(now, &readings[cpu][!(n % 2)], cpu);
	}
}

/* Switching */

/* Whether no event is recorded on any CPU for @ms. */
static bool silent(unsigned int ms)
{
	uint64_t then[CPUS];
	bool result = true;

	for (int cpu = 0; cpu < CPUS; cpu++)
		then[cpu] = cpu_recid(cpu);
	sleep_ms(ms);
	for (int cpu = 0; cpu < CPUS; cpu++)
		result &= cpu_recid(cpu) == then[cpu];
	return result;
}

/* Report an error of a call that must succeed. */
static void succeeds(int error, const char *call)
{
	if (error)
		wrong("%s: %s", call, strerror(error));
}

static void switch_maskset(lkst_maskset_id id)
{
	succeeds(set_maskset(id), "MASKSET_SET");
	if (get_status().current_maskset_id != id)
		wrong("maskset %d was set and %d is current", id, get_status().current_maskset_id);
	shared->switches++;
}

static void stop_for_a_while(void)
{
	lkst_maskset_id id = get_status().current_maskset_id;

	succeeds(lkst(LKST_IOC_TRC_STOP, NULL), "TRC_STOP");
	if (get_status().state != LKST_TRC_STOPPED || !silent(20))
		wrong("events are recorded after TRC_STOP");
	if (set_maskset(LKST_MASKSET_ID_RALL) != EBUSY)
		wrong("MASKSET_SET while LKST is stopped");
	succeeds(lkst(LKST_IOC_TRC_START, NULL), "TRC_START");
	if (get_status().state != LKST_TRC_RUNNING || get_status().current_maskset_id != id)
		wrong("TRC_START selects another maskset");
	shared->stops++;
}

static void switcher(void)
{
	static const lkst_maskset_id ids[] = { LKST_MASKSET_ID_RALL, LKST_MASKSET_ID_RDEFAULT,
					       LKST_MASKSET_ID_RNOTHING };

	for (unsigned long n = 0; !shared->stop_others; n++) {
		switch_maskset(ids[n % 3]);
		if (n % 4 == 3)
			stop_for_a_while();
		if (n % 3 < 2)
			sleep_ms(n % 7 * 10);
	}
}

/* The test */

static unsigned long all_calls(void)
{
	unsigned long calls = 0;

	for (unsigned int i = 0; i < WRITERS; i++)
		calls += shared->calls[i];
	return calls;
}

/*
 * Check that LKST records nothing while it is stopped and writers call LKST_IOC_ENTRY_LOG. This takes
 * longer if the emulated CPUs pause.
 */
static void report_silence(void)
{
	unsigned long before = all_calls(), calls;
	int seconds = 60;
	bool quiet;

	do {
		quiet = silent(1000);
		calls = all_calls() - before;
	} while (quiet && calls <= 100 && --seconds);
	ok(quiet && calls > 100, "while stopped, LKST records none of %lu marks", calls);
}

/* Return the last mark, or NULL if no mark follows the first record. */
static struct lkst_log_record *last_mark(struct reading *reading)
{
	size_t i = reading->num;

	while (i-- > 1)
		if (reading->records[i].posix.log_event_type == USER_MARK)
			return &reading->records[i];
	return NULL;
}

enum damage { MIXED, REPEATED, SWAPPED, OTHER_CPU, OTHER_THREAD, LOST, DAMAGES };

static const char *const damages[] = {
	"arguments of two records mixed", "a record repeated", "recids out of order",
	"another CPU", "another thread", "a record lost",
};

/* Damage the last mark or the record before it, or remove the last record. */
static void apply(enum damage damage, struct reading *reading)
{
	struct lkst_log_record *mark = last_mark(reading), *other = mark - 1;
	uint64_t recid = other->posix.log_recid;

	switch (damage) {
	case MIXED:
		mark->log_arg3++;
		break;
	case REPEATED:
		*other = *mark;
		other->posix.log_recid = recid;
		break;
	case SWAPPED:
		other->posix.log_recid = mark->posix.log_recid;
		mark->posix.log_recid = recid;
		break;
	case OTHER_CPU:
		mark->posix.log_processor ^= 1;
		break;
	case OTHER_THREAD:
		mark->posix.log_thread++;
		break;
	default: /* LOST */
		reading->num--;
	}
}

/* Wait for a mark of a writer, and check that each kind of damage is detected. */
static void report_selftest(void)
{
	struct reading reading, copy;
	struct wrongs before;

	reading_init(&reading, slots());
	reading_init(&copy, slots());
	do
		read_written(&reading, 0, slots());
	while (!last_mark(&reading));
	for (enum damage damage = MIXED; damage < DAMAGES; damage++) {
		before = *wrongs;
		copy.num = reading.num;
		copy.param = reading.param;
		memcpy(copy.records, reading.records, copy.num * sizeof(*copy.records));
		apply(damage, &copy);
		check_reading(&copy, 0);
		ok(wrongs->num > before.num, "self-test: %s", damages[damage]);
		*wrongs = before;
	}
	reading_free(&copy);
	reading_free(&reading);
}

/* Check the counts of a CPU's current buffer. Must be called after recording has stopped. */
static void report_counts(int cpu)
{
	struct lkst_buffer_listent buffer = list(cpu);
	struct reading reading, again;

	reading_init(&reading, slots());
	reading_init(&again, slots());
	read_written(&reading, cpu, slots());
	check_reading(&reading, cpu);
	report_sum(&reading);
	ok(buffer.baseid + buffer.write_offset ==
			   reading.param.first_recid + reading.param.recorded &&
		   buffer.first_recid == reading.param.first_recid &&
		   buffer.overwritten == reading.param.overwritten &&
		   buffer.dropped == reading.param.dropped,
	   "CPU %d: BUFFER_LIST has the same numbers", cpu);

	read_written(&again, cpu, slots());
	ok(again.num == reading.num && check_again(&reading, &again, cpu) == reading.num,
	   "CPU %d: a second read returns the same records", cpu);
	reading_free(&again);
	reading_free(&reading);
}

static bool steady; /* do not switch masksets or stop LKST while the writers are recording */

/*
 * Whether marks of each CPU have been read and, unless @steady is set, masksets have been switched
 * and LKST has been stopped.
 */
static bool all_done(void)
{
	for (int cpu = 0; cpu < CPUS; cpu++)
		if (!shared->marks[cpu])
			return false;
	return steady || (shared->switches && shared->stops);
}

int main(int argc, char **argv)
{
	unsigned int seconds, num = 0;
	pid_t writers[WRITERS], others[2];
	struct lkst_trc_status first;

	if (argc < 2) {
		fprintf(stderr, "usage: stress SECONDS [steady]\n");
		return 2;
	}
	seconds = atoi(argv[1]);
	steady = argc > 2 && !strcmp(argv[2], "steady");
	shared = map(sizeof(*shared));
	open_lkst();
	prepare_checks();
	first = get_status();
	began = time(NULL) - 1;
	for (int cpu = 0; cpu < CPUS; cpu++)
		began_recid[cpu] = cpu_recid(cpu);

	for (unsigned int i = 0; i < WRITERS; i++)
		writers[i] = spawn(writer(i));
	others[num++] = spawn(reader());
	if (!steady)
		others[num++] = spawn(switcher());
	run_for(seconds, all_done);
	shared->stop_others = true;
	ok(all_exit(others, num), "the other processes exit");
	diag("%lu reads of %lu records, %lu of them again; %lu maskset switches, %lu stops",
	     shared->reads, shared->records, shared->again, shared->switches, shared->stops);
	if (!steady)
		ok(shared->switches && shared->stops,
		   "masksets were switched, and LKST was stopped");
	for (int cpu = 0; cpu < CPUS; cpu++)
		ok(shared->marks[cpu], "CPU %d: %lu marks were read", cpu, shared->marks[cpu]);
	need(set_maskset(LKST_MASKSET_ID_RDEFAULT), "MASKSET_SET");
	report_selftest();

	if (!steady) {
		need(lkst(LKST_IOC_TRC_STOP, NULL), "TRC_STOP");
		report_silence();
	}
	shared->stop_writers = true;
	ok(all_exit(writers, WRITERS), "the writers exit");
	if (steady)
		need(lkst(LKST_IOC_TRC_STOP, NULL), "TRC_STOP");
	for (int cpu = 0; cpu < CPUS; cpu++)
		report_counts(cpu);
	ok(get_status().lost == first.lost, "every event found a buffer on its CPU");
	report_wrongs("no record is corrupt, stale, lost, out of order or on the wrong CPU");

	need(lkst(LKST_IOC_TRC_START, NULL), "TRC_START");
	need(set_maskset(first.current_maskset_id), "MASKSET_SET");
	return done_testing();
}
