// SPDX-License-Identifier: GPL-2.0
/*
 * Provoke failures that the kernel reports. The tests "oops" and "divide" damage the kernel, so
 * they come last.
 */
#include <signal.h>

#include "modules.h"
#include "processes.h"
#include "provoke.h"

#define TIMES 3

/*
 * What the tests expect:
 * REGISTERS: number of oops_regs records that hold the registers of one oops or lockup
 * POINTERS: arguments of the oops_regs record that has the instruction and stack pointers
 * OF_OOPS, OF_DIVIDE: exception number (x86 only) and error code in oops_die, for the tests "oops"
 *	and "divide"
 * STACKS: number of oops_stack records that begin with the caller of the leaf function in which the
 *	oops or lockup occurred
 * EXPECT_VALUES: records with the register values that tests/modules/provoke.c sets
 * EXPECT_EXCEPTION: records of the exception that divide() causes
 */
#if defined(__x86_64__) || defined(__i386__)
enum {
	DE = 0,
	PF = 14,
	WRITE = 2
};
#define REGISTERS  6
#define POINTERS   ARG(4, -1) /* ip sp flags orig_ax */
#define OF_OOPS	   BOTH(1, PF, WRITE)
#define OF_DIVIDE  BOTH(1, DE, 0)
#define STACKS	   1
#define EXPECT_VALUES                                                                     \
	/* arguments: ax bx cx dx */                                                      \
	{ 1, "oops_regs", ARG(1, 0xaaaa00aa), ARG(3, 0xcccc00cc), .by = CHILD },          \
	/* arguments: r9 r10 r11 r12 */                                                   \
	{ 1, "oops_regs", ARG(3, 0x11110011), ARG(4, 0x12120012), .by = CHILD },          \
	/* arguments: r13 r14 r15 cs:ss */                                                \
	{ 1, "oops_regs", ARG(1, 0x13130013), ARG(2, 0x14140014), .by = CHILD },          \
	/* arguments: cr2 cr3 cr4 gs */                                                   \
	{ 1, "oops_regs", ARG(1, 0x18), .by = CHILD },
#define EXPECT_EXCEPTION                                                                  \
	{ 1, "exception_entry", OF_DIVIDE, .code = 2, .by = CHILD },                      \
	{ 0, "exception_exit", HIGH(1, DE), .by = CHILD },
#else
/*
 * On arm64, an exception has no number, only an error code. Bits 26 to 31 of the code are the class
 * of the exception, here a data abort (0x25) or an unknown reason (0). Bit 6 is set for a write. A
 * leaf function has no frame, so its caller is missing in both LKST's and the kernel's stack
 * traces.
 */
#define REGISTERS 1
#define POINTERS  ARG(3, 0), ARG(4, 0)
#define OF_CLASS(number, bits) \
	PART(1, 0xfc000000 | (uint64_t)UINT32_MAX << 32 | (bits), (uint64_t)(number) << 26 | (bits))
#define OF_OOPS	   OF_CLASS(0x25, 0x40)
#define OF_DIVIDE  OF_CLASS(0, 0)
#define STACKS	   0
#define EXPECT_VALUES
#define EXPECT_EXCEPTION
#endif

/* The kernel log */

static int kmsg = -1;

static void open_kmsg(void)
{
	if (kmsg < 0)
		kmsg = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	bail_if(kmsg < 0 || lseek(kmsg, 0, SEEK_END) < 0, "/dev/kmsg");
}

/* Wait up to a minute for the kernel to print a message. */
static void wait_for_message(const char *text)
{
	char line[2048];
	ssize_t len;

	for (int tries = 0; tries < 3000; tries++) {
		while ((len = read(kmsg, line, sizeof(line) - 1)) > 0) {
			line[len] = 0;
			if (strstr(line, text))
				return;
		}
		sleep_ms(20);
	}
	diag("the kernel does not print '%s'", text);
}

/* ---- hangs that last until the kernel has reported them ---- */

static void begin_hang(void)
{
	char text[64];

	snprintf(text, sizeof(text), "%s 1", current->command);
	need(write_file("/proc/lkst_provoke", text), "%s", text);
}

static void hang_until(const char *message, void (*meanwhile)(void))
{
	open_kmsg();
	values.child = in_child(begin_hang);
	values.at[0] = values.child;
	sleep_ms(200);
	if (meanwhile)
		meanwhile();
	wait_for_message(message);
	need(write_file("/proc/lkst_provoke", "release 1"), "release");
	wait_for(values.child);
}

static void set(const char *path, const char *value)
{
	need(write_file(path, value), "%s", path);
}

/* The kernel reports the task again after the timeout, unless it is released before. */
static void hung_task(void)
{
	set("/proc/sys/kernel/hung_task_timeout_secs", "4");
	hang_until("blocked for more than", NULL);
	set("/proc/sys/kernel/hung_task_timeout_secs", "120");
}

/* Set a file to @value, and store its contents in @before. */
static void change(const char *path, const char *value, char before[16])
{
	need(read_file(path, before, 16), "%s", path);
	set(path, value);
}

/*
 * The kernel reports a soft lockup after twice the threshold. This time must be longer than any
 * pause of an emulated CPU, because a pause looks like a lockup of the thread that the CPU runs.
 */
static void soft_lockup(void)
{
	const char *thresh = "/proc/sys/kernel/watchdog_thresh";
	char before[16];

	change(thresh, "5", before);
	hang_until("soft lockup", NULL);
	set(thresh, before);
}

static pthread_t waiter;

static void *wait_for_grace_period(void *arg)
{
	syscall(SYS_membarrier, 1 /* MEMBARRIER_CMD_GLOBAL */, 0, 0);
	return arg;
}

static void begin_grace_period(void)
{
	bail_if(pthread_create(&waiter, NULL, wait_for_grace_period, NULL), "pthread_create");
}

static void rcu_stall(void)
{
	const char *timeout = "/sys/module/rcupdate/parameters/rcu_cpu_stall_timeout";
	char before[16];

	change(timeout, "3", before);
	/*
	 * The time limit of a grace period is set when the grace period begins. Wait until one that
	 * began with the old limit has ended. Otherwise the hang would prolong it, and the kernel
	 * would report the stall only after the old limit.
	 */
	wait_for_grace_period(NULL);
	set("/proc/sys/kernel/soft_watchdog", "0");
	hang_until("detected stall", begin_grace_period);
	pthread_join(waiter, NULL);
	set("/proc/sys/kernel/soft_watchdog", "1");
	set(timeout, before);
}

/* Other failures */

static void machine_checks(void)
{
	open_kmsg();
	run_command("mce", TIMES);
	for (int i = 0; i < TIMES; i++)
		wait_for_message("Machine Check");
}

static void be_victim(void)
{
	set("/proc/self/oom_score_adj", "1000");
	for (;;)
		pause();
}

static void oom_kills(void)
{
	for (int i = 0; i < TIMES; i++) {
		pid_t victim = in_child(be_victim);
		int status;

		wait_until_asleep(victim);
		set("/proc/sysrq-trigger", "f");
		status = wait_for(victim);
		bail_if(!WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL, "OOM kill");
		values.at[i] = victim;
	}
}

/* Carry out the test's command in a child, and check that the command kills the child. */
static void die_in_kernel(void)
{
	values.child = in_child(begin_hang);
	bail_if(!WIFSIGNALED(wait_for(values.child)), current->command);
}

#define DETECTOR_WARN 2
#define DUMP_OOPS     2
#define SPELLINGS     3 /* number of wordings in which the module reports each hard lockup */

#define DIE(of) \
	{ 1, "oops_die", of, ARG(3, SIGSEGV), .code = 2, .by = CHILD, .all = ALL_OF_TYPE }
#define STACK { STACKS, "oops_stack", .code = 1, .by = CHILD }

const struct test trouble_tests[] = {
	{ "hung-task", "hang", .run = hung_task, .once = true, .expected = {
	  { 1, "oops_lockup", VALUE(1, 0), ARG(2, LKST_LOCKUP_TASK), .all = ALL_OF_TYPE },
	  { 0, "oops_regs" },
	  { 1, "oops_stack", .code = 1 } } },
	{ "oom-kills", .run = oom_kills, .once = true, .expected = {
	  { 1, "mem_oomkill", VALUE(1, 0) },
	  { 1, "mem_oomkill", VALUE(1, 1) },
	  { 1, "mem_oomkill", VALUE(1, 2) },
	  { TIMES, "mem_oomkill" } } },
	{ "machine-checks", .run = machine_checks, .once = true, .expected = {
	  { TIMES, "oops_mce", VALUE(1, 0), VALUE(2, 1), VALUE(3, 2), VALUE(4, 3),
	    .all = ALL_OF_TYPE } } },
	{ "warnings", "warn", TIMES, .once = true, .expected = {
	  { TIMES, "oops_warn", ARG(1, DETECTOR_WARN), .code = 2, .by = OWN, .all = ALL_OF_TYPE },
	  { TIMES, "oops_stack", .code = 1, .by = OWN } } },
	{ "soft-lockup", "soft-lockup", .run = soft_lockup, .once = true, .expected = {
	  { 1, "oops_lockup", VALUE(1, 0), ARG(2, LKST_LOCKUP_SOFT), .in_interrupt = true,
	    .all = ALL_OF_TYPE },
	  { REGISTERS, "oops_regs", .by = CHILD, .all = ALL_OF_TYPE },
	  STACK } },
	{ "rcu-stall", "rcu-stall", .run = rcu_stall, .once = true, .expected = {
	  { 1, "oops_lockup", ARG(2, LKST_LOCKUP_RCU), .all = ALL_OF_TYPE } } },
	/*
	 * Print the kernel's messages about hard lockups of this CPU and of another one, each in
	 * several wordings. In a kernel without LKST's hook, LKST records the event when such a
	 * message is printed.
	 */
	{ "hard-lockup-printed", "print-hard-lockup", 2, .once = true, .expected = {
	  { SPELLINGS, "oops_lockup", VALUE(1, 0), ARG(2, LKST_LOCKUP_HARD), .on_stock = true },
	  { SPELLINGS, "oops_lockup", ARG(1, -1), ARG(2, LKST_LOCKUP_HARD), .on_stock = true },
	  { 2 * SPELLINGS, "oops_lockup", .on_stock = true } } },
	{ "oops", "oops", .run = die_in_kernel, .once = true, .expected = {
	  DIE(OF_OOPS),
	  { REGISTERS, "oops_regs", .by = CHILD, .all = ALL_OF_TYPE },
	  { 1, "oops_regs", POINTERS, .code = 1, .by = CHILD },
	  EXPECT_VALUES
	  STACK,
	  { 1, "lkst_kernel_dump", ARG(1, DUMP_OOPS), .by = CHILD, .all = ALL_OF_TYPE } } },
	{ "divide", "divide", .run = die_in_kernel, .once = true, .expected = {
	  DIE(OF_DIVIDE),
	  { REGISTERS, "oops_regs", .by = CHILD },
	  { 1, "oops_regs", POINTERS, .code = 1, .by = CHILD },
	  STACK,
	  EXPECT_EXCEPTION } },
	{},
};
