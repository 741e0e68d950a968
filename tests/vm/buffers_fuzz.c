// SPDX-License-Identifier: GPL-2.0
/*
 * Programs call everything of 4.7.1.3 at random, on the same few buffers, under load, and one
 * takes CPU 1 away and gives it back. Each call does what it is to do or fails with an error
 * it is to have; nobody hangs; and when all is over, the buffers are in order, and their memory is back.
 *
 *	buffers_fuzz SECONDS
 */
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>

#include "buffers.h"

#define CPUS	2
#define FUZZERS 4
#define READERS 2
#define SET	100 /* the maskset in which overflows shift */

/**
 * struct shared - what the processes tell each other
 * @stop: they are to end
 * @calls: how many succeeded, and failed, by kind
 * @wrong: errors that were not to be
 * @why: the first of them
 */
static struct shared {
	volatile bool stop;
	unsigned long calls[16][2];
	unsigned long wrong;
	char why[128];
} * shared;

static unsigned int seed;

static unsigned int any(unsigned int num)
{
	return rand_r(&seed) % num;
}

static int any_cpu(void)
{
	return any(CPUS);
}

static int any_id(void)
{
	return any(8);
}

static int any_next(void)
{
	return any(8) ? any_id() : VOID;
}

/* The calls */

static int call_create(void)
{
	return create(any(4) ? any_cpu() : -1, any(4) ? any_id() : VOID, any_next(),
		      4096 << any(5));
}

static int call_delete(void)
{
	return delete_buffer(any_cpu(), any_id());
}

static int call_link(void)
{
	return link_buffer(any_cpu(), any_id(), any_next());
}

static int call_shift(void)
{
	return shift(any_cpu());
}

static int call_jump(void)
{
	return jump(any_cpu(), any_id());
}

static int call_list(void)
{
	static struct buffers buffers;

	list_buffers(&buffers, any_cpu());
	return buffers.param.buffer_num ? 0 : ENOENT;
}

static int call_read_buffer(void)
{
	static struct lkst_log_record records[256];
	struct lkst_log_buffer param;

	return read_buffer_max(&param, any_cpu(), any_id(), records, 1 + any(256));
}

static int call_mark(void)
{
	int i;

	for (i = 0; i < 50; i++)
		if (mark(i, 0, 0, 0))
			return errno;
	return 0;
}

static int call_bind(void)
{
	return set_mode(any_cpu(), any(2));
}

static int call_read(void)
{
	static char bytes[1 << 16];

	return read(lkst_fd, bytes, any(4) ? sizeof(bytes) : 128 + any(500)) > 0 ? 0 : errno;
}

static int call_poll(void)
{
	struct pollfd pollfd = { .fd = lkst_fd, .events = POLLIN };

	return poll(&pollfd, 1, any(3)) < 0 ? errno : 0;
}

static int call_close(void)
{
	close(lkst_fd);
	open_lkst();
	fcntl(lkst_fd, F_SETFL, O_RDWR | O_NONBLOCK);
	return 0;
}

static int call_move(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(any_cpu(), &set);
	sched_setaffinity(0, sizeof(set), &set);
	return 0;
}

/* A reader that is killed in the middle of things. */
static int call_kill(void)
{
	pid_t pid = fork();
	int i;

	if (pid < 0)
		return errno;
	if (!pid) {
		call_close();
		for (i = 0; i < 20; i++) {
			call_bind();
			call_read();
		}
		fcntl(lkst_fd, F_SETFL, O_RDWR);
		for (;;)
			if (call_read() == EBUSY)
				_exit(0);
	}
	sleep_ms(any(20));
	kill(pid, SIGKILL);
	return waitpid(pid, NULL, 0) == pid ? 0 : errno;
}

#define ERRORS 4

static const struct call {
	const char *name;
	int (*call)(void);
	int errors[ERRORS]; /* it may fail with */
} calls[] = {
	{ "CREATE", call_create, { EINVAL, ENOSPC, ENOMEM } },
	{ "DELETE", call_delete, { EINVAL, EBUSY } },
	{ "LINK", call_link, { EINVAL } },
	{ "SHIFT", call_shift, { EINVAL, EBUSY } },
	{ "JUMP", call_jump, { EINVAL, EBUSY } },
	{ "LIST", call_list, {} },
	{ "READ", call_read_buffer, { EINVAL } },
	{ "ENTRY_LOG", call_mark, {} },
	{ "move", call_move, {} },
	/* Those of readers */
	{ "SETRMOD", call_bind, { EBUSY } },
	{ "read()", call_read, { EBUSY, EAGAIN } },
	{ "poll()", call_poll, {} },
	{ "close()", call_close, {} },
	{ "kill", call_kill, {} },
};

#define CALLS	     (sizeof(calls) / sizeof(calls[0]))
#define CALLS_OTHERS 9

static void do_call(unsigned int i)
{
	int error = calls[i].call(), j;

	__atomic_fetch_add(&shared->calls[i][!!error], 1, __ATOMIC_RELAXED);
	for (j = 0; error && j < ERRORS; j++)
		if (calls[i].errors[j] == error)
			error = 0;
	if (error && !__atomic_fetch_add(&shared->wrong, 1, __ATOMIC_RELAXED))
		snprintf(shared->why, sizeof(shared->why), "%s: %s", calls[i].name,
			 strerror(error));
}

static void fuzzer(void)
{
	while (!shared->stop)
		do_call(any(CALLS_OTHERS));
}

static void reader(void)
{
	call_close();
	while (!shared->stop)
		do_call(any(20) ? CALLS_OTHERS + 1 :
			any(20) ? CALLS_OTHERS + any(3) :
				  CALLS_OTHERS + any(CALLS - CALLS_OTHERS));
}

static void hotplugger(void)
{
	bool online = true;
	int fd;

	while (!shared->stop || !online) {
		sleep_ms(100 + any(300));
		online = !online;
		fd = open("/sys/devices/system/cpu/cpu1/online", O_WRONLY);
		if (fd < 0 || write(fd, online ? "1" : "0", 1) != 1)
			online = !online;
		close(fd);
	}
}

/* When all is over */

/* The buffer that is written is one, and the queue is a chain in the order of its recids. */
static bool in_order(int cpu)
{
	struct buffers buffers;
	int i, id, written = 0, queued = 0, prev = VOID;
	uint64_t recid = 0;

	list_buffers(&buffers, cpu);
	for (i = 0; i < buffers.param.buffer_num; i++) {
		written += buffers.ent[i].state == LKST_BUFFER_WRITTEN;
		queued += buffers.ent[i].state == LKST_BUFFER_QUEUED;
		if (buffers.ent[i].state == LKST_BUFFER_BEING_READ ||
		    (buffers.ent[i].state == LKST_BUFFER_WRITTEN) !=
			    (buffers.ent[i].id == buffers.param.write_buf)) {
			diag("CPU %d buffer %d: state %u", cpu, buffers.ent[i].id,
			     buffers.ent[i].state);
			return false;
		}
	}
	for (id = buffers.param.rq_head; id != VOID; queued--) {
		const struct lkst_buffer_listent *ent = find_buffer(&buffers, id);

		if (!ent || ent->state != LKST_BUFFER_QUEUED || ent->rq_prev != prev ||
		    ent->first_recid < recid || queued <= 0) {
			diag("CPU %d buffer %d is not where it is in the queue", cpu, id);
			return false;
		}
		recid = next_recid(ent);
		prev = id;
		id = ent->rq_next;
	}
	if (prev == buffers.param.rq_tail && !queued && written == 1 &&
	    buffers.param.owner == LKST_BUFFER_OWNER_NONE && buffers.param.read_buf == VOID)
		return true;
	diag("CPU %d: tail %d, last %d, %d more queued, %d written, owner %d, read %d", cpu,
	     buffers.param.rq_tail, prev, queued, written, buffers.param.owner,
	     buffers.param.read_buf);
	return false;
}

static void delete_buffers(int cpu)
{
	int id;

	need(jump(cpu, 0), "JUMP");
	for (id = 1; id < IDS; id++)
		if (buffer_exists(cpu, id))
			need(delete_buffer(cpu, id), "DELETE");
}

static pid_t start(void (*run)(void), unsigned int number)
{
	pid_t pid = fork();

	if (pid < 0)
		bail_out("fork");
	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	seed += number;
	run();
	_exit(0);
}

static bool finish(pid_t *pids, unsigned int num)
{
	bool good = true;
	unsigned int i;
	int status, ms;

	for (i = 0; i < num; i++) {
		for (ms = 0; ms < 30000 && !waitpid(pids[i], &status, WNOHANG); ms += 10)
			sleep_ms(10);
		if (ms >= 30000 || !WIFEXITED(status) || WEXITSTATUS(status)) {
			diag("process %u does not end well", i);
			kill(pids[i], SIGKILL);
			good = false;
		}
	}
	return good;
}

static bool all_succeeded(void)
{
	unsigned int i;

	for (i = 0; i < CALLS; i++)
		if (!shared->calls[i][0])
			return false;
	return true;
}

int main(int argc, char **argv)
{
	static const struct mask masks[] = {
		{ USER_MARK, LKST_EVHANDLER_ID_ENTRY_LOG },
		{ 0x030, LKST_EVHANDLER_ID_ENTRY_LOG },
		{ 0x001, LKST_EVHANDLER_ID_ENTRY_LOG },
		{ SYNC_TIME, LKST_EVHANDLER_ID_ENTRY_LOG },
		{ BUFF_SHIFT, LKST_EVHANDLER_ID_ENTRY_LOG },
		{ BUFF_OVFLOW, LKST_EVHANDLER_ID_BUFFER_SHIFT_DW },
	};
	pid_t pids[FUZZERS + READERS + 1];
	struct lkst_trc_status before;
	unsigned int num = 0, i;
	int cpu;

	if (argc != 2) {
		fprintf(stderr, "usage: buffers_fuzz SECONDS\n");
		return 2;
	}
	seed = time(NULL);
	diag("seed %u", seed);
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	if (shared == MAP_FAILED)
		bail_out("memory");
	open_lkst();
	before = get_status();
	need(write_maskset(SET, "fuzz", masks, sizeof(masks) / sizeof(masks[0])) ?:
										   set_maskset(SET),
	     "maskset");
	for (i = 0; i < FUZZERS; i++, num++)
		pids[num] = start(fuzzer, num);
	for (i = 0; i < READERS; i++, num++)
		pids[num] = start(reader, num);
	pids[num] = start(hotplugger, num);
	num++;
	go_on(atoi(argv[1]), all_succeeded);
	shared->stop = true;
	ok(finish(pids, num), "all end");
	for (i = 0; i < CALLS; i++)
		ok(shared->calls[i][0] > 0, "%s: %lu succeed, %lu fail", calls[i].name,
		   shared->calls[i][0], shared->calls[i][1]);
	if (!ok(!shared->wrong, "no call fails as it is not to"))
		diag("%lu; the first: %s", shared->wrong, shared->why);
	need(set_maskset(LKST_MASKSET_ID_RNOTHING), "MASKSET_SET");
	for (cpu = 0; cpu < CPUS; cpu++)
		ok(in_order(cpu), "CPU %d: its buffers and its queue are in order", cpu);
	for (cpu = 0; cpu < CPUS; cpu++)
		delete_buffers(cpu);
	need(lkst_number(LKST_IOC_MASKSET_DELETE, SET), "MASKSET_DELETE");
	equal(get_status().memory, before.memory, "all memory is back");
	equal(get_status().lost, before.lost, "no event found its CPU without a buffer");
	need(set_maskset(before.current_maskset_id), "MASKSET_SET");
	return done_testing();
}
