// SPDX-License-Identifier: GPL-2.0
/*
 * Check the records of NMIs that arrive while events are recorded at full rate. On each CPU a
 * program makes the module tests/modules/nmi.c record in a loop and send NMIs to the other CPU. The
 * module's NMI handler records single events and bursts. All records must be complete, the records
 * of the handler must have the NMI flag, and the module's counts must match the number of records.
 */
#include "../modules/nmi.h"
#include "blocks.h"
#include "modules.h"
#include "records.h"

#define INT_NMI	    0x01d
#define SET	    100 /* id of this test's maskset */
#define BUFFER	    1 /* id of this test's buffer on each CPU */
#define REQUEST(...)  { __VA_ARGS__, .burst = 100 } /* a struct nmi_request */
#define MIN_NMIS    200
#define MIN_MIDDLE  3
#define MIN_RECORDS 1000 /* number of records to read from the small buffers */
#define MAX_NMIS    1000000 /* number of NMIs after which test_dropped() gives up */
#define MIN_DROPPED 200
#define NMI_TIME_NS 500 /* minimum time that an NMI takes, in ns */

static volatile bool *stop;

static struct nmi_counts get_counts(void)
{
	struct nmi_counts counts;
	int fd = open(NMI_PATH, O_RDONLY);

	bail_if(fd < 0 || read(fd, &counts, sizeof(counts)) != sizeof(counts), NMI_PATH);
	close(fd);
	return counts;
}

/* The programs that record */

/* Send @request to the module @times times, or until *stop is set. Record a mark each time. */
static void record(const struct nmi_request *request, unsigned int times, int cpu)
{
	int fd = open(NMI_PATH, O_WRONLY);
	unsigned long serial = 0;

	pin(cpu);
	while (!*stop && times--) {
		if (write(fd, request, sizeof(*request)) != sizeof(*request))
			wrong("%s: %s", NMI_PATH, strerror(errno));
		if (mark((uint64_t)cpu << NMI_CPU_SHIFT | ++serial, 0, 0, 0))
			wrong("ENTRY_LOG: %s", strerror(errno));
	}
	close(fd);
}

static void begin(pid_t pids[CPUS], const struct nmi_request *request, unsigned int times)
{
	*stop = false;
	for (int cpu = 0; cpu < CPUS; cpu++)
		pids[cpu] = spawn(record(request, times, cpu));
}

/* Wait until the programs have exited, and check that they succeeded. */
static void await(const pid_t *pids, unsigned int num)
{
	while (num--)
		if (exit_status(pids[num]))
			wrong("a recording program fails");
}

/*
 * Wait until every NMI has been handled and recorded, mask all events, and return the counts. A CPU
 * on which a program runs has handled the NMIs that were sent to it before.
 */
static struct nmi_counts be_quiet(void)
{
	for (int cpu = 0; cpu < CPUS; cpu++)
		exit_status(spawn(pin(cpu)));
	sleep_ms(500);
	need(set_maskset(LKST_MASKSET_ID_RNOTHING), "MASKSET_SET");
	return get_counts();
}

/* The records */

/*
 * What the checks have found in one read of a buffer. In arrays, [0] is for records of the task,
 * [1] for those of the NMI handler.
 */
struct seen {
	uint64_t serial[2]; /* serial number in the last record */
	uint64_t recid[2]; /* recid of the last record */
	uint64_t num[2]; /* number of records */
	uint64_t nmis; /* number of INT_NMI records of the module's handler */
	uint64_t middle; /* number of NMIs that check_middle() has counted */
	uint64_t others; /* number of other interrupts that check_middle() has counted; must be 0 */
	uint64_t gaps; /* number of gaps in the recids */
	bool etype[LKST_ETYPE_NUM]; /* whether there is a record of the event type */
};

/*
 * Check that a record of the module is complete, from the right CPU, and newer than the record of
 * the same event type that was checked before it.
 */
static void check_own(const struct lkst_log_record *record, struct seen *seen)
{
	unsigned int kind = record->posix.log_event_type == NMI_ETYPE_HANDLER;
	uint64_t serial = record->log_arg1 & ((1ULL << NMI_CPU_SHIFT) - 1);
	uint64_t recid = record->posix.log_recid;

	if (!has_pattern(record))
		wrong_record(record, "torn");
	if (record->log_arg1 >> NMI_CPU_SHIFT != (uint64_t)record->posix.log_processor)
		wrong_record(record, "of the wrong CPU");
	if (serial <= seen->serial[kind])
		wrong_record(record, "out of order");
	if (seen->num[kind] && serial - seen->serial[kind] > recid - seen->recid[kind])
		wrong_record(record, "serial numbers are missing");
	seen->serial[kind] = serial;
	seen->recid[kind] = recid;
	seen->num[kind]++;
}

static bool from_nmi(const struct lkst_log_record *record)
{
	return record->posix.log_flags & LKST_LOG_NMI;
}

/*
 * Count an NMI, or another interrupt, that arrived after the previous record's slot was reserved
 * and before that record's timestamp was taken. The first record of such an interrupt has a later
 * slot and an earlier time than the previous record.
 */
static void check_middle(const struct lkst_log_record *record, struct seen *seen)
{
	if (record_ns(&record[-1]) < record_ns(record) + NMI_TIME_NS || from_nmi(&record[-1]))
		return;
	seen->middle += from_nmi(record);
	seen->others += !from_nmi(record);
}

static void check_reading(const struct reading *reading, uint64_t handler, struct seen *seen)
{
	memset(seen, 0, sizeof(*seen));
	check_sum(reading);
	for (size_t i = 0; i < reading->num; i++) {
		const struct lkst_log_record *record = &reading->records[i];
		int etype = record->posix.log_event_type;

		check_record(reading, i);
		if (etype == NMI_ETYPE_TASK || etype == NMI_ETYPE_HANDLER)
			check_own(record, seen);
		if ((etype == NMI_ETYPE_TASK && from_nmi(record)) ||
		    ((etype == NMI_ETYPE_HANDLER || etype == INT_NMI) && !from_nmi(record)))
			wrong_record(record, "the NMI flag");
		seen->nmis += etype == INT_NMI && record->log_arg1 == handler;
		seen->etype[etype & (LKST_ETYPE_NUM - 1)] = true;
		if (!i)
			continue;
		seen->gaps += record->posix.log_recid != record[-1].posix.log_recid + 1;
		check_middle(record, seen);
	}
}

/* Create a buffer of @size bytes on each CPU, and make it the current one. */
static void use_buffers(uint64_t size)
{
	for (int cpu = 0; cpu < CPUS; cpu++)
		need(create(cpu, BUFFER, VOID, size) ?: jump(cpu, BUFFER), "BUFFER_CREATE, _JUMP");
}

static void remove_buffers(void)
{
	for (int cpu = 0; cpu < CPUS; cpu++)
		delete_buffers(cpu);
}

static void set_own(const struct mask *masks, unsigned int num)
{
	need(write_maskset(SET, "nmi", masks, num) ?: set_maskset(SET), "MASKSET_WRITE, _SET");
}

#define LOG LKST_EVHANDLER_ID_ENTRY_LOG

static const struct mask own[] = { { NMI_ETYPE_TASK, LOG },
				   { NMI_ETYPE_HANDLER, LOG },
				   { INT_NMI, LOG } };

static double seconds(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec + time.tv_nsec / 1e9;
}

/* What read_during() has seen. */
struct during {
	unsigned long reads;
	unsigned long records;
	bool etype[LKST_ETYPE_NUM];
};

/*
 * On each CPU, let a program send @request to the module again and again. While these programs are
 * running, read buffer @id of CPU 0 @turns times from CPU 1, then buffer @id of CPU 1 @turns times
 * from CPU 0, and so on. Stop when @for_seconds have passed and more than MIN_RECORDS records have
 * been read.
 */
static void read_during(struct during *during, struct reading *reading, int id, unsigned int turns,
			const struct nmi_request *request, unsigned int for_seconds)
{
	uint64_t handler = get_counts().handler, middle = 0;
	double until = seconds() + for_seconds;
	struct seen seen;
	pid_t pids[CPUS];

	memset(during, 0, sizeof(*during));
	begin(pids, request, -1);
	for (; seconds() < until || during->records <= MIN_RECORDS; during->reads++) {
		int cpu = during->reads / turns % CPUS;

		if (during->reads % turns == 0)
			pin(!cpu);
		need(read_some(reading, cpu, id, reading->max), "BUFFER_READ");
		check_reading(reading, handler, &seen);
		during->records += reading->num;
		middle += seen.middle;
		for (unsigned int i = 0; i < LKST_ETYPE_NUM; i++)
			during->etype[i] |= seen.etype[i];
	}
	*stop = true;
	await(pids, CPUS);
	diag("%lu reads; %llu NMIs in the middle of a record that was read", during->reads,
	     (ull)middle);
}

/* Read and check a buffer after recording has ended, when the counts must add up. */
static void report_rest(struct reading *reading, int cpu, int id)
{
	struct seen seen;

	need(read_some(reading, cpu, id, reading->max), "BUFFER_READ");
	check_reading(reading, get_counts().handler, &seen);
	report_sum(reading);
}

/* Kinds of damage to the last record of the handler, all of which the checks must notice. */

static struct lkst_log_record *last_handled(const struct reading *reading)
{
	size_t i = reading->num;

	while (i-- > 1)
		if (reading->records[i].posix.log_event_type == NMI_ETYPE_HANDLER)
			return &reading->records[i];
	bail_out("no record of the NMI handler");
}

static void mix_arguments(struct lkst_log_record *record)
{
	record->log_arg3++;
}

static void lose_flag(struct lkst_log_record *record)
{
	record->posix.log_flags &= ~LKST_LOG_NMI;
}

static void repeat_record(struct lkst_log_record *record)
{
	uint64_t recid = record[-1].posix.log_recid;

	record[-1] = *record;
	record[-1].posix.log_recid = recid;
}

/* Change the serial number as if many records before this one were missing. */
static void skip_serial(struct lkst_log_record *record)
{
	__u64 args[4];

	pattern_fill(args, record->log_arg1 + 1000000);
	record->log_arg1 = args[0];
	record->log_arg2 = args[1];
	record->log_arg3 = args[2];
	record->log_arg4 = args[3];
}

static const struct {
	const char *name;
	void (*apply)(struct lkst_log_record *record);
} damages[] = {
	{ "arguments of two records mixed", mix_arguments },
	{ "the NMI flag is lost", lose_flag },
	{ "a record repeated", repeat_record },
	{ "serial numbers are skipped", skip_serial },
};

/*
 * Check that the checks notice each kind of damage to the reading. Afterwards the reading is as
 * before.
 */
static void report_selftest(const struct reading *reading, uint64_t handler)
{
	struct lkst_log_record *last = last_handled(reading), undamaged[2] = { last[-1], last[0] };
	const struct wrongs before = *wrongs;
	struct seen seen;

	for (unsigned int i = 0; i < ARRAY_SIZE(damages); i++) {
		damages[i].apply(last);
		check_reading(reading, handler, &seen);
		ok(wrongs->num > before.num, "self-test: %s", damages[i].name);
		memcpy(&last[-1], undamaged, sizeof(undamaged));
		*wrongs = before;
	}
}

/* Sums over the rounds of test_each(), for one CPU. */
struct total {
	uint64_t records;
	uint64_t nmis;
	uint64_t middle;
};

/*
 * Read and check the buffer of a CPU, and add to @total. The buffer has room for all records, so
 * the number of records must be equal to the counts of the module, and no recid may be missing.
 */
static void check_all(struct reading *reading, int cpu, const struct nmi_counts *before,
		      const struct nmi_counts *after, struct total *total)
{
	uint64_t task = after->task[cpu] - before->task[cpu];
	uint64_t handled = after->handled[cpu] - before->handled[cpu];
	uint64_t nmis = after->nmis[cpu] - before->nmis[cpu];
	struct seen seen;

	need(read_some(reading, cpu, BUFFER, reading->max), "BUFFER_READ");
	check_reading(reading, after->handler, &seen);
	if (reading->param.overwritten || reading->param.dropped || seen.gaps)
		wrong("CPU %d: %llu overwritten, %llu dropped, %llu recids missing", cpu,
		      (ull)reading->param.overwritten, (ull)reading->param.dropped, (ull)seen.gaps);
	if (seen.num[0] != task || seen.num[1] != handled || seen.nmis != nmis)
		wrong("CPU %d: task %llu of %llu, handler %llu of %llu, NMIs %llu of %llu", cpu,
		      (ull)seen.num[0], (ull)task, (ull)seen.num[1], (ull)handled, (ull)seen.nmis,
		      (ull)nmis);
	if (seen.serial[0] != after->task[cpu] ||
	    (handled && seen.serial[1] != after->handled[cpu]))
		wrong("CPU %d: the last records are %llu and %llu, expected %llu and %llu", cpu,
		      (ull)seen.serial[0], (ull)seen.serial[1], (ull)after->task[cpu],
		      (ull)after->handled[cpu]);
	if (seen.others)
		wrong("CPU %d: an early time without an NMI", cpu);
	total->records += reading->num;
	total->nmis += nmis;
	total->middle += seen.middle;
}

static bool enough(const struct total *total)
{
	return total->nmis >= MIN_NMIS && total->middle >= MIN_MIDDLE;
}

/*
 * Check that no record is missing, in rounds that begin with empty buffers, for @for_seconds. If
 * the emulated CPUs share one CPU of the host, few NMIs arrive while their target is running. So
 * continue until there have been enough NMIs, but for ten times @for_seconds at most.
 */
static void test_each(uint64_t size, unsigned int for_seconds)
{
	const struct nmi_request request =
		REQUEST(.records = 1000, .send_every = 40, .burst_every = 16);
	struct nmi_counts before = get_counts(), after;
	double end_time = seconds() + for_seconds, limit = end_time + 9 * for_seconds;
	size_t slots = size / RECORD_SIZE;
	struct total totals[CPUS] = {};
	unsigned int rounds = 0;
	struct reading reading;
	pid_t pids[CPUS];

	reading_init(&reading, slots);
	do {
		use_buffers(size);
		set_own(own, 3);
		begin(pids, &request, slots / request.records / 2);
		await(pids, CPUS);
		after = be_quiet();
		for (int cpu = 0; cpu < CPUS; cpu++)
			check_all(&reading, cpu, &before, &after, &totals[cpu]);
		remove_buffers();
		before = after;
		rounds++;
	} while (seconds() < end_time ||
		 (!(enough(&totals[0]) && enough(&totals[1])) && seconds() < limit));
	report_selftest(&reading, after.handler);
	reading_free(&reading);
	for (int cpu = 0; cpu < CPUS; cpu++) {
		ok(totals[cpu].nmis >= MIN_NMIS, "CPU %d: %llu records in %u rounds, %llu NMIs",
		   cpu, (ull)totals[cpu].records, rounds, (ull)totals[cpu].nmis);
		ok(totals[cpu].middle >= MIN_MIDDLE,
		   "CPU %d: %llu NMIs between a record's slot and its timestamp", cpu,
		   (ull)totals[cpu].middle);
	}
	report_wrongs("no record of the tasks, the handlers or the NMIs is missing");
}

static void check_in_block(struct blocks *blocks, const struct lkst_block *header, uint64_t recid,
			   const struct lkst_event_record *record)
{
	__u64 expected[4];

	pattern_fill(expected, record->arg[0]);
	if ((record->event_type == NMI_ETYPE_TASK || record->event_type == NMI_ETYPE_HANDLER) &&
	    memcmp(expected, record->arg, sizeof(expected)))
		blocks_wrong(blocks, "CPU %d: recid %llu is corrupt", header->cpu, (ull)recid);
}

/*
 * Check the counts of dropped records. With the smallest buffers, a burst in an NMI wraps onto the
 * record that the NMI has interrupted.
 */
static void test_small(unsigned int for_seconds)
{
	const struct nmi_request request =
		REQUEST(.records = 4000, .send_every = 40, .burst_every = 4);
	struct nmi_counts before = get_counts(), after;
	struct lkst_buffer_listent list;
	struct reading reading;
	struct during during;

	use_buffers(4096);
	reading_init(&reading, 4096 / RECORD_SIZE);
	set_own(own, 2);
	read_during(&during, &reading, BUFFER, 16, &request, for_seconds);
	after = be_quiet();
	ok(during.records > MIN_RECORDS, "4 KB: %lu records were read", during.records);
	for (int cpu = 0; cpu < CPUS; cpu++) {
		uint64_t task = after.task[cpu] - before.task[cpu];
		uint64_t handled = after.handled[cpu] - before.handled[cpu];

		report_rest(&reading, cpu, BUFFER);
		equal(reading.param.recorded, task + handled,
		      "CPU %d: %llu events of the task and %llu of the NMI handler were recorded",
		      cpu, (ull)task, (ull)handled);
		ok(reading.param.dropped,
		   "CPU %d: records that interrupted a writer were dropped", cpu);
		list = buffer_of(cpu, BUFFER);
		ok(list.overwritten == reading.param.overwritten &&
			   list.dropped == reading.param.dropped,
		   "CPU %d: BUFFER_LIST has the same numbers", cpu);
	}
	reading_free(&reading);
	remove_buffers();
}

/*
 * Check that blocks count dropped records separately from overwritten ones. On @cpu, a child
 * process records one event at a time. From the other CPU, the test sends an NMI to @cpu, and reads
 * immediately, before the buffer wraps again.
 */
static void test_dropped(int cpu)
{
	const struct nmi_request slow = REQUEST(.records = 1, .burst_every = 1);
	const struct nmi_request one = REQUEST(.records = 1, .send_every = 1, .burst_every = 1);
	struct nmi_counts before, after;
	struct blocks blocks;
	struct blocks_cpu *sum = &blocks.cpu[cpu];
	unsigned int nmis;
	uint64_t listed;
	pid_t pid;
	int fd;

	use_buffers(4096);
	set_own(own, 2);
	before = get_counts();
	/* Begin with the next record. */
	blocks_open(&blocks, cpu);
	blocks.record = check_in_block;
	need(blocks_seek(&blocks, cpu, LKST_BLOCK_RECID_END), "SEEK to the end");
	sum->end = cpu_recid(cpu);
	sum->begun = true;
	pin(!cpu);
	fd = open(NMI_PATH, O_WRONLY);
	*stop = false;
	pid = spawn(record(&slow, -1, cpu));
	for (nmis = 0; nmis < MAX_NMIS && sum->dropped < MIN_DROPPED; nmis++) {
		bail_if(write(fd, &one, sizeof(one)) != sizeof(one), NMI_PATH);
		blocks_read_all(&blocks);
	}
	*stop = true;
	await(&pid, 1);
	close(fd);
	after = be_quiet();
	blocks_read_all(&blocks);
	listed = buffer_of(cpu, BUFFER).dropped;
	ok(sum->dropped >= MIN_DROPPED && sum->dropped <= listed,
	   "CPU %d: %u NMIs; blocks report %llu of %llu dropped records", cpu, nmis,
	   (ull)sum->dropped, (ull)listed);
	equal(sum->read + sum->lost + sum->dropped + sum->unfinished,
	      after.task[cpu] + after.handled[cpu] - before.task[cpu] - before.handled[cpu],
	      "CPU %d: with %llu records read and %llu lost, every event is accounted for", cpu,
	      (ull)sum->read, (ull)sum->lost);
	none_wrong(&blocks.wrongs, "CPU %d: each block continues the one before", cpu);
	blocks_close(&blocks);
	remove_buffers();
}

/* Check the records while all event types are recorded. */
static void test_all(unsigned int for_seconds)
{
	const struct nmi_request request =
		REQUEST(.records = 40, .send_every = 20, .burst_every = 16);
	static const int expected[] = { NMI_ETYPE_TASK, NMI_ETYPE_HANDLER, INT_NMI,
					USER_MARK,	SYSCALL_ENTRY,	   SYSCALL_EXIT };
	struct reading reading;
	struct during during;

	reading_init(&reading, buffer_of(0, 0).size / RECORD_SIZE);
	need(set_maskset(LKST_MASKSET_ID_RALL), "MASKSET_SET");
	read_during(&during, &reading, 0, 1, &request, for_seconds);
	be_quiet();
	for (unsigned int i = 0; i < ARRAY_SIZE(expected); i++)
		ok(during.etype[expected[i]], "all events: type %#x has been read", expected[i]);
	for (int cpu = 0; cpu < CPUS; cpu++)
		report_rest(&reading, cpu, 0);
	reading_free(&reading);
}

int main(void)
{
	struct lkst_trc_status before;

	need(load_module("nmi"), "modules/nmi.ko");
	open_lkst();
	prepare_checks();
	stop = map(sizeof(*stop));
	before = get_status();
	need(set_maskset(LKST_MASKSET_ID_RNOTHING), "MASKSET_SET");

	test_each(16 << 20, 20);
	test_small(15);
	test_dropped(0);
	test_dropped(1);
	test_all(20);
	report_wrongs("no record is corrupt, stale, out of order or on the wrong CPU");

	equal(get_status().lost, before.lost, "every event found a buffer on its CPU");
	need(lkst_number(LKST_IOC_MASKSET_DELETE, SET), "MASKSET_DELETE");
	need(set_maskset(before.current_maskset_id), "MASKSET_SET");
	gives(unload_module("nmi"), 0, "the module can be unloaded");
	return done_testing();
}
