// SPDX-License-Identifier: GPL-2.0
/*
 * All events are recorded, those of the kernel's locks and of its memory, too, for a while: two CPUs
 * do a bit of everything, and meanwhile LKST's buffers are created, deleted, linked, shifted and
 * jumped to, and read. One CPU goes offline and comes back. Then it goes on for some time with
 * masksets that change.
 *
 *	everything SECONDS SECONDS	how long each
 */
#include <signal.h>
#include <sys/prctl.h>

#include "everything.h"
#include "proc_etypes.h"

#define CPUS	     2
#define OWN_IDS	     6 /* buffers that are created, 1 to so many */
#define SET	     100 /* a maskset of our own */
#define PROGRAMS     32
#define MIN_SWITCHES 2

#define MEM_VFREE 0x04d

/* What the manager does to buffers. */
enum call {
	CREATE,
	DELETE,
	LINK,
	JUMP,
	SHIFT,
	CALLS
};

static const char *const call_names[CALLS] = { "CREATE", "DELETE", "LINK", "JUMP", "SHIFT" };

/**
 * struct shared - what the processes tell each other
 * @stop: they are to end
 * @rounds: of each program in everything-work.c
 * @calls: that succeeded
 * @switches: of masksets
 * @reads: of buffers
 * @records: that were read
 * @seen: of these, how many of each event type
 */
static struct shared {
	volatile bool stop;
	volatile unsigned long rounds[PROGRAMS];
	unsigned long calls[CALLS];
	unsigned long switches;
	unsigned long reads;
	unsigned long records;
	unsigned long seen[LKST_ETYPE_NUM];
} * shared;

bool work_is_over(void)
{
	return shared->stop;
}

/* Buffers come and go */

static uint32_t dice(uint32_t sides)
{
	static uint32_t state = 1;

	state = state * 1664525 + 1013904223;
	return (state >> 8) % sides;
}

/* Some calls cannot be made just now: that buffer is there, or is not, or is written. */
static void manage(unsigned int arg)
{
	int error, cpu, id;
	enum call call;

	(void)arg;
	while (!shared->stop) {
		call = dice(CALLS);
		cpu = dice(CPUS);
		id = 1 + dice(OWN_IDS);
		switch (call) {
		case CREATE:
			error = create(cpu, id, dice(OWN_IDS + 1), 4096 << dice(7));
			break;
		case DELETE:
			error = delete_buffer(cpu, id);
			break;
		case LINK:
			error = link_buffer(cpu, id, dice(OWN_IDS + 1));
			break;
		case JUMP:
			error = jump(cpu, dice(OWN_IDS + 1));
			break;
		default:
			error = shift(cpu);
		}
		shared->calls[call] += !error;
		sleep_ms(dice(10));
		/* The big one is written most of the time: from a small one little is read. */
		if (dice(20) == 0) {
			jump(0, 0);
			jump(1, 0);
			sleep_ms(200);
		}
	}
}

/* Masksets change */

/*
 * Between two that differ in a few event types: while CPUs take turns, each trace point that is turned
 * on or off takes a second.
 */
static void change(unsigned int arg)
{
	(void)arg;
	while (!shared->stop) {
		if (set_maskset(shared->switches % 2 ? LKST_MASKSET_ID_RALL : SET))
			wrong("MASKSET_SET: %s", strerror(errno));
		shared->switches++;
		sleep_ms(dice(200));
	}
}

/* All events but some of memory and locks. */
static void write_own_maskset(void)
{
	static const int without[] = { 0x040, 0x041, 0x080, 0x082 };
	struct lkst_maskset_body *body = calloc(1, LKST_MASKSET_SIZE_MAX);
	struct lkst_maskset_param param = { .id = LKST_MASKSET_ID_RALL,
					    .maskset_size = LKST_MASKSET_SIZE_MAX,
					    .maskset = (uintptr_t)body };
	unsigned int i, j;

	if (!body)
		bail_out("calloc");
	need(lkst(LKST_IOC_MASKSET_READ, &param), "MASKSET_READ");
	for (i = 0; i < body->len; i++)
		for (j = 0; j < sizeof(without) / sizeof(without[0]); j++)
			if (body->entry[i].event_type == without[j])
				body->entry[i].id = LKST_EVHANDLER_ID_NONE;
	strcpy(body->name, "everything");
	param.id = SET;
	param.maskset_size = LKST_MASKSET_SIZE(body->len);
	need(lkst(LKST_IOC_MASKSET_WRITE, &param), "MASKSET_WRITE");
	free(body);
}

/* Reading */

/* Two programs make marks, and those of the first run may still be there in the second. */
#define MARKERS 4

struct progress {
	uint64_t thread[MARKERS];
	uint64_t serial[MARKERS];
};

static void check_mark(const struct lkst_log_record *record, struct progress *progress)
{
	uint64_t thread = record->log_arg1 >> 32, serial = (uint32_t)record->log_arg1;
	unsigned int i;

	if (!has_pattern(record) || thread != record->posix.log_thread) {
		wrong_record(record, "torn");
		return;
	}
	for (i = 0; i < MARKERS && progress->thread[i] && progress->thread[i] != thread; i++)
		;
	if (i == MARKERS) {
		wrong_record(record, "a mark of nobody's");
		return;
	}
	if (serial <= progress->serial[i])
		wrong_record(record, "out of order");
	progress->thread[i] = thread;
	progress->serial[i] = serial;
}

static void check_reading(const struct reading *reading)
{
	struct progress progress = {};
	size_t i;

	check_sum(reading);
	for (i = 0; i < reading->num; i++) {
		const struct lkst_log_record *record = &reading->records[i];

		check_record(reading, i);
		if (record->posix.log_event_type == USER_MARK)
			check_mark(record, &progress);
		shared->seen[record->posix.log_event_type & (LKST_ETYPE_NUM - 1)]++;
	}
	shared->reads++;
	shared->records += reading->num;
}

static size_t slots(void)
{
	return buffer_of(0, 0).size / RECORD_SIZE;
}

/* A buffer that has been listed may be gone by now. */
static void read_all(unsigned int arg)
{
	struct reading reading;
	struct buffers buffers;
	int cpu = 0, i;

	(void)arg;
	reading_init(&reading, slots());
	for (; !shared->stop; cpu = !cpu) {
		list_buffers(&buffers, cpu);
		for (i = 0; i < buffers.param.buffer_num && !shared->stop; i++)
			if (!read_some(&reading, cpu, buffers.ent[i].id, reading.max))
				check_reading(&reading);
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
	exit(0);
}

static void start_work(unsigned int arg)
{
	works[arg].run(&shared->rounds[arg]);
}

static void set_online(bool online)
{
	int fd = open("/sys/devices/system/cpu/cpu1/online", O_WRONLY);

	if (fd < 0 || write(fd, online ? "1" : "0", 1) != 1)
		wrong("cpu1/online: %s", strerror(errno));
	close(fd);
}

static bool all_seen(void);

static bool has_changed(void)
{
	return shared->switches >= MIN_SWITCHES;
}

/* With masksets that change, or with one CPU that goes and comes back. */
static void run(unsigned int seconds, bool changes)
{
	pid_t pids[PROGRAMS];
	unsigned int num = 0, i;
	int status;

	shared->stop = false;
	for (i = 0; i < WORKS; i++)
		pids[num++] = start(start_work, i);
	pids[num++] = start(manage, 0);
	pids[num++] = start(read_all, 0);
	if (changes) {
		pids[num++] = start(change, 0);
		go_on(seconds, has_changed);
	} else {
		sleep(seconds / 2);
		set_online(false);
		sleep(2);
		set_online(true);
		go_on(seconds - seconds / 2, all_seen);
	}
	shared->stop = true;
	for (i = 0; i < num; i++)
		if (waitpid(pids[i], &status, 0) < 0 || status)
			wrong("program %u ends with status %#x", i, status);
}

/* Nothing is recorded any more: what is left must add up. */
static void check_rest(void)
{
	const struct lkst_log_buffer *param;
	struct reading reading;
	struct buffers buffers;
	int cpu, i;

	reading_init(&reading, slots());
	for (cpu = 0; cpu < CPUS; cpu++) {
		list_buffers(&buffers, cpu);
		for (i = 0; i < buffers.param.buffer_num; i++) {
			const struct lkst_buffer_listent *ent = &buffers.ent[i];

			need(read_some(&reading, cpu, ent->id, reading.max), "BUFFER_READ");
			check_reading(&reading);
			param = &reading.param;
			if (param->unfinished || ent->first_recid != param->first_recid ||
			    ent->overwritten != param->overwritten ||
			    ent->dropped != param->dropped)
				wrong("CPU %d, buffer %d: BUFFER_LIST says something else", cpu,
				      ent->id);
		}
	}
	reading_free(&reading);
}

static void remove_buffers(void)
{
	int cpu, id;

	for (cpu = 0; cpu < CPUS; cpu++) {
		need(jump(cpu, 0), "BUFFER_JUMP");
		need(link_buffer(cpu, 0, VOID), "BUFFER_LINK");
		for (id = 1; id <= OWN_IDS; id++)
			if (buffer_exists(cpu, id))
				need(delete_buffer(cpu, id), "BUFFER_DELETE");
	}
}

/* Event types of which there must be records, and the classes */

static const struct {
	int first;
	int last;
} needed[] = {
	{ 0x040, 0x047 }, /* memory but reclaim */
	{ 0x04c, 0x04d }, /* vmalloc */
	{ 0x080, 0x086 }, /* locks but contention */
};

static const struct {
	int first;
	int last;
	const char *name;
} classes[] = {
	{ 0x000, 0x00f, "processes" },
	{ 0x010, 0x01f, "interrupts" },
	{ 0x020, 0x02f, "exceptions" },
	{ 0x030, 0x03f, "system calls" },
	{ 0x040, 0x05f, "memory" },
	{ 0x060, 0x06f, "network" },
	{ 0x070, 0x07f, "System V IPC" },
	{ 0x080, 0x08f, "locks" },
	{ 0x090, 0x09f, "timers" },
	{ 0x0a0, 0x0af, "block" },
	{ 0x0b0, 0x0bf, "oops" },
	{ 0x0c0, 0x0cf, "CPU and power" },
	{ 0x0d0, 0x0df, "modules and work" },
	{ 0x0e0, 0x0ff, "user programs" },
	{ 0xf00, 0xfff, "LKST itself" },
};

static unsigned long seen_of(int first, int last)
{
	unsigned long num = 0;

	while (first <= last)
		num += shared->seen[first++];
	return num;
}

/* Exceptions are of x86. */
static bool has_needed(unsigned int i)
{
#if defined(__x86_64__) || defined(__i386__)
	(void)i;
	return true;
#else
	return classes[i].first != 0x020;
#endif
}

static bool all_seen(void)
{
	unsigned int i;
	int etype;

	for (i = 0; i < sizeof(classes) / sizeof(classes[0]); i++)
		if (has_needed(i) && !seen_of(classes[i].first, classes[i].last))
			return false;
	for (i = 0; i < sizeof(needed) / sizeof(needed[0]); i++)
		for (etype = needed[i].first; etype <= needed[i].last; etype++)
			if (!may_be_absent(etype) && !shared->seen[etype])
				return false;
	return true;
}

static void report_seen(void)
{
	unsigned long num;
	unsigned int i;
	int etype;

	for (i = 0; i < sizeof(classes) / sizeof(classes[0]); i++) {
		if (!has_needed(i))
			continue;
		num = seen_of(classes[i].first, classes[i].last);
		ok(num, "%s: %lu records were read", classes[i].name, num);
	}
	for (i = 0; i < sizeof(needed) / sizeof(needed[0]); i++)
		for (etype = needed[i].first; etype <= needed[i].last; etype++)
			ok(may_be_absent(etype) || shared->seen[etype], "event type %#05x: %lu",
			   etype, shared->seen[etype]);
}

static void report_work(void)
{
	unsigned int i;

	for (i = 0; i < WORKS; i++)
		ok(shared->rounds[i], "%s: %lu rounds", works[i].name, shared->rounds[i]);
	for (i = 0; i < CALLS; i++)
		ok(shared->calls[i], "%s: %lu times", call_names[i], shared->calls[i]);
}

/*
 * No event finds its CPU without a buffer. But the kernel lets no probe interrupt another: where
 * functions are probed, a few calls of what frees memory are missed, as interrupts do so, too.
 */
static void check_lost(uint64_t lost)
{
	unsigned long freed = shared->seen[MEM_VFREE];

	if (kernel_is_stock())
		ok(lost <= freed / 100 + 1, "nothing is lost but %llu calls of %lu, to probes",
		   (ull)lost, freed);
	else
		equal(lost, 0, "no event found its CPU without a buffer");
}

int main(int argc, char **argv)
{
	struct lkst_trc_status before;

	if (argc != 3) {
		fprintf(stderr, "usage: everything SECONDS SECONDS\n");
		return 2;
	}
	open_lkst();
	read_proc_etypes();
	prepare_checks();
	shared = map(sizeof(*shared));
	before = get_status();
	need(set_maskset(LKST_MASKSET_ID_RALL), "MASKSET_SET");
	run(atoi(argv[1]), false);
	need(lkst(LKST_IOC_TRC_STOP, NULL), "TRC_STOP");
	check_rest();
	report_work();
	report_seen();
	diag("%lu reads of %lu records", shared->reads, shared->records);
	report_wrongs("no record was torn, out of order or out of place, and the numbers add up");

	remove_buffers();
	need(lkst(LKST_IOC_TRC_START, NULL), "TRC_START");
	write_own_maskset();
	run(atoi(argv[2]), true);
	need(lkst(LKST_IOC_TRC_STOP, NULL), "TRC_STOP");
	check_rest();
	ok(has_changed(), "%lu maskset switches", shared->switches);
	report_wrongs("nor while masksets change");

	remove_buffers();
	need(lkst(LKST_IOC_TRC_START, NULL), "TRC_START");
	need(set_maskset(before.current_maskset_id), "MASKSET_SET");
	need(lkst_number(LKST_IOC_MASKSET_DELETE, SET), "MASKSET_DELETE");
	equal(get_status().memory, before.memory, "all memory is back");
	check_lost(get_status().lost - before.lost);
	return done_testing();
}
