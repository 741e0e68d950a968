// SPDX-License-Identifier: GPL-2.0
/*
 * read() in blocks: who may, what a file gets, how it waits. Each block is checked against the one
 * before it (blocks.h), so that what was recorded is read, lost, dropped or still there.
 */
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/time.h>

#include "blocks.h"
#include "buffers-test.h"

#define NO_CPU	  9999
#define BLOCK	  LKST_READ_MODE_BLOCK
#define MARKS_MAX 4096

/* The marks that were read, in order. */
static uint64_t mark_seen[MARKS_MAX];
static size_t marks_seen;
static char area[1 << 18];

static void note_mark(struct blocks *blocks, const struct lkst_block *head, uint64_t recid,
		      const struct lkst_event_record *record)
{
	(void)head;
	(void)recid;
	if (record->event_type != USER_MARK)
		return;
	if (record->arg[1] != record->arg[0] * 3 || record->arg[2] != ~record->arg[0])
		blocks_wrong(blocks, "mark %llu is torn", (ull)record->arg[0]);
	if (marks_seen < MARKS_MAX)
		mark_seen[marks_seen++] = record->arg[0];
}

static void begin(struct blocks *blocks, int cpu)
{
	marks_seen = 0;
	blocks_open(blocks, cpu);
	blocks->record = note_mark;
}

static void end(struct blocks *blocks, const char *name)
{
	if (!ok(!blocks->wrong, "%s: each block follows the one before", name))
		diag("%s", blocks->why);
	blocks_close(blocks);
}

/* What was seen are the marks from @first on, and no others. */
static bool marks_were(uint64_t first, size_t num, const char *name)
{
	size_t i;

	for (i = 0; i < marks_seen && mark_seen[i] == first + i; i++)
		;
	if (ok(i == num && marks_seen == num, "%s", name))
		return true;
	diag("%zu marks, not %zu; number %zu is %llu, not %llu", marks_seen, num, i,
	     (ull)mark_seen[i], (ull)(first + i));
	return false;
}

static int call_seek(int fd, int cpu, uint32_t pad, uint64_t recid)
{
	struct lkst_block_seekparam param = { .cpu = cpu, .pad = pad, .recid = recid };

	return ioctl(fd, LKST_IOC_BLOCK_SEEK, &param) ? errno : 0;
}

static int call_wait(int fd, uint32_t pad)
{
	struct lkst_block_waitparam param = { .timeout = 1000, .pad = pad };

	return ioctl(fd, LKST_IOC_BLOCK_WAIT, &param) ? errno : 0;
}

static int call_flush(int fd)
{
	return ioctl(fd, LKST_IOC_BLOCK_FLUSH) ? errno : 0;
}

static int open_one(void)
{
	int fd = open("/dev/lkst", O_RDONLY | O_NONBLOCK);

	if (fd < 0)
		bail_out("/dev/lkst");
	return fd;
}

static void test_errors(void)
{
	void *only_read = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int fd = open_one(), other = open_one();

	prepare(0, 2, SMALL);
	select_maskset(SET_MARKS);
	marks(0, 1, 1);
	gives(call_seek(fd, 0, 0, 0), EINVAL, "SEEK: the file does not read in blocks");
	gives(call_wait(fd, 0), EINVAL, "WAIT: the file does not read in blocks");
	gives(call_flush(fd), EINVAL, "FLUSH: the file does not read in blocks");
	gives(blocks_bind(fd, NO_CPU), EINVAL, "SETRMOD, BLOCK: no such CPU");
	gives(blocks_bind(fd, -2), EINVAL, "SETRMOD, BLOCK: CPU -2");
	gives(blocks_bind(fd, 0), 0, "SETRMOD, BLOCK: CPU 0");
	gives(blocks_bind(fd, 0), 0, "... again");
	gives(blocks_bind(fd, 1), EBUSY, "... another CPU");
	gives(blocks_bind(fd, -1), EBUSY, "... all CPUs");
	gives(blocks_bind(other, -1), 0, "another file reads all CPUs at the same time");
	gives(call_seek(fd, 0, 0, cpu_recid(0) + 1), EINVAL, "SEEK: a recid to come");
	gives(call_seek(fd, 1, 0, 0), EINVAL, "SEEK: a CPU that the file does not read");
	gives(call_seek(other, NO_CPU, 0, 0), EINVAL, "SEEK: no such CPU");
	gives(call_seek(fd, 0, 1, 0), EINVAL, "SEEK: pad");
	gives(call_wait(fd, 1), EINVAL, "WAIT: pad");
	equal(read(fd, area, sizeof(struct lkst_block)), -1, "read(): no room for a record");
	equal(errno, EINVAL, "... is EINVAL");
	need(call_flush(fd), "BLOCK_FLUSH");
	equal(read(fd, only_read, 4096), -1, "read(): memory that cannot be written");
	equal(errno, EINVAL, "... is EINVAL");
	close(fd);
	close(other);
}

static int bind_as(int fd, int cpu, int mode)
{
	struct lkst_buffer_srmodparam param = { .cpu = cpu, .mode = mode };

	return ioctl(fd, LKST_IOC_BUFFER_SETRMOD, &param) ? errno : 0;
}

/* Files and processes do not get into each other's way. */
static void test_modes(void)
{
	int fd = open_one(), bound = open_one();

	gives(bind_as(fd, 0, BLOCK), 0, "a file reads CPU 0 in blocks");
	gives(bind_as(fd, 0, LKST_READ_MODE_STD), EBUSY, "... and stays with it");
	gives(bind_as(bound, 0, LKST_READ_MODE_STD), 0, "the process binds itself to CPU 0");
	gives(bind_as(bound, 0, BLOCK), 0, "... and reads blocks through the same file");
	equal(read(bound, area, 100), -1, "... as its read() shows");
	equal(errno, EINVAL, "... with EINVAL for an area without room for a block");
	close(bound);
	close(fd);
}

/* What is there, in any buffer, in whatever state, in the order of recids. */
static void test_read(void)
{
	struct blocks a, b;

	prepare(0, 3, SMALL);
	select_maskset(SET_MARKS);
	begin(&a, 0);
	need(blocks_seek(&a, 0, LKST_BLOCK_RECID_END), "SEEK to the end");
	marks(0, 1, 20);
	equal(blocks_read(&a, area, sizeof(area)), -EAGAIN, "read(): not before a flush");
	blocks_read_all(&a);
	marks_were(1, 20, "a flush: what is being written is read");
	need(shift(0), "SHIFT");
	marks(0, 21, 20);
	need(shift(0), "SHIFT");
	marks(0, 41, 5);
	ok(blocks_read(&a, area, sizeof(area)) > 0, "a buffer that was left is read without one");
	equal(blocks_read(&a, area, sizeof(area)), -EAGAIN, "... and nothing else");
	blocks_read_all(&a);
	marks_were(1, 45, "buffers are read in order");
	equal(a.cpu[0].lost + a.cpu[0].dropped + a.cpu[0].unfinished, 0, "... and nothing is lost");
	equal(a.cpu[0].end, cpu_recid(0), "... all that was recorded is accounted for");

	marks_seen = 0;
	blocks_open(&b, -1);
	b.record = note_mark;
	need(blocks_seek(&b, 0, a.cpu[0].end - a.cpu[0].read), "SEEK back");
	blocks_read_all(&b);
	marks_were(1, 45, "another file reads the same: reading changes nothing");
	end(&a, "one file");
	end(&b, "another file");
}

/* One block for each read(), with exactly this room. */
static void test_room(void)
{
	const size_t rooms[] = { 192, 192 + 63, 256, 1000 };
	struct blocks blocks;
	unsigned int i;

	for (i = 0; i < sizeof(rooms) / sizeof(rooms[0]); i++) {
		prepare(0, 2, SMALL);
		select_maskset(SET_MARKS);
		begin(&blocks, 0);
		need(blocks_seek(&blocks, 0, LKST_BLOCK_RECID_END), "SEEK to the end");
		marks(0, 1, 30);
		need(blocks_flush(&blocks), "BLOCK_FLUSH");
		while (blocks_read(&blocks, area, rooms[i]) > 0)
			;
		marks_were(1, 30, "an area of any size");
		end(&blocks, "an area of any size");
	}
}

/* Losses are exact: what a buffer that wraps has overwritten, what a shift did, what a delete did. */
static void test_lost(void)
{
	struct blocks blocks;
	uint64_t first;

	prepare(0, 2, SMALL);
	select_maskset(SET_MARKS);
	begin(&blocks, 0);
	first = cpu_recid(0);
	need(blocks_seek(&blocks, 0, first), "SEEK");
	marks(0, 1, 3 * SLOTS);
	blocks_read_all(&blocks);
	equal(blocks.cpu[0].read, SLOTS, "a buffer that wrapped: a lap is there");
	equal(blocks.cpu[0].lost, 2 * SLOTS, "... and two are lost");
	marks_were(2 * SLOTS + 1, SLOTS, "... the older ones");

	marks_seen = 0;
	marks(0, 1, 10);
	need(shift(0), "SHIFT");
	marks(0, 11, 10);
	need(delete_buffer(0, 1), "DELETE");
	blocks_read_all(&blocks);
	marks_were(11, 10, "a buffer that was deleted: what is in another one is there");
	equal(blocks.cpu[0].lost, 2 * SLOTS + 10, "... and what was in it is lost");

	need(blocks_seek(&blocks, 0, first), "SEEK back");
	blocks.cpu[0].begun = false;
	blocks.cpu[0].lost = 0;
	blocks_read_all(&blocks);
	equal(blocks.cpu[0].lost, 3 * SLOTS + 10, "SEEK: what is gone since then is lost");
	need(blocks_seek(&blocks, 0, 0), "SEEK to the oldest");
	blocks.cpu[0].begun = false;
	blocks.cpu[0].lost = 0;
	blocks_read_all(&blocks);
	equal(blocks.cpu[0].lost, 0, "SEEK to the oldest: nothing is lost");
	end(&blocks, "losses");
}

/* How many LKST_BUFF_OVFLOW of a loss there are in a buffer. */
static unsigned int reports_loss(int cpu, int id)
{
	static struct lkst_log_record records[MARKS_MAX];
	struct lkst_log_buffer param;
	unsigned int told = 0;
	size_t i, num;

	num = read_all(cpu, id, &param, records);
	for (i = 0; i < num; i++)
		told += records[i].posix.log_event_type == BUFF_OVFLOW && records[i].log_arg2;
	return told;
}

/* A queued buffer that is written again: its records are lost only if nobody has read them. */
static void test_handed_out(void)
{
	struct blocks blocks;

	prepare(0, 2, SMALL);
	select_maskset(SET_WRAP);
	marks(0, 1, 10);
	need(shift(0) || shift(0), "SHIFT");
	ok(reports_loss(0, 1), "a shift to a buffer that nobody has read reports a loss");

	prepare(0, 2, SMALL);
	begin(&blocks, 0);
	need(blocks_seek(&blocks, 0, LKST_BLOCK_RECID_END), "SEEK to the end");
	select_maskset(SET_WRAP);
	marks(0, 1, 10);
	need(shift(0), "SHIFT");
	blocks_read_all(&blocks);
	need(shift(0), "SHIFT");
	equal(reports_loss(0, 1), 0, "... to one that was read in blocks, none");
	blocks_read_all(&blocks);
	equal(blocks.cpu[0].lost, 0, "... nor has the file lost anything");
	end(&blocks, "a ring of buffers");
}

static void test_all_cpus(void)
{
	struct blocks blocks;

	prepare(0, 2, SMALL);
	prepare(1, 2, SMALL);
	begin(&blocks, -1);
	need(blocks_seek(&blocks, 0, LKST_BLOCK_RECID_END), "SEEK to the end");
	need(blocks_seek(&blocks, 1, LKST_BLOCK_RECID_END), "SEEK to the end");
	select_maskset(SET_MARKS);
	marks(0, 1, 10);
	marks(1, 11, 20);
	need(blocks_flush(&blocks), "BLOCK_FLUSH");
	ok(blocks_read(&blocks, area, sizeof(area)) > 0, "one read() of a file of all CPUs");
	equal(blocks.cpu[0].read, 10, "... returns the records of CPU 0");
	equal(blocks.cpu[1].read, 20, "... and of CPU 1");
	equal(mark_seen[0], 11, "... and begins with the CPU that has most");
	end(&blocks, "all CPUs");
}

static int readable(const struct blocks *blocks, int ms)
{
	struct pollfd pollfd = { .fd = blocks->fd, .events = POLLIN };

	return poll(&pollfd, 1, ms) == 1 ? pollfd.revents : 0;
}

static void on_alarm(int signal)
{
	(void)signal;
}

/* What the process that waits, and the one that wakes it, read. */
static struct blocks shared_blocks;

/* Does @run on CPU 0 in a process of its own, a little later. */
static pid_t later(void (*run)(void))
{
	pid_t pid = fork();

	if (pid < 0)
		bail_out("fork");
	if (pid)
		return pid;
	sleep_ms(200);
	run();
	_exit(0);
}

static void shift_later(void)
{
	shift(0);
}

static void mark_later(void)
{
	marks(0, 100, 1);
}

static void wait_less_later(void)
{
	need(blocks_wait(&shared_blocks, 100), "BLOCK_WAIT");
}

static void seek_later(void)
{
	need(blocks_seek(&shared_blocks, 0, shared_blocks.cpu[0].end - 5), "SEEK back");
}

static void flush_later(void)
{
	need(blocks_flush(&shared_blocks), "BLOCK_FLUSH");
}

/* Who waits in read() without end finds out what others do with the file. */
static void test_told(void)
{
	static const struct {
		const char *name;
		void (*run)(void);
		unsigned int unread, read;
	} rows[] = {
		{ "BLOCK_WAIT", wait_less_later, 5, 5 },
		{ "BLOCK_FLUSH", flush_later, 5, 5 },
		{ "BLOCK_SEEK", seek_later, 0, 5 },
	};
	const struct itimerval at_last = { .it_value.tv_sec = 60 }, never = {};
	const struct sigaction action = { .sa_handler = on_alarm };
	struct blocks *blocks = &shared_blocks;
	unsigned int i;
	pid_t pid;

	sigaction(SIGALRM, &action, NULL);
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		prepare(0, 2, SMALL);
		select_maskset(SET_MARKS);
		begin(blocks, 0);
		need(blocks_seek(blocks, 0, LKST_BLOCK_RECID_END), "SEEK to the end");
		marks(0, 1, 5);
		blocks_read_all(blocks);
		marks(0, 6, rows[i].unread);
		/* Those before it are in a buffer that the CPU has left. */
		need(rows[i].unread ? 0 : shift(0), "SHIFT");
		fcntl(blocks->fd, F_SETFL, O_RDONLY);
		setitimer(ITIMER_REAL, &at_last, NULL);
		pid = later(rows[i].run);
		blocks->cpu[0].begun = false;
		ok(blocks_read(blocks, area, sizeof(area)) > 0,
		   "a read() that waits: %s in another process ends that", rows[i].name);
		setitimer(ITIMER_REAL, &never, NULL);
		waitpid(pid, NULL, 0);
		equal(marks_seen, 5 + rows[i].read, "... with what there is");
		end(blocks, rows[i].name);
	}
}

/* Returns the events that epoll tells of within half a minute; 0: none. */
static int told_by_epoll(int epoll)
{
	struct epoll_event event = {};

	return epoll_wait(epoll, &event, 1, 30000) == 1 ? (int)event.events : 0;
}

/* epoll asks once, and edge-triggered epoll not again after it has told of something. */
static void test_epoll(void)
{
	struct epoll_event event = { .events = EPOLLIN | EPOLLET };
	int epoll = epoll_create1(0);
	struct blocks blocks = {};
	unsigned int i;

	prepare(0, 2, SMALL);
	select_maskset(SET_MARKS);
	close(lkst_fd);
	open_lkst();
	blocks.fd = lkst_fd;
	blocks.record = note_mark;
	marks_seen = 0;
	fcntl(lkst_fd, F_SETFL, O_RDWR | O_NONBLOCK);
	need(set_mode(0, LKST_READ_MODE_STD), "SETRMOD, STD");
	need(epoll < 0 || epoll_ctl(epoll, EPOLL_CTL_ADD, lkst_fd, &event), "epoll_ctl");
	need(blocks_bind(lkst_fd, 0) ?: blocks_wait(&blocks, 100), "SETRMOD, BLOCK");
	need(blocks_seek(&blocks, 0, LKST_BLOCK_RECID_END), "SEEK to the end");
	for (i = 0; i < 3; i++) {
		marks(0, i * 5, 5);
		equal(told_by_epoll(epoll), EPOLLIN, "epoll, edge-triggered: time %u", i);
		while (blocks_read(&blocks, area, sizeof(area)) > 0)
			;
		equal(marks_seen, i * 5 + 5, "... and all is read");
	}
	ok(!blocks.wrong, "... each block follows the one before");
	close(epoll);
	close(lkst_fd);
	open_lkst();
}

static void test_waiting(void)
{
	/* The first one may come before the read() does. */
	const struct itimerval again_and_again = { { .tv_sec = 1 }, { .tv_sec = 1 } }, never = {};
	const struct sigaction action = { .sa_handler = on_alarm };
	struct blocks blocks;
	pid_t pid;

	prepare(0, 2, SMALL);
	select_maskset(SET_MARKS);
	begin(&blocks, 0);
	need(blocks_seek(&blocks, 0, LKST_BLOCK_RECID_END), "SEEK to the end");
	marks(0, 1, 5);
	equal(readable(&blocks, 300), 0, "poll(): without a timeout, what is being written waits");
	pid = later(shift_later);
	equal(readable(&blocks, 30000), POLLIN, "... until a shift");
	waitpid(pid, NULL, 0);
	blocks_read_all(&blocks);
	equal(readable(&blocks, 0), 0, "poll(): everything was read");

	need(blocks_wait(&blocks, 100), "BLOCK_WAIT");
	marks(0, 6, 5);
	equal(readable(&blocks, 30000), POLLIN, "poll(): the timeout is over");
	ok(blocks_read(&blocks, area, sizeof(area)) > 0, "... and what there is can be read");
	fcntl(blocks.fd, F_SETFL, O_RDONLY);
	pid = later(mark_later);
	ok(blocks_read(&blocks, area, sizeof(area)) > 0, "read() waits for the timeout, too");
	waitpid(pid, NULL, 0);
	equal(mark_seen[marks_seen - 1], 100, "... and returns what came");

	need(blocks_wait(&blocks, 0), "BLOCK_WAIT");
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &again_and_again, NULL);
	equal(blocks_read(&blocks, area, sizeof(area)), -EINTR,
	      "read(): a signal ends the waiting");
	setitimer(ITIMER_REAL, &never, NULL);
	end(&blocks, "waiting");
}

/* What a buffer that wraps in place must take until one of its halves begins, that record included. */
static unsigned int until_half(void)
{
	uint64_t offset = buffer_of(0, 1).write_offset % SLOTS;

	return (offset > SLOTS / 2 ? SLOTS : SLOTS / 2) - offset + 1;
}

/* Each half that begins wakes the reader, so it can read the other half before that is overwritten. */
static void test_halves(void)
{
	struct blocks blocks;
	unsigned int half, num;
	pid_t pid;

	prepare(0, 1, SMALL);
	select_maskset(SET_MARKS);
	begin(&blocks, 0);
	need(blocks_seek(&blocks, 0, LKST_BLOCK_RECID_END), "SEEK to the end");
	for (half = 0; half < 4; half++) {
		num = until_half();
		marks(0, 1000 * half, num - 1);
		equal(readable(&blocks, 0), 0, "half %u: it waits until the next one begins", half);
		pid = later(mark_later);
		equal(readable(&blocks, 30000), POLLIN, "... which wakes poll()");
		waitpid(pid, NULL, 0);
		blocks_read_all(&blocks);
		equal(blocks.cpu[0].read, marks_seen, "... and all of it is read");
	}
	equal(blocks.cpu[0].lost, 0, "... and nothing is lost");
	end(&blocks, "halves");
}

/* A child and a copy of the descriptor read on where the file is. */
static void test_file(void)
{
	struct blocks blocks;
	int status, copy;

	prepare(0, 2, SMALL);
	select_maskset(SET_MARKS);
	begin(&blocks, 0);
	need(blocks_seek(&blocks, 0, LKST_BLOCK_RECID_END), "SEEK to the end");
	marks(0, 1, 10);
	if (!fork()) {
		blocks_read_all(&blocks);
		_exit(marks_seen == 10 ? 0 : 1);
	}
	wait(&status);
	equal(status, 0, "a child reads through the file that it inherits");
	marks(0, 11, 10);
	copy = dup(blocks.fd);
	close(blocks.fd);
	blocks.fd = copy;
	blocks_read_all(&blocks);
	marks_were(11, 10, "... and its parent goes on, by a copy of the descriptor");
	end(&blocks, "a file");
}

void test_blocks(void)
{
	test_errors();
	test_modes();
	test_read();
	test_room();
	test_lost();
	test_handed_out();
	test_all_cpus();
	test_waiting();
	test_told();
	test_epoll();
	test_halves();
	test_file();
	reset(0);
	reset(1);
}
