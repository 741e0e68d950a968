// SPDX-License-Identifier: GPL-2.0
/*
 * Everything at once: on two CPUs programs record as fast as they can, while another reads
 * what they record, and one more switches masksets, stops LKST and starts it again. What
 * is read must be whole and in order all the time, and in the end the numbers must add up.
 *
 *	stress SECONDS [MASKSETS]	with MASKSETS "steady" nothing is switched meanwhile
 */
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "records.h"

#define CPUS	2
#define WRITERS 3 /* one on each CPU, and one that moves */

#define SYSCALL_ENTRY 0x030

/**
 * struct shared - what the processes tell each other
 * @stop_writers: they are to end
 * @stop_others: likewise
 * @tid: of each writer
 * @calls: of each writer
 * @reads: that were done
 * @records: that were read
 * @marks: of these, from a writer; per CPU
 * @again: records that an earlier read had already
 * @switches: maskset switches
 * @stops: of LKST
 */
struct shared {
	volatile bool stop_writers;
	volatile bool stop_others;
	volatile pid_t tid[WRITERS];
	volatile unsigned long calls[WRITERS];
	unsigned long reads;
	unsigned long records;
	unsigned long marks[CPUS];
	unsigned long again;
	unsigned long switches;
	unsigned long stops;
};

static struct shared *shared;
/* When this test began: marks from before are of another one in this boot. */
static time_t began;
static uint64_t began_recid[CPUS];

/* Writing */

static void fill(struct lkst_entry_args *args, uint64_t first)
{
	__u64 pattern[4];

	pattern_fill(pattern, first);
	args->log_arg1 = pattern[0];
	args->log_arg2 = pattern[1];
	args->log_arg3 = pattern[2];
	args->log_arg4 = pattern[3];
}

static void writer(unsigned int me)
{
	struct lkst_entry_args args = { .event_type = USER_MARK };
	uint64_t serial;

	shared->tid[me] = getpid();
	pin(me % CPUS);
	for (serial = 1; !shared->stop_writers; serial++) {
		if (me >= CPUS && serial % 1000 == 0)
			pin(serial / 1000 % CPUS);
		fill(&args, (uint64_t)me << 56 | serial);
		if (ioctl(lkst_fd, LKST_IOC_ENTRY_LOG, &args))
			wrong("ENTRY_LOG: %s", strerror(errno));
		shared->calls[me] = serial;
	}
}

/* Reading */

static struct lkst_buffer_listent list(int cpu)
{
	return buffer_of(cpu, written_buffer(cpu));
}

static size_t slots(void)
{
	return list(0).size / LKST_SIZEOF_LKST_EVENT_RECORD;
}

/* At most @max records of the buffer that is being written. */
static void read_written(struct reading *reading, int cpu, size_t max)
{
	need(read_some(reading, cpu, list(cpu).id, max), "BUFFER_READ");
}

/* ns by which what is known of the clock may change during a read. */
#define TIME_SLACK 100000

/* The last of each writer's marks in this reading. */
struct progress {
	uint64_t serial[WRITERS];
	int64_t time[WRITERS];
};

static void check_mark(const struct lkst_log_record *record, int cpu, struct progress *progress)
{
	const struct posix_log_entry *posix = &record->posix;
	unsigned int writer = record->log_arg1 >> 56;
	uint64_t serial = record->log_arg1 & ~(0xffUL << 56);

	if (writer >= WRITERS || !has_pattern(record) ||
	    (pid_t)posix->log_thread != shared->tid[writer] ||
	    posix->log_pid != shared->tid[writer]) {
		wrong_record(record, "torn");
		return;
	}
	if (serial <= progress->serial[writer])
		wrong("CPU %d recid %#llx: mark %llu after %llu", cpu,
		      (unsigned long long)posix->log_recid, (unsigned long long)serial,
		      (unsigned long long)progress->serial[writer]);
	if (record_ns(record) < progress->time[writer] - TIME_SLACK ||
	    posix->log_time.tv_sec < began || posix->log_time.tv_sec > time(NULL) + 1)
		wrong("CPU %d recid %#llx: time %lld after %lld", cpu,
		      (unsigned long long)posix->log_recid, (long long)record_ns(record),
		      (long long)progress->time[writer]);
	progress->serial[writer] = serial;
	progress->time[writer] = record_ns(record);
	shared->marks[cpu]++;
}

/* A writer does little else but record. */
static void check_syscall(const struct lkst_log_record *record, int cpu)
{
	if (record->posix.log_thread == (uint32_t)shared->tid[cpu] &&
	    record->log_arg1 >> 32 == SYS_ioctl && record->log_arg3 != LKST_IOC_ENTRY_LOG)
		wrong("CPU %d recid %#llx: ioctl %#llx", cpu,
		      (unsigned long long)record->posix.log_recid,
		      (unsigned long long)record->log_arg3);
}

static void check_reading(const struct reading *reading, int cpu)
{
	struct progress progress = {};
	size_t i;

	check_sum(reading);
	for (i = 0; i < reading->num; i++) {
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

/* What two readings have both is the same, but for what is known of the clock. Returns how much. */
static size_t check_again(const struct reading *a, const struct reading *b, int cpu)
{
	size_t i = 0, j = 0, both = 0;

	while (i < a->num && j < b->num) {
		struct lkst_log_record first = a->records[i], second = b->records[j];

		if (first.posix.log_recid < second.posix.log_recid) {
			i++;
			continue;
		}
		if (first.posix.log_recid == second.posix.log_recid) {
			second.posix.log_time = first.posix.log_time;
			if (memcmp(&first, &second, sizeof(first)))
				wrong("CPU %d: recid %#llx is another record now", cpu,
				      (unsigned long long)first.posix.log_recid);
			both++;
			i++;
		}
		j++;
	}
	return both;
}

/* From the one CPU read the other's buffer, in which records are being written then. */
static void reader(void)
{
	struct reading readings[CPUS][2];
	unsigned long n;
	int cpu;

	for (cpu = 0; cpu < CPUS; cpu++) {
		reading_init(&readings[cpu][0], slots());
		reading_init(&readings[cpu][1], slots());
	}
	for (n = 0; !shared->stop_others; n++) {
		cpu = n / 16 % CPUS;
		if (n % 16 == 0)
			pin(!cpu);
		read_written(&readings[cpu][n % 2], cpu, n % 8 == 7 ? 1 + n % 100 : slots());
		check_reading(&readings[cpu][n % 2], cpu);
		shared->again += check_again(&readings[cpu][n % 2], &readings[cpu][!(n % 2)], cpu);
	}
}

/* Switching */

/* Nothing is recorded for some time. */
static bool silent(unsigned int ms)
{
	uint64_t then[CPUS];
	bool result = true;
	int cpu;

	for (cpu = 0; cpu < CPUS; cpu++)
		then[cpu] = cpu_recid(cpu);
	sleep_ms(ms);
	for (cpu = 0; cpu < CPUS; cpu++)
		result &= cpu_recid(cpu) == then[cpu];
	return result;
}

static void switch_maskset(lkst_maskset_id id)
{
	if (ioctl(lkst_fd, LKST_IOC_MASKSET_SET, id))
		wrong("MASKSET_SET %d: %s", id, strerror(errno));
	if (get_status().current_maskset_id != id)
		wrong("maskset %d was set and %d is current", id, get_status().current_maskset_id);
	shared->switches++;
}

static void stop_for_a_while(void)
{
	lkst_maskset_id id = get_status().current_maskset_id;

	if (ioctl(lkst_fd, LKST_IOC_TRC_STOP))
		wrong("TRC_STOP: %s", strerror(errno));
	if (get_status().state != LKST_TRC_STOPPED || !silent(20))
		wrong("after TRC_STOP events are recorded");
	if (!ioctl(lkst_fd, LKST_IOC_MASKSET_SET, LKST_MASKSET_ID_RALL) || errno != EBUSY)
		wrong("MASKSET_SET while LKST is stopped");
	if (ioctl(lkst_fd, LKST_IOC_TRC_START))
		wrong("TRC_START: %s", strerror(errno));
	if (get_status().state != LKST_TRC_RUNNING || get_status().current_maskset_id != id)
		wrong("after TRC_START the maskset is another one");
	shared->stops++;
}

static void switcher(void)
{
	static const lkst_maskset_id ids[] = { LKST_MASKSET_ID_RALL, LKST_MASKSET_ID_RDEFAULT,
					       LKST_MASKSET_ID_RNOTHING };
	unsigned long n;

	for (n = 0; !shared->stop_others; n++) {
		switch_maskset(ids[n % 3]);
		if (n % 4 == 3)
			stop_for_a_while();
		if (n % 3 < 2)
			sleep_ms(n % 7 * 10);
	}
}

/* All of it */

static pid_t start(void (*run)(unsigned int), unsigned int arg)
{
	pid_t pid = fork();

	if (pid < 0)
		bail_out("fork");
	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	run(arg);
	exit(0);
}

static void start_reader(unsigned int arg)
{
	(void)arg;
	reader();
}

static void start_switcher(unsigned int arg)
{
	(void)arg;
	switcher();
}

static bool finish(const pid_t *pids, unsigned int num)
{
	bool good = true;
	int status;

	while (num--)
		good &= waitpid(*pids++, &status, 0) > 0 && !status;
	return good;
}

/* LKST is stopped, and the writers go on. */
static void report_silence(void)
{
	unsigned long calls = 0, i;
	bool quiet;

	for (i = 0; i < WRITERS; i++)
		calls -= shared->calls[i];
	quiet = silent(1000);
	for (i = 0; i < WRITERS; i++)
		calls += shared->calls[i];
	ok(quiet && calls > 100, "stopped, LKST records none of %lu marks", calls);
}

/* Damage to what was read, near its end, that the checks must notice. */
static struct lkst_log_record *last_mark(struct reading *reading)
{
	size_t i = reading->num;

	while (i-- > 1)
		if (reading->records[i].posix.log_event_type == USER_MARK)
			return &reading->records[i];
	return NULL;
}

static void mix_arguments(struct reading *reading)
{
	last_mark(reading)->log_arg3++;
}

static void repeat_mark(struct reading *reading)
{
	struct lkst_log_record *mark = last_mark(reading), *other = mark - 1;
	uint64_t recid = other->posix.log_recid;

	*other = *mark;
	other->posix.log_recid = recid;
}

static void swap_recids(struct reading *reading)
{
	struct lkst_log_record *mark = last_mark(reading), *other = mark - 1;
	uint64_t recid = other->posix.log_recid;

	other->posix.log_recid = mark->posix.log_recid;
	mark->posix.log_recid = recid;
}

static void change_cpu(struct reading *reading)
{
	last_mark(reading)->posix.log_processor ^= 1;
}

static void change_thread(struct reading *reading)
{
	last_mark(reading)->posix.log_thread++;
}

static void lose_one(struct reading *reading)
{
	reading->num--;
}

static const struct {
	const char *name;
	void (*apply)(struct reading *reading);
} damages[] = {
	{ "arguments of two records", mix_arguments }, { "a record twice", repeat_mark },
	{ "recids out of order", swap_recids },	       { "another CPU", change_cpu },
	{ "another thread", change_thread },	       { "a record lost", lose_one },
};

/* The writers are at it. */
static void report_selftest(void)
{
	struct reading reading, copy;
	struct wrongs wrongs_before;
	unsigned int i;

	reading_init(&reading, slots());
	reading_init(&copy, slots());
	do
		read_written(&reading, 0, slots());
	while (!last_mark(&reading));
	for (i = 0; i < sizeof(damages) / sizeof(damages[0]); i++) {
		wrongs_before = *wrongs;
		copy.num = reading.num;
		copy.param = reading.param;
		memcpy(copy.records, reading.records, copy.num * sizeof(*copy.records));
		damages[i].apply(&copy);
		check_reading(&copy, 0);
		ok(wrongs->num > wrongs_before.num, "self-test: %s", damages[i].name);
		*wrongs = wrongs_before;
	}
	reading_free(&copy);
	reading_free(&reading);
}

/* Nothing is recorded any more. */
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
	   "CPU %d: BUFFER_LIST says the same", cpu);

	read_written(&again, cpu, slots());
	ok(again.num == reading.num && check_again(&reading, &again, cpu) == reading.num,
	   "CPU %d: read again it is the same", cpu);
	reading_free(&again);
	reading_free(&reading);
}

static bool steady; /* masksets stay as they are */

/* Marks of each CPU were read, and, if masksets change, LKST was stopped. */
static bool all_done(void)
{
	int cpu;

	for (cpu = 0; cpu < CPUS; cpu++)
		if (!shared->marks[cpu])
			return false;
	return steady || (shared->switches && shared->stops);
}

int main(int argc, char **argv)
{
	unsigned int seconds, num = 0, i;
	pid_t writers[WRITERS], others[2];
	struct lkst_trc_status first;
	int cpu;

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
	for (cpu = 0; cpu < CPUS; cpu++)
		began_recid[cpu] = cpu_recid(cpu);

	for (i = 0; i < WRITERS; i++)
		writers[i] = start(writer, i);
	others[num++] = start(start_reader, 0);
	if (!steady)
		others[num++] = start(start_switcher, 0);
	go_on(seconds, all_done);
	shared->stop_others = true;
	ok(finish(others, num), "the others end");
	diag("%lu reads of %lu records, %lu of them again; %lu maskset switches, %lu stops",
	     shared->reads, shared->records, shared->again, shared->switches, shared->stops);
	if (!steady)
		ok(shared->switches && shared->stops, "masksets were switched, and LKST stopped");
	for (cpu = 0; cpu < CPUS; cpu++)
		ok(shared->marks[cpu], "CPU %d: %lu marks were read", cpu, shared->marks[cpu]);
	if (ioctl(lkst_fd, LKST_IOC_MASKSET_SET, LKST_MASKSET_ID_RDEFAULT))
		bail_out("MASKSET_SET");
	report_selftest();

	if (steady) {
		shared->stop_writers = true;
		ok(finish(writers, WRITERS), "the writers end");
	}
	if (ioctl(lkst_fd, LKST_IOC_TRC_STOP))
		bail_out("TRC_STOP");
	if (!steady) {
		report_silence();
		shared->stop_writers = true;
		ok(finish(writers, WRITERS), "the writers end");
	}
	for (cpu = 0; cpu < CPUS; cpu++)
		report_counts(cpu);
	ok(get_status().lost == first.lost, "no event found its CPU without a buffer");
	report_wrongs("no record was torn, stale, lost, out of order or out of place");

	if (ioctl(lkst_fd, LKST_IOC_TRC_START) ||
	    ioctl(lkst_fd, LKST_IOC_MASKSET_SET, first.current_maskset_id))
		bail_out("TRC_START");
	return done_testing();
}
