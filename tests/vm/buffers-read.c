// SPDX-License-Identifier: GPL-2.0
/*
 * SETRMOD, read() and poll(): who may, what they get, and how they wait.
 */
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/uio.h>
#include <sys/utsname.h>

#include "buffers-test.h"

#define NO_CPU 9999
#define STD    LKST_READ_MODE_STD
#define RAW    LKST_READ_MODE_RAW

static struct lkst_log_record records[4096];
static struct lkst_event_record raw[4096];

static void set_nonblock(bool on)
{
	if (fcntl(lkst_fd, F_SETFL, O_RDWR | (on ? O_NONBLOCK : 0)))
		bail_out("fcntl");
}

/* A descriptor that nothing is bound through. */
static void reopen(void)
{
	close(lkst_fd);
	open_lkst();
}

/* Bytes, or the error number negated. */
static long read_bytes(void *to, size_t size)
{
	ssize_t got = read(lkst_fd, to, size);

	return got < 0 ? -errno : got;
}

/* Records, or the error number negated. */
static long read_std(struct lkst_log_record *to, size_t num)
{
	long got = read_bytes(to, num * sizeof(*to));

	return got > 0 ? got / (long)sizeof(*to) : got;
}

static int owner_of(int cpu)
{
	struct buffers buffers;

	list_buffers(&buffers, cpu);
	return buffers.param.owner;
}

/* The records are marks, from @first on, in order. */
static bool marks_are(const struct lkst_log_record *r, long num, uint64_t first, long want_num)
{
	long i;

	if (num != want_num) {
		diag("%ld records, not %ld", num, want_num);
		return false;
	}
	for (i = 0; i < num; i++)
		if (r[i].posix.log_event_type != USER_MARK || r[i].log_arg1 != first + i) {
			diag("record %ld is %#x(%llu), not mark %llu", i, r[i].posix.log_event_type,
			     (ull)r[i].log_arg1, (ull)first + i);
			return false;
		}
	return true;
}

/* Runs in a process of its own; returns what @run did, 0 to 255. */
static int in_child(int (*run)(void))
{
	pid_t pid = fork();
	int status;

	if (pid < 0)
		bail_out("fork");
	if (!pid)
		_exit(run());
	if (waitpid(pid, &status, 0) != pid)
		bail_out("waitpid");
	return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}

/* Another process that does one thing and tells. */
struct peer {
	pid_t pid;
	int fd;
};

static struct peer start_peer(int (*run)(int fd))
{
	struct peer peer;
	int fds[2];

	if (pipe(fds))
		bail_out("pipe");
	peer.pid = fork();
	if (peer.pid < 0)
		bail_out("fork");
	if (!peer.pid) {
		close(fds[0]);
		_exit(run(fds[1]));
	}
	close(fds[1]);
	peer.fd = fds[0];
	return peer;
}

/* The next number that it tells, or -ETIME. */
static int hear(const struct peer *peer, int ms)
{
	struct pollfd pollfd = { .fd = peer->fd, .events = POLLIN };
	int32_t number;

	if (poll(&pollfd, 1, ms) != 1)
		return -ETIME;
	if (read(peer->fd, &number, sizeof(number)) != sizeof(number))
		return -EPIPE;
	return number;
}

static void tell(int fd, int32_t number)
{
	if (write(fd, &number, sizeof(number)) != sizeof(number))
		_exit(255);
}

/* Until it sleeps, as one does who waits: busy machines take their time. */
static bool asleep(const struct peer *peer)
{
	char path[64], stat[256], *state;
	int ms, times = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/stat", peer->pid);
	for (ms = 0; ms < 10000 && times < 5; ms += 20) {
		sleep_ms(20);
		file = fopen(path, "r");
		if (!file || !fgets(stat, sizeof(stat), file))
			bail_out(path);
		fclose(file);
		state = strrchr(stat, ')');
		times = state && state[2] == 'S' ? times + 1 : 0;
	}
	return times == 5;
}

static int end_peer(struct peer *peer, int signal)
{
	int status;

	if (signal)
		kill(peer->pid, signal);
	waitpid(peer->pid, &status, 0);
	close(peer->fd);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}

/* Who may */

static int bind_cpu0(void)
{
	return set_mode(0, STD);
}

static int read_one(void)
{
	long got = read_bytes(records, sizeof(records));

	return got < 0 ? -got : 0;
}

static int bind_and_stay(int fd)
{
	open_lkst();
	tell(fd, set_mode(0, STD));
	pause();
	return 0;
}

/* Its descriptor is the parent's; the binding is its own. */
static int bind_and_leave_descriptor(int fd)
{
	pid_t pid;

	open_lkst();
	tell(fd, set_mode(0, STD));
	pid = fork();
	if (pid)
		pause();
	tell(fd, 0);
	sleep(2);
	return 0;
}

static void test_unbound(void)
{
	struct pollfd pollfd = { .fd = lkst_fd, .events = POLLIN };

	equal(read_bytes(records, sizeof(records)), -EBUSY, "read(): EBUSY when not bound");
	equal(poll(&pollfd, 1, 0), 1, "poll(): does not wait when not bound");
	ok(pollfd.revents & POLLERR, "... but says POLLERR");
	gives(set_mode(-1, STD), EINVAL, "SETRMOD: CPU -1");
	gives(set_mode(NO_CPU, STD), EINVAL, "SETRMOD: CPU %d", NO_CPU);
	gives(set_mode(0, 3), EINVAL, "SETRMOD: mode 3");
	gives(set_mode(0, -1), EINVAL, "SETRMOD: mode -1");
	equal(owner_of(0), LKST_BUFFER_OWNER_NONE, "... and nobody is bound");
}

static const char *machine(void)
{
	static struct utsname names;

	uname(&names);
	/* A 32-bit program on a 64-bit kernel gets to know the kernel's, too. */
	return names.machine;
}

static void test_bind(void)
{
	struct lkst_buffer_srmodparam param;

	gives(set_mode_as(&param, 0, STD), 0, "SETRMOD");
	equal(owner_of(0), getpid(), "... LIST tells the owner");
	equal(owner_of(1), LKST_BUFFER_OWNER_NONE, "... of this CPU alone");
	ok(param.clock == get_status().clock && param.cpu_freq && !param.endian_big &&
		   param.buf_ver == LKST_BUFFER_VERSION && !strcmp(param.arch, machine()) &&
		   param.xtime.tv_sec && param.tsc,
	   "... the records are described");
	gives(in_child(bind_cpu0), EBUSY, "SETRMOD: another process owns the CPU");
	equal(in_child(read_one), EBUSY, "... a child that inherits the descriptor is not bound");
	gives(set_mode(1, STD), EBUSY, "SETRMOD: this process is bound to another CPU");
	gives(set_mode(NO_CPU, STD), EINVAL, "SETRMOD: a bad CPU comes first");
	gives(set_mode(0, RAW), 0, "SETRMOD: the same CPU again, RAW");
	gives(set_mode(0, 3), EINVAL, "SETRMOD: the same CPU again, a bad mode");
	equal(owner_of(0), getpid(), "... and it stays bound");
	reopen();
	equal(owner_of(0), LKST_BUFFER_OWNER_NONE, "close() releases it");
	gives(set_mode(1, STD), 0, "... and another CPU can be had");
	reopen();
}

/* Closing an inherited descriptor, or exiting with it, is not the owner's close. */
static int close_descriptor(void)
{
	close(lkst_fd);
	return 0;
}

static void test_release(void)
{
	struct peer peer;

	need(set_mode(0, STD), "SETRMOD");
	in_child(close_descriptor);
	equal(owner_of(0), getpid(), "a child that closes its copy releases nothing");
	reopen();

	peer = start_peer(bind_and_stay);
	equal(hear(&peer, 10000), 0, "a peer binds");
	gives(set_mode(0, STD), EBUSY, "... and owns the CPU");
	equal(owner_of(0), peer.pid, "... LIST says so");
	end_peer(&peer, SIGKILL);
	equal(owner_of(0), LKST_BUFFER_OWNER_NONE, "it is killed: nobody owns the CPU");
	gives(set_mode(0, STD), 0, "... and it can be had");
	reopen();

	peer = start_peer(bind_and_leave_descriptor);
	ok(!hear(&peer, 10000) && !hear(&peer, 10000), "a peer binds, and has a child");
	end_peer(&peer, SIGKILL);
	gives(set_mode(0, STD), 0, "it is killed, its child keeps the descriptor: the CPU is free");
	reopen();
}

/* What they get */

static void test_records(void)
{
	uint64_t first;
	long got, i;
	bool good = true;

	prepare(0, 4, SMALL);
	first = cpu_recid(0);
	select_maskset(SET_MARKS);
	marks(0, 1, 10);
	need(set_mode(0, STD), "SETRMOD");
	set_nonblock(true);
	equal(read_std(records, 4096), -EAGAIN, "read(): what is being written is not read");
	need(shift(0), "SHIFT");
	marks(0, 11, 20);
	need(shift(0), "SHIFT");
	marks(0, 31, 5);
	need(shift(0), "SHIFT");
	got = read_std(records, 4096);
	ok(marks_are(records, got, 1, 35), "read(): three buffers at once, in order");
	for (i = 0; i < got; i++)
		good &= records[i].posix.log_recid == first + i &&
			records[i].posix.log_processor == 0 &&
			records[i].posix.log_magic == LKST_LOG_MAGIC &&
			records[i].posix.log_size == LKST_LOG_SIZE &&
			records[i].posix.log_pid == getpid() &&
			records[i].log_arg2 == records[i].log_arg1 * 3;
	ok(good, "... each with its recid, CPU and process");
	equal(read_std(records, 4096), -EAGAIN, "... then there is no more");

	marks(0, 36, 10);
	need(shift(0), "SHIFT");
	need(set_mode(0, RAW), "SETRMOD");
	got = read_bytes(raw, sizeof(raw));
	equal(got, 10 * RECORD_SIZE, "RAW: 64 bytes a record");
	for (i = 0, good = true; i < 10; i++)
		good &= raw[i].event_type == USER_MARK && raw[i].arg[0] == (uint64_t)36 + i &&
			raw[i].pid == (uint32_t)getpid() && raw[i].clock &&
			raw[i].flags >> LKST_RECORD_LAP_SHIFT ==
				((first + 35 + i) & ((1 << LKST_RECORD_LAP_BITS) - 1));
	ok(good, "... with the low bits of the recid");
	reopen();
	reset(0);
}

static void test_room(void)
{
	char *bytes = (char *)records;
	struct buffers buffers;
	uint64_t first;

	prepare(0, 2, SMALL);
	first = cpu_recid(0);
	select_maskset(SET_MARKS);
	marks(0, 1, 10);
	need(shift(0), "SHIFT");
	need(set_mode(0, STD), "SETRMOD");
	equal(read_bytes(bytes, sizeof(records[0]) - 1), -EINVAL,
	      "read(): less room than a record");
	equal(read_bytes(bytes, 0), -EINVAL, "read(): no room");
	equal(read_bytes(bytes, 3 * sizeof(records[0]) - 1), 2 * sizeof(records[0]),
	      "read(): whole records");
	ok(marks_are(records, 2, 1, 2), "... the first two");
	list_buffers(&buffers, 0);
	equal(buffers.param.read_buf, 1, "LIST: the buffer that is being read");
	equal(buffers.param.read_pos, first + 2, "... and where reading goes on");
	equal(find_buffer(&buffers, 1)->state, LKST_BUFFER_BEING_READ, "... and its state");
	equal(buffers.param.rq_head, VOID, "... it is not in the queue");
	equal(owner_of(0), getpid(), "... its owner");
	need(set_mode(0, RAW), "SETRMOD");
	equal(read_bytes(raw, RECORD_SIZE - 1), -EINVAL, "read(): less room than a RAW record");
	equal(read_bytes(raw, 2 * RECORD_SIZE - 1), RECORD_SIZE, "read(): the next one RAW");
	equal(raw[0].arg[0], 3, "... indeed");
	need(set_mode(0, STD), "SETRMOD");
	ok(marks_are(records, read_std(records, 100), 4, 7), "read(): the rest");
	list_buffers(&buffers, 0);
	ok(buffers.param.read_buf == VOID ||
		   find_buffer(&buffers, 1)->state == LKST_BUFFER_BEING_READ,
	   "LIST agrees with itself");
	reopen();
	equal(buffer_of(0, 1).state, LKST_BUFFER_FREE, "a buffer that was read to its end is free");
	reset(0);
}

/* 0: it got marks 1 to 3. */
static int read_three(void)
{
	open_lkst();
	return set_mode(0, STD) || !marks_are(records, read_std(records, 3), 1, 3);
}

static int bind_and_read_four(int fd)
{
	open_lkst();
	tell(fd, set_mode(0, STD));
	tell(fd, !marks_are(records, read_std(records, 4), 4, 4));
	pause();
	return 0;
}

static void test_next_owner(void)
{
	struct lkst_buffer_listent ent;
	struct buffers buffers;
	struct peer peer;

	prepare(0, 3, SMALL);
	select_maskset(SET_MARKS);
	marks(0, 1, 10);
	need(shift(0), "SHIFT");
	marks(0, 11, 10);
	need(shift(0), "SHIFT");
	equal(in_child(read_three), 0, "a child reads three records, and exits");
	list_buffers(&buffers, 0);
	ok(buffers.param.rq_head == 1 && buffers.param.rq_tail == 2 &&
		   buffers.param.read_buf == VOID,
	   "... the buffer is back at the head of the queue");
	peer = start_peer(bind_and_read_four);
	ok(!hear(&peer, 10000) && !hear(&peer, 10000), "another reads the next four");
	equal(written_buffer(0), 3, "... (buffer 3 is written)");
	end_peer(&peer, SIGKILL);
	ent = buffer_of(0, 1);
	equal(ent.state, LKST_BUFFER_QUEUED, "... is killed, and the buffer is back");
	need(set_mode(0, STD), "SETRMOD");
	ok(marks_are(records, read_std(records, 100), 8, 13),
	   "the next owner gets the rest, and all of it");
	reopen();
	reset(0);
}

/* Half read and given back, it is reopened: the rest is lost, and told. */
static void test_lost_rest(void)
{
	struct want want[2];
	struct lkst_log_buffer param;
	uint64_t first, again;
	size_t num;

	prepare(0, 2, SMALL);
	first = cpu_recid(0);
	select_maskset(SET_WRAP);
	marks(0, 1, 10);
	need(shift(0), "SHIFT");
	equal(in_child(read_three), 0, "a child reads three records of ten, and exits");
	again = cpu_recid(0);
	need(shift(0), "SHIFT");
	want[0] = (struct want){ BUFF_SHIFT, { 2, 1, again } };
	want[1] = (struct want){ BUFF_OVFLOW, { 1, 7, first + 3 } };
	num = read_all(0, 1, &param, records);
	ok(records_are(records, num, want, 2), "SHIFT into it: the other seven are lost, and told");
	reset(0);
}

static void test_in_the_way(void)
{
	prepare(0, 3, SMALL);
	need(link_buffer(0, 2, 1), "LINK");
	select_maskset(SET_MARKS);
	marks(0, 1, 10);
	need(shift(0), "SHIFT");
	need(set_mode(0, STD), "SETRMOD");
	equal(read_std(records, 5), 5, "read(): half a buffer");
	select_maskset(SET_NOTHING);
	refused(EBUSY, delete_buffer(0, 1), "DELETE: it is being read");
	refused(EBUSY, jump(0, 1), "JUMP: it is being read");
	refused(EBUSY, shift(0), "SHIFT: the next is being read");
	select_maskset(SET_SHIFT);
	marks(0, 11, 200);
	equal(written_buffer(0), 2,
	      "overflow: the next is being read, and the full one goes round");
	select_maskset(SET_NOTHING);
	ok(marks_are(records, read_std(records, 5), 6, 5), "read(): the rest is as it was");
	set_nonblock(true);
	equal(read_std(records, 5), -EAGAIN, "read(): that was all");
	gives(shift(0), 0, "SHIFT: it has been read");
	reopen();
	reset(0);
}

static void test_bad_address(void)
{
	long page = sysconf(_SC_PAGESIZE), size = sizeof(records[0]), fit, got;
	char *map =
		mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	void *volatile bad = (void *)8; /* or the compiler has something to say */
	struct lkst_log_record *to;

	if (map == MAP_FAILED || munmap(map + page, page))
		bail_out("memory");
	prepare(0, 2, SMALL);
	select_maskset(SET_MARKS);
	marks(0, 1, 20);
	need(shift(0), "SHIFT");
	need(set_mode(0, STD), "SETRMOD");
	equal(read_bytes(bad, 10 * size), -EINVAL, "read(): a bad address");
	equal(read_bytes(map + page - size + 8, 10 * size), -EINVAL,
	      "read(): a bad address within the first record");
	fit = 5;
	to = (struct lkst_log_record *)(map + page - fit * size - 8);
	got = read_bytes(to, 15 * size);
	ok(got == fit * size || got == -EINVAL, "read(): a bad address within the sixth record");
	if (got == -EINVAL)
		fit = 0;
	ok(marks_are(to, fit, 1, fit), "... what it returns is there");
	ok(marks_are(records, read_std(records, 100), fit + 1, 20 - fit),
	   "... and nothing is lost");
	reopen();
	munmap(map, page);
	reset(0);
}

/* A record may be cut anywhere between two areas. */
static void test_readv(void)
{
	char *bytes = (char *)records;
	struct iovec iov[] = { { bytes, 1 },
			       { bytes + 1, sizeof(records[0]) },
			       { bytes + 1 + sizeof(records[0]), 5 * sizeof(records[0]) - 2 },
			       { bytes + 6 * sizeof(records[0]) - 1, 1 } };
	ssize_t got;

	prepare(0, 2, SMALL);
	select_maskset(SET_MARKS);
	marks(0, 1, 20);
	need(shift(0), "SHIFT");
	need(set_mode(0, STD), "SETRMOD");
	memset(records, 0, sizeof(records));
	got = readv(lkst_fd, iov, 4);
	equal(got, 6 * sizeof(records[0]), "readv(): room for six in four pieces");
	ok(marks_are(records, 6, 1, 6), "... they are whole");
	ok(marks_are(records, read_std(records, 100), 7, 14), "... and the others follow");
	reopen();
	reset(0);
}

/* How they wait */

static int wait_in_read(int fd)
{
	long got;

	open_lkst();
	tell(fd, set_mode(0, STD));
	got = read_std(records, 100);
	tell(fd, got);
	tell(fd, records[0].log_arg1);
	return 0;
}

static int wait_in_poll(int fd)
{
	struct pollfd pollfd;

	open_lkst();
	tell(fd, set_mode(0, STD));
	pollfd = (struct pollfd){ .fd = lkst_fd, .events = POLLIN };
	poll(&pollfd, 1, 20000);
	tell(fd, pollfd.revents);
	set_nonblock(true);
	tell(fd, read_std(records, 100));
	return 0;
}

static int wait_in_select(int fd)
{
	fd_set set;

	open_lkst();
	tell(fd, set_mode(0, STD));
	FD_ZERO(&set);
	FD_SET(lkst_fd, &set);
	tell(fd, select(lkst_fd + 1, &set, NULL, NULL, NULL) == 1 ? POLLIN : 0);
	set_nonblock(true);
	tell(fd, read_std(records, 100));
	return 0;
}

static int wait_in_epoll(int fd)
{
	struct epoll_event event = { .events = EPOLLIN | EPOLLET };
	int epoll = epoll_create1(0);

	open_lkst();
	tell(fd, set_mode(0, STD));
	if (epoll < 0 || epoll_ctl(epoll, EPOLL_CTL_ADD, lkst_fd, &event) ||
	    epoll_wait(epoll, &event, 1, 20000) != 1)
		event.events = 0;
	tell(fd, event.events);
	set_nonblock(true);
	tell(fd, read_std(records, 100));
	return 0;
}

/* epoll asks for events once, when it is told of the device: before the process is bound, here. */
static int wait_in_early_epoll(int fd)
{
	struct epoll_event event = { .events = EPOLLIN };
	int epoll = epoll_create1(0), mode;

	open_lkst();
	if (epoll < 0 || epoll_ctl(epoll, EPOLL_CTL_ADD, lkst_fd, &event))
		event.events = 0;
	mode = set_mode(0, STD);
	/* What was the matter before is looked at again. */
	epoll_wait(epoll, &event, 1, 0);
	tell(fd, mode);
	if (epoll_wait(epoll, &event, 1, 20000) != 1)
		event.events = 0;
	tell(fd, event.events);
	set_nonblock(true);
	tell(fd, read_std(records, 100));
	return 0;
}

static int by_shift(void)
{
	return shift(0);
}

static int by_jump(void)
{
	return jump(0, 3);
}

/* The 57th mark fills the buffer; LKST_BUFF_SHIFT comes to lie in the next one. */
static int by_overflow(void)
{
	marks(0, 2, SLOTS - SLOTS / 8);
	return 0;
}

static void test_wakes(int maskset, int (*cause)(void), int want, const char *name)
{
	struct peer peer;

	prepare(0, 3, SMALL);
	select_maskset(maskset);
	marks(0, 1, 1);
	peer = start_peer(wait_in_read);
	equal(hear(&peer, 10000), 0, "a peer waits in read()");
	ok(asleep(&peer) && hear(&peer, 0) == -ETIME, "... indeed");
	need(cause(), "%s", name);
	equal(hear(&peer, 10000), want, "... %s wakes it", name);
	equal(hear(&peer, 10000), 1, "... with the first mark");
	end_peer(&peer, 0);
	reset(0);
}

/* The handler that does not wake leaves it asleep, until somebody does. */
static void test_does_not_wake(void)
{
	struct peer peer;

	prepare(0, 3, SMALL);
	select_maskset(SET_SHIFT);
	marks(0, 1, 1);
	peer = start_peer(wait_in_read);
	equal(hear(&peer, 10000), 0, "a peer waits in read()");
	ok(asleep(&peer), "... indeed");
	by_overflow();
	equal(written_buffer(0), 2, "... the buffer is full, and left");
	equal(hear(&peer, 500), -ETIME, "... the handler that does not wake lets it sleep");
	need(shift(0), "SHIFT");
	equal(hear(&peer, 10000), SLOTS - SLOTS / 8 + 1 + 2,
	      "... SHIFT wakes it, and it gets both");
	end_peer(&peer, SIGKILL);
	reset(0);
}

static void test_polls(int (*wait)(int fd), const char *name)
{
	struct peer peer;

	prepare(0, 3, SMALL);
	select_maskset(SET_MARKS);
	marks(0, 1, 1);
	peer = start_peer(wait);
	equal(hear(&peer, 10000), 0, "a peer waits in %s", name);
	ok(asleep(&peer) && hear(&peer, 0) == -ETIME, "... indeed");
	need(shift(0), "SHIFT");
	ok(hear(&peer, 10000) & POLLIN, "... SHIFT wakes it");
	equal(hear(&peer, 10000), 1, "... and there is something to read");
	end_peer(&peer, 0);
	reset(0);
}

static void test_poll_states(void)
{
	struct pollfd pollfd;

	prepare(0, 3, SMALL);
	select_maskset(SET_MARKS);
	marks(0, 1, 10);
	need(set_mode(0, STD), "SETRMOD");
	pollfd = (struct pollfd){ .fd = lkst_fd, .events = POLLIN };
	equal(poll(&pollfd, 1, 0), 0, "poll(): nothing to read");
	need(shift(0), "SHIFT");
	equal(poll(&pollfd, 1, 0), 1, "poll(): a queued buffer");
	equal(read_std(records, 5), 5, "read(): half of it");
	equal(poll(&pollfd, 1, 0), 1, "poll(): the other half");
	equal(read_std(records, 5), 5, "read(): all of it");
	set_nonblock(true);
	equal(read_std(records, 5), -EAGAIN, "read(): nothing is left");
	equal(poll(&pollfd, 1, 0), 0, "poll(): nothing is left");
	reopen();
	reset(0);
}

static volatile sig_atomic_t signals;

static void on_signal(int signal)
{
	(void)signal;
	signals++;
}

static int wait_with_signal(int fd, int flags)
{
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = flags };

	sigaction(SIGUSR1, &action, NULL);
	open_lkst();
	tell(fd, set_mode(0, STD));
	tell(fd, read_std(records, 100));
	tell(fd, signals);
	return 0;
}

static int wait_interrupted(int fd)
{
	return wait_with_signal(fd, 0);
}

static int wait_restarted(int fd)
{
	return wait_with_signal(fd, SA_RESTART);
}

static void test_signals(void)
{
	struct peer peer;

	prepare(0, 3, SMALL);
	select_maskset(SET_MARKS);
	marks(0, 1, 1);
	peer = start_peer(wait_interrupted);
	equal(hear(&peer, 10000), 0, "a peer waits in read()");
	ok(asleep(&peer), "... indeed");
	kill(peer.pid, SIGUSR1);
	equal(hear(&peer, 10000), -EINTR, "... a signal ends it: EINTR");
	end_peer(&peer, 0);

	peer = start_peer(wait_restarted);
	equal(hear(&peer, 10000), 0, "a peer waits in read(), with SA_RESTART");
	ok(asleep(&peer), "... indeed");
	kill(peer.pid, SIGUSR1);
	equal(hear(&peer, 500), -ETIME, "... a signal does not end it");
	need(shift(0), "SHIFT");
	equal(hear(&peer, 10000), 1, "... SHIFT does");
	equal(hear(&peer, 10000), 1, "... after its handler ran");
	end_peer(&peer, 0);

	marks(0, 2, 1);
	peer = start_peer(wait_in_read);
	equal(hear(&peer, 10000), 0, "a peer waits in read()");
	ok(asleep(&peer), "... indeed");
	end_peer(&peer, SIGKILL);
	equal(owner_of(0), LKST_BUFFER_OWNER_NONE, "... and can be killed");
	reset(0);
}

/* Side by side */

#define BIG	(32 * SMALL)
#define READERS 2
#define PARTS	(BIG / RECORD_SIZE)

struct part {
	unsigned int num;
	uint64_t recid[PARTS];
	uint64_t arg1[PARTS];
};

static struct part parts[READERS];

static void *read_part(void *arg)
{
	struct part *part = arg;
	struct lkst_log_record some[7];
	ssize_t got;
	size_t i;

	while ((got = read(lkst_fd, some, sizeof(some))) > 0)
		for (i = 0; i < got / sizeof(some[0]) && part->num < PARTS; i++, part->num++) {
			part->recid[part->num] = some[i].posix.log_recid;
			part->arg1[part->num] = some[i].log_arg1;
		}
	return NULL;
}

static void test_threads(void)
{
	unsigned int i, j, total = 0, num = PARTS - reserve(BIG);
	static unsigned char seen[PARTS];
	pthread_t threads[READERS];
	bool ordered = true, once = true;
	uint64_t first;

	prepare(0, 2, BIG);
	first = cpu_recid(0);
	select_maskset(SET_MARKS);
	marks(0, 1, num);
	need(shift(0), "SHIFT");
	need(set_mode(0, STD), "SETRMOD");
	set_nonblock(true);
	memset(parts, 0, sizeof(parts));
	for (i = 0; i < READERS; i++)
		if (pthread_create(&threads[i], NULL, read_part, &parts[i]))
			bail_out("pthread_create");
	for (i = 0; i < READERS; i++)
		pthread_join(threads[i], NULL);
	for (i = 0; i < READERS; i++) {
		total += parts[i].num;
		for (j = 0; j < parts[i].num; j++) {
			ordered &= !j || parts[i].recid[j] > parts[i].recid[j - 1];
			once &= parts[i].recid[j] - first < PARTS &&
				parts[i].arg1[j] == parts[i].recid[j] - first + 1 &&
				!seen[parts[i].recid[j] - first]++;
		}
	}
	equal(total, num, "two threads read a buffer together: all of it");
	ok(ordered, "... each in order");
	ok(once, "... and nothing twice");
	diag("they got %u and %u", parts[0].num, parts[1].num);
	reopen();
	reset(0);
}

static volatile bool stop_moving;

static void *move(void *arg)
{
	pid_t pid = *(pid_t *)arg;
	cpu_set_t set;
	int cpu;

	for (cpu = 0; !stop_moving; cpu = !cpu) {
		CPU_ZERO(&set);
		CPU_SET(cpu, &set);
		sched_setaffinity(pid, sizeof(set), &set);
		sched_yield();
	}
	return NULL;
}

static void test_migrating(void)
{
	unsigned int num = PARTS - reserve(BIG), i, round;
	struct lkst_log_record some[7];
	pid_t self = getpid();
	bool good = true;
	pthread_t thread;
	ssize_t got = 0;
	uint64_t want;

	prepare(1, 2, BIG);
	select_maskset(SET_MARKS);
	need(set_mode(1, STD), "SETRMOD");
	set_nonblock(true);
	for (round = 0, want = 1; round < 4; round++) {
		marks(1, want, num);
		need(shift(1), "SHIFT");
		stop_moving = false;
		if (pthread_create(&thread, NULL, move, &self))
			bail_out("pthread_create");
		while ((got = read(lkst_fd, some, sizeof(some))) > 0)
			for (i = 0; i < got / sizeof(some[0]); i++)
				good &= some[i].log_arg1 == want++;
		stop_moving = true;
		pthread_join(thread, NULL);
	}
	ok(good && want == 4 * num + 1,
	   "a reader that moves from CPU to CPU gets each record once");
	reopen();
	pin(0);
	reset(1);
}

void test_reader(void)
{
	test_unbound();
	test_bind();
	test_release();
	test_records();
	test_room();
	test_next_owner();
	test_lost_rest();
	test_in_the_way();
	test_bad_address();
	test_readv();
	test_wakes(SET_MARKS, by_shift, 1, "SHIFT");
	test_wakes(SET_MARKS, by_jump, 1, "JUMP");
	test_wakes(SET_SHIFT_DW, by_overflow, SLOTS - SLOTS / 8 + 1, "an overflow");
	test_does_not_wake();
	test_polls(wait_in_poll, "poll()");
	test_polls(wait_in_select, "select()");
	test_polls(wait_in_epoll, "epoll_wait()");
	test_polls(wait_in_early_epoll, "epoll_wait(), asked before SETRMOD");
	test_poll_states();
	test_signals();
	test_threads();
	test_migrating();
}
