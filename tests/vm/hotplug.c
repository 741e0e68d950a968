// SPDX-License-Identifier: GPL-2.0
/*
 * Buffers of CPU 1 while it goes offline and comes back: they stay as they are, can be read and
 * managed, and it goes on in them. A reader in STD mode need not notice; a file that reads the CPU in
 * blocks comes to an end, and goes on when the CPU is back.
 */
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>

#include "blocks.h"
#include "buffers.h"

#define CPU   1
#define SMALL 4096

enum {
	SET_NOTHING = LKST_MASKSET_ID_RNOTHING,
	SET_MARKS = 100, /* marks, and what a shift records */
	SET_SHIFT, /* and overflows shift */
};

static void write_masksets(void)
{
	static const struct mask masks[] = {
		{ USER_MARK, LKST_EVHANDLER_ID_ENTRY_LOG },
		{ BUFF_SHIFT, LKST_EVHANDLER_ID_ENTRY_LOG },
		{ BUFF_OVFLOW, LKST_EVHANDLER_ID_ENTRY_LOG },
	};
	struct mask shifts[3];

	memcpy(shifts, masks, sizeof(shifts));
	shifts[2].handler = LKST_EVHANDLER_ID_BUFFER_SHIFT_DW;
	need(write_maskset(SET_MARKS, "marks", masks, 3) ?:
		     write_maskset(SET_SHIFT, "shift", shifts, 3),
	     "MASKSET_WRITE");
}

static void set_online(bool online)
{
	int fd = open("/sys/devices/system/cpu/cpu1/online", O_WRONLY);

	if (fd < 0 || write(fd, online ? "1" : "0", 1) != 1)
		bail_out("cpu1/online");
	close(fd);
}

/* From CPU 1, and back to CPU 0: a process that stayed there could not, when it goes offline. */
static void marks(uint64_t first, unsigned int num)
{
	pin(CPU);
	for (; num; num--)
		need(mark(first++, 0, 0, 0), "ENTRY_LOG");
	pin(0);
}

static void make_ring(int num, uint64_t size)
{
	struct buffers buffers;
	int i;

	need(set_maskset(SET_NOTHING), "MASKSET_SET");
	need(jump(CPU, 0), "JUMP");
	list_buffers(&buffers, CPU);
	for (i = 1; i < buffers.param.buffer_num; i++)
		need(delete_buffer(CPU, buffers.ent[i].id), "DELETE");
	for (i = 1; i <= num; i++)
		need(create(CPU, i, i % num + 1, size), "CREATE");
	if (num)
		need(jump(CPU, 1), "JUMP");
}

static struct lkst_log_record records[4096];

/* Of a buffer's marks, the first number; there are so many, one after the other. */
static bool marks_in(int id, uint64_t first, unsigned int num)
{
	struct lkst_log_buffer param;
	unsigned int i, found = 0;

	need(read_buffer_max(&param, CPU, id, records, 4096), "BUFFER_READ");
	for (i = 0; i < param.result_read_size / sizeof(records[0]); i++)
		if (records[i].posix.log_event_type == USER_MARK &&
		    records[i].log_arg1 != first + found++)
			return false;
	return found == num;
}

/* read() of what there is. */
static unsigned int read_marks(uint64_t first)
{
	ssize_t got = read(lkst_fd, records, sizeof(records));
	unsigned int i, found = 0;

	for (i = 0; got > 0 && i < got / sizeof(records[0]); i++)
		if (records[i].posix.log_event_type == USER_MARK &&
		    records[i].log_arg1 != first + found++)
			return 0;
	return found;
}

static void test_offline(void)
{
	static struct buffers before, after;
	uint64_t recid;

	make_ring(3, SMALL);
	need(set_mode(CPU, LKST_READ_MODE_STD), "SETRMOD");
	fcntl(lkst_fd, F_SETFL, O_RDWR | O_NONBLOCK);
	while (read(lkst_fd, records, sizeof(records)) > 0)
		;
	need(set_maskset(SET_MARKS), "MASKSET_SET");
	marks(1, 10);
	need(shift(CPU), "SHIFT");
	marks(11, 5);
	list_buffers(&before, CPU);
	set_online(false);
	list_buffers(&after, CPU);
	after.param.listent = before.param.listent;
	ok(!memcmp(&before, &after, sizeof(before)), "offline: LIST is what it was");
	ok(marks_in(1, 1, 10) && marks_in(2, 11, 5), "offline: BUFFER_READ");
	equal(read_marks(1), 10, "offline: read() of the queue");
	gives(shift(CPU), 0, "offline: SHIFT");
	equal(written_buffer(CPU), 3, "... to the next");
	equal(read_marks(11), 5, "... what it left can be read");
	gives(create(CPU, 9, VOID, SMALL), 0, "offline: CREATE");
	gives(link_buffer(CPU, 3, 9), 0, "offline: LINK");
	gives(shift(CPU), 0, "offline: SHIFT to the new one");
	gives(delete_buffer(CPU, 9), EBUSY, "offline: DELETE of the one it would record to");
	gives(jump(CPU, 3), 0, "offline: JUMP");
	gives(delete_buffer(CPU, 9), 0, "offline: DELETE");
	gives(link_buffer(CPU, 3, 1), 0, "offline: LINK");
	recid = cpu_recid(CPU);

	set_online(true);
	equal(written_buffer(CPU), 3, "online: it goes on where it was led");
	equal(cpu_recid(CPU), recid, "... with the next recid");
	marks(16, 5);
	ok(marks_in(3, 16, 5), "... and records");
	need(shift(CPU), "SHIFT");
	equal(read_marks(16), 5, "... and its reader gets it");
	close(lkst_fd);
	open_lkst();
}

static uint64_t area[1 << 13];

/* Waits for blocks until they end. Returns whether they had @num records. */
static bool reads_to_the_end(struct blocks *blocks, uint64_t num)
{
	long got;

	fcntl(blocks->fd, F_SETFL, O_RDONLY);
	do {
		got = blocks_read(blocks, area, sizeof(area));
	} while (got > 0);
	return !got && blocks->cpu[CPU].read == num && !blocks->wrong;
}

static int readable(const struct blocks *blocks)
{
	struct pollfd pollfd = { .fd = blocks->fd, .events = POLLIN };

	return poll(&pollfd, 1, 0) == 1 ? pollfd.revents : 0;
}

static void test_offline_blocks(void)
{
	struct blocks one, all;
	int status;

	make_ring(3, SMALL);
	need(set_maskset(SET_MARKS), "MASKSET_SET");
	blocks_open(&one, CPU);
	blocks_open(&all, -1);
	need(blocks_seek(&one, CPU, LKST_BLOCK_RECID_END) ?:
		     blocks_seek(&all, CPU, LKST_BLOCK_RECID_END),
	     "SEEK to the end");
	marks(1, 10);
	if (!fork())
		_exit(reads_to_the_end(&one, 10) ? 0 : 1);
	sleep_ms(200);
	set_online(false);
	wait(&status);
	equal(status, 0, "offline: a reader that waits for blocks gets the last ones, and the end");
	equal(readable(&one), POLLIN | POLLHUP, "... and poll() says so");
	blocks_read_all(&all);
	equal(all.cpu[CPU].read, 10, "... a file of all CPUs gets them, too");
	equal(readable(&all), 0, "... and goes on");

	set_online(true);
	marks(11, 5);
	fcntl(one.fd, F_SETFL, O_RDONLY | O_NONBLOCK);
	blocks_read_all(&one);
	blocks_read_all(&all);
	ok(one.cpu[CPU].read == 5 && all.cpu[CPU].read == 15, "online: both go on");
	ok(!one.wrong && !all.wrong, "... each block follows the one before");
	blocks_close(&one);
	blocks_close(&all);
}

/* A CPU that goes offline records until it is dead: the file must not come to an end before. */
static void test_last_records(void)
{
	unsigned int times, early = 0, failed = 0;
	struct blocks blocks;
	int status;
	long got;

	make_ring(2, 1 << 20);
	for (times = 0; times < 10; times++) {
		need(set_maskset(LKST_MASKSET_ID_RALL), "MASKSET_SET");
		blocks_open(&blocks, CPU);
		need(blocks_seek(&blocks, CPU, LKST_BLOCK_RECID_END), "SEEK to the end");
		if (!fork()) {
			set_online(false);
			_exit(0);
		}
		do {
			need(blocks_flush(&blocks), "BLOCK_FLUSH");
			got = blocks_read(&blocks, area, sizeof(area));
		} while (got > 0 || got == -EAGAIN);
		wait(&status);
		early += blocks.cpu[CPU].end != cpu_recid(CPU);
		failed += got || status || blocks.wrong;
		blocks_close(&blocks);
		set_online(true);
	}
	equal(failed, 0, "going offline %u times: the file comes to an end", times);
	equal(early, 0, "... after the last record");
}

/**
 * struct shared - what the processes tell each other
 * @stop: the writer is to end
 * @marks: that it made on CPU 1
 * @end: recid at which the stream ends, once it is known
 * @ready: the consumer is bound
 * @read: records that it got
 * @wrong: recids that did not follow
 */
static struct shared {
	volatile bool stop;
	volatile uint64_t marks;
	volatile uint64_t end;
	volatile bool ready;
	unsigned long read;
	unsigned long wrong;
} * shared;

/* On CPU 1 while it is there. */
static void writer(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(CPU, &set);
	while (!shared->stop) {
		sched_setaffinity(0, sizeof(set), &set);
		if (mark(shared->marks, 0, 0, 0))
			shared->wrong++;
		shared->marks++;
		if (shared->marks % 64 == 0)
			sleep_ms(1);
	}
}

/* Wherever it is put, and it is put elsewhere all the time. */
static void consumer(void)
{
	uint64_t next = 0;
	unsigned long n;
	cpu_set_t set;
	ssize_t got;
	size_t i;

	open_lkst();
	need(set_mode(CPU, LKST_READ_MODE_STD), "SETRMOD");
	shared->ready = true;
	for (n = 0; !shared->end || next < shared->end; n++) {
		CPU_ZERO(&set);
		CPU_SET(n % 2, &set);
		sched_setaffinity(0, sizeof(set), &set);
		got = read(lkst_fd, records, sizeof(records));
		if (got < 0 && errno != EINTR)
			shared->wrong++;
		for (i = 0; got > 0 && i < got / sizeof(records[0]); i++, next++) {
			if (shared->read++ && records[i].posix.log_recid != next)
				shared->wrong++;
			next = records[i].posix.log_recid;
		}
	}
}

static void nothing(int signal)
{
	(void)signal;
}

static pid_t start(void (*run)(void))
{
	struct sigaction action = { .sa_handler = nothing };
	pid_t pid = fork();

	if (pid < 0)
		bail_out("fork");
	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	sigaction(SIGUSR1, &action, NULL);
	run();
	_exit(0);
}

/* With nothing recorded but shifts: the consumer gets the last record, and is told that it is. */
static bool end_consumer(pid_t pid)
{
	int ms, status;

	need(set_maskset(SET_MARKS) ?: shift(CPU), "SHIFT");
	shared->end = buffer_of(CPU, written_buffer(CPU)).first_recid;
	for (ms = 0; ms < 20000; ms += 20) {
		if (waitpid(pid, &status, WNOHANG) == pid)
			return !status;
		kill(pid, SIGUSR1);
		sleep_ms(20);
	}
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	return false;
}

static void test_under_load(int rounds)
{
	pid_t pids[2];
	int status;

	make_ring(8, 256 << 10);
	pids[0] = start(consumer);
	while (!shared->ready)
		sleep_ms(10);
	need(set_maskset(SET_SHIFT), "MASKSET_SET");
	pids[1] = start(writer);
	while (rounds--) {
		sleep_ms(200);
		set_online(false);
		sleep_ms(100);
		set_online(true);
	}
	sleep_ms(200);
	shared->stop = true;
	waitpid(pids[1], &status, 0);
	ok(WIFEXITED(status) && !WEXITSTATUS(status), "under load: the writer ends");
	ok(end_consumer(pids[0]),
	   "... the consumer, which moves from CPU to CPU, gets the last record");
	ok(shared->read > 100 && !shared->wrong, "... it got %lu, and every one", shared->read);
	diag("%lu wrong, %llu marks", shared->wrong, (ull)shared->marks);
}

int main(void)
{
	struct lkst_trc_status before;

	open_lkst();
	pin(0);
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	if (shared == MAP_FAILED)
		bail_out("memory");
	before = get_status();
	write_masksets();
	test_offline();
	test_offline_blocks();
	test_last_records();
	test_under_load(5);
	make_ring(0, 0);
	need(lkst_number(LKST_IOC_MASKSET_DELETE, SET_MARKS) ?:
		     lkst_number(LKST_IOC_MASKSET_DELETE, SET_SHIFT),
	     "MASKSET_DELETE");
	equal(get_status().memory, before.memory, "all memory is back");
	equal(get_status().lost, before.lost, "no event found its CPU without a buffer");
	need(set_maskset(before.current_maskset_id), "MASKSET_SET");
	return done_testing();
}
