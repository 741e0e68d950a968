// SPDX-License-Identifier: GPL-2.0
/*
 * The first process, and the only program, of the kernels of tests/host/configurations.t. A child
 * process generates the events that are recorded. The parent then reads the records through
 * /dev/lkst. The program needs nothing that a configuration may lack. It prints TAP to the second
 * serial line, because kernel messages go to the first one. The program also prints values for the
 * table of configurations to the second serial line:
 *
 *	table: NAME VALUE
 */
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <termios.h>

#include "buffers.h"
#include "etypes.h"
#include "proc_etypes.h"

/* Event types from include/linux/lkst_etypes.h that etypes.h does not define. */
#define PROCESS_FORK 0x005
#define PROCESS_EXIT 0x007

/* The exit status of the child, and the first arguments of its mark and of the mark of each CPU. */
#define CHILD_STATUS 42
#define CHILD_MARK   0x6c6b7374
#define CPU_MARK     0x63707573

#define RECORDS_MAX 65536
#define CPUS_MAX    64

static struct lkst_log_record records[RECORDS_MAX];
static size_t records_num;

/* Mount a file system of @type on @where. Return false on failure: the kernel may lack @type. */
static bool mounted(const char *type, const char *where)
{
	mkdir(where, 0755);
	return !mount(type, where, type, 0, NULL);
}

static void open_console(void)
{
	bail_if(!mounted("devtmpfs", "/dev"), "devtmpfs");
	bail_if(!freopen("/dev/ttyS1", "w", stdout), "/dev/ttyS1");
	setvbuf(stdout, NULL, _IOLBF, 0);
	ok(true, "boots");
}

/* Print how many event types are present, if this kernel has /proc. */
static void show_etypes(void)
{
	unsigned int present = 0;

	if (!mounted("proc", "/proc")) {
		printf("table: etypes -\n");
		return;
	}
	read_proc_etypes();
	for (unsigned int etype = 0; etype < LKST_ETYPE_NUM; etype++)
		present += proc_etypes[etype].present;
	printf("table: etypes %u\n", present);
	ok(proc_etypes[PROCESS_FORK].present, "/proc/lkst_etypes: process_fork is present");
	ok(!access("/proc/lkst_values", R_OK), "/proc/lkst_values is there");
}

static void check_class(void)
{
	if (mounted("sysfs", "/sys"))
		ok(!access("/sys/class/lkst/lkst/dev", R_OK), "/sys/class/lkst has the device");
}

static void __attribute__((noreturn)) child(void)
{
	syscall(SYS_getppid);
	exit(mark(CHILD_MARK, getpid(), 0, 0) ? 1 : CHILD_STATUS);
}

/* Record a mark on each CPU. */
static void mark_cpus(void)
{
	cpu_set_t set;

	bail_if(sched_getaffinity(0, sizeof(set), &set), "sched_getaffinity");
	for (int cpu = 0; cpu < CPUS_MAX; cpu++) {
		if (!CPU_ISSET(cpu, &set))
			continue;
		pin(cpu);
		need(mark(CPU_MARK, cpu, 0, 0), "ENTRY_LOG on CPU %d", cpu);
	}
	bail_if(sched_setaffinity(0, sizeof(set), &set), "sched_setaffinity");
}

/* Record all events during the life of a child process. Return the child's process id. */
static pid_t record(void)
{
	int status;
	pid_t pid;

	need(set_maskset(LKST_MASKSET_ID_RALL), "all events");
	mark_cpus();
	pid = fork();
	if (!pid)
		child();
	bail_if(pid < 0 || waitpid(pid, &status, 0) != pid, "a child");
	need(lkst(LKST_IOC_TRC_STOP, NULL), "TRC_STOP");
	ok(WIFEXITED(status) && WEXITSTATUS(status) == CHILD_STATUS, "a process records an event");
	return pid;
}

/* Whether the mark of @cpu is among the @num records. */
static bool has_cpu_mark(const struct lkst_log_record *record, size_t num, unsigned int cpu)
{
	for (; num; record++, num--)
		if (record->posix.log_event_type == USER_MARK && record->log_arg1 == CPU_MARK &&
		    record->log_arg2 == cpu)
			return true;
	return false;
}

/* Read the current buffer of each CPU into @records. */
static void read_buffers(void)
{
	lkst_buffer_id written[CPUS_MAX] = {};
	struct lkst_trc_status status = { .cpu_num = CPUS_MAX, .write_buf = (uintptr_t)written };
	unsigned int cpus = 0;

	need(lkst(LKST_IOC_TRC_STATUS, &status), "TRC_STATUS");
	for (unsigned int cpu = 0; cpu < status.cpu_num && cpu < CPUS_MAX; cpu++) {
		struct lkst_log_buffer param;
		size_t num;

		if (written[cpu] == LKST_BUFFER_ID_VOID)
			continue;
		need(read_buffer_max(&param, cpu, written[cpu], records + records_num,
				     RECORDS_MAX - records_num),
		     "BUFFER_READ of CPU %u", cpu);
		num = param.result_read_size / sizeof(*records);
		cpus += has_cpu_mark(records + records_num, num, cpu);
		records_num += num;
	}
	printf("table: cpus %u\n", cpus);
	ok(records_num, "records can be read");
}

/*
 * Return the first record of type @etype whose first argument is equal to @arg1 in the bits of
 * @mask1, and whose second argument is equal to @arg2 in the bits of @mask2. Return NULL if there
 * is no such record.
 */
static const struct lkst_log_record *find(int etype, uint64_t arg1, uint64_t mask1, uint64_t arg2,
					  uint64_t mask2)
{
	const struct lkst_log_record *record;

	for (record = records; record < records + records_num; record++)
		if (record->posix.log_event_type == etype && (record->log_arg1 & mask1) == arg1 &&
		    (record->log_arg2 & mask2) == arg2)
			return record;
	return NULL;
}

static int64_t time_of(const struct lkst_log_record *record)
{
	return record->posix.log_time.tv_sec * 1000000000LL + record->posix.log_time.tv_nsec;
}

/* Test that the records contain the fork, the actions and the exit of the child @pid. */
static void check_records(pid_t pid)
{
	const uint64_t high = 0xffffffffULL << 32, all = ~0ULL, thread = (uint64_t)pid << 32;
	const struct lkst_log_record *life[] = {
		find(PROCESS_FORK, thread, high, 0, 0),
		find(PROCESS_CONTEXTSWITCH, 0, 0, thread, high),
		find(USER_MARK, CHILD_MARK, all, pid, all),
		find(PROCESS_EXIT, thread, high, CHILD_STATUS << 8, all),
	};
	bool seen[LKST_ETYPE_NUM] = {};
	unsigned int etypes = 0;

	ok(life[0], "recorded: the fork of the process");
	ok(life[1], "recorded: a context switch to the process");
	ok(life[2] && life[2]->posix.log_pid == pid &&
		   life[2]->posix.log_thread == (unsigned int)pid,
	   "recorded: its mark, with its ids");
	ok(life[3], "recorded: its exit, with its status");
	ok(life[0] && life[2] && life[3] && time_of(life[0]) <= time_of(life[2]) &&
		   time_of(life[2]) <= time_of(life[3]),
	   "recorded: fork, mark and exit in this order");
	ok(find(SYSCALL_EXIT, (uint64_t)SYS_getppid << 32, high, getpid(), all),
	   "recorded: its system call, with the result");
	ok(find(INT_SOFTIRQ_ENTRY, 0, 0, 0, 0), "recorded: a softirq");

	for (size_t i = 0; i < records_num; i++) {
		bool *type = &seen[records[i].posix.log_event_type];

		etypes += !*type;
		*type = true;
	}
	printf("table: seen %u\n", etypes);
}

int main(void)
{
	pid_t pid;

	open_console();
	show_etypes();
	check_class();
	open_lkst();
	ok(get_status().state == LKST_TRC_RUNNING, "LKST has been recording since boot");
	pid = record();
	read_buffers();
	check_records(pid);
	done_testing();
	tcdrain(fileno(stdout));
	reboot(RB_AUTOBOOT);
	return 1;
}
