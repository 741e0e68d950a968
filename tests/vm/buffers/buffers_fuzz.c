// SPDX-License-Identifier: GPL-2.0
/*
 * Several processes make random calls to read() and the buffer ioctls (specification 4.7.1.3) on
 * the same few buffers, while events are recorded and CPU 1 goes offline and online. Each call must
 * succeed or fail with one of the errors that it may return, and must not hang. At the end the
 * state of the buffers must be consistent, and deleting the buffers must free all memory.
 *
 *	buffers_fuzz SECONDS
 */
#include <poll.h>

#include "etypes.h"
#include "processes.h"

#define CPUS	2
#define FUZZERS 4
#define READERS 2
#define SET	100 /* maskset in which a full buffer causes a shift */

/* Memory that all processes share. */
static struct shared {
	volatile bool stop; /* whether the processes must exit */
	unsigned long calls[16][2]; /* for each kind of call, how many succeeded and failed */
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

/* The kinds of calls: first the calls that fuzzers make, then the calls that readers make. */
enum call {
	CREATE, DELETE, LINK, SHIFT, JUMP, LIST, READ, ENTRY_LOG, MOVE,
	READER_CALLS, SETRMOD = READER_CALLS, SYS_READ, POLL, CLOSE, KILL, CALLS,
};

/* The name of each kind of call, and the errors that it may return */
static const struct {
	const char *name;
	int errors[3];
} calls[] = {
	{ "CREATE", { EINVAL, ENOSPC, ENOMEM } },
	{ "DELETE", { EINVAL, EBUSY } },
	{ "LINK", { EINVAL } },
	{ "SHIFT", { EINVAL, EBUSY } },
	{ "JUMP", { EINVAL, EBUSY } },
	{ "LIST" },
	{ "READ", { EINVAL } },
	{ "ENTRY_LOG" },
	{ "move", { EINVAL } },
	{ "SETRMOD", { EBUSY } },
	{ "read()", { EBUSY, EAGAIN } },
	{ "poll()" },
	{ "close()" },
	{ "kill" },
};

static int reopen(void)
{
	reopen_lkst();
	set_nonblock(true);
	return 0;
}

static int bind_any(void)
{
	return set_mode(any_cpu(), any(2));
}

static int read_any(void)
{
	static char bytes[1 << 16];

	return read(lkst_fd, bytes, any(4) ? sizeof(bytes) : 128 + any(500)) > 0 ? 0 : errno;
}

static void read_until_killed(void)
{
	reopen();
	for (int i = 0; i < 20; i++) {
		bind_any();
		read_any();
	}
	set_nonblock(false);
	while (read_any() != EBUSY)
		;
}

/* Make a call of kind @call. Return 0 or errno. */
static int make_call(enum call call)
{
	static struct lkst_log_record records[256];
	struct pollfd pollfd = { .fd = lkst_fd, .events = POLLIN };
	struct lkst_log_buffer param;
	int error = 0;
	pid_t pid;

	switch (call) {
	case CREATE:
		return create(any(4) ? any_cpu() : -1, any(4) ? any_id() : VOID, any_next(),
			      4096 << any(5));
	case DELETE:
		return delete_buffer(any_cpu(), any_id());
	case LINK:
		return link_buffer(any_cpu(), any_id(), any_next());
	case SHIFT:
		return shift(any_cpu());
	case JUMP:
		return jump(any_cpu(), any_id());
	case LIST:
		return queue_of(any_cpu()).buffer_num ? 0 : ENOENT;
	case READ:
		return read_buffer_max(&param, any_cpu(), any_id(), records, 1 + any(256));
	case ENTRY_LOG:
		for (int i = 0; i < 50 && !error; i++)
			error = mark(i, 0, 0, 0);
		return error;
	case MOVE:
		return move_to(any_cpu());
	case SETRMOD:
		return bind_any();
	case SYS_READ:
		return read_any();
	case POLL:
		return poll(&pollfd, 1, any(3)) < 0 ? errno : 0;
	case CLOSE:
		return reopen();
	default: /* KILL: kill a child that is reading */
		pid = spawn(read_until_killed());
		sleep_ms(any(20));
		kill(pid, SIGKILL);
		exit_status(pid);
		return 0;
	}
}

static void do_call(enum call call)
{
	int error = make_call(call);
	const int *errors = calls[call].errors;

	__atomic_fetch_add(&shared->calls[call][!!error], 1, __ATOMIC_RELAXED);
	if (error && error != errors[0] && error != errors[1] && error != errors[2])
		wrong("%s: %s", calls[call].name, strerror(error));
}

static void fuzzer(void)
{
	while (!shared->stop)
		do_call(any(READER_CALLS));
}

static void reader(void)
{
	reopen();
	while (!shared->stop)
		do_call(any(20) ? SYS_READ :
			any(20) ? SETRMOD + any(3) :
				  SETRMOD + any(CALLS - SETRMOD));
}

static void hotplugger(void)
{
	bool online = true;

	while (!shared->stop || !online) {
		sleep_ms(100 + any(300));
		if (cpu1_online(!online))
			online = !online;
	}
}

/* Checks after all processes have exited */

/*
 * Whether exactly one buffer of the CPU is the current one, none is being read, and the read queue
 * is complete and in the order of recids.
 */
static bool in_order(int cpu)
{
	const struct lkst_buffer_listent *ent;
	struct buffers buffers;
	int written = 0, queued = 0, prev = VOID;
	uint64_t recid = 0;

	list_buffers(&buffers, cpu);
	for (ent = buffers.ent; ent < buffers.ent + buffers.param.buffer_num; ent++) {
		bool is_written = ent->state == LKST_BUFFER_WRITTEN;

		written += is_written;
		queued += ent->state == LKST_BUFFER_QUEUED;
		if (ent->state == LKST_BUFFER_BEING_READ ||
		    is_written != (ent->id == buffers.param.write_buf)) {
			diag("CPU %d buffer %d: state %u", cpu, ent->id, ent->state);
			return false;
		}
	}
	for (int id = buffers.param.rq_head; id != VOID; queued--) {
		ent = find_buffer(&buffers, id);
		if (!ent || ent->state != LKST_BUFFER_QUEUED || ent->rq_prev != prev ||
		    ent->first_recid < recid || queued <= 0) {
			diag("CPU %d buffer %d is at the wrong place in the queue", cpu, id);
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

/* Start a process that has its own sequence of random numbers. */
#define start(run) (seed++, spawn(run()))

static bool all_succeeded(void)
{
	for (unsigned int i = 0; i < CALLS; i++)
		if (!shared->calls[i][0])
			return false;
	return true;
}

int main(int argc, char **argv)
{
	static const struct mask masks[] = {
		RECORDED(USER_MARK),
		RECORDED(SYSCALL_ENTRY),
		RECORDED(PROCESS_CONTEXTSWITCH),
		RECORDED(SYNC_TIME),
		RECORDED(BUFF_SHIFT),
		{ BUFF_OVFLOW, LKST_EVHANDLER_ID_BUFFER_SHIFT_DW },
	};
	pid_t pids[FUZZERS + READERS + 1];
	struct lkst_trc_status before;
	unsigned int num = 0;

	if (argc != 2) {
		fprintf(stderr, "usage: buffers_fuzz SECONDS\n");
		return 2;
	}
	seed = time(NULL);
	diag("seed %u", seed);
	shared = map(sizeof(*shared));
	wrongs = map(sizeof(*wrongs));
	open_lkst();
	before = get_status();
	need(write_maskset(SET, "fuzz", masks, ARRAY_SIZE(masks)), "MASKSET_WRITE");
	need(set_maskset(SET), "MASKSET_SET");
	while (num < FUZZERS)
		pids[num++] = start(fuzzer);
	while (num < FUZZERS + READERS)
		pids[num++] = start(reader);
	pids[num++] = start(hotplugger);
	run_for(atoi(argv[1]), all_succeeded);
	shared->stop = true;
	ok(all_exit(pids, num), "all processes end");
	for (unsigned int i = 0; i < CALLS; i++)
		ok(shared->calls[i][0] > 0, "%s: %lu calls succeed, %lu fail", calls[i].name,
		   shared->calls[i][0], shared->calls[i][1]);
	report_wrongs("no call fails with an unexpected error");
	need(set_maskset(LKST_MASKSET_ID_RNOTHING), "MASKSET_SET");
	for (int cpu = 0; cpu < CPUS; cpu++)
		ok(in_order(cpu), "CPU %d: its buffers and its queue are consistent", cpu);
	for (int cpu = 0; cpu < CPUS; cpu++)
		delete_buffers(cpu);
	delete_maskset(SET);
	equal(get_status().memory, before.memory, "all memory has been freed");
	equal(get_status().lost, before.lost, "every event found a buffer on its CPU");
	need(set_maskset(before.current_maskset_id), "MASKSET_SET");
	return done_testing();
}
