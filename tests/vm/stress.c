// SPDX-License-Identifier: GPL-2.0
/*
 * Everything at once: on two CPUs programs record as fast as they can, while another reads
 * what they record, and one more switches masksets, stops LKST and starts it again. What
 * is read must be whole and in order all the time, and in the end the numbers must add up.
 *
 *	stress SECONDS [MASKSETS]	with MASKSETS "steady" nothing is switched meanwhile
 */
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <linux/lkst.h>
#include <linux/lkst_buffer.h>
#include <linux/lkst_maskset.h>

#include "tap.h"

#define CPUS		2
#define WRITERS		3	/* one on each CPU, and one that moves */

#define USER_MARK	0x0e0
#define SYSCALL_ENTRY	0x030
#define LOG_FLAGS	(LKST_LOG_INTERRUPT | LKST_RECORD_FLAGS << LKST_LOG_RECORD_SHIFT)

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
 * @wrong: things that are not as they must be
 * @why: the first of them
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
	unsigned long wrong;
	char why[512];
	unsigned long switches;
	unsigned long stops;
};

static struct shared *shared;
static int fd;
static bool registered[LKST_ETYPE_NUM];
static time_t began;

/* The first thing that is wrong is kept, all are counted. */
static void __attribute__((format(printf, 1, 2))) wrong(const char *why, ...)
{
	va_list args;

	if (__atomic_fetch_add(&shared->wrong, 1, __ATOMIC_RELAXED))
		return;
	va_start(args, why);
	vsnprintf(shared->why, sizeof(shared->why), why, args);
	va_end(args);
}

static void sleep_ms(unsigned int ms)
{
	struct timespec time = { ms / 1000, ms % 1000 * 1000000L };

	nanosleep(&time, NULL);
}

static void pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		bail_out("sched_setaffinity");
}

static void *map(size_t size)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		bail_out("memory");
	return p;
}

/* Writing */

static uint64_t mix(uint64_t value)
{
	value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9;
	value = (value ^ value >> 27) * 0x94d049bb133111eb;
	return value ^ value >> 31;
}

/* Each argument follows from the one before: parts of two marks do not make one. */
static void fill(struct lkst_entry_args *args, uint64_t first)
{
	args->log_arg1 = first;
	args->log_arg2 = mix(first);
	args->log_arg3 = mix(args->log_arg2);
	args->log_arg4 = mix(args->log_arg3);
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
		if (ioctl(fd, LKST_IOC_ENTRY_LOG, &args))
			wrong("ENTRY_LOG: %s", strerror(errno));
		shared->calls[me] = serial;
	}
}

/* Reading */

static struct lkst_buffer_listent list(int cpu)
{
	struct lkst_buffer_listent buffers[LKST_BUFFER_ID_MAX + 1];
	struct lkst_buffer_listparam param = { .cpu = cpu,
					       .listent_num = LKST_BUFFER_ID_MAX + 1,
					       .listent = (uintptr_t)buffers };
	int i;

	if (ioctl(fd, LKST_IOC_BUFFER_LIST, &param))
		bail_out("BUFFER_LIST");
	for (i = 0; i < param.buffer_num; i++)
		if (buffers[i].id == param.write_buf)
			return buffers[i];
	bail_out("no buffer is being written");
}

static uint64_t recorded(int cpu)
{
	struct lkst_buffer_listent buffer = list(cpu);

	return buffer.baseid + buffer.write_offset;
}

static size_t slots(void)
{
	return list(0).size / LKST_SIZEOF_LKST_EVENT_RECORD;
}

/* What was read of one buffer. */
struct reading {
	struct lkst_log_record *records;
	size_t num;
	struct lkst_log_buffer param;
};

static void reading_init(struct reading *reading)
{
	reading->records = map(slots() * sizeof(*reading->records));
	reading->num = 0;
}

static void reading_free(struct reading *reading)
{
	munmap(reading->records, slots() * sizeof(*reading->records));
}

/* At most @max records. */
static void read_buffer(struct reading *reading, int cpu, size_t max)
{
	reading->param = (struct lkst_log_buffer){
		.cpu = cpu,
		.id = list(cpu).id,
		.read_size = max * sizeof(*reading->records),
		.buffer = (uintptr_t)reading->records,
	};
	if (ioctl(fd, LKST_IOC_BUFFER_READ, &reading->param))
		bail_out("BUFFER_READ");
	reading->num = reading->param.result_read_size / sizeof(*reading->records);
	if (reading->param.result_read_size % sizeof(*reading->records) || reading->num > max)
		wrong("%llu bytes were read, of %zu records",
		      (unsigned long long)reading->param.result_read_size, max);
}

static void check_record(const struct lkst_log_record *record, int cpu)
{
	const struct posix_log_entry *posix = &record->posix;

	if (posix->log_magic != LKST_LOG_MAGIC || posix->log_format != LKST_LOG_FORMAT ||
	    posix->log_size != LKST_LOG_SIZE || posix->log_facility != LKST_LOG_FACILITY ||
	    posix->log_severity != LKST_LOG_SEVERITY || posix->log_processor != cpu ||
	    posix->log_flags & ~LOG_FLAGS || posix->log_time.tv_nsec < 0 ||
	    posix->log_time.tv_nsec >= 1000000000)
		wrong("CPU %d recid %#llx: fixed values or CPU", cpu,
		      (unsigned long long)posix->log_recid);
	if (posix->log_event_type < 0 || posix->log_event_type >= LKST_ETYPE_NUM ||
	    !registered[posix->log_event_type])
		wrong("CPU %d recid %#llx: event type %#x", cpu,
		      (unsigned long long)posix->log_recid, posix->log_event_type);
}

/* ns by which what is known of the clock may change during a read. */
#define TIME_SLACK	100000

/* The last of each writer's marks in this reading. */
struct progress {
	uint64_t serial[WRITERS];
	int64_t time[WRITERS];
};

static int64_t ns(const struct lkst_timespec *time)
{
	return time->tv_sec * 1000000000LL + time->tv_nsec;
}

static void check_mark(const struct lkst_log_record *record, int cpu, struct progress *progress)
{
	const struct posix_log_entry *posix = &record->posix;
	unsigned int writer = record->log_arg1 >> 56;
	uint64_t serial = record->log_arg1 & ~(0xffUL << 56);
	struct lkst_entry_args args;

	fill(&args, record->log_arg1);
	if (writer >= WRITERS || record->log_arg2 != args.log_arg2 ||
	    record->log_arg3 != args.log_arg3 || record->log_arg4 != args.log_arg4 ||
	    (pid_t)posix->log_thread != shared->tid[writer] ||
	    posix->log_pid != shared->tid[writer]) {
		wrong("CPU %d recid %#llx is torn: thread %u %#llx %#llx %#llx %#llx", cpu,
		      (unsigned long long)posix->log_recid, posix->log_thread,
		      (unsigned long long)record->log_arg1, (unsigned long long)record->log_arg2,
		      (unsigned long long)record->log_arg3, (unsigned long long)record->log_arg4);
		return;
	}
	if (serial <= progress->serial[writer])
		wrong("CPU %d recid %#llx: mark %llu after %llu", cpu,
		      (unsigned long long)posix->log_recid, (unsigned long long)serial,
		      (unsigned long long)progress->serial[writer]);
	if (ns(&posix->log_time) < progress->time[writer] - TIME_SLACK ||
	    posix->log_time.tv_sec < began || posix->log_time.tv_sec > time(NULL) + 1)
		wrong("CPU %d recid %#llx: time %lld after %lld", cpu,
		      (unsigned long long)posix->log_recid, (long long)ns(&posix->log_time),
		      (long long)progress->time[writer]);
	progress->serial[writer] = serial;
	progress->time[writer] = ns(&posix->log_time);
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
	const struct lkst_log_buffer *param = &reading->param;
	struct progress progress = {};
	uint64_t sum;
	size_t i;

	/* With room for all of them it is the sum, whatever is being recorded meanwhile. */
	sum = reading->num + param->overwritten + param->dropped + param->unfinished;
	if (sum > param->recorded ||
	    (sum < param->recorded && param->read_size == slots() * sizeof(*reading->records)))
		wrong("CPU %d: %zu read, %llu overwritten, %llu dropped, %llu unfinished, of %llu",
		      cpu, reading->num, (unsigned long long)param->overwritten,
		      (unsigned long long)param->dropped, (unsigned long long)param->unfinished,
		      (unsigned long long)param->recorded);
	for (i = 0; i < reading->num; i++) {
		const struct lkst_log_record *record = &reading->records[i];

		check_record(record, cpu);
		if (record->posix.log_recid >= param->first_recid + param->recorded ||
		    record->posix.log_recid < param->first_recid + param->overwritten ||
		    (i && record->posix.log_recid <= record[-1].posix.log_recid))
			wrong("CPU %d: recid %#llx", cpu,
			      (unsigned long long)record->posix.log_recid);
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
		reading_init(&readings[cpu][0]);
		reading_init(&readings[cpu][1]);
	}
	for (n = 0; !shared->stop_others; n++) {
		cpu = n / 16 % CPUS;
		if (n % 16 == 0)
			pin(!cpu);
		read_buffer(&readings[cpu][n % 2], cpu, n % 8 == 7 ? 1 + n % 100 : slots());
		check_reading(&readings[cpu][n % 2], cpu);
		shared->again += check_again(&readings[cpu][n % 2], &readings[cpu][!(n % 2)], cpu);
	}
}

/* Switching */

static struct lkst_trc_status status(void)
{
	struct lkst_trc_status status = {};

	if (ioctl(fd, LKST_IOC_TRC_STATUS, &status))
		bail_out("TRC_STATUS");
	return status;
}

/* Nothing is recorded for some time. */
static bool silent(unsigned int ms)
{
	uint64_t then[CPUS];
	bool result = true;
	int cpu;

	for (cpu = 0; cpu < CPUS; cpu++)
		then[cpu] = recorded(cpu);
	sleep_ms(ms);
	for (cpu = 0; cpu < CPUS; cpu++)
		result &= recorded(cpu) == then[cpu];
	return result;
}

static void switch_maskset(lkst_maskset_id id)
{
	if (ioctl(fd, LKST_IOC_MASKSET_SET, id))
		wrong("MASKSET_SET %d: %s", id, strerror(errno));
	if (status().current_maskset_id != id)
		wrong("maskset %d was set and %d is current", id, status().current_maskset_id);
	shared->switches++;
}

static void stop_for_a_while(void)
{
	lkst_maskset_id id = status().current_maskset_id;

	if (ioctl(fd, LKST_IOC_TRC_STOP))
		wrong("TRC_STOP: %s", strerror(errno));
	if (status().state != LKST_TRC_STOPPED || !silent(20))
		wrong("after TRC_STOP events are recorded");
	if (!ioctl(fd, LKST_IOC_MASKSET_SET, LKST_MASKSET_ID_RALL) || errno != EBUSY)
		wrong("MASKSET_SET while LKST is stopped");
	if (ioctl(fd, LKST_IOC_TRC_START))
		wrong("TRC_START: %s", strerror(errno));
	if (status().state != LKST_TRC_RUNNING || status().current_maskset_id != id)
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

static void read_etypes(void)
{
	FILE *file = fopen("/proc/lkst_etypes", "r");
	char line[512];
	unsigned int etype;

	if (!file)
		bail_out("/proc/lkst_etypes");
	while (fgets(line, sizeof(line), file))
		if (sscanf(line, "0x%x ", &etype) == 1 && etype < LKST_ETYPE_NUM)
			registered[etype] = true;
	fclose(file);
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
	{ "arguments of two records", mix_arguments },
	{ "a record twice", repeat_mark },
	{ "recids out of order", swap_recids },
	{ "another CPU", change_cpu },
	{ "another thread", change_thread },
	{ "a record lost", lose_one },
};

/* The writers are at it. */
static void report_selftest(void)
{
	struct reading reading, copy;
	struct shared before;
	unsigned int i;

	reading_init(&reading);
	reading_init(&copy);
	do
		read_buffer(&reading, 0, slots());
	while (!last_mark(&reading));
	for (i = 0; i < sizeof(damages) / sizeof(damages[0]); i++) {
		before = *shared;
		copy.num = reading.num;
		copy.param = reading.param;
		memcpy(copy.records, reading.records, copy.num * sizeof(*copy.records));
		damages[i].apply(&copy);
		check_reading(&copy, 0);
		ok(shared->wrong > before.wrong, "self-test: %s", damages[i].name);
		shared->wrong = before.wrong;
		memcpy(shared->why, before.why, sizeof(before.why));
	}
	reading_free(&copy);
	reading_free(&reading);
}

/* Nothing is recorded any more. */
static void report_counts(int cpu)
{
	struct lkst_buffer_listent buffer = list(cpu);
	struct reading reading, again;

	reading_init(&reading);
	reading_init(&again);
	read_buffer(&reading, cpu, slots());
	check_reading(&reading, cpu);
	ok(reading.param.recorded == reading.num + reading.param.overwritten +
					     reading.param.dropped &&
		   !reading.param.unfinished,
	   "CPU %d: recorded %llu = read %zu + overwritten %llu + dropped %llu", cpu,
	   (unsigned long long)reading.param.recorded, reading.num,
	   (unsigned long long)reading.param.overwritten,
	   (unsigned long long)reading.param.dropped);
	ok(buffer.baseid + buffer.write_offset ==
			   reading.param.first_recid + reading.param.recorded &&
		   buffer.first_recid == reading.param.first_recid &&
		   buffer.overwritten == reading.param.overwritten &&
		   buffer.dropped == reading.param.dropped,
	   "CPU %d: BUFFER_LIST says the same", cpu);

	read_buffer(&again, cpu, slots());
	ok(again.num == reading.num && check_again(&reading, &again, cpu) == reading.num,
	   "CPU %d: read again it is the same", cpu);
	reading_free(&again);
	reading_free(&reading);
}

int main(int argc, char **argv)
{
	unsigned int seconds, num = 0, i;
	pid_t writers[WRITERS], others[2];
	struct lkst_trc_status first;
	bool steady;
	int cpu;

	if (argc < 2) {
		fprintf(stderr, "usage: stress SECONDS [steady]\n");
		return 2;
	}
	seconds = atoi(argv[1]);
	steady = argc > 2 && !strcmp(argv[2], "steady");
	shared = map(sizeof(*shared));
	fd = open("/dev/lkst", O_RDWR);
	if (fd < 0)
		bail_out("/dev/lkst");
	read_etypes();
	first = status();
	began = time(NULL) - 1;

	for (i = 0; i < WRITERS; i++)
		writers[i] = start(writer, i);
	others[num++] = start(start_reader, 0);
	if (!steady)
		others[num++] = start(start_switcher, 0);
	sleep(seconds);
	shared->stop_others = true;
	ok(finish(others, num), "the others end");
	diag("%lu reads of %lu records, %lu of them again; %lu maskset switches, %lu stops",
	     shared->reads, shared->records, shared->again, shared->switches, shared->stops);
	if (!steady)
		ok(shared->switches && shared->stops, "masksets were switched, and LKST stopped");
	for (cpu = 0; cpu < CPUS; cpu++)
		ok(shared->marks[cpu], "CPU %d: %lu marks were read", cpu, shared->marks[cpu]);
	if (ioctl(fd, LKST_IOC_MASKSET_SET, LKST_MASKSET_ID_RDEFAULT))
		bail_out("MASKSET_SET");
	report_selftest();

	if (steady) {
		shared->stop_writers = true;
		ok(finish(writers, WRITERS), "the writers end");
	}
	if (ioctl(fd, LKST_IOC_TRC_STOP))
		bail_out("TRC_STOP");
	if (!steady) {
		report_silence();
		shared->stop_writers = true;
		ok(finish(writers, WRITERS), "the writers end");
	}
	for (cpu = 0; cpu < CPUS; cpu++)
		report_counts(cpu);
	ok(status().lost == first.lost, "no event found its CPU without a buffer");
	if (!ok(!shared->wrong, "no record was torn, stale, lost, out of order or out of place"))
		diag("%lu are wrong; the first: %s", shared->wrong, shared->why);

	if (ioctl(fd, LKST_IOC_TRC_START) ||
	    ioctl(fd, LKST_IOC_MASKSET_SET, first.current_maskset_id))
		bail_out("TRC_START");
	return done_testing();
}
