// SPDX-License-Identifier: GPL-2.0
/*
 * Record all events, including events of locks and memory, while programs use as many parts of the
 * kernel as possible on two CPUs. At the same time, one process creates, deletes and links buffers,
 * and makes CPUs switch between them. Another process reads the buffers, and a CPU goes offline and
 * online.
 *
 *	everything SECONDS
 */
#include <limits.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/sem.h>
#include <sys/shm.h>

#include "modules.h"
#include "oracle_workload.h"
#include "proc_etypes.h"
#include "records.h"

#define PAGE	 4096
#define OWN_IDS	 6 /* created buffers have the ids 1 to OWN_IDS */
#define PROGRAMS 32 /* maximum number of programs */

#define MEM_VFREE   0x04d
#define CPU1_ONLINE "/sys/devices/system/cpu/cpu1/online"

/* The calls by which the manager changes buffers. */
enum call { CREATE, DELETE, LINK, JUMP, SHIFT, CALLS };

static const char *const call_names[CALLS] = { "CREATE", "DELETE", "LINK", "JUMP", "SHIFT" };

/* Memory that all processes share. */
static struct shared {
	volatile bool stop; /* whether the processes must exit */
	volatile unsigned long rounds[PROGRAMS]; /* number of rounds of each program of works[] */
	unsigned long calls[CALLS]; /* number of the manager's calls that succeeded */
	unsigned long reads; /* number of BUFFER_READ calls whose records were checked */
	unsigned long records; /* number of records that these calls returned */
	unsigned long seen[LKST_ETYPE_NUM]; /* number of these records, by event type */
} * shared;

/* Programs that together generate events of every class. They run on any CPU that is online. */

static volatile unsigned long *rounds;

bool another_round(unsigned int i, unsigned int max)
{
	(void)max;
	if (i)
		++*rounds;
	return !shared->stop;
}

void die(const char *msg)
{
	diag("%s: %s", msg, strerror(errno));
	wrong("%s: %s", msg, strerror(errno));
	exit(1);
}

static void work_exec_elsewhere(void)
{
	die_if(chdir("/tmp"), "/tmp");
	work_exec();
}

static void work_ipc(void)
{
	struct sembuf up_down[] = { { .sem_op = 1 }, { .sem_op = -1 } };
	struct {
		long type;
		char text[200];
	} message = { 1, "" };

	for_each_round(i, INT_MAX) {
		int sem = semget(IPC_PRIVATE, 1, 0600), msg = msgget(IPC_PRIVATE, 0600);
		int shm = shmget(IPC_PRIVATE, PAGE, 0600);
		void *at = shmat(shm, NULL, 0);

		die_if(sem < 0 || msg < 0 || shm < 0 || at == (void *)-1 ||
		       semop(sem, up_down, 2) || msgsnd(msg, &message, sizeof(message.text), 0) ||
		       msgrcv(msg, &message, sizeof(message.text), 1, 0) < 0, "System V IPC");
		*(volatile int *)at = 1;
		shmdt(at);
		semctl(sem, 0, IPC_RMID);
		msgctl(msg, IPC_RMID, NULL);
		shmctl(shm, IPC_RMID, NULL);
	}
}

/*
 * Try to load a module from a bad address. The kernel allocates memory for the module with
 * vmalloc(), fails to copy the module, and frees the memory.
 */
static void work_vmalloc(void)
{
	for_each_round(i, INT_MAX)
		die_if(!syscall(SYS_init_module, NULL, PAGE, "") || errno != EFAULT, "init_module");
}

/* Write messages that go to the kernel log, but not to the console. */
static void work_messages(void)
{
	for_each_round(i, INT_MAX) {
		put_file("/dev/kmsg", "<7>everything: a line\n");
		sleep_ms(5);
	}
}

/* Rename this thread, load and unload a module, and make a state dump. */
static void work_rarities(void)
{
	for_each_round(i, INT_MAX) {
		prctl(PR_SET_NAME, i % 2 ? "everything" : "something");
		errno = load_module("lkst_sample") ?: unload_module("lkst_sample");
		die_if(errno, "lkst_sample");
		die_if(lkst(LKST_IOC_TRC_STATEDUMP, NULL), "TRC_STATEDUMP");
		sleep_ms(20);
	}
}

/* Record marks whose arguments the reader can check. */
static void work_marks(void)
{
	__u64 args[4];

	for_each_round(i, INT_MAX) {
		pattern_fill(args, (uint64_t)getpid() << 32 | (i + 1));
		die_if(mark(args[0], args[1], args[2], args[3]), "ENTRY_LOG");
	}
}

static const struct work {
	const char *name;
	void (*run)(void);
} works[] = {
	{ "processes", work_fork },	  { "programs", work_exec_elsewhere },
	{ "pipe", work_pipe },		  { "memory", work_copy },
	{ "System V IPC", work_ipc },	  { "network", work_connections },
	{ "packet drops", work_refused }, { "timers", work_alarms },
	{ "vmalloc", work_vmalloc },	  { "block", work_block },
	{ "messages", work_messages },	  { "rarities", work_rarities },
	{ "marks", work_marks },	  { "more marks", work_marks },
};

#define WORKS ARRAY_SIZE(works)

/* The manager of buffers */

static uint32_t dice(uint32_t sides)
{
	static uint32_t state = 1;

	state = state * 1664525 + 1013904223;
	return (state >> 8) % sides;
}

static int make_call(enum call call, int cpu, int id)
{
	switch (call) {
	case CREATE:
		return create(cpu, id, dice(OWN_IDS + 1), 4096 << dice(7));
	case DELETE:
		return delete_buffer(cpu, id);
	case LINK:
		return link_buffer(cpu, id, dice(OWN_IDS + 1));
	case JUMP:
		return jump(cpu, dice(OWN_IDS + 1));
	default:
		return shift(cpu);
	}
}

/*
 * Make random calls that change buffers. A call may fail because the buffer exists already, does
 * not exist, or is the current one.
 */
static void manage(void)
{
	while (!shared->stop) {
		enum call call = dice(CALLS);

		shared->calls[call] += !make_call(call, dice(CPUS), 1 + dice(OWN_IDS));
		sleep_ms(dice(10));
		/* Return to the big buffer 0 often, because a small one holds little to read. */
		if (dice(20) == 0) {
			jump(0, 0);
			jump(1, 0);
			sleep_ms(200);
		}
	}
}

/* The reader */

#define MARKERS 2 /* number of programs that record marks */

/* The last mark of a program. */
struct progress {
	uint64_t thread;
	uint64_t serial;
};

static void check_mark(const struct lkst_log_record *record, struct progress progress[MARKERS])
{
	struct progress now = { record->log_arg1 >> 32, (uint32_t)record->log_arg1 };
	unsigned int i = 0;

	while (i < MARKERS && progress[i].thread && progress[i].thread != now.thread)
		i++;
	if (!has_pattern(record) || now.thread != record->posix.log_thread) {
		wrong_record(record, "torn");
	} else if (i == MARKERS) {
		wrong_record(record, "a mark of an unknown program");
	} else {
		if (now.serial <= progress[i].serial)
			wrong_record(record, "out of order");
		progress[i] = now;
	}
}

static void check_reading(const struct reading *reading)
{
	struct progress progress[MARKERS] = {};

	check_sum(reading);
	for (size_t i = 0; i < reading->num; i++) {
		const struct lkst_log_record *record = &reading->records[i];

		check_record(reading, i);
		if (record->posix.log_event_type == USER_MARK)
			check_mark(record, progress);
		shared->seen[record->posix.log_event_type & (LKST_ETYPE_NUM - 1)]++;
	}
	shared->reads++;
	shared->records += reading->num;
}

/*
 * Read and check all buffers of both CPUs again and again. BUFFER_READ may fail because the buffer
 * has been deleted since it was listed.
 */
static void read_all(void)
{
	struct reading reading;
	struct buffers buffers;
	int cpu = 0;

	reading_init(&reading, buffer_of(0, 0).size / RECORD_SIZE);
	for (; !shared->stop; cpu = !cpu) {
		list_buffers(&buffers, cpu);
		for (int i = 0; i < buffers.param.buffer_num && !shared->stop; i++)
			if (!read_some(&reading, cpu, buffers.ent[i].id, reading.max))
				check_reading(&reading);
	}
}

/* The test */

/* Check the records and counts of all buffers. Must be called after recording has stopped. */
static void check_rest(void)
{
	const struct lkst_log_buffer *param;
	struct reading reading;
	struct buffers buffers;

	reading_init(&reading, buffer_of(0, 0).size / RECORD_SIZE);
	for (int cpu = 0; cpu < CPUS; cpu++) {
		list_buffers(&buffers, cpu);
		for (int i = 0; i < buffers.param.buffer_num; i++) {
			const struct lkst_buffer_listent *ent = &buffers.ent[i];

			need(read_some(&reading, cpu, ent->id, reading.max), "BUFFER_READ");
			check_reading(&reading);
			param = &reading.param;
			if (param->unfinished || ent->first_recid != param->first_recid ||
			    ent->overwritten != param->overwritten ||
			    ent->dropped != param->dropped)
				wrong("CPU %d, buffer %d: BUFFER_LIST has other numbers", cpu,
				      ent->id);
		}
	}
	reading_free(&reading);
}

static void remove_buffers(void)
{
	for (int cpu = 0; cpu < CPUS; cpu++) {
		delete_buffers(cpu);
		need(link_buffer(cpu, 0, VOID), "BUFFER_LINK");
	}
}

/* Classes of event types. At least one event of each class must have been recorded. */
static const struct class {
	int first, last;
	const char *name;
} classes[] = {
	{ 0x000, 0x00f, "processes" },
	{ 0x010, 0x01f, "interrupts" },
#if defined(__x86_64__) || defined(__i386__)
	{ 0x020, 0x02f, "exceptions" },
#endif
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
	{ 0x0e0, 0x0ef, "user programs" },
	{ 0xf00, 0xfff, "LKST itself" },
};

static unsigned long seen_of(const struct class *class)
{
	unsigned long num = 0;

	for (int etype = class->first; etype <= class->last; etype++)
		num += shared->seen[etype];
	return num;
}

static bool all_seen(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(classes); i++)
		if (!seen_of(&classes[i]))
			return false;
	return true;
}

/* Run all programs, and take a CPU offline and online while they are running. */
static void run(unsigned int seconds)
{
	pid_t pids[PROGRAMS];
	unsigned int num = 0;

	for (; num < WORKS; num++) {
		rounds = &shared->rounds[num];
		pids[num] = spawn(works[num].run());
	}
	pids[num++] = spawn(manage());
	pids[num++] = spawn(read_all());
	sleep(seconds / 2);
	put_file(CPU1_ONLINE, "0");
	sleep(2);
	put_file(CPU1_ONLINE, "1");
	run_for(seconds - seconds / 2, all_seen);
	shared->stop = true;
	for (unsigned int i = 0; i < num; i++)
		if (exit_status(pids[i]))
			wrong("program %u fails", i);
}

static void report_seen(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(classes); i++)
		ok(seen_of(&classes[i]), "%s: %lu records were read", classes[i].name,
		   seen_of(&classes[i]));
}

static void report_work(void)
{
	for (unsigned int i = 0; i < WORKS; i++)
		ok(shared->rounds[i], "%s: %lu rounds", works[i].name, shared->rounds[i]);
	for (unsigned int i = 0; i < CALLS; i++)
		ok(shared->calls[i], "%s: %lu calls succeeded", call_names[i], shared->calls[i]);
}

/*
 * Check that LKST has lost no event. On a stock kernel LKST uses kprobes, and the kernel skips a
 * kprobe that is hit while another one is running. So LKST may miss a few vfree() calls, because
 * interrupts call vfree(), too.
 */
static void check_lost(uint64_t lost)
{
	unsigned long freed = shared->seen[MEM_VFREE];

	if (kernel_is_stock())
		ok(lost <= freed / 100 + 1,
		   "no event is lost except %llu of %lu calls of vfree()", (ull)lost, freed);
	else
		equal(lost, 0, "every event found a buffer on its CPU");
}

int main(int argc, char **argv)
{
	struct lkst_trc_status before;

	if (argc != 2) {
		fprintf(stderr, "usage: everything SECONDS\n");
		return 2;
	}
	open_lkst();
	prepare_checks();
	shared = map(sizeof(*shared));
	before = get_status();
	need(set_maskset(LKST_MASKSET_ID_RALL), "MASKSET_SET");
	run(atoi(argv[1]));
	need(lkst(LKST_IOC_TRC_STOP, NULL), "TRC_STOP");
	check_rest();
	report_work();
	report_seen();
	diag("%lu reads of %lu records", shared->reads, shared->records);
	report_wrongs(
		"no record is corrupt, out of order or on the wrong CPU, and the numbers add up");

	remove_buffers();
	need(lkst(LKST_IOC_TRC_START, NULL), "TRC_START");
	need(set_maskset(before.current_maskset_id), "MASKSET_SET");
	equal(get_status().memory, before.memory, "all memory has been freed");
	check_lost(get_status().lost - before.lost);
	return done_testing();
}
