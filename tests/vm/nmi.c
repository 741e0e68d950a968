// SPDX-License-Identifier: GPL-2.0
/*
 * NMIs while events are recorded at full rate. On each CPU a program has the module
 * tests/modules/nmi.c record in a loop and send NMIs to the other CPU, whose handler records, too:
 * single events and bursts. All that is recorded must be whole, the kernel must have marked what
 * comes from an NMI, and the numbers must be those of the module.
 */
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "../modules/nmi.h"
#include "blocks.h"
#include "modules.h"
#include "records.h"

#define INT_NMI	    0x01d
#define SET	    100 /* a maskset of our own */
#define BUFFER	    1 /* a buffer of our own */
#define MIN_NMIS    200
#define MIN_MIDDLE  3
#define MIN_RECORDS 1000 /* read meanwhile, of the small buffer */
#define MAX_NMIS    100000 /* until so many dropped records were told: */
#define MIN_DROPPED 200
#define NMI_TIME_NS 500 /* no NMI takes less */

static volatile bool *stop;

static struct nmi_counts get_counts(void)
{
	struct nmi_counts counts;
	int fd = open(NMI_PATH, O_RDONLY);

	if (fd < 0 || read(fd, &counts, sizeof(counts)) != sizeof(counts))
		bail_out(NMI_PATH);
	close(fd);
	return counts;
}

/* The programs that record */

/* Carries out the order until it is told to stop, but so many times at most. */
static void record(const struct nmi_order *order, unsigned int times, int cpu)
{
	int fd = open(NMI_PATH, O_WRONLY);
	unsigned long serial = 0;

	pin(cpu);
	while (!*stop && times--) {
		if (write(fd, order, sizeof(*order)) != sizeof(*order))
			wrong("%s: %s", NMI_PATH, strerror(errno));
		if (mark((uint64_t)cpu << NMI_CPU_SHIFT | ++serial, 0, 0, 0))
			wrong("ENTRY_LOG: %s", strerror(errno));
	}
	close(fd);
}

static pid_t start(const struct nmi_order *order, unsigned int times, int cpu)
{
	pid_t pid;

	*stop = false;
	pid = fork();
	if (pid < 0)
		bail_out("fork");
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		record(order, times, cpu);
		_exit(0);
	}
	return pid;
}

static void await(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) < 0 || status)
		wrong("a program that records: status %#x", status);
}

static void begin(pid_t pids[CPUS], const struct nmi_order *order, unsigned int times)
{
	int cpu;

	for (cpu = 0; cpu < CPUS; cpu++)
		pids[cpu] = start(order, times, cpu);
}

static void end(const pid_t pids[CPUS])
{
	int cpu;

	for (cpu = 0; cpu < CPUS; cpu++)
		await(pids[cpu]);
}

/* No NMI is under way any more; each that came has been recorded and counted. */
static void be_quiet(void)
{
	sleep_ms(500);
	need(set_maskset(LKST_MASKSET_ID_RNOTHING), "MASKSET_SET");
}

/* What was recorded */

/* Of one reading, what the checks have come by. */
struct seen {
	uint64_t serial[2]; /* the last one of the tasks, and of the handler */
	uint64_t recid[2]; /* of that record */
	uint64_t num[2];
	uint64_t nmis; /* INT_NMI records of our handler */
	uint64_t middle; /* records that an NMI has interrupted */
	uint64_t others; /* likewise, but something else than an NMI */
	uint64_t gaps;
	bool etype[LKST_ETYPE_NUM];
};

/* A record of the module's: whole, of this CPU, and not one that was there before. */
static void check_ours(const struct lkst_log_record *record, struct seen *seen)
{
	unsigned int kind = record->posix.log_event_type == NMI_ETYPE_HANDLER;
	uint64_t serial = record->log_arg1 & ((1ULL << NMI_CPU_SHIFT) - 1);
	uint64_t recid = record->posix.log_recid;

	if (!has_pattern(record))
		wrong_record(record, "torn");
	if (record->log_arg1 >> NMI_CPU_SHIFT != (uint64_t)record->posix.log_processor)
		wrong_record(record, "of another CPU");
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
 * An NMI comes between the moment when a record gets its place and the one when it gets its time:
 * then the NMI's record has a later place and an earlier time.
 */
static void check_middle(const struct lkst_log_record *record, struct seen *seen)
{
	if (record_ns(&record[-1]) < record_ns(record) + NMI_TIME_NS || from_nmi(&record[-1]))
		return;
	if (from_nmi(record))
		seen->middle++;
	else
		seen->others++;
}

static void check_reading(const struct reading *reading, uint64_t handler, struct seen *seen)
{
	size_t i;

	memset(seen, 0, sizeof(*seen));
	check_sum(reading);
	for (i = 0; i < reading->num; i++) {
		const struct lkst_log_record *record = &reading->records[i];
		int etype = record->posix.log_event_type;

		check_record(reading, i);
		if (etype == NMI_ETYPE_TASK || etype == NMI_ETYPE_HANDLER)
			check_ours(record, seen);
		if (from_nmi(record) != (etype == NMI_ETYPE_HANDLER || etype == INT_NMI) &&
		    (etype == NMI_ETYPE_TASK || etype == NMI_ETYPE_HANDLER || etype == INT_NMI))
			wrong_record(record, "the NMI flag");
		seen->nmis += etype == INT_NMI && record->log_arg1 == handler;
		seen->etype[etype & (LKST_ETYPE_NUM - 1)] = true;
		if (!i)
			continue;
		seen->gaps += record->posix.log_recid != record[-1].posix.log_recid + 1;
		check_middle(record, seen);
	}
}

/* The CPUs begin to record to buffers of our own. */
static void use_buffers(uint64_t size)
{
	int cpu;

	for (cpu = 0; cpu < CPUS; cpu++)
		need(create(cpu, BUFFER, VOID, size) ?: jump(cpu, BUFFER), "BUFFER_CREATE, _JUMP");
}

static void remove_buffers(void)
{
	int cpu;

	for (cpu = 0; cpu < CPUS; cpu++)
		need(jump(cpu, 0) ?: delete_buffer(cpu, BUFFER), "BUFFER_JUMP, _DELETE");
}

static void set_own(const struct mask *masks, unsigned int num)
{
	need(write_maskset(SET, "nmi", masks, num) ?: set_maskset(SET), "MASKSET_WRITE, _SET");
}

#define LOG LKST_EVHANDLER_ID_ENTRY_LOG

static const struct mask ours[] = {
	{ NMI_ETYPE_TASK, LOG },
	{ NMI_ETYPE_HANDLER, LOG },
	{ INT_NMI, LOG },
};

static double seconds(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec + time.tv_nsec / 1e9;
}

/* Damage to what was read that the checks must notice: of the handler's last record. */

static struct lkst_log_record *last_handled(struct reading *reading)
{
	size_t i = reading->num;

	while (i-- > 1)
		if (reading->records[i].posix.log_event_type == NMI_ETYPE_HANDLER)
			return &reading->records[i];
	bail_out("no record of the NMI handler");
}

static void mix_arguments(struct reading *reading)
{
	last_handled(reading)->log_arg3++;
}

static void lose_flag(struct reading *reading)
{
	last_handled(reading)->posix.log_flags &= ~LKST_LOG_NMI;
}

static void repeat_record(struct reading *reading)
{
	struct lkst_log_record *record = last_handled(reading);
	uint64_t recid = record[-1].posix.log_recid;

	record[-1] = *record;
	record[-1].posix.log_recid = recid;
}

/* As if the one before had come right before it. */
static void skip_serial(struct reading *reading)
{
	struct lkst_log_record *record = last_handled(reading);
	__u64 args[4];

	pattern_fill(args, record->log_arg1 + 1000000);
	record->log_arg1 = args[0];
	record->log_arg2 = args[1];
	record->log_arg3 = args[2];
	record->log_arg4 = args[3];
}

static const struct {
	const char *name;
	void (*apply)(struct reading *reading);
} damages[] = {
	{ "arguments of two records", mix_arguments },
	{ "the NMI flag is lost", lose_flag },
	{ "a record twice", repeat_record },
	{ "a serial number too far", skip_serial },
};

static void report_selftest(const struct reading *reading, uint64_t handler)
{
	struct wrongs before;
	struct reading copy;
	struct seen seen;
	unsigned int i;

	reading_init(&copy, reading->max);
	for (i = 0; i < sizeof(damages) / sizeof(damages[0]); i++) {
		before = *wrongs;
		copy.num = reading->num;
		copy.param = reading->param;
		memcpy(copy.records, reading->records, copy.num * sizeof(*copy.records));
		damages[i].apply(&copy);
		check_reading(&copy, handler, &seen);
		ok(wrongs->num > before.num, "self-test: %s", damages[i].name);
		*wrongs = before;
	}
	reading_free(&copy);
}

/* What the rounds of test_each() have come by, on a CPU. */
struct total {
	uint64_t records;
	uint64_t nmis;
	uint64_t middle;
};

/* The buffer has room for all: each record is there, once, in its place. */
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
		wrong("CPU %d: %llu of %llu by the task, %llu of %llu by the handler, %llu of %llu NMIs",
		      cpu, (ull)seen.num[0], (ull)task, (ull)seen.num[1], (ull)handled,
		      (ull)seen.nmis, (ull)nmis);
	if (seen.serial[0] != after->task[cpu] ||
	    (handled && seen.serial[1] != after->handled[cpu]))
		wrong("CPU %d: the last ones are %llu and %llu, not %llu and %llu", cpu,
		      (ull)seen.serial[0], (ull)seen.serial[1], (ull)after->task[cpu],
		      (ull)after->handled[cpu]);
	if (seen.others)
		wrong("CPU %d: a time before its place, without an NMI", cpu);
	total->records += reading->num;
	total->nmis += nmis;
	total->middle += seen.middle;
}

static bool enough(const struct total *total)
{
	return total->nmis >= MIN_NMIS && total->middle >= MIN_MIDDLE;
}

/*
 * Round after round with fresh buffers. Where the emulated CPUs have to share one of the host's,
 * few NMIs come while their CPU runs: then it takes longer.
 */
static void test_each(uint64_t size, unsigned int for_seconds)
{
	static const struct nmi_order order = {
		.records = 1000, .send_every = 40, .burst_every = 16, .burst = 100
	};
	struct nmi_counts before = get_counts(), after;
	double end_time = seconds() + for_seconds, limit = end_time + 9 * for_seconds, took = 0;
	size_t slots = size / RECORD_SIZE;
	struct total totals[CPUS] = {};
	unsigned int rounds = 0;
	struct reading reading;
	pid_t pids[CPUS];
	int cpu;

	reading_init(&reading, slots);
	do {
		use_buffers(size);
		set_own(ours, 3);
		took -= seconds();
		begin(pids, &order, slots / order.records / 2);
		end(pids);
		took += seconds();
		be_quiet();
		after = get_counts();
		for (cpu = 0; cpu < CPUS; cpu++)
			check_all(&reading, cpu, &before, &after, &totals[cpu]);
		remove_buffers();
		before = after;
		rounds++;
	} while (seconds() < end_time ||
		 (!(enough(&totals[0]) && enough(&totals[1])) && seconds() < limit));
	report_selftest(&reading, after.handler);
	reading_free(&reading);
	for (cpu = 0; cpu < CPUS; cpu++) {
		ok(totals[cpu].nmis >= MIN_NMIS, "CPU %d: %llu records in %u rounds, %llu NMIs",
		   cpu, (ull)totals[cpu].records, rounds, (ull)totals[cpu].nmis);
		diag("%.0f records and %.0f NMIs a second", totals[cpu].records / took,
		     totals[cpu].nmis / took);
		ok(totals[cpu].middle >= MIN_MIDDLE,
		   "CPU %d: of these, %llu between a record's place and its time", cpu,
		   (ull)totals[cpu].middle);
	}
	report_wrongs("each record is there: of the task, of the handler, and each NMI");
}

static void check_in_block(struct blocks *blocks, const struct lkst_block *head, uint64_t recid,
			   const struct lkst_event_record *record)
{
	__u64 want[4];

	pattern_fill(want, record->arg[0]);
	if ((record->event_type == NMI_ETYPE_TASK || record->event_type == NMI_ETYPE_HANDLER) &&
	    memcmp(want, record->arg, sizeof(want)))
		blocks_wrong(blocks, "CPU %d: recid %llu is torn", head->cpu, (ull)recid);
}

/* Reads what comes from now on. */
static void open_blocks(struct blocks *blocks, int cpu)
{
	blocks_open(blocks, cpu);
	blocks->record = check_in_block;
	need(blocks_seek(blocks, cpu, LKST_BLOCK_RECID_END), "SEEK to the end");
	blocks->cpu[cpu].end = cpu_recid(cpu);
	blocks->cpu[cpu].begun = true;
}

/* The smallest buffers: a burst in an NMI comes round to the record that it has interrupted. */
static void test_small(unsigned int for_seconds)
{
	static const struct nmi_order order = {
		.records = 4000, .send_every = 40, .burst_every = 4, .burst = 100
	};
	struct nmi_counts before = get_counts(), after;
	struct lkst_buffer_listent list;
	unsigned long reads, records = 0;
	struct reading reading;
	uint64_t middle = 0;
	struct seen seen;
	pid_t pids[CPUS];
	double until;
	int cpu;

	use_buffers(4096);
	reading_init(&reading, 4096 / RECORD_SIZE);
	set_own(ours, 2);
	begin(pids, &order, -1);
	until = seconds() + for_seconds;
	for (reads = 0; seconds() < until || records <= MIN_RECORDS; reads++) {
		cpu = reads / 16 % CPUS;
		if (reads % 16 == 0)
			pin(!cpu);
		need(read_some(&reading, cpu, BUFFER, reading.max), "BUFFER_READ");
		check_reading(&reading, before.handler, &seen);
		records += reading.num;
		middle += seen.middle;
	}
	*stop = true;
	end(pids);
	be_quiet();
	after = get_counts();
	ok(records > MIN_RECORDS, "4 KB: %lu records were read meanwhile", records);
	diag("%lu reads; %llu NMIs in the middle of a record that was read", reads, (ull)middle);
	for (cpu = 0; cpu < CPUS; cpu++) {
		uint64_t task = after.task[cpu] - before.task[cpu];
		uint64_t handled = after.handled[cpu] - before.handled[cpu];

		need(read_some(&reading, cpu, BUFFER, reading.max), "BUFFER_READ");
		check_reading(&reading, before.handler, &seen);
		report_sum(&reading);
		equal(reading.param.recorded, task + handled,
		      "CPU %d: the task's %llu and the NMI handler's %llu", cpu, (ull)task,
		      (ull)handled);
		ok(reading.param.dropped,
		   "CPU %d: some were dropped: they had interrupted a record", cpu);
		list = buffer_of(cpu, BUFFER);
		ok(list.overwritten == reading.param.overwritten &&
			   list.dropped == reading.param.dropped,
		   "CPU %d: BUFFER_LIST says the same", cpu);
	}
	reading_free(&reading);
	remove_buffers();
}

/*
 * In blocks, what was dropped is told from what was overwritten. A program records slowly, and another
 * one, on the other CPU, sends an NMI and reads at once: before the buffer has come round again.
 */
static void test_dropped(int cpu)
{
	static const struct nmi_order slow = { .records = 1, .burst_every = 1, .burst = 100 };
	static const struct nmi_order one = {
		.records = 1, .send_every = 1, .burst_every = 1, .burst = 100
	};
	struct nmi_counts before, after;
	struct blocks blocks;
	const struct blocks_cpu *sum = &blocks.cpu[cpu];
	unsigned int nmis;
	uint64_t told;
	pid_t pid;
	int fd;

	use_buffers(4096);
	set_own(ours, 2);
	before = get_counts();
	open_blocks(&blocks, cpu);
	pin(!cpu);
	fd = open(NMI_PATH, O_WRONLY);
	pid = start(&slow, -1, cpu);
	for (nmis = 0; nmis < MAX_NMIS && sum->dropped < MIN_DROPPED; nmis++) {
		if (write(fd, &one, sizeof(one)) != sizeof(one))
			bail_out(NMI_PATH);
		blocks_read_all(&blocks);
	}
	*stop = true;
	await(pid);
	close(fd);
	be_quiet();
	after = get_counts();
	blocks_read_all(&blocks);
	told = buffer_of(cpu, BUFFER).dropped;
	ok(sum->dropped >= MIN_DROPPED && sum->dropped <= told,
	   "CPU %d: %u NMIs, and in blocks, %llu of %llu dropped records", cpu, nmis,
	   (ull)sum->dropped, (ull)told);
	equal(sum->read + sum->lost + sum->dropped + sum->unfinished,
	      after.task[cpu] + after.handled[cpu] - before.task[cpu] - before.handled[cpu],
	      "CPU %d: with %llu that were read, and %llu lost, that is each event", cpu,
	      (ull)sum->read, (ull)sum->lost);
	if (!ok(!blocks.wrong, "CPU %d: each block follows the one before", cpu))
		diag("%s", blocks.why);
	blocks_close(&blocks);
	remove_buffers();
}

/* All events there are. */
static void test_all(unsigned int for_seconds)
{
	static const struct nmi_order order = {
		.records = 40, .send_every = 20, .burst_every = 16, .burst = 100
	};
	static const int wanted[] = { NMI_ETYPE_TASK, NMI_ETYPE_HANDLER, INT_NMI,
				      USER_MARK,      SYSCALL_ENTRY,	 SYSCALL_EXIT };
	size_t slots = buffer_of(0, 0).size / RECORD_SIZE;
	bool etype[LKST_ETYPE_NUM] = {};
	unsigned int reads, i;
	struct nmi_counts before = get_counts();
	struct reading reading;
	uint64_t middle = 0;
	struct seen seen;
	pid_t pids[CPUS];
	double until;
	int cpu;

	reading_init(&reading, slots);
	need(set_maskset(LKST_MASKSET_ID_RALL), "MASKSET_SET");
	begin(pids, &order, -1);
	until = seconds() + for_seconds;
	for (reads = 0; seconds() < until; reads++) {
		cpu = reads % CPUS;
		pin(!cpu);
		need(read_some(&reading, cpu, 0, slots), "BUFFER_READ");
		check_reading(&reading, before.handler, &seen);
		middle += seen.middle;
		for (i = 0; i < LKST_ETYPE_NUM; i++)
			etype[i] |= seen.etype[i];
	}
	*stop = true;
	end(pids);
	be_quiet();
	for (i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++)
		ok(etype[wanted[i]], "all events: type %#x is in what was read", wanted[i]);
	diag("%u reads; %llu NMIs in the middle of a record that was read", reads, (ull)middle);
	for (cpu = 0; cpu < CPUS; cpu++) {
		need(read_some(&reading, cpu, 0, slots), "BUFFER_READ");
		check_reading(&reading, before.handler, &seen);
		report_sum(&reading);
	}
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
	report_wrongs("no record was torn, stale, out of order or out of place");

	equal(get_status().lost, before.lost, "no event found its CPU without a buffer");
	need(lkst_number(LKST_IOC_MASKSET_DELETE, SET), "MASKSET_DELETE");
	need(set_maskset(before.current_maskset_id), "MASKSET_SET");
	gives(unload_module("nmi"), 0, "the module goes");
	return done_testing();
}
