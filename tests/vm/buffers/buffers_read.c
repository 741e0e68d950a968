// SPDX-License-Identifier: GPL-2.0
/* Check SETRMOD, read() and poll() in STD and RAW mode: permissions, contents, and waiting. */
#include <poll.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/uio.h>
#include <sys/utsname.h>

#include "buffers_test.h"

#define STD LKST_READ_MODE_STD
#define RAW LKST_READ_MODE_RAW

static struct lkst_log_record records[4096];
static struct lkst_event_record raw[4096];

/* Read up to @size bytes. Return the number of bytes, or the negated errno. */
static long read_bytes(void *to, size_t size)
{
	ssize_t got = read(lkst_fd, to, size);

	return got < 0 ? -errno : got;
}

/* Read up to @num records in STD mode. Return the number of records, or the negated errno. */
static long read_std(size_t num)
{
	long got = read_bytes(records, num * sizeof(records[0]));

	return got > 0 ? got / (long)sizeof(records[0]) : got;
}

/* Read up to @max records in STD mode. Return whether they are the marks @first to @last. */
static bool reads_marks(size_t max, uint64_t first, uint64_t last)
{
	return records_are(records, read_std(max), MARKS(first, last + 1 - first));
}

static int owner_of(int cpu)
{
	return queue_of(cpu).owner;
}

static int poll_lkst(int ms)
{
	struct pollfd pollfd = { .fd = lkst_fd, .events = POLLIN | POLLRDNORM };

	return poll(&pollfd, 1, ms) == 1 ? pollfd.revents : 0;
}

/* A peer is another process that reports numbers in shared memory. Only one runs at a time. */
static pid_t peer;
static unsigned int reports_read;
static struct {
	volatile unsigned int num;
	volatile int numbers[8];
} * reports;

#define start_peer(statement)                    \
	do {                                     \
		reports->num = reports_read = 0; \
		peer = spawn(statement);         \
	} while (0)

/* Called in a peer: report a number. */
static void report(int number)
{
	reports->numbers[reports->num] = number;
	reports->num++;
}

/* Return the next number that the peer reports, or -ETIME if none arrives within @ms. */
static int report_within(int ms)
{
	for (; reports->num == reports_read; ms -= 10) {
		if (ms < 10)
			return -ETIME;
		sleep_ms(10);
	}
	return reports->numbers[reports_read++];
}

static int next_report(void)
{
	return report_within(10000);
}

static void end_peer(int signal)
{
	if (signal)
		kill(peer, signal);
	exit_status(peer);
}

/*
 * Wait up to 10 s for the peer to sleep in its call. Return whether it does. The peer must be found
 * asleep five times in succession, because on a busy host it may also sleep before it makes the
 * call.
 */
static bool asleep(void)
{
	char path[64], stat[256], *state;
	int times = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/stat", peer);
	for (int ms = 0; ms < 10000 && times < 5; ms += 20) {
		sleep_ms(20);
		file = fopen(path, "r");
		bail_if(!file || !fgets(stat, sizeof(stat), file), path);
		fclose(file);
		state = strrchr(stat, ')');
		times = state && state[2] == 'S' ? times + 1 : 0;
	}
	return times == 5;
}

/* Check that the peer has bound itself to CPU 0, and sleeps. */
static void check_asleep(const char *where)
{
	equal(next_report(), 0, "a peer waits in %s", where);
	ok(asleep() && report_within(0) == -ETIME, "... and is asleep");
}

/* Called in a peer: bind the peer to CPU 0, and report the result of SETRMOD. */
static void bind_peer(void)
{
	open_lkst();
	report(set_mode(0, STD));
}

/* Permissions */

static void bind_and_stay(void)
{
	bind_peer();
	pause();
}

/* Called in a peer: let a child inherit the descriptor. Only the peer stays bound to the CPU. */
static void bind_and_leave_descriptor(void)
{
	bind_peer();
	if (start_child())
		pause();
	report(0);
	sleep(2);
}

static void test_bind(void)
{
	struct lkst_buffer_srmodparam param = { .cpu = 0, .mode = STD };
	struct utsname names;

	/* SETRMOD returns the kernel's architecture, as uname() does, even to a 32-bit program. */
	uname(&names);
	equal(poll_lkst(0), POLLERR, "poll(): reports POLLERR when not bound");
	gives(lkst(LKST_IOC_BUFFER_SETRMOD, &param), 0, "SETRMOD");
	equal(owner_of(0), getpid(), "... LIST shows the owner");
	equal(owner_of(1), LKST_BUFFER_OWNER_NONE, "... of this CPU only");
	ok(param.clock == get_status().clock && param.cpu_freq && !param.endian_big &&
		   param.buf_ver == LKST_BUFFER_VERSION && !strcmp(param.arch, names.machine) &&
		   param.xtime.tv_sec && param.tsc && !param.pad,
	   "... and describes the records correctly");
	equal(value_in_child(-read_bytes(records, sizeof(records))), EBUSY,
	      "a child that inherits the descriptor is not bound");
	gives(set_mode(NO_CPU, STD), EINVAL, "SETRMOD: a bad CPU is reported first");
	gives(set_mode(0, RAW), 0, "SETRMOD: the same CPU again, in RAW mode");
	gives(set_mode(0, 3), EINVAL, "SETRMOD: the same CPU again, with a bad mode");
	equal(owner_of(0), getpid(), "... and the process stays bound");
	reopen_lkst();
	equal(owner_of(0), LKST_BUFFER_OWNER_NONE, "close() releases the CPU");
	gives(set_mode(1, STD), 0, "... and the process can bind another one");
	reopen_lkst();
}

static void test_release(void)
{
	need(set_mode(0, STD), "SETRMOD");
	need(value_in_child(close(lkst_fd)), "close");
	equal(owner_of(0), getpid(),
	      "a child that closes its copy of the descriptor does not release the CPU");
	reopen_lkst();

	start_peer(bind_and_stay());
	equal(next_report(), 0, "a peer binds itself to a CPU");
	gives(set_mode(0, STD), EBUSY, "... and owns it");
	equal(owner_of(0), peer, "... as LIST shows");
	end_peer(SIGKILL);
	equal(owner_of(0), LKST_BUFFER_OWNER_NONE, "when the peer is killed, the CPU has no owner");
	gives(set_mode(0, STD), 0, "... and can be bound");
	reopen_lkst();

	start_peer(bind_and_leave_descriptor());
	ok(!next_report() && !next_report(), "a peer binds itself, and has a child");
	end_peer(SIGKILL);
	gives(set_mode(0, STD), 0,
	      "when the peer is killed, the CPU is free, although the child still has the descriptor");
	reopen_lkst();
}

/* Which records a reader gets */

/* Prepare a ring of @num buffers, queue a buffer with @queued marks, and bind to CPU 0. */
static void prepare_queue(int num, unsigned int queued)
{
	prepare_ring(num, SET_MARKS);
	queue_marks(1, queued);
	need(set_mode(0, STD), "SETRMOD");
}

static void test_records(void)
{
	const uint32_t laps = (1 << LKST_RECORD_LAP_BITS) - 1;
	bool good = true;
	uint64_t first;
	long got;

	prepare(0, 4, SMALL);
	first = cpu_recid(0);
	select_maskset(SET_MARKS);
	marks(0, 1, 10);
	need(set_mode(0, STD), "SETRMOD");
	set_nonblock(true);
	equal(read_std(4096), -EAGAIN, "read(): the current buffer is not read");
	need(shift(0), "SHIFT");
	queue_marks(11, 20);
	queue_marks(31, 5);
	got = read_std(4096);
	ok(records_are(records, got, MARKS(1, 35)),
	   "read(): reads three buffers at once, in order");
	for (struct lkst_log_record *r = records; r < records + got; r++)
		good &= r->posix.log_recid == first++ && r->posix.log_processor == 0 &&
			r->posix.log_magic == LKST_LOG_MAGIC &&
			r->posix.log_size == LKST_LOG_SIZE && r->posix.log_pid == getpid();
	ok(good, "... each record has its recid, CPU and process");
	equal(read_std(4096), -EAGAIN, "... then nothing is left");

	queue_marks(36, 10);
	need(set_mode(0, RAW), "SETRMOD");
	equal(read_bytes(raw, sizeof(raw)), 10 * RECORD_SIZE, "RAW: each record has 64 bytes");
	for (int i = 0; i < 10; i++)
		good &= raw[i].event_type == USER_MARK && raw[i].arg[0] == (uint64_t)36 + i &&
			raw[i].pid == (uint32_t)getpid() && raw[i].clock &&
			raw[i].flags >> LKST_RECORD_LAP_SHIFT == ((first + i) & laps);
	ok(good, "... with the low bits of the recid");
	reopen_lkst();
}

static void test_room(void)
{
	const size_t size = sizeof(records[0]);
	struct lkst_buffer_listparam queue;
	uint64_t first;

	prepare(0, 2, SMALL);
	first = cpu_recid(0);
	select_maskset(SET_MARKS);
	queue_marks(1, 10);
	need(set_mode(0, STD), "SETRMOD");
	equal(read_bytes(records, 3 * size - 1), 2 * size, "read(): returns whole records only");
	ok(records_are(records, 2, MARKS(1, 2)), "... the first two");
	queue = queue_of(0);
	equal(queue.read_buf, 1, "LIST: the buffer that is being read");
	equal(queue.read_pos, first + 2, "... and its next position");
	equal(buffer_of(0, 1).state, LKST_BUFFER_BEING_READ, "... and its state");
	equal(queue.rq_head, VOID, "... it is not in the queue");
	equal(queue.owner, getpid(), "... its owner");
	need(set_mode(0, RAW), "SETRMOD");
	equal(read_bytes(raw, RECORD_SIZE - 1), -EINVAL,
	      "read(): EINVAL if there is less room than a RAW record");
	equal(read_bytes(raw, 2 * RECORD_SIZE - 1), RECORD_SIZE,
	      "read(): the next record in RAW mode");
	equal(raw[0].arg[0], 3, "... which is mark 3");
	need(set_mode(0, STD), "SETRMOD");
	ok(reads_marks(100, 4, 10), "read(): the other records");
	ok(queue_of(0).read_buf == VOID || buffer_of(0, 1).state == LKST_BUFFER_BEING_READ,
	   "LIST is consistent");
	reopen_lkst();
	equal(buffer_of(0, 1).state, LKST_BUFFER_FREE,
	      "a buffer that has been read to its end is free");
}

/* Called in a child: read three records. Return 0 if they are marks 1 to 3. */
static int read_three(void)
{
	open_lkst();
	return set_mode(0, STD) || !reads_marks(3, 1, 3);
}

static void bind_and_read_four(void)
{
	bind_peer();
	report(!reads_marks(4, 4, 7));
	pause();
}

static void test_next_owner(void)
{
	struct lkst_buffer_listparam queue;

	prepare_ring(3, SET_MARKS);
	queue_marks(1, 10);
	queue_marks(11, 10);
	equal(value_in_child(read_three()), 0, "a child reads three records and exits");
	queue = queue_of(0);
	ok(queue.rq_head == 1 && queue.rq_tail == 2 && queue.read_buf == VOID,
	   "... the buffer is back at the head of the queue");
	start_peer(bind_and_read_four());
	ok(!next_report() && !next_report(), "another process reads the next four");
	equal(written_buffer(0), 3, "... while buffer 3 is the current one");
	end_peer(SIGKILL);
	equal(buffer_of(0, 1).state, LKST_BUFFER_QUEUED,
	      "when it is killed, the buffer is queued again");
	need(set_mode(0, STD), "SETRMOD");
	ok(reads_marks(100, 8, 20), "the next owner reads all other records");
	reopen_lkst();
}

/* Check that the reuse of a partly read buffer reports the loss of the records not yet read. */
static void test_lost_rest(void)
{
	struct lkst_log_buffer param;
	uint64_t first, again;
	size_t num;

	prepare(0, 2, SMALL);
	first = cpu_recid(0);
	select_maskset(SET_WRAP);
	queue_marks(1, 10);
	equal(value_in_child(read_three()), 0, "a child reads three of ten records and exits");
	again = cpu_recid(0);
	need(shift(0), "SHIFT");
	num = read_all(0, 1, &param, records);
	ok(records_are(records, num, A_SHIFT(2, 1, again), AN_OVERFLOW(1, 7, first + 3)),
	   "a SHIFT into the buffer reports the loss of the other seven");
}

static void test_in_the_way(void)
{
	prepare_queue(3, 10);
	need(link_buffer(0, 2, 1), "LINK");
	equal(read_std(5), 5, "read(): reads half a buffer");
	select_maskset(SET_SHIFT);
	marks(0, 11, 200);
	equal(written_buffer(0), 2,
	      "overflow: the full buffer wraps because the next one is being read");
	select_maskset(SET_NOTHING);
	ok(reads_marks(5, 6, 10), "read(): the other half is unchanged");
	set_nonblock(true);
	equal(read_std(5), -EAGAIN, "read(): nothing is left");
	gives(shift(0), 0, "SHIFT: succeeds after the next buffer has been read");
	reopen_lkst();
}

static void test_bad_address(void)
{
	long page = sysconf(_SC_PAGESIZE), size = sizeof(records[0]), fit, got;
	void *volatile bad = (void *)8; /* volatile, to avoid a warning */
	char *area = map(2 * page), *to = area + page - 5 * size - 8;

	bail_if(munmap(area + page, page), "memory");
	prepare_queue(2, 20);
	equal(read_bytes(bad, 10 * size), -EINVAL, "read(): a bad address");
	equal(read_bytes(area + page - size + 8, 10 * size), -EINVAL,
	      "read(): a bad address within the first record");
	got = read_bytes(to, 15 * size);
	ok(got == 5 * size || got == -EINVAL, "read(): a bad address within the sixth record");
	fit = got == -EINVAL ? 0 : 5;
	ok(records_are((void *)to, fit, MARKS(1, fit)),
	   "... the records that it returned are correct");
	ok(reads_marks(100, fit + 1, 20), "... and no record is lost");
	reopen_lkst();
	munmap(area, page);
}

/* Check that readv() may split a record at any byte between two areas. */
static void test_readv(void)
{
	const size_t size = sizeof(records[0]);
	char *bytes = (char *)records;
	struct iovec iov[] = { { bytes, 1 },
			       { bytes + 1, size },
			       { bytes + 1 + size, 5 * size - 2 },
			       { bytes + 6 * size - 1, 1 } };

	prepare_queue(2, 20);
	memset(records, 0, sizeof(records));
	equal(readv(lkst_fd, iov, 4), 6 * size, "readv(): room for six records in four areas");
	ok(records_are(records, 6, MARKS(1, 6)), "... they are complete");
	ok(reads_marks(100, 7, 20), "... and the next read() continues after them");
	reopen_lkst();
}

/* How a reader waits */

static volatile sig_atomic_t signals;

static void on_signal(int signal)
{
	(void)signal;
	signals++;
}

/* Called in a peer: wait in read(). Report its result, the first mark, and the signal count. */
static void wait_in_read(int flags)
{
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = flags };

	sigaction(SIGUSR1, &action, NULL);
	bind_peer();
	report(read_std(100));
	report(records[0].log_arg1);
	report(signals);
}

enum wait { POLL, SELECT, EPOLL, EARLY_EPOLL, WAITS };

/* Called in a peer: wait for records. Report the poll events, and how many records can be read. */
static void wait_in(enum wait wait)
{
	struct epoll_event event = { .events = EPOLLIN | (wait == EPOLL ? EPOLLET : 0) };
	int epoll = epoll_create1(0), mode, events = 0;
	fd_set set;

	open_lkst();
	/* Before the peer is bound, epoll finds POLLERR. LKST must wake epoll later. */
	if (wait == EARLY_EPOLL)
		bail_if(epoll_ctl(epoll, EPOLL_CTL_ADD, lkst_fd, &event), "epoll_ctl");
	mode = set_mode(0, STD);
	if (wait == EARLY_EPOLL)
		epoll_wait(epoll, &event, 1, 0);
	if (wait == EPOLL)
		bail_if(epoll_ctl(epoll, EPOLL_CTL_ADD, lkst_fd, &event), "epoll_ctl");
	report(mode);
	if (wait == POLL) {
		events = poll_lkst(20000);
	} else if (wait == SELECT) {
		FD_ZERO(&set);
		FD_SET(lkst_fd, &set);
		events = select(lkst_fd + 1, &set, NULL, NULL, NULL) == 1 ? POLLIN : 0;
	} else if (epoll_wait(epoll, &event, 1, 20000) == 1) {
		events = event.events;
	}
	report(events);
	set_nonblock(true);
	report(read_std(100));
}

/* Record mark 1, and start a peer that waits in read(). */
static void start_sleeper(int maskset)
{
	prepare_ring(3, maskset);
	marks(0, 1, 1);
	start_peer(wait_in_read(0));
	check_asleep("read()");
}

static void check_awake(int num, const char *name)
{
	equal(next_report(), num, "... %s wakes it up", name);
	equal(next_report(), 1, "... and it reads the first mark");
	end_peer(0);
}

/*
 * Check which calls and events wake a reader. Mark number ROOM fills the buffer except for the
 * slots of reserve(). The next mark causes LKST_BUFF_OVFLOW, whose handler shifts if the maskset
 * says so.
 */
static void test_wakes(void)
{
	start_sleeper(SET_MARKS);
	need(shift(0), "SHIFT");
	check_awake(1, "SHIFT");

	start_sleeper(SET_MARKS);
	need(jump(0, 3), "JUMP");
	check_awake(1, "JUMP");

	start_sleeper(SET_SHIFT_DW);
	marks(0, 2, ROOM);
	check_awake(ROOM + 1, "an overflow");

	start_sleeper(SET_SHIFT);
	marks(0, 2, ROOM);
	equal(written_buffer(0), 2, "... the handler has left the full buffer");
	equal(report_within(500), -ETIME, "... but has not woken the reader");
	need(shift(0), "SHIFT");
	/* The reader gets both buffers, with LKST_BUFF_SHIFT and LKST_BUFF_OVFLOW in the second. */
	check_awake(ROOM + 1 + 2, "SHIFT");
}

static void test_polls(void)
{
	static const char *const names[] = {
		"poll()", "select()", "epoll_wait()", "epoll_wait(), if added before SETRMOD",
	};

	for (enum wait wait = POLL; wait < WAITS; wait++) {
		prepare_ring(3, SET_MARKS);
		marks(0, 1, 1);
		start_peer(wait_in(wait));
		check_asleep(names[wait]);
		need(shift(0), "SHIFT");
		ok(next_report() & POLLIN, "... SHIFT wakes it up");
		equal(next_report(), 1, "... and there is a record to read");
		end_peer(0);
	}
}

static void test_poll_states(void)
{
	prepare_ring(3, SET_MARKS);
	marks(0, 1, 10);
	need(set_mode(0, STD), "SETRMOD");
	equal(poll_lkst(0), 0, "poll(): not readable while nothing is queued");
	need(shift(0), "SHIFT");
	equal(poll_lkst(0), POLLIN | POLLRDNORM, "poll(): readable with a queued buffer");
	equal(read_std(5), 5, "read(): reads half of it");
	equal(poll_lkst(0), POLLIN | POLLRDNORM, "poll(): readable, for the other half");
	equal(read_std(5), 5, "read(): reads the other half");
	set_nonblock(true);
	equal(read_std(5), -EAGAIN, "read(): nothing is left");
	equal(poll_lkst(0), 0, "poll(): not readable, as nothing is left");
	reopen_lkst();
}

static void test_signals(void)
{
	start_sleeper(SET_MARKS);
	kill(peer, SIGUSR1);
	equal(next_report(), -EINTR, "... a signal interrupts it with EINTR");
	end_peer(0);

	start_peer(wait_in_read(SA_RESTART));
	check_asleep("read(), with SA_RESTART");
	kill(peer, SIGUSR1);
	equal(report_within(500), -ETIME, "... a signal does not end the read()");
	need(shift(0), "SHIFT");
	equal(next_report(), 1, "... SHIFT does");
	next_report();
	equal(next_report(), 1, "... and the signal handler has run");
	end_peer(0);

	start_sleeper(SET_MARKS);
	end_peer(SIGKILL);
	equal(owner_of(0), LKST_BUFFER_OWNER_NONE, "... and can be killed");
}

/* Several threads that read in parallel */

#define BIG	(32 * SMALL)
#define READERS 2
#define BIG_NUM (BIG / RECORD_SIZE)

/*
 * A reading thread, the number of records it has read, and the recid of its last record minus
 * first_recid.
 */
static struct part {
	pthread_t thread;
	unsigned int num;
	uint64_t last;
} parts[READERS];

static uint64_t first_recid;
static unsigned char seen[BIG_NUM];
static bool ordered = true, once = true;

static void *read_part(void *arg)
{
	struct part *part = arg;
	struct lkst_log_record some[7];
	ssize_t got;

	while ((got = read(lkst_fd, some, sizeof(some))) > 0)
		for (size_t i = 0; i < got / sizeof(some[0]); i++, part->num++) {
			uint64_t n = some[i].posix.log_recid - first_recid;

			if (part->num && n <= part->last)
				ordered = false;
			if (n >= BIG_NUM || some[i].log_arg1 != n + 1 ||
			    __atomic_fetch_add(&seen[n], 1, __ATOMIC_RELAXED))
				once = false;
			part->last = n;
		}
	return NULL;
}

static void test_threads(void)
{
	unsigned int num = BIG_NUM - reserve(BIG);

	prepare(0, 2, BIG);
	first_recid = cpu_recid(0);
	select_maskset(SET_MARKS);
	queue_marks(1, num);
	need(set_mode(0, STD), "SETRMOD");
	set_nonblock(true);
	for (unsigned int i = 0; i < READERS; i++)
		need(pthread_create(&parts[i].thread, NULL, read_part, &parts[i]), "thread");
	for (unsigned int i = 0; i < READERS; i++)
		pthread_join(parts[i].thread, NULL);
	equal(parts[0].num + parts[1].num, num,
	      "two threads that read a buffer together get all of it");
	ok(ordered, "... each of them in order");
	ok(once, "... and no record twice");
	diag("they read %u and %u records", parts[0].num, parts[1].num);
	reopen_lkst();
}

/* Move the parent from CPU to CPU, until this process is killed. */
static void move_parent(void)
{
	pid_t parent = getppid();
	cpu_set_t set;

	for (int cpu = 0;; cpu = !cpu) {
		CPU_ZERO(&set);
		CPU_SET(cpu, &set);
		sched_setaffinity(parent, sizeof(set), &set);
		sched_yield();
	}
}

static void test_migrating(void)
{
	unsigned int num = BIG_NUM - reserve(BIG);
	struct lkst_log_record some[7];
	uint64_t expected = 1;
	bool good = true;
	ssize_t got;
	pid_t mover;

	prepare(1, 2, BIG);
	select_maskset(SET_MARKS);
	need(set_mode(1, STD), "SETRMOD");
	set_nonblock(true);
	for (unsigned int round = 0; round < 4; round++) {
		marks(1, expected, num);
		need(shift(1), "SHIFT");
		mover = spawn(move_parent());
		while ((got = read(lkst_fd, some, sizeof(some))) > 0)
			for (unsigned int i = 0; i < got / sizeof(some[0]); i++)
				good &= some[i].log_arg1 == expected++;
		kill(mover, SIGKILL);
		exit_status(mover);
	}
	ok(good && expected == 4 * num + 1,
	   "a reader that moves from CPU to CPU gets each record once");
	reopen_lkst();
	pin(0);
	reset(1);
}

void test_reader(void)
{
	reports = map(sizeof(*reports));
	test_bind();
	test_release();
	test_records();
	test_room();
	test_next_owner();
	test_lost_rest();
	test_in_the_way();
	test_bad_address();
	test_readv();
	test_wakes();
	test_polls();
	test_poll_states();
	test_signals();
	test_threads();
	test_migrating();
	reset(0);
}
