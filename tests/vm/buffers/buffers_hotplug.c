// SPDX-License-Identifier: GPL-2.0
/*
 * Check that the buffers of CPU 1 do not change while it is offline, but can be read and managed,
 * and that the CPU continues in them when it is online again. For a reader in STD mode nothing
 * changes. A reader of only this CPU in block mode reaches the end of the file, and can continue
 * when the CPU is online again.
 */
#include "blocks.h"
#include "buffers_test.h"

#define CPU 1

static struct lkst_log_record records[4096];
static uint64_t area[1 << 13];

static void set_online(bool online)
{
	bail_if(!cpu1_online(online), "cpu1/online");
}

/*
 * Record marks on CPU 1, then return to CPU 0, because the kernel changes the affinity of a process
 * whose only CPU goes offline.
 */
static void marks_and_return(uint64_t first, unsigned int num)
{
	marks(CPU, first, num);
	pin(0);
}

/* Return how many of @num records are marks, or 0 if they are not numbered from @first. */
static unsigned int count_marks(size_t num, uint64_t first)
{
	unsigned int found = 0;

	for (size_t i = 0; i < num; i++)
		if (records[i].posix.log_event_type == USER_MARK &&
		    records[i].log_arg1 != first + found++)
			return 0;
	return found;
}

/* Call count_marks() for the records of a buffer of CPU 1. */
static unsigned int marks_in(int id, uint64_t first)
{
	return count_marks(read_all(CPU, id, &(struct lkst_log_buffer){}, records), first);
}

/* Read queued records, and call count_marks() for them. */
static unsigned int read_marks(uint64_t first)
{
	ssize_t got = read(lkst_fd, records, sizeof(records));

	return got > 0 ? count_marks(got / sizeof(records[0]), first) : 0;
}

static void test_offline(void)
{
	static struct snapshot before;
	uint64_t recid;

	prepare(CPU, 3, SMALL);
	need(set_mode(CPU, LKST_READ_MODE_STD), "SETRMOD");
	set_nonblock(true);
	select_maskset(SET_WRAP);
	marks_and_return(1, 10);
	need(shift(CPU), "SHIFT");
	marks_and_return(11, 5);
	take_snapshot(&before);
	set_online(false);
	ok(unchanged(&before), "offline: LIST is unchanged");
	ok(marks_in(1, 1) == 10 && marks_in(2, 11) == 5, "offline: BUFFER_READ returns all marks");
	equal(read_marks(1), 10, "offline: the queue can be read");
	gives(shift(CPU), 0, "offline: SHIFT");
	equal(written_buffer(CPU), 3, "... the next buffer is the current one");
	equal(read_marks(11), 5, "... and the previous one can be read");
	gives(create(CPU, 9, VOID, SMALL), 0, "offline: CREATE");
	gives(link_buffer(CPU, 3, 9), 0, "offline: LINK");
	gives(shift(CPU), 0, "offline: SHIFT to a new buffer");
	gives(delete_buffer(CPU, 9), EBUSY, "offline: DELETE the current buffer");
	gives(jump(CPU, 3), 0, "offline: JUMP");
	gives(delete_buffer(CPU, 9), 0, "offline: DELETE");
	gives(link_buffer(CPU, 3, 1), 0, "offline: LINK");
	recid = cpu_recid(CPU);

	set_online(true);
	equal(written_buffer(CPU), 3,
	      "online: the CPU continues in the buffer that was selected while offline");
	equal(cpu_recid(CPU), recid, "... with the next recid");
	marks_and_return(16, 5);
	equal(marks_in(3, 16), 5, "... and records");
	need(shift(CPU), "SHIFT");
	equal(read_marks(16), 5, "... and its reader reads the marks");
	reopen_lkst();
}

/* Read blocks to the end of the file. Return whether they are correct and have @num records. */
static bool reads_to_the_end(struct blocks *blocks, uint64_t num)
{
	long got;

	fcntl(blocks->fd, F_SETFL, O_RDONLY);
	do {
		got = blocks_read(blocks, area, sizeof(area));
	} while (got > 0);
	return !got && blocks->cpu[CPU].read == num && !blocks->wrongs.num;
}

static void test_offline_blocks(void)
{
	struct blocks one, all;
	pid_t pid;

	prepare(CPU, 3, SMALL);
	select_maskset(SET_WRAP);
	blocks_open_at_end(&one, CPU);
	blocks_open_at_end(&all, -1);
	marks_and_return(1, 10);
	pid = spawn(_exit(reads_to_the_end(&one, 10) ? 0 : 1));
	sleep_ms(200);
	set_online(false);
	equal(exit_status(pid), 0,
	      "offline: a reader that waits for blocks gets the last ones, and the end");
	equal(blocks_poll(&one, 0), POLLIN | POLLHUP, "... and poll() reports the end");
	blocks_read_all(&all);
	equal(all.cpu[CPU].read, 10, "... a file of all CPUs gets them, too");
	equal(blocks_poll(&all, 0), 0, "... and does not end");

	set_online(true);
	marks_and_return(11, 5);
	fcntl(one.fd, F_SETFL, O_RDONLY | O_NONBLOCK);
	blocks_read_all(&one);
	blocks_read_all(&all);
	ok(one.cpu[CPU].read == 5 && all.cpu[CPU].read == 15, "online: both files continue");
	ok(!one.wrongs.num && !all.wrongs.num, "... each block continues the one before");
	blocks_close(&one);
	blocks_close(&all);
}

/*
 * Check that a file in block mode for one CPU ends when the CPU goes offline, but not before the
 * CPU's last record has been read.
 */
static void test_last_records(void)
{
	unsigned int times, early = 0, failed = 0;
	struct blocks blocks;
	pid_t pid;
	long got;

	prepare(CPU, 2, 1 << 20);
	for (times = 0; times < 10; times++) {
		select_maskset(LKST_MASKSET_ID_RALL);
		blocks_open_at_end(&blocks, CPU);
		pid = spawn(set_online(false));
		do {
			need(blocks_flush(&blocks), "BLOCK_FLUSH");
			got = blocks_read(&blocks, area, sizeof(area));
		} while (got > 0 || got == -EAGAIN);
		failed += exit_status(pid) || got || blocks.wrongs.num;
		early += blocks.cpu[CPU].end != cpu_recid(CPU);
		blocks_close(&blocks);
		set_online(true);
	}
	equal(failed, 0, "CPU offline %u times: the file reaches the end", times);
	equal(early, 0, "... and not before the last record");
}

/* Memory that the processes of test_under_load() share. */
static struct shared {
	volatile bool stop; /* whether the writer must exit */
	volatile uint64_t end; /* recid at which the consumer must stop, or 0 during the test */
	volatile bool ready; /* whether the consumer is bound to CPU 1 */
	volatile uint64_t next; /* recid of the record that the consumer reads next */
	unsigned long marks; /* number of marks that the writer has recorded */
	unsigned long read; /* number of records that the consumer has read */
} * shared;

/*
 * The ring of buffers of test_under_load(). A consumer that fell behind by more than the ring holds
 * would lose records. So the writer waits while the consumer is more than MAX_BEHIND records
 * behind.
 */
#define RING	    8
#define RING_SIZE   (256 << 10)
#define MAX_BEHIND (RING / 2 * RING_SIZE / RECORD_SIZE)

/* Record marks until @stop is set, on CPU 1 whenever it is online. */
static void writer(void)
{
	while (!shared->stop) {
		move_to(CPU);
		if (mark(shared->marks++, 0, 0, 0))
			wrong("ENTRY_LOG: %s", strerror(errno));
		if (shared->marks % 64)
			continue;
		do
			sleep_ms(1);
		while (!shared->stop && cpu_recid(CPU) > shared->next + MAX_BEHIND);
	}
}

static void nothing(int signal)
{
	(void)signal;
}

/* Read CPU 1's records while moving between CPUs 0 and 1. Check that no recid is missing. */
static void consumer(void)
{
	struct sigaction action = { .sa_handler = nothing };
	uint64_t next = 0;
	ssize_t got;

	sigaction(SIGUSR1, &action, NULL);
	open_lkst();
	need(set_mode(CPU, LKST_READ_MODE_STD), "SETRMOD");
	shared->ready = true;
	for (unsigned long n = 0; !shared->end || next < shared->end; n++) {
		move_to(n % 2);
		got = read(lkst_fd, records, sizeof(records));
		if (got < 0 && errno != EINTR)
			wrong("read(): %s", strerror(errno));
		for (size_t i = 0; got > 0 && i < got / sizeof(records[0]); i++) {
			if (shared->read++ && records[i].posix.log_recid != next)
				wrong("recid %llu after %llu", (ull)records[i].posix.log_recid,
				      (ull)next - 1);
			next = records[i].posix.log_recid + 1;
			shared->next = next;
		}
	}
}

/*
 * Shift, so that the consumer can read the last records. Return whether the consumer exits
 * successfully.
 */
static bool end_consumer(pid_t pid)
{
	int status;

	select_maskset(SET_WRAP);
	need(shift(CPU), "SHIFT");
	shared->end = buffer_of(CPU, written_buffer(CPU)).first_recid;
	for (int ms = 0; ms < 20000; ms += 20) {
		if (ends_within(20, pid, &status))
			return !status;
		kill(pid, SIGUSR1);
	}
	kill(pid, SIGKILL);
	return false;
}

static void test_under_load(int rounds)
{
	pid_t pids[2];

	shared = map(sizeof(*shared));
	wrongs = map(sizeof(*wrongs));
	prepare(CPU, RING, RING_SIZE);
	shared->next = cpu_recid(CPU);
	pids[0] = spawn(consumer());
	while (!shared->ready)
		sleep_ms(10);
	select_maskset(SET_SHIFT_DW);
	pids[1] = spawn(writer());
	while (rounds--) {
		sleep_ms(200);
		set_online(false);
		sleep_ms(100);
		set_online(true);
	}
	sleep_ms(200);
	shared->stop = true;
	equal(exit_status(pids[1]), 0, "under load: the writer exits");
	ok(end_consumer(pids[0]),
	   "... the consumer, which moves from CPU to CPU, gets the last record");
	ok(shared->read > 100, "... it reads %lu records of %lu marks", shared->read,
	   shared->marks);
	report_wrongs("... and misses none");
}

void test_hotplug(void)
{
	struct lkst_trc_status before = get_status();

	test_offline();
	test_offline_blocks();
	test_last_records();
	test_under_load(5);
	equal(get_status().lost, before.lost, "every event found a buffer on its CPU");
}
