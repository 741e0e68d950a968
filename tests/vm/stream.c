// SPDX-License-Identifier: GPL-2.0
/*
 * On two CPUs programs record as fast as they can, and the buffers shift as they fill up. Consumers
 * read blocks, one of each CPU and one of all, fast at times and slow at others. Now and then one starts
 * over with a new file, as a daemon does that was killed. Each must get every record once, but for
 * those that the headers of the blocks count as lost, dropped or unfinished.
 *
 *	stream SECONDS [steady]		with "steady" masksets stay as they are
 */
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>

#include "stream.h"

/* Masksets */
enum {
	SET_DEFAULT = 110, /* all that the default one records; overflows shift, and wake */
	SET_OTHER, /* marks and some more, likewise */
	SET_TWIN, /* the same, so no source has to be switched */
};

/* Rounds of the test: each CPU has a ring of buffers. */
static const struct round {
	uint64_t size;
	int num;
} rounds[] = {
	{ 4096, 2 }, { 16384, 3 }, { 4096, 8 }, { 65536, 4 }, { 1 << 20, 4 },
};

#define ROUNDS (sizeof(rounds) / sizeof(rounds[0]))

#define MOVING_MAX (1 << 22)
#define MIN_MARKS  100 /* that a consumer is to see, of each CPU */

/* One for each CPU, and one for all of them. */
#define CONSUMERS (CPUS + 1)

/**
 * struct shared - what the processes tell each other
 * @stop_writers: they are to end
 * @stop_others: likewise
 * @tid: of each writer
 * @calls: of each writer
 * @ready: the consumer knows where it begins
 * @finish: nothing is recorded any more
 * @result: of each consumer
 * @start: of each consumer and CPU, the recid that it begins with
 * @reads: of each consumer
 * @slow: how often each consumer waited on purpose
 * @again: how often each consumer went on with a new file
 * @switches: of masksets
 * @shifts: and jumps that were asked for
 * @busy: of these, how many were refused because a reader was in the way
 * @others: buffers that were created and deleted meanwhile
 * @listed: LISTs and READs of buffers in use
 * @wrong: things outside the streams that are not as they must be
 * @why: the first of them
 * @moving: see struct checker: of those who read a CPU each, and of the one that reads all
 */
struct shared {
	volatile bool stop_writers;
	volatile bool stop_others;
	volatile pid_t tid[WRITERS];
	volatile uint64_t calls[WRITERS];
	volatile bool ready[CONSUMERS];
	volatile bool finish;
	struct blocks result[CONSUMERS];
	struct checker marks[CONSUMERS];
	uint64_t start[CONSUMERS][CPUS];
	unsigned long reads[CONSUMERS];
	unsigned long slow[CONSUMERS];
	unsigned long again[CONSUMERS];
	unsigned long switches;
	unsigned long shifts;
	unsigned long busy;
	unsigned long others;
	unsigned long listed;
	unsigned long wrong;
	char why[256];
	volatile unsigned char moving[2][MOVING_MAX];
};

static struct shared *shared;
static const struct round *round_now;

static void __attribute__((format(printf, 1, 2))) wrong(const char *why, ...)
{
	va_list args;

	if (__atomic_fetch_add(&shared->wrong, 1, __ATOMIC_RELAXED))
		return;
	va_start(args, why);
	vsnprintf(shared->why, sizeof(shared->why), why, args);
	va_end(args);
}

/* Recording */

static void writer(unsigned int me)
{
	lkst_arg_t arg[4];
	uint64_t number;

	shared->tid[me] = getpid();
	pin(me % CPUS);
	for (number = 1; !shared->stop_writers; number++) {
		if (me >= CPUS && number % 500 == 0)
			pin(number / 500 % CPUS);
		fill_mark(arg, me, number);
		if (mark(arg[0], arg[1], arg[2], arg[3]))
			wrong("ENTRY_LOG: %s", strerror(errno));
		shared->calls[me] = number;
	}
}

static void on_signal(int signal)
{
	(void)signal;
}

/* System calls, signals, interrupts, and a process that moves. */
static void noise(unsigned int unused)
{
	struct itimerval timer = { { 0, 2000 }, { 0, 2000 } };
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
	unsigned long n;

	(void)unused;
	sigaction(SIGALRM, &action, NULL);
	sigaction(SIGUSR1, &action, NULL);
	setitimer(ITIMER_REAL, &timer, NULL);
	for (n = 0; !shared->stop_writers; n++) {
		if (n % 100 == 0)
			pin(n / 100 % CPUS);
		syscall(SYS_getppid);
		kill(getpid(), SIGUSR1);
		if (n % 20 == 0)
			usleep(100);
	}
}

/* Reading */

static int consumer_cpu(unsigned int me)
{
	return me < CPUS ? (int)me : -1;
}

static bool consumer_reads(unsigned int me, int cpu)
{
	return me == CPUS || (int)me == cpu;
}

/* A new file, which reads on where the last one stopped. */
static void start_over(struct blocks *blocks, unsigned int me)
{
	struct blocks seen = *blocks;
	int cpu;

	blocks_close(blocks);
	blocks_open(blocks, consumer_cpu(me));
	need(blocks_wait(blocks, 50), "BLOCK_WAIT");
	seen.fd = blocks->fd;
	*blocks = seen;
	for (cpu = 0; cpu < CPUS; cpu++)
		if (consumer_reads(me, cpu))
			need(blocks_seek(blocks, cpu, blocks->cpu[cpu].end), "BLOCK_SEEK");
	shared->again[me]++;
}

/* With room for one record, some, and many; fast and slow. */
static void consume(struct blocks *blocks, unsigned int me)
{
	static const size_t rooms[] = { 1 << 16, 1 << 16, 1000, 1 << 18, 200, 1 << 16 };
	static uint64_t bytes[(1 << 18) / sizeof(uint64_t)];
	unsigned long n;
	long got;

	for (n = 1; !shared->finish; n++) {
		struct pollfd pollfd = { .fd = blocks->fd, .events = POLLIN };

		if (n % 200 == 0 && !shared->stop_others) {
			sleep_ms(20 + n / 200 % 7 * 30);
			shared->slow[me]++;
		}
		if (n % 170 == 0)
			start_over(blocks, me);
		if (n / 32 % 2)
			need(blocks_flush(blocks), "BLOCK_FLUSH");
		else
			poll(&pollfd, 1, 100);
		got = blocks_read(blocks, bytes, rooms[n % 6]);
		if (got < 0 && got != -EAGAIN)
			wrong("read(): %s", strerror(-got));
		shared->reads[me]++;
	}
	blocks_read_all(blocks);
}

static void consumer(unsigned int me)
{
	struct checker *checker = &shared->marks[me];
	struct blocks blocks;
	int cpu;

	*checker = (struct checker){ .tid = shared->tid,
				     .moving = shared->moving[me == CPUS],
				     .moving_num = MOVING_MAX };
	blocks_open(&blocks, consumer_cpu(me));
	need(blocks_wait(&blocks, 50), "BLOCK_WAIT");
	blocks.record = check_mark;
	blocks.ctx = checker;
	for (cpu = 0; cpu < CPUS; cpu++) {
		if (!consumer_reads(me, cpu))
			continue;
		shared->start[me][cpu] = cpu_recid(cpu);
		need(blocks_seek(&blocks, cpu, shared->start[me][cpu]), "BLOCK_SEEK");
		blocks.cpu[cpu].end = shared->start[me][cpu];
		blocks.cpu[cpu].begun = true;
	}
	shared->ready[me] = true;
	consume(&blocks, me);
	shared->result[me] = blocks;
	blocks_close(&blocks);
}

/* In the way */

/*
 * All of them record the marks, so none may be missing. In every other round sources are switched too,
 * which takes its time.
 */
static void switcher(unsigned int sources)
{
	unsigned long n;
	int error;

	for (n = 0; !shared->stop_others; n++) {
		error = set_maskset(n % 2 ? SET_OTHER : sources ? SET_DEFAULT : SET_TWIN);
		if (error)
			wrong("MASKSET_SET: %s", strerror(error));
		shared->switches++;
		sleep_ms(n % 5);
	}
}

static void asked(int error)
{
	if (error == EBUSY)
		shared->busy++;
	else if (error)
		wrong("SHIFT or JUMP: %s", strerror(error));
	shared->shifts++;
}

static void shifter(unsigned int unused)
{
	unsigned long n;

	(void)unused;
	for (n = 0; !shared->stop_others; n++) {
		asked(shift(n % CPUS));
		if (n % 8 == 0)
			asked(jump(n / 8 % CPUS, n % 7 % round_now->num + 1));
		sleep_ms(n % 4 * 5);
	}
}

/* A buffer in use: what is read of it is in order and no more than there is. */
static void look(int cpu, int id)
{
	static struct lkst_log_record records[1024];
	struct lkst_log_buffer param;
	size_t i, num;

	if (read_buffer_max(&param, cpu, id, records, 1024)) {
		wrong("BUFFER_READ: %s", strerror(errno));
		return;
	}
	num = param.result_read_size / sizeof(records[0]);
	for (i = 0; i < num; i++)
		if (records[i].posix.log_recid < param.first_recid ||
		    records[i].posix.log_recid >= param.first_recid + param.recorded ||
		    (i && records[i].posix.log_recid <= records[i - 1].posix.log_recid) ||
		    records[i].posix.log_processor != cpu)
			wrong("BUFFER_READ: recid %llu of %llu and %llu more",
			      (ull)records[i].posix.log_recid, (ull)param.first_recid,
			      (ull)param.recorded);
	if (num + param.overwritten + param.dropped + param.unfinished > param.recorded)
		wrong("BUFFER_READ: %zu and %llu, %llu, %llu of %llu", num, (ull)param.overwritten,
		      (ull)param.dropped, (ull)param.unfinished, (ull)param.recorded);
}

static void meddler(unsigned int unused)
{
	struct buffers buffers;
	unsigned long n;
	int error;

	(void)unused;
	for (n = 0; !shared->stop_others; n++) {
		error = create(-1, 200, 201, 4096 << n % 5);
		if (!error)
			error = link_buffer(n % CPUS, 200, 1);
		if (!error)
			error = delete_buffer(0, 200) ?: delete_buffer(1, 200);
		if (error)
			wrong("buffer 200: %s", strerror(error));
		look(n % CPUS, n % round_now->num + 1);
		list_buffers(&buffers, n % CPUS);
		if (buffers.param.buffer_num < round_now->num + 1)
			wrong("BUFFER_LIST: %d buffers", buffers.param.buffer_num);
		shared->others++;
		sleep_ms(3);
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
	_exit(0);
}

static bool finish(const pid_t *pids, unsigned int num)
{
	bool good = true;
	int status;

	while (num--)
		good &= waitpid(*pids++, &status, 0) > 0 && !status;
	return good;
}

/* Everything but buffer 0 goes away. */
static void delete_buffers(int cpu)
{
	struct buffers buffers;
	int i;

	need(jump(cpu, 0), "JUMP");
	list_buffers(&buffers, cpu);
	for (i = 1; i < buffers.param.buffer_num; i++)
		need(delete_buffer(cpu, buffers.ent[i].id), "DELETE");
}

static void make_ring(int cpu)
{
	int id;

	delete_buffers(cpu);
	for (id = 1; id <= round_now->num; id++)
		need(create(cpu, id, id % round_now->num + 1, round_now->size), "CREATE");
	need(jump(cpu, 1), "JUMP");
}

static void report_moving(unsigned int from, unsigned int to, volatile const unsigned char *moving)
{
	uint64_t missing = 0, lost = 0, last = 0, number;
	unsigned int me;
	int cpu;

	for (me = from; me < to; me++) {
		for (cpu = 0; cpu < CPUS; cpu++) {
			lost += not_read(&shared->result[me].cpu[cpu]);
			if (shared->marks[me].last[cpu][WRITERS - 1] > last)
				last = shared->marks[me].last[cpu][WRITERS - 1];
		}
	}
	for (number = 1; number < last && number < MOVING_MAX; number++)
		missing += !moving[number];
	ok(missing <= lost,
	   "the moving writer: of %llu marks %llu are missing, in %llu lost records", (ull)last,
	   (ull)missing, (ull)lost);
}

static void report_cpu(unsigned int me, int cpu, uint64_t end)
{
	const struct blocks_cpu *seen = &shared->result[me].cpu[cpu];

	if (!ok(seen->end == end && shared->start[me][cpu] + seen->read + not_read(seen) == end,
		"consumer %u, CPU %d: %llu read, %llu lost, %llu dropped, %llu unfinished: all that was recorded",
		me, cpu, (ull)seen->read, (ull)seen->lost, (ull)seen->dropped,
		(ull)seen->unfinished))
		diag("from %llu to %llu; it was to be %llu", (ull)shared->start[me][cpu],
		     (ull)seen->end, (ull)end);
	ok(shared->marks[me].marks[cpu] > MIN_MARKS, "... and %llu marks",
	   (ull)shared->marks[me].marks[cpu]);
}

static void report(unsigned int me)
{
	const struct blocks *blocks = &shared->result[me];
	int cpu;

	if (!ok(!blocks->wrong, "consumer %u: each block follows the one before", me))
		diag("%lu are wrong; the first: %s", blocks->wrong, blocks->why);
	for (cpu = 0; cpu < CPUS; cpu++)
		if (consumer_reads(me, cpu))
			report_cpu(me, cpu, cpu_recid(cpu));
	diag("consumer %u: %lu reads, %lu times slow, %lu files", me, shared->reads[me],
	     shared->slow[me], shared->again[me]);
}

static bool marks_enough(void)
{
	unsigned int me;
	int cpu;

	for (me = 0; me < CONSUMERS; me++)
		for (cpu = 0; cpu < CPUS; cpu++)
			if (consumer_reads(me, cpu) && shared->marks[me].marks[cpu] <= MIN_MARKS)
				return false;
	return true;
}

static void run_round(const struct round *round, unsigned int seconds, bool steady)
{
	pid_t writers[WRITERS + 1], others[3], consumers[CONSUMERS];
	unsigned int num = 0, i, me;
	bool sources = (round - rounds) % 2;
	int cpu;

	diag("%d buffers of %llu KB", round->num, (ull)round->size / 1024);
	round_now = round;
	memset(shared, 0, sizeof(*shared));
	need(set_maskset(sources || steady ? SET_DEFAULT : SET_OTHER), "MASKSET_SET");
	for (cpu = 0; cpu < CPUS; cpu++)
		make_ring(cpu);
	for (me = 0; me < CONSUMERS; me++)
		consumers[me] = start(consumer, me);
	/* What is recorded before they are there is not theirs. */
	for (me = 0; me < CONSUMERS; me++)
		while (!shared->ready[me])
			sleep_ms(10);
	for (i = 0; i < WRITERS; i++)
		writers[i] = start(writer, i);
	writers[i] = start(noise, 0);
	others[num++] = start(shifter, 0);
	others[num++] = start(meddler, 0);
	if (!steady)
		others[num++] = start(switcher, sources);

	go_on(seconds, marks_enough);
	shared->stop_others = true;
	ok(finish(others, num), "%d x %llu KB: those in the way end", round->num,
	   (ull)round->size / 1024);
	shared->stop_writers = true;
	ok(finish(writers, WRITERS + 1), "the writers end");
	need(set_maskset(LKST_MASKSET_ID_RNOTHING), "MASKSET_SET");
	shared->finish = true;
	ok(finish(consumers, CONSUMERS), "the consumers read all there is, and end");
	for (me = 0; me < CONSUMERS; me++)
		report(me);
	report_moving(0, CPUS, shared->moving[0]);
	report_moving(CPUS, CONSUMERS, shared->moving[1]);
	if (!ok(!shared->wrong,
		"%lu shifts and jumps (%lu refused), %lu buffers on the side, %lu switches",
		shared->shifts, shared->busy, shared->others, shared->switches))
		diag("%lu are wrong; the first: %s", shared->wrong, shared->why);
}

/* A maskset that records what the default one does, with overflows to the handler that shifts. */
static void write_default(void)
{
	struct lkst_maskset_body *body = calloc(1, LKST_MASKSET_SIZE_MAX);
	static struct mask masks[LKST_ETYPE_NUM];
	struct lkst_maskset_param param = { .id = LKST_MASKSET_ID_RDEFAULT,
					    .maskset_size = LKST_MASKSET_SIZE_MAX,
					    .maskset = (uintptr_t)body };
	unsigned int i, num = 0;

	if (!body)
		bail_out("calloc");
	need(lkst(LKST_IOC_MASKSET_READ, &param), "MASKSET_READ");
	for (i = 0; i < body->len; i++) {
		int etype = body->entry[i].event_type;

		if (!body->entry[i].id || etype == BUFF_OVFLOW ||
		    (etype >= LKST_ETYPE_LOCK_MIN && etype <= LKST_ETYPE_LOCK_MAX))
			continue;
		masks[num++] = (struct mask){ etype, body->entry[i].id };
	}
	free(body);
	masks[num++] = (struct mask){ BUFF_OVFLOW, LKST_EVHANDLER_ID_BUFFER_SHIFT_DW };
	need(write_maskset(SET_DEFAULT, "stream", masks, num), "MASKSET_WRITE");
}

/* A timer's interrupt, which has an event type of its own on x86. */
#if defined(__x86_64__) || defined(__i386__)
#define TIMER_INTERRUPT 0x019
#else
#define TIMER_INTERRUPT 0x010
#endif

static void write_masksets(void)
{
	static const struct mask other[] = {
		{ 0x001, LKST_EVHANDLER_ID_ENTRY_LOG },
		{ TIMER_INTERRUPT, LKST_EVHANDLER_ID_ENTRY_LOG },
		{ 0x030, LKST_EVHANDLER_ID_ENTRY_LOG },
		{ USER_MARK, LKST_EVHANDLER_ID_ENTRY_LOG },
		{ BUFF_SHIFT, LKST_EVHANDLER_ID_ENTRY_LOG },
		{ BUFF_OVFLOW, LKST_EVHANDLER_ID_BUFFER_SHIFT_DW },
	};

	write_default();
	need(write_maskset(SET_OTHER, "stream other", other, sizeof(other) / sizeof(other[0])),
	     "MASKSET_WRITE");
	need(write_maskset(SET_TWIN, "stream twin", other, sizeof(other) / sizeof(other[0])),
	     "MASKSET_WRITE");
}

int main(int argc, char **argv)
{
	struct lkst_trc_status before;
	unsigned int i;
	int cpu;

	if (argc < 2) {
		fprintf(stderr, "usage: stream SECONDS [steady]\n");
		return 2;
	}
	selftest();
	if (!strcmp(argv[1], "0"))
		return done_testing();

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	if (shared == MAP_FAILED)
		bail_out("memory");
	open_lkst();
	before = get_status();
	write_masksets();
	for (i = 0; i < ROUNDS; i++)
		run_round(&rounds[i], (atoi(argv[1]) + ROUNDS - 1) / ROUNDS,
			  argc > 2 && !strcmp(argv[2], "steady"));

	need(set_maskset(before.current_maskset_id), "MASKSET_SET");
	for (cpu = 0; cpu < CPUS; cpu++)
		delete_buffers(cpu);
	for (cpu = SET_DEFAULT; cpu <= SET_TWIN; cpu++)
		need(lkst_number(LKST_IOC_MASKSET_DELETE, cpu), "MASKSET_DELETE");
	equal(get_status().lost, before.lost, "no event found its CPU without a buffer");
	equal(get_status().memory, before.memory, "all memory is back");
	return done_testing();
}
