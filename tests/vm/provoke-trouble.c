// SPDX-License-Identifier: GPL-2.0
/*
 * What the kernel complains about. After "oops" and "divide" it has lost a bit of itself, so these
 * come last.
 */
#include <signal.h>
#include <sys/prctl.h>

#include "provoke.h"

#define TIMES 3

/* enum lkst_lockup */
enum {
	SOFT = LKST_LOCKUP_SOFT,
	HARD = LKST_LOCKUP_HARD,
	TASK = LKST_LOCKUP_TASK,
	RCU = LKST_LOCKUP_RCU
};

/*
 * How many records hold the registers; what the first of them has beside the pointers to instruction
 * and stack; and what an oops_die has of two exceptions: which one, and its error code.
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
#define EXCEPTIONS " exception_entry exception_exit"
#else
/* arm64 has an error code alone: from bit 26 on is the class, data abort or unknown; bit 6: a write */
#define REGISTERS 1
#define POINTERS  ARG(3, 0), ARG(4, 0)
#define OF_CLASS(number, bits) \
	PART(1, 0xfc000000 | (uint64_t)UINT32_MAX << 32 | (bits), (uint64_t)(number) << 26 | (bits))
#define OF_OOPS	   OF_CLASS(0x25, 0x40)
#define OF_DIVIDE  OF_CLASS(0, 0)
#define EXCEPTIONS ""
#endif

/* What the kernel says */

static int kmsg = -1;

static void listen_to_kernel(void)
{
	if (kmsg < 0)
		kmsg = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (kmsg < 0 || lseek(kmsg, 0, SEEK_END) < 0)
		bail_out("/dev/kmsg");
}

/* Waits until it says that, for a minute. */
static void hear(const char *what)
{
	char line[2048];
	ssize_t len;
	int tries;

	for (tries = 0; tries < 3000; tries++) {
		while ((len = read(kmsg, line, sizeof(line) - 1)) > 0) {
			line[len] = 0;
			if (strstr(line, what))
				return;
		}
		sleep_ms(20);
	}
	diag("the kernel does not say '%s'", what);
}

/* Somebody who hangs, until the kernel has noticed. */

static const char *hang_how;

static void hang(void)
{
	char text[64];

	snprintf(text, sizeof(text), "%s 1", hang_how);
	need(write_file("/proc/lkst_provoke", text), "%s", text);
}

static pid_t hang_until(const char *how, const char *noticed, void (*meanwhile)(void))
{
	pid_t pid;

	hang_how = how;
	listen_to_kernel();
	pid = in_child(hang);
	sleep_ms(200);
	if (meanwhile)
		meanwhile();
	hear(noticed);
	need(write_file("/proc/lkst_provoke", "release 1"), "release");
	wait_for(pid);
	return pid;
}

static void set(const char *path, const char *value)
{
	need(write_file(path, value), "%s", path);
}

/* Tests */

#define DETECTOR_WARN 2

static void warnings(void)
{
	ask("warn", TIMES);
	expect(TIMES, "oops_warn", ARG(1, DETECTOR_WARN), .code = 2, .thread = gettid_own());
	expect(TIMES, "oops_warn");
	expect(TIMES, "oops_stack", .code = 1, .thread = gettid_own());
}

#if defined(__x86_64__) || defined(__i386__)
static void machine_checks(void)
{
	struct values mce;
	int i;

	listen_to_kernel();
	mce = ask("mce", TIMES);
	for (i = 0; i < TIMES; i++)
		hear("Machine Check");
	expect(TIMES, "oops_mce", BOTH(1, mce.at[0], 0), ARG(2, mce.at[1]), ARG(3, mce.at[2]),
	       ARG(4, mce.at[3]));
	expect(TIMES, "oops_mce");
}
#endif

static void be_victim(void)
{
	need(write_file("/proc/self/oom_score_adj", "1000"), "oom_score_adj");
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;)
		pause();
}

static void oom_kills(void)
{
	pid_t victim[TIMES];
	int i, status;

	for (i = 0; i < TIMES; i++) {
		victim[i] = in_child(be_victim);
		sleep_ms(200);
		need(write_file("/proc/sysrq-trigger", "f"), "sysrq-trigger");
		status = wait_for(victim[i]);
		if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL)
			bail_out("OOM kill");
	}
	for (i = 0; i < TIMES; i++)
		expect(1, "mem_oomkill", ARG(1, victim[i]));
	expect(TIMES, "mem_oomkill");
}

static void hung_task(void)
{
	pid_t pid;

	set("/proc/sys/kernel/hung_task_timeout_secs", "1");
	pid = hang_until("hang", "blocked for more than", NULL);
	set("/proc/sys/kernel/hung_task_timeout_secs", "120");
	expect(1, "oops_lockup", ARG(1, pid), ARG(2, TASK));
	expect(1, "oops_lockup");
	expect(0, "oops_regs");
	expect(1, "oops_stack", .code = 1);
}

/*
 * The stack below a function that calls no other: it begins with the caller, which is the module's.
 * On arm64 such a function has no frame, and who called it is in no stack, the kernel's own neither.
 */
static void expect_stack(pid_t pid)
{
#if defined(__x86_64__) || defined(__i386__)
	expect(1, "oops_stack", .code = 1, .thread = pid);
#else
	expect(0, "oops_stack", .code = 1, .thread = pid);
#endif
}

static void soft_lockup(void)
{
	pid_t pid;

	set("/proc/sys/kernel/watchdog_thresh", "1");
	pid = hang_until("soft-lockup", "soft lockup", NULL);
	set("/proc/sys/kernel/watchdog_thresh", "10");
	expect(1, "oops_lockup", ARG(1, pid), ARG(2, SOFT), .in_interrupt = true);
	expect(1, "oops_lockup");
	expect(REGISTERS, "oops_regs", .thread = pid);
	expect(REGISTERS, "oops_regs");
	expect_stack(pid);
}

/* Where there is no hook, the kernel's words tell. It says them of itself or of another CPU. */
static void hard_lockup(void)
{
	unsigned int spellings = ask("say-hard-lockup", 2).at[0];

	spellings *= kernel_is_stock();
	expect(spellings, "oops_lockup", ARG(1, gettid_own()), ARG(2, HARD));
	expect(spellings, "oops_lockup", ARG(1, -1), ARG(2, HARD));
	expect(2 * spellings, "oops_lockup");
}

static pthread_t waiter;

static void *wait_for_grace_period(void *arg)
{
	syscall(SYS_membarrier, 1 /* MEMBARRIER_CMD_GLOBAL */, 0, 0);
	return arg;
}

static void begin_grace_period(void)
{
	if (pthread_create(&waiter, NULL, wait_for_grace_period, NULL))
		bail_out("pthread_create");
}

static void rcu_stall(void)
{
	set("/sys/module/rcupdate/parameters/rcu_cpu_stall_timeout", "3");
	set("/proc/sys/kernel/soft_watchdog", "0");
	hang_until("rcu-stall", "detected stall", begin_grace_period);
	pthread_join(waiter, NULL);
	set("/proc/sys/kernel/soft_watchdog", "1");
	set("/sys/module/rcupdate/parameters/rcu_cpu_stall_timeout", "21");
	expect(1, "oops_lockup", ARG(2, RCU));
	expect(1, "oops_lockup");
}

/* A process that does something which it does not survive; its id. */
static pid_t kill_by(const char *how)
{
	pid_t pid;
	int status;

	hang_how = how;
	pid = in_child(hang);
	status = wait_for(pid);
	if (!WIFSIGNALED(status))
		bail_out(how);
	return pid;
}

#define DUMP_OOPS 2

/* What tests/modules/provoke.c put into them. */
static void expect_registers(pid_t pid)
{
	expect(REGISTERS, "oops_regs", .thread = pid);
	expect(REGISTERS, "oops_regs");
	expect(1, "oops_regs", POINTERS, .code = 1, .thread = pid);
#if defined(__x86_64__) || defined(__i386__)
	/* ax bx cx dx */
	expect(1, "oops_regs", ARG(1, 0xaaaa00aa), ARG(3, 0xcccc00cc), .thread = pid);
	/* r9 r10 r11 r12 */
	expect(1, "oops_regs", ARG(3, 0x11110011), ARG(4, 0x12120012), .thread = pid);
	/* r13 r14 r15 cs:ss */
	expect(1, "oops_regs", ARG(1, 0x13130013), ARG(2, 0x14140014), .thread = pid);
	/* cr2 cr3 cr4 gs */
	expect(1, "oops_regs", ARG(1, 0x18), .thread = pid);
#endif
}

static void oops(void)
{
	pid_t pid = kill_by("oops");

	expect(1, "oops_die", OF_OOPS, ARG(3, SIGSEGV), .code = 2, .thread = pid);
	expect(1, "oops_die");
	expect_registers(pid);
	expect_stack(pid);
	expect(1, "lkst_kernel_dump", ARG(1, DUMP_OOPS), .thread = pid);
	expect(1, "lkst_kernel_dump");
}

static void divide(void)
{
	pid_t pid = kill_by("divide");

#if defined(__x86_64__) || defined(__i386__)
	expect(1, "exception_entry", OF_DIVIDE, .code = 2, .thread = pid);
	expect(0, "exception_exit", HIGH(1, DE), .thread = pid);
#endif
	expect(1, "oops_die", OF_DIVIDE, ARG(3, SIGSEGV), .code = 2, .thread = pid);
	expect(1, "oops_die");
	expect(REGISTERS, "oops_regs", .thread = pid);
	expect(1, "oops_regs", POINTERS, .code = 1, .thread = pid);
	expect_stack(pid);
}

const struct test trouble_tests[] = {
	{ "hung-task", "oops_lockup oops_regs oops_stack", hung_task, true },
	{ "oom-kills", "mem_oomkill", oom_kills, true },
#if defined(__x86_64__) || defined(__i386__)
	{ "machine-checks", "oops_mce", machine_checks, true },
#endif
	{ "warnings", "oops_warn oops_stack", warnings, true },
	{ "soft-lockup", "oops_lockup oops_regs oops_stack", soft_lockup, true },
	{ "rcu-stall", "oops_lockup", rcu_stall, true },
	{ "hard-lockup-said", "oops_lockup", hard_lockup, true },
	{ "oops", "oops_die oops_regs oops_stack lkst_kernel_dump", oops, true },
	{ "divide", "oops_die oops_regs oops_stack" EXCEPTIONS, divide, true },
	{},
};
