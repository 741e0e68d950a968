// SPDX-License-Identifier: GPL-2.0
/*
 * Writers record on two CPUs as fast as they can, and full buffers cause shifts. Consumers read in
 * block mode at varying speed: one for each CPU, and one for all CPUs. Now and then a consumer
 * opens a new file, like a daemon that was killed and restarted. Each consumer must get every
 * record exactly once, except for the records that the block headers count as lost, dropped or
 * unfinished.
 *
 *	stream SECONDS [steady]		"steady" does not switch masksets
 */
#include <sys/syscall.h>
#include <sys/time.h>

#include "etypes.h"
#include "records.h"
#include "stream.h"

/* Masksets */
enum {
	/* In all of these, a full buffer causes a shift and wakes readers. */
	SET_DEFAULT = 110, /* events of the default maskset */
	SET_OTHER, /* marks and a few other events */
	SET_TWIN, /* same as SET_OTHER: a switch between them toggles no event source */
};

/* The rounds of the test. In each round every CPU has a ring of @num buffers of @size bytes. */
static const struct round {
	uint64_t size;
	int num;
} rounds[] = {
	{ 4096, 2 }, { 16384, 3 }, { 4096, 8 }, { 65536, 4 }, { 1 << 20, 4 },
};

#define MOVING_MAX (1 << 22)
#define MIN_MARKS  100 /* a consumer must read more marks than this from each CPU */

/* One consumer for each CPU, and one for all of them. */
#define CONSUMERS (CPUS + 1)

/* A consumer and the results of its reads. */
struct consumer {
	volatile bool ready; /* whether it has opened its file and set @start */
	struct blocks blocks; /* blocks that it has read */
	struct checker marks; /* marks that it has read */
	uint64_t start[CPUS]; /* recid at which it begins on each CPU */
	unsigned long reads; /* number of reads */
	unsigned long slow; /* number of pauses, which let it fall behind the writers */
	unsigned long again; /* number of new files that it opened */
};

/* Memory that all processes share. */
static struct shared {
	volatile bool stop_writers; /* whether the writers must exit */
	volatile bool stop_others; /* whether the processes that cause disturbances must exit */
	volatile bool finish; /* whether the consumers must read the remaining records and exit */
	volatile pid_t tid[WRITERS]; /* thread id of each writer */
	struct consumer consumers[CONSUMERS];
	unsigned long switches; /* number of maskset switches */
	unsigned long shifts; /* number of shifts and jumps */
	unsigned long busy; /* how many shifts and jumps failed because the target was being read */
	unsigned long others; /* how many times buffer 200 was created and deleted */
	/*
	 * How often each mark of the writer that moves between CPUs was read: [0] by the consumers
	 * of one CPU each, [1] by the consumer of all CPUs. checker.moving is one of the two arrays.
	 */
	volatile unsigned char moving[2][MOVING_MAX];
} * shared;

static const struct round *round_now;

/* Recording */

static void writer(unsigned int nth)
{
	__u64 arg[4];

	shared->tid[nth] = getpid();
	pin(nth % CPUS);
	for (uint64_t number = 1; !shared->stop_writers; number++) {
		if (nth >= CPUS && number % 500 == 0)
			pin(number / 500 % CPUS);
		mark_fill(arg, nth, number);
		if (mark(arg[0], arg[1], arg[2], arg[3]))
			wrong("ENTRY_LOG: %s", strerror(errno));
	}
}

static void on_signal(int signal)
{
	(void)signal;
}

/* Cause system calls, signals and interrupts, and move from CPU to CPU. */
static void noise(void)
{
	struct itimerval timer = { { 0, 2000 }, { 0, 2000 } };
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };

	sigaction(SIGALRM, &action, NULL);
	sigaction(SIGUSR1, &action, NULL);
	setitimer(ITIMER_REAL, &timer, NULL);
	for (unsigned long n = 0; !shared->stop_writers; n++) {
		if (n % 100 == 0)
			pin(n / 100 % CPUS);
		syscall(SYS_getppid);
		kill(getpid(), SIGUSR1);
		if (n % 20 == 0)
			usleep(100);
	}
}

/* Reading */

static int consumer_cpu(unsigned int nth)
{
	return nth < CPUS ? (int)nth : -1;
}

static bool consumer_reads(unsigned int nth, int cpu)
{
	return nth == CPUS || (int)nth == cpu;
}

/* Open a file for a consumer. Records become readable after 50 ms at the latest. */
static void open_for(struct blocks *blocks, unsigned int nth)
{
	blocks_open(blocks, consumer_cpu(nth));
	need(blocks_wait(blocks, 50), "BLOCK_WAIT");
}

/* Replace the file with a new one, which continues where the old one stopped. */
static void start_over(struct consumer *consumer, unsigned int nth)
{
	struct blocks file, *blocks = &consumer->blocks;

	blocks_close(blocks);
	open_for(&file, nth);
	blocks->fd = file.fd;
	for (int cpu = 0; cpu < CPUS; cpu++)
		if (consumer_reads(nth, cpu))
			need(blocks_seek(blocks, cpu, blocks->cpu[cpu].end), "BLOCK_SEEK");
	consumer->again++;
}

/* Read blocks until @finish is set, at varying speed, with room for one or for many records. */
static void consume(struct consumer *consumer, unsigned int nth)
{
	static const size_t rooms[] = { 1 << 16, 1 << 16, 1000, 1 << 18, 200, 1 << 16 };
	static uint64_t bytes[(1 << 18) / sizeof(uint64_t)];
	struct blocks *blocks = &consumer->blocks;
	long got;

	for (unsigned long n = 1; !shared->finish; n++) {
		if (n % 200 == 0 && !shared->stop_others) {
			sleep_ms(20 + n / 200 % 7 * 30);
			consumer->slow++;
		}
		if (n % 170 == 0)
			start_over(consumer, nth);
		if (n / 32 % 2)
			need(blocks_flush(blocks), "BLOCK_FLUSH");
		else
			blocks_poll(blocks, 100);
		got = blocks_read(blocks, bytes, rooms[n % 6]);
		if (got < 0 && got != -EAGAIN)
			wrong("read(): %s", strerror(-got));
		consumer->reads++;
	}
	blocks_read_all(blocks);
}

static void be_consumer(unsigned int nth)
{
	struct consumer *consumer = &shared->consumers[nth];
	struct blocks *blocks = &consumer->blocks;

	consumer->marks = (struct checker){ .tid = shared->tid,
					    .moving = shared->moving[nth == CPUS],
					    .moving_num = MOVING_MAX };
	open_for(blocks, nth);
	blocks->record = check_mark;
	blocks->ctx = &consumer->marks;
	for (int cpu = 0; cpu < CPUS; cpu++) {
		if (!consumer_reads(nth, cpu))
			continue;
		consumer->start[cpu] = cpu_recid(cpu);
		need(blocks_seek(blocks, cpu, consumer->start[cpu]), "BLOCK_SEEK");
		blocks->cpu[cpu].end = consumer->start[cpu];
		blocks->cpu[cpu].begun = true;
	}
	consumer->ready = true;
	consume(consumer, nth);
	blocks_close(blocks);
}

/* Disturbances */

/*
 * Switch between two masksets. Both record marks, so no mark may be missing. With @sources, the
 * masksets differ in other events, so each switch turns event sources on and off, which takes time.
 */
static void switcher(bool sources)
{
	int error;

	for (unsigned long n = 0; !shared->stop_others; n++) {
		error = set_maskset(n % 2 ? SET_OTHER : sources ? SET_DEFAULT : SET_TWIN);
		if (error)
			wrong("MASKSET_SET: %s", strerror(error));
		shared->switches++;
		sleep_ms(n % 5);
	}
}

static void count_shift(int error)
{
	if (error == EBUSY)
		shared->busy++;
	else if (error)
		wrong("SHIFT or JUMP: %s", strerror(error));
	shared->shifts++;
}

static void shifter(void)
{
	for (unsigned long n = 0; !shared->stop_others; n++) {
		count_shift(shift(n % CPUS));
		if (n % 8 == 0)
			count_shift(jump(n / 8 % CPUS, n % 7 % round_now->num + 1));
		sleep_ms(n % 4 * 5);
	}
}

/* Read a buffer of the ring while events are recorded, and check the records and the counts. */
static void read_and_check(int cpu, int id)
{
	static struct reading reading;

	/*
	 * Read less than there is room for, so that check_sum() does not expect all records to be
	 * read.
	 */
	if (!reading.max)
		reading_init(&reading, 1025);
	if (read_some(&reading, cpu, id, 1024))
		wrong("BUFFER_READ: %s", strerror(errno));
	check_sum(&reading);
	for (size_t i = 0; i < reading.num; i++)
		check_record(&reading, i);
}

static void interferer(void)
{
	int error;

	for (unsigned long n = 0; !shared->stop_others; n++) {
		error = create(-1, 200, 201, 4096 << n % 5) ?: link_buffer(n % CPUS, 200, 1) ?:
			delete_buffer(0, 200) ?: delete_buffer(1, 200);
		if (error)
			wrong("buffer 200: %s", strerror(error));
		read_and_check(n % CPUS, n % round_now->num + 1);
		if (queue_of(n % CPUS).buffer_num < round_now->num + 1)
			wrong("BUFFER_LIST: %d buffers", queue_of(n % CPUS).buffer_num);
		shared->others++;
		sleep_ms(3);
	}
}

/* The rounds */

static void report_moving(unsigned int from, unsigned int to, volatile const unsigned char *moving)
{
	uint64_t missing = 0, lost = 0, last = 0;

	for (unsigned int nth = from; nth < to; nth++) {
		for (int cpu = 0; cpu < CPUS; cpu++) {
			uint64_t seen = shared->consumers[nth].marks.last[cpu][WRITERS - 1];

			lost += not_read(&shared->consumers[nth].blocks.cpu[cpu]);
			last = seen > last ? seen : last;
		}
	}
	for (uint64_t number = 1; number < last && number < MOVING_MAX; number++)
		missing += !moving[number];
	ok(missing <= lost,
	   "the moving writer: of %llu marks, %llu are missing, %llu records are lost", (ull)last,
	   (ull)missing, (ull)lost);
}

static void report_cpu(unsigned int nth, int cpu, uint64_t end)
{
	const struct consumer *consumer = &shared->consumers[nth];
	const struct blocks_cpu *seen = &consumer->blocks.cpu[cpu];

	if (!ok(seen->end == end && consumer->start[cpu] + seen->read + not_read(seen) == end,
		"consumer %u, CPU %d: %llu read, %llu lost, %llu dropped, %llu unfinished: every record is accounted for",
		nth, cpu, (ull)seen->read, (ull)seen->lost, (ull)seen->dropped,
		(ull)seen->unfinished))
		diag("from %llu to %llu, expected %llu", (ull)consumer->start[cpu], (ull)seen->end,
		     (ull)end);
	ok(consumer->marks.marks[cpu] > MIN_MARKS, "... including %llu marks",
	   (ull)consumer->marks.marks[cpu]);
}

static void report(unsigned int nth)
{
	const struct consumer *consumer = &shared->consumers[nth];

	none_wrong(&consumer->blocks.wrongs, "consumer %u: each block continues the one before",
		   nth);
	for (int cpu = 0; cpu < CPUS; cpu++)
		if (consumer_reads(nth, cpu))
			report_cpu(nth, cpu, cpu_recid(cpu));
	diag("consumer %u: %lu reads, %lu times slow, %lu files", nth, consumer->reads,
	     consumer->slow, consumer->again);
}

static bool marks_enough(void)
{
	for (unsigned int nth = 0; nth < CONSUMERS; nth++)
		for (int cpu = 0; cpu < CPUS; cpu++)
			if (consumer_reads(nth, cpu) &&
			    shared->consumers[nth].marks.marks[cpu] <= MIN_MARKS)
				return false;
	return true;
}

static void run_round(const struct round *round, unsigned int seconds, bool steady)
{
	pid_t writers[WRITERS + 1], others[3], consumers[CONSUMERS];
	unsigned int num = 0;
	bool sources = (round - rounds) % 2;

	diag("%d buffers of %llu KB", round->num, (ull)round->size / 1024);
	round_now = round;
	memset(shared, 0, sizeof(*shared));
	memset(wrongs, 0, sizeof(*wrongs));
	need(set_maskset(sources || steady ? SET_DEFAULT : SET_OTHER), "MASKSET_SET");
	for (int cpu = 0; cpu < CPUS; cpu++)
		make_ring(cpu, round->num, round->size);
	for (unsigned int nth = 0; nth < CONSUMERS; nth++)
		consumers[nth] = spawn(be_consumer(nth));
	/* Wait until all consumers are ready, since they would miss earlier records. */
	for (unsigned int nth = 0; nth < CONSUMERS; nth++)
		while (!shared->consumers[nth].ready)
			sleep_ms(10);
	for (unsigned int i = 0; i < WRITERS; i++)
		writers[i] = spawn(writer(i));
	writers[WRITERS] = spawn(noise());
	others[num++] = spawn(shifter());
	others[num++] = spawn(interferer());
	if (!steady)
		others[num++] = spawn(switcher(sources));

	run_for(seconds, marks_enough);
	shared->stop_others = true;
	ok(all_exit(others, num), "%d x %llu KB: the disturbing processes exit", round->num,
	   (ull)round->size / 1024);
	shared->stop_writers = true;
	ok(all_exit(writers, WRITERS + 1), "the writers exit");
	need(set_maskset(LKST_MASKSET_ID_RNOTHING), "MASKSET_SET");
	shared->finish = true;
	ok(all_exit(consumers, CONSUMERS), "the consumers read all records, and exit");
	for (unsigned int nth = 0; nth < CONSUMERS; nth++)
		report(nth);
	report_moving(0, CPUS, shared->moving[0]);
	report_moving(CPUS, CONSUMERS, shared->moving[1]);
	none_wrong(wrongs,
		   "no errors: %lu shifts and jumps (%lu busy), %lu other buffers, %lu switches",
		   shared->shifts, shared->busy, shared->others, shared->switches);
}

/*
 * Write a maskset that has the events of the default maskset except lock events. Its handler of
 * LKST_BUFF_OVFLOW is buffer_shift_dw, which must not be combined with lock events.
 */
static void write_default(void)
{
	struct lkst_maskset_body *body = calloc(1, LKST_MASKSET_SIZE_MAX);
	static struct mask masks[LKST_ETYPE_NUM];
	struct lkst_maskset_param param = { .id = LKST_MASKSET_ID_RDEFAULT,
					    .maskset_size = LKST_MASKSET_SIZE_MAX,
					    .maskset = (uintptr_t)body };
	unsigned int num = 0;

	bail_if(!body, "calloc");
	need(lkst(LKST_IOC_MASKSET_READ, &param), "MASKSET_READ");
	for (unsigned int i = 0; i < body->len; i++) {
		struct mask mask = { body->entry[i].event_type, body->entry[i].id };
		bool is_lock = mask.etype >= LKST_ETYPE_LOCK_MIN &&
			       mask.etype <= LKST_ETYPE_LOCK_MAX;

		if (mask.handler && mask.etype != BUFF_OVFLOW && !is_lock)
			masks[num++] = mask;
	}
	free(body);
	masks[num++] = (struct mask){ BUFF_OVFLOW, LKST_EVHANDLER_ID_BUFFER_SHIFT_DW };
	need(write_maskset(SET_DEFAULT, "stream", masks, num), "MASKSET_WRITE");
}

/* Event type of timer interrupts. On machines other than x86, these are hardware interrupts. */
#if defined(__x86_64__) || defined(__i386__)
#define TIMER_INTERRUPT 0x019
#else
#define TIMER_INTERRUPT INT_HARDWARE_ENTRY
#endif

static void write_masksets(void)
{
	static const struct mask other[] = {
		RECORDED(PROCESS_CONTEXTSWITCH),
		RECORDED(TIMER_INTERRUPT),
		RECORDED(SYSCALL_ENTRY),
		RECORDED(USER_MARK),
		RECORDED(BUFF_SHIFT),
		{ BUFF_OVFLOW, LKST_EVHANDLER_ID_BUFFER_SHIFT_DW },
	};

	write_default();
	need(write_maskset(SET_OTHER, "stream other", other, ARRAY_SIZE(other)), "MASKSET_WRITE");
	need(write_maskset(SET_TWIN, "stream twin", other, ARRAY_SIZE(other)), "MASKSET_WRITE");
}

int main(int argc, char **argv)
{
	struct lkst_trc_status before;

	if (argc < 2) {
		fprintf(stderr, "usage: stream SECONDS [steady]\n");
		return 2;
	}
	selftest();
	if (!strcmp(argv[1], "0"))
		return done_testing();

	shared = map(sizeof(*shared));
	prepare_checks();
	open_lkst();
	before = get_status();
	write_masksets();
	for (unsigned int i = 0; i < ARRAY_SIZE(rounds); i++)
		run_round(&rounds[i], (atoi(argv[1]) + ARRAY_SIZE(rounds) - 1) / ARRAY_SIZE(rounds),
			  argc > 2 && !strcmp(argv[2], "steady"));

	need(set_maskset(before.current_maskset_id), "MASKSET_SET");
	for (int cpu = 0; cpu < CPUS; cpu++)
		delete_buffers(cpu);
	for (int id = SET_DEFAULT; id <= SET_TWIN; id++)
		delete_maskset(id);
	equal(get_status().lost, before.lost, "every event found a buffer on its CPU");
	equal(get_status().memory, before.memory, "all memory has been freed");
	return done_testing();
}
