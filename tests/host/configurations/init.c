// SPDX-License-Identifier: GPL-2.0
/*
 * The first process, and the only program, of the kernels of tests/host/configurations.t: a child does what the
 * kernel has to record, and it is read back through /dev/lkst. It takes nothing for granted that a configuration may
 * lack. Prints TAP to the second serial line, as the first has the kernel's messages, and for the table there lines
 *
 *	table: NAME VALUE
 */
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <termios.h>

#include "buffers.h"
#include "proc_etypes.h"

/* Event types, as include/linux/lkst_etypes.h has them. */
#define PROCESS_CONTEXTSWITCH 0x001
#define PROCESS_FORK	      0x005
#define PROCESS_EXIT	      0x007
#define INT_SOFTIRQ_ENTRY     0x012
#define SYSCALL_EXIT	      0x031

/* What the child ends with, and what the mark has that it leaves behind; and those of each CPU. */
#define CHILD_STATUS 42
#define CHILD_MARK   0x6c6b7374
#define CPU_MARK     0x63707573

#define RECORDS_MAX 65536
#define CPUS_MAX    64

static struct lkst_log_record records[RECORDS_MAX];
static size_t records_num;

/* Whether this kernel has that file system. */
static bool mounted(const char *type, const char *where)
{
	mkdir(where, 0755);
	return !mount(type, where, type, 0, NULL);
}

static void come_up(void)
{
	if (!mounted("devtmpfs", "/dev"))
		bail_out("devtmpfs");
	if (!freopen("/dev/ttyS1", "w", stdout))
		bail_out("/dev/ttyS1");
	setvbuf(stdout, NULL, _IOLBF, 0);
	ok(true, "boots");
}

static void show_kernel(void)
{
	struct utsname names;

	uname(&names);
	printf("table: kernel %s %s %s\n", names.release, names.machine, names.version);
}

/* What /proc/lkst_etypes says, where there is a /proc. */
static void show_etypes(void)
{
	unsigned int etype, present = 0;

	if (!mounted("proc", "/proc")) {
		printf("table: etypes -\n");
		return;
	}
	read_proc_etypes();
	for (etype = 0; etype < LKST_ETYPE_NUM; etype++)
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

/* An event on each CPU. */
static void mark_cpus(void)
{
	cpu_set_t set;
	int cpu;

	if (sched_getaffinity(0, sizeof(set), &set))
		bail_out("sched_getaffinity");
	for (cpu = 0; cpu < CPUS_MAX; cpu++) {
		if (!CPU_ISSET(cpu, &set))
			continue;
		pin(cpu);
		need(mark(CPU_MARK, cpu, 0, 0), "ENTRY_LOG on CPU %d", cpu);
	}
	if (sched_setaffinity(0, sizeof(set), &set))
		bail_out("sched_setaffinity");
}

/* All events are recorded while a child lives. Returns who it was. */
static pid_t record(void)
{
	int status;
	pid_t pid;

	need(set_maskset(LKST_MASKSET_ID_RALL), "all events");
	mark_cpus();
	pid = fork();
	if (!pid)
		child();
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		bail_out("a child");
	need(lkst(LKST_IOC_TRC_STOP, NULL), "TRC_STOP");
	ok(WIFEXITED(status) && WEXITSTATUS(status) == CHILD_STATUS, "a process records an event");
	return pid;
}

/* Whether these records have the CPU's mark. */
static bool has_cpu_mark(const struct lkst_log_record *record, size_t num, unsigned int cpu)
{
	for (; num; record++, num--)
		if (record->posix.log_event_type == USER_MARK && record->log_arg1 == CPU_MARK &&
		    record->log_arg2 == cpu)
			return true;
	return false;
}

/* What is in the buffers of all CPUs. */
static void read_buffers(void)
{
	lkst_buffer_id written[CPUS_MAX] = {};
	struct lkst_trc_status status = { .cpu_num = CPUS_MAX, .write_buf = (uintptr_t)written };
	unsigned int cpu, cpus = 0;

	need(lkst(LKST_IOC_TRC_STATUS, &status), "TRC_STATUS");
	for (cpu = 0; cpu < status.cpu_num && cpu < CPUS_MAX; cpu++) {
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
	printf("table: records %zu\n", records_num);
	ok(records_num, "there are records to read");
}

/* The record of this type that has these bits in its first two arguments; NULL: there is none. */
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

/* The child's life, as the records tell it. */
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
	size_t i;

	ok(life[0], "recorded: the fork of the process");
	ok(life[1], "recorded: a switch to it");
	ok(life[2] && life[2]->posix.log_pid == pid &&
		   life[2]->posix.log_thread == (unsigned int)pid,
	   "recorded: its own event, by it");
	ok(life[3], "recorded: its exit, with its status");
	ok(life[0] && life[2] && life[3] && time_of(life[0]) <= time_of(life[2]) &&
		   time_of(life[2]) <= time_of(life[3]),
	   "in this order");
	ok(find(SYSCALL_EXIT, (uint64_t)SYS_getppid << 32, high, getpid(), all),
	   "recorded: its system call, and the result");
	ok(find(INT_SOFTIRQ_ENTRY, 0, 0, 0, 0), "recorded: a softirq");

	for (i = 0; i < records_num; i++)
		seen[records[i].posix.log_event_type] = true;
	for (i = 0; i < LKST_ETYPE_NUM; i++)
		etypes += seen[i];
	printf("table: seen %u\n", etypes);
}

int main(void)
{
	pid_t pid;

	come_up();
	show_kernel();
	show_etypes();
	check_class();
	open_lkst();
	ok(get_status().state == LKST_TRC_RUNNING, "LKST has been recording since the boot");
	pid = record();
	read_buffers();
	check_records(pid);
	done_testing();
	tcdrain(fileno(stdout));
	reboot(RB_AUTOBOOT);
	return 1;
}
