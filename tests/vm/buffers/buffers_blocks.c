// SPDX-License-Identifier: GPL-2.0
/*
 * Check read() in block mode: permissions, contents, and waiting. blocks.h checks that each block
 * continues the previous one, so every record is counted as read, lost, dropped or unfinished.
 */
#include <sys/epoll.h>
#include <sys/time.h>

#include "blocks.h"
#include "buffers_test.h"

#define MARKS_MAX 4096

/* The numbers of the marks that have been read, in the order in which they were read. */
static uint64_t mark_seen[MARKS_MAX];
static size_t marks_seen;
static char area[1 << 18];

static void store_mark(struct blocks *blocks, const struct lkst_block *header, uint64_t recid,
		       const struct lkst_event_record *record)
{
	(void)header;
	(void)recid;
	if (record->event_type != USER_MARK)
		return;
	if (record->arg[1] != record->arg[0] * 3 || record->arg[2] != ~record->arg[0])
		blocks_wrong(blocks, "mark %llu is corrupt", (ull)record->arg[0]);
	if (marks_seen < MARKS_MAX)
		mark_seen[marks_seen++] = record->arg[0];
}

/* Open a file that returns all later records of @cpu, or of all CPUs if @cpu is -1. */
static void begin(struct blocks *blocks, int cpu)
{
	marks_seen = 0;
	blocks_open_at_end(blocks, cpu);
	blocks->record = store_mark;
}

/* Call prepare_ring() with @num buffers, and open a file for CPU 0. */
static void begin_ring(struct blocks *blocks, int num)
{
	prepare_ring(num, SET_MARKS);
	begin(blocks, 0);
}

static void end(struct blocks *blocks, const char *name)
{
	none_wrong(&blocks->wrongs, "%s: each block continues the one before", name);
	blocks_close(blocks);
}

/* Whether read() returns at least one block. */
static bool reads(struct blocks *blocks)
{
	return blocks_read(blocks, area, sizeof(area)) > 0;
}

/* Seek to a record of CPU 0. Accept any recid in the next block, and count losses from 0 again. */
static void restart(struct blocks *blocks, uint64_t recid)
{
	need(blocks_seek(blocks, 0, recid), "SEEK");
	blocks->cpu[0].begun = false;
	blocks->cpu[0].lost = 0;
}

/* Check that exactly @num marks have been read, with the numbers @first, @first + 1, ... */
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

static int open_one(void)
{
	int fd = open("/dev/lkst", O_RDONLY | O_NONBLOCK);

	bail_if(fd < 0, "/dev/lkst");
	return fd;
}

static int call_read(int fd, void *to, size_t size)
{
	return read(fd, to, size) < 0 ? errno : 0;
}

static void test_errors(void)
{
	void *only_read = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct blocks blocks = { .fd = open_one() }, other = { .fd = open_one() };
	int fd = blocks.fd;

	prepare_ring(2, SET_MARKS);
	marks(0, 1, 1);
	gives(blocks_bind(fd, NO_CPU), EINVAL, "SETRMOD, BLOCK: CPU %d", NO_CPU);
	gives(blocks_bind(fd, -2), EINVAL, "SETRMOD, BLOCK: CPU -2");
	gives(blocks_bind(fd, 0), 0, "SETRMOD, BLOCK: CPU 0");
	gives(blocks_bind(fd, -1), EBUSY, "... the file cannot change to all CPUs");
	gives(blocks_bind(other.fd, -1), 0, "another file can read all CPUs at the same time");
	gives(blocks_seek(&blocks, 0, cpu_recid(0) + 1), EINVAL, "SEEK: a recid in the future");
	gives(blocks_seek(&other, NO_CPU, 0), EINVAL, "SEEK: EINVAL for a CPU that does not exist");
	gives(call_read(fd, area, sizeof(struct lkst_block)), EINVAL,
	      "read(): fails if there is no room for a record");
	need(blocks_flush(&blocks), "BLOCK_FLUSH");
	gives(call_read(fd, only_read, 4096), EINVAL,
	      "read(): fails if the memory cannot be written");
	blocks_close(&blocks);
	blocks_close(&other);
}

/* Check that a file in block mode does not affect other files, processes or read modes. */
static void test_modes(void)
{
	struct lkst_buffer_srmodparam std = { .cpu = 0, .mode = LKST_READ_MODE_STD };
	int fd = open_one(), bound = open_one();

	gives(blocks_bind(fd, 0), 0, "a file reads CPU 0 in blocks");
	gives(ioctl_errno(bound, LKST_IOC_BUFFER_SETRMOD, &std), 0,
	      "the process binds itself to CPU 0");
	gives(blocks_bind(bound, 0), 0, "... and still reads blocks through the same file");
	gives(call_read(bound, area, 100), EINVAL,
	      "... because read() fails if there is no room for a block");
	close(bound);
	close(fd);
}

/*
 * Check that a file gets the records of all buffers in the order of their recids, whatever state
 * the buffers are in, and that another file gets the same records.
 */
static void test_read(void)
{
	struct blocks a, b;

	begin_ring(&a, 3);
	marks(0, 1, 20);
	equal(blocks_read(&a, area, sizeof(area)), -EAGAIN,
	      "read(): the current buffer cannot be read before a flush");
	blocks_read_all(&a);
	marks_were(1, 20, "after a flush, the current buffer is read");
	need(shift(0), "SHIFT");
	queue_marks(21, 20);
	marks(0, 41, 5);
	ok(reads(&a), "a buffer that the CPU has left is read without a flush");
	equal(blocks_read(&a, area, sizeof(area)), -EAGAIN, "... but the current buffer is not");
	blocks_read_all(&a);
	marks_were(1, 45, "buffers are read in order");
	equal(not_read(&a.cpu[0]), 0, "... and nothing is lost");
	equal(a.cpu[0].end, cpu_recid(0), "... and every record is accounted for");

	marks_seen = 0;
	blocks_open(&b, -1);
	b.record = store_mark;
	need(blocks_seek(&b, 0, a.cpu[0].end - a.cpu[0].read), "SEEK back");
	blocks_read_all(&b);
	marks_were(1, 45, "another file reads the same records");
	end(&a, "one file");
	end(&b, "another file");
}

/*
 * Check that read() works with memory areas of various sizes, the smallest of which has room for
 * just one record.
 */
static void test_room(void)
{
	const size_t rooms[] = { 192, 192 + 63, 256, 1000 };
	struct blocks blocks;

	for (unsigned int i = 0; i < ARRAY_SIZE(rooms); i++) {
		begin_ring(&blocks, 2);
		marks(0, 1, 30);
		need(blocks_flush(&blocks), "BLOCK_FLUSH");
		while (blocks_read(&blocks, area, rooms[i]) > 0)
			;
		marks_were(1, 30, "read() works with an area of any size");
		end(&blocks, "read() works with an area of any size");
	}
}

/*
 * Check the exact counts of records that are lost because a buffer wraps or is deleted, or because
 * SEEK selects a record that has been overwritten.
 */
static void test_lost(void)
{
	struct blocks blocks;
	uint64_t first;

	begin_ring(&blocks, 2);
	first = cpu_recid(0);
	marks(0, 1, 3 * SLOTS);
	blocks_read_all(&blocks);
	equal(blocks.cpu[0].read, SLOTS, "a buffer that has wrapped holds one lap");
	equal(blocks.cpu[0].lost, 2 * SLOTS, "... and the two laps before it are lost");
	marks_were(2 * SLOTS + 1, SLOTS, "... and the newest lap is read");

	marks_seen = 0;
	queue_marks(1, 10);
	marks(0, 11, 10);
	need(delete_buffer(0, 1), "DELETE");
	blocks_read_all(&blocks);
	marks_were(11, 10, "after a buffer is deleted, the records of the other buffers are read");
	equal(blocks.cpu[0].lost, 2 * SLOTS + 10, "... and those of the deleted buffer are lost");

	restart(&blocks, first);
	blocks_read_all(&blocks);
	equal(blocks.cpu[0].lost, 3 * SLOTS + 10,
	      "SEEK to an overwritten record: the overwritten records are lost");
	restart(&blocks, 0);
	blocks_read_all(&blocks);
	equal(blocks.cpu[0].lost, 0, "SEEK to the oldest record: nothing is lost");
	end(&blocks, "losses");
}

/* Whether buffer 1 of CPU 0 has an LKST_BUFF_OVFLOW record that reports a loss. */
static bool reports_loss(void)
{
	static struct lkst_log_record records[MARKS_MAX];
	struct lkst_log_buffer param;
	size_t num = read_all(0, 1, &param, records);

	for (size_t i = 0; i < num; i++)
		if (records[i].posix.log_event_type == BUFF_OVFLOW && records[i].log_arg2)
			return true;
	return false;
}

/* Check that reusing a queued buffer reports a loss only if its records have not been read. */
static void test_handed_out(void)
{
	struct blocks blocks;

	prepare_ring(2, SET_WRAP);
	marks(0, 1, 10);
	need(shift(0) || shift(0), "SHIFT");
	ok(reports_loss(), "a shift to a buffer that has not been read reports a loss");

	begin_ring(&blocks, 2);
	select_maskset(SET_WRAP);
	queue_marks(1, 10);
	blocks_read_all(&blocks);
	need(shift(0), "SHIFT");
	ok(!reports_loss(), "... a shift to one that was read in blocks does not");
	blocks_read_all(&blocks);
	equal(blocks.cpu[0].lost, 0, "... and the file has lost nothing");
	end(&blocks, "a ring of buffers");
}

static void test_all_cpus(void)
{
	struct blocks blocks;

	prepare(0, 2, SMALL);
	prepare(1, 2, SMALL);
	begin(&blocks, -1);
	select_maskset(SET_MARKS);
	marks(0, 1, 10);
	marks(1, 11, 20);
	need(blocks_flush(&blocks), "BLOCK_FLUSH");
	ok(reads(&blocks), "one read() from a file of all CPUs succeeds");
	equal(blocks.cpu[0].read, 10, "... returns the records of CPU 0");
	equal(blocks.cpu[1].read, 20, "... and of CPU 1");
	equal(mark_seen[0], 11, "... and begins with the CPU that has the most records");
	end(&blocks, "all CPUs");
}

static void on_alarm(int signal)
{
	(void)signal;
}

/* Start a process that evaluates @expression after 200 ms. Return its process id. */
#define later(expression) spawn((sleep_ms(200), expression))

enum call { BLOCK_WAIT, BLOCK_FLUSH, BLOCK_SEEK, CALLS };

/*
 * Check that a read() that waits without a timeout returns when another process sets a timeout,
 * flushes or seeks on the same file.
 */
static void test_wakes_by_calls(void)
{
	static const char *const names[] = { "BLOCK_WAIT", "BLOCK_FLUSH", "BLOCK_SEEK" };
	const struct itimerval at_last = { .it_value.tv_sec = 60 }, never = {};
	const struct sigaction action = { .sa_handler = on_alarm };
	struct blocks blocks;
	unsigned int unread;
	pid_t pid;

	sigaction(SIGALRM, &action, NULL);
	for (enum call call = BLOCK_WAIT; call < CALLS; call++) {
		begin_ring(&blocks, 2);
		marks(0, 1, 5);
		blocks_read_all(&blocks);
		/* BLOCK_SEEK goes back to the five old marks, which a shift makes readable. */
		unread = call == BLOCK_SEEK ? 0 : 5;
		marks(0, 6, unread);
		need(unread ? 0 : shift(0), "SHIFT");
		fcntl(blocks.fd, F_SETFL, O_RDONLY);
		setitimer(ITIMER_REAL, &at_last, NULL);
		pid = later(call == BLOCK_WAIT	? blocks_wait(&blocks, 100) :
			    call == BLOCK_FLUSH ? blocks_flush(&blocks) :
						  blocks_seek(&blocks, 0, blocks.cpu[0].end - 5));
		blocks.cpu[0].begun = false;
		ok(reads(&blocks), "a waiting read() returns after %s in another process",
		   names[call]);
		setitimer(ITIMER_REAL, &never, NULL);
		exit_status(pid);
		equal(marks_seen, 10, "... and reads the five records");
		end(&blocks, names[call]);
	}
}

/* Wait up to 30 s for events. Return the events that epoll reports, or 0 after a timeout. */
static int epoll_events(int epoll)
{
	struct epoll_event event = {};

	return epoll_wait(epoll, &event, 1, 30000) == 1 ? (int)event.events : 0;
}

/*
 * Check that edge-triggered epoll reports new records each time. epoll polls the device once, when
 * the file is added. After it has reported an event, edge-triggered epoll polls the device again
 * only if LKST wakes it.
 */
static void test_epoll(void)
{
	struct epoll_event event = { .events = EPOLLIN | EPOLLET };
	int epoll = epoll_create1(0);
	struct blocks blocks = {};

	prepare_ring(2, SET_MARKS);
	reopen_lkst();
	blocks.fd = lkst_fd;
	blocks.record = store_mark;
	marks_seen = 0;
	set_nonblock(true);
	need(set_mode(0, LKST_READ_MODE_STD), "SETRMOD, STD");
	need(epoll < 0 || epoll_ctl(epoll, EPOLL_CTL_ADD, lkst_fd, &event), "epoll_ctl");
	need(blocks_bind(lkst_fd, 0) ?: blocks_wait(&blocks, 100), "SETRMOD, BLOCK");
	need(blocks_seek(&blocks, 0, LKST_BLOCK_RECID_END), "SEEK to the end");
	for (unsigned int i = 0; i < 3; i++) {
		marks(0, i * 5, 5);
		equal(epoll_events(epoll), EPOLLIN, "edge-triggered epoll wakes up, round %u", i);
		/* If this process paused between the marks, the timeout has ended twice. */
		do
			while (reads(&blocks))
				;
		while (marks_seen < i * 5 + 5 && epoll_events(epoll) == EPOLLIN);
		equal(marks_seen, i * 5 + 5, "... and all records can be read");
	}
	none_wrong(&blocks.wrongs, "... each block continues the one before");
	close(epoll);
	reopen_lkst();
}

static void test_waiting(void)
{
	/* Repeat the signal, because the first one may arrive before read() is called. */
	const struct itimerval again_and_again = { { .tv_sec = 1 }, { .tv_sec = 1 } }, never = {};
	const struct sigaction action = { .sa_handler = on_alarm };
	struct blocks blocks;
	pid_t pid;

	begin_ring(&blocks, 2);
	marks(0, 1, 5);
	equal(blocks_poll(&blocks, 300), 0,
	      "poll(): without a timeout, the current buffer is not readable");
	pid = later(shift(0));
	equal(blocks_poll(&blocks, 30000), POLLIN, "... until a shift");
	exit_status(pid);
	blocks_read_all(&blocks);
	equal(blocks_poll(&blocks, 0), 0, "poll(): nothing is left to read");

	need(blocks_wait(&blocks, 100), "BLOCK_WAIT");
	marks(0, 6, 5);
	equal(blocks_poll(&blocks, 30000), POLLIN, "poll(): returns when the timeout ends");
	ok(reads(&blocks), "... and the records can be read");
	/* If this process paused between the marks, only some of them have been readable. */
	blocks_read_all(&blocks);
	fcntl(blocks.fd, F_SETFL, O_RDONLY);
	pid = later(marks(0, 100, 1));
	ok(reads(&blocks), "read() waits for the timeout, too");
	exit_status(pid);
	equal(mark_seen[marks_seen - 1], 100, "... and returns the new records");

	need(blocks_wait(&blocks, 0), "BLOCK_WAIT");
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &again_and_again, NULL);
	equal(blocks_read(&blocks, area, sizeof(area)), -EINTR, "read(): a signal ends the wait");
	setitimer(ITIMER_REAL, &never, NULL);
	end(&blocks, "waiting");
}

/*
 * Return how many more records CPU 0 must write until a record is in the next half of buffer 1,
 * which wraps in place.
 */
static unsigned int until_half(void)
{
	uint64_t offset = buffer_of(0, 1).write_offset % SLOTS;

	return (offset > SLOTS / 2 ? SLOTS : SLOTS / 2) - offset + 1;
}

/*
 * Check that the first record of each half of a buffer that wraps in place wakes the reader, which
 * can then read the other half before it is overwritten.
 */
static void test_halves(void)
{
	struct blocks blocks;
	unsigned int num;
	pid_t pid;

	begin_ring(&blocks, 1);
	for (unsigned int half = 0; half < 4; half++) {
		num = until_half();
		marks(0, 1000 * half, num - 1);
		equal(blocks_poll(&blocks, 0), 0,
		      "half %u: the reader waits until the next half begins", half);
		pid = later(marks(0, 100, 1));
		equal(blocks_poll(&blocks, 30000), POLLIN, "... which wakes poll()");
		exit_status(pid);
		blocks_read_all(&blocks);
		equal(blocks.cpu[0].read, marks_seen, "... and all records are read");
	}
	equal(blocks.cpu[0].lost, 0, "... and nothing is lost");
	end(&blocks, "halves");
}

/*
 * Check that the read position belongs to the open file: a read() by a child that inherits the
 * file, or through a copy of the descriptor, continues where the last read() ended.
 */
static void test_file(void)
{
	struct blocks blocks;
	int copy;

	begin_ring(&blocks, 2);
	marks(0, 1, 10);
	equal(value_in_child((blocks_read_all(&blocks), marks_seen)), 10,
	      "a child reads through the file that it inherits");
	marks(0, 11, 10);
	copy = dup(blocks.fd);
	close(blocks.fd);
	blocks.fd = copy;
	blocks_read_all(&blocks);
	marks_were(11, 10, "... and its parent continues, through a copy of the descriptor");
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
	test_wakes_by_calls();
	test_epoll();
	test_halves();
	test_file();
	reset(0);
	reset(1);
}
